"""Rows written for names of many cultures and both genders."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.names.given_names import drawn_names
from fair_datasets.swap import NameVersions, name_versions
from fair_datasets.swap.name_versions import AMERICAN, _pairs_like
from fair_datasets.swap.placebos import listed_names

SWAP = CounterfactualSwap(columns="text")


def versions(*rows: str, **options: Any) -> NameVersions:
    """Write rows of one text."""
    return name_versions([(row,) for row in rows], SWAP, **options)


def texts_of(found: NameVersions) -> dict[tuple[int, str, str, str], str]:
    """Return each text by its row, gender, culture and name."""
    columns = found.columns()
    keys = zip(*(columns[key] for key in ("rows", "genders", "cultures", "names")), strict=True)
    texts = (text for (text,) in columns["texts"])
    return {tuple(key): text for key, text in zip(keys, texts, strict=True)}  # type: ignore[misc]


def test_a_person_is_rewritten_as_a_whole() -> None:
    """The name in all places, the pronouns and the title of one person; all else stays."""
    row = "Mrs. Mary Novak lost her bag. Mary's bag was red."
    found = versions(row, cultures=["Igbo", "Turkish"])
    assert len(texts_of(found)) == 8
    for (_, gender, culture, name), text in texts_of(found).items():
        assert name in map(plain, drawn_names()[culture][gender])
        title, pronoun = {"man": ("Mr.", "his"), "woman": ("Mrs.", "her")}[gender]
        wanted = f"{title} {name} Novak lost {pronoun} bag. {name}'s bag was red."
        assert text == wanted
    assert found.columns()["only_names"].tolist() == [False] * 8


def test_letter_case_is_kept() -> None:
    """As a swap does it."""
    columns = versions("mary paid her bill.", cultures=["Igbo"]).columns()
    several = zip(columns["names"].tolist(), columns["texts"], strict=True)
    assert all(text.startswith(f"{name.lower()} paid h") for name, (text,) in several)


def plain(name: str) -> str:
    """Write a name without accents, as a row does whose own name has none."""
    return without_accents(name).capitalize()


def test_accents_stand_where_the_row_has_them() -> None:
    """As in a swap of a name that no list has."""
    found = versions("José won.", cultures=["Turkish"], count=10)
    assert not all(map(str.isascii, found.columns()["names"].tolist()))


def test_rows_without_one_named_person_are_counted() -> None:
    """Nobody, several people, a known person, and the same text of two people."""
    found = versions(
        "Rain.", "The waiter ran.", "Barack Obama met his wife.", "John met Bob.", "John met Mary.",
        "Bob ran.", "Peter ran.", "Amy lost her keys.", "Amy lost her keys, amy said.",
    )  # fmt: skip
    assert [row.number for row in found.rows] == [5, 7]
    assert [row.only_name for row in found.rows] == [True, False]
    assert list(found.skipped.values()) == [3, 2, 1, 1]


def test_nothing_is_lost_without_rows() -> None:
    """Columns are there, and empty."""
    for rows in ((), ("Rain.",)):
        columns = versions(*rows).columns()
        assert {len(each) for each in columns.values()} == {0}


def test_american_names_are_as_frequent_and_of_the_same_time() -> None:
    """Man and woman stand in one line of the list; an old name has the nearest ones."""
    names = listed_names()
    for word in ("john", "ashley", "maude"):
        pairs = _pairs_like(word)
        both = [[names[name.lower()] for name in pair] for pair in pairs]
        assert len(pairs) >= 20
        assert {each.quarter for pair in both for each in pair} == {names[word].quarter}
        assert all(abs(man.year - woman.year) <= 20 for man, woman in both)
        if word != "maude":
            assert all(abs(each.year - names[word].year) <= 20 for pair in both for each in pair)
    drawn = versions("John ran.", cultures=[AMERICAN], count=5).rows[0].names
    assert set(zip(*drawn[:, 0].tolist(), strict=True)) <= set(_pairs_like("john"))


def test_draws_are_those_of_the_row_and_the_seed() -> None:
    """Whatever stands beside it, and whichever cultures are asked for."""
    one = texts_of(versions("John ran to town.", cultures=["Zulu"], count=3))
    both = texts_of(versions("Amy ran.", "John ran to town.", count=3))
    assert set(one.values()) <= set(both.values())
    other = texts_of(versions("John ran to town.", cultures=["Zulu"], count=3, seed=1))
    assert set(one.values()) != set(other.values())
    for row in versions(*(f"Amy ran {day} times." for day in range(30)), count=10).rows:
        assert all(len(set(names)) == 10 for gender in row.names for names in gender.tolist())


def test_names_of_a_culture_are_drawn_evenly() -> None:
    """Of 20 names, each as often as the others."""
    rows = (f"John ran on day {day}." for day in range(1500))
    names = versions(*rows, cultures=["Igbo"]).columns()["names"]
    _, counts = np.unique(names, return_counts=True)
    assert len(counts) == 40
    # Binomial: 150 of 3,000, with a standard deviation of 11.9.
    assert counts.min() > 150 - 4 * 12
    assert counts.max() < 150 + 4 * 12


def test_nobody_bears_a_name_that_stands_in_the_row() -> None:
    """Also not as a surname."""
    listed = drawn_names()["Igbo"]["man"]
    for one, other in pairwise(listed):
        found = versions(f"John {one} ran to {other}.", cultures=["Igbo"], count=10)
        assert found.rows
        assert {one, other}.isdisjoint(found.rows[0].names.ravel().tolist())


def test_several_texts_of_a_row() -> None:
    """Move together."""
    swap = CounterfactualSwap(columns=("title", "text"))
    found = name_versions([("On Amy", "Amy ran to her dog."), ("", "Amy sat.")], swap, count=2)
    for title, text in found.columns()["texts"]:
        name = text.split()[0]
        assert title in (f"On {name}", "")


def test_mistakes_are_told() -> None:
    """In one sentence."""
    with pytest.raises(InputError, match=r"each of cultures must be one of .* 'Igbos'"):
        versions("John ran.", cultures=["Igbos"])
    with pytest.raises(InputError, match="count must be at least 2, but it is 1"):
        versions("John ran.", count=1)
    with pytest.raises(InputError, match="count must be at most 10"):
        versions("John ran.", count=11)
    with pytest.raises(InputError, match="the swap must be of the axis of gender"):
        name_versions([("A nun.",)], CounterfactualSwap(columns="text", axis="age"))
