"""Readers that decide of names and pronouns: what they are asked, and what they overrule."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap, InputError, find_terms
from fair_datasets.matching import tagged
from fair_datasets.matching.tagged import ACCEPT, REJECT, UNSURE, Tags
from fair_datasets.matching.words import Places, Words
from fair_datasets.reader.load import STUDENT
from fair_datasets.reader.tags import (
    DETERMINER,
    FIRST_SENSE,
    GIVEN,
    NONE,
    OBJECT,
    PEOPLE,
    PLACE,
    TAGS,
    THING,
    TITLE,
    Tagged,
)


class Told:
    """A reader that says of each word what it was told, and notes what it was asked."""

    def __init__(self, given: float, **words: int) -> None:
        """Note what to say: the probability of a given name, and the tags of some words."""
        self.given, self.words, self.asked = given, words, list[str]()

    def tags(self, words: Words, places: Places) -> Tagged:
        """Say it."""
        shares = np.zeros((len(places), len(TAGS)))
        shares[:, GIVEN], shares[:, NONE], shares[:, PEOPLE] = self.given, 1 - self.given, 1.0
        for row, place in enumerate(places.tolist()):
            self.asked.append(words.lower(place))
            if (tag := self.words.get(words.lower(place))) is not None:
                group = slice(FIRST_SENSE, None) if tag >= FIRST_SENSE else slice(FIRST_SENSE)
                shares[row, group] = (np.arange(len(TAGS)) == tag)[group]
        return Tagged(places, shares[:, :FIRST_SENSE].argmax(axis=1).astype(np.int8), shares)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Return what makes a reader that is asked by its name."""

    def named(told: Told, name: str = "classifier") -> str:
        monkeypatch.setattr(tagged, "load_reader", lambda name, owner: told)
        path = tmp_path / name
        path.mkdir() if not path.suffix else path.write_bytes(b"weights")
        return str(path)

    return named


@pytest.mark.parametrize(
    ("said", "given", "verdict"),
    [
        (ACCEPT, 0.2, ACCEPT), (ACCEPT, 0.19, REJECT), (UNSURE, 0.7, ACCEPT),
        (UNSURE, 0.69, UNSURE), (UNSURE, 0.0, UNSURE), (REJECT, 0.9, ACCEPT),
        (REJECT, 0.89, REJECT),
    ],
)  # fmt: skip
def test_a_reader_overrules_where_it_is_sure(said: int, given: float, verdict: int) -> None:
    """How sure it has to be depends on what the rules say."""
    tags = Tags(lambda: Told(given), 0.2, 0.7, 0.9)
    found = tags.verdicts(Words(["Mary"]), np.array([0]), np.array([said], np.int8))
    assert found.tolist() == [verdict]


def test_what_may_not_change_is_not_asked() -> None:
    """What the rules reject, where they have the last word; and words in small letters."""
    told = Told(1.0)
    verdicts = np.array([REJECT, ACCEPT, ACCEPT], np.int8)
    found = Tags(lambda: told, overrules=math.inf).verdicts(
        Words(["Mary saw paul and Tom"]), np.array([0, 2, 4]), verdicts
    )
    assert found.tolist() == verdicts.tolist()
    assert told.asked == ["tom"]


def test_its_tags_decide_names_and_pronouns(reader: Callable[..., str]) -> None:
    """Of a reader that is asked for, whatever the rules would say, and that is what is told."""
    told = Told(0.0, emily=PLACE, will=GIVEN, her=OBJECT)
    name = reader(told)
    found = find_terms("Emily is large. Will her brother say so, and will mary?", reader=name)
    said = {term.text: (term.attribute, term.rule, term.rule_reason) for term in found}
    assert said["Emily"] == ("", "names.tagged", "its tag: place 1.00, none .00")
    assert said["Will"][0] == "man"
    assert said["her"] == ("woman", "pronouns.tagged_other", "its tag: object 1.00, none .00")
    assert "mary" not in told.asked
    swap = CounterfactualSwap("text", mode="replace", reader=name)
    assert swap({"text": ["They told her brother."]})["text"] == ["They told him sister."]
    told.words["her"] = DETERMINER
    assert swap({"text": ["They told her brother."]})["text"] == ["They told his sister."]


def test_a_student_decides_as_the_one_that_ships(reader: Callable[..., str]) -> None:
    """Of first names beside the rules, which have the last word where they reject; of no case."""
    told = Told(1.0, emily=PLACE, her=OBJECT)
    name = reader(told, f"mine{STUDENT}")
    found = {
        term.text: term for term in find_terms("Mr. James saw Emily and her dog.", reader=name)
    }
    assert not found["James"].attribute
    assert found["Emily"].rule == "names.tagged"
    assert set(told.asked) == {"emily", "mr"}
    swap = CounterfactualSwap("text", mode="replace", reader=name)
    assert swap({"text": ["They told her brother."]})["text"] == ["They told his sister."]


def test_the_shipped_reader_is_part_of_the_configuration() -> None:
    """Other weights may read otherwise; a pipeline is asked in place of it."""
    assert "reader/student.safetensors" in CounterfactualSwap("text").config()["digests"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"reader": ""}, "reader must be a folder"), ({"reader": 3}, "but it is 3"),
        ({"reader": "./nowhere"}, "no folder './nowhere'"),
        ({"reader": "./nowhere.safetensors"}, "no file './nowhere.safetensors'"),
        ({"reader": "a/b", "pipeline": "en_core"}, "en_core"),
    ],
)  # fmt: skip
def test_what_is_no_reader_is_told(wrong: dict[str, object], told: str) -> None:
    """Before anything is read."""
    for ask in (lambda: CounterfactualSwap("text", **wrong), lambda: find_terms("a", **wrong)):  # type: ignore[arg-type]
        with pytest.raises(InputError, match=told):
            ask()


@pytest.mark.parametrize(
    ("tag", "text", "axis", "attribute"),
    [
        (PEOPLE, "The king left.", "gender", "man"), (THING, "The king left.", "gender", ""),
        (TITLE, "The Woman left.", "gender", ""),
        (TITLE, "The woman left.", "gender", "woman"),
        (THING, "The woman left.", "gender", "woman"),
        (TITLE, "The women's cup", "gender", "woman"), (TITLE, "Mrs. Smith left.", "gender", ""),
        (TITLE, "An Irish man", "nationality", ""), (PEOPLE, "Irish it is", "nationality", ""),
        (TITLE, "A Muslim man", "religion", ""), (PEOPLE, "Muslim it is", "religion", ""),
        (TITLE, "an old man", "age", "senior"), (TITLE, "he left", "gender", "man"),
        (TITLE, "The Bible says", "religion", "christian"),
    ],
)  # fmt: skip
def test_senses_decide_what_names_people(
    reader: Callable[..., str], tag: int, text: str, axis: str, attribute: str
) -> None:
    """Of nouns that often name a thing, and of others with a capital; else the rules do."""
    words = ("king", "woman", "women", "mrs", "irish", "muslim", "old", "man", "he", "bible")
    known = dict.fromkeys(words, tag) | {"man": PEOPLE}
    found = find_terms(text, axis, reader=reader(Told(0.0, **known)))
    assert found[0].attribute == attribute
