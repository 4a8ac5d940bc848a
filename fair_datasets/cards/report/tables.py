"""What the command line shows: tables of counts and differences between texts."""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

# How wide a table may be before its columns are written as rows.
_WIDTH = 100
_SHOWN = 200
# So many attributes have a line each, whether or not somebody mentions them.
_ATTRIBUTES = 10
_RED, _GREEN, _PLAIN = "\033[31m", "\033[32m", "\033[0m"


def count_table(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Write the mentions of each attribute before and after, with their shares.

    Args:
        before: Attribute to its number of mentions.

    Returns:
        The table, one line per attribute, without a line break at the end. Of more than ten
        attributes those that nobody mentions share a line.

    Example:
        >>> print(count_table({"man": 3, "woman": 1}, {"man": 4, "woman": 4}))
        mentions of             before                   after
        man                          3  75.0 %               4  50.0 %
        woman                        1  25.0 %               4  50.0 %
    """
    width = max(12, *map(shown_width, before)) + 2
    lines = [f"{_padded('mentions of', width)}{'before':>16}{'after':>24}"]
    shown = [name for name in before if before[name] or after[name] or len(before) <= _ATTRIBUTES]
    for attribute in shown:
        cells = [
            f"{counts[attribute]:>16,}{_share(counts, attribute):>8}" for counts in (before, after)
        ]
        lines.append(f"{_padded(attribute, width)}{''.join(cells)}")
    if len(shown) < len(before):
        others = f"{len(before) - len(shown)} others"
        lines.append(f"{_padded(others, width)}{0:>16}{0:>24}")
    return "\n".join(lines)


def text_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows as a table for a terminal, numbers on the right.

    Args:
        rows: Each the same columns to its cells; a float is written with four digits, NaN as
            "undefined".

    Returns:
        The table, without a line break at the end; empty without rows.

    Example:
        >>> print(text_table([{"group": "men", "rate": 0.5}, {"group": "女性", "rate": math.nan}]))
        group       rate
        men       0.5000
        女性   undefined
    """
    if not rows:
        return ""
    padded = []
    for name in rows[0]:
        cells = [name, *(_visible(_cell(row[name])) for row in rows)]
        width = max(map(shown_width, cells))
        is_right = all(_is_number(row[name]) for row in rows)
        padded.append([_padded(cell, width, is_right=is_right) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*padded, strict=True))


def result_tables(result: Mapping[str, Any]) -> str:
    """Write the result of a measure as tables for a terminal.

    Args:
        result: Name to a number or a text, to an object of them, or to a list of objects.

    Returns:
        A table of the single values; one for the objects with the same keys; and one for each
        list, of which at most 200 objects are shown. What is empty is left out.

    Example:
        >>> result = {"difference": 0.5, "groups": [{"group": "a", "rate": 0.5}],
        ...     "mentions": {"man": 2, "woman": 1}, "shares": {"man": 2 / 3, "woman": 1 / 3}}
        >>> print(result_tables(result))
        difference  0.5000
        <BLANKLINE>
               mentions  shares
        man           2  0.6667
        woman         1  0.3333
        <BLANKLINE>
        groups
        group    rate
        a      0.5000
    """
    result = {name: value for name, value in result.items() if value not in (None, [], {})}
    singles = {name: value for name, value in result.items() if not _is_several(value)}
    objects = [name for name, value in result.items() if isinstance(value, Mapping)]
    parts = [_lines(singles)] if singles else []
    while objects:
        alike = [name for name in objects if result[name].keys() == result[objects[0]].keys()]
        objects = [name for name in objects if name not in alike]
        keys = result[alike[0]]
        if any(isinstance(value, Mapping) for value in keys.values()):
            rows = [{alike[0]: key, **_flat(value)} for key, value in keys.items()]
        else:
            rows = [{"": key, **{name: result[name][key] for name in alike}} for key in keys]
        parts.append(text_table(rows))
    for name, value in result.items():
        if _is_several(value) and not isinstance(value, Mapping):
            parts += [f"{title}\n{table}" for title, table in _tables(name, value)]
    return "\n\n".join(parts)


def shown_width(text: str) -> int:
    """Return how many places of a terminal a text takes.

    Returns:
        The number: two for each wide letter, such as those of Chinese, and none for accents that
        stand over the letter before.
    """
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "FW")
        for letter in text
    )


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
    lines += [[_cell(value).replace("|", "\\|") for value in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def difference(before: str, edits: Sequence[Mapping[str, Any]], *, colour: bool) -> tuple[str, str]:
    """Write a text before and after its edits, the edited parts coloured.

    Args:
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
    if value is None:
        return "none"
    if isinstance(value, float):
        return "undefined" if math.isnan(value) else f"{value:.4f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _is_several(value: Any) -> bool:
    """Whether a value is an object, or a list of objects."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, Mapping)


def _lines(values: Mapping[str, Any]) -> str:
    """Write names and single values below one another."""
    cells = {name: _visible(_cell(value)) for name, value in values.items()}
    width, right = max(map(shown_width, cells)), max(map(shown_width, cells.values()))
    return "\n".join(
        f"{_padded(name, width)}  {_padded(cell, right, is_right=True)}"
        for name, cell in cells.items()
    )


def _tables(name: str, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Write a list of objects as a table, and one for each list of objects inside them."""
    inner = [
        key
        for key in rows[0]
        if any(isinstance(row[key], list) and _is_several(row[key]) for row in rows)
    ]
    outer = [{key: value for key, value in row.items() if key not in inner} for row in rows]
    more = f"\n... and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
    tables = [(name, f"{_fitting([_flat(row) for row in outer[:_SHOWN]])}{more}")]
    for key in inner:
        entries = [(next(iter(row.items())), each) for row in rows for each in row[key] or ()]
        tables += _tables(f"{name}: {key}", [{head: of, **each} for (head, of), each in entries])
    return tables


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the values of its objects beside its own."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        inner = _flat(value) if isinstance(value, Mapping) else {"": value}
        flat |= {f"{name} {key}".strip(): cell for key, cell in inner.items()}
    return flat


def _fitting(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write a table, or its columns as rows where it would be too wide."""
    table = text_table(rows)
    first, *others = rows[0]
    heads = [_visible(_cell(row[first])) for row in rows]
    if shown_width(table.split("\n")[0]) <= _WIDTH or len(set(heads)) < len(heads):
        return table
    turned = [
        {first: name, **{head: row[name] for head, row in zip(heads, rows, strict=True)}}
        for name in others
    ]
    other = text_table(turned)
    widths = [shown_width(each.split("\n")[0]) for each in (table, other)]
    return other if widths[1] < widths[0] else table


def _is_number(value: Any) -> bool:
    """Whether a cell is one of a column of numbers."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _padded(text: str, width: int, *, is_right: bool = False) -> str:
    """Fill a text with spaces to a width of the terminal."""
    space = " " * (width - shown_width(text))
    return space + text if is_right else text + space


def _share(counts: Mapping[str, int], attribute: str) -> str:
    """Write an attribute's share of all mentions."""
    total = sum(counts.values())
    return f"{100 * counts[attribute] / total:.1f} %" if total else "-"


def _painted(text: str, colour: str, wanted: bool) -> str:
    return f"{colour}{text}{_PLAIN}" if wanted and text else text


def _visible(text: str) -> str:
    """Write control characters, which could move the cursor or change colours, as escapes."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )
