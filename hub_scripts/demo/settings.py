"""What a visitor chose, checked: who visits computes on somebody else's machine."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.lexicons.shipped import is_people_list
from fair_datasets.swap.agreement import available_pronoun_sets

MAX_PROTECTED = 50
"""How many names and words a visitor may protect."""

MAX_PROTECTED_LETTERS = 1_000
"""How long the list of them may be."""

USUAL_PRONOUNS = "they"
# The attribute whose people are written with a set of pronouns.
_NEITHER = "non-binary"


class Settings(NamedTuple):
    """What is rewritten, and to what.

    Attributes:
        axes: The demographic axes, all rewritten in one counterfactual.
        targets: What their terms are rewritten to, one for each axis at most; none for each term's
            counterpart, or a group that is drawn where there is none.
        names: Whether names are swapped, too.
        pronouns: The pronouns of people who are neither men nor women.
        protect: Names and words that are left alone.
    """

    axes: tuple[str, ...]
    targets: tuple[str, ...] = ()
    names: bool = True
    pronouns: str = USUAL_PRONOUNS
    protect: tuple[str, ...] = ()

    def arguments(self) -> dict[str, Any]:
        """Return them as parameters of `CounterfactualSwap`, without those that change nothing."""
        one = len(self.axes) == 1
        arguments: dict[str, Any] = {"axis": self.axes[0] if one else self.axes}
        arguments |= {} if one else {"joint": True}
        if self.targets:
            arguments["target"] = self.targets[0] if len(self.targets) == 1 else self.targets
        arguments["names"] = self.names
        if self.pronouns != USUAL_PRONOUNS and _NEITHER in self.targets:
            arguments["pronouns"] = self.pronouns
        if self.protect:
            arguments["protect"] = self.protect
        return arguments

    def counting(self) -> dict[str, Any]:
        """Return those that say what is read, for `count_mentions`."""
        return {
            name: value for name, value in self.arguments().items() if name in ("axis", "names")
        }

    def swap(self, column: str, **options: Any) -> CounterfactualSwap:
        """Return the technique for a column."""
        return CounterfactualSwap(columns=column, **self.arguments(), **options)


def checked_settings(
    axes: Sequence[str], targets: Sequence[str], names: bool, pronouns: str, protect: str
) -> Settings:
    """Return what a visitor chose, or refuse what the page does not offer.

    Args:
        axes: The axes. A path, which would read a file, is none.
        targets: What their terms are rewritten to, one for each axis at most.
        names: Whether names are swapped.
        pronouns: The set of pronouns.
        protect: What is left alone, separated by commas or lines.

    Returns:
        The settings.

    Raises:
        InputError: Something else was chosen, or too much.
    """
    if not axes:
        raise InputError("No axis is chosen; choose one or several.")
    for axis in axes:
        _offered(axis, offered_axes(), "axis")
    _offered(pronouns, available_pronoun_sets(), "pronouns")
    for target in targets:
        _offered(target, [name for axis in axes for name in load_lexicon(axis).attributes], "group")
    for axis in axes:
        several = [name for name in targets if name in load_lexicon(axis).attributes]
        if len(several) > 1:
            raise InputError(
                f"{several[0]!r} and {several[1]!r} are both on the axis {axis}; choose one of "
                "them to rewrite to, or none."
            )
    protected = tuple(dict.fromkeys(filter(None, map(str.strip, re.split(r"[,\n]", protect)))))
    if any(map(is_people_list, protected)):
        raise InputError("Only names and words can be left alone here, and no lists of people.")
    if len(protected) > MAX_PROTECTED or len(protect) > MAX_PROTECTED_LETTERS:
        raise InputError(
            f"This page leaves {MAX_PROTECTED} names or words of {MAX_PROTECTED_LETTERS:,} letters "
            "together alone at most; remove some."
        )
    # A word of two axes is the first one's: in what order they were clicked decides nothing.
    ordered = tuple(axis for axis in offered_axes() if axis in axes)
    return Settings(ordered, tuple(targets), bool(names), pronouns, protected)


def offered_axes() -> list[str]:
    """List the axes that ship, gender first."""
    return sorted(available_lexicons(), key=lambda axis: (axis != "gender", axis))


def target_choices(axes: Sequence[str]) -> list[tuple[str, str]]:
    """List what the terms of some axes can be rewritten to.

    Args:
        axes: The axes.

    Returns:
        Pairs of what is shown and of the target.
    """
    choices = [(name, axis) for axis in axes for name in load_lexicon(axis).attributes]
    if len(axes) == 1:
        return [(name, name) for name, _ in choices]
    return [(f"{name} ({axis})", name) for name, axis in choices]


def _offered(value: str, choices: Sequence[str], what: str) -> None:
    """Raise unless a value is one of those that the page offers."""
    if value not in choices:
        raise InputError(f"This page offers no {what} {value!r}, but {', '.join(choices)}.")
