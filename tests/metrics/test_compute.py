"""Every module gives what its function gives, however the rows reach it."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fair_datasets import load_metric
from fair_datasets.measures import (
    available_metrics,
    bbq,
    completion_difference,
    counterfactual_flip_rate,
    counterfactual_perplexity,
    crows_pairs,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    error_rate_equality,
    fairscore,
    group_metric,
    label_association,
    likelihood_bias,
    name_sensitivity,
    predictive_parity,
    preference_flip_rate,
    rate_difference,
    representation,
    subgroup_auc,
    text_overlap,
    transfer_accuracy,
)
from fair_datasets.measures.bbq import plain_bbq
from fair_datasets.measures.confidence import plain_group_metric, plain_parity
from fair_datasets.measures.error_rates import plain_error_rates
from fair_datasets.measures.holistic_sentences import HATE, LOVE, plain_templates
from fair_datasets.measures.results import plain
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.reader.matching.find import count_terms
from fair_datasets.scores.bias.bias_score import corpus_bias

GENERATOR = np.random.default_rng(0)
INTERVALS: dict[str, Any] = {"confidence": 0.9, "n_resamples": 20}
TEXTS = ["He saw his sister.", "The queen waved.", "Mary left.", "It rained.", "Her brother sang."]
REWRITES = ["She saw his sister.", "The king waved.", "Mary left.", "It rained.", "His sister sang"]
LABELS = GENERATOR.choice(["a", "b", "c"], 60).tolist()
ZEROS_AND_ONES = [GENERATOR.integers(0, 2, 60).tolist() for _ in range(2)]
VALUES = GENERATOR.uniform(1, 99, 24).tolist()
# Eighths are the same in the single precision that `datasets` gives as arrays.
VECTORS = (GENERATOR.integers(-20, 20, size=(12, 5)) / 8).tolist()
SETS = list("XXXYYYAAABBB")


class Case(NamedTuple):
    """The rows of a module, its options, what computes it, and what writes the result."""

    columns: dict[str, list[Any]]
    options: dict[str, Any]
    function: Callable[..., Any]
    write: Callable[..., dict[str, Any]] = plain


def letters(texts: list[str]) -> list[list[int]]:
    """Give vectors of texts without a model."""
    return [[text.count(letter) for letter in "aehinrs"] for text in texts]


def of_mentions(data: Any, labels: Any) -> Any:
    """Measure the representation of the counts that the reader gives."""
    attributes, counts = count_terms(data)
    return representation(counts, attributes, labels)


def of_associations(data: Any, labels: Any, **options: Any) -> dict[str, Any]:
    """Measure the association of labels with the counts that the reader gives."""
    attributes, counts = count_terms(data)
    found = label_association(counts, attributes, labels, **options)
    return {"associations": [asdict(each) for each in found]}


def of_completions(predictions: Any, counterfactual_predictions: Any, **options: Any) -> Any:
    """Compare texts by the vectors of a model."""
    encode = options.pop("model")
    return completion_difference(predictions, counterfactual_predictions, encode=encode, **options)


def of_descriptors(data: Any, with_pairs: bool, **columns: Any) -> dict[str, Any]:
    """Write the likelihood bias as its module does."""
    found = likelihood_bias(data, **columns)
    pairs = {name: column.tolist() for name, column in found.pairs.items()}
    return {
        "axes": found.axes, "templates": found.templates, **plain_templates(data, **columns),
        "values": "given", "comparisons": len(pairs["p_value"]), "skipped": [], "pairs": pairs,
    }  # fmt: skip


OUTCOMES = {"predictions": ZEROS_AND_ONES[0], "references": ZEROS_AND_ONES[1], "groups": LABELS}
CLASSES = {"predictions": GENERATOR.integers(0, 3, 60).tolist(),
    "references": GENERATOR.integers(0, 3, 60).tolist(), "groups": LABELS}  # fmt: skip
CASES = {
    "demographic_parity": Case(
        {name: OUTCOMES[name] for name in ("predictions", "groups")},
        {"families": [row // 3 for row in range(60)], **INTERVALS},
        demographic_parity, plain_parity,
    ),
    "equal_opportunity": Case(
        OUTCOMES, {"outcome": 0, **INTERVALS}, equal_opportunity, plain_parity
    ),
    "equalized_odds": Case(OUTCOMES, {"agg": "mean", **INTERVALS}, equalized_odds, plain_parity),
    "predictive_parity": Case(
        CLASSES, {"outcome": 0, "positive": 2, "method": "to_overall", **INTERVALS},
        predictive_parity, plain_parity,
    ),
    "group_metric": Case(
        CLASSES,
        {"metric": "f1_score", "metric_options": {"average": "micro"}, "confidence": 0.9,
         "n_resamples": 2},
        group_metric, plain_group_metric,
    ),
    "error_rate_equality": Case(OUTCOMES, {}, error_rate_equality, plain_error_rates),
    "rate_difference": Case(OUTCOMES, {"order": ["b", "a"]}, rate_difference),
    "subgroup_auc": Case(
        {**OUTCOMES, "predictions": GENERATOR.random(60).round(1).tolist()}, {}, subgroup_auc
    ),
    "fairscore": Case(
        {"predictions": [1, 0, 2, 1, 0], "counterfactual_predictions": [0, 0, 2, 2, 1],
         "references": [1, 0, 0, 1, 1], "changed": [True, True, False, True, False]},
        {"excluded": [0, 0, 0, 1, 0]},
        fairscore,
    ),
    "counterfactual_flip_rate": Case(
        {"predictions": [1, 0, 1, 1, 0], "counterfactual_predictions": [0, 0, 1, 1, 1]},
        {"scores": [0.9, 0.2, 0.7, 0.6, 0.4], "counterfactual_scores": [0.3, 0.2, 0.8, 0.6, 0.6],
         "changed": [1, 1, 0, 1, 1], "groups": ["a", "b", "b", "a", "a"],
         "control_predictions": [[0, 0], [1, 1], [0, 0], [1, 0], [0, 0]],
         "control_counterfactual_predictions": [[0, 1], [1, 1], [1, 0], [1, 0], [0, 0]],
         "families": ["x", "x", "y", "z", "z"]},
        counterfactual_flip_rate,
    ),
    "preference_flip_rate": Case(
        {"differences": [0.5, -1.0, 2.0, 0.0, 0.25],
         "counterfactual_differences": [-0.5, -1.0, 1.0, 1.0, 0.5]},
        {"changed": [1, 1, 0, 1, 1], "groups": ["a", "b", "b", "a", "a"],
         "control_differences": [[0.5, 1], [1, -1], [0, 0], [1, 0], [2, 0]],
         "control_counterfactual_differences": [[1, -1], [1, 1], [1, 0], [1, 0], [0, 3]],
         "families": ["x", "x", "y", "z", "z"]},
        preference_flip_rate,
    ),
    "name_sensitivity": Case(
        {"predictions": [0, 1, 1, 1, 0, 0, 1, 0] * 2, "rows": [*[0] * 8, *[1] * 8],
         "cultures": [*"aabbaabb"] * 2, "genders": [*"mmmmwwww"] * 2, "names": [*range(8)] * 2},
        {"scores": VALUES[:16], "only_names": [1] * 16, "families": ["x"] * 16, "seed": 3},
        name_sensitivity,
    ),
    "completion_difference": Case(
        {"predictions": TEXTS, "counterfactual_predictions": REWRITES},
        {"control_predictions": [[text, "It rained."] for text in TEXTS], "model": letters,
         "scores": [0.5, 0.25, 1, 0, 0.75], "counterfactual_scores": [0, 0.25, 0.5, 0, 1],
         "control_scores": [[0.5, 0.25], [0, 1], [1, 1], [0, 0], [0.5, 0.75]], "threshold": 0.25},
        of_completions,
    ),
    "counterfactual_perplexity": Case(
        {"predictions": [4.1, 3.9, None], "references": [4.0, 4.0, 4.0]},
        {},
        lambda predictions, references: counterfactual_perplexity(references, predictions),
    ),
    "transfer_accuracy": Case(
        {"predictions": [0.125, 0.5, 0.75, 0.25], "references": [0.875, 0.375, 0.75, 1.0]},
        {},
        transfer_accuracy,
    ),
    "perturbation_quality": Case({"predictions": REWRITES, "references": TEXTS}, {}, text_overlap),
    "representation": Case({"data": TEXTS}, {"labels": ["a", "b", "a", "a", "b"]}, of_mentions),
    "label_association": Case(
        {"data": TEXTS, "labels": [1, 0, 1, 1, 0]},
        {"undefined": "zero", "level": 0.9, "families": [0, 0, 1, 2, 3]},
        of_associations,
    ),
    "bbq": Case(
        {"predictions": [0, 1, 2, 1, 0, 0, 1, 0],
         "items": [{"category": "Age", "example_id": number} for number in range(8)]},
        {"confidence": 0.9},
        bbq, plain_bbq,
    ),
    "bias_score": Case({"data": TEXTS}, {"scores": [0.5, 0.125, 0.25, 0.0, 0.375]}, corpus_bias),
    "weat": Case(
        {"vectors": VECTORS, "sets": SETS},
        {"n_samples": 10, "seed": 3, "statistic": "mean"},
        weat_from_rows, plain_weat,
    ),
    "seat": Case(
        {"texts": [*TEXTS, "She ran.", "He sat.", "A hare."], "sets": list("XXYYAABB")},
        {"model": letters},
        lambda texts, sets, model: weat_from_rows(model(texts), sets), plain_weat,
    ),
    "crows_pairs": Case(
        {"sent_more": [-1.0, -2.0, -3.0, -4.0], "sent_less": [-2.0, -1.0, -4.0, -5.0],
         "stereo_antistereo": ["stereo", "antistereo", "stereo", "antistereo"],
         "bias_type": ["gender", "gender", "age", "age"]},
        {"decimals": None},
        crows_pairs,
    ),
    "holistic_bias": Case(
        {"data": VALUES, "axes": ["age"] * 24, "templates": ([LOVE] * 4 + [HATE] * 4) * 3,
         "descriptors": ["young"] * 8 + ["old"] * 8 + ["retired"] * 8},
        {"with_pairs": True},
        of_descriptors,
    ),
}  # fmt: skip


@cache
def expected(name: str) -> dict[str, Any]:
    """Return what the function gives."""
    columns, options, function, write = CASES[name]
    known = {"references": "y_true", "predictions": "y_pred"}
    own = signature(function).parameters
    if "y_score" in own:
        known["predictions"] = "y_score"
    given = {name if name in own else known.get(name, name): values
             for name, values in {**columns, **options}.items()}  # fmt: skip
    told = {name: given.pop(name) for name in INTERVALS if write is not plain and name not in own
            and name in given}  # fmt: skip
    return write(function(**given), **told)


def kinds(columns: dict[str, list[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the same columns as lists, arrays, tensors, and columns of tables."""
    rows = datasets.Dataset.from_dict(columns)
    index = range(7, 7 + len(rows))
    yield "lists", columns
    yield "tuples", {name: tuple(values) for name, values in columns.items()}
    yield "iterators", {name: iter(values) for name, values in columns.items()}
    yield "arrays", {name: np.array(values) for name, values in columns.items()}
    yield "series", {name: pd.Series(values, index=index) for name, values in columns.items()}
    yield "arrow", {name: pa.array(values) for name, values in columns.items()}
    yield "chunks", {name: pa.chunked_array([values]) for name, values in columns.items()}
    yield "dataset", {name: rows[name] for name in columns}
    for form in ("numpy", "torch", "pandas", "arrow"):
        yield f"dataset of {form}", {name: rows.with_format(form)[name] for name in columns}


