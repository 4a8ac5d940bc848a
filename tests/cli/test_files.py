"""Rows in one file: what is written is what our own reader gives back."""

from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, Features, Json, List, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.cli.files import lines, mixes_empty_texts, refuse_unwritable
from fair_datasets.cli.inputs import load_input
from fair_datasets.system.checks import InputError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NUMBER = st.integers(-(2**63), 2**63 - 1)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)


def read_again(rows: Dataset, kind: str, texts: list[str]) -> Dataset:
    """Write rows and read them as the command line does."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"rows{kind}"
        file.write_bytes("".join(lines(rows, kind)).encode())
        again: Dataset = load_input(str(file), texts, None, cache=f"{folder}/cache")["train"]
        return Dataset.from_list(again.to_list(), features=again.features)


@pytest.mark.parametrize("kind", [".csv", ".tsv", ".jsonl"])
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TEXT, NUMBER, FLOAT, st.booleans()), min_size=1, max_size=5))
def test_what_is_written_is_read(kind: str, found: list[tuple[str, int, float, bool]]) -> None:
    """Texts of any signs, whole numbers of 64 bits, floats and booleans come back as they are."""
    names = ["text", "number", "share", "flag"]
    rows = Dataset.from_list([dict(zip(names, row, strict=True)) for row in found])
    again = read_again(rows, kind, ["text"])
    assert again.to_list() == rows.to_list()
    assert again.features == rows.features


@pytest.mark.parametrize("kind", [".csv", ".tsv"])
@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=5))
def test_a_single_column_loses_no_row(kind: str, texts: list[str]) -> None:
    """An empty line is no row for a reader, so that none is written."""
    assert read_again(Dataset.from_dict({"text": texts}), kind, ["text"])["text"][:] == texts


def test_nulls_and_empty_texts_are_written_apart() -> None:
    """A null is an empty cell and an empty text two quotes; where both are, that is told."""
    rows = Dataset.from_dict({"a": ["", None], "b": [None, 1]})
    assert "".join(lines(rows, ".csv")) == 'a,b\n"",\n,1\n'
    assert mixes_empty_texts(rows) == "a"
    assert mixes_empty_texts(Dataset.from_dict({"a": ["", "x"], "b": [None, "x"]})) == ""


def test_other_readers_of_csv_agree() -> None:
    """Pandas reads the same texts."""
    texts = ['He said "no", then', "two\nlines", "a\rb", " spaces ", "tab\there", ";"]
    rows = Dataset.from_dict({"text": texts, "n": range(6)})
    read = pd.read_csv(StringIO("".join(lines(rows, ".csv")), newline=""), lineterminator="\n")
    assert read["text"].tolist() == texts


def test_kinds_of_values() -> None:
    """A class is its name, a point in time ISO 8601, a decimal number its digits, NaN null."""
    table = pa.table(
        {
            "kind": pa.array([1, -1, None], pa.int64()),
            "day": [date(2024, 5, 1)] * 3,
            "time": pa.array([datetime(2024, 5, 1, 12, tzinfo=UTC)] * 3, pa.timestamp("us", "UTC")),
            "price": [Decimal("1.10")] * 3,
            "rate": [0.5, float("nan"), float("inf")],
        }
    )
    rows = Dataset(table).cast_column("kind", ClassLabel(names=["rude", "kind"]))
    written = "".join(lines(rows, ".jsonl")).splitlines()
    assert written[0] == (
        '{"kind": "kind", "day": "2024-05-01", "time": "2024-05-01T12:00:00+00:00", '
        '"price": "1.10", "rate": 0.5}'
    )
    assert written[1].startswith('{"kind": -1, ')
    assert [line.rpartition(" ")[2] for line in written[1:]] == ["null}", "null}"]
    cells = "".join(lines(rows, ".csv")).splitlines()
    assert cells[1] == "kind,2024-05-01,2024-05-01T12:00:00+00:00,1.10,0.5"
    assert cells[2].endswith(",nan")


def test_nested_values_and_big_numbers_are_json() -> None:
    """Lists, objects and JSON stand in JSON lines as they are, with every digit."""
    values = {"id": 2**62 + 1, "turns": [{"role": "user", "content": "Où?"}]}
    features = Features({"meta": Json(), "turns": List(Value("string"))})
    rows = Dataset.from_dict({"meta": [values], "turns": [["a", None]]}, features=features)
    assert "".join(lines(rows, ".jsonl")) == (
        '{"meta": {"id": 4611686018427387905, "turns": [{"role": "user", "content": "Où?"}]}, '
        '"turns": ["a", null]}\n'
    )


@pytest.mark.parametrize(("kind", "feature", "sentence"), [
    (".csv", List(Value("int64")), "lists or objects, for which .csv has no place; write"),
    (".tsv", {"a": Value("int64")}, "lists or objects, for which .tsv has no place"),
    (".csv", Json(), "lists or objects"),
    (".csv", Value("binary"), "bytes, for which .csv has no place; write .parquet"),
    (".jsonl", {"bytes": Value("binary")}, "bytes, for which .jsonl has no place"),
])  # fmt: skip
def test_columns_without_a_place_are_refused(kind: str, feature: Any, sentence: str) -> None:
    """What a format cannot hold is named, with the format that can."""
    with pytest.raises(InputError, match=sentence):
        refuse_unwritable(kind, Features({"column": feature}), "in.parquet")
