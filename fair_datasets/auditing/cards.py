"""What an audit says first: lines, a card for each cause, and the metadata of a dataset."""

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.auditing.findings import (
    BETTER,
    CHANGE,
    RATIOS,
    SEVERITIES,
    WORSE,
    Figure,
    Finding,
    Severity,
    Subject,
    about,
    counted,
    is_column,
    joined,
    p_value_told,
    percent,
    verb,
)
from fair_datasets.auditing.reading import hash_of
from fair_datasets.auditing.record import AuditRecord, Changes
from fair_datasets.cards.croissant import DataFile, Responsibility, Step, croissant
from fair_datasets.cards.markdown import escaped
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_texts import RowTexts

if TYPE_CHECKING:
    from datasets import Dataset, Features


_COUNTED = ("duplicate_share", "leak_share", "contradiction_share", "missing_share")
_ORDER = ("dropped", "impact", "association", "predictions", "sentences", "reference",
          "representation", "leaks", "coverage")  # fmt: skip
"""What is told first of one cause of what weighs the same: what the rows say, then what follows."""
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z0-9])")
_FEW = 30
_SURE = ((0.001, "Very sure", "1,000"), (0.01, "Sure", "100"), (0.05, "Fairly sure", "20"))
ON_PERSONS = ("dropped", "impact", "reference")
"""The analyses of which each axis or column is a cause of its own."""


class Card(NamedTuple):
    """What is told of one cause."""

    severity: Severity
    findings: tuple[Finding, ...]

    @property
    def code(self) -> str:
        """What kind of finding is told first."""
        return self.findings[0].code

    @property
    def is_of_accuracy(self) -> bool:
        """Whether the change that is told first is that of the accuracy of all rows."""
        figure = self.findings[0].figures[0]
        return figure.measure == f"accuracy{CHANGE}" and not figure.place

    @property
    def title(self) -> str:
        """What is wrong."""
        return headline(self.findings[0])

    @property
    def others(self) -> list[str]:
        """What else is, in a few words each."""
        weighty = [each for each in self.findings[1:] if each.severity != "low"]
        return [headline(each) for each in weighty]

    @property
    def certainty(self) -> str:
        """How sure that is."""
        return certainty(self.findings[0])

    @property
    def advice(self) -> str:
        """What can be done; empty where nothing is known."""
        return next((each.advice for each in self.findings if each.advice), "")

    @property
    def command(self) -> str:
        """The command that does it; empty where there is none."""
        return next((each.command for each in self.findings if each.command), "")


class Answer(NamedTuple):
    """What somebody wants to know who has half a minute."""

    wrong: str
    sure: str
    to_do: str
    command: str = ""


def headline(finding: Finding) -> str:
    """Return what a finding says in a few words.

    Example:
        >>> headline(Finding(sentence="All is well."))
        'All is well.'
    """
    return finding.headline or finding.sentence


def cards_of(found: AuditRecord) -> tuple[list[Card], list[Finding]]:
    """Put together what has one cause.

    The findings of one axis, or of one column of groups, are of one cause, whichever split, label
    or mirror image they are of; so are rows that stand there twice.
    """
    parts = sorted(found.parts, key=lambda part: _ORDER.index(part.topic))
    return _grouped((_cause(part.topic, each), each) for part in parts for each in part.findings)


def change_cards(changes: Changes) -> tuple[list[Card], list[Finding]]:
    """Put together what became better and what became worse, of one axis each.

    Returns:
        The cards of what has a direction, that for the worse first; and the other findings.
    """
    return _grouped((_direction(each), each) for each in changes.findings)


def certainty(finding: Finding) -> str:
    """Say how sure a finding is; empty where nothing is known.

    Example:
        >>> from fair_datasets.auditing.findings import Figure
        >>> figure = Figure(measure="leak_share", value=0.5, rows=2)
        >>> certainty(Finding(sentence="Two.", figures=(figure,)))
        'Certain: the rows are counted, not estimated.'
    """
    if not finding.figures or math.isnan(finding.figures[0].value):
        return ""
    figure = finding.figures[0]
    rows = counted(figure.rows, "row")
    if figure.measure.removesuffix("_change") in _COUNTED:
        return "Certain: the rows are counted, not estimated."
    for limit, word, often in _SURE:
        if figure.p_value < limit:
            return (
                f"{word}: if there were no difference, chance would show one like this in fewer "
                f"than 1 of {often} datasets ({p_value_told(figure)}; {rows})."
            )
    if not math.isnan(figure.p_value):
        return f"Not sure: it may well be chance ({p_value_told(figure)}; {rows})."
    if math.isnan(figure.low):
        return ""
    ends = f"{percent(figure.low)} and {percent(figure.high)}"
    return f"With a confidence of 95%, it lies between {ends} ({rows})."


