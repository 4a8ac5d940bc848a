"""Folders that say more than their files do are refused in one sentence, and not read in part."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fair_datasets import InputError
from fair_datasets.cli.inputs import load_input
from fair_datasets.jobs.parquet import parquet_splits

ROWS = pa.table({"text": ["He ran."], "kind": [1]})
TABLES = [
    ("_delta_log/00000000000000000000.json", "a.parquet", "a Delta table", "DeltaTable"),
    ("_delta_log/00000000000000000000.json", "day=1/a.parquet", "a Delta table", "DeltaTable"),
    (".hoodie/.hoodie_partition_metadata", "2024/01/a.parquet", "a Hudi table", "format('hudi')"),
    ("metadata/v1.metadata.json", "data/a.parquet", "an Iceberg table", "pyiceberg"),
    ("metadata/00000-1.metadata.json", "data/day=1/a.parquet", "an Iceberg table", "pyiceberg"),
    ("_versions/1.manifest", "data/a.lance", "a Lance table", "lance.dataset"),
]  # fmt: skip


def written(folder: Path, *names: str) -> None:
    """Write a file of rows for each name that ends so, and an empty one for any other."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".parquet"):
            pq.write_table(ROWS, folder / name)
        else:
            (folder / name).write_text("{}")


def readers(source: str | list[str]) -> list[Callable[[], Any]]:
    """Return what reads a source in place and as a copy."""
    copied = lambda: load_input(source, ["text"], None)  # noqa: E731
    return [lambda: parquet_splits(source), *([] if "*" in source else [copied])]


@pytest.mark.parametrize(("mark", "file", "kind", "advice"), TABLES)
def test_tables(tmp_path: Path, mark: str, file: str, kind: str, advice: str) -> None:
    """By the folder, a pattern, or a file in it: its rows may have been deleted since."""
    written(tmp_path / "in", mark, file, f"{Path(file).parent}/{Path(mark).name}")
    place = tmp_path / "in"
    beside = (place / file).parent / "*.parquet"
    named = () if file.endswith(".lance") else (place / file,)
    for source in (place, place / "**/*.parquet", beside, *named):
        for read in readers(str(source)):
            with pytest.raises(InputError) as caught:
                read()
            assert f" is {kind}, whose files may also hold rows that were" in str(caught.value)
            assert advice in str(caught.value)


def test_folders_that_look_like_tables(tmp_path: Path) -> None:
    """What somebody calls data or metadata is no table."""
    written(tmp_path, "data/a.parquet", "metadata/notes.json", "data/_log/b.txt")
    for read in readers(str(tmp_path / "data" / "a.parquet")):
        read()


PARTITIONS = [
    ("in", True), ("in/**/*.parquet", True), ("in/*/a.parquet", True),
    ("in/label=0", False), ("in/label=0/*.parquet", False), ("in/label=0/a.parquet", False),
    ("kind=1", False), ("other", False), ("one", True),
    (["in/label=0/a.parquet", "in/label=1/a.parquet"], True),
    (["in/label=0/a.parquet", "in/label=0/b.parquet"], False),
]  # fmt: skip


@pytest.mark.parametrize(("source", "is_lost"), PARTITIONS)
def test_columns_that_folders_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Any, is_lost: bool
) -> None:
    """One that the files lack is told, unless one folder of it is given."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "in/label=0/a.parquet", "in/label=0/b.parquet", "in/label=1/a.parquet",
            "other/kind=1/a.parquet", "kind=1/a.parquet", "one/la%20bel=0/a.parquet")  # fmt: skip
    for read in readers(source):
        if not is_lost:
            read()
            continue
        name = "la bel" if source == "one" else "label"
        with pytest.raises(InputError, match=f"names a column '{name}' that no file has, and"):
            read()
