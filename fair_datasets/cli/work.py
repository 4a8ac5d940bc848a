"""The folder in which a long command keeps what it has finished."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.publishing import HubOutput
from fair_datasets.jobs.job import work_beside
from fair_datasets.system.checks import InputError


@contextmanager
def work_folder(options: argparse.Namespace, out: Output) -> Iterator[Path]:
    """Give the work folder; if the command ends early, tell that it is kept.

    Args:
        options: The parsed arguments, with `input` and `work`.

    Yields:
        `work`, or OUT.work; for a dataset of the Hub that is USER-NAME.work here, and for the
        standard output standard-output.work. It need not be there.

    Raises:
        InputError: It is a file, or lies in the output folder or in the folder that is read.
        UnfinishedError: The command was interrupted or failed, and something is kept.
    """
    work: Path = options.work or work_of(out)
    place = work.resolve()
    if isinstance(out, Path) and place.is_relative_to(out.resolve()):
        raise InputError(
            f"The work folder {work} lies in the output folder, which must be empty; choose "
            "another --work."
        )
    if place.exists() and not place.is_dir():
        raise InputError(f"The work folder {work} is a file; choose another --work.")
    source = Path(options.input)
    if source.is_dir() and place.is_relative_to(source.resolve()):
        raise InputError(
            f"The work folder {work} lies in {source}, so that its files would be read as data; "
            "choose --out or --work elsewhere."
        )
    try:
        yield work
    except (InputError, UnfinishedError):
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not work.exists():
            raise
        raise UnfinishedError(
            f"what is finished is kept in {work}, and the same command goes on from there"
        ) from error


def work_of(out: Output) -> Path:
    """Return the work folder of an output: what is finished of it is kept there.

    Returns:
        The folder beside it; for a dataset of the Hub one here.

    Example:
        >>> str(work_of(Path("reviews-cda")))
        'reviews-cda.work'
    """
    if isinstance(out, HubOutput):
        names = [*out.target.name.split("/"), *out.config_name.split()]
        name = "-".join(names[:2] if out.config_name == "default" else names)
        place = (Path() if os.access(".", os.W_OK) else Path(gettempdir())) / name
    elif isinstance(out, FileOutput):
        place = out.path or Path("standard-output")
    else:
        place = out
    return work_beside(place)
