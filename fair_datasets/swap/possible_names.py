"""Capitalised words that no list has and that may be first names, by their text and by tables."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.language import Language
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import Chunk, MentionTable
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch, among
from fair_datasets.reader.matching.token_refs import HERE, IS_ALONE, is_protected
from fair_datasets.reader.names.given_names import MOSTLY, Shares, chance, is_even, log_odds
from fair_datasets.reader.student import is_listed_first_name
from fair_datasets.reader.tags import FAMILY, GIVEN, ORGANISATION, OTHER, PLACE, WORK

LEAST = 0.8
"""The least probability at which the reader is believed that a word is a first name."""
# The same of words of which something is known as names, of names of girls and boys alike that are
# surnames as well, and of words that are the person's of whom a pronoun is, as nobody else is told
# of before it.
_LEAST_KNOWN, _LEAST_EVEN, _ALONE = 0.35, 0.65, 0.02
# Below which probability a listed name is left alone, with its row, by the log odds from which and
# up to which it is a given name rather than a surname.
_ODDS, _DOUBTED = (2, 5), (0.75, 0.3)
# From which log odds on a surname is so rare that somebody may bear it as a first name.
_RARE = -2.5
# What names tell that are nobody's, and from which probability on the tables count for nothing.
_NO_PEOPLE, _NOBODY = [PLACE, ORGANISATION, WORK, OTHER], 0.5

_NEXT = HERE + 1
IS_JOINED = _NEXT.sign("-") & _NEXT.is_title
"""Whether a word is the first of two in a name with a hyphen: "Anna-Maria"."""
_STANDS_ALONE = (
    IS_ALONE
    & (HERE.is_first | ~HERE.sign("-", "'", "’"))
    & (~_NEXT.sign("-") | _NEXT.is_title)
    & ~(_NEXT.sign("'", "’") & _NEXT.is_capital & ~_NEXT.is_word("s"))
)
_IS_BEHIND = ~HERE.is_first & (HERE.sign(" ", "-") | (HERE.sign(". ") & (HERE - 1).is_letter))


class PossibleNames(NamedTuple):
    """Words of a chunk that may be first names which no list has.

    Attributes:
        rows: The row of each.
        words: The words in small letters without accents.
        places: The place of each.
        chances: How likely each is one. Shape (N,).
        is_sure: Whether each is taken for one. Shape (N,).
        is_weak: Whether each may be the name of somebody of whom alone a text tells. Shape (N,).
        parts: The places of parts of names that tell a gender, and stay. Shape (P,).
        doubted: The mentions of listed names that are hardly first names here. Shape (D,).
    """

    rows: list[int]
    words: list[str]
    places: list[int]
    chances: Shares
    is_sure: Mask
    is_weak: Mask
    parts: Places
    doubted: Places

    def each(self, held: Mask) -> Iterator[tuple[int, str, int]]:
        """Give the row, the word and the place of some."""
        for k in held.nonzero()[0].tolist():
            yield self.rows[k], self.words[k], self.places[k]


def possible_names(
    chunk: Chunk, rows: Sequence[int] | NDArray[np.int64], changed: Places | None, table: TermTable
) -> PossibleNames:
    """Return the words that may be first names.

    Args:
        rows: The rows that are asked, by their number.
        changed: The rows in which a word changes beside them; None to read them in all of the
            first, also those that the tables alone tell.
        table: The terms of the axis, whose language has a reader.
    """
    words = chunk.mentions.words
    parts = capitals = capitals_of(chunk, rows)
    if len(capitals):
        parts = capitals[Candidates(words, capitals).holds(table.language.tells_gender)]
    places = capitals
    if len(capitals) and changed is not None:
        places = capitals[among(chunk.row_of[words.owner[capitals]], changed)]
    places = _unlisted(chunk.mentions, places, table) if len(places) else places
    listed = places[:0] if changed is None else _listed(chunk.mentions, table)
    if not (len(places) or len(listed)):
        nothing = np.zeros(0)
        return PossibleNames([], [], [], nothing, nothing > 0, nothing > 0, parts, listed)
    return _asked(chunk, places, listed, table.language, parts, is_read=changed is None)


def _listed(mentions: MentionTable, table: TermTable) -> Places:
    """Return the mentions of names that a list has."""
    is_name = mentions.is_mention & mentions.is_on(table.axis)
    listed: Places = (is_name & mentions.terms.is_name[mentions.readings]).nonzero()[0]
    return listed


def _asked(
    chunk: Chunk, places: Places, listed: Places, language: Language, parts: Places, *,
    is_read: bool,
) -> PossibleNames:  # fmt: skip
    """Ask a reader about words, and the tables."""
    words = chunk.mentions.words
    named = chunk.mentions.firsts[listed]
    several = np.concatenate((places, named))
    assert language.tags is not None
    probabilities = language.tags.tagged(words, several).probabilities
    own = probabilities[len(places) :]
    known = np.array([_looked_up(words.lower(place)).odds for place in named.tolist()])
    likely = chance(known, own[:, GIVEN], own[:, FAMILY])
    is_doubted = likely < np.interp(known, _ODDS, _DOUBTED)
    probabilities = probabilities[: len(places)]
    given, family = probabilities[:, GIVEN], probabilities[:, FAMILY]
    rows = chunk.row_of[words.owner[places]].tolist()
    ends = zip(words.start[places].tolist(), words.end[places].tolist(), strict=True)
    looked_up = [_looked_up(words.joined[start:end]) for start, end in ends]
    written = [each.word for each in looked_up]
    odds, least = (np.array([each[k] for each in looked_up], np.float64) for k in (1, 2))
    is_unknown = np.array([each.is_unknown for each in looked_up], np.bool_)
    chances = chance(odds, given, family)
    is_sure = chances >= np.where(is_unknown, np.maximum(least, family), least)
    is_nobody = probabilities[:, _NO_PEOPLE].sum(1) >= _NOBODY
    if is_read:
        is_sure |= ~is_nobody & (odds >= MOSTLY)
    is_unsure = among(places, chunk.mentions.unsure)
    is_sure &= ~is_unsure
    is_known = (odds >= MOSTLY) | ((odds >= _RARE) & ~is_nobody)
    is_weak = (chances >= _ALONE) | (is_known & ~is_unsure)
    is_new = ~is_weak & np.isnan(odds) & ~is_nobody & (family < _NOBODY)
    if is_new.any():
        is_weak[is_new] = Candidates(words, places[is_new]).holds(language.acts)
    return PossibleNames(
        rows, written, places.tolist(), chances, is_sure, is_weak, parts, listed[is_doubted]
    )


def _unlisted(mentions: MentionTable, places: Places, table: TermTable) -> Places:
    """Return where the words stand that are no terms, and first names by where they stand."""
    language, words = table.language, mentions.words
    phrases = (mentions.is_mention & (mentions.lasts > mentions.firsts)).nonzero()[0]
    spans = zip(mentions.firsts[phrases].tolist(), mentions.lasts[phrases].tolist(), strict=True)
    places = places[~among(places, [k for first, last in spans for k in range(first, last + 1)])]
    is_term = table.columns.usual(words.number[places]) >= 0
    is_term[is_term] = ~Candidates(words, places[is_term]).holds(IS_JOINED)
    unsure = places[among(places, mentions.unsure)]
    places = places[~is_term]
    places = places[Candidates(words, places).holds(language.unlisted_name)]
    places = places[~stand_behind(words, places, language)]
    is_joined = Candidates(words, places).holds(IS_JOINED)
    places = places[is_joined | ~is_listed_first_name(words, places)]
    places = places[stand_alone(words, places)]
    return np.sort(np.concatenate((places, unsure))) if len(unsure) else places


class _LookedUp(NamedTuple):
    """What the tables say of a word.

    Attributes:
        word: The word in small letters without accents.
        odds: How much likelier it is a given name than a surname.
        least: The least probability at which it is taken for a first name.
        is_unknown: Whether they say nothing, so that it has to be a likelier one than a surname.
    """

    word: str
    odds: float
    least: float
    is_unknown: bool


@lru_cache(maxsize=1 << 16)
def _looked_up(written: str) -> _LookedUp:
    """Look a word up as it is written."""
    word = without_accents(written.lower())
    odds = log_odds(word)
    if math.isnan(odds):
        return _LookedUp(word, odds, LEAST, True)
    least = _LEAST_EVEN if odds < MOSTLY and is_even(word) else _LEAST_KNOWN
    return _LookedUp(word, odds, least, False)


def stand_alone(words: TokenBatch, places: Places) -> Mask:
    """Return which words are no part of another one, nor of an address or code. Shape (W,)."""
    candidates = Candidates(words, places)
    held = candidates.holds(_STANDS_ALONE)
    held[held] = ~is_protected(candidates.part(held.nonzero()[0]))
    return held


def stand_behind(words: TokenBatch, places: Places, language: Language) -> Mask:
    """Return which words stand behind a part of a name, as surnames do.

    Args:
        places: Where the words stand. Shape (W,).

    Returns:
        The answers. Shape (W,).
    """
    held = Candidates(words, places).holds(_IS_BEHIND)
    before = Candidates(words, places[held] - 1)
    held[held] = before.holds(language.unlisted_name) | before.holds(HERE.is_letter)
    return held


def capitals_of(chunk: Chunk, rows: Sequence[int] | NDArray[np.int64]) -> Places:
    """Return where the capitalised words of some rows stand. Shape (W,)."""
    words = chunk.mentions.words
    is_asked = np.append(among(chunk.row_of, rows), False)
    places = is_asked[words.owner].nonzero()[0]
    capitals: Places = places[words.is_capital(places)]
    return capitals


def rows_and_spellings(chunk: Chunk, places: Places) -> Iterator[tuple[int, str, int]]:
    """Give the row of each of some words, the word in small letters without accents, its place."""
    words = chunk.mentions.words
    spans = zip(words.start[places].tolist(), words.end[places].tolist(), strict=True)
    written = [without_accents(words.joined[start:end]) for start, end in spans]
    rows = chunk.row_of[words.owner[places]].tolist()
    yield from zip(rows, written, places.tolist(), strict=True)
