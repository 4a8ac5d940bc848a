"""Rows that the swap makes of texts: only where it can tell whom the words are about."""

import re
from functools import cache

import pytest
from datasets import Dataset

from fair_datasets import find_terms
from fair_datasets.rewriters.perturber.data import COLUMNS, perturbations
from fair_datasets.rewriters.perturber.swapped import (
    PEOPLE,
    swap_perturbations,
    two_person_perturbations,
)


def made(*texts: str | None, **options: object) -> list[tuple[str, ...]]:
    """Return the rows of texts."""
    found = swap_perturbations(Dataset.from_dict({"text": list(texts)}), "text", **options).rows  # type: ignore[arg-type]
    return list(zip(*(found[column] for column in COLUMNS), strict=True))


@pytest.mark.parametrize(
    ("text", "word", "target", "perturbed"),
    [("My uncle sold his car.", {"uncle", "his"}, "woman", "My aunt sold her car."),
     ("She met a waiter.", {"She"}, "man", "He met a waiter."),
     ("An actor said so.", {"actor"}, "woman", "An actress said so."),
     ("Her SON left.", {"SON"}, "woman", "Her DAUGHTER left.")],
)  # fmt: skip
def test_what_is_asked_for(text: str, word: set[str], target: str, perturbed: str) -> None:
    """The word as it stands there; what is said of the other gender stays."""
    (row,) = made(text, targets=target, joined=0)
    assert row[0] == text
    assert row[1] in word
    assert row[2:] == (target, perturbed)


def test_nobody_is_asked_for_where_it_is_not_sure() -> None:
    """Several of one attribute, or many at once; it is counted."""
    texts = ["The king saw the waiter and his son.", "He told his brother.", "The men left."]
    rows = Dataset.from_dict({"text": [*texts, "She left.", "Rain.", None, ""]})
    found = swap_perturbations(rows, "text", joined=0)
    assert found.rows["original"][:] == ["She left."]
    told = {"nobody is mentioned": 1, "it is not sure whom the words are about": 3}
    assert found.dropped == told


def test_whom_a_name_names_is_asked_of_a_reader(nameless: str) -> None:
    """Which may know no names."""
    assert [row[1] for row in made("Mary left.", "He ran.", joined=0)] == ["Mary", "He"]
    assert [row[1] for row in made("Mary left.", "He ran.", joined=0, reader=nameless)] == ["He"]


def test_texts_about_one_person_are_joined() -> None:
    """The one changes and the other stays, whichever comes first; pronouns follow a noun."""
    people = ["waiter", "king", "uncle", "prince", "monk", "wizard", "duke", "groom", "host"]
    texts = [f"The {name} said on day {day} that he was late." for name in people for day in (1, 2)]
    rows = made(*texts, targets="woman", joined=1.0)
    both = [row for row in rows if row[0].count("day") == 2]
    assert len(both) > 5
    firsts = set()
    for original, word, _, perturbed in both:
        before, after = (text.replace(". ", ".\n").split("\n") for text in (original, perturbed))
        changed = [one != two for one, two in zip(before, after, strict=True)]
        assert sum(changed) == 1
        asked = before[changed.index(True)]
        assert word in asked
        assert f" {word} " not in before[changed.index(False)] or word in ("he", "He")
        firsts.add(changed[0])
    assert firsts == {True, False}
    alone = made("He was late.", "He said so.", "She left.", joined=1.0)
    assert {row[0] for row in alone} == {"He was late.", "He said so.", "She left."}


def test_other_axes_and_targets() -> None:
    """Ages and religions; no target is the attribute itself."""
    (row,) = made("A 20-year-old spoke.", axis="age", targets="senior")
    assert row[2] == "senior"
    rows = made("A Muslim woman prayed.", "A Hindu priest left.", axis="religion", joined=0)
    assert all(row[2] not in row[0].lower() for row in rows)
    assert len({row[2] for row in made(*(f"He left on day {k}." for k in range(40)))}) == 2


def test_the_rows_can_be_trained_on() -> None:
    """And are the same whatever else is in the dataset, but for whom they are joined with."""
    texts = [f"The waiter brought his plate {k} to a woman." for k in range(30)]
    found = swap_perturbations(Dataset.from_dict({"text": texts}), "text", joined=0)
    assert perturbations(found.rows).dropped == {}
    some = swap_perturbations(Dataset.from_dict({"text": texts[10:20]}), "text", joined=0)
    assert some.rows[:] == found.rows[10:20]


def test_rows_that_the_swap_leaves_as_a_whole_are_dropped_with_the_reason() -> None:
    """What is taught as right would not be."""
    texts = ["The Pope met a Catholic.", "A Catholic left.", "A Muslim met a Christian."]
    found = swap_perturbations(
        Dataset.from_dict({"text": texts}), "text", axis="religion", targets="muslim", joined=0
    )
    assert found.rows["original"][:] == ["A Catholic left."]
    assert found.dropped == {
        "another word of the row is tied to the group": 1,
        "two groups of the row would become one": 1,
    }


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


def test_sentences_about_two_people_can_be_trained_on() -> None:
    """None is faulty, none comes twice, and they follow from the seed."""
    found = two_person_perturbations(500)
    assert perturbations(found).dropped == {}
    assert len(set(zip(found["original"], found["selected_word"], strict=True))) == 500
    assert two_person_perturbations(5)[:] == two_person_perturbations(5)[:]
    assert two_person_perturbations(5)[:] != two_person_perturbations(5, seed=1)[:]
