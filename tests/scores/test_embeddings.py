"""Tests of sentence vectors, on a small model and on a published encoder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from fair_datasets.measures.weat import seat_sentences, weat_from_rows
from fair_datasets.scores.embeddings import (
    attribute_probabilities,
    class_logits,
    class_probabilities,
    sentence_vectors,
)
from fair_datasets.system.checks import InputError
from tests.small_models import small_model

TEXTS = ["the nurse said that she left .", "he ate", "the pilot slept ."]


@pytest.mark.parametrize("pooling", ["mean", "max", "cls", "last"])
@pytest.mark.parametrize("batch_size", [1, 3])
def test_pooling_leaves_padding_out(
    biased_masked: tuple[Any, Any], pooling: Any, batch_size: int
) -> None:
    """Each text alone, without padding, gives the same vector."""
    found = sentence_vectors(TEXTS, biased_masked, pooling=pooling, batch_size=batch_size)
    model, tokenizer = biased_masked
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            states = model.bert(torch.tensor([tokenizer(text)["input_ids"]])).last_hidden_state[0]
        expected = {
            "mean": states.mean(0),
            "max": states.max(0).values,
            "cls": states[0],
            "last": states[-1],
        }[pooling]
        np.testing.assert_allclose(found[row], expected, atol=1e-5)


def test_a_published_encoder_gives_its_own_vectors(encoder_folder: str) -> None:
    """The cosine with the recipe of the model's card is 1."""
    from transformers import AutoModel, AutoTokenizer

    texts = ["His dog is here.", "Her dog is here.", "The stock exchange fell by two per cent."]
    found = sentence_vectors(texts, encoder_folder, batch_size=2)
    tokenizer = AutoTokenizer.from_pretrained(encoder_folder)
    model = AutoModel.from_pretrained(encoder_folder).eval()
    batch = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    mask = batch["attention_mask"][..., None]
    with torch.no_grad():
        states = model(**batch).last_hidden_state
    expected = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1).numpy()
    units = found / np.linalg.norm(found, axis=1, keepdims=True)
    np.testing.assert_allclose((units * expected).sum(axis=1), 1, atol=1e-6)
    assert units[0] @ units[1] > 0.6 > 0.3 > units[0] @ units[2]


def test_a_published_encoder_reads_the_text_that_it_was_made_for(encoder_folder: str) -> None:
    """The folder says 256 tokens, less than the model could read."""
    with pytest.warns(UserWarning, match="256 tokens that the model reads"):
        sentence_vectors(["word " * 300], encoder_folder)


def test_a_published_encoder_tells_flowers_from_insects(encoder_folder: str) -> None:
    """The least disputed of the tests comes out on real sentence vectors."""
    sentences = seat_sentences("C1")
    vectors = sentence_vectors(sentences["texts"], encoder_folder)
    result = weat_from_rows(vectors, sentences["sets"], n_samples=1000)
    assert result.effect_size > 0.5
    assert result.p_value < 0.01


def test_a_function_of_texts_may_be_the_model() -> None:
    """Whatever it gives is read as a table."""
    found = sentence_vectors(TEXTS, lambda texts: torch.ones(len(texts), 2, dtype=torch.bfloat16))
    assert found.dtype == np.float64
    with pytest.raises(InputError, match=r"one vector for each of the 3 texts"):
        sentence_vectors(TEXTS, lambda texts: [1.0, 2.0])


@pytest.mark.parametrize(
    ("module", "config", "sentence"),
    [
        ("Dense", {"pooling_mode": "mean"}, "has a module 'Dense'"),
        ("Normalize", {"pooling_mode": "weightedmean"}, "pools by"),
        (
            "Normalize",
            {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True},
            "pools by",
        ),
    ],
)
def test_poolings_of_another_kind_are_refused(
    biased_masked: tuple[Any, Any],
    tmp_path: Path,
    module: str,
    config: dict[str, Any],
    sentence: str,
) -> None:
    """The sentence offers the library's own function."""
    save(biased_masked, tmp_path, module, config)
    with pytest.raises(InputError, match=sentence):
        sentence_vectors(TEXTS, tmp_path)


@pytest.mark.parametrize("config", [{"pooling_mode": "cls"}, {"pooling_mode_cls_token": True}])
def test_a_folder_says_how_it_pools(
    biased_masked: tuple[Any, Any], tmp_path: Path, config: dict[str, Any]
) -> None:
    """The files of present and earlier versions of sentence-transformers are read."""
    save(biased_masked, tmp_path, "Normalize", config)
    np.testing.assert_allclose(
        sentence_vectors(TEXTS, tmp_path),
        sentence_vectors(TEXTS, biased_masked, pooling="cls"),
        atol=1e-6,
    )


def save(pair: tuple[Any, Any], folder: Path, module: str, config: dict[str, Any]) -> None:
    """Save a model as sentence-transformers does."""
    for part in pair:
        part.save_pretrained(folder)
    names = {"Transformer": "", "Pooling": "1_Pooling", module: f"2_{module}"}
    modules = [{"type": f"models.{name}", "path": path} for name, path in names.items()]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))


