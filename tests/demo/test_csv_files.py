"""What the demo makes of an uploaded file."""

import csv
import io
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.swap import undo


@pytest.fixture(scope="module")
def augment(load: Callable[[str], ModuleType], module: ModuleType) -> Callable[..., Any]:
    """Return what augments a file along some axes, gender if none is given."""
    settings = load("settings").Settings
    return lambda content, column, *axes, **others: module.augment_csv(
        content, column, settings(axes or ("gender",), **others)
    )


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    """Read a CSV file back."""
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_counterfactuals_stand_beside_their_origin(augment: Callable[..., Any]) -> None:
    """The file has the rows of `augment`, and what undoes them."""
    content = 'text,label\n"He said: ""Hi, she left.""",1\nIt rains.,0\n'.encode("utf-8-sig")
    augmented = augment(content, "text")
    rows = rows_of(augmented.text)
    assert [row["text"] for row in rows] == [
        'He said: "Hi, she left."', 'She said: "Hi, he left."', "It rains.",
    ]  # fmt: skip
    assert [row["label"] for row in rows] == ["1", "1", "0"]
    assert [row["counterfactual"] for row in rows] == ["False", "True", "False"]
    assert undo(rows[1]["text"], json.loads(rows[1]["edits"])) == rows[0]["text"]
    assert (augmented.rows, augmented.added) == (2, 1)
    assert augmented.counts == [("man", 1, 2), ("woman", 1, 2), ("non-binary", 0, 0)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_kept(augment: Callable[..., Any], delimiter: str) -> None:
    """Files of spreadsheets with a decimal comma are read, too."""
    content = f"a{delimiter}text\r\n1{delimiter}She left.\r\n".encode()
    augmented = augment(content, "text")
    assert augmented.delimiter == delimiter
    assert [row["text"] for row in rows_of(augmented.text, delimiter)] == ["She left.", "He left."]


@given(content=st.binary(max_size=200))
def test_any_file_is_read_or_refused(module: ModuleType, content: bytes) -> None:
    """Whatever is uploaded, no other error comes of it."""
    try:
        table = module.read_csv(content)
    except InputError:
        return
    assert all(len(row) == len(table.header) for row in table.rows)
