"""Forgetting as a technique."""

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets.scores.forgetting import Forgetting
from fair_datasets.scores.importance import forget_score
from fair_datasets.scores.probes import ProbeConfig, predict_logits, train_probes
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique

TEXTS = ["good film", "bad film", "good plot", "bad plot", "good film", "bad plot"]
LABELS = [1, 0, 1, 0, 0, 1]
BATCH = {"text": TEXTS, "label": LABELS}


@pytest.fixture(scope="session")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Give the four epochs of two linear probes."""
    config = ProbeConfig(out=tmp_path_factory.mktemp("epochs"), columns="text", seeds=2, epochs=4)
    return train_probes(config, Dataset.from_dict(BATCH))


@pytest.mark.slow
def test_the_contract_is_kept(paths: list[list[str]]) -> None:
    """The checkpoints of one seed, of two, and a column of logits."""
    check_technique(Forgetting(columns="text", models=paths, never_learned="inf"), BATCH)
    logits = np.random.default_rng(0).normal(size=(6, 4, 2)).tolist()
    check_technique(Forgetting(logits="logits"), {**BATCH, "logits": logits})


def test_counts_are_averaged_over_seeds(paths: list[list[str]]) -> None:
    """The technique gives the mean of what the function gives for each seed."""
    logits = np.array([[predict_logits(path, TEXTS) for path in epochs] for epochs in paths])
    expected = np.mean([forget_score(seed, LABELS) for seed in logits], axis=0)
    found = Forgetting(columns="text", models=paths)(BATCH)["forgetting"]
    np.testing.assert_array_equal(found, expected)
    column = {"label": LABELS, "logits": logits.transpose(2, 0, 1, 3).tolist()}
    assert Forgetting(logits="logits")(column)["forgetting"] == found
    one = Forgetting(columns="text", models=paths[0])(BATCH)["forgetting"]
    np.testing.assert_array_equal(one, forget_score(logits[0], LABELS))


def test_seeds_with_other_numbers_of_epochs_are_refused(paths: list[list[str]]) -> None:
    """A missing epoch would compare states that are not neighbours."""
    with pytest.raises(InputError, match=r"as many epochs for each seed.*\[4, 3\]"):
        Forgetting(columns="text", models=[paths[0], paths[1][1:]])
    with pytest.raises(InputError, match="models must be a folder or a Hub id"):
        Forgetting(columns="text", models=[paths[0], 3])
    with pytest.raises(InputError, match="'zero', 'inf'"):
        Forgetting(columns="text", models=paths, never_learned="nan")
    with pytest.raises(InputError, match="one of the two"):
        Forgetting(columns="text")
