"""Making a folder that is there whole or not at all."""

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from fair_datasets.cli.files import FORMATS, ending
from fair_datasets.hub.merging import has_tag
from fair_datasets.jobs.job import remove_notes
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.notes import NOTES
from fair_datasets.system.temporary import temporary_folder

# What the commands write.
_OURS = re.compile(
    r"README\.md|trade-off\.svg|croissant\.json|\.manifest\.json|data(/[\w.]+-\d{5}-of-\d{5}\.parquet)?"
    r"|lexicons(/[0-9a-f]{8}(/[^/]+\.tsv)?)?|weights(/[0-9a-f]{8}(/[^/]+\.safetensors)?)?"
    r"|\.job(/.*)?"
)


def local_folder(text: str) -> Path:
    """Read the path of a folder that is to be written here; a type for `add_argument`.

    Raises:
        argparse.ArgumentTypeError: It is an address or a file, of whose name a folder would be
            made.

    Example:
        >>> local_folder("reviews").name
        'reviews'
    """
    if "://" in text:
        raise argparse.ArgumentTypeError(
            f"{text!r} is an address, but what is written here is a folder; name one"
        )
    if text == "-" or (ending(Path(text)) in FORMATS and not text.endswith(("/", os.sep))):
        raise argparse.ArgumentTypeError(
            f"{text!r} is a file, but what is written here is a folder; name one"
        )
    return Path(text)


def refuse_taken_folder(folder: Path) -> None:
    """Raise if a folder cannot be made because something lies there already.

    Raises:
        InputError: It is a file, lies in one, is a folder that is not empty, or nothing can be made
            there.
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(
            f"The output folder {folder} is not empty, and nothing is overwritten; name another "
            "one, or empty it."
        )
    place = existing(folder)
    if not place.is_dir():
        raise InputError(
            f"The output folder {folder} cannot be made, as {place} is a file; name another one."
        )
    if "[" in folder.name or "::" in folder.name:
        raise InputError(
            f"load_dataset cannot open a folder that is named {folder.name!r}; give it a name "
            "without [ and ::."
        )
    if folder.is_dir() and os.path.ismount(folder):
        raise InputError(
            f"The output folder {folder} is a file system of its own, whose place a finished "
            "folder cannot take; name a folder in it."
        )
    refuse_unwritable_place(folder)


def refuse_unwritable_place(out: Path) -> None:
    """Raise if nothing can be made beside an output, before any work is done for it.

    Args:
        out: The folder or the file that is to be written.

    Raises:
        InputError: No file can be made there, as in /proc.
        OSError: There is no permission or no room.
    """
    place = existing(out.resolve().parent)
    try:
        TemporaryFile(dir=place).close()
    except FileNotFoundError as error:
        raise InputError(
            f"{out} cannot be created, because nothing can be written to {place}; name another."
        ) from error
    except OSError as error:
        error.filename = str(place)
        raise


def refuse_foreign_folder(folder: Path) -> None:
    """Raise if a folder holds something that this package did not write, and would be lost.

    Args:
        folder: The folder that is to be replaced; it need not be there.

    Raises:
        InputError: It is a file, lies in one, or holds files of others.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        refuse_taken_folder(folder)
        return
    paths = sorted(folder.rglob("*"))
    foreign = [path for path in paths if not _OURS.fullmatch(path.relative_to(folder).as_posix())]
    if not foreign and not _is_ours(folder / "README.md"):
        # The folder of somebody's dataset may hold files of the same names.
        foreign = paths
    if foreign:
        raise InputError(
            f"{foreign[0]} was not written by fair-datasets and would be lost; name another folder."
        )


def _is_ours(card: Path) -> bool:
    """Tell whether a card says that its folder was written by this package."""
    try:
        return card.is_file() and has_tag(card.read_text("utf-8"))
    except (OSError, ValueError):
        return False


@contextmanager
def new_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder to write to, which becomes the wanted folder when all went well.

    Yields:
        A hidden folder beside it. It is removed if anything fails, an interrupt included.

    Raises:
        InputError: Something lies there already and is not to be replaced.
    """
    if not replace:
        refuse_taken_folder(folder)
    folder = folder.resolve()
    place = existing(folder.parent)
    with temporary_folder(place, prefix=f".{folder.name}.partial-") as partial:
        yield partial
        interrupts.obey()
        put_in_place(partial, folder, replace=replace)


def put_in_place(made: Path, folder: Path, *, replace: bool = False) -> None:
    """Let a folder that was made become the wanted one.

    Raises:
        InputError: Something lies there already and is not to be replaced.
    """
    # Among the notes it is found and removed by the next run, if this one ends in between.
    old = made / NOTES / "replaced"
    try:
        if replace and folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            old.parent.mkdir(exist_ok=True)
            os.replace(folder, old)
        else:
            refuse_taken_folder(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        os.replace(made, folder)
    finally:
        if old.exists() and not folder.exists():
            os.replace(old, folder)
    remove_notes(folder)


def existing(path: Path) -> Path:
    """Return a path, or the nearest folder above it that exists.

    Example:
        >>> str(existing(Path("/no/such/folder")))
        '/'
    """
    return next(place for place in (path, *path.absolute().parents) if place.exists())
