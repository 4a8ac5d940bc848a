"""Thresholds, fitted and applied."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.selection.thresholds import KeepAbove, KeepBelow, fit_threshold, score_values

SCORES = st.lists(st.floats(-10, 10), min_size=1, max_size=30)


def data(*scores: float | None) -> Dataset:
    """Make a dataset of scores."""
    return Dataset.from_dict({"score": list(scores), "row": list(range(len(scores)))})


@given(SCORES, st.floats(-10, 10))
@settings(deadline=None)
def test_above_and_below_part_the_rows(scores: list[float], threshold: float) -> None:
    """Each row is kept by one of them, and above means strictly above."""
    above = KeepAbove(column="score", threshold=threshold)({"score": scores})
    below = KeepBelow(column="score", threshold=threshold)({"score": scores})
    assert above == [score > threshold for score in scores]
    assert below == [not kept for kept in above]


@given(SCORES, st.floats(0, 1))
@settings(deadline=None)
def test_the_quantile_is_interpolated(scores: list[float], quantile: float) -> None:
    """The threshold is numpy's percentile, also of a stream and of splits taken together."""
    expected = float(np.quantile(scores, quantile))
    whole = data(*scores)
    splits = DatasetDict({"a": data(*scores[:3]), "b": data(*scores[3:])})
    for given_data in (whole, whole.to_iterable_dataset(), splits if scores[3:] else whole):
        fitted = fit_threshold(given_data, "score", keep="above", quantile=quantile)
        assert fitted == KeepAbove(column="score", threshold=expected)


@pytest.mark.parametrize(("keep", "rows"), [("above", [8, 9]), ("below", [0, 1])])
def test_a_share_of_the_rows_is_kept(keep: str, rows: list[int]) -> None:
    """The highest or the lowest fifth, in a stream as well."""
    scores = data(*range(10))
    technique = fit_threshold(scores, "score", keep=keep, share=0.2)
    assert scores.filter(technique, batched=True)["row"][:] == rows
    stream = scores.to_iterable_dataset().filter(technique, batched=True, batch_size=3)
    assert [row["row"] for row in stream] == rows


@pytest.mark.parametrize("given_data", [data, lambda *s: data(*s).to_iterable_dataset()])
def test_rows_without_a_score_are_kept_or_dropped(given_data: Any) -> None:
    """The threshold is that of the scores that there are; a NaN is none, as a null."""
    rows = given_data(0.3, None, 0.1, float("nan"), 0.2)
    for keep, missing, expected in (
        ("below", "keep", [1, 2, 3, 4]), ("below", "drop", [2, 4]),
        ("above", "keep", [0, 1, 3]), ("above", "drop", [0]),
    ):  # fmt: skip
        fitted = fit_threshold(rows, "score", keep=keep, quantile=0.5, missing=missing)
        assert fitted.threshold == np.percentile([0.1, 0.2, 0.3], 50)
        assert [row["row"] for row in fitted.apply(rows)] == expected


@pytest.mark.parametrize(
    "values",
    [[0.5, 2, -1], ["0.5", "2", "-1"], [Fraction(1, 2), 2.0, np.int8(-1)],
     np.array([0.5, 2, -1], np.float32), np.array([0.5, 2, -1], object), iter([0.5, 2, -1])],
)  # fmt: skip
def test_numbers_are_read(values: Any) -> None:
    """Of whatever kind."""
    found = score_values(values, "column 's'")
    assert found.dtype == np.float64
    assert found.tolist() == [0.5, 2, -1]


@pytest.mark.parametrize("lacking", [None, float("nan"), ""])
@pytest.mark.parametrize("rest", [[1.0], ["1"]])
def test_a_row_may_have_no_score_where_that_is_said(lacking: Any, rest: list[Any]) -> None:
    """Else its number is told."""
    if lacking == "":
        with pytest.raises(InputError, match=r"row 1 \(counted from 0\) holds ''"):
            score_values([*rest, lacking], "column 's'", missing=True)
        return
    found = score_values([*rest, lacking], "column 's'", missing=True)
    assert found[0] == 1
    assert np.isnan(found[1])
    with pytest.raises(InputError, match=r"in row 1 \(counted from 0\), column 's' holds"):
        score_values([*rest, lacking], "column 's'")