def test_every_module_is_here() -> None:
    """A new module needs a case."""
    assert sorted(CASES) == available_metrics()


@pytest.mark.parametrize("name", CASES)
def test_compute_is_the_function(name: str) -> None:
    """Whatever holds the columns, and the arguments that are given beside them."""
    module, (columns, options, *_) = load_metric(name), CASES[name]
    for kind, given in kinds(columns):
        assert module.compute(**given, **options) == expected(name), kind


@pytest.mark.parametrize("name", CASES)
def test_added_rows_are_the_rows(name: str) -> None:
    """In batches of any size and kind, one by one, and with the last ones given to compute."""
    columns, options, *_ = CASES[name]
    # Files and memory in turn.
    module, other = (load_metric(name, keep_in_memory=each) for each in (False, True))
    for kind, given in kinds(columns):
        module, other = other, module
        if kind != "iterators":
            for part in (slice(0, 1), slice(1, 1), slice(1, 3)):
                module.add_batch(**{key: values[part] for key, values in given.items()})
            rest = {key: values[3:] for key, values in given.items()}
            assert module.compute(**rest, **options) == expected(name), kind
    names = {"predictions": "prediction", "references": "reference"}
    keys = [names.get(key, key) for key in columns]
    for each in (module, other):
        for row in zip(*columns.values(), strict=True):
            each.add(**dict(zip(keys, row, strict=True)))
        assert each.compute(**options) == expected(name)


