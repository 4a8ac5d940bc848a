"""What a terminal shows of an audit."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from fair_datasets.auditing.cards import Card, answer_of, cards_of, change_cards
from fair_datasets.auditing.findings import SEVERITIES, Finding, Part, Table, counted, verb
from fair_datasets.auditing.record import AuditRecord
from fair_datasets.auditing.tables import cell_text
from fair_datasets.cards.markdown import printable
from fair_datasets.cards.report.tables import shown_width

_WIDTH = 100
_SHOWN = 40
"""How many rows of a table a terminal shows."""
_QUESTIONS = ("What is wrong:    ", "How sure is that: ", "What to do:       ")


def summary(audit: AuditRecord) -> str:
    """Write the findings of an audit: what to know first, then what is behind it."""
    lines = [f"Audit of {printable(audit.title)}: {_rows(audit)}."]
    if audit.changes:
        before = audit.changes.before
        lines[0] += f"\nCompared with {printable(before.title)}: {_rows(before)}."
    *answers, command = answer_of(audit)
    lines.append("")
    for question, answer in zip(_QUESTIONS, answers, strict=True):
        lines += _wrap(answer, question)
    lines += _command(command)
    if audit.changes:
        cards, others = change_cards(audit.changes)
        lines += ["", "What the change bought, and what it cost:"]
        lines += [*_cards(cards), *_format_findings(others)]
    for part in audit.parts:
        lines += _tables(part)
    cards, others = cards_of(audit)
    for severity, title in SEVERITIES.items():
        own = [card for card in cards if card.severity == severity]
        lines += ["", f"{title}:"] if own else []
        lines += _cards(own)
    # Those of an analysis with tables stand below them.
    notes = [note for part in audit.parts if not part.tables for note in part.notes]
    record = [*_format_findings(others), *(line for note in notes for line in _wrap(note, "- "))]
    lines += ["", "For the record:", *record] if record else []
    if audit.unmeasured:
        lines += ["", "Not measured:"]
        reasons: dict[str, list[str]] = {}
        for name, why in audit.unmeasured.items():
            reasons.setdefault(why, []).append(name)
        for why, names in reasons.items():
            lines += _wrap(f"{', '.join(names)}: {why}.", "- ")
    return "\n".join(lines)


def figure_lines(audit: AuditRecord) -> str:
    """Write each figure as a rule of `--fail-if` names it, with its value.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets import audit
        >>> found = audit(Dataset.from_dict({"text": ["He ran.", "Rain."]}), "text")
        >>> print(figure_lines(found).splitlines()[0])
        duplicate_share  0 [0, 0.658]  2 rows
    """
    changed = [pair.figure for pair in audit.changes.pairs] if audit.changes else []
    named = [
        (f"{figure.measure}({figure.place})" if figure.place else figure.measure, figure)
        for figure in (*audit.figures, *changed)
    ]
    width = max((len(name) for name, _ in named), default=0)
    return "\n".join(
        f"{printable(name):<{width}}  {figure}  {counted(figure.rows, 'row')}"
        for name, figure in named
    )


def _cards(cards: Sequence[Card]) -> Iterator[str]:
    """Write what was found of each cause, and the command about it."""
    for card in cards:
        if len(card.findings) > 1:
            yield from _wrap(card.title, "* ")
            yield from _format_findings(card.findings, "  - ", card.command)
        else:
            yield from _wrap(card.findings[0].sentence, "* ")
        if card.advice and not card.command:
            yield from _wrap(f"What to do: {card.advice}", "  ")
        yield from _command(card.command)


def _tables(part: Part) -> Iterator[str]:
    """Write the tables of an analysis that are read as they stand, with what belongs to them."""
    for table in part.tables:
        yield from ("", f"{printable(table.title)}:", _format_table(table))
        for note in table.notes:
            yield from _wrap(note, "- ")
    if part.tables and part.notes:
        yield ""
        for note in part.notes:
            yield from _wrap(note, "- ")


def _format_table(table: Table) -> str:
    """Write a table, numbers on the right; of many rows the first."""
    padded = []
    for head, *cells in zip(table.head, *table.rows[:_SHOWN], strict=True):
        column = [printable(cell_text(cell)) for cell in (head, *cells)]
        width = max(map(shown_width, column))
        is_right = any(not isinstance(cell, str) for cell in cells)
        gaps = [" " * (width - shown_width(cell)) for cell in column]
        both = zip(gaps, column, strict=True)
        padded.append([gap + cell if is_right else cell + gap for gap, cell in both])
    lines = ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
    more = len(table.rows) - _SHOWN
    return "\n".join([*lines, *([f"... and {more:,} more"] if more > 0 else [])])


def _format_findings(
    findings: Iterable[Finding], start: str = "- ", command: str = ""
) -> Iterator[str]:
    """Write findings with their figures, and with the advice that is told nowhere else."""
    for finding in findings:
        yield from _wrap(finding.sentence, start)
        if finding.command not in ("", command):
            yield from _wrap(f"What to do: {finding.advice}", " " * len(start))
            yield from _command(finding.command)


def _command(command: str) -> list[str]:
    """Write a command on one line, so that it can be copied."""
    return [f"  $ {printable(command)}"] if command else []


def _rows(audit: AuditRecord) -> str:
    """Write how many rows each split has."""
    counts = ", ".join(f"{split} {count:,}" for split, count in audit.rows.items())
    return f"{printable(counts)} {verb(sum(audit.rows.values()), 'row', 'rows')}"


def _wrap(text: str, start: str) -> list[str]:
    """Write a sentence as lines of a list."""
    return textwrap.wrap(
        printable(text), _WIDTH, initial_indent=start, subsequent_indent=" " * len(start),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
