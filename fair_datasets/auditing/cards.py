"""What an audit says first: lines, a card for each cause, and the metadata of a dataset."""

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.auditing.audit_input import hash_of
from fair_datasets.auditing.change_findings import plain_name
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
    is_column,
)
from fair_datasets.auditing.record import AuditRecord, Changes
from fair_datasets.auditing.templates import render_text
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


def cards_of(audit: AuditRecord) -> tuple[list[Card], list[Finding]]:
    """Put together what has one cause.

    The findings of one axis, or of one column of groups, are of one cause, whichever split, label
    or mirror image they are of; so are rows that stand there twice.
    """
    parts = sorted(audit.parts, key=lambda part: _ORDER.index(part.topic))
    return _grouped((_cause(part.topic, each), each) for part in parts for each in part.findings)


def change_cards(changes: Changes) -> tuple[list[Card], list[Finding]]:
    """Put together what became better and what became worse, of one axis each.

    Returns:
        The cards of what has a direction, that for the worse first; and the other findings.
    """
    return _grouped((_direction(each), each) for each in changes.findings)


def certainty(finding: Finding) -> str:
    """Return how sure a finding is; empty where nothing is known.

    Example:
        >>> from fair_datasets.auditing.findings import Figure
        >>> figure = Figure(measure="leak_share", value=0.5, rows=2)
        >>> certainty(Finding(sentence="Two.", figures=(figure,)))
        'Certain: the rows are counted, not estimated.'
    """
    if not finding.figures or math.isnan(finding.figures[0].value):
        return ""
    figure = finding.figures[0]
    is_counted = figure.measure.removesuffix(CHANGE) in _COUNTED
    return render_text(
        "texts", "certainty", figure=figure, is_counted=is_counted, what=plain_name(figure)
    )  # fmt: skip


def answer_of(audit: AuditRecord) -> Answer:
    """Return what is wrong, how sure that is, and what to do."""
    if audit.changes:
        return _of_changes(audit, audit.changes)
    cards, _ = cards_of(audit)
    if not cards:
        return _of_nothing(audit)
    first = cards[0]
    caution = "".join(cautions(first.findings[:1])[:1])
    answer = _answer("found", card=first, more=len(cards) - 1, caution=caution)
    return answer._replace(command=first.command)


def _answer(code: str, **values: Any) -> Answer:
    return Answer(*(render_text("answers", code, field, **values) for field in Answer._fields[:3]))


def cautions(findings: Iterable[Finding]) -> list[str]:
    """Return what cannot be concluded from findings, each sentence once.

    Example:
        >>> cautions([Finding(sentence="", caution="It is few. It is few.")])
        ['It is few.']
    """
    sentences = (part for each in findings for part in _SENTENCE.split(each.caution) if part)
    return list(dict.fromkeys(sentences))


def _of_nothing(audit: AuditRecord) -> Answer:
    """Return the plain answer that nothing was found, and what these rows could not have shown."""
    tests = sum(not math.isnan(figure.p_value) for figure in audit.figures)
    lacking = [each.sentence for each in audit.findings if each.about == "limitation"
               and all(math.isnan(figure.value) for figure in each.figures)]  # fmt: skip
    if lacking and not tests:
        return _answer("not_compared", lacking=lacking)
    known = [each for each in audit.figures if each.rows >= _FEW and not math.isnan(each.low)]
    ratios = [max(each.high, 1 / each.low) for each in known
              if each.measure in RATIOS and each.low > 0]  # fmt: skip
    points = [each.high for each in known if each.measure.endswith("_difference")]
    return _answer(
        "nothing", tests=tests, rows=sum(audit.rows.values()), ratio=max(ratios, default=0),
        points=max(1, math.ceil(100 * max(points))) if points else 0,
        lacks_labels="odds_ratio" in audit.unmeasured and not audit.settings.get("label"),
    )  # fmt: skip


def _of_changes(audit: AuditRecord, changes: Changes) -> Answer:
    """Return what became worse, if anything did; and the accuracy, which a change may cost."""
    accuracies = [pair for pair in changes.pairs
                  if pair.before.measure == "accuracy" and not pair.before.place]  # fmt: skip
    fallen = [each for each in changes.findings if _is_of_collapse(each)]
    if fallen:
        return _answer("collapsed", title=headline(fallen[0]), accuracies=accuracies)
    cards, _ = change_cards(changes)
    worse, better = ([card for card in cards if card.code == code] for code in (WORSE, BETTER))
    first = [some[0] for some in (worse, better) if some]
    is_shown = not first or any(card.is_of_accuracy for card in first)
    return _answer(
        "changed", worse=worse, better=better, first=first[0] if first else None,
        dropped=_dropped(audit), accuracies=[] if is_shown else accuracies, after=audit.title,
        before=changes.before.title,
    )  # fmt: skip


def _dropped(audit: AuditRecord) -> Card | None:
    """Return the card of whom a filter dropped most surely; None if there is none."""
    topics = {part.topic: part.findings for part in audit.parts}
    cards, _ = _grouped((each.figures[0].axis, each) for each in topics.get("dropped", ()))
    return next(iter(cards), None)


def _is_of_collapse(finding: Finding) -> bool:
    """Whether a finding of a change is that a classifier collapsed, and no note."""
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


def audit_croissant(
    audit: AuditRecord,
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
    measured = responsibility(audit, **made)
    return croissant(audit.title, files, features or {}, stated=stated, responsibility=measured)


def responsibility(
    audit: AuditRecord,
    *,
    synthetic_share: float | None = None,
    sources: Sequence[str] = (),
    limits: Sequence[str] = (),
    steps: Sequence[Step] = (),
) -> Responsibility:
    """Return what was measured as Croissant has it.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
        >>> responsibility(nothing).limitations[0].startswith("No figure shows")
        True
    """
    made = []
    if synthetic_share is not None:
        made = [render_text("texts", "synthetic", share=synthetic_share)]
    return Responsibility(
        biases=list(_statements(audit, "bias")),
        limitations=[
            render_text("texts", "no_proof"),
            *limits,
            *made,
            *_statements(audit, "limitation"),
        ],
        missing=_missing(audit),
        sensitive=[*_sensitive(audit), render_text("texts", "not_looked_for")],
        synthetic_share=synthetic_share,
        sources=sources,
        steps=steps,
    )


def audit_lines(audit: AuditRecord) -> list[str]:
    """Write the section of a card, without a heading.

    Example:
        >>> from fair_datasets.auditing import Audit
        >>> audit_lines(Audit(title="a", rows={}, settings={}, parts=()))[0][:30]
        'No figure shows that the datas'
    """
    lines = [render_text("texts", "no_proof")]
    changed = audit.changes.findings if audit.changes else ()
    several: dict[str, list[Finding]] = {
        "Beside what it was made from": [each for each in changed if each.about != _OTHER]
    }
    for severity, title in SEVERITIES.items():
        own = [each for each in audit.findings if each.severity == severity]
        several[title] = [each for each in own if each.about != _OTHER]
    several[render_text("texts", "of_whom", is_probe=audit.asks_probe)] = [
        each for each in (*changed, *audit.findings) if each.about == _OTHER
    ]
    for title, findings in several.items():
        if findings:
            lines += ["", f"{title}:", "", *(f"- {escaped(each.sentence)}" for each in findings)]
    if audit.unmeasured:
        lines += ["", "Not measured:", ""]
        lines += [f"- {name}: {escaped(why)}." for name, why in audit.unmeasured.items()]
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


def _statements(audit: AuditRecord, subject: Subject) -> Iterator[str]:
    """Give what was measured of the rows themselves: of all findings those about it."""
    yield from (each.sentence for each in audit.findings if each.about == subject)


def _missing(audit: AuditRecord) -> str:
    """Return how many rows lack a text, and a value in each column that was read."""
    lacking = [(round(figure.value * figure.rows), figure) for figure in audit.figures
               if figure.measure == "missing_share" and figure.rows]  # fmt: skip
    return render_text("texts", "missing", lacking=lacking)


def _sensitive(audit: AuditRecord) -> Iterator[str]:
    """Yield along which axes and columns of groups the rows say something of persons."""
    by_axis: dict[str, list[Figure]] = {}
    for figure in audit.figures:
        if figure.measure == "mention_share" and not (figure.split or figure.label):
            by_axis.setdefault(figure.axis, []).append(figure)
    for axis, figures in by_axis.items():
        yield render_text(
            "texts", "mentioned", figures=figures, axis=axis, is_column=is_column(axis)
        )
    axes = dict.fromkeys(figure.axis for figure in audit.figures)
    others = [axis for axis in axes if is_column(axis) and axis not in by_axis]
    yield from (render_text("texts", "group_of_each", axis=axis) for axis in others)
