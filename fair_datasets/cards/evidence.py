"""What a card shows besides counts: what rewrites came to, measured values, and sample edits."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import escaped, table

STATUS, FAULT, REASON, MENDED = (
    "rewrite_status", "rewrite_fault", "rewrite_reason", "rewrite_mended"
)  # fmt: skip
OUTCOME = {STATUS: "string", FAULT: "string", REASON: "string", MENDED: "int64"}
"""The columns that say what happened to a row, and the types of their values."""
LEFT = "left as a whole"
"""The fault of a row that no model was asked about."""
JUDGE = "rewrite_judge"
"""The column of what a judge and `verify` said, where there is a judge."""
VERDICTS = {
    (True, True): "both accept", (False, False): "both refuse",
    (True, False): "only the judge accepts", (False, True): "only verify accepts",
}  # fmt: skip
SILENT = "the judge says nothing"


def all_fell_back(logged: Iterable[Mapping[str, Mapping[str, int]]]) -> str:
    """Say that a model wrote nothing that could be kept, if that is so.

    Args:
        logged: Of each split the columns of `OUTCOME`, with their values and the number of rows.

    Example:
        >>> all_fell_back([{STATUS: {"swap": 1200}, FAULT: {"repeated": 1200}}])
        "The model wrote nothing that could be kept: all 1,200 rows with somebody to rewrite fell
        back, most often as 'repeated'."
        >>> all_fell_back([{STATUS: {"swap": 1, "model": 1}}])
        ''
    """
    statuses, faults = Counter[str](), Counter[str]()
    for columns in logged:
        statuses.update(columns.get(STATUS, {}))
        faults.update(columns.get(FAULT, {}))
    asked = statuses.total() - faults.pop(LEFT, 0)
    if not asked or statuses["model"]:
        return ""
    usual = f", most often as {faults.most_common(1)[0][0]!r}" if faults else ""
    return (
        f"The model wrote nothing that could be kept: all {asked:,} rows with somebody to rewrite "
        f"fell back{usual}."
    )


def agreement(logged: Iterable[Mapping[str, Mapping[str, int]]]) -> str:
    """Say how often a judge and `verify` agreed, if there was a judge.

    Example:
        >>> agreement([{JUDGE: {"both accept": 7, "both refuse": 1, "only verify accepts": 2}}])
        'The judge agrees with verify on 8 of 10 rewrites.'
    """
    counts = Counter[str]()
    for columns in logged:
        counts.update(columns.get(JUDGE, {}))
    silent = counts.pop(SILENT, 0)
    if not counts:
        return f"The judge said nothing about {silent:,} rewrites." if silent else ""
    agreed = counts[VERDICTS[True, True]] + counts[VERDICTS[False, False]]
    more = f", and says nothing about {silent:,}" if silent else ""
    return f"The judge agrees with verify on {agreed:,} of {counts.total():,} rewrites{more}."


_LENGTH = 240
_LEAD = 60


class Measured(NamedTuple):
    """A measure's value, and what it was before.

    Attributes:
        name: The measure, such as `demographic_parity`.
        after: Its value with what the card is about; NaN where it is not defined.
        before: Its value without: for a dataset that with the source, for a model that of the
            model it is compared with; None where it was not measured.
        data: The dataset that it was measured on, and its split.
        detail: Of what model, between which groups, with which settings.
    """

    name: str
    after: float
    before: float | None = None
    data: str = ""
    detail: str = ""


class Sample(NamedTuple):
    """A text whose edits a card shows. It is published with the card, so choose it with care.

    Attributes:
        edits: Its edits, each with `start`, `end` and `after`, as provenance states them.
    """

    text: str
    edits: Sequence[Mapping[str, Any]]


def measured_lines(measured: Sequence[Measured]) -> list[str]:
    """Write the measured values before and after as a table."""
    if not measured:
        return ["Fairness was not measured, or not stated here."]
    header = ["measure", "before", "after", "measured on", "detail"]
    rows = [
        [escaped(m.name), _number(m.before), _number(m.after), escaped(m.data), escaped(m.detail)]
        for m in measured
    ]
    return table(header, rows)


def sample_lines(samples: Sequence[Sample]) -> list[str]:
    """Write texts with what was removed and what was added; long texts are cut."""
    return [f"{number}. Text: {_marked(sample)}" for number, sample in enumerate(samples, start=1)]


def window(size: int, first: int, *, length: int, lead: int) -> tuple[int, int]:
    """Choose the part of a long text that is shown of it: from before its first mark on.

    Example:
        >>> window(9, 5, length=9, lead=1), window(10, 5, length=9, lead=1)
        ((0, 9), (4, 10))
        >>> window(10, 2, length=4, lead=1), window(10, 0, length=4, lead=1)
        ((1, 5), (0, 4))
    """
    begin = max(0, first - lead) if size > length else 0
    return begin, min(size, begin + length)


def _marked(sample: Sample) -> str:
    """Write the part of a text around its first edits, the edits marked."""
    text, edits = sample.text, sorted(sample.edits, key=lambda edit: int(edit["start"]))
    first = edits[0]["start"] if edits else 0
    begin, end = window(len(text), first, length=_LENGTH, lead=_LEAD)
    pieces, position = ["…" if begin else ""], begin
    for edit in edits:
        if edit["end"] > end:
            # Half an edit would not be what was done.
            end = min(end, edit["start"])
            break
        pieces.append(escaped(text[position : edit["start"]]))
        removed, added = text[edit["start"] : edit["end"]], edit["after"]
        pieces.append(
            " ".join(_tagged(*part) for part in (("del", removed), ("ins", added)) if part[1])
        )
        position = edit["end"]
    pieces += [escaped(text[position:end]), "…" if end < len(text) else ""]
    return "".join(pieces)


def _tagged(tag: str, text: str) -> str:
    """Put an escaped text in an HTML element."""
    short = text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"
    return f"<{tag}>{escaped(short)}</{tag}>"


def _number(value: float | None) -> str:
    """Write a value with four digits."""
    if value is None:
        return ""
    return f"{float(value):.4g}" if math.isfinite(value) else "not defined"
