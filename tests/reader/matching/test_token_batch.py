"""Texts as columns of words."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fair_datasets.reader.matching import token_batch as module
from fair_datasets.reader.matching.letters import composed, looked_up
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.matching.vocabulary import vocabulary

PIECES = [
    "he", "HE", "She", "Señor", "ß", "Łukasz", "ŁÓDŹ", "Ωmega", "中文", "İ", "\u01c5", "a1", "12",
    "²", "½", "ª", "x", "grandmotherly", "counterrevolutionaries", "’", "'", '"', " ", "\n",
    "\x00", "\x80", "\x81", "\x82", "\x83", "\x85", ".", ",", "-", "…", "—", "@", "_", "\u0301",
    "\xad", "\ud800", "😀",
]  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


@settings(deadline=None)
@given(st.lists(TEXTS))
@example([""])
@example([])
@example(["", "", "he", ""])
def test_texts_are_split_as_one_by_itself(texts: list[str]) -> None:
    """The words, where they begin, and what lies between them."""
    words = TokenBatch(texts)
    assert len(words.first) == len(texts) + 1
    for number, text in enumerate(texts):
        tokens, cut = tokenize(text), words.tokens(number)
        assert (cut.text, cut.lower, cut.starts) == (text, tokens.lower, tokens.starts)
        assert (cut.words, cut.gaps) == (tokens.words, tokens.gaps)
        first, end = words.first[number], words.first[number + 1] - 1
        assert words.is_end[first : end + 1].tolist() == [False] * len(tokens.lower) + [True]
        assert set(words.owner[first : end + 1].tolist()) == {number}
        assert [words.lower(place) for place in range(first, end)] == tokens.lower
        signs = [words.signs.text(sign) for sign in words.sign[first : end + 1].tolist()]
        assert signs == tokens.gaps
        starts = words.start[first:end] - words.offset[number]
        assert starts.tolist() == tokens.starts


@settings(deadline=None)
@given(st.lists(TEXTS))
def test_columns_say_of_words_what_strings_say_of_themselves(texts: list[str]) -> None:
    """Capitals, small letters, digits, length and endings."""
    words = TokenBatch(texts)
    # An accent that stands behind its letter is part of it.
    written = [composed(word) for text in texts for word in tokenize(text).words]
    places = np.flatnonzero(~words.is_end)
    assert words.is_capital(places).tolist() == [word[0].isupper() for word in written]
    assert words.length(places).tolist() == [len(word) for word in written]
    assert words.is_digits(places).tolist() == [
        all(c.isdigit() and c <= "\xff" for c in word) for word in written
    ]
    for letters in filter(_is_of_cased_letters, written):
        at = places[[written.index(letters)]]
        assert bool(words.is_upper(at)[0]) == letters.isupper()
        assert bool(words.is_lower(at)[0]) == letters.islower()
        assert bool(words.is_title(at)[0]) == letters.istitle()
    lower = [words.lower(place) for place in places.tolist()]
    ends = [word.endswith(("ed", "ily", "é")) for word in lower]
    assert words.ending(places, ("ed", "ily", "é")).tolist() == ends


def _is_of_cased_letters(word: str) -> bool:
    return all(c.isupper() or c.islower() for c in word)


@given(st.lists(TEXTS))
def test_where_a_text_ends_is_no_word(texts: list[str]) -> None:
    """It is of no kind and no length."""
    words = TokenBatch(texts)
    ends = np.flatnonzero(words.is_end)
    for of in (words.is_capital, words.is_upper, words.is_lower, words.is_title, words.is_digits):
        assert not of(ends).any()
    assert not words.length(ends).any()
    assert not words.number[ends].any()


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1), st.data())
def test_texts_are_the_same_words_however_they_are_divided(
    texts: list[str], data: st.DataObject
) -> None:
    """A text beside others has the numbers, signs and hashes that it has by itself."""
    vocabulary().add(word for text in texts for word in tokenize(text).lower)
    cut = data.draw(st.integers(0, len(texts)))
    together, parts = TokenBatch(texts), [TokenBatch(texts[:cut]), TokenBatch(texts[cut:])]
    for column in ("number", "hash", "is_end"):
        values = [getattr(part, column)[:-1].tolist() for part in parts]
        assert getattr(together, column)[:-1].tolist() == [*values[0], *values[1]]
    signs = [[part.signs.text(s) for s in part.sign[:-1].tolist()] for part in parts]
    assert [together.signs.text(s) for s in together.sign[:-1].tolist()] == [*signs[0], *signs[1]]


@settings(deadline=None)
@given(st.lists(TEXTS))
@example(["İ"])
@example(["jì"])
@example(["He", "Jì jì"])
def test_a_word_has_its_number_in_the_vocabulary(texts: list[str]) -> None:
    """A word that the vocabulary does not know has none; names are looked up without accents."""
    words = TokenBatch(texts)
    for place in np.flatnonzero(~words.is_end).tolist():
        word = words.lower(place)
        # In texts without capitals, names have none.
        is_name = words.is_small[words.owner[place]] or not words.is_lower(np.array([place])).all()
        if not is_name or looked_up(word) == word:
            assert words.number[place] == vocabulary().number(composed(word))


@pytest.mark.parametrize("middle", ["x", "é", "Ł"])
def test_long_words_that_begin_and_end_alike_are_told_apart(middle: str) -> None:
    """The first and the last eight letters do not tell a long word."""
    known = "abcdefgh" + "y" + "ijklmnop"
    (number,) = vocabulary().add([known]).tolist()
    words = TokenBatch([f"{known} abcdefgh{middle}ijklmnop {known.upper()}"])
    assert words.number.tolist() == [number, 0, number, 0, 0]


def test_a_text_made_of_many_signs_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there are too many kinds of signs, others are begun, and those of old texts stay."""
    before = TokenBatch(["he --- left"])
    monkeypatch.setattr(type(before.signs), "is_full", True)
    after = TokenBatch(["he +++ left"])
    assert after.signs is not before.signs
    assert after.signs is module._signs
    assert before.signs.text(before.sign[1]) == " --- "
    assert after.signs.text(after.sign[1]) == " +++ "
