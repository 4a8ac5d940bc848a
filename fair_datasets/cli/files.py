"""The data files that the command line reads: their formats, and which of them a path names."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file

# File ending to the builder of `datasets` that reads it, with its options.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {"sep": ","}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
    ".txt": ("text", {}),
}
# Compression to what opens it; datasets reads .zst as well, for which Python has nothing.
OPENERS: dict[str, Callable[..., Any] | None] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": None,
}
# Files that datasets does not take for data.
_NO_DATA = ("config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json")


def ending(file: Path) -> str:
    """Return a file's ending in lower case, without the one of its compression.

    Example:
        >>> ending(Path("reviews.CSV.gz"))
        '.csv'
    """
    if file.suffix.lower() in OPENERS:
        file = file.with_suffix("")
    return file.suffix.lower()


def is_saved(path: Path) -> bool:
    """Tell whether a folder was written by `save_to_disk`."""
    return (path / "dataset_dict.json").exists() or (path / "state.json").exists()


def data_files(path: Path) -> list[Path]:
    """Name the data files of a path: itself, or what lies in the folder in a known format.

    Args:
        path: A file or a folder.

    Raises:
        InputError: The file is in no known format, the folder holds no data, or a file is empty,
            a pipe or a device.
    """
    known = ", ".join(FORMATS)
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and ending(file) in FORMATS and not _is_hidden(file, path)
        )
        if not files:
            raise InputError(
                f"The folder {path} holds no {known} file and no saved dataset; name a folder "
                "that does."
            )
    elif ending(path) in FORMATS:
        files = [path]
    else:
        raise InputError(
            f"The file {path} is in no format that can be read; its name must end in one of "
            f"{known} (and may be compressed: {', '.join(OPENERS)})."
        )
    for file in files:
        if regular_file(file).st_size == 0:
            raise InputError(f"{file} is empty; give a file that has rows.")
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    """Tell whether datasets overlooks a file of a folder."""
    parts = file.relative_to(folder).parts
    return file.name in _NO_DATA or any(part.startswith((".", "__")) for part in parts)
