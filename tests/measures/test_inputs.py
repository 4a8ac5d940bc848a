"""Reading arguments: every kind of array, and a sentence for every mistake."""

import math
from decimal import Decimal

import datasets
import numpy as np
import pytest
import torch

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import UndefinedMeasureWarning, undefined_value
from fair_datasets.measures.parity import demographic_parity
from fair_datasets.system.checks import InputError

COLUMN = datasets.Dataset.from_dict({"column": [0, 1, 1]})["column"]


@pytest.mark.parametrize("values", [
    [0, 1, 1],
    (False, True, True),
    [0.0, 1.0, 1.0],
    [np.int8(0), np.bool_(True), 1],
    np.array([0, 1, 1], np.uint8),
    np.array([0, 1, 1], ">i4"),
    np.array([0, 1, 1], np.float16),
    np.array([0, 1, 1], object),
    np.array([0, 9, 1, 9, 1])[::2],
    torch.tensor([0, 1, 1]),
    torch.tensor([0.0, 1.0, 1.0], dtype=torch.bfloat16, requires_grad=True),
    COLUMN,
])  # fmt: skip
def test_classes_come_in_many_arrays(values: object) -> None:
    """Lists, arrays, tensors and columns are read alike."""
    assert inputs.binary(values, "predictions", owner="measure").tolist() == [False, True, True]
    assert inputs.classes(values, "predictions", owner="measure").tolist() == [0, 1, 1]


@pytest.mark.parametrize(("values", "sentence"), [
    ([0, 0.7], "must be classes .* row 1 is 0.7. If these are probabilities"),
    ([0, float("inf")], "must be classes .* row 1 is inf"),
    ([0, 1e300], "must be classes .* row 1 is 1e\\+300"),
    ([0, 2], "must be 0 or 1, but row 1 is 2"),
    ([0, -1], "must be 0 or 1, but row 1 is -1"),
    ([0, None], r"has no value in row 1 \(None\)"),
    (np.ma.array([0, 1], mask=[0, 1]), r"has no value in row 1 \(None\)"),
    ([0.0, float("nan")], r"has no value in row 1 \(nan\)"),
    ([1, "a"], r"must be numbers, but row 1 is 'a' \(str\)"),
    ([1, Decimal(1)], r"must be numbers, but row 1 is Decimal\('1'\)"),
    (["0", "1"], r"must be numbers, but row 0 is '0' \(str\)"),
    ([[0.1, 0.9], [0.8, 0.2]], r"its shape is \(2, 2\).*if these are logits, take the argmax"),
    ([[0], [0, 1]], "its shape is ragged"),
    ("01", "must be a list or array with one value per row, but it is '01'"),
    (1, "must be a list or array with one value per row, but it is 1"),
])  # fmt: skip
def test_what_is_no_class_is_refused(values: object, sentence: str) -> None:
    """The sentence names the measure, the argument, the row and the value."""
    with pytest.raises(InputError, match=f"^measure: predictions .*{sentence}"):
        inputs.binary(values, "predictions", owner="measure")


def test_no_rows_are_read() -> None:
    """An empty list is no mistake of its own."""
    assert inputs.binary([], "predictions", owner="measure").shape == (0,)
    assert inputs.scores([], "predictions", owner="measure").dtype == np.float64


def test_scores_are_read_in_full_precision() -> None:
    """Half precision is read as float64, and infinity is refused."""
    half = torch.tensor([0.5, 0.25], dtype=torch.bfloat16)
    assert inputs.scores(half, "scores", owner="measure").tolist() == [0.5, 0.25]
    with pytest.raises(InputError, match="scores must be finite, but row 1 is inf"):
        inputs.scores([0.5, float("inf")], "scores", owner="measure")


def test_probabilities_lie_between_0_and_1() -> None:
    """Logits are refused."""
    with pytest.raises(InputError, match=r"row 0 is -3\.0\. If these are logits"):
        inputs.probabilities([-3.0, 0.5], "probabilities", owner="measure")


def test_texts_are_texts() -> None:
    """One text is no list, and a missing text is not the text "nan"."""
    column = datasets.Dataset.from_dict({"text": ["Good.", ""]})["text"]
    assert inputs.texts(column, "texts", owner="measure") == ["Good.", ""]
    for wrong, sentence in (
        ("Good.", "must be a list or array with one value per row, but it is 'Good.'"),
        (["Good.", float("nan")], r"has no text in row 1 \(nan\)"),
        (["Good.", 3], r"must be texts, but row 1 is 3 \(int\)"),
    ):
        with pytest.raises(InputError, match=sentence):
            inputs.texts(wrong, "texts", owner="measure")


def test_three_ways() -> None:
    """NaN comes with a warning, 0 without, and an error has the same sentence."""
    with pytest.warns(UndefinedMeasureWarning, match="measure: nothing is there. The value is NaN"):
        assert math.isnan(undefined_value("nothing is there.", "nan", owner="measure"))
    assert undefined_value("nothing is there.", "zero", owner="measure") == 0
    with pytest.raises(InputError, match=r"measure: nothing is there\."):
        undefined_value("nothing is there.", "raise", owner="measure")
    with pytest.raises(InputError, match="undefined must be one of 'nan', 'zero', 'raise'"):
        undefined_value("nothing is there.", "one", owner="measure")


def test_the_warning_points_at_the_caller() -> None:
    """However deep in the package it is raised."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        demographic_parity([1], ["a"])
    assert {warning.filename for warning in caught} == {__file__}
