"""Tests of the sentences about names of columns, word for word."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest

from fair_datasets.rows import column_checks
from fair_datasets.system.checks import InputError

SWAP = {"owner": "Swap"}


def sentence(check: Callable[..., object], *values: Any, **named: Any) -> str:
    """Return the sentence in which a check refuses."""
    with pytest.raises(InputError) as caught:
        check(*values, **SWAP, **named)
    return str(caught.value)


@pytest.mark.parametrize("value", [3, "", None, ["id"]])
def test_a_column_name_is_a_text(value: object) -> None:
    """A number, an empty name, nothing or a list is no column name."""
    told = sentence(column_checks.column_name, value, parameter="id_column")
    assert told == f"Swap: id_column must be a column name, but it is {value!r}."


@pytest.mark.parametrize(
    ("value", "names"), [("text", ("text",)), (["a", "b"], ("a", "b")), (("b", "a"), ("b", "a"))]
)
def test_column_names_become_a_tuple(value: Any, names: tuple[str, ...]) -> None:
    """One name, a list and a tuple give a tuple in the same order."""
    assert column_checks.column_names(value, owner="Swap") == names


def test_numpy_names_become_plain_strings() -> None:
    """Names out of a numpy array are written in a configuration like any others."""
    (name,) = column_checks.column_names(list(np.array(["text"])), owner="Swap")
    assert type(name) is str


@pytest.mark.parametrize("value", [3, None, {"a"}, ["a", 3], b"text", {"a": 1}])
def test_column_names_are_names(value: object) -> None:
    """What is no sequence of names is refused, sets too, as they have no order."""
    told = sentence(column_checks.column_names, value)
    assert told == f"Swap: columns must be a column name or a list of them, but it is {value!r}."


@pytest.mark.parametrize("value", [[], (), ["a", "a"]])
def test_column_names_are_some_and_differ(value: object) -> None:
    """No name at all, or one twice, is refused."""
    assert sentence(column_checks.column_names, value, parameter="inputs") == (
        f"Swap: inputs must name at least one column and none twice, but it is {value!r}."
    )


def test_a_missing_column_is_told_with_those_that_exist() -> None:
    """A misspelt column is named, with the columns and the nearest one."""
    assert sentence(column_checks.present, ["text", "txet"], ["text", "label"]) == (
        "Swap: there is no column 'txet'; the columns are 'text', 'label'. Did you mean 'text'?"
    )
    column_checks.present(["label"], ["text", "label"], owner="Swap")


def test_a_taken_column_is_not_overwritten() -> None:
    """A column that would be overwritten is named."""
    assert sentence(column_checks.free, ["group", "edits"], ["text", "edits"]) == (
        "Swap: the column 'edits' exists already and would be overwritten; rename or remove it "
        "first."
    )
    column_checks.free(["group"], ["text", "edits"], owner="Swap")


@pytest.mark.parametrize("null", [
    None, float("nan"), np.float64("nan"), np.float32("nan"), pandas.NA, pandas.NaT,
], ids=["None", "nan", "float64", "float32", "NA", "NaT"])  # fmt: skip
def test_missing_values_are_nulls(null: object) -> None:
    """What stands for a missing value in Python, numpy or pandas comes back as None."""
    assert column_checks.texts({"text": ["a", null, ""]}, "text", owner="Swap") == ["a", None, ""]


def test_numpy_strings_are_texts() -> None:
    """A numpy array of strings holds text, and an empty column is a column."""
    assert column_checks.texts({"text": np.array(["a", "b"])}, "text", owner="Swap") == ["a", "b"]
    assert column_checks.texts({"text": []}, "text", owner="Swap") == []


@pytest.mark.parametrize(("value", "written", "kind", "advice"), [
    (5, "5", "int", "name a column of texts"), (b"a", "b'a'", "bytes", "name a column of texts"),
    (["a"], "['a']", "list", "name the texts inside it, such as 'text[]'"),
    ({"id": 1, "a": {"b": "c"}}, "{'id': 1, 'a': {'b': 'c'}}", "dict",
     "name the texts inside it, such as 'text.a.b'"),
    ([{"role": "user", "content": "Hi"}], "[{'role': 'user', 'content': 'Hi'}]", "list",
     "name the texts inside it, such as 'text[].content'"),
    ([[None, {"a": 1}]], "[[None, {'a': 1}]]", "list", "name a column of texts"),
    (np.int64(5), "np.int64(5)", "int64", "name a column of texts"),
    (list(range(100)), repr(list(range(100)))[:57] + "...", "list", "name a column of texts"),
])  # fmt: skip
def test_what_is_no_text_is_named(value: object, written: str, kind: str, advice: str) -> None:
    """A wrong value is told with its column, row, value (cut to 60 characters), type and way on."""
    assert sentence(column_checks.texts, {"text": ["a", None, value]}, "text") == (
        "Swap: column 'text' must hold text or nulls, but row 2 of the batch (counted from 0) "
        f"holds {written} ({kind}); {advice}."
    )


def test_texts_of_a_missing_column() -> None:
    """A missing column is told as such, not as a KeyError."""
    assert sentence(column_checks.texts, {"label": [1]}, "text") == (
        "Swap: there is no column 'text'; the columns are 'label'."
    )


@pytest.mark.parametrize("read", [column_checks.texts, column_checks.values])
@pytest.mark.parametrize(("value", "kind"), [
    ("He ran.", "str"), (None, "NoneType"), ({"a": [1]}, "dict"), (np.array("He ran."), "ndarray"),
])  # fmt: skip
def test_one_row_is_no_batch(read: Callable[..., object], value: object, kind: str) -> None:
    """What `map` gives without `batched=True` is refused, not read letter by letter."""
    assert sentence(read, {"text": value}, "text") == (
        f"Swap: it was given one row, not a batch (column 'text' holds a single {kind}); use "
        "`map(..., batched=True)`."
    )


class PolarsFrame:
    """What is asked of a Polars DataFrame, which is not installed here."""

    __module__ = "polars.dataframe.frame"

    def __init__(self, data: dict[str, list[Any]]) -> None:
        """Keep the columns."""
        self.data, self.columns = data, list(data)

    def to_series(self, place: int) -> "PolarsFrame":
        """Return a column by its place."""
        return PolarsFrame({"": self.data[self.columns[place]]})

    def to_list(self) -> list[Any]:
        """Return the values of a column."""
        return self.data[""]


ROWS: dict[str, list[Any]] = {"text": ["a", None, ""], "id": [2**60 + 1, None, 3]}


@pytest.mark.parametrize(
    "table",
    [pa.table(ROWS), pa.table(ROWS).to_batches()[0],
     {name: pa.array(values) for name, values in ROWS.items()},
     pa.table({"text": pa.array(ROWS["text"], pa.string_view()), "id": ROWS["id"]}),
     pa.table({"text": pa.array(ROWS["text"], pa.large_string()), "id": ROWS["id"]}),
     pa.table({"text": pa.array(ROWS["text"]).dictionary_encode(), "id": ROWS["id"]}),
     pandas.DataFrame(ROWS, dtype="object", index=[5, 3, 9]),
     pandas.DataFrame({"text": ROWS["text"], "id": pandas.array(ROWS["id"], dtype="Int64")}),
     pa.table(ROWS).to_pandas(types_mapper=pandas.ArrowDtype), PolarsFrame(ROWS)],
    ids=["arrow", "record batch", "arrow columns", "view", "large", "dictionary", "pandas",
         "nullable", "arrow in pandas", "polars"],
)  # fmt: skip
def test_tables_are_batches(table: Any) -> None:
    """A table of Arrow, pandas or Polars gives the columns with its nulls as None."""
    assert column_checks.as_batch(table, owner="Swap") == ROWS


def test_lists_inside_pandas_are_lists() -> None:
    """Arrow takes back no arrays inside lists and objects."""
    rows = {"talk": [[{"n": [1, 2]}, None], None, []], "tags": [["a", None], [], None]}
    assert repr(column_checks.as_batch(pa.table(rows).to_pandas(), owner="Swap")) == repr(rows)


def test_a_mapping_is_a_batch_as_it_is() -> None:
    """A mapping of columns is not copied, and what is no table is left to others."""
    assert column_checks.as_batch(ROWS, owner="Swap") is ROWS
    assert column_checks.as_batch("text", owner="Swap") == "text"


@pytest.mark.parametrize("table", [
    pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
    pandas.DataFrame([[1, 2]], columns=["a", "a"]),
], ids=["arrow", "pandas"])  # fmt: skip
def test_a_table_with_one_name_twice(table: Any) -> None:
    """Two columns of one name are refused, as one of them would be lost."""
    assert sentence(column_checks.as_batch, table) == (
        "Swap: the batch has two columns 'a', and one would be lost; rename one."
    )


def test_a_table_is_no_batch() -> None:
    """An Arrow table is told as such, not as a missing column."""
    assert sentence(column_checks.texts, pa.table({"text": ["a"]}), "text") == (
        "Swap: it was given a pyarrow Table, not a mapping of column names to values; use "
        "`with_format(None)` on the dataset first."
    )


def test_values_come_as_they_are() -> None:
    """A column is passed on, whatever its kind."""
    ids = np.array([1, 2])
    assert column_checks.values({"id": ids}, "id", owner="Swap") is ids
    frame = pandas.DataFrame({"id": [1, 2]})
    assert list(column_checks.values(frame, "id", owner="Swap")) == [1, 2]


def test_ragged_columns_are_told_with_their_lengths() -> None:
    """Columns of different lengths are named, and so is a single value among columns."""
    assert sentence(column_checks.refuse_ragged, {"a": ["x", "y"], "b": [1], "c": [1, 2]}) == (
        "Swap: the columns have different lengths ('a' has 2, 'b' has 1, 'c' has 2); give each "
        "column one value per row."
    )
    assert "column 'b' holds a single int" in sentence(
        column_checks.refuse_ragged, {"a": ["x"], "b": 1}
    )


@pytest.mark.parametrize("null", [None, float("nan"), pandas.NA])
def test_a_null_is_told_with_its_row(null: object) -> None:
    """Where each row needs a value, the first row without one is named."""
    assert sentence(column_checks.refuse_nulls, [0, null, None], "column 'y'") == (
        "Swap: column 'y' holds a null in row 1 (counted from 0); remove the row or fill the "
        "value in."
    )
