"""Rows in which a title is left alone, as its name is: "King Athanagild and his daughter"."""

from collections.abc import Callable

import numpy as np

from fair_datasets.matching.found import Cause, Chunk, Reason
from fair_datasets.matching.table import TermTable
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.row_targets import is_on, leave, rows_written


def leave_beside_titles(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Chunk:
    """Leave the mentions alone of rows that a title would contradict, which goes with its name.

    Args:
        chunk: The rows with what is found in them.
        targets: As for `leave_rows`.
        table: What was looked for.

    Returns:
        The same rows.
    """
    found = chunk.found
    titles = np.flatnonzero(found.reasons == Reason.UNREAD_NAME)
    titles = titles[is_on(found.take(titles), table.axis)]
    if not len(titles):
        return chunk
    numbers = chunk.row_of[found.texts[titles]]
    mentions = np.flatnonzero(found.is_mention & np.isin(chunk.row_of[found.texts], numbers))
    mentions = mentions[is_on(found.take(mentions), table.axis)]
    rows = rows_written(chunk, mentions, targets, table.axis)
    neutral = table.neutral
    left: dict[int, Cause] = {}
    for number, reading in zip(numbers.tolist(), found.readings[titles].tolist(), strict=True):
        attribute = found.terms.readings[reading].attribute
        row = rows.get(number)
        if row and attribute in row.changed and row.written[attribute] != neutral:
            left[number] = Cause(Reason.TITLED)
    return chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
