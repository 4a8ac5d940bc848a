"""Training the student."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.matching.words import Words
from fair_datasets.reader.student import Student
from fair_datasets.reader.tags import DETERMINER, GIVEN, NONE, OBJECT, PLACE, TAGS
from fair_datasets.reader.training.student import (
    OF_CAPITAL,
    OF_CASE,
    Network,
    StudentConfig,
    Texts,
    in_whole_numbers,
    texts_of,
    train_student,
)

SMALL = StudentConfig(inner=8, width=8, hidden=16, epochs=12, batch_size=8, learning_rate=0.02)
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
def texts() -> Texts:
    """Return texts to learn from."""
    texts, tags = rows_of(NAMES[:6])
    return texts_of(texts * 8, list(map(shares_of, tags)) * 8)


def test_it_learns_what_neighbours_say(texts: Texts, tmp_path: Path) -> None:
    """Of names that it has not seen as well; in whole numbers it says the same."""
    student = train_student(texts, SMALL, tmp_path)
    unseen, tags = rows_of(NAMES[6:])
    words = Words(unseen)
    found = student.tags(words, np.flatnonzero(~words.is_end))
    assert found.tags.tolist() == [tag for each in tags for tag in each]
    assert found.probabilities.max(axis=1).mean() > 0.8


def test_equal_trainings_are_equal_and_go_on(texts: Texts, tmp_path: Path) -> None:
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


def _interrupt_behind(patch: pytest.MonkeyPatch, epochs: int) -> None:
    """Interrupt the training when so many epochs are kept."""
    import torch

    save, done = torch.save, []

    def saved(state: object, path: Path) -> None:
        save(state, path)
        done.append(path)
        if len(done) == epochs:
            raise KeyboardInterrupt

    patch.setattr(torch, "save", saved)


def test_weights_are_whole_numbers_that_add_up_exactly(texts: Texts, tmp_path: Path) -> None:
    """No sum reaches 2^24, from which on single precision would round."""
    student: Student = train_student(texts, SMALL._replace(epochs=2), tmp_path)
    arrays = student.arrays
    assert {arrays[name].dtype for name in ("rows", "first", "second", "last")} == {np.dtype("i1")}
    limits = {"first": 14 * 127, "second": 127, "last": 127}
    for name, highest in limits.items():
        assert np.abs(arrays[name].astype(np.int64)).sum(axis=0).max() * highest < 1 << 24


def test_a_student_is_a_network_again(texts: Texts, tmp_path: Path) -> None:
    """Its weights are the same whole numbers, so that a training can go on from them."""
    student = train_student(texts, SMALL._replace(epochs=2), tmp_path)
    network = Network.of(student)
    assert np.allclose(network.rows.detach().numpy(), student.arrays["rows"] / 127)
    again = in_whole_numbers(network)
    for name, array in student.arrays.items():
        assert np.allclose(array, again.arrays[name], rtol=1e-6, atol=0), name
    words = Words(["we met Paris today"])
    places = np.flatnonzero(~words.is_end)
    said = [each.tags(words, places).probabilities for each in (student, again)]
    assert np.allclose(*said, atol=1e-6)


def test_it_goes_on_from_a_student(texts: Texts, tmp_path: Path) -> None:
    """What it knows already is a better beginning than drawn weights."""
    learnt = train_student(texts, SMALL, tmp_path / "long")
    short = SMALL._replace(epochs=1, learning_rate=1e-4)
    words = Words(rows_of(NAMES[:6])[0])
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
        texts_of(["one two"], [shares_of((NONE,))])


def test_names_and_pronouns_count_more_than_other_words() -> None:
    """As few words are asked that have neither a capital nor a case."""
    tags = (NONE, OBJECT, NONE, PLACE)
    texts = texts_of(["saw her in Paris"], [shares_of(tags)])
    assert texts.weights.tolist() == [1.0, OF_CASE, 1.0, OF_CAPITAL, 1.0]
    assert texts.is_case.tolist() == [False, True, False, False, False]
