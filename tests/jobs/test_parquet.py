"""Rows of Parquet files that are read where they lie."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import fsspec
import pyarrow.parquet as pq
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value, load_dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError, run
from fair_datasets.jobs import parquet
from fair_datasets.jobs.job import manifest_of
from fair_datasets.jobs.parquet import ParquetRows, parquet_splits
from tests.jobs.test_job import contents

FEATURES = Features(
    {
        "text": Value("string"), "label": ClassLabel(names=["bad", "good"]), "n": Value("int32"),
        "said": List({"role": Value("string"), "at": Value("timestamp[ms]")}),
    }
)  # fmt: skip
ROWS = Dataset.from_dict(
    {
        "text": [f"{('He', 'She', 'It')[n % 3]} was there on day {n}." for n in range(40)],
        "label": [n % 2 if n % 7 else None for n in range(40)],
        "n": [n if n % 5 else None for n in range(40)],
        "said": [[{"role": f"r{n}", "at": None}] * (n % 3) for n in range(40)],
    },
    features=FEATURES,
)
SWAP = CounterfactualSwap(columns="text")


def write(rows: Dataset, file: Any, group: int = 6) -> None:
    """Write rows in groups of a few."""
    pq.write_table(rows.with_format("arrow")[:].cast(rows.features.arrow_schema), file, group)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of three files."""
    place = tmp_path / "in"
    place.mkdir()
    for number, (start, stop) in enumerate([(0, 17), (17, 18), (18, 40)]):
        write(ROWS.select(range(start, stop)), place / f"part-{number}.parquet")
    return place


@pytest.fixture
def memory() -> Iterator[Any]:
    """Return a file system in memory, which is nowhere on a disk."""
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def only(found: dict[str, ParquetRows]) -> ParquetRows:
    """Return the one split."""
    assert list(found) == ["train"]
    return found["train"]


def test_any_part_is_that_of_the_dataset(folder: Path) -> None:
    """Wherever it begins and ends, with features, nested values and nulls."""
    rows = only(parquet_splits(f"{folder}/*.parquet"))
    assert (len(rows), rows.features) == (40, FEATURES)
    for start in range(0, 40, 3):
        for stop in (start, start + 1, 18, 40):
            if start <= stop:
                part = rows.select(range(start, stop))
                assert part.to_dict() == ROWS.select(range(start, stop)).to_dict()
                assert part.features == FEATURES


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.integers(1, 9), st.data())
def test_files_of_any_number_of_rows(sizes: list[int], group: int, data: Any) -> None:
    """Also of none; any part has the rows that lie there."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    for number, size in enumerate(sizes):
        with system.open(f"/any/{number}.parquet", "wb") as file:
            write(ROWS.select(range(number, number + size)), file, group)
    wanted = [row for number, size in enumerate(sizes) for row in range(number, number + size)]
    found = only(parquet_splits("memory://any/*.parquet"))
    start = data.draw(st.integers(0, len(wanted)))
    stop = data.draw(st.integers(start, len(wanted)))
    part = found.select(range(start, stop))
    assert len(found) == len(wanted)
    assert part.to_dict() == ROWS.select(wanted[start:stop]).to_dict()


def test_only_the_groups_of_the_rows_are_read(folder: Path) -> None:
    """What is broken elsewhere in a file does not matter to a part."""
    file = folder / "part-0.parquet"
    metadata = pq.ParquetFile(file).metadata
    first = metadata.row_group(1).column(0).dictionary_page_offset
    place = first or metadata.row_group(1).column(0).data_page_offset
    content = bytearray(file.read_bytes())
    content[place : place + 40] = bytes(40)
    file.write_bytes(content)
    rows = only(parquet_splits(str(folder)))
    assert rows.select(range(6))["n"][:] == ROWS["n"][:6]
    assert rows.select(range(12, 19))["n"][:] == ROWS["n"][12:19]
    with pytest.raises(InputError, match=r"part-0\.parquet is broken among its rows 5 to 6: \w"):
        rows.select(range(5, 7))


def test_an_object_store(folder: Path, tmp_path: Path, memory: Any) -> None:
    """Its files have no path here; the card names where they lie, the manifest what they hold."""
    wanted = run(SWAP, str(folder), tmp_path / "a" / "out", shard_rows=7)
    memory.put(str(folder), "/bucket/reviews", recursive=True)
    found = run(SWAP, "memory://bucket/reviews/*.parquet", tmp_path / "b" / "out", shard_rows=7)
    assert parts(found) == parts(wanted)
    assert "memory://bucket/reviews/*.parquet" in Path(found, "README.md").read_text()
    source = manifest_of(Path(found))["source"]["train"]
    assert [name for name, _, _ in source] == [f"part-{n}.parquet" for n in range(3)]
    digests = [digest for _, _, digest in manifest_of(Path(wanted))["source"]["train"]]
    files = sorted(folder.iterdir())
    assert digests == [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


@pytest.mark.parametrize("address", [
    "zip://part-1.parquet::{here}/in.zip", "zip://*.parquet::{here}/in.zip", "zip://::{here}/in.zip",
    "zip://*.parquet::memory://in.zip", "simplecache::memory://in/*.parquet",
    "simplecache::zip://*.parquet::memory://in.zip", "tar://**/*.parquet::{here}/in.tar",
])  # fmt: skip
def test_files_in_archives_and_caches(tmp_path: Path, memory: Any, address: str) -> None:
    """The whole address is kept, and an archive that was replaced is read anew."""
    for text in ("He ran.", "He ran far away."):
        (tmp_path / "in").mkdir(exist_ok=True)
        Dataset.from_dict({"text": [text]}).to_parquet(tmp_path / "in" / "part-1.parquet")
        for kind in ("zip", "tar"):
            shutil.make_archive(str(tmp_path / "in"), kind, tmp_path / "in")
        memory.put(f"{tmp_path}/in.zip", "/in.zip")
        memory.put(f"{tmp_path}/in/part-1.parquet", "/in/part-1.parquet")
        if text == "He ran." or "memory" not in address:
            out = run(SWAP, address.format(here=tmp_path), tmp_path / text)
            assert load_dataset(out, split="train")["text"][0] == text


@pytest.mark.parametrize(("address", "message"), [
    ("{folder}/cut.parquet", "cut.parquet cannot be read: "),
    ("nosuch://bucket/*.parquet", "nosuch://bucket/.* cannot be read: Protocol not known"),
])  # fmt: skip
def test_what_cannot_be_read(folder: Path, tmp_path: Path, address: str, message: str) -> None:
    """It is told in a sentence, and nothing is left."""
    (folder / "cut.parquet").write_bytes((folder / "part-0.parquet").read_bytes()[:-9])
    with pytest.raises(InputError, match=message):
        run(SWAP, address.format(folder=folder), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_files_may_have_their_columns_in_another_order(folder: Path) -> None:
    """They are read by their names."""
    write(ROWS.select_columns(list(FEATURES)[::-1]), folder / "part-9.parquet")
    rows = only(parquet_splits(str(folder)))
    assert rows.select(range(39, 41)).to_dict() == ROWS.select([39, 0]).to_dict()


def test_a_file_that_is_written_meanwhile(folder: Path) -> None:
    """It is told, and not mixed with what was read before."""
    rows = only(parquet_splits(str(folder)))
    write(ROWS.select(range(20, 37)), folder / "part-0.parquet")
    with pytest.raises(InputError, match=r"part-0.parquet was changed while it was read; run"):
        rows.select(range(3))
    (folder / "part-0.parquet").unlink()
    with pytest.raises(FileNotFoundError, match="with several machines, all of them have to see"):
        rows.select(range(3))


@pytest.mark.parametrize("error", [OSError(5, "no answer"), ConnectionError("no answer")])
def test_an_error_of_the_system_is_no_broken_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    """It is told as it is."""
    rows = only(parquet_splits(str(folder)))
    monkeypatch.setattr(parquet, "_table", Mock(side_effect=error))
    with pytest.raises(type(error), match="no answer"):
        rows.select(range(3))


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_file_that_is_replaced_while_a_shard_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Nothing is kept that is of the old one, and the same call begins anew."""
    table = parquet._table

    def replaced(file: Any, start: int, stop: int, schema: Any) -> Any:
        if moment == "after":
            found = table(file, start, stop, schema)
        if start == 14:
            (folder / "part-0.parquet").write_bytes(bytes(99))
        return table(file, start, stop, schema) if moment == "before" else found

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "_table", replaced)
        with pytest.raises(InputError, match=r"part-0\.parquet was changed while it was read; run"):
            run(SWAP, str(folder), tmp_path / "out", shard_rows=7)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    write(ROWS.select(range(17)), folder / "part-0.parquet")
    run(SWAP, str(folder), tmp_path / "out", shard_rows=7)


