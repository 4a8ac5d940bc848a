"""Rows that lose their sense without a gender.

There is no word by which a mother is called, and men who are compared with women are compared with
themselves.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Chunk, Found, Reason, Terms
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.words import Mask

Numbers = NDArray[np.int64]
# The kinds of the lexicon that say what somebody is to somebody else.
_RELATED = frozenset({"kinship", "relation"})


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
    left |= dict.fromkeys(_told_apart(found, several, rows, table), Reason.CONTRAST)
    for condition, reason in (
        (table.language.of_gender, Reason.GENDER),
        (table.language.called, Reason.CALL),
        (table.language.of_animals, Reason.THING),
    ):
        left |= dict.fromkeys(rows[several[candidates.holds(condition)]].tolist(), reason)
    return left


def _told_apart(found: Found, several: Numbers, rows: Numbers, table: TermTable) -> Iterator[int]:
    """Give the rows with two relatives whom one word would mean: a father and a mother."""
    related = several[_is_related(found.terms)[found.readings[several]]]
    neutral = table.neutral
    attributes: dict[tuple[int, str], set[str]] = defaultdict(set)
    for mention in related.tolist():
        term = found.terms.readings[found.readings[mention]]
        for form in term.entry.forms.get(neutral, ())[:1]:
            key = int(rows[mention]), form.text
            attributes[key].add(term.attribute)
            if len(attributes[key]) > 1:
                yield key[0]


def _is_related(terms: Terms) -> Mask:
    """Tell which readings are of one relative or partner."""
    notes, key = terms.notes, "related"
    if key not in notes:
        entries = [term.entry for term in terms.readings]
        held = [entry.kind in _RELATED and not entry.is_plural for entry in entries]
        notes[key] = np.array(held, np.bool_)
    kept: Mask = notes[key]
    return kept
