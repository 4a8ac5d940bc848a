"""Files that are cut or broken, before they are read or meanwhile: one sentence."""

import bz2
import gzip
import lzma
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.jobs import processes
from fair_datasets.jobs.shards import Shard
from tests.cli.test_faults import assert_told

DRAW = random.Random(0)
TEXTS = [f"He told {DRAW.random()}." for _ in range(2000)]
CSV = "".join(["text\n", *(f"{text}\n" for text in TEXTS)]).encode()
COMPRESSED = {
    ".gz": gzip.compress(CSV, mtime=0),
    ".bz2": bz2.compress(CSV),
    ".xz": lzma.compress(CSV),
}


@pytest.mark.parametrize("is_cut", [True, False])
@pytest.mark.parametrize("ending", COMPRESSED)
def test_an_archive_that_is_cut_or_broken(
    run: Any, tmp_path: Path, ending: str, is_cut: bool
) -> None:
    """Wherever its rows may be read to, it is the archive that is told of."""
    content = bytearray(COMPRESSED[ending])
    half = len(content) // 2
    content[half] ^= 0xFF
    file = tmp_path / f"rows.csv{ending}"
    file.write_bytes(content[:half] if is_cut else content)
    outcome = run("augment", file, "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"{file} is cut or broken (")
    assert outcome.err.endswith("; download it again, or compress it again.\n")
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_parquet_file_that_is_cut_or_broken(run: Any, tmp_path: Path, is_cut: bool) -> None:
    """Be it at its end, or among the rows; of several, the one is named."""
    file, other = tmp_path / "in" / "rows.parquet", tmp_path / "in" / "other.parquet"
    file.parent.mkdir()
    for place in (file, other):
        Dataset.from_dict({"text": TEXTS}).to_parquet(place)
    content = bytearray(file.read_bytes())
    content[2000:6000] = bytes(4000)
    file.write_bytes(content[: len(content) // 2] if is_cut else content)
    for words in ([file], [other, file], [file.parent]):
        outcome = run("augment", *words, "--text", "text", "--out", tmp_path / "out")
        assert_told(outcome, 2, f"fair-datasets: {file} cannot be read: ")
    outcome = run("augment", f"{file.parent}/*", "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"file://{file} {'cannot be read: ' if is_cut else 'is broken'}")
    assert os.listdir(tmp_path) == ["in"]


def test_a_saved_dataset_that_is_cut(run: Any, tmp_path: Path) -> None:
    """Before it is read."""
    Dataset.from_dict({"text": TEXTS}).save_to_disk(tmp_path / "saved")
    (file,) = (tmp_path / "saved").glob("*.arrow")
    os.truncate(file, file.stat().st_size // 2)
    outcome = run("augment", tmp_path / "saved", "--text", "text", "--out", tmp_path / "out")
    assert_told(outcome, 2, f"{file} cannot be read: ")
    assert os.listdir(tmp_path) == ["saved"]


CUT = """
import os, sys
from pathlib import Path
from fair_datasets.cli import main
from fair_datasets.jobs import job, rewriting
work = rewriting.RewriteShard.__call__

def cut(shard, rows, progress):
    for file in Path(sys.argv[1]).glob("*.arrow"):
        os.truncate(file, 4096)
    return work(shard, rows, progress)

rewriting.RewriteShard.__call__ = cut
sys.exit(main(["augment", *sys.argv[1:]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell it otherwise")
@pytest.mark.parametrize("count", [1, 2])
def test_a_saved_dataset_that_is_cut_meanwhile(tmp_path: Path, count: int) -> None:
    """The system ends whoever reads what is there no more; the sentence comes all the same."""
    saved = tmp_path / "saved"
    Dataset.from_dict({"text": TEXTS * 20}).save_to_disk(saved)
    (file,) = saved.glob("*.arrow")
    shutil.copy(file, tmp_path / "whole")
    words = [saved, "--text", "text", "--num-proc", count, "--shard-rows", 10_000]
    command = [sys.executable, "-c", CUT, *map(str, words), "--out", tmp_path / "out"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert found.stdout == ""
    assert len(found.stderr.strip().splitlines()) == 1
    if count == 1:
        assert found.returncode == 2
        assert found.stderr.startswith(f"\nfair-datasets: {file} was cut while it was read; ")
    else:
        assert found.returncode == 1
        assert "fair-datasets: a process ended at train-0000" in found.stderr
        assert "as a file that it read was cut meanwhile; restore what is read, and" in found.stderr


def test_a_process_that_is_lost_is_told() -> None:
    """With what it was at, and why."""
    shard = Shard("train", 1, 3, 10, 20)
    told = processes._why_lost(-9, shard)
    assert told.startswith("a process ended by signal 9 at train-00001-of-00003; if that was for")
