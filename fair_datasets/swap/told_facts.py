"""Rows that tell a bodily or legal fact of somebody, of whose counterpart it reads as untrue."""

from collections.abc import Callable, Sequence

import numpy as np

from fair_datasets.matching.found import Cause, Chunk, Reason
from fair_datasets.matching.table import TermTable
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.row_targets import is_on, leave, rows_written

# How many words behind the sentence that names a known person others may be about them.
_REACH_OF_NAME = 50


def leave_told_facts(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, tables: Sequence[TermTable]
) -> Chunk:
    """Leave the mentions alone of rows that tell a fact which would read as a contradiction.

    A row is left where the sentence that tells the fact mentions whom it would not be true of: it
    is then no sentence about somebody else in a long row. The other sentences are left as well, as
    they may be about the same person.

    Args:
        chunk: The rows with what is found in them.
        targets: As for `leave_rows`.
        tables: As for `leave_rows`.

    Returns:
        The same rows.
    """
    for table in tables:
        find, found = table.language.facts, chunk.found
        told = list(find(found.words, table.attributes)) if find else []
        if not told:
            continue
        numbers = chunk.row_of[found.words.owner[[fact.begin for fact in told]]]
        in_row = np.isin(chunk.row_of[found.texts], numbers)
        mentions = np.flatnonzero(found.is_mention & in_row)
        mentions = mentions[is_on(found.take(mentions), table.axis)]
        rows = rows_written(chunk, mentions, targets, table.axis)
        firsts = found.firsts[mentions]
        left: dict[int, Cause] = {}
        for row, fact in zip(numbers.tolist(), told, strict=True):
            end = int(found.words.first[found.words.owner[fact.begin] + 1])
            stop = min(fact.stop + _REACH_OF_NAME, end) if fact.is_name else fact.stop
            own = mentions[slice(*np.searchsorted(firsts, (fact.begin, stop)).tolist())]
            attributes = {found.terms.readings[each].attribute for each in found.readings[own]}
            if fact.attribute in attributes and rows[row].written[fact.attribute] in fact.never:
                left[row] = Cause(Reason.KNOWN_PERSON if fact.is_name else Reason.FACT)
        chunk = chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
    return chunk
