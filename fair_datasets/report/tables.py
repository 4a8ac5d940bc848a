"""What the command line shows: tables of counts and differences between texts."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

_RED, _GREEN, _PLAIN = "\033[31m", "\033[32m", "\033[0m"


def count_table(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Write the mentions of each attribute before and after, with their shares.

    Args:
        before: Attribute to its number of mentions.
        after: The same afterwards.

    Returns:
        The table, one line per attribute, without a line break at the end.

    Example:
        >>> print(count_table({"man": 3, "woman": 1}, {"man": 4, "woman": 4}))
        mentions of             before                   after
        man                          3  75.0 %               4  50.0 %
        woman                        1  25.0 %               4  50.0 %
    """
    lines = [f"{'mentions of':<14}{'before':>16}{'after':>24}"]
    for attribute in before:
        cells = [
            f"{counts[attribute]:>16,}{_share(counts, attribute):>8}" for counts in (before, after)
        ]
        lines.append(f"{attribute:<14}{''.join(cells)}")
    return "\n".join(lines)


def markdown_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows as a Markdown table.

    Args:
        rows: Each the same columns to its cells; a float is written with four digits, NaN as
            "undefined".

    Returns:
        The table, without a line break at the end; empty without rows.

    Example:
        >>> print(markdown_table([{"method": "CDA", "rows": 20, "AUC": 0.91234}]))
        | method | rows | AUC |
        | --- | --- | --- |
        | CDA | 20 | 0.9123 |
    """
    if not rows:
        return ""
    lines = [list(rows[0]), ["---"] * len(rows[0])]
    lines += [[_cell(value) for value in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def difference(before: str, edits: Sequence[Mapping[str, Any]], *, colour: bool) -> tuple[str, str]:
    """Write a text before and after its edits, the edited parts coloured.

    Args:
        before: The text before.
        edits: Its edits, each with `start`, `end` and `after`, in the order of the text.
        colour: Whether to colour what changed, by ANSI escape sequences.

    Returns:
        The line before, red where something was removed, and the line after, green where
        something was added. Control characters of the text itself are shown, not sent.

    Example:
        >>> difference("He ran.", [{"start": 0, "end": 2, "after": "She"}], colour=False)
        ('- He ran.', '+ She ran.')
    """
    old, new = ["- "], ["+ "]
    position = 0
    for edit in edits:
        same = _visible(before[position : edit["start"]])
        removed = _visible(before[edit["start"] : edit["end"]])
        old += [same, _painted(removed, _RED, colour)]
        new += [same, _painted(_visible(edit["after"]), _GREEN, colour)]
        position = edit["end"]
    rest = _visible(before[position:])
    return "".join([*old, rest]), "".join([*new, rest])


def _cell(value: Any) -> str:
    """Write a value as a cell of a table."""
    if isinstance(value, float):
        return "undefined" if math.isnan(value) else f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def _share(counts: Mapping[str, int], attribute: str) -> str:
    """Write an attribute's share of all mentions."""
    total = sum(counts.values())
    return f"{100 * counts[attribute] / total:.1f} %" if total else "-"


def _painted(text: str, colour: str, wanted: bool) -> str:
    """Put a text in colour."""
    return f"{colour}{text}{_PLAIN}" if wanted and text else text


def _visible(text: str) -> str:
    """Write control characters, which could move the cursor or change colours, as escapes."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