@pytest.mark.parametrize("name", CASES)
def test_the_result_is_described_and_saved(name: str, tmp_path: Path) -> None:
    """Every value of it is in the documentation, and `evaluate.save` takes all."""
    module, (columns, options, *_) = load_metric(name), CASES[name]
    result = module.compute(**{key: np.array(values) for key, values in columns.items()}, **options)
    returns = module.inputs_description.split("Returns:")[1].split("Examples:")[0]
    assert all(f"\n    {key}: " in returns for key in result)
    evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved.items() >= json.loads(json.dumps(result)).items()
    assert not any(isinstance(value, float) and math.isnan(value) for value in result.values())


@pytest.mark.parametrize("name", CASES)
def test_lengths_differ(name: str) -> None:
    """The two columns are named, however the rows come."""
    columns, options, *_ = CASES[name]
    *_, last = columns
    if len(columns) > 1:
        first, rows = next(iter(columns.items()))
        sentence = (f"^{name}: {first} has {len(rows)} rows, but {last} has {len(rows) - 1}. "
            f"Row {len(rows) - 1} has no partner")  # fmt: skip
        wrong = {**columns, last: columns[last][:-1]}
        with pytest.raises(ValueError, match=sentence):
            load_metric(name).compute(**wrong, **options)
        with pytest.raises(ValueError, match=sentence):
            load_metric(name).add_batch(**wrong)
