"""Commands as jobs that write rows by shards: begun, gone on with, or left alone."""

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from datasets import Dataset, Features

from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.inputs import is_in_place, is_on_hub
from fair_datasets.cli.outputs import (
    Draft,
    HubOutput,
    Output,
    goes_on,
    output,
    publish,
    refuse_taken,
    work_of,
    written,
)
from fair_datasets.cli.parsers import option
from fair_datasets.cli.sources import Source
from fair_datasets.jobs.file_outputs import FileOutput, put_in_place, take_place
from fair_datasets.jobs.job import (
    Job,
    damaged,
    discard,
    is_written,
    manifest_of,
    of_another,
    refuse_empty,
    remove_notes,
    rows_of,
    tidy_after,
    working_on,
)
from fair_datasets.jobs.processes import ENGINES, Engine, beside, here, local
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.jobs.run import content_of
from fair_datasets.jobs.shards import Finished, Work, default_rows, status_lines
from fair_datasets.rows.exact import data_files, is_saved
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, invalid, positive_whole_number
from fair_datasets.system.files import NOTES, naming, temporary_folder
from fair_datasets.system.portable import file_digest
from fair_datasets.system.steps import is_training, training_lines
from fair_datasets.technique.contract import Technique
from fair_datasets.version import __version__

Identity = Mapping[str, Any]


