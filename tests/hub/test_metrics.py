"""Every measure is loaded from the loopback Hub, and its page answers."""

import inspect
import json
from pathlib import Path
from typing import Any

import evaluate
import pytest
from huggingface_hub import HfApi, SpaceCard

from fair_datasets import load_metric
from fair_datasets.hub import metric_app, pull_metric, push_metric, push_metrics
from fair_datasets.measures import available_metrics
from fair_datasets.system.checks import InputError
from fair_datasets.version import __version__


def test_every_measure_is_loaded_from_its_space(hub: Any) -> None:
    """evaluate.load gives the module of the package: its kind, inputs, documentation and name."""
    uploads = push_metrics("ada").uploads
    assert list(uploads) == available_metrics()
    for name in available_metrics():
        assert "app.py" in [file.path for file in uploads[name].files]
        loaded, own = evaluate.load(f"ada/{name}"), load_metric(name)
        assert type(loaded).__bases__ == type(own).__bases__
        assert loaded.features == own.features
        assert loaded.inputs_description == own.inputs_description


def test_a_result_from_the_hub(hub: Any) -> None:
    """The loaded measure computes."""
    push_metric("demographic_parity", "ada", private=True)
    assert SpaceCard.load("ada/demographic_parity").data["python_version"] == "3.11"
    parity = pull_metric("hf://spaces/ada/demographic_parity")
    inputs = {"predictions": [1, 0, 1, 1], "groups": ["a", "a", "b", "b"]}
    assert parity.compute(**inputs) == load_metric("demographic_parity").compute(**inputs)


def test_what_is_no_measure(hub: Any, tmp_path: Any) -> None:
    """Unknown names and Spaces without a module have their sentences."""
    with pytest.raises(InputError, match="Did you mean 'demographic_parity'"):
        push_metrics("ada", ["demographic_partiy"])
    HfApi().create_repo("ada/demo", repo_type="space", space_sdk="gradio")
    with pytest.raises(InputError, match=r"is not a measure: it holds no demo\.py"):
        pull_metric("ada/demo")


def test_a_space_installs_the_version_that_sent_it(hub: Any) -> None:
    """A later version may have other modules; what else a measure needs is left as it is."""
    for name in ("demographic_parity", "perturbation_quality", "seat"):
        push_metric(name, "ada")
        file = HfApi().hf_hub_download(f"ada/{name}", "requirements.txt", repo_type="space")
        lines = Path(file).read_text().splitlines()
        assert lines[0] == f"fair-datasets=={__version__}"
        assert not [line for line in lines[1:] if "fair" in line]


def test_the_measures_are_a_collection(hub: Any) -> None:
    """They stand together under one title, each once, however often they are pushed."""
    names = ["demographic_parity", "weat"]
    for chosen in (names[:1], names, names):
        pushed = push_metrics("ada", chosen)
        assert list(pushed.uploads) == chosen
    found = HfApi().get_collection(pushed.collection.rpartition("/collections/")[2])
    assert [(item.item_type, item.item_id) for item in found.items] == [
        ("space", f"ada/{name}") for name in names
    ]
    assert pushed.collection.startswith(f"{hub.url}/collections/ada/")
    assert not found.private


def test_a_collection_of_what_is_seen_by_nobody_else(hub: Any) -> None:
    """Private Spaces make a private collection; a dry run and a pull request make none."""
    found = push_metrics("ada", ["weat"], private=True).collection
    assert HfApi().get_collection(found.rpartition("/collections/")[2]).private
    hub.reset()
    assert push_metrics("ada", ["weat"], dry_run=True).collection == ""
    push_metric("weat", "ada")
    assert push_metrics("ada", ["weat"], create_pr=True).collection == ""
    assert not [line for line in hub.requests() if "collections" in line]


@pytest.mark.parametrize("name", available_metrics())
def test_the_example_of_the_page_has_a_result(name: str, encoder: None) -> None:
    """What the page is filled in with is computed, also where a model reads texts."""
    module = load_metric(name)
    example = metric_app.example_of(module)
    assert set(metric_app.columns_of(module)) <= set(example)
    result = json.loads(metric_app.compute(module, json.dumps(example)))
    assert result
    assert "error" not in result


@pytest.mark.parametrize("name", available_metrics())
def test_every_parameter_is_offered_or_not_on_purpose(name: str) -> None:
    """A new one is taken by the page only when somebody has thought about it."""
    module = load_metric(name)
    refused = set(inspect.signature(module._compute).parameters)
    refused -= {*metric_app.offered(module), *metric_app.NOT_TAKEN}
    refused -= {*metric_app.COSTLY.get(name, ())}
    assert refused <= ({"model"} if name not in metric_app.MODELS else set())


def answer(name: str, **inputs: Any) -> dict[str, Any]:
    """Compute a measure as its page does."""
    result: dict[str, Any] = json.loads(metric_app.compute(load_metric(name), json.dumps(inputs)))
    return result


