"""Phrases of a lexicon in texts: terms and exceptions of several words, and protected names."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.decisions import Decisions
from fair_datasets.matching.places import HERE, IS_ALONE, is_protected
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
    asked = places[decisions.columns.may_anchor(words, places)].tolist()
    several = [(place, list(_given_away(words, place, phrases))) for place in asked]
    are_prose = iter(_are_prose(words, [each for _, those in several for each in those]))
    found: list[tuple[int, int, Phrase]] = []
    end = -1
    for place, those in several:
        there = [each for each, is_prose in zip(those, are_prose, strict=False) if is_prose]
        free = [each for each in there if each[0] > end]
        if place > end and free:
            found.append(max(free, key=lambda each: each[1] - each[0]))
            end = found[-1][1]
    return found


def _given_away(words: Words, place: int, phrases: Phrases) -> Iterator[tuple[int, int, Phrase]]:
    """Give the phrases that a word gives away, as `phrases_in` does."""
    text = int(words.owner[place])
    begin, stop = int(words.first[text]), int(words.first[text + 1]) - 1
    word = words.looked_up(place)
    before = words.looked_up(place - 1) if place > begin else ""
    behind = words.looked_up(place + 1)
    for pair in ((before, word), (word, behind), (word, "")):
        for phrase in phrases.get(pair, ()):
            first = place - phrase.anchor
            last = first + len(phrase.words) - 1
            if first >= begin and last < stop and phrase.matches(words, first):
                yield first, last, phrase


def _are_prose(words: Words, phrases: Sequence[tuple[int, int, Phrase]]) -> Sequence[bool]:
    """Tell which phrases are prose, and neither begin nor end within a word."""
    lengths = np.array([last + 1 - first for first, last, _ in phrases], np.int64)
    behind = np.cumsum(lengths)
    first, last = behind - lengths, behind - 1
    places = np.array([k for a, b, _ in phrases for k in range(a, b + 1)], np.int64)
    found = Candidates(words, places)
    is_alone = found.holds(IS_ALONE)
    # The last word may be joined to the one before it by the phrase itself: "O'Brien".
    is_end = found.holds(HERE.sign("'", "’"))[last] | is_alone[last]
    protected = np.concatenate(([0], np.cumsum(is_protected(found))))
    is_prose = is_alone[first] & is_end & (protected[behind] == protected[first])
    # An exception protects the words inside it, wherever it stands.
    is_exception = np.array([phrase.readings is None for _, _, phrase in phrases], np.bool_)
    held: list[bool] = (is_prose | is_exception).tolist()
    return held
