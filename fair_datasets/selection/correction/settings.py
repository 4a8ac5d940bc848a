"""What a correction is told, checked before anything is scored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from fair_datasets.rows import column_checks
from fair_datasets.scores.bias.bias_score import BiasScore, figure_name
from fair_datasets.selection.correction.names import Correction
from fair_datasets.selection.correction.splits import checked_sizes
from fair_datasets.selection.correction.swap_above import SwapAbove
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

OWNER = "correct"
SWAP = ("axis", "names", "protect", "pipeline", "reader", "pronouns", "source", "target",
        "leave_facts", "unlisted_names", "provenance", "family", "id_column")  # fmt: skip
"""The parameters of `CounterfactualSwap` that are left to choose."""
_READERS = ("pipeline", "reader")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The checked settings of `correct`.

    Attributes:
        correction: What is done with the rows above.
        columns: The text columns.
        roles: Whose texts of a conversation are read.
        label: The column with the gold label; None to keep every row.
        score: What scores rows; None where they have scores.
        score_column: The column with the scores.
        swap: The settings of the swap.
        sizes: The sizes of splits that are divided anew; empty where they stay.
        group_split: Whether rows with the same first text are in one split.
        seed: The seed of the division.
    """

    correction: Correction
    columns: tuple[str, ...]
    roles: tuple[str, ...]
    label: str | None
    score: BiasScore | None
    score_column: str
    swap: Mapping[str, Any]
    sizes: Mapping[str, float]
    group_split: bool
    seed: int

    @classmethod
    def checked(
        cls,
        *,
        correction: str,
        columns: Any,
        roles: Any,
        label: str | None,
        score_column: str | None,
        swap: Mapping[str, Any] | None,
        sizes: Mapping[str, float] | None,
        group_split: bool,
        seed: int,
        scoring: Mapping[str, Any],
    ) -> "Settings":
        """Check what `correct` was given.

        Args:
            correction: As for `correct`, and so are the others.
            scoring: What `BiasScore` is told.

        Returns:
            The settings.

        Raises:
            InputError: A setting is wrong.
        """
        named = Correction.named(correction, owner=OWNER)
        names = column_checks.column_names(columns, owner=OWNER)
        whose = checks.strings(roles, owner=OWNER, parameter="roles")
        if label is not None:
            column_checks.column_name(label, owner=OWNER, parameter="label")
        if score_column is None:
            score_column = figure_name(centred=bool(scoring.get("centred")))
        column_checks.column_name(score_column, owner=OWNER, parameter="score_column")
        score = _score(scoring, named, columns=names, roles=whose, output_column=score_column)
        made = cls(
            correction=named,
            columns=names,
            roles=whose,
            label=label,
            score=score,
            score_column=score_column,
            swap=_swap(swap, named, scoring),
            sizes={} if sizes is None else checked_sizes(sizes, owner=OWNER),
            group_split=checks.switch(group_split, owner=OWNER, parameter="group_split"),
            seed=checks.whole_number(seed, owner=OWNER, parameter="seed"),
        )
        if named.kind != "Sub":
            made.swap_above(0.0)  # A wrong setting of the swap is told before rows are scored.
        return made

    def config(self) -> dict[str, Any]:
        """Return the settings as JSON data, with the digests of the files that they name."""
        named = {item.name: getattr(self, item.name) for item in fields(self)}
        swap = None if self.correction.kind == "Sub" else self.swap_above(0.0).config()
        score = None if self.score is None else self.score.config()
        return {**named, "correction": self.correction.name, "score": score, "swap": swap}

    def swap_above(self, threshold: float) -> SwapAbove:
        """Return what rewrites the rows above a threshold.

        Returns:
            The technique, which adds copies or replaces the rows.

        Raises:
            InputError: A setting of the swap is wrong.
        """
        return SwapAbove(
            columns=self.columns,
            roles=self.roles,
            score_column=self.score_column,
            threshold=threshold,
            mode="augment" if self.correction.kind == "Aug" else "replace",
            **self.swap,
        )


def _score(scoring: Mapping[str, Any], correction: Correction, **others: Any) -> BiasScore | None:
    """Return what scores rows; None where nothing is said of it."""
    taken = {"columns", "explain", "roles", "output_column", "version", "digests"}
    known = [item.name for item in fields(BiasScore) if item.name not in taken]
    for name in scoring:
        checks.one_of(name, known, owner=OWNER, parameter="a setting of the score")
    if set(scoring) - {"axis", *_READERS}:
        return BiasScore(**others, **scoring, explain=correction.kind == "RepSub")
    if correction.kind == "RepSub":
        raise InputError(
            f"{OWNER}: {correction.name} scores the rewritten rows again; give vectors (a file of "
            "word vectors) or encoder (a model), even if the rows have scores."
        )
    useless = [name for name in _READERS if scoring.get(name) is not None]
    if correction.kind == "Sub" and useless:
        raise InputError(
            f"{OWNER}: {useless[0]} says how texts are read, but the rows have scores, and "
            f"{correction.name} rewrites none; leave it out."
        )
    return None


def _swap(
    swap: Mapping[str, Any] | None, correction: Correction, scoring: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings of the swap, which reads as the score does unless it is told."""
    given = {} if swap is None else swap
    if not isinstance(given, Mapping):
        raise InputError(
            f"{OWNER}: swap must be a mapping of parameters of CounterfactualSwap, such as "
            f"{{'names': False}}, but it is {given!r}."
        )
    for name in given:
        checks.one_of(name, SWAP, owner=OWNER, parameter="a setting of swap")
    if given and correction.kind == "Sub":
        raise InputError(
            f"{OWNER}: swap says how rows are rewritten, but {correction.name} rewrites none; "
            "leave it out."
        )
    taken = ("axis",) if set(_READERS) & set(given) else ("axis", *_READERS)
    read = {name: scoring[name] for name in taken if name in scoring}
    found = {"axis": "gender", **read, **given}
    # Of several axes each would have a copy of its own.
    return {**found, "axis": checks.axis_name(found["axis"], owner=OWNER)}
