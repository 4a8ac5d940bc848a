"""What the teacher learns from: the order of rows, what is told of their words, and the rate."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from fair_datasets.reader.encoder import CASED
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.student import Student
from fair_datasets.reader.tags import (
    DETERMINER,
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
from fair_datasets.reader.training import networks as module
from fair_datasets.reader.training.gold import NameCounts
from fair_datasets.reader.training.networks import train_student
from fair_datasets.reader.training.rows import Row
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize(
    ("step", "total", "share"),
    [(0, 100, 0.1), (4, 100, 0.5), (9, 100, 1.0), (10, 100, 1.0), (55, 100, 0.5), (99, 100, 1 / 90),
     (100, 100, 0.0), (0, 1, 1.0), (0, 9, 1.0), (8, 9, 1 / 8)],
)  # fmt: skip
def test_the_rate_rises_for_a_tenth_and_falls(step: int, total: int, share: float) -> None:
    """To nothing behind the last step."""
    assert module.rate(step, total, 10) == pytest.approx(share)


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
    batch = module.Batch(
        inputs, torch.tensor([0, 1, 1]), torch.tensor([1, 2, 1]), allowed, considered
    )

    def network(**given: Any) -> Any:
        assert ("token_type_ids" in given) == is_cased
        return SimpleNamespace(logits=logits)

    network.config = SimpleNamespace(**{CASED: is_cased})  # type: ignore[attr-defined]
    network.device = torch.device("cpu")  # type: ignore[attr-defined]
    # Two of four parts for the first word, and four of six for the second; five of ten for a sense.
    expected = (math.log(2) + math.log(1.5)) / 2 + math.log(2)
    assert float(module._step(network, batch)) == pytest.approx(expected)


def target(allowed: int, considered: int, **said: int) -> dict[str, int]:
    """Return what is to be said of a word, of which the teacher says something."""
    shares = np.zeros((1, len(TAGS)), np.uint8)
    for tag, part in said.items():
        shares[0, TAGS.index(tag.replace("_", " "))] = part
    (found,) = module.targets([Row("source", "word", [allowed], [considered])], [shares])
    return {tag: int(part) for tag, part in zip(TAGS, found[0], strict=True) if part}


KNOWN = 1 << NONE | 1 << GIVEN | 1 << FAMILY


EITHER = 1 << GIVEN | 1 << FAMILY
SAID = {"work": 51, "none": 102, "given_name": 102}


@pytest.mark.parametrize(("allowed", "considered", "said", "told"), [
    (0, 0, {"given_name": 200, "none": 55}, {"none": 55, "given name": 200}),
    (1 << NONE, KNOWN, {"given_name": 200, "none": 55}, {"none": 255}),
    (1 << NONE, KNOWN, {"given_name": 255}, {"none": 255}),
    (EITHER, KNOWN, {"given_name": 100, "family_name": 100, "none": 55},
     {"given name": 128, "family name": 128}),
    # A word in no span may be part of a work where works are not marked.
    (1 << NONE, KNOWN, SAID, {"none": 170, "work": 85}),
    (1 << NONE, KNOWN | 1 << WORK, SAID, {"none": 255}),
    (1 << OBJECT, 0, {"none": 100}, {"object": 255}),
])  # fmt: skip
def test_the_teacher_tells_what_people_leave_open(
    allowed: int, considered: int, said: dict[str, int], told: dict[str, int]
) -> None:
    """People know better; among the tags that they leave open, the teacher says which."""
    assert target(allowed, considered, **said) == told


def settle(text: str, *people: int, given: int = 100, family: int = 150) -> list[tuple[int, int]]:
    """Return what is said of some words of a text as given and as family names, once settled."""
    said = np.zeros((len(tokenize(text).lower), len(TAGS)), np.uint8)
    said[:, NONE] = 255
    for index in people:
        said[index, [NONE, GIVEN, FAMILY]] = 5, given, family
    (found,) = module.resolve_by_lists([text], [said], NameCounts(Path("no-such-folder")))
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
    (found,) = module.targets([row], [said])
    assert found[:3, FIRST_SENSE:].any(axis=1).tolist() == [False, False, False]
    assert found[3, FIRST_SENSE:].tolist() == [255, 0, 0, 0, 0, 0]
    (found,) = module.targets([row._replace(allowed=[0] * 4, considered=[0] * 4)], [said])
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
    found = module.labelled(TEXTS, teacher, tmp_path)
    assert first.asked == TEXTS
    assert [len(each) for each in found] == [2, 1, 0, 3, 3]
    assert found[0][0].tolist() == [51, 0, 204, *[0] * (len(TAGS) - 3)]
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == [
        f"part-0000{number}.safetensors" for number in range(3)
    ]
    (tmp_path / "part-00001.safetensors").unlink()
    teacher = again
    read = module.labelled(TEXTS, teacher, tmp_path)
    assert again.asked == TEXTS[2:4]
    assert all((one == other).all() for one, other in zip(found, read, strict=True))


SMALL = module.StudentConfig(
    inner=8, width=8, hidden=16, epochs=12, batch_size=8, learning_rate=0.02
)
# The same words are names of people behind "met", and places behind "in"; "her" has two cases.
PATTERNS = {
    "we met {} today": (NONE, NONE, GIVEN, NONE),
    "we live in {} now": (NONE, NONE, NONE, PLACE, NONE),
    "they saw her.": (NONE, NONE, OBJECT),
    "they saw her dog {}": (NONE, NONE, DETERMINER, NONE, GIVEN),
}
NAMES = ("Paris", "Austin", "Chelsea", "Xyzzy", "Sydney", "Florence", "Charlotte", "Brooklyn")


def rows_of(names: tuple[str, ...]) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return texts with the tags of their words."""
    pairs = [(text.format(name), tags) for name in names for text, tags in PATTERNS.items()]
    return [text for text, _ in pairs], [tags for _, tags in pairs]


