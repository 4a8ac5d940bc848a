"""GraNd against gradients that are taken one row at a time."""

from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset

from fair_datasets.scores.grand import GraNd
from fair_datasets.scores.probes import ProbeConfig, load_probe, train_probes
from fair_datasets.scores.probes import transformer as transformer_module
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique

TEXTS = [
    "the nurse said that she slept .",
    "the pilot said that he sang .",
    "the miner left .",
    "",
    "the smith said that the florist said that he ate",
]
LABELS = [0, 2, 1, 1, 0]
BATCH = {"text": TEXTS, "label": LABELS}


def saved(model: Any, tokenizer: Any, folder: Any) -> str:
    """Save a model with its tokenizer."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def one_by_one(model: Any, tokenizer: Any) -> list[float]:
    """Take the gradient norm of each row by itself, without padding."""
    norms = []
    for text, label in zip(TEXTS, LABELS, strict=True):
        model.zero_grad()
        inputs = tokenizer(text, return_tensors="pt")
        logits = model(**inputs).logits
        torch.nn.functional.cross_entropy(logits, torch.tensor([label])).backward()
        found = [weight.grad.norm() for weight in model.parameters() if weight.grad is not None]
        norms.append(torch.stack(found).norm().item())
    model.zero_grad()
    return norms


def test_gradients_of_several_rows_at_once_are_those_of_single_rows(
    untrained_classifier: tuple[Any, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The norms are exact, whether many rows share a chunk or each is alone; the weights stay."""
    model, tokenizer = untrained_classifier
    path = saved(model, tokenizer, tmp_path)
    expected = one_by_one(model, tokenizer)
    before = [weight.clone() for weight in load_probe(path).loaded.model.parameters()]
    for room in (1 << 29, 1):
        monkeypatch.setattr(transformer_module, "GRADIENT_BYTES", room)
        found = GraNd(columns="text", models=path)(BATCH)["grand"]
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    after = load_probe(path).loaded.model
    assert all(map(torch.equal, before, after.parameters()))
    assert all(weight.grad is None for weight in after.parameters())
    assert not after.training


@pytest.mark.parametrize("family", ["gpt2", "distilbert", "roberta", "deberta"])
def test_other_families(family: str, masked_tokenizer: Any, tmp_path: Any) -> None:
    """Models that read from left to right, and those with other kinds of attention, work too."""
    import transformers

    common = {"vocab_size": len(masked_tokenizer), "num_labels": 3}
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    sizes = {**sizes, "intermediate_size": 64, "max_position_embeddings": 24}
    torch.manual_seed(0)
    if family == "gpt2":  # It does not say how its rows are padded.
        config = transformers.GPT2Config(
            n_embd=32,
            n_layer=2,
            n_head=2,
            bos_token_id=2,
            eos_token_id=3,
            pad_token_id=None,
            **common,
        )
        model = transformers.GPT2ForSequenceClassification(config)
    elif family == "distilbert":
        config = transformers.DistilBertConfig(dim=32, n_layers=2, n_heads=2, **common)
        model = transformers.DistilBertForSequenceClassification(config)
    elif family == "roberta":
        config = transformers.RobertaConfig(**sizes, **common)
        model = transformers.RobertaForSequenceClassification(config)
    else:
        config = transformers.DebertaV2Config(
            **sizes,
            **common,
            relative_attention=True,
            pos_att_type=["p2c", "c2p"],
            position_buckets=8,
        )
        model = transformers.DebertaV2ForSequenceClassification(config)
    path = saved(model.eval(), masked_tokenizer, tmp_path)
    loaded = load_probe(path).loaded
    found = GraNd(columns="text", models=path)(BATCH)["grand"]
    np.testing.assert_allclose(found, one_by_one(loaded.model, loaded.tokenizer), rtol=1e-4)


def test_linear_probes_have_a_closed_form(tmp_path: Any) -> None:
    """A linear probe's norms are those of a softmax layer on its features."""
    data = Dataset.from_dict(BATCH)
    ((path,),) = train_probes(ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1), data)
    probe = load_probe(path)
    features = torch.tensor(probe._features([(text,) for text in TEXTS]).toarray())
    layer = torch.nn.Linear(features.shape[1], 3).double()
    layer.weight.data = torch.tensor(probe.weights)
    layer.bias.data = torch.tensor(probe.biases)
    expected = []
    for row, label in zip(features, LABELS, strict=True):
        layer.zero_grad()
        torch.nn.functional.cross_entropy(layer(row)[None], torch.tensor([label])).backward()
        expected.append(torch.cat([layer.weight.grad.flatten(), layer.bias.grad]).norm().item())
    np.testing.assert_allclose(GraNd(columns="text", models=path)(BATCH)["grand"], expected)
    check_technique(GraNd(columns="text", models=path), BATCH)


@pytest.mark.slow
def test_the_contract_is_kept_by_a_transformer(
    untrained_classifier: tuple[Any, Any], tmp_path: Any
) -> None:
    """Which rows share a chunk does not change the scores."""
    check_technique(GraNd(columns="text", models=saved(*untrained_classifier, tmp_path)), BATCH)


def test_weights_that_are_not_trained_do_not_count(
    untrained_classifier: tuple[Any, Any], tmp_path: Any
) -> None:
    """A frozen body leaves the gradient of the head alone."""
    probe = load_probe(saved(*untrained_classifier, tmp_path))
    rows, labels = [(text,) for text in TEXTS], np.array(LABELS)
    whole = probe.gradient_norms(rows, labels)
    for weight in probe.loaded.model.base_model.parameters():
        weight.requires_grad = False
    assert (probe.gradient_norms(rows, labels) < whole).all()


def test_gradients_need_a_model() -> None:
    """There are no gradients in logits."""
    with pytest.raises(InputError, match="models must name a classifier"):
        GraNd(columns="text")
