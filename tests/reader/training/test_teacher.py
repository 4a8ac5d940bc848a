"""What the teacher learns from: the order of rows, what is told of their words, and the rate."""

import math
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from fair_datasets.reader.encoder import CASED
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import (
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NONE,
    OBJECT,
    PEOPLE,
    PLACE,
    SENSES,
    TAGS,
    THING,
    WORK,
)
from fair_datasets.reader.training import teacher as module
from fair_datasets.reader.training.gold import NameCounts
from fair_datasets.reader.training.rows import Row
from fair_datasets.reader.training.student import rate
from fair_datasets.reader.training.teacher import Batch, _step, labelled, settled, targets


@pytest.mark.parametrize(
    ("step", "total", "share"),
    [(0, 100, 0.1), (4, 100, 0.5), (9, 100, 1.0), (10, 100, 1.0), (55, 100, 0.5), (99, 100, 1 / 90),
     (100, 100, 0.0), (0, 1, 1.0), (0, 9, 1.0), (8, 9, 1 / 8)],
)  # fmt: skip
def test_the_rate_rises_for_a_tenth_and_falls(step: int, total: int, share: float) -> None:
    """To nothing behind the last step."""
    assert rate(step, total, 10) == pytest.approx(share)


@pytest.mark.parametrize("is_cased", [True, False])
def test_the_loss_is_that_of_the_tags_that_a_word_may_have(is_cased: bool) -> None:
    """Among those that its source tells apart, of the first piece of each word."""
    logits = torch.zeros(2, 3, len(TAGS))
    logits[0, 1, GIVEN], logits[1, 2, PLACE], logits[1, 1, THING] = map(math.log, (2, 3, 5))
    allowed, considered = torch.zeros(2, 3, len(TAGS), dtype=torch.bool)
    allowed[0, GIVEN] = considered[0, [NONE, GIVEN, FAMILY]] = True
    allowed[1, [NONE, PLACE]] = considered[1, [NONE, PLACE, GIVEN, FAMILY]] = True
    allowed[2, THING] = considered[2, FIRST_SENSE:] = True
    inputs = {"input_ids": torch.ones(2, 3), "token_type_ids": torch.ones(2, 3)}
    batch = Batch(inputs, torch.tensor([0, 1, 1]), torch.tensor([1, 2, 1]), allowed, considered)

    def network(**given: Any) -> Any:
        assert ("token_type_ids" in given) == is_cased
        return SimpleNamespace(logits=logits)

    network.config = SimpleNamespace(**{CASED: is_cased})  # type: ignore[attr-defined]
    network.device = torch.device("cpu")  # type: ignore[attr-defined]
    # Two of four parts for the first word, and four of six for the second; five of ten for a sense.
    expected = (math.log(2) + math.log(1.5)) / 2 + math.log(2)
    assert float(_step(network, batch)) == pytest.approx(expected)


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
