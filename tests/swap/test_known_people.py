"""Rows that name known people, in every technique that reads an axis."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

from fair_datasets import (
    Blindness,
    CounterfactualSwap,
    InputError,
    MentionedAttribute,
    PerturbationAugmentation,
    PreferenceTwins,
    find_terms,
    load_technique,
)
from fair_datasets.lexicons import save_people
from fair_datasets.swap import count_mentions
from fair_datasets.testing import check_technique

TEXTS = ["Bo Li ran. She won.", "He ran.", "Toni Morrison, she won."]


@pytest.fixture
def people(tmp_path: Path) -> str:
    """Return the path of a list of one's own."""
    return str(save_people(["Bo Li"], tmp_path / "people.tsv"))


def _swap(*protect: str, **options: object) -> CounterfactualSwap:
    return CounterfactualSwap(columns="text", protect=protect, mode="replace", **options)  # type: ignore[arg-type]


def test_a_row_is_left_as_a_whole(people: str) -> None:
    """The other columns, and other axes too; a name by itself stays, with its pronouns."""
    batch = {"text": TEXTS}
    assert _swap(people)(batch)["text"] == [TEXTS[0], "She ran.", TEXTS[2]]
    assert _swap("Bo Li")(batch)["text"] == [TEXTS[0], "She ran.", TEXTS[2]]
    joint = _swap(people, axis=("gender", "race"), target=("man", "white"), joint=True)
    assert joint({"text": ["Bo Li, a Black woman.", "A Black woman."]})["text"] == [
        "Bo Li, a Black woman.", "A white man.",
    ]  # fmt: skip


@pytest.mark.parametrize(("given", "taken"), [
    ({}, ("known_people",)),
    ({"protect": "Bo Li"}, ("Bo Li", "known_people")),
    ({"protect": ["known_people", "Bo Li"]}, ("Bo Li", "known_people")),
    ({"protect": ()}, ()),
    ({"protect": []}, ()),
])  # fmt: skip
@pytest.mark.parametrize("kind", [CounterfactualSwap, PerturbationAugmentation, PreferenceTwins])
def test_known_people_are_left_unless_nobody_is(
    kind: type[CounterfactualSwap], given: dict[str, Any], taken: tuple[str, ...]
) -> None:
    """By all that rewrite: names that are given are added to them, also from a configuration."""
    made = kind(columns=("chosen", "rejected"), **given)
    assert made.protect == taken
    assert load_technique(json.loads(json.dumps(made.config()))).protect == taken


def test_who_is_read_and_counted_is_nobody_less(people: str) -> None:
    """What counts, scores and finds leaves nobody out, unless it is told to."""
    batch = {"text": TEXTS}
    assert MentionedAttribute(columns="text")(batch)["group"] == ["woman", "man", "woman"]
    assert sum(count_mentions(Dataset.from_dict(batch), "text").values()) == 4
    assert not [term.text for term in find_terms(TEXTS[2]) if "known" in term.reason]


def test_all_that_read_an_axis_leave_such_rows(people: str) -> None:
    """They have no mention."""
    batch = {"text": TEXTS[:2]}
    assert Blindness(columns="text", protect=people)(batch)["text"] == [TEXTS[0], "ran."]
    assert MentionedAttribute(columns="text", protect=people)(batch)["group"] == [None, "man"]
    counts = count_mentions(Dataset.from_dict(batch), "text", protect=people)
    assert sum(counts.values()) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_the_contract_is_kept(people: str) -> None:
    """By techniques with a list."""
    check_technique(_swap(people), {"text": TEXTS[:2]})


def test_another_list_is_another_technique(people: str) -> None:
    """Its digest is part of the state: datasets sees an edited list, and not one that is not."""
    swap = _swap(people)
    hashed = Hasher.hash(swap)
    assert Hasher.hash(_swap(people)) == Hasher.hash(pickle.loads(pickle.dumps(swap))) == hashed
    assert {people, "known_people"} <= _swap(people, "known_people").config()["digests"].keys()
    save_people(["Bo Li", "Ada Li"], people)
    assert Hasher.hash(_swap(people)) != hashed
    with pytest.raises(InputError, match=r"The list of people '.*people\.tsv' has changed since"):
        swap({"text": ["He ran."]})
    assert _swap(people)({"text": ["Ada Li, he ran."]})["text"] == ["Ada Li, he ran."]


def test_a_configuration_needs_leave_to_read_a_list(people: str) -> None:
    """A list of one's own goes with what is published, like a lexicon; no name needs leave."""
    swap = _swap(people, "known_people", "Lily Allen")
    config = json.loads(json.dumps(swap.config()))
    assert swap.external_names(config["parameters"]) == (people,)
    assert [path.name for path in swap.own_files().values()] == ["people.tsv"]
    with pytest.raises(InputError, match=r"configuration names '.*people\.tsv', which is not part"):
        load_technique(config)
    assert load_technique(config, allow=[people]) == swap


def test_a_saved_technique_brings_its_list(people: str, tmp_path: Path) -> None:
    """Wherever it is loaded from, it works without leave."""
    _swap(people).save_pretrained(tmp_path / "saved")
    Path(people).unlink()
    loaded = CounterfactualSwap.from_pretrained(tmp_path / "saved")
    assert loaded({"text": TEXTS[:2]})["text"] == [TEXTS[0], "She ran."]
