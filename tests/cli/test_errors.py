"""Wrong input ends in one sentence and exit code 2, and leaves nothing behind."""

import bz2
import errno
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

OUT = ("--text", "text", "--out")


@pytest.mark.parametrize(("files", "sentence"), [
    ({"bad.parquet": b"PAR1 nonsense PAR1"}, "bad.parquet cannot be read: Parquet file"),
    ({"bad.csv.gz": b"no gzip"}, "bad.csv.gz is cut or broken (BadGzipFile: "),
    ({"a.csv": b"text,a\nhe,1\n", "b.csv": b"text,b\nhe,1\n"}, "cannot be read: ArrowInvalid"),
    ({"dataset_dict.json": b'{"splits": ["train"]}'}, "cannot be read: FileNotFoundError: "),
])  # fmt: skip
def test_what_a_library_cannot_read(
    run: Any, tmp_path: Path, files: dict[str, bytes], sentence: str
) -> None:
    """Its words stand in a sentence that names the file; nothing is left behind."""
    (tmp_path / "in").mkdir()
    for name, content in files.items():
        (tmp_path / "in" / name).write_bytes(content)
    source = tmp_path / "in" / (name if name.startswith("bad") else "")
    assert_told(run("augment", source, *OUT, tmp_path / "out"), 2, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def assert_told(outcome: Any, code: int, sentence: str) -> None:
    """Assert that one sentence was all that was said."""
    assert outcome.code == code
    assert sentence in outcome.err
    assert outcome.err.startswith("\nfair-datasets: ")
    assert len(outcome.err.strip().splitlines()) == 1
    assert outcome.out == ""


@pytest.mark.parametrize(("number", "sentence"), [
    (errno.ENOSPC, "the disk is full (here): free some space, choose another --out, or set"),
    (errno.EFBIG, "the disk is full (here): "),
    (errno.EROFS, "no permission (here): choose a place that you may read and write."),
    (errno.EACCES, "no permission (here): "),
    (errno.EIO, "OSError: [Errno 5] failed: 'here' (nothing was written; set FAIR_DATASETS_"),
])  # fmt: skip
def test_failure_of_the_system(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int,
    sentence: str,
) -> None:  # fmt: skip
    """A failure while writing ends with exit code 1, and nothing is left behind."""

    def fail(*arguments: object, **options: object) -> None:
        raise OSError(number, "failed", "here")

    monkeypatch.setattr("datasets.Dataset.to_parquet", fail)
    outcome = run("augment", reviews, *OUT, tmp_path / "a" / "out")
    assert_told(outcome, 1, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.csv"]


def test_full_disk_while_reading(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is full when datasets fills its cache is no fault of the input."""

    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("wrapped") from OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fair_datasets.cli.inputs.load_dataset_builder", fail)
    outcome = run("augment", reviews, *OUT, tmp_path / "out")
    assert_told(outcome, 1, "the disk is full: ")


def test_traceback_on_request(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAIR_DATASETS_TRACEBACK=1 lets an unexpected failure through."""

    def fail(*arguments: object) -> None:
        raise OSError("unexpected")

    monkeypatch.setenv("FAIR_DATASETS_TRACEBACK", "1")
    monkeypatch.setattr("datasets.Dataset.to_parquet", fail)
    with pytest.raises(OSError, match="unexpected"):
        run("augment", reviews, *OUT, tmp_path / "out")


DRAW = random.Random(0)
TEXTS = [f"He told {DRAW.random()}." for _ in range(2000)]
CSV = "".join(["text\n", *(f"{text}\n" for text in TEXTS)]).encode()
COMPRESSED = {
    ".gz": gzip.compress(CSV, mtime=0), ".bz2": bz2.compress(CSV), ".xz": lzma.compress(CSV),
}  # fmt: skip


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
    outcome = run("augment", file, *OUT, tmp_path / "out")
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
    for words in ([other, file], [file.parent]):
        outcome = run("augment", *words, *OUT, tmp_path / "out")
        assert_told(outcome, 2, f"fair-datasets: {file} cannot be read: ")
    for word in (file, f"{file.parent}/*"):
        outcome = run("augment", word, *OUT, tmp_path / "out")
        assert_told(outcome, 2, f" {file} {'cannot be read: ' if is_cut else 'is broken'}")
    assert os.listdir(tmp_path) == ["in"]


def test_a_saved_dataset_that_is_cut(run: Any, tmp_path: Path) -> None:
    """Before it is read."""
    Dataset.from_dict({"text": TEXTS}).save_to_disk(tmp_path / "saved")
    (file,) = (tmp_path / "saved").glob("*.arrow")
    os.truncate(file, file.stat().st_size // 2)
    outcome = run("augment", tmp_path / "saved", *OUT, tmp_path / "out")
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
    assert found.returncode == 1
    assert "fair-datasets: a process ended at train-0000" in found.stderr
    assert "as a file that it read was cut meanwhile; restore what is read, and" in found.stderr
