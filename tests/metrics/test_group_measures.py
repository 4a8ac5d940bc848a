"""The modules that compare groups: every label is what it is in the function, and every mistake."""

import json
import re
from collections import UserDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch

from fair_datasets import load_metric
from fair_datasets.measures import demographic_parity, rate_difference, subgroup_auc
from fair_datasets.system.checks import InputError

GENERATOR = np.random.default_rng(0)
COLUMNS: dict[str, Any] = {"predictions": GENERATOR.integers(0, 2, 60),
    "references": GENERATOR.integers(0, 2, 60),
    "groups": GENERATOR.choice(["a", "b", "c"], 60)}  # fmt: skip
# One of each kind: of one column, with the groups named, and with groups that overlap.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "demographic_parity": lambda references, *columns, **options: demographic_parity(
        *columns, **options
    ),
    "rate_difference": rate_difference,
    "subgroup_auc": subgroup_auc,
}
every_measure = pytest.mark.parametrize("name", FUNCTIONS)


def given(name: str, **changed: Any) -> dict[str, Any]:
    """Return the columns of a module, some of them changed."""
    columns = {**COLUMNS, **changed}
    return {key: columns[key] for key in columns if key != "references" or "demo" not in name}


def options_of(name: str, *labels: Any) -> dict[str, Any]:
    """Return what else a module needs."""
    return {"undefined": "zero"} | ({"order": list(labels)} if name == "rate_difference" else {})


def by_function(name: str, columns: dict[str, Any], **options: Any) -> Any:
    """Return what the function gives, or the sentence with which it refuses the columns."""
    order = (columns.get("references"), columns["predictions"], columns["groups"])
    try:
        return [*FUNCTIONS[name](*order, **options).groups]
    except InputError as error:
        return str(error)


def by_module(name: str, columns: dict[str, Any], **options: Any) -> Any:
    """Return what the module gives, or its sentence."""
    try:
        result = load_metric(name).compute(**columns, **options)
        return [row["group"] for row in result["groups"]]
    except InputError as error:
        return str(error)


def by_batches(name: str, columns: dict[str, Any], **options: Any) -> Any:
    """Return what the module gives for rows that were added, or its sentence."""
    module = load_metric(name)
    try:
        for part in (slice(0, 20), slice(20, 60)):
            module.add_batch(**{key: values[part] for key, values in columns.items()})
        return [row["group"] for row in module.compute(**options)["groups"]]
    except InputError as error:
        return str(error)


LABELS = {
    "texts": ["a", "b", "c"], "numbers": [1, 2, 3], "large numbers": [10**17, 10**17 + 1, 7],
    "halves": [0.5, 1.5, 2.5], "a mixture": [True, "b", 3], "figures as texts": ["1", 1, "null"],
    "truth as texts": ["true", "nan", "None"], "tuples": [("w", "black"), ("m", "black"), ("w", 1)],
    "tuples of NumPy": [("w", np.int64(1)), ("m", np.int64(1)), ("w", np.int64(2))],
    "tuples of tuples": [("w", ("x",)), ("w", ("y",)), ("z",)],
    "numbers of NumPy": [np.int64(4), np.float64(0.5), np.str_("s")],
    "tensors": [torch.tensor(1), torch.tensor(2), torch.tensor(3)],
    "scalars of Arrow": [pa.scalar("a"), pa.scalar("b"), pa.scalar(3)],
    "unusual texts": ["", "a\nb", "\ud800"],
}  # fmt: skip


@every_measure
@pytest.mark.parametrize("kind", LABELS)
def test_a_label_is_one_group(name: str, kind: str, tmp_path: Path) -> None:
    """Of the function, of the module, and of rows in batches; and a report can name it."""
    labels = LABELS[kind]
    groups = [labels["abc".index(group)] for group in COLUMNS["groups"]]
    columns, options = given(name, groups=groups), options_of(name, labels[0], labels[1])
    found = by_function(name, columns, **options)
    assert len(found) == 3
    assert by_module(name, columns, **options) == found
    assert by_batches(name, columns, **options) == found
    assert all(type(label) in (str, int, float, bool, tuple) for label in found)
    result = load_metric(name).compute(**columns, **options)
    evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads((tmp_path / "result.json").read_text())
    assert [row["group"] for row in saved["groups"]] == json.loads(json.dumps(found))


MISSING = {repr(label): label
    for label in (None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, ("w", None))}  # fmt: skip


@every_measure
@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_label(name: str, kind: str) -> None:
    """It is told, with its row and as it is, or makes a group of its own."""
    groups = [*COLUMNS["groups"][:59].tolist(), MISSING[kind]]
    columns, options = given(name, groups=groups), options_of(name, "a", "b")
    sentence = by_function(name, columns, **options)
    shown = kind.replace("np.float32(nan)", "nan")
    assert f"groups has no label in row 59 ({shown})" in sentence
    assert by_module(name, columns, **options) == sentence
    assert by_batches(name, columns, **options) == sentence
    own = {**options, "missing_group": "own"}
    assert by_function(name, columns, **own)[-1] is None
    assert by_module(name, columns, **own) == by_batches(name, columns, **own)


NO_COLUMNS = {
    "a text": "ab" * 30, "bytes": b"ab" * 30, "a number": 3, "a set": {"a", "b"},
    "a mapping": UserDict({"a": [1] * 60}),
    "a frame": pd.DataFrame({"g": COLUMNS["groups"], "h": COLUMNS["groups"]}),
    "a table": pa.table({"g": COLUMNS["groups"].tolist()}),
    "a dataset": datasets.Dataset.from_dict({"g": COLUMNS["groups"].tolist()}),
    "two axes": np.array([COLUMNS["groups"]] * 2).T, "no axis": np.array(3),
    "a tensor of two axes": torch.zeros(60, 2),
}  # fmt: skip


@pytest.mark.parametrize("column", ["predictions", "groups"])
@every_measure
@pytest.mark.parametrize("kind", NO_COLUMNS)
def test_what_is_no_column(name: str, column: str, kind: str) -> None:
    """No letters of a text are rows, no names of columns, and no indicators are labels."""
    columns, options = given(name, **{column: NO_COLUMNS[kind]}), options_of(name, "a", "b")
    sentence = by_function(name, columns, **options)
    if kind == "a mapping" and column == "groups" and name == "subgroup_auc":
        # The function takes masks by label, but a module has one value per row.
        assert sentence == ["a"]
        sentence = by_module(name, columns, **options)
    assert sentence.startswith(f"{name}: {column} must ")
    assert by_module(name, columns, **options) == sentence
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}"):
        load_metric(name).add_batch(**columns)


@every_measure
@pytest.mark.parametrize("kind", [list, set, frozenset, np.array])
def test_several_labels_of_a_row(name: str, kind: Callable[..., Any]) -> None:
    """They are groups that overlap where a measure knows such; a row can have none."""
    for a, b in (("a", "b"), (1, 2)):
        columns = given(name, groups=[kind([a]), kind([b, a]), kind([])] * 20)
        found = by_function(name, columns, **options_of(name, a, b))
        if name == "subgroup_auc":
            assert found == [a, b]
            assert by_module(name, columns, **options_of(name, a, b)) == found
            assert by_batches(name, columns, **options_of(name, a, b)) == found
        elif kind is not frozenset:
            assert "groups must be one label per row, but row 0 is " in found
            assert by_module(name, columns, **options_of(name, a, b)) == found
