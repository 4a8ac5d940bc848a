"""The parts of words in bias scores, importance times cosine, and the scores of sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures.inputs import LowCoverageWarning
from fair_datasets.models.direction import DemographicDirection
from fair_datasets.models.word_vectors import WordVectors, word_spans, words_of
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.scores.bias.states import TokenStates
from fair_datasets.system.checks import invalid, warn

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_PARTS = re.compile(r"[^\w'’]")
# A name that is left alone only because the row speaks of another gender is a name all the same.
_SKIPPED_NAMES = (Reason.OTHER_GENDER, Reason.OTHER_PRONOUNS, Reason.UNREAD_NAME)


@dataclass(frozen=True, eq=False)
class Listing:
    """The words that name an attribute by their meaning.

    Common words are looked up. Where a word is somebody's name, and where one is part of another
    ("mother-in-law"), is asked of the reader of texts: "Will he mark it in May?" names nobody.

    Attributes:
        table: The terms that are read; None to read nothing.
    """

    words: frozenset[str]
    table: TermTable | None = None

    def holds(self, word: str) -> bool:
        """Whether a word is looked up and found."""
        return not self.words.isdisjoint({word, word.lower()})

    def may_be_read(self, word: str) -> bool:
        """Whether a word that is not looked up may name an attribute where it stands."""
        if self.table is None or self.holds(word):
            return False
        parts = _PARTS.split(word)
        may_be = len(parts) > 1 or word != word.lower()
        forms = (form for part in parts for form in (part.lower(), looked_up(part)))
        return may_be and any(form in self.table.words for form in forms)

    def read(self, texts: Sequence[str]) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Read which words of texts name an attribute where they stand.

        Yields:
            The number of each text with such a word, and whether each of its words is one: shape
            (W,).
        """
        for number, places in groupby(self._places(texts), itemgetter(0)):
            text = texts[number]
            words = word_spans(text)
            spans = np.array(words, np.int64).reshape(-1, 2)
            is_read = np.zeros(len(words), np.bool_)
            for _, start, end in places:
                is_read |= (spans[:, 0] < end) & (start < spans[:, 1])
            for place in np.flatnonzero(is_read).tolist():
                is_read[place] = self.may_be_read(text[slice(*words[place])])
            yield number, is_read

    def _places(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the number of the text, the begin and the end of what is read, in order."""
        if self.table is None:
            return
        for chunk in chunks([(text,) for text in texts], [self.table]):
            mentions = chunk.mentions
            is_skipped_name = np.isin(mentions.reasons, np.array(_SKIPPED_NAMES))
            rows = np.flatnonzero(mentions.is_mention | is_skipped_name)
            owners = mentions.texts[rows]
            shifts = chunk.begins[owners] - mentions.words.offset[owners]
            starts = mentions.words.start[mentions.firsts[rows]] + shifts
            ends = mentions.words.end[mentions.lasts[rows]] + shifts
            numbers = chunk.row_of[owners]
            yield from zip(numbers.tolist(), starts.tolist(), ends.tolist(), strict=True)


# From how many words on it is worth saying that few of them have a vector, and what few is.
MANY_WORDS, FEW_KNOWN = 200, 0.5
# How many words are kept with their cosine, so that texts of numbers do not fill the memory.
_CACHE_SIZE = 1_000_000


class WordCosines:
    """The cosines of words with a direction, each of which is looked up once."""

    def __init__(
        self,
        vectors: WordVectors,
        direction: DemographicDirection,
        listing: Listing,
        offset: float = 0.0,
    ) -> None:
        """Note what the cosines are of."""
        direction.refuse_width(vectors.width, f"the word vectors {vectors.name!r}")
        self._vectors, self._direction = vectors, direction
        self._listing, self._offset = listing, offset
        self._known: dict[str, float] = {}
        self._may_be_read: set[str] = set()

    def of_texts(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], Floats]:
        """Return the cosine of each word of texts.

        Returns:
            How many words each text has, shape (N,); and the cosines of the words, one text behind
            the other: 0 for listed words, NaN for those without a vector, shape (W,).
        """
        words = words_of(texts)
        counts = np.fromiter(map(len, words), np.int64, len(words))
        cosines = self._of(list(chain.from_iterable(words)))
        ends = np.cumsum(counts)
        asked = [row for row, own in enumerate(words) if not self._may_be_read.isdisjoint(own)]
        for number, is_read in self._listing.read([texts[row] for row in asked]):
            row = asked[number]
            cosines[ends[row] - counts[row] : ends[row]][is_read] = 0.0
        return counts, cosines

    def warn_of_few(self, cosines: Floats) -> None:
        """Warn where most words have no vector."""
        share = 1 - np.isnan(cosines).mean() if cosines.size else 1.0
        if cosines.size >= MANY_WORDS and share < FEW_KNOWN:
            warn(
                f"{self._vectors.name!r} has a vector for {share:.0%} of the words of a "
                "batch, and the scores rest on these alone; give vectors of the texts' language "
                "and kind.",
                LowCoverageWarning,
            )

    def _of(self, words: Sequence[str]) -> Floats:
        """Return the cosine of each word, wherever it stands."""
        new = set(words).difference(self._known)
        if new:
            if len(self._known) > _CACHE_SIZE:
                self._known.clear()
                self._may_be_read.clear()
                new = set(words)
            self._learn(sorted(new))
        return np.fromiter(map(self._known.__getitem__, words), np.float64, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        """Look words up, all at once."""
        rows = self._vectors.find([word.replace("’", "'") for word in words])
        cosines = np.full(len(words), np.nan)
        is_known = rows >= 0
        vectors = self._vectors.matrix[rows[is_known]]
        cosines[is_known] = self._direction.cosines(vectors) - self._offset
        cosines[[*map(self._listing.holds, words)]] = 0.0
        self._known.update(zip(words, cosines.tolist(), strict=True))
        self._may_be_read.update(filter(self._listing.may_be_read, words))


class SentenceBias(NamedTuple):
    """The bias score of a sentence.

    Attributes:
        positive: The sum of the parts above 0: towards the positive end of the direction.
        negative: The sum of the parts below 0, at most 0: towards its negative end.
        parts: The part of each token: its importance times its cosine. Shape (T,).
    """

    positive: float
    negative: float
    parts: Floats

    @property
    def absolute(self) -> float:
        """The sum of the absolute parts: `positive - negative`."""
        return self.positive - self.negative


def maxpool_importance(states: ArrayLike, mask: ArrayLike | None = None) -> Floats:
    """Return the importance of each token for a sentence vector that is pooled by the maximum.

    It is the share of the dimensions whose maximum over the tokens is at the token, the first of
    several that are equal. Over all tokens, markers and punctuation among them, it sums to 1.

    Args:
        mask: Which are tokens and not padding. Shape (T,). None for all.

    Returns:
        The importance, 0 for padding. Shape (T,).

    Example:
        >>> maxpool_importance([[1.0, 0.0, 5.0, 2.0], [0.0, 3.0, 5.0, 1.0]]).tolist()
        [0.75, 0.25]

    Source:
        Conneau et al. (2017), Supervised Learning of Universal Sentence Representations, section 6.
    """
    table = np.asarray(states, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise invalid(
            f"states must have a row for each token, at least one, but their shape is "
            f"{table.shape}."
        )
    is_token = np.ones(len(table), bool) if mask is None else np.asarray(mask).astype(bool)
    if is_token.shape != (len(table),) or not is_token.any():
        raise invalid(
            f"mask must say for each of the {len(table)} rows whether it is a token, and at least "
            f"one must be, but its shape is {is_token.shape}, with {int(is_token.sum())} tokens."
        )
    if not np.isfinite(table[is_token]).all():
        raise invalid("a state is not finite; check the encoder.")
    winners = np.where(is_token[:, None], table, -np.inf).argmax(axis=0)
    importance: Floats = np.bincount(winners, minlength=len(table)) / table.shape[1]
    return importance


def bias_score(
    importance: ArrayLike, vectors: ArrayLike, direction: ArrayLike, listed: ArrayLike | None = None
) -> SentenceBias:
    """Return the bias score of a sentence: its tokens' importance times their cosine, summed.

    It sums what it is given: leave out markers and punctuation, whose importance counts all the
    same. A token on the list of the axis, and one whose vector is zero, has the part 0.

    Args:
        importance: The importance of each token, as `maxpool_importance` gives it. Shape (T,).
        vectors: The vector of each token. Shape (T, d).
        direction: The demographic direction. Shape (d,).
        listed: Which tokens name the attribute by their meaning, such as "she". Shape (T,).

    Returns:
        The sums and the parts; 0 for a sentence without tokens.

    Example:
        >>> bias_score([0.5, 0.25], [[3.0, 4.0], [-1.0, 0.0]], [1.0, 0.0], [False, False])
        SentenceBias(positive=0.3, negative=-0.25, parts=array([ 0.3 , -0.25]))

    Source:
        Dolci, Azzalini and Tanelli, equation of the bias score.
    """
    shares = np.asarray(importance, dtype=np.float64)
    towards = np.asarray(direction, dtype=np.float64)
    rows = np.asarray(vectors, dtype=np.float64)
    length = float(np.linalg.norm(towards))
    if not length > 0:
        raise invalid("the direction is zero; make one from pairs that differ.")
    if not shares.size and not rows.size:
        return SentenceBias(0.0, 0.0, np.zeros(0))
    is_zero = np.zeros(len(shares), bool) if listed is None else np.asarray(listed).astype(bool)
    if rows.ndim != 2 or not len(rows) == len(shares) == len(is_zero):
        raise invalid(
            f"each token needs an importance and a vector, but the shapes are "
            f"{shares.shape}, {rows.shape} and (of listed) {is_zero.shape}."
        )
    if rows.shape[1] != len(towards):
        raise invalid(
            f"the vectors have {rows.shape[1]} numbers, but the direction has "
            f"{len(towards)}; make the direction from the same vectors."
        )
    lengths = np.linalg.norm(rows, axis=1)
    cosines = np.divide(
        rows @ towards, lengths * length, out=np.zeros(len(rows)), where=lengths > 0
    )
    cosines[is_zero] = 0.0
    parts = shares * cosines
    (positive,), (negative,) = pole_sums(parts, np.zeros(len(parts), np.int64), 1)
    return SentenceBias(float(positive), float(negative), parts)


def pole_sums(parts: Floats, texts: NDArray[np.int64], count: int) -> tuple[Floats, Floats]:
    """Sum the parts above 0 and those below 0 of many texts at once.

    Args:
        parts: The parts of all words. Shape (W,).
        texts: The number of the text that each is of. Shape (W,).

    Returns:
        Both sums, the second at most 0. Shape (N,) each.

    Example:
        >>> pole_sums(np.array([0.5, -0.25, 0.5]), np.array([0, 0, 2]), 3)
        (array([0.5, 0. , 0.5]), array([-0.25,  0.  ,  0.  ]))
    """
    above, below = np.maximum(parts, 0.0), np.minimum(parts, 0.0)
    positive, negative = (
        np.bincount(texts, side, minlength=count).astype(np.float64) for side in (above, below)
    )
    return positive, negative


class Parts(NamedTuple):
    """Words of many texts, one text behind the other.

    Attributes:
        texts: The number of the text of each word. Shape (W,).
        cosines: The cosine of each, NaN without a vector. Shape (W,).
        spans: Where each begins and ends in its text, in characters. Shape (W, 2); (0, 2) where
            this was not asked for.
    """

    size: int
    texts: Integers
    importance: Floats
    cosines: Floats
    spans: Integers

    @property
    def products(self) -> Floats:
        """What each word adds: 0 without a vector. Shape (W,)."""
        return np.where(np.isnan(self.cosines), 0.0, self.importance * self.cosines)

    @property
    def coverage(self) -> float | None:
        """The share of the words that have a vector or are listed; None without words."""
        return float(1 - np.isnan(self.cosines).mean()) if self.cosines.size else None

    def sums(self) -> tuple[Floats, Floats]:
        """Return the sums of the products above and below 0, for each text. Shape (N,) each."""
        return pole_sums(self.products, self.texts, self.size)

    def explained(self, texts: Sequence[str], places: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Describe the words of each text."""
        words: list[list[dict[str, Any]]] = [[] for _ in texts]
        columns = (self.texts, self.spans, self.importance, self.cosines, self.products)
        for number, (start, end), importance, cosine, product in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            words[number].append(
                {
                    "column": places[number],
                    "start": start,
                    "end": end,
                    "word": texts[number][start:end],
                    "importance": importance,
                    "cosine": None if cosine != cosine else cosine,
                    "product": product,
                }
            )
        return words


def uniform_parts(texts: Sequence[str], cosines: WordCosines, *, spans: bool) -> Parts:
    """Weigh all words of a text alike.

    Returns:
        The words: the importance is 1 by their number, those without a vector among them.
    """
    counts, word_cosines = cosines.of_texts(texts)
    return Parts(
        len(texts),
        np.repeat(np.arange(len(texts)), counts),
        np.repeat(1 / np.maximum(counts, 1), counts),
        word_cosines,
        _spans(texts) if spans else np.zeros((0, 2), np.int64),
    )


def word_parts(uniform: Parts, states: Sequence[TokenStates]) -> Parts:
    """Weigh words by an encoder, whose tokens are mapped to them by where they stand."""
    starts = np.searchsorted(uniform.texts, np.arange(uniform.size + 1))
    importance = np.zeros(len(uniform.texts))
    for number, state in enumerate(states):
        inside = slice(starts[number], starts[number + 1])
        words = words_at(state.spans, uniform.spans[inside])
        importance[inside] = np.bincount(
            words[words >= 0], state.importance[words >= 0], minlength=inside.stop - inside.start
        )
    return uniform._replace(importance=importance)


def token_parts(
    texts: Sequence[str], listing: Listing, states: Sequence[TokenStates], offset: float
) -> Parts:
    """Take cosine and importance from the states of an encoder.

    Returns:
        The tokens that are words or pieces of words; whether a piece is listed goes by its word.
    """
    numbers, importance, cosines, spans = [], [], [], []
    read = dict(listing.read(texts))
    for number, (text, state) in enumerate(zip(texts, states, strict=True)):
        of_text = np.array(word_spans(text), np.int64).reshape(-1, 2)
        words = words_at(state.spans, of_text)
        inside = words >= 0
        is_zero = np.array([listing.holds(text[start:end]) for start, end in of_text], bool)
        is_zero |= read.get(number, False)
        towards = state.cosines[inside] - offset
        towards[is_zero[words[inside]]] = 0.0
        numbers.append(np.full(int(inside.sum()), number))
        importance.append(state.importance[inside])
        cosines.append(towards)
        spans.append(state.spans[inside])
    return Parts(
        len(texts),
        np.concatenate([np.zeros(0, np.int64), *numbers]),
        np.concatenate([np.zeros(0), *importance]),
        np.concatenate([np.zeros(0), *cosines]),
        np.concatenate([np.zeros((0, 2), np.int64), *spans]),
    )


def words_at(tokens: Integers, words: Integers) -> Integers:
    """Return the word in which each token stands.

    Returns:
        The number of the word, the first of several; -1 for a token outside of words. Shape (T,).
    """
    indices = np.searchsorted(words[:, 1], tokens[:, 0], side="right")
    is_there = indices < len(words)
    is_there[is_there] = words[indices[is_there], 0] < tokens[is_there, 1]
    return np.where(is_there, indices, -1)


def _spans(texts: Sequence[str]) -> Integers:
    """Return where the words of all texts begin and end."""
    spans = chain.from_iterable(map(word_spans, texts))
    return np.array(list(spans), np.int64).reshape(-1, 2)
