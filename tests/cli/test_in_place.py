"""Parquet files that `augment` reads where they lie."""

from pathlib import Path
from typing import Any

import fsspec
import pytest
from datasets import load_dataset

from fair_datasets.jobs.job import manifest_of
from tests.jobs.test_parquet import FEATURES, ROWS, SWAP, parts, write


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder of two files."""
    place = tmp_path / "in"
    place.mkdir()
    for number, (start, stop) in enumerate([(0, 23), (23, 40)]):
        write(ROWS.select(range(start, stop)), place / f"{number}.parquet")
    return place


def test_a_pattern(run: Any, files: Path, tmp_path: Path) -> None:
    """The rows are those of the files, with their features; the same command does nothing again."""
    words = ["augment", files / "*.parquet", "--text", "text", "--shard-rows", 9]
    outcome = run(*words, "--out", tmp_path / "out").quiet()
    assert "train: 40 rows in, " in outcome.out
    found = load_dataset(str(tmp_path / "out"), split="train")
    assert found.to_dict() == SWAP.apply(ROWS).to_dict()
    assert found.features == SWAP.features(FEATURES)
    again = run(*words, "--out", tmp_path / "out")
    assert "nothing is done again" in again.out
    source = manifest_of(tmp_path / "out")["source"]
    assert [name for name, _, _ in source["content"]["train"]] == ["0.parquet", "1.parquet"]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "dataset = load_dataset('parquet', data_files='*.parquet')" in card
    assert str(tmp_path) not in card
    write(ROWS, files / "1.parquet")
    assert run(*words, "--out", tmp_path / "out").code == 2


def test_an_address(run: Any, files: Path, tmp_path: Path) -> None:
    """The files of an object store are those of a disk."""
    system = fsspec.filesystem("memory")
    system.put(str(files), "/reviews", recursive=True)
    for source, name in (("memory://reviews", "a"), (str(files / "*.parquet"), "b")):
        run("augment", source, "--text", "text", "--out", tmp_path / name, "--samples", 2).quiet()
    system.store.clear()
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    assert "data_files='memory://reviews'" in (tmp_path / "a" / "README.md").read_text()


def test_a_look_at_them(run: Any, files: Path, tmp_path: Path) -> None:
    """`--dry-run` and `--limit` read the first rows."""
    pattern = files / "*.parquet"
    outcome = run("augment", pattern, "--text", "text", "--dry-run")
    assert "- He was there on day 0." in outcome.out
    assert run("augment", pattern, "--text", "text", "--limit", 3, "--out", tmp_path / "out",
               "--split", "train").code == 0  # fmt: skip
    found = load_dataset(str(tmp_path / "out"), split="train")
    assert found.to_dict() == SWAP.apply(ROWS.select(range(3))).to_dict()
