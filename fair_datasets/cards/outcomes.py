"""What rewrites by a model came to, told from the columns that log it."""

from collections import Counter
from collections.abc import Iterable, Mapping

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

    Returns:
        A sentence; nothing where a row was kept, or none was asked for.

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

    Returns:
        A sentence; nothing where there was no judge, or it said nothing.

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