TEXTS = {"texts": ["a", "b", "c", "d"], "sets": ["X", "Y", "A", "B"]}
PARITY = {"predictions": [1, 0], "groups": ["a", "b"]}


@pytest.mark.parametrize(("name", "inputs", "sentence"), [
    ("representation", {"data": ["he"], "axis": "/etc/passwd"}, "axis must be one of 'age',"),
    ("representation", {"data": ["he"], "axis": "a.tsv"}, "axis must be one of 'age', 'gender"),
    ("representation", {"data": ["he"], "axis": ["gender"]}, "axis must be one of 'age'"),
    ("label_association", {"data": ["he"], "labels": ["a"], "axis": "/dev/zero.tsv"}, "axis"),
    ("seat", {**TEXTS, "model": "/root"}, "model must be one of 'sentence-transformers/all-"),
    ("seat", {**TEXTS, "model": "somebody/large"}, "model must be one of 'sentence-transformer"),
    ("seat", {**TEXTS, "revision": "main"}, "does not take 'revision', but 'texts', 'sets', "),
    ("seat", {**TEXTS, "device": "cuda:9"}, "does not take 'device'"),
    ("seat", {**TEXTS, "n_samples": 10**9}, "n_samples must be a whole number of 100,000 at"),
    ("transfer_accuracy", {"model": "any/model"}, "model must be one of none."),
    ("demographic_parity", {**PARITY, "n_resamples": 10**9}, "n_resamples must be a whole num"),
    ("demographic_parity", {**PARITY, "n_resamples": "9"}, "n_resamples must be a whole numbe"),
    ("demographic_parity", {**PARITY, "cache_dir": "/tmp"}, "does not take 'cache_dir'"),
    ("group_metric", {**PARITY, "confidence": 0.9}, "does not take 'confidence', but 'predic"),
    ("group_metric", {**PARITY, "n_resamples": 1}, "does not take 'n_resamples'"),
    ("group_metric", {**PARITY, "references": [1, 0], "metric": "os.system"},
     "metric must be one of 'accuracy_score', "),
    ("demographic_parity", {"predictions": [1] * 1001}, "1,000 rows at most, but predictions"),
    ("representation", {"data": ["he" * 2000]}, "texts of 2,000 letters at most, but data has"),
    ("representation", {"data": ["he" * 500] * 500}, "This page takes 200,000 letters at most"),
    ("seat", {"texts": ["a"] * 101, "model": metric_app.MODELS["seat"][0]},
     "has a model read 100 texts at most"),
])  # fmt: skip
def test_a_visitor_opens_nothing(name: str, inputs: dict[str, Any], sentence: str) -> None:
    """Neither a file nor a model is opened, and nothing costs more than was meant."""
    assert sentence in answer(name, **inputs)["error"]


@pytest.mark.parametrize(("name", "inputs"), [
    ("demographic_parity", {"predictions": [1] * 1000}),
    ("representation", {"data": ["h" * 2000]}),
    ("seat", {"texts": ["a"] * 100, "model": metric_app.MODELS["seat"][0]}),
    ("seat", {**TEXTS, "n_samples": 100_000}),
    ("seat", {**TEXTS, "batch_size": 64}),
    ("demographic_parity", {**PARITY, "n_resamples": 1000}),
    ("bias_score", {"bins": 1000}),
])  # fmt: skip
def test_as_much_as_a_visitor_may_ask_for(name: str, inputs: dict[str, Any]) -> None:
    """The limits themselves are taken, and one more is not."""
    module = load_metric(name)
    text = json.dumps(inputs)
    assert metric_app.checked(module, text + " " * (200_000 - len(text))) == inputs
    with pytest.raises(InputError, match="This page takes 200,000 letters at most"):
        metric_app.checked(module, text + " " * (200_001 - len(text)))


def test_what_is_not_defined_is_said() -> None:
    """The result is JSON that others read, with what the measure warned of."""
    found = answer("demographic_parity", predictions=[1], groups=["a"])
    assert found["difference"] == "not defined"
    assert found["warnings"] == [
        "demographic_parity: there is one group, 'a'; a comparison needs two groups. The value is "
        "NaN."
    ]
    assert "warnings" not in answer("demographic_parity", **PARITY)
    assert metric_app.shown([float("inf"), -float("inf"), 1]) == ["infinite", "minus infinite", 1]


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "[" * 100_000, '{"predictions": [1], "groups": []}', '{"groups": 3}', "1e999"],
)
def test_the_page_answers_mistakes(text: str) -> None:
    """A mistake is an answer, and so is half of a letter in a name."""
    module = load_metric("demographic_parity")
    assert json.loads(metric_app.compute(module, text))["error"]
    half = metric_app.compute(module, '{"predictions": [1, 0], "groups": ["\\ud800", "b"]}')
    assert "\\ud800" in half.encode("utf-8").decode("utf-8")
