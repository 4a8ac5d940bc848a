"""A tiny classifier that is trained: its metrics by group, and its flips at each evaluation."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fairlearn.metrics as fairlearn
import numpy as np
import pytest
import torch
from datasets import Dataset
from sklearn.metrics import f1_score
from transformers import EvalPrediction, Trainer, TrainingArguments

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.integrations.transformers import FlipCallback, group_metrics
from fair_datasets.measures import UndefinedMeasureWarning, counterfactual_flip_rate
from fair_datasets.swap import placebos_of
from tests.small_models import bert_tokenizer, small_model

SWAP = CounterfactualSwap(columns="text")
PEOPLE = {"John": "man", "Mary": "woman", "Robert": "man", "Emily": "woman", "The pupil": "none"}
# "Odd" is said to be rude of women alone, "loud" of everybody, "kind" of nobody.
ROWS = Dataset.from_list([
    {"text": f"{who} was {word} {when}", "who": group,
     "label": int(word == "loud" or (word == "odd" and group == "woman"))}
    for when in ("today", "here", "there", "early", "late", "alone")
    for who, group in PEOPLE.items()
    for word in ("odd", "loud", "kind")
])  # fmt: skip
LOGITS = np.array([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]])
WORDS = sorted({word for text in SWAP.apply(ROWS)["text"] for word in text.split()})
TOKENIZER = bert_tokenizer(WORDS)


def encode(batch: Any) -> Any:
    """Make the inputs of the model."""
    return TOKENIZER(batch["text"])


ENCODED = ROWS.map(encode, batched=True)


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    """Return what trains the classifier for four epochs, and goes back to the best."""
    arguments = TrainingArguments(
        str(tmp_path), num_train_epochs=4, learning_rate=0.03, per_device_train_batch_size=15,
        eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
        metric_for_best_model="f1_score_worst", greater_is_better=True, report_to=[],
        disable_tqdm=True, dataloader_pin_memory=False, use_cpu=True, seed=1,
    )  # fmt: skip
    model = small_model("BertForSequenceClassification", len(TOKENIZER), 16, heads=2, num_labels=2)
    return Trainer(
        model, arguments, train_dataset=ENCODED, eval_dataset=ENCODED, processing_class=TOKENIZER,
        compute_metrics=group_metrics(
            ROWS["who"][:], ["f1_score", "demographic_parity"], undefined="zero"
        ),
    )  # fmt: skip


def classes(trainer: Trainer, texts: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Ask the model of texts by hand, one after the other."""
    found = []
    for (text,) in texts:
        with torch.no_grad():
            found.append(trainer.model(**TOKENIZER(text, return_tensors="pt")).logits.argmax())
    return np.array(found)


@pytest.mark.slow
def test_a_training_tells_groups_and_flips(trainer: Trainer) -> None:
    """What fairlearn says, and what the model says of the twins one by one."""
    trainer.add_callback(FlipCallback(trainer, ROWS, SWAP, encode, draws=2))
    trainer.train()
    found = trainer.evaluate(metric_key_prefix="test")

    said = trainer.predict(ENCODED).predictions.argmax(1)
    given = {"y_true": ROWS["label"][:], "y_pred": said, "sensitive_features": ROWS["who"][:]}
    frame = fairlearn.MetricFrame(metrics=f1_score, **given)
    assert found["test_f1_score"] == pytest.approx(frame.overall)
    assert found["test_f1_score_difference"] == pytest.approx(frame.difference())
    assert found["test_f1_score_worst"] == pytest.approx(frame.group_min())
    assert found["test_f1_score_woman"] == pytest.approx(frame.by_group["woman"])
    parity = fairlearn.demographic_parity_difference(**given)
    assert found["test_demographic_parity_difference"] == pytest.approx(parity)

    placebos = placebos_of([(text,) for text in ROWS["text"]], SWAP, count=2)
    own, drawn = placebos.asked(lambda texts: classes(trainer, texts))
    flips = counterfactual_flip_rate(
        *own.T, control_predictions=drawn[:, 0], control_counterfactual_predictions=drawn[:, 1]
    )
    assert flips.control is not None
    assert (flips.all.rows, flips.all.flip_rate) == (36, found["test_flip_rate"])
    assert 0 < found["test_flip_rate"] < 1
    assert found["test_flip_rate_control"] == flips.control.flip_rate_control
    assert found["test_flip_rate_excess"] == flips.control.flip_rate_excess


