"""A small generator with the discriminator: it flips more, and leaves alone what it should.

All sentences hold nouns in frames where they never stood in training.
"""

import dataclasses
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.rewriters.generation.writing import RewriteRequest, rewrite_texts
from fair_datasets.rewriters.mbcda.discriminator import AdversarialTrainer
from fair_datasets.rewriters.training.generator import generator_of
from fair_datasets.rewriters.training.work import fixed_seed
from tests.rewriters.mbcda.sentences import flipped, numbered, sentences

pytestmark = pytest.mark.slow

SEEDS = range(3)
UNFLIPPED = 0.3


@pytest.fixture(scope="module")
def unseen(learnt: Any) -> list[Any]:
    """Sentences about people that are not trained on."""
    return [each for each in learnt.unseen if each.gender is not None][:150]


def test_the_discriminator_reads_texts_that_it_was_not_trained_on(learnt: Any) -> None:
    """From the logits of the model that the generator starts from."""
    assert learnt.held_out.texts > 100
    assert learnt.held_out.majority < 0.6
    assert learnt.held_out.accuracy >= 0.95


def test_with_the_discriminator_the_generator_flips_more(
    learnt: Any, unseen: list[Any], tmp_path: Path
) -> None:
    """Where 30% of the pairs that it is trained on are not flipped: the mean of three seeds.

    Texts without anybody are among the pairs, and are copied, by either.
    """
    trained_on = {each.text for each in learnt.train}
    nobody = [each.text for each in sentences(150, neutral=0.9, seed=1)
              if each.gender is None and each.text not in trained_on]  # fmt: skip
    flips: dict[bool, list[float]] = {True: [], False: []}
    copies: dict[bool, list[float]] = {True: [], False: []}
    pulled = partial(AdversarialTrainer, discriminator=learnt.discriminator)
    for seed in SEEDS:
        kept = np.random.default_rng(seed).random(len(learnt.train)) < UNFLIPPED
        others = [
            one.text if same else one.other for one, same in zip(learnt.train, kept, strict=True)
        ]
        config = dataclasses.replace(
            learnt.start.config, seed=seed, epochs=3, learning_rate=2e-3, warmup_steps=0
        )
        for with_it in (True, False):
            start = learnt.start._replace(config=config, work=tmp_path / f"{seed}-{with_it}")
            with fixed_seed(seed):
                model, _ = generator_of(
                    start, numbered(learnt.train, others), pulled if with_it else None
                )  # fmt: skip
            found = rewritten(model, [each.text for each in unseen])
            flips[with_it].append(np.mean([
                flipped(text, each.gender)
                for text, each in zip(found, unseen, strict=True)
            ]))  # fmt: skip
            copied = zip(rewritten(model, nobody), nobody, strict=True)
            copies[with_it].append(np.mean([one == other for one, other in copied]))
    assert np.mean(flips[True]) >= np.mean(flips[False]) + 0.05
    assert np.mean(flips[True]) >= 0.7
    assert len(nobody) > 30
    assert np.mean(copies[True]) >= 0.95


def rewritten(model: Path, texts: list[str]) -> list[str]:
    """Have a model write texts."""
    asks = [RewriteRequest([text], [[]], "", "") for text in texts]
    return [text or "" for text in rewrite_texts(asks, str(model), control="plain")]
