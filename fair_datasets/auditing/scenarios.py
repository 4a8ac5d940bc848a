"""Scenarios of harm: whom what may harm, by which measure it is told, and what is done about it.

People write them into a file, since no program knows them; the figures are measured.
"""

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.auditing.cards import cards_of
from fair_datasets.auditing.findings import Figure, Finding
from fair_datasets.auditing.rules import Rule
from fair_datasets.cards.markdown import printable
from fair_datasets.system.checks import InputError, one_of

if TYPE_CHECKING:
    from fair_datasets.auditing.result import Audit

SCENARIOS = "scenarios.toml"
AT_MOST, AT_LEAST = "at most", "at least"
_TABLE = "scenario"
_MORE_IS_BETTER = ("accuracy", "precision", "true_positive_rate", "selection_rate", "impact_ratio")
_FIELDS: Mapping[str, str] = {
    "group": "who may be harmed",
    "harm": "how, where the data are used",
    "measure": "the figure that shows it, as --fail-if and --list-figures name it",
    "must_be": f'"{AT_MOST}" or "{AT_LEAST}"',
    "threshold": "the number that it is compared with",
    "threshold_set_by": "who set the threshold, and why there",
    "control": "what is done about it",
    "left": "what harm is still left",
    "look_again": "when somebody looks again, such as 2027-01-31",
}
"""Each field of a scenario, and what it says."""
_HEAD = """\
# Scenarios: whom what may harm, and what is done about it. This is a draft, which nobody has
# filled in: write what is known in your project, and leave out or add scenarios. Then run the same
# command with --overwrite: this file stays, and the page has the figures beside what it says.
"""


class Scenario(NamedTuple):
    """A harm that may come to somebody, as people describe it.

    Attributes:
        group: Who may be harmed.
        harm: How.
        measure: The figure that tells, as a rule names it.
        must_be: On which side of the threshold it must be.
        threshold: The number.
        threshold_set_by: Who set it.
        control: What is done about it.
        left: What is left of the harm.
        look_again: When somebody looks again.
    """

    group: str
    harm: str
    measure: str
    must_be: str
    threshold: float
    threshold_set_by: str
    control: str
    left: str
    look_again: date

    @property
    def rule(self) -> Rule:
        """The rule that is broken where the figure is beyond the threshold."""
        sign = ">" if self.must_be == AT_MOST else "<"
        return Rule.read(f"{self.measure} {sign} {self.threshold!r}")

    @property
    def limit(self) -> str:
        """The threshold in words."""
        return f"{self.must_be} {self.threshold:g}"

    def is_kept(self, figure: Figure) -> bool:
        """Tell whether a figure is on the right side of the threshold."""
        if self.must_be == AT_MOST:
            return figure.value <= self.threshold
        return figure.value >= self.threshold

    def is_sure(self, figure: Figure) -> bool:
        """Tell whether the interval of a figure lies on one side of the threshold."""
        return not figure.low <= self.threshold <= figure.high


