"""Splitting texts into words and gaps."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.tokens import is_latin, tokenize


def _joined(text: str) -> str:
    tokens = tokenize(text)
    pieces = [tokens.gaps[0]]
    for word, gap in zip(tokens.words, tokens.gaps[1:], strict=True):
        pieces += [word, gap]
    return "".join(pieces)


@given(st.text())
def test_no_character_is_lost(text: str) -> None:
    """Words and gaps put together again are the text."""
    assert _joined(text) == text


@given(st.text())
def test_words_start_where_they_say(text: str) -> None:
    """Each word stands in the text from its start to its end."""
    tokens = tokenize(text)
    for index, word in enumerate(tokens.words):
        assert text[tokens.starts[index] : tokens.end(index)] == word


@given(st.text())
def test_lower_case_words_line_up(text: str) -> None:
    """There is one lower-case word for each word, of the same length."""
    tokens = tokenize(text)
    for lower, word in zip(tokens.lower, tokens.words, strict=True):
        assert len(lower) == len(word)
        assert lower == word.lower() or len(word.lower()) != len(word)


@given(st.text() | st.text(alphabet=st.characters(max_codepoint=300)))
def test_every_text_is_split_the_same(text: str) -> None:
    """The fast way for Latin letters finds the words that the general expression finds."""
    assert tokenize(text).gaps == re.split(r"[^\W_]+", text)
    assert tokenize(text).words == re.findall(r"[^\W_]+", text)


@given(st.text() | st.text(alphabet=st.characters(max_codepoint=300)))
def test_one_word_or_gap_is_that_of_all(text: str) -> None:
    """A word or a gap that is asked for by itself is the one in the list."""
    tokens = tokenize(text)
    assert [tokens.gap(index) for index in range(len(tokens.lower) + 1)] == tokens.gaps
    assert [tokens.word(index) for index in range(len(tokens.lower))] == tokens.words
    assert [tokens.is_capitalised(index) for index in range(len(tokens.lower))] == [
        word[0].isupper() for word in tokens.words
    ]


@pytest.mark.parametrize(
    ("text", "word", "alone"),
    [
        ("he left", "he", True),
        ("'he' left", "he", True),
        ("_he_ left", "he", True),
        ("user_he", "he", False),
        ("he_user", "he", False),
        ("y'all", "all", False),
        ("s/he", "he", False),
        ("(s)he", "he", False),
        ("she/he", "he", True),
        ("(she)he", "he", False),
        ("@he", "he", False),
        ("#he", "he", False),
        ("\\he", "he", False),
        ("he\u20e3", "he", False),
    ],
)
def test_a_part_of_something_else_is_not_alone(text: str, word: str, alone: bool) -> None:
    """A word inside an identifier, a contraction, a handle or an accented word is not alone."""
    tokens = tokenize(text)
    assert tokens.is_alone(tokens.words.index(word)) is alone


@pytest.mark.parametrize(
    ("text", "index", "opens"),
    [
        ("Will you", 0, True),
        ("Yes. Will you", 1, True),
        ("“Will you", 0, True),
        ("said: Will you", 1, True),
        ("said ``Will you''", 1, True),
        ("said „Will you“", 1, True),
        ("said «Will you»", 1, True),
        ("the ``great`` Will", 2, False),
        ("- Will you", 0, True),
        ("one--Will you", 1, True),
        ("I saw Will", 2, False),
        ("so, Will", 1, False),
    ],
)
def test_sentence_openings_are_seen(text: str, index: int, opens: bool) -> None:
    """A word behind the end of a sentence, a colon or an opening quote opens a sentence."""
    assert tokenize(text).opens_sentence(index) is opens


@given(st.characters())
def test_letters_beyond_latin_are_seen(letter: str) -> None:
    """A text is taken for Latin only if all its letters and digits are of Latin-1."""
    if is_latin(letter):
        assert letter <= "\u00ff" or not letter.isalnum()
