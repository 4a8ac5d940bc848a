"""Sentences about two people: who is asked for changes, and nobody else does."""

import re
from functools import cache

import pytest

from fair_datasets import InputError, find_terms
from fair_datasets.rewriters.perturber.training.data import perturbations
from fair_datasets.rewriters.perturber.training.two_people import PEOPLE, two_person_perturbations

PRONOUNS = {"he", "him", "his", "himself", "she", "her", "herself"}
WORD = re.compile(r"\w+")


@cache
def attribute_of(word: str) -> str:
    """Return the attribute of somebody who is named by a word, or of a pronoun."""
    sentence = f"The {word} spoke." if word not in PRONOUNS else word
    return find_terms(sentence)[0].attribute


def test_the_asked_person_changes_and_the_other_does_not() -> None:
    """Judged by the reader of the package: the mentions that change are those of one person."""
    found = two_person_perturbations(300, seed=1)
    one_gender = 0
    for row in found:
        before, after = WORD.findall(row["original"]), WORD.findall(row["perturbed"])
        asked, other = row[PEOPLE].split()
        assert asked == row["selected_word"]
        assert len(before) == len(after)
        changed = [(one, two) for one, two in zip(before, after, strict=True) if one != two]
        assert other not in {one for one, _ in changed}
        sources = {attribute_of(one) for one, _ in changed}
        assert len(sources) == 1
        assert {attribute_of(two) for _, two in changed} == {row["target_attribute"]} != sources
        one_gender += sources == {attribute_of(other)}
    assert 100 < one_gender < 200


def test_rows_can_be_trained_on() -> None:
    """None is faulty, and none comes twice."""
    found = two_person_perturbations(500)
    assert perturbations(found).dropped == {}
    assert len(set(zip(found["original"], found["selected_word"], strict=True))) == 500


def test_rows_follow_from_the_seed() -> None:
    """The same for the same seed, others for another."""
    assert two_person_perturbations(5)[:] == two_person_perturbations(5)[:]
    assert two_person_perturbations(5)[:] != two_person_perturbations(5, seed=1)[:]


@pytest.mark.parametrize("size", [0, -1, 1.5, 10**9])
def test_a_size_that_there_is_not(size: object) -> None:
    """It is told, and nobody waits for more sentences than there are."""
    with pytest.raises(InputError, match="size must be"):
        two_person_perturbations(size)  # type: ignore[arg-type]