class Outcome(NamedTuple):
    """What was measured of a scenario.

    Attributes:
        scenario: The scenario.
        before: The figures before the control; without one to compare with, all there are.
        after: The figures after it; empty where nothing is compared.
        why: Why there are none; empty where there are some.
    """

    scenario: Scenario
    before: Sequence[Figure]
    after: Sequence[Figure]
    why: str = ""

    @property
    def verdict(self) -> str:
        """Whether the threshold is kept, and whether that is sure."""
        known = [each for each in self.after or self.before if not math.isnan(each.value)]
        if not known:
            return "not measured"
        broken = [each for each in known if not self.scenario.is_kept(each)]
        is_sure = all(map(self.scenario.is_sure, broken or known))
        return ("exceeded" if broken else "kept") + ("" if is_sure else ", but not surely")


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """Read the scenarios of a file.

    Raises:
        InputError: It cannot be read, has no scenario, or a field is missing, unknown, empty or of
            another kind.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({error}); repair it, or remove it.") from error
    for key in data:
        one_of(key, [_TABLE], owner=str(path), parameter="each table")
    tables = data.get(_TABLE)
    if not isinstance(tables, list) or not tables:
        raise InputError(
            f"{path} has no [[{_TABLE}]]; write one, or remove the file to get a new draft."
        )
    return tuple(_scenario(each, f"{path}, scenario {k}") for k, each in enumerate(tables, 1))


def outcomes(found: "Audit", scenarios: Sequence[Scenario]) -> list[Outcome]:
    """Find the figures of scenarios, before and after.

    Returns:
        An outcome for each.

    Raises:
        InputError: A scenario names an axis, an attribute, a label or a split that there is not.
    """
    sides = [found.changes.before, found] if found.changes else [found]
    results = []
    for number, scenario in enumerate(scenarios, 1):
        places = {place for side in sides for each in side.figures for place in each.places}
        try:
            rule = scenario.rule.among(places - {""}, found.rows)
        except InputError as error:
            raise InputError(f"{SCENARIOS}, scenario {number}: {error}") from error
        own = [rule.figures(side.figures) for side in sides]
        why = "" if any(own) else found.unmeasured.get(rule.measure, "no figure is about it")
        results.append(Outcome(scenario, own[0], own[1] if found.changes else (), why))
    return results


def draft(found: "Audit") -> str:
    """Write scenarios for people to fill in: one for each cause that an audit found.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> text = draft(Audit(title="a", rows={}, settings={}, parts=()))
        >>> text.count("[[scenario]]"), 'harm = ""' in text
        (1, True)
    """
    cards, others = cards_of(found)
    causes = [card.findings[0] for card in cards]
    causes = causes or [each for each in others if each.figures][:1]
    causes = causes or [Finding(severity="low", sentence="Nothing was measured.")]
    return "".join([_HEAD, *map(_drafted, causes)])


def _drafted(finding: Finding) -> str:
    """Write a scenario of what was found, with the fields empty that nobody can measure."""
    values: dict[str, str] = dict.fromkeys(_FIELDS, "")
    values["control"] = finding.command or finding.advice
    if finding.figures:
        figure = finding.figures[0]
        values["group"] = f"{figure.attribute or 'all'} ({figure.axis})" if figure.axis else ""
        values["measure"] = _name(figure)
        values["must_be"] = _side(figure)
    lines = [f"\n# {printable(finding.sentence)}\n[[{_TABLE}]]\n"]
    lines += [f"# {told}\n{field} = {_quoted(values[field])}\n" for field, told in _FIELDS.items()]
    return "".join(lines)


def _name(figure: Figure) -> str:
    """Name a figure as a rule does, by the places that a rule can name."""
    places = [each for each in figure.places if each and not re.search(r"[(),]", each)]
    return f"{figure.measure}({', '.join(places)})" if places else figure.measure


def _side(figure: Figure) -> str:
    """Say on which side of a threshold a figure is to be."""
    # Of what may lie on either side of no difference, too little is told.
    is_too_little = figure.value < (1 if figure.measure == "odds_ratio" else 0)
    return AT_LEAST if is_too_little or figure.measure in _MORE_IS_BETTER else AT_MOST


def _quoted(text: str) -> str:
    """Write a text as TOML has it."""
    written = json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False)
    return written.replace("\x7f", "\\u007f")


def _scenario(table: Any, owner: str) -> Scenario:
    """Check the fields of a scenario."""
    if not isinstance(table, dict):
        raise InputError(f"{owner} must be a table, with a line for each field.")
    for key in table:
        one_of(key, _FIELDS, owner=owner, parameter="each field")
    values = {field: table.get(field, "") for field in _FIELDS}
    empty = [field for field, value in values.items()
             if isinstance(value, str) and not value.strip()]  # fmt: skip
    if empty:
        told = "; ".join(f"{field} ({_FIELDS[field]})" for field in empty)
        raise InputError(
            f"{owner}: still empty: {told}. Fill them in, or remove the scenario; if you remove "
            "the file, a new draft is written."
        )
    one_of(values["must_be"], [AT_MOST, AT_LEAST], owner=owner, parameter="must_be")
    threshold, again = values.pop("threshold"), values.pop("look_again")
    if (
        isinstance(threshold, bool)
        or not isinstance(threshold, int | float)
        or (not math.isfinite(threshold))
    ):
        raise InputError(
            f"{owner}: threshold must be a number without quotes, such as 0.05, but it is "
            f"{threshold!r}."
        )
    for field, value in values.items():
        if not isinstance(value, str):
            raise InputError(f"{owner}: {field} must be a text, but it is {value!r}.")
    found = Scenario(threshold=float(threshold), look_again=_date(again, owner), **values)
    try:
        found.rule  # noqa: B018
    except InputError as error:
        raise InputError(f"{owner}: {error}") from error
    return found


def _date(value: Any, owner: str) -> date:
    """Read a day."""
    try:
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{owner}: look_again must be a day such as 2027-01-31, but it is {value!r}."
        ) from error
