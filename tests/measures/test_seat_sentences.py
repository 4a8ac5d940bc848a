"""Tests of the sentences of SEAT."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.measures.seat_sentences import load_seat_sentences, seat_sentences
from fair_datasets.measures.weat_words import weat_test, weat_tests
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize("name", weat_tests())
def test_every_word_stands_in_six_sentences(name: str) -> None:
    """So that each weighs the same, and no sentence is written twice in a set."""
    sentences = seat_sentences(name)
    test = weat_test(name)
    sizes = {"X": test.X, "Y": test.Y, "A": test.A, "B": test.B}
    assert Counter(sentences["sets"]) == {letter: 6 * len(words) for letter, words in sizes.items()}
    assert len(set(zip(*sentences.values(), strict=True))) == len(sentences["texts"])
    assert not any("{" in text or "  " in text for text in sentences["texts"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("C1", "This is an aster."),
        ("C1", "This is a clover."),
        ("C1", "This is gentle."),
        ("C3b", "Here is a European American."),
        ("C3b", "Here is an Irish American."),
        ("C6", "Amy is here."),
        ("C6", "These are parents."),
        ("C7", "It is algebra."),
        ("C8", "Einstein is there."),
    ],
)
def test_sentences_suit_the_kind_of_word(name: str, sentence: str) -> None:
    """Names and mass nouns go without an article, plurals with a plural verb."""
    assert sentence in seat_sentences(name)["texts"]


def test_words_that_are_left_out_have_no_sentence() -> None:
    """All other sentences stay, in their order."""
    whole, part = seat_sentences("C6"), seat_sentences("C6", without=["John", "home"])
    kept = [
        (text, letter)
        for text, letter in zip(*whole.values(), strict=True)
        if "John" not in text and "home" not in text
    ]
    assert list(zip(*part.values(), strict=True)) == kept
    assert len(part["texts"]) == len(whole["texts"]) - 12


def test_an_unknown_test_is_told() -> None:
    """The sentence lists what exists."""
    with pytest.raises(InputError, match="name must be one of 'C1'"):
        seat_sentences("C11")


def test_a_file_of_the_user_is_read(tmp_path: Path) -> None:
    """Targets are X and Y, attributes A and B."""
    content = {
        key: {"category": key, "examples": [f"This is {key}.", f"That is {key}."]}
        for key in ("attr1", "targ1", "attr2", "targ2")
    }
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(content))
    found = load_seat_sentences(path)
    assert found["sets"] == ["X", "X", "Y", "Y", "A", "A", "B", "B"]
    assert found["texts"][2] == "This is targ2."


@pytest.mark.parametrize(
    "content", [[], {"targ1": ["a"]}, {"targ1": {"examples": []}}, {"targ1": {"examples": [3]}}]
)
def test_a_file_of_another_form_is_told(tmp_path: Path, content: Any) -> None:
    """The sentence names the first place that is missing."""
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"'test\.jsonl' has no list of sentences at 'targ1'"):
        load_seat_sentences(path)
    path.write_text("no json")
    with pytest.raises(InputError, match=r"'test\.jsonl' is not JSON"):
        load_seat_sentences(path)
