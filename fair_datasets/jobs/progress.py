"""How far a job is: a bar for who watches, a log, and a note for who asks from elsewhere."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

from fair_datasets import interrupts
from fair_datasets.jobs.shards import NOTES, STEPS, Shard, read_note, write_note
from fair_datasets.locks import is_locked

_EVERY = 1.0
"""How many seconds pass at least between two notes."""
_NOTE = "progress.json"


class Clock(AbstractContextManager["Clock"]):
    """Counts what is done, and says how long the rest takes."""

    def __init__(
        self,
        notes: Path,
        shards: Sequence[Shard],
        missing: Sequence[Shard],
        log: Callable[[str], None],
        title: str,
    ) -> None:
        """Set out to count.

        Args:
            notes: The folder of the notes.
            shards: All shards.
            missing: Those that are to be done.
            log: What is told line by line.
            title: What the bar says.
        """
        from datasets.utils import tqdm

        self.notes, self.log = notes, log
        self.began = self.noted = time.time()
        self.total = sum(shard.stop - shard.start for shard in shards)
        self.missing = sum(shard.stop - shard.start for shard in missing)
        self.shards, self.left = len(shards), len(missing)
        self.at_work: dict[str, tuple[float, int, int]] = {}
        self.done = 0
        self.bar = tqdm(total=self.total, initial=self.total - self.missing, unit=" examples",
                        desc=title)  # fmt: skip

    def __enter__(self) -> "Clock":
        """Begin."""
        done = self.shards - self.left
        self.log(f"{done} of {self.shards} shards are finished; {self.missing:,} rows are to do")
        self._note()
        return self

    def __exit__(self, *raised: object) -> None:
        """End."""
        self.bar.close()

    def rows(self, shard: Shard, number: int) -> None:
        """Count rows of a shard, and end the work if a signal came."""
        now = time.time()
        began, done, _ = self.at_work.get(shard.name, (now, 0, 0))
        self.at_work[shard.name] = (began, done + number, shard.stop - shard.start)
        self.done += number
        self.bar.update(number)
        if now - self.noted >= _EVERY:
            self._note()
        interrupts.obey()

    def finished(self, shard: Shard) -> None:
        """Count a shard."""
        self.left -= 1
        began, _, rows = self.at_work.pop(shard.name, (self.began, 0, shard.stop - shard.start))
        seconds = max(time.time() - began, 1e-3)
        self.log(
            f"{shard.name}: {rows:,} rows in {seconds:.1f} s ({rows / seconds:,.0f} rows/s); "
            f"{self.left} shards and about {self._time_left()} left"
        )
        self._note()

    def _time_left(self) -> str:
        """Say how long the rest takes."""
        rate = self.done / max(time.time() - self.began, 1e-3)
        return str(timedelta(seconds=round((self.missing - self.done) / rate))) if rate else "?"

    def _note(self) -> None:
        """Write how far it is."""
        self.noted = time.time()
        write_note(self.notes / _NOTE, {
            "process": os.getpid(), "began": self.began, "noted": self.noted, "rows": self.total,
            "rows_done": self.total - self.missing + self.done, "rows_now": self.done,
            "shards": self.shards, "shards_done": self.shards - self.left,
            "at_work": {name: list(each) for name, each in self.at_work.items()},
        })  # fmt: skip


def status_lines(folder: Path) -> list[str]:
    """Say how far the job is whose notes lie in a folder.

    Args:
        folder: The folder that the job writes.

    Returns:
        Lines of text.
    """
    steps = sorted((folder / NOTES / STEPS).glob("*"))
    is_at_last = (folder / NOTES / _NOTE).is_file() or not steps
    place = folder if is_at_last else steps[-1]
    found: Any = read_note(place / NOTES / _NOTE)
    if not found:
        return [f"{folder}: a job was begun; no row is done yet."]
    is_running = is_locked(folder / NOTES / "lock")
    if not is_running:
        noted = list(filter(None, map(read_note, (place / NOTES).glob("*-of-*.json"))))
        found["shards_done"] = len(noted)
        found["rows_done"] = sum(each["rows_in"] for each in noted)
    share = found["rows_done"] / max(1, found["rows"])
    lines = [
        f"{folder}: {'running' if is_running else 'not running'}, "
        f"{'' if is_at_last else f'step {place.name}: '}{found['shards_done']:,} of "
        f"{found['shards']:,} shards finished, {found['rows_done']:,} of {found['rows']:,} rows "
        f"({share:.1%})."
    ]
    if not is_running:
        lines.append("The command that began it goes on from there.")
        return lines
    seconds = found["noted"] - found["began"]
    rate = found["rows_now"] / seconds if seconds > 0 else 0.0
    if rate:
        left = timedelta(seconds=round((found["rows"] - found["rows_done"]) / rate))
        lines.append(f"{rate:,.0f} rows/s; about {left} left (process {found['process']}).")
    for name, (began, done, rows) in found["at_work"].items():
        own = done / max(found["noted"] - began, 1e-3)
        rest = timedelta(seconds=round((rows - done) / own)) if own else "?"
        lines.append(f"{name}: {done:,} of {rows:,} rows; about {rest} left.")
    return lines
