"""The words beside a word."""

import pytest

from fair_datasets.reader.english.neighbours import (
    FOLLOWER,
    HAS_DETERMINER,
    HERE,
    NEXT_IN_PHRASE,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
    everyday,
    stands_in_headline,
)
from fair_datasets.reader.matching.tokens import tokenize
from tests.reader.english.asking import every_word, holds, word_at


@pytest.mark.parametrize(
    ("sentence", "found"),
    [("the [king]", True), ("a very old [king]", False), ("a tall old [king]", True),
     ("as [king]", False), ("Mary's [king]", True), ("the, [king]", False),
     ("the end of [king]", False), ("[king]", False)],
)  # fmt: skip
def test_a_determiner_is_found_before_up_to_two_words(sentence: str, found: bool) -> None:
    """Punctuation and function words end the noun phrase."""
    assert holds(HAS_DETERMINER, sentence) is found


@pytest.mark.parametrize(("sentence", "before", "behind"), [
    ("[the] king's son, a boy", "", "king"),
    ("the [king]'s son, a boy", "the", "s"),
    ("the king's [son], a boy", "s", ""),
    ("the king's son, [a] boy", "", "boy"),
    ("the king's son, a [boy]", "a", ""),
])  # fmt: skip
def test_neighbours_stand_behind_white_space(sentence: str, before: str, behind: str) -> None:
    """The next word may also stand behind an apostrophe."""
    assert word_at(WORD_BEFORE, sentence) == before
    assert word_at(WORD_BEHIND, sentence) == behind


@pytest.mark.parametrize(
    ("sentence", "found"),
    [("[Mark] Hill", "hill"), ("[Mark] de la Hill", "hill"), ("[Mark] A. Hill", "a"),
     ("[Mark] A", ""), ("[Mark] The", ""), ("[Mark], Hill", ""), ("[Mark] left", ""),
     ("[Mark]", ""), ("[Mark] de", "")],
)  # fmt: skip
def test_the_next_capitalised_word_may_be_a_surname(sentence: str, found: str) -> None:
    """It is looked for behind particles, and is no function word."""
    assert word_at(FOLLOWER, sentence) == found


@pytest.mark.parametrize(
    ("sentence", "found"), [("[Mark] left", "left"), ("[Mark], left", ""), ("[Mark]", "")]
)
def test_the_next_word_stands_behind_a_space(sentence: str, found: str) -> None:
    """A comma or the text's end stands between."""
    assert word_at(NEXT_IN_PHRASE, sentence) == found


@pytest.mark.parametrize(
    ("sentence", "found"), [("[MARK]", True), ("[Mark]", False), ("[A]", False)]
)
def test_capitals_only_are_two_letters_at_least(sentence: str, found: bool) -> None:
    """A single capital letter says nothing."""
    assert holds(HERE.is_upper, sentence) is found


@pytest.mark.parametrize("text", [
    "Will you. Will you “Will you said: Will you said ``Will you''",
    "said „Will you“ said «Will you» the ``great`` Will - Will you",
    "one--Will you I saw Will so, Will (so *it (goes [on • and / on | and on",
])  # fmt: skip
def test_a_word_opens_a_sentence_and_stands_in_a_headline_as_its_text_says(text: str) -> None:
    """The columns tell what one text by itself tells."""
    tokens, found = tokenize(text), every_word(text)
    count = range(len(tokens.lower))
    assert found.holds(OPENS_SENTENCE).tolist() == [tokens.opens_sentence(k) for k in count]
    headline = found.holds(stands_in_headline(HERE)).tolist()
    assert headline == [tokens.is_headline(k) for k in count]


@pytest.mark.parametrize(
    ("sentence", "held"),
    [("[When]", True), ("[Tell]", True), ("[quickly]", True), ("[Monday]", True),
     ("[Zuckerberg]", False), ("[Ned]", False)],
)  # fmt: skip
def test_an_everyday_word_may_open_a_sentence(sentence: str, held: bool) -> None:
    """By a list, or by its ending."""
    assert holds(everyday(HERE), sentence) is held
