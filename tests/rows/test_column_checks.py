"""Columns of batches, in whatever they come."""

from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest

from fair_datasets.rows import column_checks
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize(
    ("value", "names"), [("text", ("text",)), (["a", "b"], ("a", "b")), (("b", "a"), ("b", "a"))]
)
def test_column_names_become_a_tuple(value: Any, names: tuple[str, ...]) -> None:
    """One name, a list and a tuple give a tuple in the same order."""
    assert column_checks.column_names(value) == names


def test_numpy_names_become_plain_strings() -> None:
    """Names out of a numpy array are written in a configuration like any others."""
    (name,) = column_checks.column_names(list(np.array(["text"])))
    assert type(name) is str


@pytest.mark.parametrize("null", [
    None, float("nan"), np.float64("nan"), np.float32("nan"), pandas.NA, pandas.NaT,
], ids=["None", "nan", "float64", "float32", "NA", "NaT"])  # fmt: skip
def test_missing_values_are_nulls(null: object) -> None:
    """What stands for a missing value in Python, numpy or pandas comes back as None."""
    assert column_checks.texts({"text": ["a", null, ""]}, "text") == ["a", None, ""]


def test_numpy_strings_are_texts() -> None:
    """A numpy array of strings holds text, and an empty column is a column."""
    assert column_checks.texts({"text": np.array(["a", "b"])}, "text") == ["a", "b"]
    assert column_checks.texts({"text": []}, "text") == []


@pytest.mark.parametrize(("batch", "told"), [
    ({"text": ["a", ["b"]]}, r"name the texts inside it, such as 'text\[\]'"),
    (pa.table({"text": ["a"]}), r"texts: it was given a pyarrow Table, not a mapping of column "
     r"names to values; use `with_format\(None\)` on the dataset first"),
])  # fmt: skip
def test_what_holds_no_texts(batch: Any, told: str) -> None:
    """Is told as such, not as a missing column; techniques read lists and tables themselves."""
    with pytest.raises(InputError, match=told):
        column_checks.texts(batch, "text")


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
    assert column_checks.as_batch(table) == ROWS


def test_lists_inside_pandas_are_lists() -> None:
    """Arrow takes back no arrays inside lists and objects."""
    rows = {"talk": [[{"n": [1, 2]}, None], None, []], "tags": [["a", None], [], None]}
    assert repr(column_checks.as_batch(pa.table(rows).to_pandas())) == repr(rows)


def test_a_mapping_is_a_batch_as_it_is() -> None:
    """A mapping of columns is not copied, and what is no table is left to others."""
    assert column_checks.as_batch(ROWS) is ROWS
    assert column_checks.as_batch("text") == "text"


def test_values_come_as_they_are() -> None:
    """A column is passed on, whatever its kind."""
    ids = np.array([1, 2])
    assert column_checks.values({"id": ids}, "id") is ids
    frame = pandas.DataFrame({"id": [1, 2]})
    assert list(column_checks.values(frame, "id")) == [1, 2]