def answer_of(found: AuditRecord) -> Answer:
    """Say what is wrong, how sure that is, and what to do."""
    if found.changes:
        return _of_changes(found, found.changes)
    cards, _ = cards_of(found)
    if not cards:
        return _of_nothing(found)
    first, more = cards[0], len(cards) - 1
    wrong = first.title + (f" {counted(more, 'more finding')} below." if more else "")
    caution = cautions(first.findings[:1])[:1]
    to_do = first.advice or "Look at the figures below; no command repairs this."
    return Answer(wrong, " ".join(filter(None, [first.certainty, *caution])), to_do, first.command)


def cautions(findings: Iterable[Finding]) -> list[str]:
    """Return what cannot be concluded from findings, each sentence once.

    Example:
        >>> cautions([Finding(sentence="", caution="It is few. It is few.")])
        ['It is few.']
    """
    told = (part for each in findings for part in _SENTENCE.split(each.caution) if part)
    return list(dict.fromkeys(told))


def _of_nothing(found: AuditRecord) -> Answer:
    """Say plainly that nothing was found, and what may have been missed."""
    tested = [figure for figure in found.figures if not math.isnan(figure.p_value)]
    rows = counted(sum(found.rows.values()), "row")
    lacking = [each.sentence for each in found.findings if each.about == "limitation"
               and all(math.isnan(figure.value) for figure in each.figures)]  # fmt: skip
    if not tested and lacking:
        to_do = "Audit rows that can be compared."
        wrong = "Nothing was compared between people, so nothing was found."
        return Answer(wrong, " ".join(lacking), to_do)
    if not tested:
        read = verb(sum(found.rows.values()), "was", "were")
        sure = f"{rows} {read} read, but no labels or predictions were compared between people."
    else:
        sure = (
            f"{counted(len(tested), 'test')} on {rows} found no difference that is large and sure "
            f"enough to act on.{_missed(found)} This does not prove that all is fair."
        )
    to_do = "Nothing."
    if "odds_ratio" in found.unmeasured and not found.settings.get("label"):
        to_do = "Nothing. To check labels as well, name their column (--label)."
    return Answer("Nothing was found that calls for action.", sure, to_do)


def _missed(found: AuditRecord) -> str:
    """Say what these rows could not have shown."""
    known = [each for each in found.figures if each.rows >= _FEW and not math.isnan(each.low)]
    ratios = [max(each.high, 1 / each.low) for each in known
              if each.measure in RATIOS and each.low > 0]  # fmt: skip
    points = [each.high for each in known if each.measure.endswith("_difference")]
    told = [f"{max(ratios):.2g} times the odds of a label"] if ratios else []
    if points:
        told.append(f"{counted(max(1, math.ceil(100 * max(points))), 'point')} between predictions")
    return f" A smaller one may be missed: up to {' or '.join(told)}." if told else ""


def _of_changes(found: AuditRecord, changes: Changes) -> Answer:
    """Say what became worse, or that nothing did."""
    cards, _ = change_cards(changes)
    dropped = _dropped(found)
    fallen = [each for each in changes.findings if _is_of_collapse(each)]
    if fallen:
        sure = "No other change of its predictions counts as better or worse."
        wrong = headline(fallen[0]) + _accuracy(changes)
        return Answer(wrong, sure, "Do not rely on a classifier that collapsed.")
    worse, better = ([card for card in cards if card.code == code] for code in (WORSE, BETTER))
    first = [*worse, *better][:1]
    told = [" ".join([card.title for card in some[:1]] + _more(some)) for some in (worse, better)]
    wrong = " ".join(filter(None, told if worse else ["Nothing became surely worse.", told[1]]))
    if worse and better:
        to_do = f"Weigh what became worse against what became better before you use {found.title}."
    elif worse:
        to_do = f"Keep {changes.before.title} until you know why {found.title} is worse."
    else:
        to_do = ""
    sure = first[0].certainty if first else "No change is beyond chance in these rows."
    if first and not any(some[0].is_of_accuracy for some in (worse, better) if some):
        wrong += _accuracy(changes)
    if dropped is not None:
        to_do = f"{dropped.advice} {to_do}".rstrip()
        return Answer(f"{dropped.title} {wrong}", dropped.certainty, to_do)
    return Answer(wrong, sure, to_do or "Nothing.")


