"""The folder, the file or the standard output that takes its place when all went well."""

import bz2
import gzip
import lzma
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple, cast

from datasets import Dataset, Features

from fair_datasets.cards.markdown import has_tag
from fair_datasets.jobs.job import remove_notes
from fair_datasets.rows.arrow import write_parquet
from fair_datasets.rows.exact import FORMATS, OPENERS, ending
from fair_datasets.rows.exact_lines import (
    ROW_FORMATS,
    SEPARATORS,
    lines,
    mixes_empty_texts,
    refuse_unwritable,
)
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import NOTES, annotate_oserror, temporary_folder
from fair_datasets.system.printing import StandardOutput

# What the commands write.
_OURS = re.compile(
    r"README\.md|trade-off\.svg|croissant\.json|\.manifest\.json|data(/[\w.]+-\d{5}-of-\d{5}\.parquet)?"
    r"|lexicons(/[0-9a-f]{8}(/[^/]+\.tsv)?)?|weights(/[0-9a-f]{8}(/[^/]+\.safetensors)?)?"
    r"|\.job(/.*)?"
)


def refuse_taken_folder(folder: Path) -> None:
    """Raise if a folder cannot be made because something lies there already."""
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(
            f"The output folder {folder} is not empty, and nothing is overwritten; name another "
            "one, or empty it."
        )
    place = nearest_existing(folder)
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
            f"The output folder {folder} is a file system of its own, which a finished folder "
            "cannot replace; name a folder in it."
        )
    _refuse_unwritable_place(folder)


def _refuse_unwritable_place(out: Path) -> None:
    """Raise if nothing can be made beside an output, before any work is done for it."""
    place = nearest_existing(out.resolve().parent)
    try:
        TemporaryFile(dir=place).close()
    except OSError as error:
        raise InputError(
            f"{out} cannot be created, because nothing can be written to {place} "
            f"({error.strerror}); name another."
        ) from error


def refuse_foreign_folder(folder: Path) -> None:
    """Raise if a folder holds something that this package did not write, and would be lost."""
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
    """Whether a card says that its folder was written by this package."""
    try:
        return card.is_file() and has_tag(card.read_text("utf-8"))
    except (OSError, ValueError):
        return False


