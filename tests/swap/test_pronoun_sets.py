"""Tests of the sets of pronouns."""

import csv
from pathlib import Path

import pytest

import fair_datasets.swap.pronoun_sets as module
from fair_datasets.swap.pronoun_sets import (
    available_pronoun_sets,
    check_pronoun_set,
    pronoun_set,
)
from fair_datasets.system.checks import InputError

INFLECTIONS = {"subject", "object", "determiner", "possessive", "reflexive"}


@pytest.mark.parametrize("name", available_pronoun_sets())
def test_every_set_has_every_form(name: str) -> None:
    """Each set has one form in lower case for each inflection, and begins with its subject."""
    forms = pronoun_set(name).forms
    assert set(forms) == INFLECTIONS
    assert all(form.isalpha() and form.islower() for form in forms.values())
    assert name.split("/")[0] == forms["subject"]


def test_only_they_takes_plural_verbs() -> None:
    """They are, xe is."""
    plural = {name for name in available_pronoun_sets() if pronoun_set(name).verbs_are_plural}
    assert plural == {"they", "they/themselves"}


def test_the_two_sets_of_they_differ_in_the_reflexive_alone() -> None:
    """Themself and themselves; the rest is the same."""
    one, other = pronoun_set("they").forms, pronoun_set("they/themselves").forms
    assert {key for key in INFLECTIONS if one[key] != other[key]} == {"reflexive"}
    assert (one["reflexive"], other["reflexive"]) == ("themself", "themselves")


def test_the_forms_cannot_be_changed() -> None:
    """The table is shared by all callers, so nobody can write to it."""
    with pytest.raises(TypeError):
        pronoun_set("xe").forms["subject"] = "ze"  # type: ignore[index]


@pytest.mark.parametrize("name", ["thy", "", None, 3, ["they"]])
def test_an_unknown_set_is_an_error_that_lists_the_sets(name: object) -> None:
    """The sentence names the owner, the parameter and the sets that exist."""
    with pytest.raises(InputError, match=r"^Blindness: pronouns must be one of 'they', .*'fae'"):
        check_pronoun_set(name, owner="Blindness")
    with pytest.raises(InputError, match=r"^pronoun_set: name must be one of"):
        pronoun_set(name)  # type: ignore[arg-type]


def test_every_row_of_the_table_states_its_source_and_a_known_number() -> None:
    """The names are unique, the verbs are plural or singular, and nothing is empty."""
    path = Path(module.__file__).with_name("pronoun_sets.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["set"] for row in rows]
    assert len(set(names)) == len(names)
    assert {row["verbs"] for row in rows} == {"plural", "singular"}
    assert all(all(row.values()) for row in rows)
