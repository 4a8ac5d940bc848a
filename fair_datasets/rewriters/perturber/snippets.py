"""Snippets: the stretches of a row of which each is perturbed by itself."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.swap.rewriting.sentences import sentence_starts


class Piece(NamedTuple):
    """A stretch of one text of a row.

    Attributes:
        place: Which of the row's texts.
        start: Where it begins, in characters.
        end: Where it ends.
    """

    place: int
    start: int
    end: int


Snippet = tuple[Piece, ...]


def snippets_of(texts: Sequence[str | None], words: int) -> list[Snippet]:
    """Divide the texts of a row into snippets of no more than so many words.

    A short row is one snippet, all its texts together. A longer one is divided where a sentence
    begins, and within a sentence where it is longer than a snippet.

    Args:
        texts: The texts of the row, or nulls.

    Returns:
        The snippets in order; together they hold each character of the texts once.

    Example:
        >>> snippets_of(["One two. Three four five.", "Six"], 3)
        [(Piece(place=0, start=0, end=9),), (Piece(place=0, start=9, end=25),), (Piece(place=1,
        start=0, end=3),)]
        >>> len(snippets_of(["One two. Three four five.", "Six"], 6))
        1
    """
    present = [place for place, text in enumerate(texts) if text]
    whole = tuple(Piece(place, 0, len(texts[place] or "")) for place in present)
    # Words are parted, so that there are no more of them than half of the characters.
    if sum(-(-piece.end // 2) for piece in whole) <= words:
        return [whole]
    starts = [tokenize(text).starts if text else [] for text in texts]
    if sum(map(len, starts)) <= words:
        return [whole]
    snippets: list[Snippet] = []
    begun: list[Piece] = []
    room = words
    for place in present:
        text, own = texts[place] or "", starts[place]
        # The numbers of the words that sentences begin with.
        borders = sorted({bisect_left(own, start) for start in sentence_starts(text)})
        begin = first = 0
        while len(own) - first > room:
            border = borders[bisect_right(borders, first + room) - 1]
            if border <= first:
                border = first if begun else first + room
            end = own[border] if border else 0
            begun += [Piece(place, begin, end)] if end > begin else []
            snippets.append(tuple(begun))
            begun, room, begin, first = [], words, end, border
        begun.append(Piece(place, begin, len(text)))
        room -= len(own) - first
    return [*snippets, tuple(begun)]
