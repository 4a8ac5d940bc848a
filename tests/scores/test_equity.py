"""The equity score of rows, by linear probes, by a small BERT and by columns of logits."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset

from fair_datasets.scores.equity import EquityScore
from fair_datasets.scores.probes import ProbeConfig, predict_logits, train_probes
from fair_datasets.scores.probes.transformer import TransformerProbe
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique

TEXTS = ["the nurse said that she slept .", "the pilot said that he sang .", "the miner left .",
    "She   said", "the florist said that the smith said that he ate"]  # fmt: skip
SWAPPED = ["the nurse said that he slept .", "the pilot said that she sang .", "the miner left .",
    "she said", "the florist said that the smith said that she ate"]  # fmt: skip
BATCH: dict[str, list[Any]] = {"text": TEXTS, "text_counterfactual": SWAPPED,
    "label": [0, 1, 0, 1, None]}  # fmt: skip
IS_CHANGED = [True, True, False, False, True]


@pytest.fixture(scope="session")
def linear(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Give the first epochs of two linear probes."""
    data = Dataset.from_dict({"text": TEXTS, "label": [0, 1, 0, 1, 1]})
    out = tmp_path_factory.mktemp("linear")
    return [
        epochs[0] for epochs in train_probes(ProbeConfig(out=out, columns="text", seeds=2), data)
    ]


@pytest.fixture(scope="session")
def transformer(untrained_classifier: tuple[Any, Any], tmp_path_factory: Any) -> str:
    """Give the folder of a small BERT with three classes."""
    folder = tmp_path_factory.mktemp("transformer")
    for part in untrained_classifier:
        part.save_pretrained(folder)
    return str(folder)


@pytest.mark.slow
def test_the_contract_is_kept_by_a_transformer(transformer: str) -> None:
    """Padding, the order of the rows and forked processes do not change the scores."""
    check_technique(EquityScore(columns="text", models=transformer, batch_size=4), BATCH)


def test_scores_of_columns_of_logits() -> None:
    """Ready-made logits, of one model and of several seeds."""
    logits = np.random.default_rng(0).normal(size=(2, 5, 3, 2))
    batch = {**BATCH, "f": logits[0].tolist(), "g": logits[1].tolist()}
    score = EquityScore(columns="text", logits="f", counterfactual_logits="g", axis="race")
    expected = np.linalg.norm(logits[0] - logits[1], axis=-1).mean(axis=1) * IS_CHANGED
    np.testing.assert_allclose(score(batch)["race_equity"], expected)
    one = {**batch, "f": logits[0, :, 0].tolist(), "g": logits[1, :, 0].tolist()}
    expected = np.linalg.norm(logits[0, :, 0] - logits[1, :, 0], axis=-1) * IS_CHANGED
    np.testing.assert_allclose(score(one)["race_equity"], expected)


@pytest.mark.parametrize("kind", ["linear", "transformer"])
def test_scores_are_the_norms_of_differences(kind: str, request: pytest.FixtureRequest) -> None:
    """The score is what two passes over all rows give, and 0.0 where nothing was swapped."""
    models = request.getfixturevalue(kind)
    found = EquityScore(columns="text", models=models)(BATCH)["gender_equity"]
    several = [models] if isinstance(models, str) else models
    norms = [np.linalg.norm(predict_logits(model, TEXTS) - predict_logits(model, SWAPPED), axis=1)
        for model in several]  # fmt: skip
    np.testing.assert_allclose(found, np.mean(norms, axis=0) * IS_CHANGED, atol=1e-6)
    assert [score == 0.0 for score in found] == [not changed for changed in IS_CHANGED]


def test_unchanged_rows_cost_no_forward_pass(
    transformer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model sees the changed rows alone, each beside its counterfactual."""
    seen: list[Any] = []
    plain = TransformerProbe.logits

    def noted(self: Any, rows: Any, reading: Any) -> Any:
        seen.extend(rows)
        return plain(self, rows, reading)

    monkeypatch.setattr(TransformerProbe, "logits", noted)
    score = EquityScore(columns="text", models=transformer)
    score(BATCH)
    changed = [row for row, is_new in enumerate(IS_CHANGED) if is_new]
    assert seen == [(text[row],) for row in changed for text in (TEXTS, SWAPPED)]
    seen.clear()
    same = {"text": TEXTS, "text_counterfactual": TEXTS}
    assert score(same)["gender_equity"] == [0.0] * 5
    assert seen == []


@pytest.mark.slow
def test_forked_processes_do_not_wait_for_threads(transformer: str) -> None:
    """`num_proc` works after torch has run on several threads, which a fork does not copy."""
    code = f"""
import os
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import torch
torch.set_num_threads(2)
torch.rand(2000, 2000) @ torch.rand(2000, 2000)
from datasets import Dataset
from fair_datasets.scores.equity import EquityScore
score = EquityScore(columns="text", models={transformer!r})
rows = Dataset.from_dict({{"text": ["he"] * 8, "text_counterfactual": ["she"] * 8}})
score(rows[:])
scored = rows.map(score, batched=True, num_proc=2, features=score.features(rows.features))
assert min(scored["gender_equity"]) > 0
"""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert result.returncode == 0, result.stderr


def test_a_missing_text_has_no_score(linear: list[str]) -> None:
    """A null in the text or in its counterfactual gives a null."""
    batch = {"text": ["he", None, "he"], "text_counterfactual": [None, "she", "he"]}
    found = EquityScore(columns="text", models=linear)(batch)["gender_equity"]
    assert found == [None, None, 0.0]


def test_wrong_inputs_are_refused(linear: list[str], transformer: str) -> None:
    """Each sentence says what to do."""
    score = EquityScore(columns="text", models=linear)
    with pytest.raises(InputError, match=r"no column 'text_counterfactual'.*mode='pair'"):
        score({"text": ["he"]})
    with pytest.raises(InputError, match="'gender_equity' exists already"):
        score({**BATCH, "gender_equity": [0.0] * 5})
    with pytest.raises(InputError, match=r"has 2 classes, but .* has 3"):
        EquityScore(columns="text", models=[linear[0], transformer])(BATCH)
    with pytest.raises(InputError, match="one of the two"):
        EquityScore(columns="text", models=linear, logits="f", counterfactual_logits="g")
    with pytest.raises(InputError, match="a column for each of columns"):
        EquityScore(columns=["a", "b"], counterfactual_columns="c", models=linear)
    with pytest.raises(InputError, match=r"take `\[epochs\[0\] for epochs in paths\]`"):
        EquityScore(columns="text", models=[linear])
    with pytest.raises(InputError, match="precision must be one of 'auto', 'float32'"):
        EquityScore(columns="text", models=linear, precision="half")
    with pytest.raises(InputError, match="batch_size must be at least 1"):
        EquityScore(columns="text", models=linear, batch_size=0)


def test_two_columns_are_read_as_a_pair(transformer: str) -> None:
    """A transformer reads two texts as a pair, and refuses three."""
    logits = predict_logits(transformer, [("he slept", "she left")])
    probe = torch.tensor(predict_logits(transformer, ["he slept"]))
    assert not np.allclose(logits, probe.numpy())
    with pytest.raises(InputError, match="one text or a pair, but a row has 3"):
        predict_logits(transformer, [("a", "b", "c")])
