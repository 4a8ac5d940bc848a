"""What a terminal shows of an audit."""

import textwrap
from typing import TYPE_CHECKING

from fair_datasets.auditing.findings import SEVERITIES
from fair_datasets.auditing.wording import counted, verb
from fair_datasets.cards.markdown import printable

if TYPE_CHECKING:
    from fair_datasets.auditing.result import Audit

_WIDTH = 100


def summary(found: "Audit") -> str:
    """Write the findings of an audit, the first ones first.

    Args:
        found: The audit.

    Returns:
        The lines; control characters of the data are spaces.
    """
    lines = [f"Audit of {printable(found.title)}: {_rows(found)}."]
    if found.changes:
        before = found.changes.before
        lines[0] += f"\nCompared with {printable(before.title)}: {_rows(before)}."
        lines += ["", "What the change bought, and what it cost:"]
        for finding in found.changes.findings:
            lines += _wrapped(finding.sentence, "- ")
    for severity, title in SEVERITIES.items():
        own = [finding for finding in found.findings if finding.severity == severity]
        if own:
            lines += ["", f"{title}:"]
        for finding in own:
            lines += _wrapped(finding.sentence, "- ")
            if finding.command:
                # A command is not wrapped, so that it can be copied.
                lines.append(f"  $ {printable(finding.command)}")
    if found.unmeasured:
        lines += ["", "Not measured:"]
        reasons: dict[str, list[str]] = {}
        for name, why in found.unmeasured.items():
            reasons.setdefault(why, []).append(name)
        for why, names in reasons.items():
            lines += _wrapped(f"{', '.join(names)}: {why}.", "- ")
    return "\n".join(lines)


def figure_lines(found: "Audit") -> str:
    """Write each figure as a rule of `--fail-if` names it, with its value.

    Args:
        found: The audit.

    Returns:
        A line for each figure.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets import audit
        >>> found = audit(Dataset.from_dict({"text": ["He ran.", "Rain."]}), "text")
        >>> print(figure_lines(found).splitlines()[0])
        duplicate_share  0 [0, 0.658]  2 rows
    """
    changed = [pair.figure for pair in found.changes.pairs] if found.changes else []
    named = [
        (f"{figure.measure}({figure.place})" if figure.place else figure.measure, figure)
        for figure in (*found.figures, *changed)
    ]
    width = max((len(name) for name, _ in named), default=0)
    return "\n".join(
        f"{printable(name):<{width}}  {figure}  {counted(figure.rows, 'row')}"
        for name, figure in named
    )


def _rows(found: "Audit") -> str:
    """Write how many rows each split has."""
    counts = ", ".join(f"{split} {count:,}" for split, count in found.rows.items())
    return f"{printable(counts)} {verb(sum(found.rows.values()), 'row', 'rows')}"


def _wrapped(text: str, start: str) -> list[str]:
    """Write a sentence as lines of a list."""
    return textwrap.wrap(
        printable(text), _WIDTH, initial_indent=start, subsequent_indent=" " * len(start),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