def shares_of(tags: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return what is known of words of known tags."""
    found = np.zeros((len(tags), len(TAGS)), np.uint8)
    found[np.arange(len(tags)), tags] = 255
    return found


@pytest.fixture
def texts() -> module.Texts:
    """Return texts to learn from."""
    texts, tags = rows_of(NAMES[:6])
    return module.texts_of(texts * 8, list(map(shares_of, tags)) * 8)


def test_it_learns_what_neighbours_say(texts: module.Texts, tmp_path: Path) -> None:
    """Of names that it has not seen as well; in whole numbers it says the same."""
    student = train_student(texts, SMALL, tmp_path)
    unseen, tags = rows_of(NAMES[6:])
    words = TokenBatch(unseen)
    found = student.tags(words, np.flatnonzero(~words.is_end))
    assert found.tags.tolist() == [tag for each in tags for tag in each]
    assert found.probabilities.max(axis=1).mean() > 0.8


def test_equal_trainings_are_equal_and_go_on(texts: module.Texts, tmp_path: Path) -> None:
    """Also one that was interrupted behind an epoch."""
    config = SMALL._replace(epochs=3)
    whole = train_student(texts, config, tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        _interrupt_behind(patch, epochs=2)
        with pytest.raises(KeyboardInterrupt):
            train_student(texts, config, tmp_path / "part")
    again = train_student(texts, config, tmp_path / "part")
    for name, array in whole.arrays.items():
        assert (array == again.arrays[name]).all(), name


@pytest.mark.parametrize("left", [b"", b"PK", b"cut short"])
def test_a_state_that_cannot_be_read_is_told(
    left: bytes, texts: module.Texts, tmp_path: Path
) -> None:
    """With the folder to remove."""
    (tmp_path / module.STATE).write_bytes(left)
    with pytest.raises(InputError, match=r"state.pt is damaged, .*; remove the folder .* again"):
        train_student(texts, SMALL, tmp_path)


def _interrupt_behind(patch: pytest.MonkeyPatch, epochs: int) -> None:
    """Interrupt the training when so many epochs are kept."""
    keep = module.save_state

    def kept(parts: Mapping[str, Any], done: int, work: Path) -> None:
        keep(parts, done, work)
        if done == epochs:
            raise KeyboardInterrupt

    patch.setattr(module, "save_state", kept)


def test_weights_are_whole_numbers_that_add_up_exactly(texts: module.Texts, tmp_path: Path) -> None:
    """No sum reaches 2^24, from which on single precision would round."""
    student: Student = train_student(texts, SMALL._replace(epochs=2), tmp_path)
    arrays = student.arrays
    assert {arrays[name].dtype for name in ("rows", "first", "second", "last")} == {np.dtype("i1")}
    limits = {"first": 15 * 127, "second": 127, "last": 127}
    for name, highest in limits.items():
        assert np.abs(arrays[name].astype(np.int64)).sum(axis=0).max() * highest < 1 << 24


def test_a_student_is_a_network_again(texts: module.Texts, tmp_path: Path) -> None:
    """Its weights are the same whole numbers, so that a training can go on from them."""
    student = train_student(texts, SMALL._replace(epochs=2), tmp_path)
    network = module.Network.of(student)
    assert np.allclose(network.rows.detach().numpy(), student.arrays["rows"] / 127)
    again = module.in_whole_numbers(network)
    for name, array in student.arrays.items():
        assert np.allclose(array, again.arrays[name], rtol=1e-6, atol=0), name
    words = TokenBatch(["we met Paris today"])
    places = np.flatnonzero(~words.is_end)
    said = [each.tags(words, places).probabilities for each in (student, again)]
    assert np.allclose(*said, atol=1e-6)


@pytest.mark.slow
def test_it_goes_on_from_a_student(texts: module.Texts, tmp_path: Path) -> None:
    """What it knows already is a better beginning than drawn weights."""
    learnt = train_student(texts, SMALL, tmp_path / "long")
    short = SMALL._replace(epochs=1, learning_rate=1e-4)
    words = TokenBatch(rows_of(NAMES[:6])[0])
    places = np.flatnonzero(~words.is_end)
    on = train_student(texts, short, tmp_path / "on", learnt)
    anew = train_student(texts, short, tmp_path / "anew")
    known = learnt.tags(words, places).tags
    assert (on.tags(words, places).tags == known).mean() > 0.99
    assert (anew.tags(words, places).tags == known).mean() < 0.9


def test_texts_and_what_is_known_must_be_of_one_length() -> None:
    """Else words would have the tags of others."""
    assert len(tokenize("one two").lower) == 2
    with pytest.raises(AssertionError):
        module.texts_of(["one two"], [shares_of((NONE,))])


def test_names_and_pronouns_count_more_than_other_words() -> None:
    """As few words are asked that have neither a capital nor a case."""
    tags = (NONE, OBJECT, NONE, PLACE)
    texts = module.texts_of(["saw her in Paris"], [shares_of(tags)])
    assert texts.weights.tolist() == [1.0, module.OF_CASE, 1.0, module.OF_CAPITAL, 1.0]
    assert texts.is_case.tolist() == [False, True, False, False, False]
