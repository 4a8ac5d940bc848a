"""Tests of which places are kept: what a later round learns from the words that were not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fair_datasets import InputError
from fair_datasets.rewriters.fairflow import FairFlowConfig
from fair_datasets.rewriters.fairflow.build import _concerned
from fair_datasets.rewriters.fairflow.states import Corpus, Occurrences
from fair_datasets.rewriters.fairflow.training import (
    _places_beyond,
    attribute_logits,
    select_places,
)

WIDTH, PLACES = 16, 40
ATTRIBUTE = ["queen", "king", "mother", "father"]
OTHERS = ["cook", "walk", "stone", "night", "river", "paper"]


@pytest.fixture
def corpus() -> Corpus:
    """Return states in which two axes tell the given words apart, of which one is no attribute.

    The first is that of all words of an attribute; the second one is that of other words, too.
    """
    words = ["she", "he", *ATTRIBUTE, *OTHERS]
    means = np.random.default_rng(1).normal(scale=0.3, size=(len(words), WIDTH))
    means[:, :2] = 0
    for number, word in enumerate(words):
        if word not in OTHERS:
            means[number, 0] = 1.5 if number % 2 else -1.5
        if word not in ATTRIBUTE:
            means[number, 1] = 1.5 if number % 2 else -1.5
    word = np.repeat(np.arange(len(words)), PLACES)
    noise = np.random.default_rng(0).normal(scale=0.1, size=(len(word), WIDTH))
    none = np.zeros_like(word)
    places = Occurrences(words, word, np.arange(len(word)), none, none + 1, none, none, none)
    texts = [""] * len(word)
    return Corpus(texts, places, (means[word] + noise).astype(np.float16), "made")


def kept(config: FairFlowConfig, corpus: Corpus, concerned: list[str] | None) -> set[str]:
    """Return the words of which a place was kept."""
    numbers = (
        None if concerned is None else np.array(list(map(corpus.places.words.index, concerned)))
    )
    selection = select_places(config, corpus, concerned=numbers)
    return {corpus.places.words[number] for number in corpus.places.word[selection.rows]}


def test_a_later_round_learns_what_is_of_neither_attribute(corpus: Corpus, tmp_path: Path) -> None:
    """From other words than those that the round before concerned, and in no other round."""
    config = FairFlowConfig(
        work=tmp_path, columns="text", pairs=("she", "he"), model="none", classifier_rate=1e-2,
        classifier_epochs=10, carried=0.5, threshold=1.0,
    )  # fmt: skip
    assert {"cook", "river"} <= kept(config, corpus, None)
    config = replace(config, pairs=[("she", "he"), ("queen", "king")])
    assert {"cook", "river"} <= kept(config, corpus, None)
    assert kept(config, corpus, ATTRIBUTE) == {"she", "he", *ATTRIBUTE}
    later = select_places(config, corpus, concerned=np.arange(2, 6))
    assert later.rule == "half the median of the pairs' own logits"
    of_pair = np.isin(corpus.places.word[later.rows], range(4))
    assert later.threshold == pytest.approx(np.median(np.abs(later.logits[of_pair])) / 2, rel=0.05)


def test_the_share_is_enough_and_the_threshold_is_not(tmp_path: Path) -> None:
    """A word is kept that carries an attribute at just the share of its places that is asked."""
    word = np.repeat(np.arange(4), 2)
    none = np.zeros_like(word)
    places = Occurrences(["a", "b", "c", "d"], word, np.arange(8), none, none, none, none, none)
    corpus = Corpus([""] * 8, places, np.zeros((8, 2), np.float16), "made")
    config = FairFlowConfig(
        work=tmp_path, columns="text", pairs=("a", "c"), model="none", carried=0.5
    )
    logits = np.array([4, 3, 4, 3, -4, -3, -4, -3], np.float64)
    assert _places_beyond(config, corpus, logits, 3).tolist() == [0, 2, 4, 6]
    with pytest.raises(InputError, match="no two places pass the threshold 3 towards"):
        _places_beyond(replace(config, carried=0.51), corpus, logits, 3)


def test_what_a_word_proposes_most_often_is_not_learnt_as_of_neither() -> None:
    """Without a majority, too; what it proposes less often may be."""
    words = np.array([3, 3, 3, 3, 3, 4, 4])
    found = np.array([7, 7, 8, 9, 3, 5, 6])
    assert _concerned(words, found).tolist() == [3, 4, 5, 6, 7]


def test_each_state_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked about together."""
    tensors = {
        "hidden.weight": torch.eye(2), "hidden.bias": torch.zeros(2),
        "out.weight": torch.tensor([[1.0, -1.0]]), "out.bias": torch.tensor([0.5]),
    }  # fmt: skip
    states = np.array([[9, 0], [0, 9], [7, 0], [0, 0], [0, 7]], np.float16)
    expected = pytest.approx([9.5, -8.5, 7.5, 0.5, -6.5], abs=1e-4)
    assert attribute_logits(tensors, states) == expected
    monkeypatch.setattr("fair_datasets.rewriters.fairflow.training._CHUNK_SIZE", 2)
    assert attribute_logits(tensors, states) == expected
