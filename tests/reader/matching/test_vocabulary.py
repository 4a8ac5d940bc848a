"""Words by number."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching import vocabulary as word_table
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef

LATIN = st.text(alphabet=st.characters(max_codepoint=255), min_size=1)


def _numbers(words: word_table.Vocabulary, asked: list[str]) -> list[int]:
    """Look words up by their hashes."""
    return words.numbers(np.array([word_table.hash_of(word) for word in asked], np.uint64)).tolist()


@given(st.lists(LATIN), st.lists(LATIN))
def test_words_are_found_by_their_hashes(known: list[str], more: list[str]) -> None:
    """Whatever their number, and after others were taken up."""
    words = word_table.Vocabulary()
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
    assert word_table.hashes(word_table.eights_of(content), starts, ends).tolist() == [
        word_table.hash_of(word) for word in words
    ]


def test_many_words_have_many_hashes() -> None:
    """Words that differ in one letter among them."""
    words = [f"{a}{b}{c}x{d}" for a in "abcdé" for b in "abcdé" for c in "abcdé" for d in "abcdé"]
    assert len({word_table.hash_of(word) for word in words}) == len(words)


def test_words_beyond_latin_have_numbers_but_no_hash() -> None:
    """They are looked up by their letters."""
    words = word_table.Vocabulary()
    (number,) = words.add(["łukasz"]).tolist()
    assert (words.number("łukasz"), word_table.hash_of("łukasz")) == (number, 0)
    assert _numbers(words, ["?ukasz"]) == [0]


def test_expected_words_are_taken_up_before_texts_are_read() -> None:
    """They are asked for once, and not before."""
    words, asked = word_table.Vocabulary(), []

    def expected() -> list[str]:
        asked.append(True)
        return ["he"]

    words.preload(expected)
    assert (len(words), asked) == (1, [])
    assert _numbers(words, ["he", "she"]) == [1, 0]
    _numbers(words, ["he"])
    assert asked == [True]


def test_a_kind_is_told_of_words_that_came_later() -> None:
    """An answer is kept, and grows with the words; 0 is of no kind."""
    words, asked = word_table.Vocabulary(), []

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
    here = TokenRef(lambda found: found.places)
    kinds = (str.isalpha, lambda word: "w" in word)
    words = TokenBatch([text])

    def answers() -> list[list[bool]]:
        candidates = Candidates(words, np.flatnonzero(~words.is_end))
        return [candidates.holds(here.that(kind)).tolist() for kind in kinds]

    before, numbers = answers(), words.number.tolist()
    word_table.vocabulary().add(
        [*words.tokens(0).lower, *(f"grown{text}{count}" for count in range(5000))]
    )
    assert answers() == before
    # A word that was in no list has a number since; no number is another one.
    assert all(before in (0, now) for before, now in zip(numbers, words.number, strict=True))
    assert TokenBatch([text]).number[:-2].all()


HERE = TokenRef(lambda found: found.places, code=lambda: "here")
ROWS = [
    "Mary told her brother that the saleswoman, Zyxwvut, had seen his aunt's grandsonish host.",
    "The wexlerologist is 40 years old; her Nigerian colleague, an actorish man, hosts it.",
    "He’s a blorfician and she a fnordwoman: their king, Mr. Qwertyson, left his queen to her.",
    "In the smurfative Muslim women's queue a black flarpist married her at 31.",
] * 3


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep seven answers at most."""
    monkeypatch.setattr(word_table, "MOST", 7)
    word_table._size = word_table.MOST
    yield
    word_table._size = word_table.MOST


@pytest.mark.usefixtures("_small")
def test_the_table_is_emptied_when_it_is_full() -> None:
    """A word is asked about again then, and as many answers are kept as may be."""
    asked: list[str] = []

    def tell(word: str) -> int:
        asked.append(word)
        return len(word)

    told = word_table.memoize(tell)
    assert [told(word) for word in ("a", "a", "bb")] == [1, 1, 2]
    assert asked == ["a", "bb"]
    several = [f"word{number}" for number in range(20)]
    assert [told(word) for word in several] == [len(word) for word in several]
    assert sum(map(len, word_table._columns)) <= word_table.MOST
    assert told("a") == 1
    assert asked == ["a", "bb", *several, "a"]
    assert told("x" * 1000) == told("x" * 1000) == 1000
    assert asked[-2:] == ["x" * 1000] * 2


@pytest.mark.parametrize("axis", ["gender", "age", "race"])
def test_a_full_table_changes_nothing(axis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are read alike with every answer kept, and with hardly any, one by one or together."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace", provenance=True)
    together = swap({"text": ROWS})
    monkeypatch.setattr(word_table, "MOST", 3)
    again = [swap({"text": [row]}) for row in reversed(ROWS)]
    again.reverse()
    for column in ("text", "edits"):
        assert [value for batch in again for value in batch[column]] == together[column]


def test_long_words_with_the_same_ends_are_told_apart() -> None:
    """Whichever of them was read first: the first and the last eight letters are the same."""
    several = [f"abcdefgh{letter}stuvwxyz" for letter in "ijk"]
    assert len({word_table.hash_of(word) for word in several}) == 1
    condition = HERE.that(lambda word: word[8] == "j")
    for words in (several, several[::-1], several * 20):
        candidates = Candidates(TokenBatch([" ".join(words)]), np.arange(len(words)))
        assert candidates.holds(condition).tolist() == [word[8] == "j" for word in words]


def test_conditions_may_be_made_after_texts_were_read() -> None:
    """A word that they ask for first, or that is taken up since, has its number there as well."""
    words = TokenBatch(["a wordofnolist and anotherofnolist"])
    candidates = Candidates(words, np.arange(4))
    assert not candidates.holds(HERE.is_word("nosuchword")).any()
    assert candidates.holds(HERE.is_word("wordofnolist")).tolist() == [False, True, False, False]
    lists = {"new": frozenset({"anotherofnolist"})}
    place = TokenRef(lambda each: each.places, lists=lists.__getitem__)
    assert candidates.holds(place.among("new")).tolist() == [False, False, False, True]
