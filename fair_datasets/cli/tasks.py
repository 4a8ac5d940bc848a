"""Commands as jobs that write rows by shards: begun, gone on with, or left alone."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from datasets import Dataset, Features

from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.options import Options
from fair_datasets.cli.outputs import Output, goes_on, output
from fair_datasets.jobs.file_outputs import write_file
from fair_datasets.jobs.job import (
    Job,
    find_corrupt_file,
    lock_and_resume,
    manifest_of,
    refuse_empty,
    rows_of,
)
from fair_datasets.jobs.processes import Engine, run_serial
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.jobs.shards import Finished, Work, default_rows, status_lines
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import NOTES, annotate_oserror, temporary_folder
from fair_datasets.system.resume import is_training, progress_lines
from fair_datasets.technique.contract import Technique

Identity = Mapping[str, Any]


def remove_if_empty(work: Path, out: Output) -> None:
    """Remove the work folder of a command once nothing of it lies there any more."""
    if work.resolve() != out.work.resolve():
        with suppress(OSError):  # The command may keep more there.
            out.work.rmdir()


Splits = Mapping[str, "Dataset"]
ROWS = "rows"
"""The folder, in the work folder of a command that keeps other things there too, of its rows."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Rows that a command writes by shards.

    Attributes:
        identity: What is done to what, so that only the same job goes on with what is finished.
    """

    out: Output
    identity: Identity
    folder: Path
    engine: Engine = run_serial
    shard_rows: int | None = None
    log: Callable[[str], None] = lambda line: None
    unchanged: Callable[[], None] = lambda: None

    @contextmanager
    def begun(self) -> Iterator[Job]:
        """Give something to write to, which becomes the output when all went well."""
        out = self.out
        if out.file and out.path is None:
            with temporary_folder() as place, lock_and_resume(place / "work", self.identity) as job:
                yield job
            return
        work = self.folder.resolve()
        with lock_and_resume(work, self.identity) as job:
            if out.path:
                # Another run may have written it since this one looked.
                out.refuse_taken()
            try:
                yield job
                interrupts.raise_if_interrupted()
                out.take(job)
                remove_if_empty(job.folder, out)
            except (Exception, KeyboardInterrupt) as error:
                if not job.has_finished:
                    raise
                advice = goes_on(out.work)
                if isinstance(error, InputError):
                    raise InputError(f"{error} ({advice}.)") from error
                raise UnfinishedError(advice) from error

    def write(
        self,
        job: Job,
        splits: Splits,
        work: Mapping[str, Work],
        features: Mapping[str, Features],
        *,
        title: str = "Writing",
    ) -> dict[str, list[Finished]]:
        """Work through the rows, and write what becomes of them."""
        finished = self.work_through(job, splits, work, title=title)
        refuse_empty(job, finished)
        if self.out.file is not None:
            for split, columns in features.items():
                write_file(rows_of(job.folder, split, columns), self.out.file, job.folder)
        return finished

    def write_beside(self, job: Job, card: str, files: Mapping[str, Path]) -> None:
        """Write a card, and files such as lexicons, beside the rows; a single file has neither."""
        if self.out.file is not None:
            return
        for name, file in files.items():
            (job.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, job.folder / name)
        place = job.folder / "README.md"
        with annotate_oserror(place):
            # A name that is not UTF-8 on the disk is written with its bytes escaped.
            place.write_text(card, encoding="utf-8", errors="backslashreplace")

    def copy(self, job: Job, splits: Splits) -> None:
        """Write rows as they are."""
        features = {split: rows.features for split, rows in splits.items()}
        self.write(job, splits, dict.fromkeys(splits, ApplyToShard()), features)

    def applied(
        self, job: Job, number: int, technique: Technique, splits: Splits
    ) -> dict[str, Dataset]:
        """Apply a technique to rows that others are made from, as a step of a job.

        Returns:
            Split name to the result; rows that are left out are not copied.
        """
        if technique.method == "filter":
            return {split: technique.apply(rows, desc=split) for split, rows in splits.items()}
        name = type(technique).__name__
        step = job.step(f"{number}-{name}")
        work = dict.fromkeys(splits, ApplyToShard((technique,)))
        self.work_through(step, splits, work, title=name)
        return {
            split: rows_of(step.folder, split, technique.features(rows.features))
            for split, rows in splits.items()
        }

    def work_through(
        self, job: Job, splits: Splits, work: Mapping[str, Work], *, title: str
    ) -> dict[str, list[Finished]]:
        """Work through the shards of a job that are not finished yet; see `Job.run`."""
        return job.run(
            splits, work, engine=self.engine, log=self.log, unchanged=self.unchanged,
            rows={split: self.shard_rows or default_rows(rows) for split, rows in splits.items()},
            title=title,
        )  # fmt: skip


class Status(Options):
    """Show how far a running or interrupted job or training is.

    Of a job, it is said how many shards are finished, how fast it is, and how long the rest takes;
    of a training, the step and the loss.

    Attributes:
        out: What the command was given as --out.
    """

    ARGUMENTS = "out"

    out: Annotated[str, "OUT"]

    def run(self) -> None:
        """Run the command."""
        print(_status(self.out, output(self)))


def _status(place: str, out: Output) -> str:
    """Return what is known of an output."""
    work = out.work
    trains = is_training(work)
    for folder in (work, work / ROWS):
        if (folder / NOTES).is_dir() and not trains:
            return "\n".join(status_lines(folder))
    progress = progress_lines(work)
    model = out.folder / "config.json" if out.folder else out.path
    is_there = model is not None and model.is_file()
    if progress and (trains or not is_there):
        return "\n".join(progress)
    written = out.path
    manifest = None if written is None else manifest_of(written)
    if manifest is None and is_there and (progress or out.folder):
        return f"{out}: no training writes to it now, and what is there is complete."
    if manifest is None and work.is_dir():
        return f"{work}: what was finished lies there, but no row of {place} is written yet."
    broken = None if written is None else find_corrupt_file(written)
    if broken is not None:
        raise invalid(f"{out} was finished, but {broken} is gone or was changed since.")
    if manifest is None:
        raise invalid(
            f"no run that could be resumed writes to {place} now, and none wrote what is there."
        )
    shards = manifest["shards"]
    rows = sum(each["rows_out"] for each in shards)
    what = "shard" if len(shards) == 1 else "shards"
    return f"{out}: finished, {len(shards):,} {what}, {rows:,} rows."