@pytest.mark.slow
def test_they_are_logged_and_choose_the_model(trainer: Trainer) -> None:
    """The trainer logs before it asks its callbacks, so that this one logs by itself."""
    trainer.args.metric_for_best_model = "flip_rate"
    trainer.args.greater_is_better = False
    trainer.add_callback(FlipCallback(trainer, ROWS, SWAP, encode, draws=1))
    trainer.train()
    logged = [line for line in trainer.state.log_history if "eval_flip_rate" in line]
    assert [line["epoch"] for line in logged] == [1.0, 2.0, 3.0, 4.0]
    assert trainer.state.best_metric == min(line["eval_flip_rate"] for line in logged)


def test_what_cannot_be_asked(trainer: Trainer) -> None:
    """Told when the callback is made."""
    wrong: list[tuple[Any, CounterfactualSwap, str]] = [
        (ROWS, CounterfactualSwap(columns="txt"), "FlipCallback: there is no column 'txt'; the co"),
        (ROWS, CounterfactualSwap(columns="text", axis="age"), "the swap changes none of the 90 "),
        (ROWS.to_iterable_dataset(), SWAP, "FlipCallback: it needs one datasets.Dataset, but it "),
    ]
    for rows, swap, sentence in wrong:
        with pytest.raises(InputError, match=sentence):
            FlipCallback(trainer, rows, swap, encode)
    trainer.args.train_sampling_strategy = "group_by_length"
    with pytest.raises(InputError, match="='group_by_length' mixes the rows of evaluations too"):
        FlipCallback(trainer, ROWS, SWAP, encode)


def test_rows_without_a_text_are_not_asked(trainer: Trainer) -> None:
    """Nor are those that the swap leaves as they are."""
    rows = Dataset.from_dict({"text": ["John was odd", None, "odd"], "label": [0] * 3})
    callback = FlipCallback(trainer, rows, SWAP, encode, draws=1)
    assert callback.twins["text"][:2] == ["John was odd", "Mary was odd"]
    assert "label" not in callback.twins.column_names


def test_flips_are_of_pairs_and_of_their_placebos(trainer: Trainer) -> None:
    """What a model says of each text is compared with what it says of that text's twin."""

    def said(texts: Sequence[tuple[str, ...]]) -> np.ndarray:
        return np.array([sum(map(ord, text)) // 2 % 2 for (text,) in texts])

    callback = FlipCallback(trainer, ROWS, SWAP, encode, draws=2)
    asked = SimpleNamespace(predictions=said([(text,) for text in callback.twins["text"]]))
    callback.trainer = SimpleNamespace(predict=lambda rows: asked, log=lambda values: None)
    metrics = {"eval_runtime": 1.0}
    callback.on_evaluate(None, None, None, metrics=metrics)
    own, drawn = placebos_of([(text,) for text in ROWS["text"]], SWAP, count=2).asked(said)
    flips = counterfactual_flip_rate(
        *own.T, control_predictions=drawn[:, 0], control_counterfactual_predictions=drawn[:, 1]
    )
    assert flips.control is not None
    assert 0 < flips.control.flip_rate_control < 1
    assert metrics["eval_flip_rate"] == flips.all.flip_rate
    assert metrics["eval_flip_rate_control"] == flips.control.flip_rate_control


def test_metrics_take_logits_or_classes() -> None:
    """Also logits with hidden states behind them."""
    compute = group_metrics(["w", "w", "m", "m"])
    known = np.array([1, 1, 1, 1])
    expected = {
        "accuracy_score": 0.5, "accuracy_score_m": 0.5, "accuracy_score_w": 0.5,
        "accuracy_score_difference": 0.0, "accuracy_score_ratio": 1.0, "accuracy_score_worst": 0.5,
    }  # fmt: skip
    for said in (LOGITS, (LOGITS, None), LOGITS.argmax(1)):
        assert compute(EvalPrediction(said, known)) == expected


def test_a_metric_that_fails_on_one_group_is_nan_there() -> None:
    """A warning says of which and why; the other groups keep their values."""
    compute = group_metrics(["w", "w", "m", "m"], "roc_auc_score")
    with pytest.warns(UndefinedMeasureWarning, match="not defined for group 'm': Only one class"):
        found = compute(EvalPrediction(LOGITS.argmax(1), np.array([1, 0, 1, 1])))
    assert np.isnan([found["roc_auc_score_m"], found["roc_auc_score_difference"]]).all()
    assert found["roc_auc_score_w"] == found["roc_auc_score_worst"] == 1.0


def test_probabilities_are_taken_as_they_are() -> None:
    """Of the shape (N,)."""
    compute = group_metrics(["a", "b", "a", "b"], "roc_auc_score")
    labels = np.array([1, 1, 0, 0])
    found = compute(EvalPrediction(np.array([0.9, 0.4, 0.2, 0.6]), labels))
    assert (found["roc_auc_score_a"], found["roc_auc_score_b"]) == (1.0, 0.0)