def add_job(parser: argparse.ArgumentParser) -> None:
    """Add how the work is divided, and where it is told of."""
    option(parser, "--shard-rows", "how many rows are processed and written at once; an "
           "interrupted run repeats unfinished shards (default: 10,000 to 50,000, or fewer where "
           "rows are long)", int)  # fmt: skip
    option(parser, "--log-file FILE", "write a line to the end of this file for each shard, with "
           "rows/s and the time left", Path)  # fmt: skip


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add what works through the shards."""
    option(parser, "--engine", "local: --num-proc processes here; ray: --num-proc actors of the "
           "Ray cluster that RAY_ADDRESS names, or of one here that ends with the command",
           usual="local", choices=ENGINES)  # fmt: skip


def _job_identity(
    source: Source,
    options: argparse.Namespace,
    settings: Mapping[str, Any],
    splits: Mapping[str, Any] = MappingProxyType({}),
) -> Identity:
    """Say what a job does to what, so that another one does not go on with it."""
    named = ("split", "test_size", "config", "limit", "delimiter", "encoding")
    rows = {name: getattr(options, name, None) for name in named}
    content: Any = source.name
    if is_in_place(source.files):
        content = {name: content_of(split) for name, split in splits.items()}
    elif source.target is None:
        files = [file for place in source.files for file in source_files(Path(place))]
        content = [[file.name, file_digest(file)] for file in files]
    found = {
        "source": {"content": content, **rows},
        "technique": settings,
        "card": {name: getattr(options, name, None) for name in ("samples", "licence")},
        "shard size": options.shard_rows,
        "version of fair-datasets": __version__,
    }
    return dict(json.loads(json.dumps(found)))  # tuples become the lists that are read back


class Unchanged:
    """The files of a source, which nobody may write while they are read."""

    def __init__(self, places: Sequence[str]) -> None:
        """Note how they are now.

        Args:
            places: The paths, or the Hub id.
        """
        self.places = [Path(place) for place in places if not is_on_hub(place)]
        self.before = self._states()

    def __call__(self) -> None:
        """Look again.

        Raises:
            InputError: One was changed, cut, made or removed since.
        """
        now = self._states()
        for file in {**self.before, **now}:
            if self.before.get(file) != now.get(file):
                raise InputError(
                    f"{file} was changed while it was read; run the command again once nobody "
                    "writes to it."
                )

    @property
    def is_read_to_the_end(self) -> bool:
        """Whether rows are read from the files themselves, and not from a copy in the cache."""
        return any(map(is_saved, self.places))

    def _states(self) -> dict[Path, tuple[int, int]]:
        """Return the size of each file and when it was changed."""
        files = [file for place in self.places if place.exists() for file in source_files(place)]
        return {file: (file.stat().st_size, file.stat().st_mtime_ns) for file in files}


def local_place(out: Output) -> Path | None:
    """Return the folder or the file that is written here.

    Returns:
        The place; None for the standard output and the Hub.
    """
    if isinstance(out, FileOutput):
        return None if out.path is None else out.path.resolve()
    return None if isinstance(out, HubOutput) else out


def _is_finished(out: Output, identity: Identity, work: Path) -> bool:
    """Tell whether an earlier run of the same job has written the output."""
    place = local_place(out)
    if place is None or not is_written(place, identity):
        return False
    if isinstance(out, FileOutput):
        tidy_after(work, identity)
    else:
        remove_notes(place)
    _remove_if_empty(work, out)
    return True


def _log_to(file: Path | None, sources: Sequence[str] = ()) -> Callable[[str], None]:
    """Return what writes lines to the end of a file, each with its time."""
    if file is not None:
        if file.exists() and any(map(file.samefile, filter(os.path.exists, sources))):
            raise InputError(f"--log-file {file} is also an input; name another file.")
        try:
            file.open("a").close()
        except OSError as error:
            raise InputError(
                f"--log-file {file} cannot be written: {error.strerror}; name another file."
            ) from error

    def write(line: str) -> None:
        if file is not None:
            with naming(file), file.open("a", encoding="utf-8") as opened:
                opened.write(f"{datetime.now().astimezone().isoformat('T', 'seconds')} {line}\n")

    return write


def _hand_over(job: Job, out: Output, *, replace: bool) -> None:
    """Give what is finished its place."""
    if isinstance(out, HubOutput):
        with temporary_folder() as cache:
            publish(job.folder, out, cache)
        _discard(job.folder, out)
    elif isinstance(out, FileOutput):
        take_place(job.folder, out, ready=job.state_file)
        _discard(job.folder, out)
    else:
        job.state()
        refuse_taken(out, replace=replace)
        put_in_place(job.folder, out.resolve(), replace=replace)
        _remove_if_empty(job.folder, out)


def _discard(work: Path, out: Output) -> None:
    """Remove the folder of a job, and the work folder in which it lies if that is empty then."""
    discard(work)
    _remove_if_empty(work, out)


def _remove_if_empty(work: Path, out: Output) -> None:
    """Remove the work folder of a command once nothing of it lies there any more."""
    if work.resolve() != work_of(out).resolve():
        with suppress(OSError):  # The command may keep more there.
            work_of(out).rmdir()


def source_files(place: Path) -> list[Path]:
    """Return the files that a path names, and those that say how they are read."""
    if place.is_dir() and is_saved(place):
        # datasets keeps there what it makes of the rows.
        files = (file for file in place.rglob("*") if not file.name.startswith(("cache-", "tmp")))
        return sorted(filter(Path.is_file, files))
    card = place / "README.md"
    return [*data_files(place), *([card] if card.is_file() else [])]


Splits = Mapping[str, "Dataset"]
_LEAST = ("num_proc", "shard_rows")
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
    replace: bool = False
    engine: Engine = here
    shard_rows: int | None = None
    log: Callable[[str], None] = lambda line: None
    unchanged: Callable[[], None] = lambda: None

    @contextmanager
    def begun(self) -> Iterator[tuple[Draft, Job]]:
        """Give something to write to, which becomes the output when all went well."""
        out = self.out
        if isinstance(out, FileOutput) and out.path is None:
            with temporary_folder() as place, working_on(place / "work", self.identity) as job:
                yield Draft(job.folder, out), job
            return
        work = self.folder.resolve()
        with working_on(work, self.identity) as job:
            if not isinstance(out, HubOutput):
                # Another run may have written it since this one looked.
                refuse_taken(out, replace=self.replace)
            try:
                yield Draft(work, out if isinstance(out, FileOutput) else None), job
                interrupts.obey()
                _hand_over(job, out, replace=self.replace)
            except (Exception, KeyboardInterrupt) as error:
                if not job.has_finished:
                    raise
                kept = goes_on(work_of(out))
                if isinstance(error, InputError):
                    raise InputError(f"{error} ({kept}.)") from error
                raise UnfinishedError(kept) from error

    def write(
        self,
        to: tuple[Draft, Job],
        splits: Splits,
        work: Mapping[str, Work],
        features: Mapping[str, Features],
        *,
        title: str = "Writing",
    ) -> dict[str, list[Finished]]:
        """Work through the rows, and write what becomes of them."""
        draft, job = to
        finished = self.work_through(job, splits, work, title=title)
        refuse_empty(job, finished)
        draft.gather(features)
        return finished

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


def check_numbers(options: argparse.Namespace) -> None:
    """Raise if there are to be no processes, or no rows in a shard."""
    for name in _LEAST:
        if (number := getattr(options, name, None)) is not None:
            option = f"--{name.replace('_', '-')}"
            positive_whole_number(number, parameter=option)


def opened_task(options: argparse.Namespace, out: Output) -> Unchanged:
    """Refuse what a task could not be begun with, before anything is read."""
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

    Returns:
        The task; None if there is nothing left to do, which is told.
    """
    folder = work_of(out) / ROWS if keeps_more else work_of(out)
    identity = _job_identity(source, options, settings, splits)
    unchanged()
    replace = getattr(options, "overwrite", False)
    is_asked_for_more = getattr(options, "audit", None) is not None or replace
    if not is_asked_for_more and _is_finished(out, identity, folder):
        print("An earlier run of the same command has finished; nothing is done again.")
        print(written(out))
        return None
    place = local_place(out)
    if place is not None and not replace:
        _refuse_finished(place, identity, options)
    refuse_taken(out, replace=replace)
    engine = engine or local(getattr(options, "num_proc", None) or 1)
    if engine is here and unchanged.is_read_to_the_end:
        # The system ends the process that reads a file in place which is cut; this one tells of it.
        engine = partial(beside, count=1)
    return Task(
        out=out, identity=identity, folder=folder, replace=replace,
        engine=engine,
        shard_rows=options.shard_rows,
        log=_log_to(options.log_file, options.inputs),
        unchanged=unchanged if unchanged.is_read_to_the_end else lambda: None,
    )  # fmt: skip


