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
        'He said: "Hi, she left."',
        'She said: "Hi, he left."',
        "It rains.",
    ]
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


@pytest.mark.parametrize(("content", "column", "message"), [
    (b"", "text", "The file is empty"), (b" \n\n", "text", "The file is empty"),
    (b"\x89PNG\r\n\x1a\n\x00", "text", "no text in UTF-8"), (b"text\na\0b\n", "text", "zero bytes"),
    ("text\nShé\n".encode("latin-1"), "text", "save it as CSV in UTF-8"),
    (b"text\n" + b"a" * 1_000_000, "text", "The file has 1.0 MB"),
    (b"text\n" + b"a\n" * 5001, "text", "5,001 rows"),
    (b"text,label\n", "text", "a header and no rows"),
    (b"text,label\nShe left, he stayed,1\n", "text", "row 1 has 3 cells"),
    (b'text,label\n"She left,1\n', "text", "The file is no CSV"),
    (b"text,text\na,b\n", "text", "Two columns are named 'text'"),
    (b"text,label\nShe,1\n", "txet", "there is no column 'txet'.*Did you mean 'text'"),
    (b"text,label\nShe,1\n", None, "there is no column ''"),
    (b"text,label\nShe,1\n", "label", "'label' holds no words"),
    (b"text,edits\nShe,1\n", "text", "'edits' exists already"),
    (b"<img src=x onerror=alert(1)>\nShe\n", "text", "no column 'text'"),
])  # fmt: skip
def test_a_bad_file_is_answered_by_a_sentence(
    augment: Callable[..., Any], content: bytes, column: str, message: str
) -> None:
    """It says what is wrong and what to do."""
    with pytest.raises(InputError, match=message):
        augment(content, column)


def test_a_wide_file_is_refused(module: ModuleType) -> None:
    """A hundred columns are taken, and no more, as each costs time."""
    for columns in (100, 101, 70_000):
        header = ",".join(map(str, range(columns)))
        content = f"{header}\n{header}\n".encode()
        if columns == 100:
            assert len(module.read_csv(content).header) == columns
        else:
            with pytest.raises(InputError, match=f"has {columns:,} columns, and this page takes"):
                module.read_csv(content)


@given(content=st.binary(max_size=200))
def test_any_file_is_read_or_refused(module: ModuleType, content: bytes) -> None:
    """Whatever is uploaded, no other error comes of it."""
    try:
        table = module.read_csv(content)
    except InputError:
        return
    assert all(len(row) == len(table.header) for row in table.rows)
