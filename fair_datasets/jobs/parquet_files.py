"""Finding the Parquet files that an address or a pattern names, and of which splits they are."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Any

from fair_datasets.jobs.parquet import (
    Footer,
    ParquetFile,
    ParquetRows,
    file_system,
    is_here,
    look_at,
    said,
)
from fair_datasets.jobs.shards import fitting_rows
from fair_datasets.system.checks import InputError

_THREADS = 16
_NAMED = re.compile(r"(?P<split>\w+(\.\w+)*)-\d{5,}-of-\d{5,}(-[0-9a-f]+)?\.parquet")
_HUB = ("hf://", "https://huggingface.co/", "https://hf.co/")
# The words for splits in the names of files and folders, as `datasets` knows them.
_SPLITS = {
    "train": {"train", "training"},
    "validation": {"validation", "valid", "val", "dev"},
    "test": {"test", "testing", "eval", "evaluation"},
}


def is_address(source: str) -> bool:
    """Tell whether a source names Parquet files that are read where they lie.

    Returns:
        Whether it is a pattern, and no file is named so, or has the protocol of a file system
        other than the Hub's.

    Example:
        >>> [is_address(each) for each in ("s3://a/b", "data/*.parquet", "hf://datasets/a/b", "b")]
        [True, True, False, False]
    """
    if "://" in source:
        return "*" in source or not source.startswith(_HUB)
    return "*" in source and not Path(source).exists()


def parquet_splits(sources: str | Sequence[str], *, owner: str) -> dict[str, ParquetRows]:
    """Find Parquet files.

    Args:
        sources: The address of a file or a folder, or a pattern, such as
            "hf://datasets/ada/reviews/**/*.parquet" or "s3://reviews/*.parquet"; or several.
        owner: Who asks, for errors.

    Returns:
        Split name to its rows. Their names say it ("test-00000-of-00002.parquet", "test.parquet",
        "test/a.parquet"), as `datasets` reads them; all are "train" where none says another.

    Raises:
        InputError: There are no such files, they cannot be read, have different columns, or some
            say of which split they are and others do not.
    """
    several = [sources] if isinstance(sources, str) else list(sources)
    addresses = [address for each in several for address in _found(each, owner)]
    with ThreadPoolExecutor(_THREADS) as threads:
        files = list(threads.map(lambda address: look_at(address, owner), addresses))
    splits: dict[str, list[tuple[ParquetFile, Footer]]] = {}
    for split, file in zip(_splits_of(addresses, owner), files, strict=True):
        splits.setdefault(split, []).append(file)
    return {split: _rows(each, owner) for split, each in splits.items()}


def _splits_of(addresses: Sequence[str], owner: str) -> list[str]:
    """Return the splits of files by their names, or raise if only some say theirs."""
    names = list(map(_split_of, addresses))
    if all(names):
        return [str(name) for name in names]
    other = next((name for name in names if name not in (None, "train")), None)
    if other is not None:
        one, untold = addresses[names.index(other)], addresses[names.index(None)]
        raise InputError(
            f"{owner}: the name of {one} gives the split {other!r}, but that of {untold} "
            "gives none; run once for each split, with a pattern that names its files only."
        )
    return ["train"] * len(addresses)


def _split_of(address: str) -> str | None:
    """Return the split that the name of a file or of its folder says."""
    path = PurePosixPath(address)
    named = _NAMED.fullmatch(path.name)
    if named:
        return named["split"]
    for words in (set(re.split(r"[^a-z]+", path.stem.lower())), {path.parent.name.lower()}):
        found = [split for split, several in _SPLITS.items() if words & several]
        if len(found) == 1:
            return found[0]
    return None


def _rows(found: Sequence[tuple[ParquetFile, Footer]], owner: str) -> ParquetRows:
    """Put the files of a split together."""
    (first, footer), *others = found
    for file, other in others:
        if other.features != footer.features:
            name = next(
                name
                for name in {**footer.features, **other.features}
                if footer.features.get(name) != other.features.get(name)
            )
            kinds = [_kind(each.features.get(name)) for each in (footer, other)]
            raise InputError(
                f"{owner}: {file.address} has {kinds[1]} as the column {name!r}, but "
                f"{first.address} has {kinds[0]}; files that are read as one need the same columns "
                "of the same types."
            )
    rows = sum(file.rows for file, _ in found)
    size = sum(each.content for _, each in found) / max(1, rows)
    group = max(each.group for _, each in found)
    return ParquetRows(
        tuple(file for file, _ in found), footer.features, fitting_rows(rows, size, group=group)
    )


def _kind(feature: Any) -> str:
    """Name the type of a column."""
    if feature is None:
        return "nothing"
    return str(getattr(feature, "dtype", feature))


def refuse_inside(sources: str | Sequence[str], out: Path, *, owner: str) -> None:
    """Raise if what is to be written would be among the files that are read.

    Args:
        sources: As for `parquet_splits`.
        owner: Who asks, for errors.

    Raises:
        InputError: It would.

    Example:
        >>> refuse_inside("texts/*.parquet", Path("texts/swapped"), owner="run")
    """
    from fsspec.core import url_to_fs
    from fsspec.utils import glob_translate

    for source in [sources] if isinstance(sources, str) else sources:
        system, path = url_to_fs(source)
        if not is_here(system):
            continue
        pattern = path if "*" in path else f"{path.rstrip('/')}/**/*.parquet"
        for folder in (out, out.with_name(f"{out.name}.work")):
            file = folder.absolute() / "data" / "train-00000-of-00001.parquet"
            if re.match(glob_translate(pattern), file.as_posix()):
                raise InputError(
                    f"{owner}: {source} would also name the files that are written in {folder}; "
                    "write to another place, or give a pattern that leaves it out."
                )


def _found(source: str, owner: str) -> list[str]:
    """Return the addresses of the files that a source names, in the order of their names."""
    try:
        system, path = file_system(source)
        if "*" in path:
            paths = system.glob(path)
        else:
            paths = system.find(path) if system.isdir(path) else [path]
            paths = [each for each in paths if each.endswith(".parquet")]
        files = [system.unstrip_protocol(each) for each in sorted(paths)]
    except MemoryError:
        raise
    except Exception as error:  # Each file system fails in its own way.
        raise InputError(f"{owner}: {source} cannot be read: {said(error)}.") from error
    wrong = [file for file in files if not file.endswith(".parquet")]
    if wrong or not files:
        raise InputError(
            f"{owner}: {source} names {wrong[0] if wrong else 'no Parquet file'}, and only Parquet "
            "files are read in place; check the address, or name them by a pattern that "
            "ends in *.parquet (of other files, leave the quotes out)."
        )
    return files
