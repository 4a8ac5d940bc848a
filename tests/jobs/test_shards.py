"""How many rows a shard has, and what techniques make of its rows."""

import time
from pathlib import Path

import pytest
from datasets import Dataset, Features, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.jobs.shards import (
    Clock,
    Shard,
    default_rows,
    fitting_rows,
    shards_of,
    status_lines,
)
from fair_datasets.system.files import LOCK, NOTES, locked

FEATURES = Features(text=Value("string"))


@pytest.mark.parametrize(("number", "size", "group", "rows"), [
    # 32 files, each of 10,000 to 50,000 rows.
    (0, 0.0, 0, 10_000),
    (320_000, 1.0, 0, 10_000),
    (320_001, 1.0, 0, 10_001),
    (1_600_000, 1.0, 0, 50_000),
    (10**9, 0.5, 0, 50_000),
    # As many as 64 MB hold, and one at least.
    (10**9, 1_280.0, 0, 50_000),
    (10**9, 2_000.0, 0, 32_000),
    (0, 64_000.0, 0, 1_000),
    (0, 64e6, 0, 1),
    (0, 65e6, 0, 1),
    # Groups of rows that are read at once are not parted, up to four times as long.
    (0, 6_400.0, 9_999, 10_000),
    (0, 6_400.0, 10_001, 10_001),
    (0, 6_400.0, 40_000, 40_000),
    (0, 6_400.0, 40_001, 10_000),
])  # fmt: skip
def test_how_many_rows_a_shard_has(number: int, size: float, group: int, rows: int) -> None:
    """By their number, their bytes, and how many are read at once."""
    assert fitting_rows(number, size, group=group) == rows


def test_without_rows_a_shard_has_the_usual_size() -> None:
    """And is one."""
    assert default_rows(Dataset.from_dict({"text": []})) == 10_000
    assert [*shards_of("test", 0, 10)] == [Shard("test", 0, 1, 0, 0)]
    assert [*shards_of("test", 21, 10)] == [
        Shard("test", 0, 3, 0, 10), Shard("test", 1, 3, 10, 20), Shard("test", 2, 3, 20, 21),
    ]  # fmt: skip


@pytest.mark.parametrize(("rows", "told"), [(0, [0]), (1000, [1000]), (2001, [1000, 1000, 1])])
def test_techniques_are_applied_by_the_thousand(rows: int, told: list[int]) -> None:
    """One after the other, and each batch is told."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    more = CounterfactualSwap(columns="text", mode="augment")
    given = Dataset.from_dict({"text": ["He ran."] * rows}, features=FEATURES)
    done: list[int] = []
    found, tally = ApplyToShard((swap, more))(given, done.append)
    assert done == told
    assert found["text"][:] == ["She ran.", "He ran."] * rows
    assert (tally["rows_in"], tally["rows_out"]) == (rows, 2 * rows)


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
