"""What is kept of words tells nothing about what was read before."""

from collections.abc import Iterator

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching import word_table
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.places import Place
from fair_datasets.matching.vocabulary import hash_of
from fair_datasets.matching.word_table import remembered
from fair_datasets.matching.words import Words

HERE = Place(lambda found: found.places, code=lambda: "here")
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
    word_table._kept = word_table.MOST
    yield
    word_table._kept = word_table.MOST


@pytest.mark.usefixtures("_small")
def test_the_table_is_emptied_when_it_is_full() -> None:
    """A word is asked about again then, and as many answers are kept as may be."""
    asked: list[str] = []

    def tell(word: str) -> int:
        asked.append(word)
        return len(word)

    told = remembered(tell)
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
    assert len({hash_of(word) for word in several}) == 1
    condition = HERE.that(lambda word: word[8] == "j")
    for words in (several, several[::-1], several * 20):
        found = Candidates(Words([" ".join(words)]), np.arange(len(words)))
        assert found.holds(condition).tolist() == [word[8] == "j" for word in words]


def test_conditions_may_be_made_after_texts_were_read() -> None:
    """A word that they ask for first, or that is taken up since, has its number there as well."""
    words = Words(["a wordofnolist and anotherofnolist"])
    found = Candidates(words, np.arange(4))
    assert not found.holds(HERE.is_word("nosuchword")).any()
    assert found.holds(HERE.is_word("wordofnolist")).tolist() == [False, True, False, False]
    lists = {"new": frozenset({"anotherofnolist"})}
    place = Place(lambda each: each.places, lists=lists.__getitem__)
    assert found.holds(place.among("new")).tolist() == [False, False, False, True]
