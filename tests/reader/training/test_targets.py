"""What the student is to say of words."""

import numpy as np

from fair_datasets.reader.tags import FAMILY, GIVEN, NONE, OBJECT, TAGS, WORK
from fair_datasets.reader.training.rows import Row
from fair_datasets.reader.training.targets import targets


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
