"""What commands share that write their rows by shards: begun, gone on with, or left alone."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fair_datasets.cli.drafts import Draft
from fair_datasets.cli.jobs import (
    Identity,
    Unchanged,
    drafted_by_job,
    is_finished,
    job_identity,
    local_place,
    log_to,
)
from fair_datasets.cli.outputs import Output, refuse_taken, written
from fair_datasets.cli.sources import Source
from fair_datasets.cli.work import work_of
from fair_datasets.jobs.applying import ApplyToShard
from fair_datasets.jobs.engines import Engine, local
from fair_datasets.jobs.job import Job
from fair_datasets.jobs.manifest import damaged, manifest_of, of_another
from fair_datasets.jobs.processes import here
from fair_datasets.jobs.results import refuse_empty, rows_of
from fair_datasets.jobs.shards import Finished, Work, default_rows
from fair_datasets.system.checks import InputError, positive_whole_number
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset, Features

Splits = Mapping[str, "Dataset"]
_LEAST = ("num_proc", "shard_rows")
ROWS = "rows"
"""The folder, in the work folder of a command that keeps other things there too, of its rows."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Rows that a command writes by shards.

    Attributes:
        out: What is to be written.
        identity: What is done to what, so that only the same job goes on with what is finished.
        folder: Where it is kept until all is finished.
        replace: Whether what lies at `out` is replaced.
        engine: What works through the shards.
        shard_rows: How many rows are worked through at once; None for what suits their length.
        log: What is told, line by line, how far the work is.
        unchanged: What raises if the source was changed while it was read.
    """

    out: Output
    identity: Identity
    folder: Path
    replace: bool = False
    engine: Engine = here
    shard_rows: int | None = None
    log: Callable[[str], None] = lambda line: None
    unchanged: Callable[[], None] = lambda: None

    @contextmanager
    def begun(self) -> Iterator[tuple[Draft, Job]]:
        """Give something to write to, and keep what is finished if it ends early.

        Yields:
            The draft, and the job that writes its rows.

        Raises:
            InputError: Something lies there already, or another job is unfinished there.
            UnfinishedError: It ended early, and something is kept.
        """
        with drafted_by_job(self.out, self.identity, self.folder, replace=self.replace) as both:
            yield both

    def write(
        self,
        to: tuple[Draft, Job],
        splits: Splits,
        work: Mapping[str, Work],
        features: "Mapping[str, Features]",
        *,
        title: str = "Writing",
    ) -> dict[str, list[Finished]]:
        """Work through the rows, and write what becomes of them.

        Args:
            to: What `begun` gave.

        Returns:
            Split name to what was noted of its shards.

        Raises:
            InputError: The rows are refused, or none is left of a split.
        """
        draft, job = to
        finished = self.work_through(job, splits, work, title=title)
        refuse_empty(job, finished)
        draft.gather(features)
        return finished

    def applied(
        self, job: Job, number: int, technique: Technique, splits: Splits
    ) -> dict[str, "Dataset"]:
        """Apply a technique to rows that others are made from, as a step of a job.

        Args:
            number: The place of the step among those of the job.

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


def check_numbers(options: argparse.Namespace) -> None:
    """Raise if there are to be no processes, or no rows in a shard.

    Args:
        options: The parsed arguments of `jobs.add_job`.

    Raises:
        InputError: A number is too small.
    """
    for name in _LEAST:
        number = getattr(options, name, None)
        if number is not None:
            option = f"--{name.replace('_', '-')}"
            positive_whole_number(number, owner=options.command, parameter=option)


def opened_task(options: argparse.Namespace, out: Output) -> Unchanged:
    """Refuse what a task could not be begun with, before anything is read.

    Args:
        options: The parsed arguments of `inputs.add_input` and `jobs.add_job`.

    Returns:
        How the source is now.

    Raises:
        InputError: A number is too small, or something lies there that no job wrote.
    """
    check_numbers(options)
    place = local_place(out)
    # What an earlier run has written is looked at once it is known what this one would write.
    if place is None or (damaged(place) is None and manifest_of(place) is None):
        refuse_taken(out, replace=getattr(options, "overwrite", False))
    return Unchanged(options.inputs)


def task_of(
    options: argparse.Namespace,
    out: Output,
    source: Source,
    settings: Mapping[str, Any],
    unchanged: Unchanged,
    *,
    keeps_more: bool = False,
    splits: Mapping[str, Any] = MappingProxyType({}),
    engine: Engine | None = None,
) -> Task | None:
    """Say what a command writes, or that an earlier run of the same has written it.

    Args:
        settings: What is done to it, as JSON can hold it.
        unchanged: What `opened_task` returned.
        keeps_more: Whether the command keeps other things in its work folder, such as probes.
        splits: Split name to its rows, where they are read where they lie.
        engine: What works through the shards; None for processes here.

    Returns:
        The task; None if there is nothing left to do, which is told.

    Raises:
        InputError: The source was changed while it was read, or something lies there already.
    """
    folder = _folder(out, keeps_more=keeps_more)
    identity = job_identity(source, options, settings, splits)
    unchanged()
    replace = getattr(options, "overwrite", False)
    is_asked_for_more = getattr(options, "audit", None) is not None or replace
    if not is_asked_for_more and is_finished(out, identity, folder):
        print("An earlier run of the same command has finished; nothing is done again.")
        print(written(out))
        return None
    place = local_place(out)
    if place is not None and not replace:
        _refuse_finished(place, identity, options)
    refuse_taken(out, replace=replace)
    return Task(
        out=out, identity=identity, folder=folder, replace=replace,
        engine=engine or local(getattr(options, "num_proc", None) or 1),
        shard_rows=options.shard_rows,
        log=log_to(options.log_file, options.inputs),
        unchanged=unchanged if unchanged.is_read_to_the_end else lambda: None,
    )  # fmt: skip


def _refuse_finished(out: Path, identity: Identity, options: argparse.Namespace) -> None:
    """Raise if an earlier run has written a place, and it is not what this one would write."""
    how = (
        "give --overwrite, or name another place"
        if hasattr(options, "overwrite")
        else ("remove it, or name another place")
    )
    broken = damaged(out)
    if broken is not None:
        raise InputError(
            f"{out} was finished by a run, but {broken} is gone or not as it was written; {how}."
        )
    known = manifest_of(out)
    if known is not None:
        known = {name: value for name, value in known.items() if name != "shards"}
        differs = of_another(known, identity)
        if differs:
            raise InputError(f"{out} was written by a run of another {differs}; {how}.")


def _folder(out: Output, *, keeps_more: bool) -> Path:
    """Return the folder in which rows are kept until all are finished."""
    return work_of(out) / ROWS if keeps_more else work_of(out)