def test_a_source_that_is_another_between_two_calls(folder: Path, tmp_path: Path) -> None:
    """Old shards are not mixed with new ones: the sentence says what to do, as for any source."""
    away = tmp_path / "away"

    class Lost(CounterfactualSwap):
        """Loses a file at its second shard."""

        def process(self, batch: Any) -> Any:
            if "day 7." in batch["text"][0] and not away.exists():
                (folder / "part-2.parquet").rename(away)
            return super().process(batch)

    swap = Lost(columns="text")
    with pytest.raises(FileNotFoundError, match="all of them have to see it"):
        run(swap, str(folder), tmp_path / "out", shard_rows=7)
    kept = contents(tmp_path / "out.work" / "data")
    assert len(kept) == 2
    write(ROWS.select(range(20)), folder / "part-2.parquet")
    with pytest.raises(InputError, match=r"unfinished job of another source; run the command tha"):
        run(swap, str(folder), tmp_path / "out", shard_rows=7)
    assert contents(tmp_path / "out.work" / "data") == kept
    away.replace(folder / "part-2.parquet")
    away.touch()
    found = run(swap, str(folder), tmp_path / "out", shard_rows=7)
    assert load_dataset(found, split="train").to_dict() == SWAP.apply(ROWS).to_dict()


def parts(folder: str | Path) -> dict[str, bytes]:
    """Return the Parquet files of a folder."""
    return {name: data for name, data in contents(folder).items() if name.endswith(".parquet")}


def test_splits_by_the_names_of_files(tmp_path: Path) -> None:
    """As datasets reads them; where only some say theirs, none is taken for training rows."""
    for name in ("train-0.parquet", "test-0.parquet", "dev/a.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        ROWS.to_parquet(tmp_path / name)
    found = parquet_splits(str(tmp_path / "**" / "*.parquet"))
    assert sorted(found) == ["test", "train", "validation"]
    ROWS.to_parquet(tmp_path / "b.parquet")
    (tmp_path / "test-0.parquet").unlink()
    assert list(parquet_splits(str(tmp_path / "*.parquet"))) == ["train"]
