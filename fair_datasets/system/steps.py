"""How far a training is: a bar for who watches, a line a minute for a log, a note for `status`."""

import math
import os
import sys
import time
from contextlib import AbstractContextManager, ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import (
    LOCK,
    NOTES,
    PROGRESS,
    is_locked,
    locked,
    read_note,
    write_note,
)

NOTE_EVERY = 1.0
_LINE_EVERY = 60.0
"""How many seconds pass at least between two notes, and between two lines."""
_HELD = f"{PROGRESS}.{LOCK}"
"""The file that a training holds beside its note while it counts."""


class Steps(AbstractContextManager["Steps"]):
    """Counts the steps of a training, heeds Ctrl-C, and ends it where its loss is no number.

    Where standard error is no terminal, it writes a line a minute in place of the bar.
    """

    def __init__(
        self, title: str, total: int, *, done: int = 0, unit: str = "step",
        work: Path | None = None, rate: str = "learning_rate",
    ) -> None:  # fmt: skip
        """Set out to count.

        Args:
            title: What is trained, such as "Training the generator".
            work: The folder that the note is written into; None for no note.
        """
        self.title, self.total, self.unit, self.work, self.rate = title, total, unit, work, rate
        self.done = self.before = done
        self.loss: float | None = None
        self._held = ExitStack()

    def __enter__(self) -> "Steps":
        """Begin."""
        from datasets.utils import tqdm

        self.began = self._noted = self._told = time.time()
        if self.work is not None:
            self.work.mkdir(parents=True, exist_ok=True)
            try:
                self._held.enter_context(locked(self.work / _HELD, ""))
            except InputError:
                self.work = None  # Another process trains the same there, and notes it.
        # None: no bar where standard error is no terminal, but one in a notebook.
        self.bar = tqdm(
            total=self.total, initial=self.done, desc=self.title, unit=self.unit, disable=None
        )
        self._note()
        return self

    def __exit__(self, *raised: object) -> None:
        """End; no note stays of a training that is done, or has not begun."""
        self.bar.close()
        self._note()
        self._held.close()
        if self.work is not None and (self.done == self.before or not any(raised)):
            for name in (PROGRESS, _HELD):
                (self.work / name).unlink(missing_ok=True)

    def step(self, loss: float | None = None, number: int = 1) -> None:
        """Count steps."""
        self.done += number
        self.loss = loss
        if loss is not None and not math.isfinite(loss):
            raise InputError(
                f"{self.title}: the loss of {self.unit} {self.done:,} is not a finite number: "
                f"training diverges; use a smaller {self.rate}, and another folder to train in."
            )
        self.bar.update(number)
        if loss is not None:
            self.bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
        now = time.time()
        if now - self._noted >= NOTE_EVERY:
            self._note()
        if now - self._told >= _LINE_EVERY:
            self._tell()
        interrupts.obey()

    def _state(self) -> dict[str, Any]:
        return {
            "title": self.title, "unit": self.unit, "total": self.total, "done": self.done,
            "done_now": self.done - self.before, "loss": self.loss, "began": self.began,
            "noted": time.time(), "process": os.getpid(),
        }  # fmt: skip

    def _note(self) -> None:
        """Write how far it is, for `status`."""
        self._noted = time.time()
        if self.work is not None:
            write_note(self.work / PROGRESS, self._state())

    def _tell(self) -> None:
        """Write a line, unless a terminal or a notebook shows a bar."""
        self._told = time.time()
        if self.bar.disable and not sys.stderr.isatty():
            now = datetime.now().astimezone().isoformat("T", "seconds")
            with suppress(OSError):  # Nobody may be left to read it.
                sys.stderr.write(f"{now} {_line(self._state())}\n")
                sys.stderr.flush()


def is_training(work: Path) -> bool:
    """Tell whether a process trains in a folder, or in one that lies in it."""
    return any(map(is_locked, work.rglob(_HELD)))


def training_lines(work: Path) -> list[str]:
    """Say how far the training is that keeps what it takes to go on in a folder."""
    notes = [file for file in work.rglob(PROGRESS) if file.parent.name != NOTES]
    last = max(notes, key=lambda file: file.stat().st_mtime, default=None)
    found = None if last is None else read_note(last)
    if found is None:
        idle = f"{work}: running; it is preparing its rows or measuring, and counts no steps."
        return [idle] if is_locked(work / LOCK) else []
    if is_training(work) or is_locked(work / LOCK):
        return [f"{work}: running. {_line(found)} (process {found['process']})."]
    return [
        f"{work}: not running. {_line(found)}.",
        "Run the same command again: it goes on from what was kept last.",
    ]


def _line(found: dict[str, Any]) -> str:
    """Say how far a training is."""
    told = f"{found['title']}: {found['unit']} {found['done']:,} of {found['total']:,}"
    if found["loss"] is not None:
        told += f", loss {found['loss']:.3f}"
    rest = found["total"] - found["done"]
    if found["done_now"] and rest:
        each = (found["noted"] - found["began"]) / found["done_now"]
        told += f", about {timedelta(seconds=round(each * rest))} left"
    return told
