"""The folder in which a long command keeps what it has finished."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fair_datasets.checks import InputError
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.publishing import HubOutput


@contextmanager
def work_folder(options: argparse.Namespace, out: Output) -> Iterator[Path]:
    """Give the work folder; if the command ends early, tell that it is kept.

    Args:
        options: The parsed arguments, with `input` and `work`.
        out: What is to be written.

    Yields:
        `work`, or OUT.work; for a dataset of the Hub that is USER-NAME.work here, and for the
        standard output standard-output.work. It need not be there.

    Raises:
        InputError: It lies in the output folder, or in the folder that is read.
        UnfinishedError: The command was interrupted or failed, and something is kept.
    """
    folder = _named_after(out)
    work: Path = options.work or folder.with_name(f"{folder.absolute().name}.work")
    place = work.resolve()
    if isinstance(out, Path) and place.is_relative_to(out.resolve()):
        raise InputError(
            f"The work folder {work} lies in the output folder, which must be empty; choose "
            "another --work."
        )
    source = Path(options.input)
    if source.is_dir() and place.is_relative_to(source.resolve()):
        raise InputError(
            f"The work folder {work} lies in {source}, so that its files would be read as data; "
            "choose --out or --work elsewhere."
        )
    try:
        yield work
    except InputError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not work.exists():
            raise
        raise UnfinishedError(
            f"what is finished is kept in {work}, and the same command goes on from there"
        ) from error


def _named_after(out: Output) -> Path:
    """Return the folder or the file that the work folder lies beside."""
    if isinstance(out, HubOutput):
        return Path(out.target.name.replace("/", "-"))
    if isinstance(out, FileOutput):
        return out.path or Path("standard-output")
    return out