def _refuse_finished(out: Path, identity: Identity, options: argparse.Namespace) -> None:
    """Raise if an earlier run has written a place, and it is not what this one would write."""
    first = "give --overwrite" if hasattr(options, "overwrite") else "remove it"
    how = f"{first}, or name another place"
    if (broken := damaged(out)) is not None:
        raise InputError(
            f"{out} was finished by a run, but {broken} is gone or not as it was written; {how}."
        )
    if (known := manifest_of(out)) is not None:
        known = {name: value for name, value in known.items() if name != "shards"}
        if differs := of_another(known, identity):
            raise InputError(f"{out} was written by a run of another {differs}; {how}.")


def add_status(commands: Any) -> None:
    """Add the command `status`, which says how far a running or interrupted job or training is."""
    parser = commands.add_parser(
        "status",
        help="say how far a running or interrupted job or training is",
        description="Show the progress of the command that writes OUT: how many shards are "
        "finished, how fast it is, and how long the rest takes; for a training, the step and the "
        "loss.",
    )
    parser.add_argument("out", metavar="OUT", help="what the command was given as --out")
    parser.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> None:
    """Run the command `status`."""
    out = output(argparse.Namespace(out=options.out, config_name=None, private=None))
    work = work_of(out)
    trains = is_training(work)
    for place in (work, work / ROWS):
        if (place / NOTES).is_dir() and not trains:
            print("\n".join(status_lines(place)))
            return
    told = training_lines(work)
    if isinstance(out, FileOutput):
        is_there = out.path is not None and out.path.is_file()
    else:
        is_there = isinstance(out, Path) and (out / "config.json").is_file()
    if told and (trains or not is_there):
        print("\n".join(told))
        return
    written = local_place(out)
    manifest = None if written is None else manifest_of(written)
    if manifest is None and is_there and (told or isinstance(out, Path)):
        print(f"{out}: no training writes to it now, and what is there is complete.")
        return
    if manifest is None and work.is_dir():
        print(f"{work}: what was finished lies there, but no row of {options.out} is written yet.")
        return
    broken = None if written is None else damaged(written)
    if broken is not None:
        raise invalid(f"{out} was finished, but {broken} is gone or was changed since.")
    if manifest is None:
        raise invalid(
            f"no run that could be resumed writes to {options.out} now, and none wrote "
            "what is there."
        )
    shards = manifest["shards"]
    rows = sum(each["rows_out"] for each in shards)
    what = "shard" if len(shards) == 1 else "shards"
    print(f"{out}: finished, {len(shards):,} {what}, {rows:,} rows.")
