"""How far a training is, and how it goes on where it was interrupted.

It shows a bar to who watches, a line a minute to a log, and a note to `status`. What is finished is
kept in folders of one configuration, in whole files. What is random in a training follows from the
seed and the number of the epoch alone.
"""

import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, invalid, typed
from fair_datasets.system.files import (
    LOCK,
    NOTES,
    PARTIAL,
    PROGRESS,
    annotate_oserror,
    indented,
    is_locked,
    locked,
    read_note,
    write_file,
    write_note,
)

_NOTE_EVERY = 1.0
_LINE_EVERY = 60.0
"""How many seconds pass at least between two notes, and between two lines."""
_HELD = f"{PROGRESS}.{LOCK}"
"""The file that a training holds beside its note while it counts."""


ROWS = "rows"
"""The unit of a work that goes through rows."""


class ProgressTracker(AbstractContextManager["ProgressTracker"]):
    """Counts the steps of a training or another long work, and heeds Ctrl-C.

    A training whose loss is no number ends. Where standard error is no terminal, it writes a line a
    minute in place of the bar.
    """

    def __init__(
        self, title: str, total: int | None, *, done: int = 0, unit: str = "step",
        work: Path | None = None, rate: str = "learning_rate",
    ) -> None:  # fmt: skip
        """Set out to count.

        Args:
            title: What is done, such as "Training the generator".
            total: How many steps there are; None if that is not known.
            work: The folder that the note is written into; None for no note.
        """
        self.title, self.total, self.unit, self.work, self.rate = title, total, unit, work, rate
        self.done = self.before = done
        self.loss: float | None = None
        self._held = ExitStack()

    def __enter__(self) -> "ProgressTracker":
        """Begin."""
        from datasets.utils import tqdm

        self.began = self._noted = self._reported = time.time()
        if self.work is not None:
            self.work.mkdir(parents=True, exist_ok=True)
            try:
                self._held.enter_context(locked(self.work / _HELD, ""))
            except InputError:
                self.work = None  # Another process trains the same there, and notes it.
        # None: no bar where standard error is no terminal, but one in a notebook.
        self.bar = tqdm(
            total=self.total, initial=self.done, desc=self.title, unit=f" {self.unit}", disable=None
        )
        self._note()
        return self

    def __exit__(self, *raised: object) -> None:
        """End; no note stays of a training that is done, or has not begun."""
        self.bar.close()
        self._note()
        self._held.close()
        if self.work is not None and not (self.done and any(raised)):
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
        if now - self._noted >= _NOTE_EVERY:
            self._note()
        if now - self._reported >= _LINE_EVERY:
            self._print_line()
        interrupts.raise_if_interrupted()

    def skip(self, number: int) -> None:
        """Count steps that an earlier run has done."""
        self.done += number
        self.before += number
        self.bar.update(number)

    def __str__(self) -> str:
        """Return how far it is."""
        return format_progress(self._state())

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

    def _print_line(self) -> None:
        """Write a line, unless a terminal or a notebook shows a bar."""
        self._reported = time.time()
        if self.bar.disable and not sys.stderr.isatty():
            now = datetime.now().astimezone().isoformat("T", "seconds")
            with suppress(OSError):  # Nobody may be left to read it.
                sys.stderr.write(f"{now} {self}\n")
                sys.stderr.flush()


def is_training(work: Path) -> bool:
    """Whether a process trains in a folder, or in one that lies in it."""
    return any(map(is_locked, work.rglob(_HELD)))


def progress_lines(work: Path) -> list[str]:
    """Return how far the training is that keeps what it takes to go on in a folder."""
    notes = [file for file in work.rglob(PROGRESS) if file.parent.name != NOTES]
    last = max(notes, key=lambda file: file.stat().st_mtime, default=None)
    note = None if last is None else read_note(last)
    if note is None:
        idle = f"{work}: running; it is preparing its rows or measuring, and counts no steps."
        return [idle] if is_locked(work / LOCK) else []
    if is_training(work) or is_locked(work / LOCK):
        return [f"{work}: running. {format_progress(note)} (process {note['process']})."]
    return [
        f"{work}: not running. {format_progress(note)}.",
        "Run the same command again: it goes on from what was kept last.",
    ]


def format_progress(note: Mapping[str, Any]) -> str:
    """Return how far a training or another long work is."""
    total, seconds = note["total"], note["noted"] - note["began"]
    message = f"{note['title']}: {note['unit']} {note['done']:,}"
    message += "" if total is None else f" of {total:,}"
    if note["loss"] is not None:
        message += f", loss {note['loss']:.3f}"
    if note["unit"] == ROWS and seconds:
        message += f", {note['done_now'] / seconds:,.0f} {ROWS}/s"
    if note["done_now"] and total not in (None, note["done"]):
        rest = seconds * (total - note["done"]) / note["done_now"]
        message += f", about {timedelta(seconds=round(rest))} left"
    return message


# Settings whose values say nothing to people.
_DIGESTS = {
    "data": "other texts or labels",
    "validation_data": "other validation texts or labels",
    "rows": "other rows, models or lists of words",
    "model_files": "another model",
    "vectors_sha256": "other word vectors",
}
_UNFINISHED = ".unfinished-"


@contextmanager
def claim_folder(
    path: Path, settings: Mapping[str, Any], *, what: str, besides: Collection[str] = ()
) -> Iterator[None]:
    r"""Have a folder for one training; nothing is left of it if it ends before anything is trained.

    Args:
        besides: What may lie in the folder before anything is trained.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with claim_folder(Path(folder, "a.json"), {"epochs": 2}, what="probes"):
        ...         Path(folder, "a.json").read_text()
        '{\n  "epochs": 2\n}'
    """
    if path.is_file() and _is_begun(path, besides):
        _refuse_other(path, settings, what=what)
    made = [place for place in path.parents if not place.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, indented(settings, ensure_ascii=False).encode())
    try:
        yield
    except BaseException:
        if not _is_begun(path, besides):
            _remove_claim(path, made)
        raise


def _refuse_other(path: Path, settings: Mapping[str, Any], *, what: str) -> None:
    """Raise if a folder holds what was trained otherwise."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    for name, value in settings.items():
        if stored.get(name) != value:
            was = _DIGESTS.get(name, f"{typed(name, stored.get(name))}, not {value!r}")
            raise invalid(
                f"the folder {str(path.parent)!r} holds {what} trained with {was}; "
                f"give another folder as {typed('out')}, or remove this one."
            )


def _is_begun(path: Path, besides: Collection[str]) -> bool:
    """Whether anything was trained in a folder that is claimed by a file."""
    return any(
        file.is_file()
        and file != path
        and file.relative_to(path.parent).parts[0] not in besides
        and not (file.name.endswith(PARTIAL) or _UNFINISHED in file.as_posix())
        for file in path.parent.rglob("*")
    )


def _remove_claim(path: Path, made: Sequence[Path]) -> None:
    """Remove the file that claims a folder in which nothing was trained, and what it made."""
    path.unlink(missing_ok=True)
    for folder in [*(place for place in path.parent.iterdir() if place.is_dir()), *made]:
        with suppress(OSError):  # Somebody may have put something there.
            folder.rmdir()


def write_atomically(folder: Path, save: Callable[[Path], None]) -> None:
    """Save into a folder that appears only when all is written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    try:
        unfinished.chmod(0o755)
        with annotate_oserror(folder):
            save(unfinished)
        try:
            os.replace(unfinished, folder)
        except OSError:
            if not folder.is_dir():  # Else another run has finished the same meanwhile.
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
