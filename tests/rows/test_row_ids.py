"""Tests of the reading of ids: each keeps its digits, and no two become one."""

import datetime
import uuid
from decimal import Decimal
from typing import Any

import numpy as np
import pandas
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.row_ids import row_ids
from fair_datasets.system.checks import InputError

NANOSECOND = np.datetime64("2020-01-01T00:00:00.000000001", "ns")
OF_ONE_KIND = st.one_of(
    *(
        st.lists(kind | st.none())
        for kind in (
            st.integers(),
            st.floats(allow_nan=False) | st.integers(),
            st.text(),
            st.binary(),
            st.booleans(),
            st.decimals(allow_nan=False),
            st.uuids(),
            st.dates(),
            st.datetimes(),
            st.lists(st.integers() | st.none()),
        )
    )
)


def read(values: Any) -> list[str | None]:
    """Read a column of ids."""
    return row_ids({"id": values}, "id", owner="Swap")


def sentence(values: Any) -> str:
    """Return the sentence in which ids are refused."""
    with pytest.raises(InputError) as caught:
        read(values)
    return str(caught.value)


@given(OF_ONE_KIND)
def test_rows_share_an_id_only_if_theirs_are_equal(values: list[Any]) -> None:
    """Two ids are written alike exactly where they are the same; nulls stay nulls."""
    found = read(values)
    assert [text is None for text in found] == [value is None for value in values]
    for first, one in zip(values, found, strict=True):
        for second, other in zip(values, found, strict=True):
            same = first == second or str(first) == str(second)
            assert (one == other) <= same
            assert (str(first) == str(second)) <= (one == other)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("007", "007"),
        (np.str_("é"), "é"),
        (2**200 + 1, str(2**200 + 1)),
        (np.uint64(2**64 - 1), "18446744073709551615"),
        (np.float64(7), "7"),
        (np.float32(7), "7"),
        (torch.tensor(2**60 + 1), "1152921504606846977"),
        (0.1, "0.1"),
        (float(2**60), "1152921504606846976"),
        (Decimal("1.10"), "1.10"),
        (True, "True"),
        (np.bool_(False), "False"),
        (b"a\xff", "61ff"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (datetime.date(2020, 1, 1), "2020-01-01"),
        (NANOSECOND, "2020-01-01 00:00:00.000000001"),
        (pandas.Timestamp(NANOSECOND), "2020-01-01 00:00:00.000000001"),
        (np.datetime64("2020-01-01T00:00:00.000001", "ns"), "2020-01-01 00:00:00.000001"),
        (datetime.datetime(2020, 1, 1, 0, 0, 0, 1), "2020-01-01 00:00:00.000001"),
        ({"a": np.int64(1), "b": [2, None]}, "{'a': 1, 'b': [2, None]}"),
        (np.array([1, 2]), "[1, 2]"),
    ],
    ids=repr,
)
def test_how_ids_are_written(value: Any, written: str) -> None:
    """A text stays, bytes are hexadecimal, and the rest is written as Python writes it."""
    assert read([value, None]) == [written, None]


@pytest.mark.parametrize("null", [None, float("nan"), np.datetime64("NaT"), pandas.NA])
def test_null_ids(null: Any) -> None:
    """What stands for a missing value is a null."""
    assert read([null]) == [None]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (np.float64(2**53), "9007199254740992.0 as a float64"),
        (np.float32(2**24), "16777216.0 as a float32"),
        (torch.tensor(0.5), "0.5 as a float32"),
        (np.array([np.nan, 2.0**60]), "1.152921504606847e+18 as a float64"),
    ],
    ids=repr,
)
def test_floats_that_may_have_been_integers(value: Any, told: str) -> None:
    """A float of numpy or torch that cannot hold each whole number of its size is refused."""
    assert sentence([value]) == (
        f"Swap: column 'id' holds the id {told}, which may have lost digits: numpy and pandas "
        "turn ids into floats if the column has a null; use `with_format(None)` (in Ray "
        "`batch_format='pyarrow'`), or cast the ids to strings."
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1, "1"], "1 (int) and '1' (str)"),
        ([True, 1], "True (bool) and 1 (int)"),
        ([None, "61", b"a"], "'61' (str) and b'a' (bytes)"),
    ],
)
def test_ids_of_several_kinds(values: list[Any], told: str) -> None:
    """Ids that could be written alike, as the number 1 and the text 1, are refused."""
    assert sentence(values) == (
        f"Swap: column 'id' holds ids of several kinds, such as {told}, which could be written "
        "alike; cast the column to strings first."
    )


def test_a_series_says_what_numpy_would() -> None:
    """Large ids beside a null are floats in pandas, whatever the batch is made of."""
    ids = pandas.Series([2**53 + 1, 2**53, None])
    with pytest.raises(InputError, match="may have lost digits"):
        row_ids({"id": ids}, "id", owner="Swap")
