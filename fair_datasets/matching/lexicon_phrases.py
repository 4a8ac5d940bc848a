"""Phrases of a lexicon in texts: terms and exceptions of several words, and protected names."""

from collections.abc import Mapping, Sequence

import numpy as np

from fair_datasets.matching.alone import IS_ALONE, is_protected
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.decisions import Decisions
from fair_datasets.matching.terms import Phrase
from fair_datasets.matching.words import Words

Phrases = Mapping[tuple[str, str], Sequence[Phrase]]


def phrases_in(decisions: Decisions, phrases: Phrases) -> list[tuple[int, int, Phrase]]:
    """Find the phrases that candidates give away; where several stand, the longest.

    Args:
        decisions: The candidates.
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.

    Returns:
        The places of the first and the last word of each, and the phrase; in the order of the
        texts, and no two overlap.
    """
    words = decisions.words
    places = decisions.places[decisions.is_open]
    found: list[tuple[int, int, Phrase]] = []
    end = -1
    for place in places[decisions.columns.may_anchor(words, places)].tolist():
        if place <= end:
            continue
        phrase = _longest(words, place, end, phrases)
        if phrase is not None:
            first = place - phrase.anchor
            end = first + len(phrase.words) - 1
            found.append((first, end, phrase))
    return found


def _longest(words: Words, place: int, end: int, phrases: Phrases) -> Phrase | None:
    """Return the longest phrase that a word gives away, behind the end of the last one."""
    text = int(words.owner[place])
    begin, stop = int(words.first[text]), int(words.first[text + 1]) - 1
    word = words.lower(place)
    before = words.lower(place - 1) if place > begin else ""
    behind = words.lower(place + 1)
    longest: Phrase | None = None
    for pair in ((before, word), (word, behind), (word, "")):
        for phrase in phrases.get(pair, ()):
            first = place - phrase.anchor
            last = first + len(phrase.words) - 1
            if longest is not None and len(phrase.words) <= len(longest.words):
                break
            if first <= end or first < begin or last >= stop:
                continue
            # An exception protects the words inside it, wherever it stands.
            if phrase.matches(words, first) and (
                phrase.readings is None or _stands_alone(words, first, last)
            ):
                longest = phrase
    return longest


def _stands_alone(words: Words, first: int, last: int) -> bool:
    """Tell whether a phrase is prose, and does not begin or end within a word."""
    places = np.arange(first, last + 1)
    found = Candidates(words, places)
    is_alone = found.holds(IS_ALONE)
    # The last word may be joined to the one before it by the phrase itself: "O'Brien".
    is_end = words.signs.texts[words.sign[last]] in ("'", "’") or is_alone[-1]
    return bool(is_end and is_alone[0] and not is_protected(found).any())
