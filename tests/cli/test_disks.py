"""Places that take nothing, or no more: one sentence, early, and what is finished is kept."""

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli.inputs import load_input
from tests.cli.test_errors import assert_told
from tests.cli.test_tasks import contents


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_disk_that_is_full_at_a_shard(
    start: Any, run: Any, tmp_path: Path, processes: int
) -> None:
    """The shards before it are kept, and the same command goes on once there is room."""
    file = tmp_path / "rows.csv"
    short = "He ran.\n" * 2000
    long = "".join(f"He met her {number * 7919**9} times.\n" for number in range(1000))
    file.write_text(f"text\n{short}{long}", encoding="utf-8")
    words = ["augment", file, "--text", "text", "--shard-rows", 1000]
    # What datasets keeps of the input is written by a run that may.
    assert run(*words, "--out", tmp_path / "whole" / "out").code == 0
    out, work = tmp_path / "out", tmp_path / "out.work"
    process = start(*words, "--out", out, "--num-proc", processes, room=20_000,
                    anew=processes > 1)  # fmt: skip
    told, err = process.communicate(timeout=60)
    assert (process.returncode, told) == (1, "")
    partial = work / ".job" / "train-00002-of-00003.parquet.partial"
    # Each attempt has a file of its own.
    err = re.sub(r"\.[0-9a-f]{32}(?=\.parquet\.partial)", "", err)
    assert err == (
        f"\nfair-datasets: the disk is full ({partial}): free some space, choose another --out, or "
        "set HF_HOME and TMPDIR to move the cache of datasets and temporary files; what is "
        f"finished is kept in {work}, and the same command goes on from there.\n"
    )
    assert not list(work.rglob("*.partial"))
    kept = {shard.name for shard in (work / "data").iterdir()}
    assert kept
    assert kept <= {f"train-0000{number}-of-00003.parquet" for number in (0, 1)}
    assert run(*words, "--out", out).code == 0
    assert contents(out) == contents(tmp_path / "whole" / "out")


@pytest.mark.parametrize(
    ("room", "place"), [(300, "rows/.job/job.json"), (3000, "probes/seed-0/ep")]
)
def test_a_disk_that_is_full_for_score(start: Any, tmp_path: Path, room: int, place: str) -> None:
    """Whichever library writes, the sentence is the same, and nothing of no use is left."""
    file = tmp_path / "rows.jsonl"
    texts = (f"He was {('kind', 'rude')[n % 2]} on day {n}." for n in range(300))
    rows = [{"text": text, "label": n % 2} for n, text in enumerate(texts)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    load_input(str(file), ["text"], None)  # what datasets keeps of it is there
    process = start("score", file, "--text", "text", "--probes", 1, "--score", "el2n", "--out",
                    tmp_path / "out", room=room)  # fmt: skip
    told, err = process.communicate(timeout=120)
    assert (process.returncode, told) == (1, "")
    assert err.startswith(f"\nfair-datasets: the disk is full ({tmp_path / 'out.work' / place}")
    assert err.endswith("; nothing was written.\n")
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("name", ["out", "out.csv", "a/b/out"])
def test_a_folder_that_is_read_only(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It is told before anything is read, as reading may take hours."""

    def refuse(**options: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", f"{options['dir']}/tmp123")

    def never(*anything: object) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr("fair_datasets.jobs.file_outputs.TemporaryFile", refuse)
    monkeypatch.setattr("fair_datasets.cli.pipeline.read_rows", never)
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / name)
    told = f"cannot be created, because nothing can be written to {tmp_path} (Permission denied);"
    assert told in outcome.refused()


def test_a_file_system_of_its_own(
    run: Any, reviews: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    """No finished folder can take its place, which is told first and not at the end."""
    (tmp_path / "volume").mkdir()
    monkeypatch.setattr("os.path.ismount", lambda place: Path(place).name == "volume")
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / "volume")
    assert_told(outcome, 2, f"The output folder {tmp_path / 'volume'} is a file system of its own,")
    assert run("augment", reviews, "--text", "text", "--out", tmp_path / "volume" / "a").code == 0


@pytest.mark.parametrize("length", [252, 300])
def test_a_name_that_is_too_long(run: Any, reviews: Path, tmp_path: Path, length: int) -> None:
    """Itself, or that of its work folder."""
    outcome = run("augment", reviews, "--text", "text", "--out", tmp_path / ("a" * length))
    assert_told(outcome, 1, "the name is too long for the file system (")
    assert sorted(os.listdir(tmp_path)) == ["reviews.csv"]
