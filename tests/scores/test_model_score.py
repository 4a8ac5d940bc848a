"""EL2N as a technique."""

from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset

from fair_datasets.scores.importance import el2n_score, forget_score
from fair_datasets.scores.model_score import EL2N, Forgetting, GraNd
from fair_datasets.scores.probes import ProbeConfig, load_probe, predict_logits, train_probes
from fair_datasets.scores.probes import transformer as transformer_module
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


def test_scores_are_the_means_of_the_seeds(models: list[str]) -> None:
    """The technique gives what the function gives for the models' logits."""
    logits = np.stack([predict_logits(model, TEXTS) for model in models])
    found = EL2N(columns="text", models=models)({"text": TEXTS, "label": LABELS})["el2n"]
    np.testing.assert_allclose(found, el2n_score(logits, LABELS))
    assert len({tuple(seed.ravel()) for seed in logits}) == 2
    column = {"logits": logits.swapaxes(0, 1).tolist(), "label": LABELS}
    np.testing.assert_allclose(EL2N(logits="logits")(column)["el2n"], found)


@pytest.mark.parametrize(("labels", "words"),
    [([0, "sexist"], r"'label'.*row 1.*'sexist' \(str\).*class_encode_column\('label'\)"),
    ([0, -1], "row 1.*-1.*remove the rows without a label"),
    ([0.5, 1], "row 0.*0.5.*number the classes from 0 on"),
    ([[0, 1], [1]], r"row 0.*\[0, 1\].*choose one label"),
    ([0, 3], "class 3 in row 1.*3 classes")])  # fmt: skip
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
    with pytest.raises(InputError, match="there is no column 'label'"):
        EL2N(columns="text", models=models)({"text": ["a"]})


TEXTS_OF_GRAND = ["the nurse said that she slept .", "the pilot said that he sang .",
    "the miner left .", "", "the smith said that the florist said that he ate"]  # fmt: skip
LABELS_OF_GRAND = [0, 2, 1, 1, 0]
BATCH = {"text": TEXTS_OF_GRAND, "label": LABELS_OF_GRAND}


def saved(model: Any, tokenizer: Any, folder: Any) -> str:
    """Save a model with its tokenizer."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def one_by_one(model: Any, tokenizer: Any) -> list[float]:
    """Take the gradient norm of each row by itself, without padding."""
    norms = []
    for text, label in zip(TEXTS_OF_GRAND, LABELS_OF_GRAND, strict=True):
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


@pytest.mark.parametrize("family", ["gpt2", "distilbert", "deberta"])
def test_other_families(family: str, masked_tokenizer: Any, tmp_path: Any) -> None:
    """Models that read from left to right, and those with other kinds of attention, work too."""
    import transformers

    common = {"vocab_size": len(masked_tokenizer), "num_labels": 3}
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    sizes = {**sizes, "intermediate_size": 64, "max_position_embeddings": 24}
    torch.manual_seed(0)
    if family == "gpt2":  # It does not say how its rows are padded.
        config = transformers.GPT2Config(
            n_embd=32, n_layer=2, n_head=2, bos_token_id=2, eos_token_id=3, pad_token_id=None,
            **common,
        )  # fmt: skip
        model = transformers.GPT2ForSequenceClassification(config)
    elif family == "distilbert":
        config = transformers.DistilBertConfig(dim=32, n_layers=2, n_heads=2, **common)
        model = transformers.DistilBertForSequenceClassification(config)
    else:
        config = transformers.DebertaV2Config(
            **sizes, **common, relative_attention=True, pos_att_type=["p2c", "c2p"],
            position_buckets=8,
        )  # fmt: skip
        model = transformers.DebertaV2ForSequenceClassification(config)
    path = saved(model.eval(), masked_tokenizer, tmp_path)
    found = GraNd(columns="text", models=path)(BATCH)["grand"]
    loaded = load_probe(path).loaded
    np.testing.assert_allclose(found, one_by_one(loaded.model.cpu(), loaded.tokenizer), rtol=1e-4)


def test_linear_probes_have_a_closed_form(tmp_path: Any) -> None:
    """A linear probe's norms are those of a softmax layer on its features."""
    data = Dataset.from_dict(BATCH)
    ((path,),) = train_probes(ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1), data)
    probe = load_probe(path)
    features = torch.tensor(probe._features([(text,) for text in TEXTS_OF_GRAND]).toarray())
    layer = torch.nn.Linear(features.shape[1], 3).double()
    layer.weight.data = torch.tensor(probe.weights)
    layer.bias.data = torch.tensor(probe.biases)
    expected = []
    for row, label in zip(features, LABELS_OF_GRAND, strict=True):
        layer.zero_grad()
        torch.nn.functional.cross_entropy(layer(row)[None], torch.tensor([label])).backward()
        expected.append(torch.cat([layer.weight.grad.flatten(), layer.bias.grad]).norm().item())
    np.testing.assert_allclose(GraNd(columns="text", models=path)(BATCH)["grand"], expected)


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
    rows, labels = [(text,) for text in TEXTS_OF_GRAND], np.array(LABELS_OF_GRAND)
    whole = probe.gradient_norms(rows, labels)
    for weight in probe.loaded.model.base_model.parameters():
        weight.requires_grad = False
    assert (probe.gradient_norms(rows, labels) < whole).all()


