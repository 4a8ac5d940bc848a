"""What a rewriter was asked for, and which mention that is."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from fair_datasets.reader.matching.found import Mention, Reading, Reason
from fair_datasets.reader.matching.terms import Term
from fair_datasets.swap.verification.forms import Forms
from fair_datasets.swap.verification.units import Units

# Why a name is left alone that is surely none of a person.
_NO_PERSON = frozenset({Reason.PHRASE, Reason.NOT_A_NAME, Reason.TITLE, Reason.PROTECTED_NAME})


@dataclass(frozen=True, slots=True)
class Request:
    """What a rewriter was asked for.

    Attributes:
        target: The attribute; None for any other than the one before.
        word: The mention that was asked about; None for any.
        start: Where it stands in the original, in characters; None for the first of the word.
    """

    target: str | None
    word: str | None
    start: int | None
    everyone: bool


def places_of(word: str, text: str) -> list[int]:
    """Return where a word or phrase stands in a text, in any letter case.

    Example:
        >>> places_of("her", "Her mother saw her there.")
        [0, 15]
    """
    expression = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
    return [match.start() for match in re.finditer(expression, text, re.IGNORECASE)]


def read_asked(
    reading: Reading, units: Units, places: Iterable[tuple[int, int]], forms: Forms
) -> Reading:
    """Read the word that was asked about as a mention where the reader leaves it alone.

    Who asks about a word knows that it is a person, where the reader only guesses. What the reader
    takes for the name of a firm, a place or a work stays one, whoever asks.

    Args:
        places: The units where the word stands: the first and the one behind the last.

    Returns:
        The reading, which has the mention unless no lexicon knows the word.
    """
    starts = reading.tokens.starts
    found: list[Mention] = []
    for first, end in places:
        for place in range(first, end):
            for size, attribute, entry, is_name in forms.at(units, place):
                begin = bisect_left(starts, units.starts[place])
                last = bisect_left(starts, units.span(place, place + size)[1]) - 1
                if place + size <= end and begin <= last:
                    term = Term(attribute, entry, is_name=is_name)
                    found.append(Mention(begin, last, term))
        begin, behind = (bisect_left(starts, offset) for offset in units.span(first, end))
        if any(m.first < behind and begin <= m.last for m in reading.mentions):
            return reading
    if not found:
        return reading
    asked = found[0]
    if asked.term.is_name and any(
        part.first <= asked.first <= part.last and part.reason in _NO_PERSON
        for part in reading.left
    ):
        return reading
    left = [part for part in reading.left if part[1] < asked.first or asked.last < part[0]]
    mentions = sorted([*reading.mentions, asked], key=attrgetter("first"))
    return Reading(reading.tokens, mentions, left)