@contextmanager
def new_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder to write to, which becomes the wanted folder when all went well.

    Yields:
        A hidden folder beside it. It is removed if anything fails, an interrupt included.
    """
    if not replace:
        refuse_taken_folder(folder)
    folder = folder.resolve()
    place = nearest_existing(folder.parent)
    with temporary_folder(place, prefix=f".{folder.name}.partial-") as partial:
        yield partial
        interrupts.raise_if_interrupted()
        atomic_replace(partial, folder, replace=replace)


def atomic_replace(made: Path, folder: Path, *, replace: bool = False) -> None:
    """Let a folder that was made become the wanted one."""
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


def nearest_existing(path: Path) -> Path:
    """Return a path, or the nearest folder above it that exists.

    Example:
        >>> str(nearest_existing(Path("/no/such/folder")))
        '/'
    """
    return next(place for place in (path, *path.absolute().parents) if place.exists())


# Compression to what writes it; equal rows give equal files.
_COMPRESSED: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),
    ".bz2": partial(bz2.open, mode="wb"),
    ".xz": partial(lzma.open, mode="wb"),
}
# Endings of files that nobody would give to a folder.
_OTHER = (".json", ".txt", ".arrow", ".xls", ".xlsx", ".zip", *FORMATS)


class FileOutput(NamedTuple):
    """One file that is to be written.

    Attributes:
        path: The file; None for the standard output.
        delimiter: What separates the cells of a CSV file.
    """

    path: Path | None
    kind: str
    replace: bool = False
    delimiter: str = ","

    def __str__(self) -> str:
        """Return what names it in a sentence."""
        return "the standard output" if self.path is None else str(self.path)


def file_output(text: str, *, kind: str = ".jsonl", replace: bool = False) -> FileOutput | None:
    """Read where rows are to be written to, if it is a file; None if it is none by its ending.

    Args:
        text: What was given: `-` is the standard output; what ends in a slash is a folder.

    Example:
        >>> file_output("reviews.csv").kind, file_output("reviews-v1.0"), file_output("x.csv/")
        ('.csv', None, None)
    """
    if text == "-":
        return FileOutput(None, kind, replace)
    path = Path(text)
    suffix, compression = ending(path), path.suffix.lower()
    is_file = suffix in {*ROW_FORMATS, *_OTHER} or path.name in ROW_FORMATS
    if text.endswith(("/", os.sep)) or not is_file:
        return None
    is_compressed = compression in OPENERS
    if path.name in ROW_FORMATS:
        raise InputError(f"{text}: that is an ending only; put a name before it.")
    if suffix not in ROW_FORMATS or (is_compressed and compression not in _COMPRESSED):
        raise InputError(
            f"{text}: a file with this ending cannot be written; use one of "
            f"{', '.join(ROW_FORMATS)} (and {', '.join(_COMPRESSED)} to compress it), or name a "
            "folder."
        )
    if is_compressed and suffix == ".parquet":
        raise InputError(f"{text}: Parquet files are compressed already; write .parquet.")
    return FileOutput(path, suffix, replace)


def refuse_taken_file(out: FileOutput) -> None:
    """Raise if a file cannot be written."""
    if out.path is None:
        return
    if out.path.is_dir():
        raise InputError(
            f"{out.path} is a folder, but its ending is that of a file; name another --out, or "
            f"write {out.path}/ for a folder."
        )
    if os.path.lexists(out.path):
        if not out.path.is_file():
            raise InputError(f"{out.path} is not a file that can be replaced; name another --out.")
        if not out.replace:
            raise InputError(
                f"The output file {out.path} already exists, and nothing is overwritten; name "
                "another one, or remove it."
            )
    place = nearest_existing(out.path.absolute().parent)
    if not place.is_dir():
        raise InputError(
            f"The output file {out.path} cannot be made, as {place} is a file; name another one."
        )
    _refuse_unwritable_place(out.path)


def refuse_rows(out: FileOutput, features: Mapping[str, Features], source: str) -> None:
    """Raise unless one file can hold the rows."""
    if len(features) > 1:
        raise InputError(
            f"{source} has the splits {', '.join(features)}, which one file cannot hold; name a "
            "folder with --out, or give one split alone: its file, or its name by --split where "
            "the command has that option."
        )
    for columns in features.values():
        refuse_unwritable(out.kind, columns, source)


@contextmanager
def new_file(out: FileOutput) -> Iterator[Path]:
    """Give a folder for a file, which takes its place when all went well.

    Yields:
        A hidden folder beside it, or a temporary one for the standard output. It is removed at
        the end, also if anything fails.
    """
    refuse_taken_file(out)
    target = None if out.path is None else out.path.resolve()
    beside = temporary_folder()
    if target is not None:
        beside = temporary_folder(
            nearest_existing(target.parent), prefix=f".{target.name}.partial-"
        )
    with beside as folder:
        yield folder
        if target is not None:
            take_place(folder, out)


def take_place(
    folder: Path, out: FileOutput, *, ready: Callable[[Path, Path], None] = lambda made, place: None
) -> None:
    """Let a file that was written into a folder become the wanted one."""
    if out.path is not None:
        refuse_taken_file(out)
        target = out.path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        ready(folder / target.name, target)
        os.replace(folder / target.name, target)


def write_file(rows: Dataset, out: FileOutput, folder: Path) -> None:
    """Write rows into the folder that `new_file` gave, or to the standard output."""
    if out.kind in SEPARATORS and (column := mixes_empty_texts(rows)):
        sys.stderr.write(
            f"fair-datasets: column {column!r} holds nulls and empty texts, which most readers of "
            f"{out.kind} cannot tell apart; .jsonl keeps both.\n"
        )
    if out.path is None:
        output = cast(StandardOutput, sys.stdout)
        for line in lines(rows, out.kind, out.delimiter):
            output.write_row(line.encode())
        return
    place = folder / out.path.resolve().name
    try:
        with annotate_oserror(place):
            if out.kind == ".parquet":
                write_parquet(rows, place)
            else:
                _write_lines(rows, out, place)
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def _write_lines(rows: Dataset, out: FileOutput, place: Path) -> None:
    """Write rows into a file of lines, so that it outlives a power cut."""
    compression = _COMPRESSED.get(place.suffix.lower(), nullcontext)
    with place.open("wb") as file:
        with compression(file) as opened:
            for line in lines(rows, out.kind, out.delimiter):
                opened.write(line.encode())
        file.flush()
        os.fsync(file.fileno())
