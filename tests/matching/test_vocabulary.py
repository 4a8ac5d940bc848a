"""Words by number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.places import Place
from fair_datasets.matching.vocabulary import Vocabulary, hash_of, hashes, vocabulary
from fair_datasets.matching.words import Words

LATIN = st.text(alphabet=st.characters(max_codepoint=255), min_size=1)


def _numbers(words: Vocabulary, asked: list[str]) -> list[int]:
    """Look words up by their hashes."""
    return words.numbers(np.array([hash_of(word) for word in asked], np.uint64)).tolist()


@given(st.lists(LATIN), st.lists(LATIN))
def test_words_are_found_by_their_hashes(known: list[str], more: list[str]) -> None:
    """Whatever their number, and after others were taken up."""
    words = Vocabulary()
    numbers = words.add(known).tolist()
    assert _numbers(words, known) == numbers
    words.add(more)
    assert _numbers(words, known) == numbers
    assert [words.word(number) for number in numbers] == known
    for word in more:
        assert words.number(word) == _numbers(words, [word])[0]


@given(st.lists(LATIN, min_size=1))
def test_a_word_is_hashed_alike_wherever_it_stands(words: list[str]) -> None:
    """Its neighbours are no part of it."""
    content = " ".join(words).encode("latin-1")
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - np.array([len(word) for word in words])
    assert hashes(content, starts, ends).tolist() == [hash_of(word) for word in words]


def test_many_words_have_many_hashes() -> None:
    """Words that differ in one letter among them."""
    words = [f"{a}{b}{c}x{d}" for a in "abcdé" for b in "abcdé" for c in "abcdé" for d in "abcdé"]
    assert len({hash_of(word) for word in words}) == len(words)


def test_words_beyond_latin_have_numbers_but_no_hash() -> None:
    """They are looked up by their letters."""
    words = Vocabulary()
    (number,) = words.add(["łukasz"]).tolist()
    assert (words.number("łukasz"), hash_of("łukasz")) == (number, 0)
    assert _numbers(words, ["?ukasz"]) == [0]


def test_expected_words_are_taken_up_before_texts_are_read() -> None:
    """They are asked for once, and not before."""
    words, asked = Vocabulary(), []

    def expected() -> list[str]:
        asked.append(True)
        return ["he"]

    words.expect(expected)
    assert (len(words), asked) == (1, [])
    assert _numbers(words, ["he", "she"]) == [1, 0]
    _numbers(words, ["he"])
    assert asked == [True]


def test_a_kind_is_told_of_words_that_came_later() -> None:
    """An answer is kept, and grows with the words; 0 is of no kind."""
    words, asked = Vocabulary(), []

    def is_short(word: str) -> bool:
        asked.append(word)
        return len(word) < 3

    assert words.those(is_short, np.array([0])).tolist() == [False]
    numbers = words.add(["he", "she", "he"])
    assert words.those(is_short, numbers).tolist() == [True, False, True]
    words.add(["it"])
    assert words.those(is_short, np.array([0, 3, 2, 1])).tolist() == [False, True, False, True]
    assert asked == ["he", "she", "it"]


@pytest.mark.parametrize("text", ["brandnewword is here", "He is a Grünfeldisch man, ŁŁŁ"])
def test_new_words_change_nothing_about_texts_that_were_read(text: str) -> None:
    """What was asked before is answered the same when the vocabulary has grown."""
    here = Place(lambda found: found.places)
    kinds = (str.isalpha, lambda word: "w" in word)
    words = Words([text])

    def answers() -> list[list[bool]]:
        found = Candidates(words, np.flatnonzero(~words.is_end))
        return [found.holds(here.that(kind)).tolist() for kind in kinds]

    before, numbers = answers(), words.number.tolist()
    vocabulary().add([*words.tokens(0).lower, *(f"grown{text}{count}" for count in range(5000))])
    assert answers() == before
    # A word that was in no list has a number since; no number is another one.
    assert all(before in (0, now) for before, now in zip(numbers, words.number, strict=True))
    assert Words([text]).number[:-2].all()
