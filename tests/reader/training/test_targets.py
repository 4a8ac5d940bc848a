"""What the student is to say of words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import (
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NONE,
    OBJECT,
    PEOPLE,
    SENSES,
    TAGS,
    THING,
    WORK,
)
from fair_datasets.reader.training import targets as module
from fair_datasets.reader.training.gold import NameCounts
from fair_datasets.reader.training.rows import Row
from fair_datasets.reader.training.targets import labelled, settled, targets


def target(allowed: int, considered: int, **said: int) -> dict[str, int]:
    """Return what is to be said of a word, of which the teacher says something."""
    shares = np.zeros((1, len(TAGS)), np.uint8)
    for tag, part in said.items():
        shares[0, TAGS.index(tag.replace("_", " "))] = part
    (found,) = targets([Row("source", "word", [allowed], [considered])], [shares])
    return {tag: int(part) for tag, part in zip(TAGS, found[0], strict=True) if part}


KNOWN = 1 << NONE | 1 << GIVEN | 1 << FAMILY


def test_of_unknown_words_the_teacher_tells() -> None:
    """All that it says."""
    assert target(0, 0, given_name=200, none=55) == {"none": 55, "given name": 200}


def test_people_know_better() -> None:
    """Even where the teacher thinks otherwise, or says nothing of it."""
    assert target(1 << NONE, KNOWN, given_name=200, none=55) == {"none": 255}
    assert target(1 << NONE, KNOWN, given_name=255) == {"none": 255}


def test_the_teacher_tells_which_of_several_tags() -> None:
    """Of those that people leave open."""
    either = 1 << GIVEN | 1 << FAMILY
    found = target(either, KNOWN, given_name=100, family_name=100, none=55)
    assert found == {"given name": 128, "family name": 128}


def test_tags_that_a_source_does_not_tell_apart_stay() -> None:
    """A word in no span may be part of a work where works are not marked."""
    said = {"work": 51, "none": 102, "given_name": 102}
    assert target(1 << NONE, KNOWN, **said) == {"none": 170, "work": 85}
    assert target(1 << NONE, KNOWN | 1 << WORK, **said) == {"none": 255}
    assert target(1 << OBJECT, 0, none=100) == {"object": 255}


def settle(text: str, *people: int, given: int = 100, family: int = 150) -> list[tuple[int, int]]:
    """Return what is said of some words of a text as given and as family names, once settled."""
    said = np.zeros((len(tokenize(text).lower), len(TAGS)), np.uint8)
    said[:, NONE] = 255
    for index in people:
        said[index, [NONE, GIVEN, FAMILY]] = 5, given, family
    (found,) = settled([text], [said], NameCounts(Path("no-such-folder")))
    assert (found.sum(axis=1) == said.sum(axis=1)).all()
    return [(int(found[index, GIVEN]), int(found[index, FAMILY])) for index in people]


def test_lists_settle_names_of_one_word() -> None:
    """Of which the teacher knows only that they are people's."""
    assert settle("we saw Emily", 2) == [(250, 0)]
    assert settle("we saw Dr. Emily", 3) == [(0, 250)]
    assert settle("Emily, Kevin came", 0, 1) == [(250, 0), (250, 0)]


def test_names_of_several_words_and_unlisted_ones_stay() -> None:
    """As their order, or the teacher, tells."""
    assert settle("we saw Emily Xyzzy", 2, 3) == [(100, 150), (100, 150)]
    assert settle("we saw Xyzzy", 2) == [(100, 150)]
    assert settle("we saw Emily", 2, given=40, family=40) == [(40, 40)]


def test_senses_are_learnt_of_words_of_the_lexicons_alone() -> None:
    """What the teacher says of other words is not known to be right; what was read is."""
    said = np.zeros((4, len(TAGS)), np.uint8)
    said[:, THING], said[:, PEOPLE] = 200, 55
    allowed = [0, 0, 0, 1 << PEOPLE]
    row = Row(
        "source", "Tables were indeed black", allowed, [SENSES if each else 0 for each in allowed]
    )
    (found,) = targets([row], [said])
    assert found[:3, FIRST_SENSE:].any(axis=1).tolist() == [False, False, False]
    assert found[3, FIRST_SENSE:].tolist() == [255, 0, 0, 0, 0, 0]
    (found,) = targets([row._replace(allowed=[0] * 4, considered=[0] * 4)], [said])
    assert found[3, [PEOPLE, THING]].tolist() == [55, 200]


TEXTS = ["He ran.", "Rain", "", "She saw me", "Yes, we do"]


class Teacher:
    """Says of each word how long it is, and counts the texts that it is asked about."""

    def __init__(self) -> None:
        """Be asked nothing yet."""
        self.asked: list[str] = []

    def shares(self, texts: Sequence[Tokens]) -> list[NDArray[np.float64]]:
        """Return probabilities."""
        self.asked += [tokens.text for tokens in texts]
        found = []
        for tokens in texts:
            shares = np.zeros((len(tokens.lower), len(TAGS)))
            for row, word in zip(shares, tokens.lower, strict=True):
                row[len(word)], row[0] = 0.8, 0.2
            found.append(shares)
        return found


def test_a_teacher_is_asked_once_about_each_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that an earlier run finished are read; probabilities are kept in parts of 255."""
    monkeypatch.setattr(module, "PART", 2)
    first, again = Teacher(), Teacher()
    teacher: Any = first
    found = labelled(TEXTS, teacher, tmp_path)
    assert first.asked == TEXTS
    assert [len(each) for each in found] == [2, 1, 0, 3, 3]
    assert found[0][0].tolist() == [51, 0, 204, *[0] * (len(TAGS) - 3)]
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == [
        f"part-0000{number}.safetensors" for number in range(3)
    ]
    (tmp_path / "part-00001.safetensors").unlink()
    teacher = again
    read = labelled(TEXTS, teacher, tmp_path)
    assert again.asked == TEXTS[2:4]
    assert all((one == other).all() for one, other in zip(found, read, strict=True))
