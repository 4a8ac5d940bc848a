"""The words of English texts, divided as NLTK divides them, which follows the Penn Treebank.

Most word vectors, and the published scores, are of such words: "don't" is "do" and "n't". It is one
pattern, as the fast tokenizer of an encoder takes nothing else, and as loading NLTK takes longer
than scoring 100,000 sentences. Unlike NLTK's own it takes a curly apostrophe for a straight one,
and a full stop for the end of a sentence inside a text too.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

# Signs that are never part of a word.
_SIGN = r"\s;@#$%&?!*()\[\]{}<>\"`«»“”„‘‒-―"
# A sign of a word: also a comma or colon before a digit, and one dot, hyphen or apostrophe.
_PART = rf"(?:[^{_SIGN},:.'’-]|[,:](?=\d)|(?<!\.)\.(?!\.)|(?<!-)-(?!-)|(?<!['’])['’](?!['’]))"
# Where a word ends: dots and apostrophes behind it are no part of it.
_END = rf"(?=[.'’]*(?!{_PART}))"
_CLITIC = r"(?:['’](?:[sS]|[mM]|[dD]|ll|LL|re|RE|ve|VE)|n['’]t|N['’]T)"
# What is written as one word, up to where it is cut.
_TWO_WORDS = r"(?i:can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na(?![\w-])))"
WORD = (
    rf"\b{_TWO_WORDS}"
    # "U.S." keeps its last dot.
    rf"|(?:[^\W\d_]\.){{2,}}(?!{_PART})"
    rf"|(?:['’](?i:re|ve|ll|m|t|s|d|n)\b|(?!['’]){_PART}){_PART}*?(?:(?={_CLITIC}{_END})|{_END})"
)
"""The pattern of a word, or of a sign between spaces such as "-", for `re` and `tokenizers`."""

_WORD = re.compile(WORD)
_BETWEEN_SPACES = re.compile(r"\S+")


def words_of(texts: Iterable[str]) -> list[list[str]]:
    """Return the words of each text; punctuation is none.

    Source:
        NLTK's `NLTKWordTokenizer`, after R. MacIntyre's tokenizer of the Penn Treebank.
    """
    return [list(chain.from_iterable(map(_words, text.split()))) for text in texts]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end, in characters."""
    return [
        (piece.start() + start, piece.start() + end)
        for piece in _BETWEEN_SPACES.finditer(text)
        for start, end in _divided(piece.group())
    ]


# Words come again, and dividing one takes far longer than looking it up.
@lru_cache(maxsize=100_000)
def _words(piece: str) -> tuple[str, ...]:
    """Return the words of what stands between two spaces."""
    return tuple(piece[start:end] for start, end in _divided(piece))


@lru_cache(maxsize=100_000)
def _divided(piece: str) -> tuple[tuple[int, int], ...]:
    """Return where the words of what stands between two spaces begin and end."""
    found = (match.span() for match in _WORD.finditer(piece))
    return tuple(span for span in found if any(map(str.isalnum, piece[slice(*span)])))
