"""What becomes of each row, and why the others stay."""

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.swap.row_results import read_parts, rewrite_rows

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


def test_the_reason_is_that_of_the_whole_row_first() -> None:
    """Then that of its first word which is left; a row with a counterfactual has none."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    texts = ["The Pope met Catholics.", "Jews and Muslims met.", "A Jew left.", "Rain."]
    tied = "another word of the row is tied to the group"
    contrast = "two groups of the row would become one"
    assert rewrite_rows(swap, {"text": texts}).reasons == [
        tied, contrast, "", "nothing in it is rewritten",
    ]  # fmt: skip
    king = CounterfactualSwap(columns="text", id_column="id")
    texts = ["Mother Nature and Larry King"] * 2
    results = rewrite_rows(king, {"text": [*texts, "She met Larry King."], "id": [1, None, 1]})
    assert results.reasons[:2] == ["it denotes no person here"] * 2
    assert results.reasons[2:] == ["", ""]


def test_a_row_that_cannot_be_read_is_left_and_told() -> None:
    """The others are what they are without it."""
    texts: list[Any] = [*TEXTS, 5, *TEXTS, ["She"]]
    swap = CounterfactualSwap(columns="text")
    results = rewrite_rows(swap, {"text": texts})
    rest = swap({"text": TEXTS})
    assert results.columns["text"] == [*rest["text"], 5, *rest["text"], ["She"]]
    assert results.columns["family_id"] == [*rest["family_id"], None] * 2
    (number, words) = [reason for reason in results.reasons if "cannot be read" in reason]
    column = "it cannot be read: CounterfactualSwap: column 'text' must hold text or nulls, but it"
    assert number == f"{column} holds 5 (int); name a column of texts."
    assert words.startswith(f"{column} holds ['She'] (list); name the texts inside it")
    assert results.counts()["left/it cannot be read"] == 2
    assert sum(results.counts().values()) == len(texts)


@pytest.mark.parametrize("batch", [
    {"text": ["He"], "txt": [1], "n": [1]}, {"text": [], "n": []},
    pa.table({"text": ["He"], "n": [1]}), pd.DataFrame({"text": ["He"], "n": [1]}),
])  # fmt: skip
def test_any_batch(batch: Any) -> None:
    """Of any size, as a table as well."""
    swap = CounterfactualSwap(columns="text")
    assert rewrite_rows(swap, batch).columns == swap(batch)


@pytest.mark.parametrize(("batch", "options", "sentence"), [
    ({"txt": ["He"]}, {}, "no column 'text'; the columns are 'txt'. Did you mean 'txt'"),
    ({"text": ["He"]}, {"id_column": "id"}, "no column 'id'"),
    ({"text": [5, 6]}, {}, "must hold text or nulls, but it holds 5"),
])  # fmt: skip
def test_a_wrong_column_is_no_fault_of_rows(batch: Any, options: Any, sentence: str) -> None:
    """It is told, with the columns that there are."""
    with pytest.raises(InputError, match=sentence) as told:
        rewrite_rows(CounterfactualSwap(columns="text", **options), batch)
    assert "origin" not in str(told.value)


def test_other_errors_are_not_held() -> None:
    """A mistake of the code is no row's."""

    def read(batch: Any) -> list[Any]:
        return [1 / value for value in batch["n"]]

    assert read_parts(read, {"n": [1, 2]}) == [(range(2), [1, 0.5])]
    with pytest.raises(ZeroDivisionError):
        read_parts(read, {"n": [1, 0]})
