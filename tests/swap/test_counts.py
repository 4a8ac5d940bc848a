"""Counting mentions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.reader.matching.find import count_in_rows, table_of
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows.text_fields import Row
from fair_datasets.swap import counts as module
from fair_datasets.swap.counts import RowCounts, count_mentions


def test_mentions_are_counted_by_attribute() -> None:
    """Every mention of every text column counts, nulls and neutral words do not."""
    rows = {"a": ["He saw Mary and her son.", None], "b": ["They are parents.", "Mx Lee"]}
    assert count_mentions(Dataset.from_dict(rows), ("a", "b")) == {
        "man": 2,
        "woman": 2,
        "non-binary": 1,
    }


def test_names_can_be_left_out() -> None:
    """Without names only the lexicon's words count."""
    rows = Dataset.from_dict({"a": ["He saw Mary."]})
    assert count_mentions(rows, "a", names=False)["woman"] == 0


def test_streams_and_splits_are_counted() -> None:
    """A stream is read once; the rows of several splits are counted together."""
    rows = Dataset.from_dict({"a": ["He saw Mary.", "Rain.", "She left."]})
    counts = {"man": 1, "woman": 2, "non-binary": 0}
    assert count_mentions(rows.to_iterable_dataset(), "a") == counts
    assert (
        count_mentions(DatasetDict({"train": rows.select([0]), "test": rows.select([1, 2])}), "a")
        == counts
    )


def test_a_missing_column_is_named() -> None:
    """A column that does not exist is refused by name."""
    with pytest.raises(InputError, match="there is no column 'b'"):
        count_mentions(Dataset.from_dict({"a": ["x"]}), "b")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"columns": 3}, "count_mentions: columns must be a column name"),
        ({"columns": "a", "axis": None}, "count_mentions: axis must be a lexicon's name"),
        ({"columns": "a", "names": "no"}, "count_mentions: names must be True or False"),
        ({"columns": "n"}, "count_mentions: column 'n' must hold text"),
    ],
)
def test_a_sentence_names_the_function(options: dict[str, Any], told: str) -> None:
    """What is wrong is told of the function that the user has called."""
    with pytest.raises(InputError, match=told):
        count_mentions(Dataset.from_dict({"a": ["x"], "n": [1]}), **options)


def test_the_format_of_the_dataset_does_not_matter() -> None:
    """A dataset in Arrow's format is counted like any other."""
    rows = Dataset.from_dict({"a": ["He saw Mary."]}).with_format("arrow")
    assert count_mentions(rows, "a") == {"man": 1, "woman": 1, "non-binary": 0}


FIRST: list[Row] = [("He ran.", None), ("Rain.", "Mary"), ("He ran.", None)]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The rows that are read to be counted."""
    rows_read: list[object] = []

    def noted(rows: Sequence[Row], tables: Sequence[TermTable]) -> NDArray[np.int64]:
        rows_read.extend(rows)
        return count_in_rows(rows, tables)

    monkeypatch.setattr(module, "count_in_rows", noted)
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
