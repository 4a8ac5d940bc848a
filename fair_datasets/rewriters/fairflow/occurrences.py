"""Where the words of a corpus stand, and which of these places are looked at."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.bias.states import token_spans
from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system import interrupts

Integers = NDArray[np.int64]

# A run of letters that no other letter or digit touches.
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
# What stands behind an apostrophe in English and is no word of its own: "she's", "don't".
_CLITICS = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})
_APOSTROPHES = ("'", "’")
_NOT = re.compile(r"['’][tT](?![^\W_])")
_TOGETHER = 2048
# A name may be in lower case now and then.
_MOSTLY = 50


@dataclass(frozen=True)
class Occurrences:
    """Places of words in the texts of a corpus, in the order of the texts.

    Attributes:
        words: The words, in lower case.
        word: The number of the word at each place. Shape (N,).
        text: The number of the text. Shape (N,).
        first: The place of the word's first token in the text. Shape (N,).
        pieces: How many tokens it has. Shape (N,).
        start: Where the word begins in the text, in characters. Shape (N,).
        end: Where it ends. Shape (N,).
        token: The id of its first token. Shape (N,).
    """

    words: list[str]
    word: Integers
    text: Integers
    first: Integers
    pieces: Integers
    start: Integers
    end: Integers
    token: Integers

    @property
    def columns(self) -> tuple[Integers, ...]:
        """All arrays, in the order of the attributes."""
        return (self.word, self.text, self.first, self.pieces, self.start, self.end, self.token)

    def at(self, rows: Integers) -> "Occurrences":
        """Return some of the places, in the order given."""
        return Occurrences(self.words, *(column[rows] for column in self.columns))

    def counts(self) -> dict[str, int]:
        """Count the places of each word."""
        found = np.bincount(self.word, minlength=len(self.words)).tolist()
        return dict(zip(self.words, found, strict=True))


def find_occurrences(
    texts: Sequence[str], loaded: ScoringModel, *, max_length: int, most_pieces: int
) -> Occurrences:
    """Find the words of texts whose tokens a model reads whole.

    Tokens that cover a whole word count, so that neither pieces of words nor special tokens do,
    whatever the tokenizer calls them. Words with digits are left out.
    """
    from datasets.utils import tqdm

    numbers: dict[str, int] = {}
    found: list[list[int]] = []
    columns: list[Integers] = [np.zeros((0, 7), np.int64)]
    with tqdm(total=len(texts), desc="Finding words") as progress:
        for begin in range(0, len(texts), _TOGETHER):
            interrupts.obey()
            some = texts[begin : begin + _TOGETHER]
            encoded = token_spans(loaded, some, max_length)
            for row, (text, tokens) in enumerate(zip(some, encoded, strict=True), start=begin):
                for word, *place in _words(text, *tokens, loaded.tokenizer.unk_token_id):
                    if place[1] <= most_pieces:
                        number = numbers.setdefault(word, len(numbers))
                        found.append([number, row, *place])
            columns.append(np.array(found, np.int64).reshape(-1, 7))
            found.clear()
            progress.update(len(some))
    return Occurrences(list(numbers), *np.concatenate(columns).T)


def chosen_occurrences(
    found: Occurrences, most: Mapping[str, int], *, others: int, fewest: int, seed: int
) -> Occurrences:
    """Choose so many places of each word at most, by chance.

    Args:
        most: Word to how many of its places are chosen at most.
        others: The same for all other words.
        fewest: How many places a word must have, so that any is chosen.

    Returns:
        The places that are chosen, in the order of the texts.
    """
    counts = np.bincount(found.word, minlength=len(found.words))
    limits = np.array([most.get(word, others) for word in found.words], dtype=np.int64)
    limits[counts < fewest] = 0
    return found.at(np.flatnonzero(drawn_ranks(found.word, seed) < limits[found.word]))


def drawn_ranks(words: Integers, seed: int) -> Integers:
    """Put the places of each word into an order by chance.

    Args:
        words: The number of the word at each place. Shape (N,).
        seed: It draws the order.

    Returns:
        The rank of each place among those of its word, from 0. Shape (N,).

    Example:
        >>> sorted(zip([3, 5, 3], drawn_ranks(np.array([3, 5, 3]), 0).tolist()))
        [(3, 0), (3, 1), (5, 0)]
    """
    order = np.lexsort((np.random.default_rng(seed).permutation(len(words)), words))
    _, counts = np.unique(words, return_counts=True)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return ranks


def usual_spellings(found: Occurrences, texts: Sequence[str]) -> dict[str, str]:
    """Return how words are written that never stand in lower case, such as "Mary".

    Returns:
        Word to its most frequent spelling; at most one place in 50 is in lower case.

    Example:
        >>> word, text, start = np.array([0, 0]), np.array([0, 1]), np.array([4, 0])
        >>> places = Occurrences(["mary"], word, text, word, word, start, start + 4, word)
        >>> usual_spellings(places, ["And Mary", "Mary"])
        {'mary': 'Mary'}
    """
    written: dict[str, Counter[str]] = {}
    columns = (column.tolist() for column in (found.word, found.text, found.start, found.end))
    for number, row, start, end in zip(*columns, strict=True):
        written.setdefault(found.words[number], Counter())[texts[row][start:end]] += 1
    return {
        word: max(each, key=each.__getitem__)
        for word, each in written.items()
        if each[word] * _MOSTLY < each.total()
    }


def _words(
    text: str,
    ids: list[int],
    spans: Integers,
    is_kept: NDArray[np.bool_],
    unknown: int | None,
) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield each word that tokens cover, and the rest of its columns."""
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    for place, (start, end) in enumerate(spans.tolist()):
        if is_kept[place] and ids[place] != unknown:
            # Some tokenizers count the space before a word to it.
            while start < end and text[start].isspace():
                start += 1
            begins.setdefault(start, place)
            ends[end] = place
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match[0].lower()
        # Of one letter lower case makes a letter and a mark ("İ").
        is_word = word.isalpha() and not _is_clitic(text, start, end)
        if is_word and start in begins and end in ends:
            first = begins[start]
            yield word, first, ends[end] - first + 1, start, end, ids[first]


def _is_clitic(text: str, start: int, end: int) -> bool:
    """Tell whether a run of letters is one of the two parts of "don't", or the "s" of "she's"."""
    if (
        text[max(start - 1, 0) : start] in _APOSTROPHES
        and text[max(start - 2, 0) : start - 1].isalpha()
    ):
        return text[start:end].lower() in _CLITICS
    return _NOT.match(text, end) is not None
