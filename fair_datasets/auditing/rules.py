"""Rules about figures, which a check of every change can rest on: `flip_rate > 0.05` fails it."""

import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import NamedTuple

from fair_datasets.auditing.changes import CAN_WORSEN
from fair_datasets.auditing.findings import CHANGE, COLLAPSED, MEASURES, Figure, Finding
from fair_datasets.system.checks import format_choices, invalid, not_allowed

_SIGNS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
)
_FIGURE = r"\s*(?P<measure>\w+)\s*(?:\((?P<places>[^()]*)\))?\s*"
_RULE = re.compile(rf"{_FIGURE}(?P<sign>[<>]=?)\s*(?P<limit>\S+)\s*")
_WORSE = re.compile(rf"\s*worse\s*\({_FIGURE}\)\s*")


_SHARES = ("_share", "_rate", "_balance")
_LISTING = "fair-datasets audit --help-all"
_INSTEAD = {
    "pmi": "worse(odds_ratio)",
    COLLAPSED: COLLAPSED,
    "flip_rate_control": "worse(flip_rate_excess)",
    "score_shift_control": "worse(score_shift)",
    "name_flip_rate_control": "worse(name_flip_rate_excess)",
    **dict.fromkeys(
        ("name_spread", "name_spread_95", "name_spread_control"), "worse(any_name_flip_rate)"
    ),
    "bias_score_95": "worse(bias_score)",
    "bias_score_centred_95": "worse(bias_score_centred)",
}
"""What can be asked of measures of which no change is surely for the worse."""
WORSE = "worse"
"""What stands for the sign of a rule that asks whether a figure became worse."""