def _dropped(found: AuditRecord) -> Card | None:
    """Return the card of whom a filter dropped most surely; None if there is none."""
    topics = {part.topic: part.findings for part in found.parts}
    cards, _ = _grouped((each.figures[0].axis, each) for each in topics.get("dropped", ()))
    return next(iter(cards), None)


def _accuracy(changes: Changes) -> str:
    """Say how often both classifiers are right, as that is what a change may cost."""
    return "".join(
        f" Accuracy, {about(pair.before.value)} before and {about(pair.after.value)} after."
        for pair in changes.pairs
        if pair.before.measure == "accuracy" and not pair.before.place
    )


def _more(cards: Sequence[Card]) -> list[str]:
    """Say how many more changes there are of a direction."""
    number = sum(1 + len(card.findings[1:]) for card in cards) - 1
    return [f"({counted(number, 'more figure')} below.)"] if number > 0 else []


def _is_of_collapse(finding: Finding) -> bool:
    """Tell whether a finding of a change is that a classifier collapsed, and no note."""
    return finding.code == "collapsed_change" and finding.severity != "low"


def _direction(finding: Finding) -> Hashable | None:
    """Name what changes have in common that are told together; None for those without direction."""
    if _is_of_collapse(finding):
        return finding.code
    has_direction = finding.code in (BETTER, WORSE)
    return (finding.code, finding.figures[0].axis) if has_direction else None


def _cause(topic: str, finding: Finding) -> Hashable:
    """Name what findings have in common that are told together."""
    measures = {figure.measure for figure in finding.figures}
    axis = next((figure.axis for figure in finding.figures), "")
    if topic == "leaks":
        return topic, "contradiction_share" in measures
    if topic in ("coverage", *ON_PERSONS):
        return topic, axis
    return axis or topic


def _grouped(
    several: Iterable[tuple[Hashable | None, Finding]],
) -> tuple[list[Card], list[Finding]]:
    """Make a card of each cause of which one finding is of weight."""
    by_cause: dict[Hashable, list[Finding]] = {}
    alone = []
    for cause, finding in several:
        if cause is None:
            alone.append(finding)
        else:
            by_cause.setdefault(cause, []).append(finding)
    cards = []
    order = list(SEVERITIES)
    for cause, findings in by_cause.items():
        ranked = sorted(findings, key=lambda each: order.index(each.severity))
        has_direction = isinstance(cause, tuple) and cause[0] == BETTER
        if ranked[0].severity == "low" and not has_direction:
            alone += findings
        else:
            cards.append(Card(ranked[0].severity, tuple(ranked)))
    return sorted(cards, key=lambda card: order.index(card.severity)), alone


_OTHER: Subject = "classifier"
"""What is not stated of the rows."""
_NO_PROOF = (
    "No figure shows that the dataset is fair: there may be more than was found, and people whom "
    "no listed word mentions are not counted."
)
_NOT_LOOKED_FOR = (
    "Names of persons, addresses, numbers and other details that identify somebody were not "
    "looked for."
)


def audit_croissant(
    found: AuditRecord,
    *,
    stated: Mapping[str, Any] | None = None,
    files: Sequence[DataFile] = (),
    features: "Features | None" = None,
    **made: Any,
) -> dict[str, Any]:
    """Describe what was audited by the Croissant vocabulary, with what was found.

    Args:
        **made: How the dataset was made, as for `responsibility`.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
        >>> audit_croissant(nothing, stated={"license": ["mit"]})["license"]
        'mit'
    """
    said = responsibility(found, **made)
    return croissant(found.title, files, features or {}, stated=stated, responsibility=said)


def responsibility(
    found: AuditRecord,
    *,
    synthetic_share: float | None = None,
    sources: Sequence[str] = (),
    limits: Sequence[str] = (),
    steps: Sequence[Step] = (),
) -> Responsibility:
    """Say what was measured as Croissant has it.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
        >>> responsibility(nothing).limitations[0].startswith("No figure shows")
        True
    """
    made = []
    if synthetic_share is not None:
        made = [(
            f"{percent(synthetic_share)} of the rows have texts that do not occur in what the "
            "dataset was made from (the synthetic share)."
        )]  # fmt: skip
    return Responsibility(
        biases=list(_statements(found, "bias")),
        limitations=[_NO_PROOF, *limits, *made, *_statements(found, "limitation")],
        missing=_missing(found),
        sensitive=[*_sensitive(found), _NOT_LOOKED_FOR],
        synthetic_share=synthetic_share,
        sources=sources,
        steps=steps,
    )


