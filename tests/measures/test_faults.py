"""Tests of how faulty rows of benchmarks are told and left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.measures.faults import (
    BenchmarkFaultWarning,
    changed_words,
    settle_faults,
    words_of,
)

COLUMNS = {"a": [1, 2, 3], "b": [4, 5, 6]}
WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6).map(" ".join)


def test_rows_of_several_faults_count_once() -> None:
    """In all, and once for each fault; those without any are not named."""
    told = r"settle_faults: 2 of 3 lines are faulty and left out \(odd: 1; even: 2\); faulty='keep'"
    with pytest.warns(BenchmarkFaultWarning, match=told):
        found = settle_faults(
            COLUMNS,
            {"odd": {0}, "even": {0, 2}, "prime": set()},
            "drop",
            what="lines",
        )
    assert found == {"a": [2], "b": [5]}


def test_what_is_kept_is_told() -> None:
    """With how to leave it out."""
    told = r"1 of 3 pairs is faulty and kept \(odd: 1\); faulty='drop' leaves it out"
    with pytest.warns(BenchmarkFaultWarning, match=told):
        assert settle_faults(COLUMNS, {"odd": {0}}, "keep") == COLUMNS


@pytest.mark.filterwarnings("error")
def test_nothing_is_told_where_nothing_is_faulty() -> None:
    """And nothing is left out."""
    assert settle_faults(COLUMNS, {"odd": set()}, "drop") == COLUMNS


@given(WORDS, WORDS)
def test_changed_words_are_between_what_is_shared(first: str, second: str) -> None:
    """With the same words before and after them, the sentences are whole again."""
    one, other = (words.split() for words in changed_words(first, second))
    shared = len(words_of(first)) - len(one)
    assert shared == len(words_of(second)) - len(other)
    assert (one == other == []) == (first == second)
    assert any(
        words_of(sentence)[:start] + words + words_of(sentence)[start + len(words) :]
        == words_of(sentence)
        and words_of(first)[:start] == words_of(second)[:start]
        and words_of(first)[start + len(one) :] == words_of(second)[start + len(other) :]
        for start in range(shared + 1)
        for sentence, words in ((first, one), (second, other))
    )
    assert changed_words(second, first) == (" ".join(other), " ".join(one))
