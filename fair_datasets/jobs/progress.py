"""How far a job is: a bar for who watches, a log, and a note for who asks from elsewhere."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

from fair_datasets.jobs.shards import STEPS, Shard
from fair_datasets.system import interrupts
from fair_datasets.system.files import LOCK, NOTES, PROGRESS, is_locked, read_note, write_note

_EVERY = 1.0
"""How many seconds pass at least between two notes."""
_SHARDS = "*-[0-9][0-9][0-9][0-9][0-9]*.json"


class Clock(AbstractContextManager["Clock"]):
    """Counts what is done, and says how long the rest takes."""

    def __init__(
        self,
        notes: Path,
        shards: Sequence[Shard] | None,
        missing: Sequence[Shard] | None,
        log: Callable[[str], None],
        title: str,
    ) -> None:
        """Set out to count.

        Args:
            shards: All shards; None if their number is not known, as for a stream.
            missing: Those that are to be done; None if their number is not known.
        """
        from datasets.utils import tqdm

        self.notes, self.log = notes, log
        self.began = self.noted = time.time()
        self.total = None if shards is None else _rows(shards)
        self.shards = None if shards is None else len(shards)
        self.shards_done = len(shards or ()) - len(missing or ())
        self.before = _rows(shards or ()) - _rows(missing or ())
        self.at_work: dict[str, tuple[float, int, int]] = {}
        self.done = 0
        self.bar = tqdm(total=self.total, initial=self.before, unit=" examples", desc=title)

    def __enter__(self) -> "Clock":
        """Begin."""
        if self.total is not None:
            self.log(
                f"{self.shards_done} of {self.shards} shards are finished; "
                f"{self.total - self.before:,} rows are to do"
            )
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

    def found(self, rows: int) -> None:
        """Count a shard of a stream that an earlier run finished."""
        self.shards_done += 1
        self.before += rows
        self.bar.update(rows)
        self.log(f"{self.shards_done} shards are finished, {self.before:,} rows")

    def finished(self, shard: Shard) -> None:
        """Count a shard."""
        self.shards_done += 1
        began, _, rows = self.at_work.pop(shard.name, (self.began, 0, shard.stop - shard.start))
        seconds = max(time.time() - began, 1e-3)
        self.log(
            f"{shard.name}: {rows:,} rows in {seconds:.1f} s ({rows / seconds:,.0f} rows/s); "
            f"{self._left()}"
        )
        self._note()

    def _left(self) -> str:
        """Say how much is left, and how long it takes; of a stream, how much is done."""
        if self.total is None or self.shards is None:
            return f"{self.shards_done} shards, {self.before + self.done:,} rows so far"
        rate = self.done / max(time.time() - self.began, 1e-3)
        rows = self.total - self.before - self.done
        left = timedelta(seconds=round(rows / rate)) if rate else "?"
        return f"{self.shards - self.shards_done} shards and about {left} left"

    def _note(self) -> None:
        """Write how far it is."""
        self.noted = time.time()
        write_note(self.notes / PROGRESS, {
            "process": os.getpid(), "began": self.began, "noted": self.noted, "rows": self.total,
            "rows_done": self.before + self.done, "rows_now": self.done,
            "shards": self.shards, "shards_done": self.shards_done,
            "at_work": {name: list(each) for name, each in self.at_work.items()},
        })  # fmt: skip


def _rows(shards: Sequence[Shard]) -> int:
    """Count the rows of shards."""
    return sum(shard.stop - shard.start for shard in shards)


def status_lines(folder: Path) -> list[str]:
    """Say how far the job is whose notes lie in a folder."""
    steps = sorted((folder / NOTES / STEPS).glob("*"))
    is_at_last = (folder / NOTES / PROGRESS).is_file() or not steps
    place = folder if is_at_last else steps[-1]
    found: Any = read_note(place / NOTES / PROGRESS)
    if not found:
        return [f"{folder}: a job was begun; no row is done yet."]
    is_running = is_locked(folder / NOTES / LOCK)
    if not is_running:
        noted = list(filter(None, map(read_note, (place / NOTES).glob(_SHARDS))))
        found["shards_done"] = len(noted)
        found["rows_done"] = sum(each["rows_in"] for each in noted)
    step = "" if is_at_last else f"step {place.name}: "
    lines = [
        f"{folder}: {'running' if is_running else 'not running'}, {step}"
        f"{_of(found, 'shards')} finished, {_of(found, 'rows')}{_share(found)}."
    ]
    if not is_running:
        lines.append("The command that began it goes on from there.")
        return lines
    seconds = found["noted"] - found["began"]
    rate = found["rows_now"] / seconds if seconds > 0 else 0.0
    if rate:
        lines.append(f"{rate:,.0f} rows/s; {_rest(found, rate)} (process {found['process']}).")
    for name, (began, done, rows) in found["at_work"].items():
        own = done / max(found["noted"] - began, 1e-3)
        rest = timedelta(seconds=round((rows - done) / own)) if own else "?"
        lines.append(f"{name}: {done:,} of {rows:,} rows; about {rest} left.")
    return lines


def _of(found: Mapping[str, Any], what: str) -> str:
    """Say how many are done, and of how many where that is known."""
    done, total = found[f"{what}_done"], found[what]
    return f"{done:,} {what}" if total is None else f"{done:,} of {total:,} {what}"


def _share(found: Mapping[str, Any]) -> str:
    """Say which share of the rows is done."""
    total = found["rows"]
    return "" if total is None else f" ({found['rows_done'] / max(1, total):.1%})"


def _rest(found: Mapping[str, Any], rate: float) -> str:
    """Say how long the rest takes."""
    if found["rows"] is None:
        return "the length of the stream is not known"
    return f"about {timedelta(seconds=round((found['rows'] - found['rows_done']) / rate))} left"
