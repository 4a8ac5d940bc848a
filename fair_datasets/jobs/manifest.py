"""What tells of a folder or a file that a job has finished it: what it was made from and by."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fair_datasets.system.files import read_note, write_note
from fair_datasets.system.portable import file_digest

MANIFEST = ".manifest.json"
"""The file, in a folder that is finished, that says what it was made from and by."""


def manifest_place(out: Path) -> Path:
    """Return where the manifest of a folder lies, or that of a file.

    Example:
        >>> manifest_place(Path("reviews.csv")).name
        '.reviews.csv.manifest.json'
    """
    return out / MANIFEST if out.is_dir() else out.with_name(f".{out.name}{MANIFEST}")


def write_manifest(
    out: Path,
    identity: Mapping[str, Any],
    shards: Sequence[Mapping[str, Any]],
    *,
    made: Path | None = None,
) -> None:
    """Write what a folder or a file was made from and by.

    Its files get the time of the manifest: one whose time is another may have been changed.

    Args:
        shards: The name, the rows, the size and the digest of each file.
    """
    place = manifest_place(out)
    write_note(place, {**identity, "shards": shards})
    time = place.stat().st_mtime_ns
    for file in (place, *([made] if made else [_file_of(shard, out) for shard in shards])):
        with suppress(OSError):  # Where times cannot be set, digests tell.
            os.utime(file, ns=(time, time))


def manifest_of(out: Path) -> Any:
    """Read the manifest of what is finished.

    Returns:
        What it says; None if there is none, or the files are others than it says.
    """
    found = read_note(manifest_place(out))
    is_whole = found is not None and next(_changed(found, out), None) is None
    return found if is_whole else None


def damaged(folder: Path) -> str | None:
    """Name a file of a finished folder that is gone, or is not as it was written.

    Returns:
        The file, as seen from the folder; None if all are there, or no job has written the folder.

    Example:
        >>> damaged(Path("nowhere")) is None
        True
    """
    found = read_note(folder / MANIFEST) or {}
    return next(_changed(found, folder), None) if isinstance(found.get("shards"), list) else None


def is_written(out: Path, identity: Mapping[str, Any]) -> bool:
    """Tell whether a job has written a folder or a file to its end."""
    found = manifest_of(out)
    return found is not None and found == {**identity, "shards": found["shards"]}


def of_another(known: Mapping[str, Any], identity: Mapping[str, Any]) -> str:
    """Say what differs between two jobs, such as "source and shard size".

    Returns:
        The names of what differs; nothing for the same job.

    Example:
        >>> of_another({"source": 1, "shard size": 2}, {"source": 3, "shard size": 2})
        'source'
    """
    names = {**known, **identity}
    return " and ".join(name for name in names if known.get(name) != identity.get(name))


def _changed(manifest: Mapping[str, Any], out: Path) -> Iterator[str]:
    """Name the files of a manifest that are not as it says; itself, if it does not say it."""
    shards, place = manifest.get("shards"), manifest_place(out)
    if not isinstance(shards, list):
        yield MANIFEST
        return
    time = place.stat().st_mtime_ns
    for shard in shards:
        if not isinstance(shard, dict) or not {"name", "size", "rows_out", "digest"} <= set(shard):
            yield MANIFEST
            return
        file = _file_of(shard, out)
        if not _is_as_written(file, shard, time):
            yield file.relative_to(place.parent).as_posix()


def _file_of(shard: Mapping[str, Any], out: Path) -> Path:
    """Return where a file of a manifest lies."""
    return out / "data" / f"{shard['name']}.parquet" if out.is_dir() else out


def _is_as_written(file: Path, shard: Mapping[str, Any], time: int) -> bool:
    """Tell whether a file is what was written: by its size and time, or else by its digest."""
    if not file.is_file() or file.stat().st_size != shard["size"]:
        return False
    return file.stat().st_mtime_ns == time or file_digest(file) == shard["digest"]
