"""EL2N as a technique."""

from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from fair_datasets.scores.el2n import EL2N
from fair_datasets.scores.importance import el2n_score
from fair_datasets.scores.probes import ProbeConfig, predict_logits, train_probes
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique

TEXTS = ["good film", "bad film", "good plot", "bad plot", "dull film"]
LABELS: list[Any] = [2, 0, 2, 0, 1]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Give two linear probes of three classes."""
    config = ProbeConfig(out=tmp_path_factory.mktemp("el2n"), columns="text", seeds=2, epochs=1)
    data = Dataset.from_dict({"text": TEXTS, "label": LABELS})
    return [epochs[0] for epochs in train_probes(config, data)]


@pytest.mark.slow
def test_the_contract_is_kept(models: list[str]) -> None:
    """With models and with a column of logits, also where labels are missing."""
    batch = {"text": TEXTS, "label": [2, 0, None, 0, 1]}
    check_technique(EL2N(columns="text", models=models), batch)
    logits: list[Any] = [[1.0, 0.0], [0.0, 1.0], None]
    features = Features(
        {"logits": List(Value("float32")), "toxic": ClassLabel(names=["no", "yes"])}
    )
    check_technique(
        EL2N(logits="logits", label="toxic", output_column="error"),
        {"logits": logits, "toxic": [0, 0, 1]},
        features,
    )


def test_scores_are_the_means_of_the_seeds(models: list[str]) -> None:
    """The technique gives what the function gives for the models' logits."""
    logits = np.stack([predict_logits(model, TEXTS) for model in models])
    found = EL2N(columns="text", models=models)({"text": TEXTS, "label": LABELS})["el2n"]
    np.testing.assert_allclose(found, el2n_score(logits, LABELS))
    assert len({tuple(seed.ravel()) for seed in logits}) == 2
    column = {"logits": logits.swapaxes(0, 1).tolist(), "label": LABELS}
    np.testing.assert_allclose(EL2N(logits="logits")(column)["el2n"], found)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, "sexist"], r"'label'.*row 1.*'sexist' \(str\).*class_encode_column\('label'\)"),
        ([0, -1], "row 1.*-1.*remove the rows without a label"),
        ([0.5, 1], "row 0.*0.5.*number the classes from 0 on"),
        ([[0, 1], [1]], r"row 0.*\[0, 1\].*choose one label"),
        ([0, 3], "class 3 in row 1.*3 classes"),
    ],
)
def test_wrong_labels_are_refused(models: list[str], labels: list[Any], words: str) -> None:
    """The sentence names the column, the row and the value."""
    with pytest.raises(InputError, match=words):
        EL2N(columns="text", models=models)({"text": ["a film", "b plot"], "label": labels})


def test_wrong_parameters_are_refused(models: list[str]) -> None:
    """More than one label column, no texts for the models, and no source of logits."""
    with pytest.raises(InputError, match="label must be one column name"):
        EL2N(columns="text", models=models, label=["toxic", "insult"])
    with pytest.raises(InputError, match="name their columns"):
        EL2N(models=models)
    with pytest.raises(InputError, match="one of the two"):
        EL2N(columns="text")
    with pytest.raises(InputError, match="models must be a folder or a Hub id"):
        EL2N(columns="text", models=[3])
    with pytest.raises(InputError, match="there is no column 'label'"):
        EL2N(columns="text", models=models)({"text": ["a"]})
