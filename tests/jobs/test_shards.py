"""How many rows a shard has, and what techniques make of its rows."""

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from datasets import Dataset, Features, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.job import lock_and_resume
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.jobs.shards import (
    Progress,
    Shard,
    default_rows,
    fitting_rows,
    shards_of,
    status_lines,
)
from fair_datasets.system.resume import format_progress

FEATURES = Features(text=Value("string"))


@pytest.mark.parametrize(("number", "size", "group", "rows"), [
    # 32 files, each of 10,000 to 50,000 rows.
    (0, 0.0, 0, 10_000),
    (320_000, 1.0, 0, 10_000),
    (320_001, 1.0, 0, 10_001),
    (1_600_000, 1.0, 0, 50_000),
    (10**9, 0.5, 0, 50_000),
    # As many as 16 MB hold, and one at least.
    (10**9, 320.0, 0, 50_000),
    (10**9, 500.0, 0, 32_000),
    (0, 16_000.0, 0, 1_000),
    (0, 16e6, 0, 1),
    (0, 17e6, 0, 1),
    # Groups of rows that are read at once are not parted, up to sixteen times as long.
    (0, 1_600.0, 9_999, 10_000),
    (0, 1_600.0, 10_001, 10_001),
    (0, 1_600.0, 160_000, 160_000),
    (0, 1_600.0, 160_001, 10_000),
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


class Told:
    """Rewrites the rows of a shard while the time passes, and keeps what is said of the job."""

    def __init__(self, folder: Path, now: list[float]) -> None:
        """Take the folder of the job, and the time."""
        self.folder, self.now, self.lines = folder, now, list[list[str]]()

    def __call__(self, rows: Dataset, progress: Progress) -> tuple[Dataset, None]:
        """Take two seconds for each row."""
        if rows["text"][0] == "2":
            self.lines.append(status_lines(self.folder))
            self.now[0] += 2
            progress(1)
            self.lines.append(status_lines(self.folder))
            raise KeyboardInterrupt
        self.now[0] += 4
        progress(2)
        return rows, None


def test_how_far_a_job_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How much is finished, how fast it goes, and how long the rest takes."""
    now, said = [1000.0], list[str]()
    monkeypatch.setattr(time, "time", lambda: now[0])
    rows, work = Dataset.from_dict({"text": list("01234567")}), Told(tmp_path, now)
    with suppress(KeyboardInterrupt), lock_and_resume(tmp_path, {}) as job:
        job.run({"train": rows}, {"train": work}, rows={"train": 2}, log=said.append)
    before, after = work.lines
    process = f"(process {os.getpid()})."
    assert before == [
        f"{tmp_path}: running, 1 of 4 shards finished, 2 of 8 rows.",
        f"Rewriting: rows 2 of 8, 0 rows/s, about 0:00:12 left {process}",
    ]
    assert after[1] == f"Rewriting: rows 3 of 8, 0 rows/s, about 0:00:10 left {process}"
    assert said == [
        "0 of 4 shards are finished; 8 rows are to do",
        "train-00000-of-00004: 2 rows; Rewriting: rows 2 of 8, 0 rows/s, about 0:00:12 left",
    ]
    assert status_lines(tmp_path) == [
        f"{tmp_path}: not running, 1 of 4 shards finished, 2 of 8 rows.",
        "The command that began it goes on from there.",
    ]


def test_of_a_stream_nobody_knows_the_end(tmp_path: Path) -> None:
    """What is done is told alone."""
    state = {"title": "Rewriting", "unit": "rows", "total": None, "done": 150, "done_now": 50,
             "loss": None, "began": 0.0, "noted": 5.0}  # fmt: skip
    assert format_progress(state) == "Rewriting: rows 150, 10 rows/s"
