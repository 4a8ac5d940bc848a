"""Groups of several columns, against the groups of pandas and fairlearn."""

from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from fairlearn.metrics import demographic_parity_difference, demographic_parity_ratio
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.measures import demographic_parity, group_rates, intersections, subgroup_auc
from fair_datasets.system.checks import InputError

ROWS = st.lists(
    st.tuples(
        st.integers(0, 1), st.sampled_from("wm"), st.integers(0, 2), st.sampled_from([0.5, 1.5])
    ),
    min_size=1,
    max_size=40,
)


@given(ROWS)
@settings(deadline=None, max_examples=15)
def test_three_columns_are_those_of_fairlearn(rows: list[tuple[Any, ...]]) -> None:
    """The same groups as pandas makes, and the same values as fairlearn gives."""
    frame = pd.DataFrame(rows, columns=["p", "sex", "age", "size"])
    labels = intersections(frame[["sex", "age", "size"]])
    counts = {label: rates.count for label, rates in group_rates(None, frame.p, labels).items()}
    assert counts == frame.groupby(["sex", "age", "size"]).size().to_dict()
    found = demographic_parity(frame.p, labels, undefined="zero")
    given_to_fairlearn: dict[str, Any] = {"sensitive_features": frame[["sex", "age", "size"]]}
    columns = (frame.p, frame.p)
    expected = demographic_parity_difference(*columns, **given_to_fairlearn)
    assert found.difference == pytest.approx(expected, abs=1e-15)
    expected = demographic_parity_ratio(*columns, **given_to_fairlearn)
    assert found.ratio == pytest.approx(expected, abs=1e-15, nan_ok=True)


SEX, AGE = ["w", "w", "m"], [1, 2, 1]
TABLES = {
    "lists": {"sex": SEX, "age": AGE},
    "arrays": {"sex": np.array(SEX), "age": np.array(AGE, np.int8)},
    "iterators": {"sex": iter(SEX), "age": iter(AGE)},
    "tensors": {"sex": SEX, "age": torch.tensor(AGE)},
    "scalars": {"sex": SEX, "age": list(torch.tensor(AGE))},
    "frame": pd.DataFrame({"sex": SEX, "age": AGE}, index=[7, 7, 9]),
    "table": pa.table({"sex": SEX, "age": AGE}),
    "dataset": datasets.Dataset.from_dict({"sex": SEX, "age": AGE}),
    "formatted": datasets.Dataset.from_dict({"sex": SEX, "age": AGE}).with_format("torch"),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_any_kind(kind: str) -> None:
    """The labels are Python's own."""
    found = intersections(TABLES[kind])
    assert found == [("w", 1), ("w", 2), ("m", 1)]
    assert {type(part) for label in found for part in label} == {str, int}


def test_a_part_that_is_missing() -> None:
    """The row has no label; it is told, or in a group of such rows."""
    groups = intersections({"sex": ["w", None, "m"], "age": [1, 2, np.nan]})
    with pytest.raises(InputError, match=r"groups has no label in row 1 \(\(None, 2"):
        demographic_parity([1, 0, 1], groups)
    rates = group_rates(None, [1, 0, 1], groups, missing_group="own")
    assert {label: group.count for label, group in rates.items()} == {("w", 1): 1, None: 2}


def test_overlapping_measures_read_them_as_one_label() -> None:
    """A tuple is no list of labels."""
    groups = intersections({"sex": ["w", "m"] * 2, "age": [1, 1, 2, 2]})
    found = subgroup_auc([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], groups, undefined="zero")
    assert list(found.groups) == [("m", 1), ("m", 2), ("w", 1), ("w", 2)]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({}, "must be a mapping of names to columns, .* but it is 'dict'"),
        ([["w"], [1]], "must be a mapping .* but it is 'list'"),
        (np.array([["w", "x"]]), "must be a mapping .* but it is 'ndarray'"),
        ("sex", "must be a mapping .* but it is 'str'"),
        ({"sex": SEX, "age": [1]}, "sex has 3 rows, but age has 1. Row 1 has no partner"),
        ({"sex": "wwm"}, "sex must be a list or array with one value per row, but it is 'wwm'"),
        (pd.DataFrame([["w", 1]], columns=["a", "a"]), "has the columns 'a' twice"),
    ],
)
def test_mistakes_are_told(columns: Any, sentence: str) -> None:
    """What would be the columns is never guessed."""
    with pytest.raises(InputError, match=f"^intersections: .*{sentence}"):
        intersections(columns)
