"""Commands as jobs: what an earlier run finished is kept beside the output, and not done again."""

import argparse
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fair_datasets import interrupts
from fair_datasets.checks import InputError
from fair_datasets.cli.drafts import Draft
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.file_outputs import FileOutput, refuse_taken_file, take_place
from fair_datasets.cli.files import data_files, is_saved
from fair_datasets.cli.folders import put_in_place
from fair_datasets.cli.outputs import Output, refuse_taken
from fair_datasets.cli.publishing import HubOutput, publish
from fair_datasets.cli.sources import Source
from fair_datasets.cli.work import work_of
from fair_datasets.digests import file_digest
from fair_datasets.jobs.job import Job, manifest_of, remove_notes, working_on
from fair_datasets.technique import Technique
from fair_datasets.version import __version__

Identity = Mapping[str, Any]


def add_job(parser: argparse.ArgumentParser) -> None:
    """Add how the work is divided, and where it is told of.

    Args:
        parser: The command's parser.
    """
    parser.add_argument(
        "--shard-rows", type=int, metavar="N",
        help="how many rows are worked through and written at once: what a run that ends early "
        "does again (default: 10,000 to 50,000, or fewer where rows are long)",
    )  # fmt: skip
    parser.add_argument(
        "--log-file", type=Path, metavar="FILE",
        help="write a line to the end of this file for each shard, with rows/s and the time left",
    )  # fmt: skip


def job_identity(source: Source, options: argparse.Namespace, technique: Technique) -> Identity:
    """Say what a job does to what, so that another one does not go on with it.

    Args:
        source: What is read.
        options: The parsed arguments.
        technique: What is applied.

    Returns:
        What JSON can hold.
    """
    rows = {name: getattr(options, name, None) for name in ("split", "config", "limit")}
    content: Any = source.name
    if source.target is None:
        content = [file_digest(file) for place in source.files for file in _files(Path(place))]
    return {
        "source": {"content": content, **rows},
        "technique": technique.config(),
        "card": {name: getattr(options, name, None) for name in ("samples", "licence")},
        "shard size": options.shard_rows,
        "version of fair-datasets": __version__,
    }


def is_finished(out: Output, identity: Identity) -> bool:
    """Tell whether an earlier run of the same job has written the output.

    Args:
        out: The output.
        identity: The job.

    Returns:
        Whether it has.
    """
    found = manifest_of(out) if isinstance(out, Path) else None
    if found is None or {**identity, "shards": found["shards"]} != found:
        return False
    # It may have been ended once all was done.
    remove_notes(Path(str(out)))
    return True


@contextmanager
def drafted_by_job(
    out: Output, identity: Identity, *, replace: bool = False
) -> Iterator[tuple[Draft, Job]]:
    """Give something to write to, as `drafted` does, and keep what is finished if it ends early.

    Args:
        out: The folder, the file or the standard output, or the configuration on the Hub.
        identity: What is done to what.
        replace: Whether a folder that lies there is replaced.

    Yields:
        The draft, and the job.

    Raises:
        InputError: Something lies there already, or another job is unfinished there.
        UnfinishedError: It ended early, and something is kept.
    """
    if isinstance(out, FileOutput) and out.path is None:
        with (
            TemporaryDirectory(prefix="fair-datasets-") as place,
            working_on(Path(place) / "work", identity) as job,
        ):
            yield Draft(job.folder, out), job
        return
    work = work_of(out).resolve()
    with working_on(work, identity) as job:
        try:
            yield Draft(work, out if isinstance(out, FileOutput) else None), job
            interrupts.obey()
            job.state()
            _hand_over(work, out, replace=replace)
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


def log_to(file: Path | None) -> Callable[[str], None]:
    """Return what writes lines to the end of a file, each with its time.

    Args:
        file: The file; None to write nothing.

    Returns:
        What takes a line.

    Raises:
        InputError: The file cannot be written.
    """
    if file is not None:
        try:
            file.open("a").close()
        except OSError as error:
            raise InputError(
                f"--log-file {file} cannot be written: {error.strerror}; name another file."
            ) from error

    def write(line: str) -> None:
        if file is not None:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(f"{datetime.now().astimezone().isoformat('T', 'seconds')} {line}\n")

    return write


def _hand_over(work: Path, out: Output, *, replace: bool) -> None:
    """Give what is finished its place."""
    if isinstance(out, HubOutput):
        with TemporaryDirectory(prefix="fair-datasets-") as cache:
            publish(work, out, Path(cache))
        shutil.rmtree(work)
    elif isinstance(out, FileOutput):
        refuse_taken_file(out)
        take_place(work, out)
        shutil.rmtree(work)
    else:
        refuse_taken(out, replace=replace)
        put_in_place(work, out.resolve(), replace=replace)
        remove_notes(out)


def _files(place: Path) -> list[Path]:
    """Return the files that a path names."""
    return sorted(place.rglob("*.arrow")) if is_saved(place) else data_files(place)
