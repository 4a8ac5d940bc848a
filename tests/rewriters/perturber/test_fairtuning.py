"""Fairtuning: Algorithm 1 in the place of the training set, a trainer, and fairscore."""

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import MentionedAttribute, PerturbationAugmentation

WORDS = {0: ["kind", "calm", "here", "there"], 1: ["rude", "loud", "here", "there"]}
PEOPLE = [("he", 1), ("the waiter", 1), ("she", 3), ("the waitress", 3), ("it", 2)]


@pytest.fixture(scope="module")
def rows() -> Dataset:
    """Return texts in which rude words go with women, and half of the words say nothing."""
    return Dataset.from_list([
        {"text": f"{who} was {WORDS[int(turn < rude)][turn]} on day {day}",
         "label": int(turn < rude)}
        for day in range(8) for who, rude in PEOPLE for turn in range(4)
    ])  # fmt: skip


def test_replacing_turns_an_association_round(rows: Dataset) -> None:
    """Nobody keeps their attribute, so what went with women now goes with men; as documented."""
    perturbed = PerturbationAugmentation(columns="text", axis="gender").apply(rows)
    rude = {}
    for name, dataset in (("before", rows), ("after", perturbed)):
        groups = MentionedAttribute(columns="text", names=False).apply(dataset)
        for group in ("man", "woman"):
            rude[name, group] = np.mean(
                [row["label"] for row in groups if row["group"] == group]
            ).item()
    assert (rude["before", "man"], rude["before", "woman"]) == (0.25, 0.75)
    assert rude["after", "man"] == pytest.approx(0.75, abs=0.1)
    assert rude["after", "woman"] == pytest.approx(0.25, abs=0.1)