def test_a_text_that_a_score_has_read_is_not_read_again(
    untrained_classifier: tuple[Any, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a CPU what a probe said of a text is kept, and is what it says of it beside others."""
    probe = load_probe(saved(*untrained_classifier, tmp_path))
    if probe.loaded.model.device.type != "cpu":
        pytest.skip("half precision tells batches apart")
    rows, read = [(text,) for text in TEXTS_OF_GRAND], list[int]()
    run = transformer_module.TransformerProbe._logits

    def noted(self: Any, encoded: Any, reading: Any) -> Any:
        read.append(len(encoded))
        return run(self, encoded, reading)

    monkeypatch.setattr(transformer_module.TransformerProbe, "_logits", noted)
    alone = probe.logits(rows[:1])
    both = probe.logits([*rows, *rows])
    assert read == [1, len(set(rows)) - 1]
    np.testing.assert_array_equal(both[:1], alone)
    np.testing.assert_array_equal(*np.split(both, 2))
    monkeypatch.setattr(transformer_module, "_CACHE_SIZE", 0)
    np.testing.assert_allclose(probe.logits(rows), both[: len(rows)], atol=1e-6)


TEXTS_OF_FORGETTING = ["good film", "bad film", "good plot", "bad plot", "good film", "bad plot"]
LABELS_OF_FORGETTING = [1, 0, 1, 0, 0, 1]
BATCH_OF_FORGETTING = {"text": TEXTS_OF_FORGETTING, "label": LABELS_OF_FORGETTING}


@pytest.fixture(scope="session")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Give the four epochs of two linear probes."""
    config = ProbeConfig(out=tmp_path_factory.mktemp("epochs"), columns="text", seeds=2, epochs=4)
    return train_probes(config, Dataset.from_dict(BATCH_OF_FORGETTING))


def test_counts_are_averaged_over_seeds(paths: list[list[str]]) -> None:
    """The technique gives the mean of what the function gives for each seed."""
    logits = np.array(
        [[predict_logits(path, TEXTS_OF_FORGETTING) for path in epochs] for epochs in paths]
    )
    expected = np.mean([forget_score(seed, LABELS_OF_FORGETTING) for seed in logits], axis=0)
    found = Forgetting(columns="text", models=paths)(BATCH_OF_FORGETTING)["forgetting"]
    np.testing.assert_array_equal(found, expected)
    column = {"label": LABELS_OF_FORGETTING, "logits": logits.transpose(2, 0, 1, 3).tolist()}
    assert Forgetting(logits="logits")(column)["forgetting"] == found
    one = Forgetting(columns="text", models=paths[0])(BATCH_OF_FORGETTING)["forgetting"]
    np.testing.assert_array_equal(one, forget_score(logits[0], LABELS_OF_FORGETTING))


def test_seeds_with_other_numbers_of_epochs_are_refused(paths: list[list[str]]) -> None:
    """A missing epoch would compare states that are not neighbours."""
    with pytest.raises(InputError, match=r"as many epochs for each seed.*\[4, 3\]"):
        Forgetting(columns="text", models=[paths[0], paths[1][1:]])
    with pytest.raises(InputError, match="models must be a folder or a Hub id"):
        Forgetting(columns="text", models=[paths[0], 3])
    with pytest.raises(InputError, match="'zero', 'inf'"):
        Forgetting(columns="text", models=paths, never_learned="nan")