def test_a_text_without_tokens_is_refused(biased_causal: tuple[Any, Any]) -> None:
    """A tokenizer that adds nothing gives nothing for an empty text."""
    with pytest.raises(InputError, match="no tokens in row 0"):
        sentence_vectors([""], biased_causal)


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_logits_are_those_of_the_model(
    untrained_classifier: tuple[Any, Any], batch_size: int
) -> None:
    """Batching and padding change nothing."""
    model, tokenizer = untrained_classifier
    found = class_logits(TEXTS, untrained_classifier, batch_size=batch_size)
    assert found.shape == (3, 3)
    assert found.dtype == np.float64
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            expected = model(torch.tensor([tokenizer(text)["input_ids"]])).logits[0]
        np.testing.assert_allclose(found[row], expected, atol=1e-6)


def test_probabilities_are_the_softmax(untrained_classifier: tuple[Any, Any]) -> None:
    """Each row sums to 1."""
    found = class_probabilities(TEXTS, untrained_classifier)
    logits = torch.from_numpy(class_logits(TEXTS, untrained_classifier))
    np.testing.assert_allclose(found, torch.softmax(logits, dim=1), atol=1e-12)


def test_no_texts_have_no_classes(untrained_classifier: tuple[Any, Any]) -> None:
    """An empty list gives a table without rows."""
    assert class_probabilities([], untrained_classifier).shape == (0, 3)


@pytest.mark.parametrize(
    "options", [{"num_labels": 1}, {"problem_type": "multi_label_classification"}]
)
def test_outputs_that_are_no_classes_have_no_probabilities(
    untrained_classifier: tuple[Any, Any], options: dict[str, Any]
) -> None:
    """A single output and labels that do not exclude each other are refused."""
    from transformers import BertForSequenceClassification

    config = untrained_classifier[0].config.__class__(
        **{**untrained_classifier[0].config.to_dict(), **options}
    )
    pair = BertForSequenceClassification(config), untrained_classifier[1]
    with pytest.raises(InputError, match=r"two or more classes .* Use class_logits\."):
        class_probabilities(TEXTS, pair)


def test_a_text_without_tokens_is_refused_of_classifier(
    untrained_classifier: tuple[Any, Any], causal_tokenizer: Any
) -> None:
    """A tokenizer that adds nothing gives nothing for an empty text."""
    with pytest.raises(InputError, match="no tokens in row 1"):
        class_logits(["he", ""], (untrained_classifier[0], causal_tokenizer))


def test_a_causal_classifier_without_padding_reads_the_last_token(causal_tokenizer: Any) -> None:
    """Texts of different lengths are scored as each would be alone."""
    ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": None, "n_positions": 16}
    model = small_model("GPT2ForSequenceClassification", len(causal_tokenizer), 16, **ends)
    found = class_logits(TEXTS, (model, causal_tokenizer))
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            expected = model(torch.tensor([causal_tokenizer(text)["input_ids"]])).logits[0]
        np.testing.assert_allclose(found[row], expected, atol=1e-6)


@pytest.fixture
def two_classes(untrained_classifier: tuple[Any, Any]) -> tuple[Any, Any]:
    """Give a classifier of two classes with random weights."""
    from transformers import BertForSequenceClassification

    config = untrained_classifier[0].config.__class__(
        **{**untrained_classifier[0].config.to_dict(), "id2label": {0: "man", 1: "woman"}}
    )
    return BertForSequenceClassification(config).eval(), untrained_classifier[1]


def test_each_row_has_the_probability_of_its_attribute(two_classes: tuple[Any, Any]) -> None:
    """By number or by name, in each list."""
    texts = {"first": ["he ate", "she ate"], "second": ["the pilot slept .", "she"]}
    for attributes in ([1, 0], ["woman", "man"], np.array([1, 0])):
        found = attribute_probabilities(texts, attributes, two_classes)
        for probabilities, values in zip(found, texts.values(), strict=True):
            expected = class_probabilities(values, two_classes)
            np.testing.assert_allclose(probabilities, [expected[0, 1], expected[1, 0]], atol=1e-6)


def test_no_texts_have_no_probabilities(two_classes: tuple[Any, Any]) -> None:
    """Empty lists give empty arrays."""
    found = attribute_probabilities({"a": [], "b": []}, [], two_classes)
    assert [values.shape for values in found] == [(0,), (0,)]


@pytest.mark.parametrize("wrong", [2, "king", None, True, 0.5])
def test_what_is_no_class_is_told(two_classes: tuple[Any, Any], wrong: Any) -> None:
    """With its row, and the classes that exist."""
    with pytest.raises(InputError, match=r"'man', 'woman' or their numbers, but row 1 is"):
        attribute_probabilities({"a": ["he", "she"]}, [0, wrong], two_classes)


def test_three_classes_are_refused(untrained_classifier: tuple[Any, Any]) -> None:
    """The measure knows the original attribute and the other."""
    with pytest.raises(InputError, match="must have two classes, but it has 3"):
        attribute_probabilities({"a": ["he"]}, [0], untrained_classifier)
