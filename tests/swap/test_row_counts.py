"""Rows are counted once: what a swap reads is counted while it reads it."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.count_terms import count_in_rows
from fair_datasets.matching.find import table_of
from fair_datasets.matching.table import TermTable
from fair_datasets.row_texts import Row
from fair_datasets.swap import row_counts
from fair_datasets.swap.row_counts import RowCounts

FIRST: list[Row] = [("He ran.", None), ("Rain.", "Mary"), ("He ran.", None)]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The rows that are read to be counted."""
    rows_read: list[object] = []

    def noted(rows: Sequence[Row], tables: Sequence[TermTable]) -> NDArray[np.int64]:
        rows_read.extend(rows)
        return count_in_rows(rows, tables)

    monkeypatch.setattr(row_counts, "count_in_rows", noted)
    return rows_read


def test_a_row_that_was_counted_is_not_read_again(read: list[object]) -> None:
    """What rows mention is remembered by their texts; the counts are those of all rows."""
    known = RowCounts([table_of("gender", owner="test")])
    assert known.count(FIRST).tolist() == [2, 1, 0]
    assert known.count([("She ran.", "he"), *FIRST]).tolist() == [3, 2, 0]
    assert read == [("He ran.", None), ("Rain.", "Mary"), ("She ran.", "he")]
    assert known.count([]).tolist() == [0, 0, 0]


def test_what_a_swap_reads_is_counted_meanwhile(read: list[object]) -> None:
    """Of its own rows, those that mention nobody among them; what it writes is read."""
    swap = CounterfactualSwap(columns="text")
    known = RowCounts([swap.table("gender")])
    texts = ["He ran.", "Rain.", "She and Mary", "He ran."]
    with known.watching():
        result = swap({"text": texts})
    swap({"text": ["Nobody watches now, he said."]})
    assert known.count([(text,) for text in texts]).tolist() == [2, 2, 0]
    assert read == []
    assert known.count([(text,) for text in result["text"]]).tolist() == [4, 4, 0]
    assert read == [("She ran.",), ("He and John",)]


@pytest.mark.parametrize(
    ("swap", "axes"),
    [
        (CounterfactualSwap(columns="text", axis="religion"), ["gender"]),
        (CounterfactualSwap(columns="text", names=False), ["gender"]),
        (CounterfactualSwap(columns="text", axis=("gender", "religion")), ["gender", "religion"]),
    ],
)
def test_what_is_read_for_other_axes_is_counted_anew(
    read: list[object], swap: CounterfactualSwap, axes: list[str]
) -> None:
    """A word of two axes read one by one may be counted for another one than read together."""
    known = RowCounts([table_of(axis, owner="test") for axis in axes])
    with known.watching():
        swap({"text": ["The Jewish man left."]})
    assert known.count([("The Jewish man left.",)])[0] == 1
    assert read == [("The Jewish man left.",)]


def test_axes_that_are_rewritten_together_are_counted_together(read: list[object]) -> None:
    """The counts are those of the axes read together."""
    swap = CounterfactualSwap(columns="text", axis=("gender", "religion"), joint=True)
    known = RowCounts([swap.table(axis) for axis in swap.axes])
    with known.watching():
        swap({"text": ["The Jewish man left."]})
    counts = known.count([("The Jewish man left.",)])
    assert read == []
    np.testing.assert_array_equal(
        counts, count_in_rows([("The Jewish man left.",)], known.tables)[0]
    )
