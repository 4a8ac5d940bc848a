"""Rows that lose their sense without a gender.

There is no word by which a mother is called, and men who are compared with women are compared with
themselves.
"""

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Chunk
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.words import Mask

Numbers = NDArray[np.int64]


def left_without_gender(
    chunk: Chunk, mentions: Numbers, is_neutral: Mask, table: TermTable
) -> dict[int, Reason]:
    """Say which rows are left alone as some mentions lose their sense without a gender, and why.

    Args:
        chunk: The rows with what is found in them.
        mentions: The mentions of the axis among what is found. Shape (M,).
        is_neutral: Which of them become neutral. Shape (M,).
        table: What was looked for.

    Returns:
        Row to reason.
    """
    found, several = chunk.found, mentions[is_neutral]
    candidates = Candidates(found.words, found.firsts[several], {}, found.lasts[several])
    rows = chunk.row_of[found.texts]
    left: dict[int, Reason] = {}
    kinds = found.terms.kind[found.readings]
    for mention in several[candidates.holds(table.language.compared)].tolist():
        before = several[(found.texts[several] == found.texts[mention]) & (several < mention)]
        if np.any(kinds[before] != kinds[mention]):
            left[int(rows[mention])] = Reason.CONTRAST
    pairs = several[candidates.holds(table.language.one_of_two)]
    told = np.unique(rows[pairs] * len(found.terms.kinds) + kinds[pairs]) // len(found.terms.kinds)
    left |= dict.fromkeys(told[1:][told[1:] == told[:-1]].tolist(), Reason.CONTRAST)
    for condition, reason in (
        (table.language.of_gender, Reason.CONTRAST),
        (table.language.called, Reason.CALL),
        (table.language.of_animals, Reason.THING),
    ):
        left |= dict.fromkeys(rows[several[candidates.holds(condition)]].tolist(), reason)
    return left
