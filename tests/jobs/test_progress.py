"""What is told of a job: line by line, and to who asks from elsewhere."""

import time
from pathlib import Path

import pytest

from fair_datasets.jobs.progress import Clock, status_lines
from fair_datasets.jobs.shards import Shard
from fair_datasets.system.files import LOCK, NOTES, locked

SHARDS = [Shard("train", number, 4, 100 * number, 100 * number + 100) for number in range(4)]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Hold the time."""
    found = [1000.0]
    monkeypatch.setattr(time, "time", lambda: found[0])
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make the folder of a job."""
    (tmp_path / NOTES).mkdir()
    return tmp_path


def test_how_far_a_job_is(folder: Path, now: list[float]) -> None:
    """How much is finished, how fast it goes, and how long the rest takes, of each shard too."""
    said: list[str] = []
    with (
        locked(folder / NOTES / LOCK, "taken"),
        Clock(folder / NOTES, SHARDS, SHARDS[1:], said.append, "Rewriting") as clock,
    ):
        began = status_lines(folder)
        clock.rows(SHARDS[1], 50)  # It is too early to be noted.
        assert status_lines(folder) == began
        now[0] += 10
        clock.rows(SHARDS[2], 40)
        clock.rows(SHARDS[1], 10)
        now[0] += 10
        clock.rows(SHARDS[1], 40)
        clock.rows(SHARDS[2], 20)
        meanwhile = status_lines(folder)
        clock.finished(SHARDS[1])
    assert began == [f"{folder}: running, 1 of 4 shards finished, 100 of 400 rows (25.0%)."]
    process = meanwhile[1].rpartition("(")[2]
    assert meanwhile == [
        f"{folder}: running, 1 of 4 shards finished, 240 of 400 rows (60.0%).",
        f"7 rows/s; about 0:00:23 left ({process}",
        "train-00001-of-00004: 100 of 100 rows; about 0:00:00 left.",
        "train-00002-of-00004: 40 of 100 rows; about 0:00:15 left.",
    ]
    assert said == [
        "1 of 4 shards are finished; 300 rows are to do",
        "train-00001-of-00004: 100 rows in 20.0 s (5 rows/s); 2 shards and about 0:00:18 left",
    ]
    assert status_lines(folder) == [
        f"{folder}: not running, 0 of 4 shards finished, 0 of 400 rows (0.0%).",
        "The command that began it goes on from there.",
    ]


def test_of_a_stream_nobody_knows_the_end(folder: Path, now: list[float]) -> None:
    """What is done is told alone."""
    said: list[str] = []
    with (
        locked(folder / NOTES / LOCK, "taken"),
        Clock(folder / NOTES, None, None, said.append, "Rewriting") as clock,
    ):
        clock.found(100)
        now[0] += 5
        clock.rows(SHARDS[1], 50)
        lines = status_lines(folder)
        clock.finished(SHARDS[1])
    assert lines[0] == f"{folder}: running, 1 shards finished, 150 rows."
    assert lines[1].startswith("10 rows/s; the length of the stream is not known (process ")
    assert said == [
        "1 shards are finished, 100 rows",
        "train-00001-of-00004: 100 rows in 0.0 s (100,000 rows/s); 2 shards, 150 rows so far",
    ]