def audit_lines(found: AuditRecord) -> list[str]:
    """Write the section of a card, without a heading.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> audit_lines(Audit(title="a", rows={}, settings={}, parts=()))[0][:30]
        'No figure shows that the datas'
    """
    lines = [_NO_PROOF]
    changed = found.changes.findings if found.changes else ()
    several: dict[str, list[Finding]] = {
        "Beside what it was made from": [each for each in changed if each.about != _OTHER]
    }
    for severity, title in SEVERITIES.items():
        own = [each for each in found.findings if each.severity == severity]
        several[title] = [each for each in own if each.about != _OTHER]
    of_whom = "a probe that was trained on rows" if found.asks_probe else "a classifier"
    several[f"Of {of_whom}, and not of the rows themselves"] = [
        each for each in (*changed, *found.findings) if each.about == _OTHER
    ]
    for title, told in several.items():
        if told:
            lines += ["", f"{title}:", "", *(f"- {escaped(each.sentence)}" for each in told)]
    if found.unmeasured:
        lines += ["", "Not measured:", ""]
        lines += [f"- {name}: {escaped(why)}." for name, why in found.unmeasured.items()]
    return lines


def synthetic_share(
    before: "Mapping[str, Dataset]",
    after: "Mapping[str, Dataset]",
    columns: Sequence[str],
    roles: Sequence[str] = (),
) -> float:
    """Count the rows whose texts are in no row of what they were made from; NaN without rows.

    Example:
        >>> from datasets import Dataset
        >>> one, two = (Dataset.from_dict({"text": each}) for each in (["He."], ["He.", "She."]))
        >>> synthetic_share({"train": one}, {"train": two}, ["text"])
        0.5
    """
    known = set(_hashes(before, columns, roles))
    made = [key not in known for key in _hashes(after, columns, roles)]
    return sum(made) / len(made) if made else float("nan")


def _hashes(
    splits: "Mapping[str, Dataset]", columns: Sequence[str], roles: Sequence[str]
) -> Iterator[int]:
    """Give a number for the texts of each row."""
    for rows in splits.values():
        for batch in batches(rows, columns):
            texts = RowTexts.read(batch, columns, roles=tuple(roles)).rows
            yield from map(hash_of, texts)


def _statements(found: AuditRecord, about: Subject) -> Iterator[str]:
    """Give what was measured of the rows themselves: of all findings those about it."""
    yield from (each.sentence for each in found.findings if each.about == about)


def _missing(found: AuditRecord) -> str:
    """Say how many rows lack a text, and a value in each column that was read."""
    told = []
    for figure in found.figures:
        if figure.measure == "missing_share" and figure.rows:
            count = round(figure.value * figure.rows)
            what = "no text" if figure.label == "text" else f"no value in {figure.label}"
            told.append(f"{counted(count, 'row')} of {figure.rows:,} {verb(count, 'has', 'have')} "
                        f"{what}")  # fmt: skip
    return f"{'; '.join(told)}." if told else ""


def _sensitive(found: AuditRecord) -> Iterator[str]:
    """Say along which axes and columns of groups the rows say something of persons."""
    by_axis: dict[str, list[Figure]] = {}
    for figure in found.figures:
        if figure.measure == "mention_share" and not (figure.split or figure.label):
            by_axis.setdefault(figure.axis, []).append(figure)
    for axis, figures in by_axis.items():
        what = "are of the group" if is_column(axis) else "have words for"
        shares = [f"{percent(each.value)} {what} {each.attribute}"
                  for each in figures if each.value > 0]  # fmt: skip
        none = "none is of any" if is_column(axis) else "none has words for any"
        rows = counted(figures[0].rows, "row")
        yield f"Of {rows}, {joined(shares) or none} ({axis})."
    axes = dict.fromkeys(figure.axis for figure in found.figures)
    others = [axis for axis in axes if is_column(axis) and axis not in by_axis]
    yield from (f"Each row says the group of a person ({axis})." for axis in others)
