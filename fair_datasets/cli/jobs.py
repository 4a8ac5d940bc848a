"""Commands as jobs: what an earlier run finished is kept beside the output, and not done again."""

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fair_datasets.cli.drafts import Draft
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.file_outputs import FileOutput, take_place
from fair_datasets.cli.files import data_files, is_saved
from fair_datasets.cli.folders import put_in_place
from fair_datasets.cli.in_place import is_in_place
from fair_datasets.cli.inputs import is_on_hub
from fair_datasets.cli.outputs import Output, refuse_taken
from fair_datasets.cli.publishing import HubOutput, publish
from fair_datasets.cli.sources import Source
from fair_datasets.cli.work import work_of
from fair_datasets.jobs.engines import ENGINES
from fair_datasets.jobs.job import Job, discard, remove_notes, tidy_after, working_on
from fair_datasets.jobs.manifest import is_written
from fair_datasets.jobs.run import content_of
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import naming
from fair_datasets.system.temporary import temporary_folder
from fair_datasets.technique.digests import file_digest
from fair_datasets.version import __version__

Identity = Mapping[str, Any]


def add_job(parser: argparse.ArgumentParser) -> None:
    """Add how the work is divided, and where it is told of."""
    parser.add_argument(
        "--shard-rows", type=int, metavar="N",
        help="how many rows are processed and written at once; an interrupted run repeats "
        "unfinished shards (default: 10,000 to 50,000, or fewer where rows are long)",
    )  # fmt: skip
    parser.add_argument(
        "--log-file", type=Path, metavar="FILE",
        help="write a line to the end of this file for each shard, with rows/s and the time left",
    )  # fmt: skip


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add what works through the shards."""
    parser.add_argument(
        "--engine", choices=ENGINES, default="local",
        help="local: --num-proc processes here; ray: --num-proc actors of the Ray cluster that "
        "RAY_ADDRESS names, or of one here that ends with the command (default: local)",
    )  # fmt: skip


def job_identity(
    source: Source,
    options: argparse.Namespace,
    settings: Mapping[str, Any],
    splits: Mapping[str, Any] = MappingProxyType({}),
) -> Identity:
    """Say what a job does to what, so that another one does not go on with it.

    Args:
        splits: Split name to its rows, where they are read where they lie.
    """
    named = ("split", "test_size", "config", "limit")
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


def is_finished(out: Output, identity: Identity, work: Path) -> bool:
    """Tell whether an earlier run of the same job has written the output.

    Returns:
        Whether it has. What it left, if it was ended once all was done, is removed.
    """
    place = local_place(out)
    if place is None or not is_written(place, identity):
        return False
    if isinstance(out, FileOutput):
        tidy_after(work, identity)
    else:
        remove_notes(place)
    _remove_if_empty(work, out)
    return True


@contextmanager
def drafted_by_job(
    out: Output, identity: Identity, work: Path, *, replace: bool = False
) -> Iterator[tuple[Draft, Job]]:
    """Give something to write to, which becomes the output when all went well.

    Args:
        out: The folder, the file or the standard output, or the configuration on the Hub.
        work: The folder in which is kept what is finished, if it ends early.

    Yields:
        The draft, and the job.

    Raises:
        InputError: Something lies there already, or another job is unfinished there.
        UnfinishedError: It ended early, and something is kept.
    """
    if isinstance(out, FileOutput) and out.path is None:
        with (
            temporary_folder() as place,
            working_on(place / "work", identity) as job,
        ):
            yield Draft(job.folder, out), job
        return
    work = work.resolve()
    with working_on(work, identity) as job:
        if not isinstance(out, HubOutput):
            # Another run may have written it since this one looked.
            refuse_taken(out, replace=replace)
        try:
            yield Draft(work, out if isinstance(out, FileOutput) else None), job
            interrupts.obey()
            _hand_over(job, out, replace=replace)
        except (Exception, KeyboardInterrupt) as error:
            if not job.has_finished:
                raise
            kept = (
                f"what is finished is kept in {work_of(out)}, and the same command goes on from "
                "there"
            )
            if isinstance(error, InputError):
                raise InputError(f"{error} ({kept}.)") from error
            raise UnfinishedError(kept) from error


def log_to(file: Path | None, sources: Sequence[str] = ()) -> Callable[[str], None]:
    """Return what writes lines to the end of a file, each with its time.

    Args:
        file: The file; None to write nothing.
        sources: What is read, which is no place for them.

    Raises:
        InputError: The file cannot be written.
    """
    if file is not None:
        if file.exists() and any(map(file.samefile, filter(os.path.exists, sources))):
            raise InputError(f"--log-file {file} is what is read; name another file.")
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
