"""Tests of what the package offers, and of what its import costs."""

import inspect
import subprocess
import sys
from dataclasses import is_dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fair_datasets
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.cli.main import commands
from fair_datasets.docs.site import commands_of
from fair_datasets.models import load_word_vectors
from fair_datasets.rewriters.perturber.train import RowsConfig
from fair_datasets.system.portable import file_digest
from fair_datasets.technique import Technique

ROOMS = (
    "evaluation", "lexicons", "measures", "models", "reader", "rewriters", "rows", "scores",
    "selection", "swap", "technique",
)  # fmt: skip
WORDS = {"he": [1, 0], "she": [0, 1], "man": [1, 0.5], "woman": [0.5, 1]}
HOMES = [fair_datasets, *(import_module(f"fair_datasets.{room}") for room in ROOMS)]


def test_every_public_name_resolves() -> None:
    """Every public name is there, and is the object of that name."""
    assert isinstance(fair_datasets.__version__, str)
    named = {
        name: getattr(fair_datasets, name)
        for name in fair_datasets.__all__
        if name != "__version__"
    }
    assert {name: value.__name__ for name, value in named.items()} == {name: name for name in named}


def test_whatever_reads_an_axis_asks_a_reader_or_a_pipeline_that_is_given() -> None:
    """What has an axis and no reader reads no text: a table of all others."""
    public = [getattr(home, name) for home in HOMES for name in home.__all__]
    kinds = [each for each in public if inspect.isfunction(each) or is_dataclass(each)]
    parameters = {
        each.__name__: set(inspect.signature(each).parameters)
        for each in [*kinds, AuditSettings, RowsConfig]
    }
    with_axis = {name for name, taken in parameters.items() if "axis" in taken}
    readers = {name for name, taken in parameters.items() if {"pipeline", "reader"} <= taken}
    assert with_axis - readers == {
        "DemographicDirection", "EquityScore", "identity_templates", "word_direction",
    }  # fmt: skip
    assert readers - with_axis == {"perturber_quality", "train_perturber"}


def test_the_digest_of_a_reader_is_in_every_configuration(nameless: str, tmp_path: Path) -> None:
    """Other weights under the same name are another technique."""
    load_word_vectors(WORDS).save(tmp_path / "v.npz")
    more: dict[str, dict[str, Any]] = {
        "AttributeFilter": {"model": "ada/model", "neutral": "copy"},
        "BiasScore": {"vectors": str(tmp_path / "v.npz")},
        "MaskErratic": {"model": "ada/model", "never_mask": "terms"},
        "ModelRewrite": {"model": "ada/model"},
        "PersonSwap": {"model": "ada/model"},
        "PreferenceTwins": {"columns": ("chosen", "rejected")},
        "SwapAbove": {"score_column": "score", "threshold": 0.5},
    }
    kinds = [getattr(fair_datasets, name) for name in fair_datasets.__all__]
    techniques = [
        each for each in kinds
        if isinstance(each, type) and issubclass(each, Technique)
        and "reader" in inspect.signature(each).parameters
    ]  # fmt: skip
    assert len(techniques) == 12
    for each in techniques:
        made = each(**{"columns": "text", "reader": nameless, **more.get(each.__name__, {})})
        assert made.config()["digests"][nameless] == file_digest(Path(nameless)), each


def test_every_command_that_reads_an_axis_takes_a_reader_and_a_pipeline() -> None:
    """Those that have a file of settings in place of options take them there."""
    options = {
        name: {option for each in context.command.params for option in each.opts}
        for name, _, context in commands_of(commands())
        if not name.startswith("measure ")
    }
    reading = {name for name, own in options.items() if own & {"--axis", "--names"}}
    assert reading == {
        "audit", "augment", "correct", "diet", "find", "push-twin", "score", "twin-task"
    }  # fmt: skip
    assert all(options[name] >= {"--pipeline", "--reader"} for name in reading)


def test_dir_lists_the_public_names() -> None:
    """Tab completion shows the names that are resolved lazily."""
    assert dir(fair_datasets) == sorted(fair_datasets.__all__)


def test_the_version_is_that_of_the_installed_package() -> None:
    """The version in the techniques' configurations is the one that pip knows."""
    assert fair_datasets.__version__ == version("fair-datasets")


def test_libraries_are_loaded_when_they_are_used(tmp_path: Path) -> None:
    """The package loads none; lexical techniques, readers, measures and scores none of models."""
    load_word_vectors(WORDS).save(tmp_path / "v.npz")
    code = f"""
import sys
def loaded(*more):
    print(sorted({{"torch", "transformers", "spacy", *more}} & set(sys.modules)))
import fair_datasets
loaded("datasets", "evaluate", "numpy", "scipy", "pandas")
import importlib, pkgutil, numpy
from fair_datasets import BiasScore, CounterfactualSwap
CounterfactualSwap(columns="text")
BiasScore(columns="text", vectors={str(tmp_path / "v.npz")!r})({{"text": ["pink man"]}})
loaded("sklearn", "scipy")
from fair_datasets.reader import load_reader
from fair_datasets.reader.matching.token_batch import TokenBatch
load_reader().tags(TokenBatch(["Mary left."]), numpy.array([0]))
loaded()
import fair_datasets.measures
for module in pkgutil.iter_modules(fair_datasets.measures.__path__, "fair_datasets.measures."):
    if module.name != "fair_datasets.measures.base":  # evaluate loads torch
        importlib.import_module(module.name)
for name in ("likelihoods", "embeddings", "models"):
    importlib.import_module(f"fair_datasets.scores.{{name}}")
loaded()
"""
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert process.stdout == "[]\n" * 4
