"""Columns of Parquet files: which go together, and which no dataset holds."""

import base64
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.parquet import encryption

from fair_datasets import InputError
from fair_datasets.cli.inputs import load_input
from fair_datasets.jobs.parquet import parquet_splits

TEXT, LARGE, VIEW, NULL = pa.string(), pa.large_string(), pa.string_view(), pa.null()


def nested(kind: pa.DataType) -> pa.DataType:
    """Return a type of lists of objects that hold values of a type."""
    return pa.list_(pa.struct([("key", kind)]))


@pytest.mark.parametrize("wrap", [lambda kind: kind, nested, pa.large_list])
@pytest.mark.parametrize(("kinds", "wanted"), [
    ((TEXT, VIEW), "string"), ((VIEW, TEXT), "string"), ((TEXT, LARGE), "large_string"),
    ((LARGE, TEXT, VIEW), "large_string"), ((NULL, TEXT), "string"), ((TEXT, NULL), "string"),
    ((NULL, NULL, pa.int8()), "int8"), ((pa.binary_view(), pa.binary()), "binary"),
    ((pa.dictionary(pa.int8(), TEXT), TEXT), "string"),
])  # fmt: skip
def test_files_whose_types_go_together(
    tmp_path: Path, kinds: tuple[Any, ...], wanted: str, wrap: Any
) -> None:
    """Strings of any width, and a column that is null throughout a file, in place and as a copy."""
    for number, kind in enumerate(kinds):
        empty = pa.nulls(1, kind) if wrap(kind) == kind else pa.array([[]], wrap(kind))
        columns = {"text": pa.array([f"He ran {number}."]), "other": empty}
        pq.write_table(pa.table(columns), tmp_path / f"{number}.parquet")
    (place,) = parquet_splits(str(tmp_path)).values()
    rows = place.select(range(len(kinds)))
    copy = load_input(str(tmp_path), ["text"], None)["train"]
    assert wanted in str(rows.features["other"])
    assert copy.features == rows.features
    assert copy.to_dict() == rows.to_dict()
    assert rows["text"][:] == [f"He ran {number}." for number in range(len(kinds))]


class Keys(encryption.KmsClient):  # type: ignore[misc]
    """Keeps keys as they are."""

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:
        """Return what is stored of a key."""
        return base64.b64encode(key_bytes)


def encrypted(table: pa.Table, file: Path, *, only_a_column: bool) -> None:
    """Write a file of which everything, or the column `other`, is encrypted."""
    settings = encryption.EncryptionConfiguration(
        footer_key="one", column_keys={"two": ["other"]}, plaintext_footer=only_a_column
    )
    factory = encryption.CryptoFactory(lambda _: Keys())
    properties = factory.file_encryption_properties(encryption.KmsConnectionConfig(), settings)
    with pq.ParquetWriter(file, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


def long_integers(table: pa.Table, file: Path) -> None:
    """Write a file whose column is of whole numbers of 128 bits, as Polars does."""
    said = pa.schema([("text", TEXT), ("other", pa.int64())]).serialize().to_pybytes()
    said = base64.b64encode(said.replace(b"\x40\0\0\0", b"\x80\0\0\0"))
    values = pa.array([bytes(16)], pa.binary(16))
    table = table.set_column(1, "other", values)
    with pq.ParquetWriter(file, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"ARROW:schema": said})


def variant(table: pa.Table, file: Path) -> None:
    """Write a file and let it say that its column is a variant, as DuckDB and Spark do."""
    parts = pa.StructArray.from_arrays([pa.array([b""]), pa.array([b""])], ["metadata", "value"])
    pq.write_table(table.set_column(1, "other", parts), file, store_schema=False)
    content = file.read_bytes()
    element = b"\x18\x05other\x15\x04"  # its name, and how many children it has
    assert content.count(element) == 1
    content = content.replace(element, element + b"\x5c\x0c\x20\0\0")
    size = int.from_bytes(content[-8:-4], "little") + 5
    file.write_bytes(content[:-8] + size.to_bytes(4, "little") + b"PAR1")


UUID = pa.array([bytes(16)], pa.uuid())
MAP = pa.array([[("a", 1)]], pa.map_(TEXT, pa.int64()))
UNHELD = [
    (UUID, "column 'other' is of the type uuid, which a dataset cannot hold; cast it to text"),
    (MAP, r"column 'other' is of the type map<string, int64.*>, which a dataset cannot hold"),
    (pa.StructArray.from_arrays([UUID], ["id"]), r"column 'other' is of the type struct<id: uuid"),
    (pa.array([["a"]], pa.list_(TEXT)), None),
    (pa.array([None], pa.decimal256(70, 3)), None),
    (variant, "column 'other' is of the type variant, which a dataset cannot hold; cast it to"),
    (long_integers, "column 'other' is of the type int128, which a dataset cannot hold; cast"),
    (lambda table, file: encrypted(table, file, only_a_column=True),
     "column 'other' is encrypted; write it without encryption, with the tool that has the keys"),
    (lambda table, file: encrypted(table, file, only_a_column=False), "the file is encrypted;"),
    (lambda table, file: pq.write_table(table.append_column("other", pa.array([1])), file),
     "two columns are named 'other', and one of them would be lost; rename one"),
    (pa.StructArray.from_arrays([pa.array([1])] * 2, ["a", "a"]),
     "two columns are named 'other.a', and one"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "sentence"), UNHELD)
def test_what_a_dataset_cannot_hold(tmp_path: Path, column: Any, sentence: str | None) -> None:
    """A sound file is never called broken: the sentence names the column and the way out."""
    file = tmp_path / "in.parquet"
    table = pa.table({"text": ["He ran."], "other": ["x"]})
    if callable(column):
        column(table, file)
    else:
        pq.write_table(table.set_column(1, "other", column), file)

    def in_place() -> None:
        (rows,) = parquet_splits(str(file)).values()
        rows.select(range(1))

    for read in (in_place, lambda: load_input(str(file), ["text"], None)):
        if sentence is None:
            read()
            continue
        with pytest.raises(InputError, match=rf"in\.parquet: {sentence}") as caught:
            read()
        assert "repair" not in str(caught.value)
        assert "broken" not in str(caught.value)
