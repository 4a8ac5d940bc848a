"""Every measure is loaded from the loopback Hub, and its page answers."""

import json
import math
from typing import Any

import evaluate
import pytest
from huggingface_hub import HfApi, SpaceCard

from fair_datasets import available_metrics, load_metric
from fair_datasets.checks import InputError
from fair_datasets.hub import metric_app, pull_metric, push_metric, push_metrics


def test_every_measure_is_loaded_from_its_space(hub: Any) -> None:
    """evaluate.load gives the module of the package: its kind, inputs, documentation and name."""
    uploads = push_metrics("ada")
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
    with pytest.raises(InputError, match=r"is no measure: it holds no demo\.py"):
        pull_metric("ada/demo")


@pytest.mark.parametrize("name", available_metrics())
def test_the_example_of_the_page_has_a_result(name: str) -> None:
    """What the page is filled in with is computed, or the page says what is missing."""
    module = load_metric(name)
    example = metric_app.example_of(module)
    assert example
    result = json.loads(metric_app.compute(module, json.dumps(example)))
    assert result
    if all(isinstance(value, list) and value for value in example.values()):
        assert "error" not in result


def test_the_page_answers_mistakes() -> None:
    """A mistake is an answer; NumPy's numbers are numbers."""
    module = load_metric("demographic_parity")
    for text in ("", "[1]", '{"predictions": [1], "groups": []}'):
        assert "error" in json.loads(metric_app.compute(module, text))
    one = json.loads(metric_app.compute(module, '{"predictions": [1, 0], "groups": ["a", "b"]}'))
    assert not math.isnan(one["difference"])