class Rule(NamedTuple):
    """What no figure may be.

    Attributes:
        places: Where they are from: axes, attributes, labels or splits, all of which a figure has
            to be of. Along each axis, a rule is about all rows together, and about a part of them
            where the part is named, such as a split.
        sign: `<`, `<=`, `>`, `>=`, or `worse`.
    """

    text: str
    measure: str
    places: tuple[str, ...]
    sign: str
    limit: float

    @classmethod
    def read(cls, text: str) -> "Rule":
        """Read a rule."""
        written = f"{text} > 0" if isinstance(text, str) and text.strip() == COLLAPSED else text
        parts = _RULE.fullmatch(written) if isinstance(written, str) else None
        sign, limit = (parts["sign"], _number(parts["limit"])) if parts else ("", math.nan)
        if isinstance(text, str) and (worse := _WORSE.fullmatch(text)):
            parts, sign, limit = worse, WORSE, 0.0
        if parts is None or math.isnan(limit):
            raise invalid(
                f"a rule is a measure, <, <=, > or >=, and a number, such as "
                f"'flip_rate > 0.05' or 'flip_rate(gender) > 0.05', or 'worse(flip_rate)', or "
                f"'{COLLAPSED}', but it is {text!r}; {_LISTING} lists all measures."
            )
        measure = parts["measure"]
        if measure.removesuffix(CHANGE) not in MEASURES:
            raise invalid(
                f"what the rule {text!r} measures "
                f"{not_allowed(measure, list(MEASURES), listing=_LISTING)}"
            )
        if sign == WORSE and measure not in CAN_WORSEN:
            instead = _INSTEAD.get(measure, f"{measure}{CHANGE} < -0.1")
            raise invalid(
                f"the rule {text!r} could never be broken: no change of {measure!r} is "
                f"surely for the worse. Write {instead!r}."
            )
        if measure.endswith(_SHARES) and limit > 1:
            raise invalid(
                f"the rule {text!r} compares a share with {limit:g}, but shares are at most 1; "
                "write 0.05 for 5 %."
            )
        places = tuple(part.strip() for part in (parts["places"] or "").split(",") if part.strip())
        return cls(text.strip(), measure, places, sign, limit)

    def among(self, places: Collection[str], splits: Collection[str]) -> "Rule":
        """Refuse a place that there is not, which no figure could ever break the rule at."""
        known = {*places, *splits}
        for place in self.places:
            if place in known:
                continue
            near = [each for each in known if each == f"column {place}"]
            near += get_close_matches(place, known, n=3)
            meant = ""
            if near:
                sign = "" if self.sign == WORSE else f" {self.sign} {self.limit:g}"
                figure = f"{self.measure}({near[0]}){sign}"
                meant = f" Did you mean {' or '.join(repr(each) for each in dict.fromkeys(near))}? "
                meant += f"Write {f'worse({figure})' if self.sign == WORSE else figure!s}."
            raise invalid(
                f"the rule {self.text!r} names {place!r}, but no figure has such an axis, "
                f"attribute, group, label or split; --list-figures lists them all.{meant}"
            )
        only = set(splits) if len(splits) == 1 else set()
        return self._replace(places=tuple(each for each in self.places if each not in only))

    def grows_worse(self, changes: Iterable[tuple[Figure, bool]]) -> str:
        """Return how a rule of the form `worse(FIGURE)` is broken; empty where nothing is.

        Args:
            changes: The figure of each change after it, and whether it is surely for the worse.
        """
        own = [(figure, is_worse) for figure, is_worse in changes if self._is_about(figure)]
        if not own:
            return f"{self.text}: {self.measure} was not compared"
        lines = (
            f"{figure}{f' for {_visible(figure.place)}' if figure.place else ''} "
            f"({figure.rows:,} rows)"
            for figure, is_worse in own
            if is_worse
        )
        summary = "; ".join(lines)
        return f"{self.text}: it is {summary}, surely worse than before" if summary else ""

    def broken(
        self,
        figures: Sequence[Figure],
        unmeasured: Mapping[str, str],
        findings: Sequence[Finding] = (),
    ) -> str:
        """Return how a rule is broken; empty where no figure breaks it.

        What could not be measured breaks it as well: a check that passes because there was nothing
        to check would hide just what it is for.

        Args:
            unmeasured: Each measure that could not be taken, and why.
            findings: Those that may say why a figure is not defined.
        """
        own = self.figures(figures)
        compare = _SIGNS[self.sign]
        wrong = [figure for figure in own if compare(figure.value, self.limit)]
        if wrong:
            pick = max if self.sign.startswith(">") else min
            worst = pick(wrong, key=lambda figure: figure.value)
            where = f" for {_visible(worst.place)}" if worst.place else ""
            more = f", and {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
            return f"{self.text}: it is {worst}{where} ({worst.rows:,} rows){more}"
        lacking = _undefined(own)
        if own and not lacking:
            return ""
        why = self.lacking(own, unmeasured, findings)
        where = f" for {_visible(', '.join(filter(None, lacking)))}" if any(lacking) else ""
        return f"{self.text}: {self.measure} could not be measured{where}: {why}"

    def lacking(
        self,
        own: Sequence[Figure],
        unmeasured: Mapping[str, str],
        findings: Sequence[Finding],
    ) -> str:
        """Return why the figures that a rule is about are not defined, or not there."""
        axes, known = _undefined(own), unmeasured.get(self.measure, "")
        reasons = [
            (each.sentence, figure.measure == self.measure)
            for each in findings
            for figure in each.figures
            if figure.axis in axes and math.isnan(figure.value)
        ]
        exact = [sentence for sentence, is_own in reasons if is_own]
        # What has no finding of its own lacks what other figures along the same axis lack.
        others = [] if known else [sentence for sentence, _ in reasons[:1]]
        if sentences := dict.fromkeys(map(_visible, exact or others)):
            return " ".join(sentences).rstrip(".")
        if not own and self.places and not known:
            return (
                f"no figure is about {format_choices(self.places)}; --list-figures lists them all"
            )
        return known or "there are no rows to measure it on"

    def figures(self, figures: Sequence[Figure]) -> list[Figure]:
        """Choose the figures that a rule is about; not those of parts, where there are others."""
        return _whole([figure for figure in figures if self._is_about(figure)])

    def _is_about(self, figure: Figure) -> bool:
        """Whether a figure is of the measure and of all the places."""
        return figure.measure == self.measure and set(self.places) <= set(figure.places)


def _undefined(figures: Sequence[Figure]) -> list[str]:
    """Name the axes along which no figure is defined."""
    known = {figure.axis for figure in figures if not math.isnan(figure.value)}
    return sorted({figure.axis for figure in figures} - known)


def _whole(figures: Sequence[Figure]) -> list[Figure]:
    """Leave out the figures of parts, along each axis that has figures of the whole."""
    if everywhere := [figure for figure in figures if not figure.place]:
        return everywhere
    sizes = {figure: sum(map(bool, figure.places)) for figure in figures}
    least: dict[str, int] = {}
    for figure, size in sizes.items():
        least[figure.axis] = min(size, least.get(figure.axis, size))
    return [figure for figure in figures if sizes[figure] == least[figure.axis]]


def read_rules(rules: Sequence[str] | str) -> tuple[Rule, ...]:
    """Read one rule or several."""
    return tuple(map(Rule.read, [rules] if isinstance(rules, str) else rules))


def _number(text: str) -> float:
    """Read a finite number; NaN where it is none."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _visible(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
