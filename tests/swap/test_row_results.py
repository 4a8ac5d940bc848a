"""What becomes of each row, and why the others stay."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from datasets import Dataset, DatasetDict
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching.find import count_in_rows, find_table
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap import row_results as module
from fair_datasets.swap.row_results import RowCounts, count_mentions, read_parts, rewrite_rows

TEXTS = ["He ran.", "It rains.", "The Pope met Catholics and her.", None, "Jews and Muslims met."]


@pytest.mark.parametrize("mode", ["augment", "replace", "substitute", "pair"])
@pytest.mark.parametrize("axis", ["gender", ("gender", "religion")])
def test_the_rows_are_those_of_the_technique(mode: str, axis: str | tuple[str, ...]) -> None:
    """Each with the row that it is made from, and whether it is rewritten."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode=mode)
    batch = {"text": TEXTS, "n": [*range(len(TEXTS))]}
    results = rewrite_rows(swap, batch)
    assert results.columns == swap(batch)
    assert results.origins == results.columns["n"]
    new = results.columns.get("text_counterfactual", results.columns["text"])
    is_other = [text != TEXTS[k] for text, k in zip(new, results.origins, strict=True)]
    assert results.is_rewritten == is_other
    two = CounterfactualSwap(columns=("text", "n"), mode="replace")
    assert rewrite_rows(two, {"text": ["He ran."], "n": ["Rain."]}).is_rewritten == [True]


def test_the_reason_is_that_of_the_whole_row_first() -> None:
    """Then that of its first word which is left; a row with a counterfactual has none."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    texts = ["The Pope met Catholics.", "Jews and Muslims met.", "A Jew left.", "Rain."]
    tied = "another word of the row is tied to the group"
    contrast = "two groups of the row would become one"
    assert rewrite_rows(swap, {"text": texts}).reasons == [
        tied, contrast, "", "nothing in it is rewritten",
    ]  # fmt: skip
    king = CounterfactualSwap(columns="text", id_column="id", protect=())
    texts = ["Mother Nature and Larry King"] * 2
    results = rewrite_rows(king, {"text": [*texts, "She met Larry King."], "id": [1, None, 1]})
    assert results.reasons[:2] == ["it denotes no person here"] * 2
    assert results.reasons[2:] == ["", ""]


def test_a_row_that_cannot_be_read_is_left_and_told() -> None:
    """The others are what they are without it."""
    texts: list[Any] = [*TEXTS, 5, *TEXTS, ["She ran."]]
    swap = CounterfactualSwap(columns="text")
    results = rewrite_rows(swap, {"text": texts})
    rest = swap({"text": TEXTS})
    assert results.columns["text"] == [*rest["text"], 5, *rest["text"], ["She ran."]]
    assert results.columns["family_id"] == [*rest["family_id"], None] * 2
    (number, words) = [reason for reason in results.reasons if "cannot be read" in reason]
    column = "it cannot be read: CounterfactualSwap: column 'text' must hold text or nulls, but it"
    assert number == f"{column} holds 5 (int); name a column of texts."
    assert words.startswith(f"{column} holds ['She ran.'] (list); name the texts inside it")
    assert results.counts()["left/it cannot be read"] == 2
    assert sum(results.counts().values()) == len(texts)


@pytest.mark.parametrize("batch", [
    {"text": ["He"], "txt": [1], "n": [1]}, {"text": [], "n": []},
    pa.table({"text": ["He"], "n": [1]}), pd.DataFrame({"text": ["He"], "n": [1]}),
])  # fmt: skip
def test_any_batch(batch: Any) -> None:
    """Of any size, as a table as well."""
    swap = CounterfactualSwap(columns="text")
    expected = swap(batch)
    if isinstance(batch, pa.Table):
        expected = expected.to_pydict()
    assert rewrite_rows(swap, batch).columns == expected


def test_other_errors_are_not_held() -> None:
    """A mistake of the code is no row's."""

    def read(batch: Any) -> list[Any]:
        return [1 / value for value in batch["n"]]

    assert read_parts(read, {"n": [1, 2]}) == [(range(2), [1, 0.5])]
    with pytest.raises(ZeroDivisionError):
        read_parts(read, {"n": [1, 0]})


def test_mentions_are_counted_by_attribute() -> None:
    """In all text columns, streams and splits, and any format; nulls and neutral words are none."""
    rows = Dataset.from_dict(
        {"a": ["He saw Mary and her son.", None], "b": ["They are parents.", "Mx Lee"]}
    )
    counts = {"man": 2, "woman": 2, "non-binary": 1}
    splits = DatasetDict({"train": rows.select([0]), "test": rows.select([1])})
    for each in (rows, rows.to_iterable_dataset(), splits, rows.with_format("arrow")):
        assert count_mentions(each, ("a", "b")) == counts
    assert count_mentions(rows, ("a", "b"), names=False) == {**counts, "woman": 1}


FIRST: list[Row] = [("He ran.", None), ("Rain.", "Mary"), ("He ran.", None)]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The rows that are read to be counted."""
    rows_read: list[object] = []

    def noted(
        rows: Sequence[Row], tables: Sequence[TermTable], *, known: bool = False
    ) -> NDArray[np.int64]:
        rows_read.extend(rows)
        return count_in_rows(rows, tables, known=known)

    monkeypatch.setattr(module, "count_in_rows", noted)
    return rows_read


def test_a_row_that_was_counted_is_not_read_again(read: list[object]) -> None:
    """What rows mention is remembered by their texts; the counts are those of all rows."""
    known = RowCounts([find_table("gender")])
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


@pytest.mark.parametrize(("swap", "axes"), [
    (CounterfactualSwap(columns="text", axis="religion"), ["gender"]),
    (CounterfactualSwap(columns="text", names=False), ["gender"]),
    (CounterfactualSwap(columns="text", axis=("gender", "religion")), ["gender", "religion"]),
])  # fmt: skip
def test_what_is_read_for_other_axes_is_counted_anew(
    read: list[object], swap: CounterfactualSwap, axes: list[str]
) -> None:
    """A word of two axes read one by one may be counted for another one than read together."""
    known = RowCounts([find_table(axis) for axis in axes])
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
