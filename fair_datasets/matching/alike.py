"""Words for people that are read alike in all of a row: "guys" everywhere, or nowhere."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.found import Found, Reason
from fair_datasets.matching.table import TermTable

Numbers = NDArray[np.int64]


def read_alike(found: Found, rows: Numbers, table: TermTable) -> Found:
    """Read some words alike wherever they stand in a row.

    Args:
        found: What is found in some texts.
        rows: The number of the row of each candidate. Shape (C,).
        table: What was looked for.

    Returns:
        The same: "guys" are left alone if some are addressed, chicks are read if some are people,
        and so is "bro" if a sis is.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace")
        >>> swap({"text": ["You guys saw the guys.", "The sexy chick saw a chick."]})
        {'text': ['You guys saw the guys.', 'The sexy dude saw a dude.']}
    """
    language = table.language
    for words, is_read in ((language.alike, False), (language.read_alike, True)):
        which = _numbers(found, words())[found.readings]
        if not which.any():
            continue
        keys = rows * len(found.terms.readings) + which
        is_other = (which > 0) & (found.reasons == Reason.THING)
        changed, telling = found.is_mention & (which > 0), is_other
        if is_read:
            changed, telling = telling, changed
        changed = changed & np.isin(keys, keys[telling])
        if changed.any():
            reasons, rules = found.reasons.copy(), found.rules.copy()
            reasons[changed], rules[changed] = None if is_read else Reason.THING, "terms.alike"
            found = replace(found, reasons=reasons, rules=rules)
    return found


def _numbers(found: Found, words: frozenset[str]) -> Numbers:
    """Return for each reading the number of its row of the list; 0 for other words."""
    notes, key = found.terms.notes, ("words", words)
    if key not in notes:
        rows: dict[int, int] = {}
        notes[key] = np.array(
            [
                rows.setdefault(id(term.entry), len(rows) + 1) * (term.spelling.lower() in words)
                for term in found.terms.readings
            ],
            np.int64,
        )
    kept: Numbers = notes[key]
    return kept
