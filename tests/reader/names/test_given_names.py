"""Given names of the world."""

import csv
from pathlib import Path

import numpy as np
import pytest

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.names import given_names
from fair_datasets.reader.names.given_names import names_like

CULTURES = Path(given_names.__file__).with_name("cultures.tsv")


@pytest.mark.parametrize(("name", "culture", "gender"), [
    ("nneka", "Igbo", "woman"), ("ayse", "Turkish", "woman"), ("piotr", "Polish", "man"),
    ("xiuying", "Chinese", "woman"), ("vladimir", "Russian", "man"), ("priya", "Indian", "woman"),
])  # fmt: skip
def test_a_name_is_known_with_its_culture(name: str, culture: str, gender: str) -> None:
    """And nearly all who bear it are of one gender."""
    told = given_names.known(name)
    assert told is not None
    assert (culture, gender) in told.cultures
    assert (given_names.share_of_women(name) > 0.5) == (gender == "woman")


@pytest.mark.parametrize(("name", "target", "like"), [
    ("nneka", "man", "Obinna"), ("obinna", "woman", "Nneka"), ("ayse", "man", "Mehmet"),
    ("agnieszka", "man", "Wojciech"), ("fatima", "man", "Mustafa"), ("ximena", "man", "Hernán"),
])  # fmt: skip
def test_names_of_the_same_cultures_are_drawn(name: str, target: str, like: str) -> None:
    """Names of the other gender, none of which the first one's gender bears."""
    names = names_like(name, target)
    assert names is not None
    assert like in names
    assert len(names) >= given_names.FEWEST
    assert {
        given_names.share_of_women(given_names.without_accents(each)) > 0.5 for each in names
    } == {target == "woman"}


def test_a_name_of_no_culture_and_one_of_a_small_list() -> None:
    """Nothing is drawn for either: the one is on no list, of the other's there are too few."""
    assert names_like("qwrtz", "man") is names_like("xyla", "man") is None
    assert names_like("fatemeh", "man") == ()


def test_frequent_names_are_exchanged_with_frequent_ones() -> None:
    """Where the source of the culture has frequencies."""
    lists, is_ordered = given_names.names_by_culture()["Finnish"]
    assert is_ordered
    first = names_like("marjatta", "man")
    assert first is not None
    places = [lists["man"].index(name) for name in first]
    assert max(places) < len(lists["man"]) / 2


def test_a_word_is_no_name_because_a_table_has_it() -> None:
    """What its neighbours say is moved, and no more."""
    assert given_names.known("june") is not None
    odds = np.array([given_names.log_odds(name) for name in ("june", "smith", "nomvula", "qwrtz")])
    given, family = np.array([0.0, 0.1, 0.1, 0.1]), np.array([0.0, 0.3, 0.3, 0.3])
    june, smith, nomvula, unknown = given_names.chance(odds, given, family).tolist()
    assert june < 0.01
    assert smith < 0.1 < nomvula <= 0.4
    assert unknown == 0.1


def test_every_listed_name_counts_once_for_each_of_its_endings() -> None:
    """That of no letters is the end of all."""
    listed = [gender for entry in load_lexicon("first_names").entries
              for gender, forms in entry.forms.items() for _ in forms]  # fmt: skip
    assert given_names._endings()[""] == (listed.count("woman"), len(listed))


def test_every_culture_names_its_source() -> None:
    """Locales of Faker say what their comments name, or that they name nothing."""
    with CULTURES.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert all(bool(row["source"]) == bool(row["locales"]) for row in rows)
    assert {row["culture"] for row in rows} == given_names.names_by_culture().keys()


def test_names_of_both_genders() -> None:
    """The cultures of a gender have its names; those of many Americans are on their list."""
    assert [given_names.is_of_both(name) for name in ("andrea", "gail", "nneka", "xyla")] == [
        1, 1, 0, 0,
    ]  # fmt: skip
    assert [given_names.is_even(name) for name in ("casey", "andrea", "xyla")] == [1, 0, 0]
    men, women = names_like("andrea", "woman", "man"), names_like("andrea", "man", "woman")
    assert men is not None
    assert "Giada" in men
    assert women is None or "Giada" not in women
    assert names_like("chris", "woman") is None
    assert names_like("guadalupe", "man", "woman")
