"""The words of English by their classes."""

import csv

import pytest

from fair_datasets.reader.english.lists import CLASSES, WORDS, classes, words


def _rows(path: object) -> list[dict[str, str]]:
    with open(str(path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_an_unknown_class_is_missed_at_once() -> None:
    """No empty list stands for it."""
    with pytest.raises(KeyError, match="no_such_class"):
        words("no_such_class")


def test_each_class_has_a_meaning_and_words() -> None:
    """The two files name the same classes, once each, and say what they mean."""
    told = _rows(CLASSES)
    assert {row["class"] for row in told} == classes().keys()
    assert len({row["class"] for row in told}) == len(told)
    assert [row["class"] for row in told if not row["meaning"].endswith((".", '"'))] == []


def test_words_are_in_order_in_lower_case_with_a_source() -> None:
    """Each word has one row, so that two lists of one class cannot gainsay each other."""
    rows = _rows(WORDS)
    listed = [row["word"] for row in rows]
    assert listed == sorted(set(listed))
    assert all(word == word.lower() for word in listed)
    assert all(row["classes"] and row["source"] for row in rows)
    assert all(row["classes"].split(" ") == sorted(set(row["classes"].split(" "))) for row in rows)


def test_the_shipped_lists_are_apart() -> None:
    """An everyday word is a frequent surname or none."""
    assert words("common_words").isdisjoint(words("surname_words"))
    assert {"kelly", "chris", "jordan"} <= words("unisex_names")
