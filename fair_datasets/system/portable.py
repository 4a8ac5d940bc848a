"""Names that may leave this machine: nothing that is published says where on it files lie."""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fair_datasets.system.configurations import (
    EXTERNAL,
    OWN_FILES,
    external_names,
    moved,
    renamed,
)
from fair_datasets.system.files import regular_file, unreadable


def file_digests(files: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of several files.

    Args:
        files: Resource name to path, as `Technique.resources` names them.

    Returns:
        Pairs of (resource name, 64 hexadecimal digits), sorted.
    """
    return tuple(sorted((name, file_digest(path)) for name, path in files.items()))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes.

    Returns:
        64 hexadecimal digits.
    """
    state = regular_file(path)
    try:
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from error


def file_states(paths: Sequence[str]) -> tuple[tuple[int, int] | None, ...]:
    """Return what tells cheaply whether files have changed, as `file_digest` tells it.

    Returns:
        Size and time of each; None where there is no such file.
    """
    return tuple(map(_state, paths))


def _state(path: str) -> tuple[int, int] | None:
    """Return the size and the time of a file; None where there is none."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_size, state.st_mtime_ns


@lru_cache(maxsize=1024)
def _digest(path: Path, size: int, modified: int) -> str:
    """Return the SHA-256 of a file, read again only if its size or time has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_PUBLISHED = re.compile(
    "|".join(rf"{place}/[0-9a-f]{{8}}/[^/\\]+\{ending}" for ending, place in OWN_FILES.items())
)


def portable(config: Mapping[str, Any]) -> dict[str, Any]:
    """Write a configuration as it may leave this machine.

    A lexicon or weights of one's own are named as the file that is published with the
    configuration; the folder of a model or a pipeline by its last parts, as many as tell it from
    others.
    """
    parameters, digests = config.get("parameters", {}), config.get("digests", {})
    names = portable_names(external_names(parameters), digests)
    changed = {"parameters": moved(parameters, names, EXTERNAL), "digests": renamed(digests, names)}
    return {key: changed.get(key, value) for key, value in config.items()}


def portable_names(names: Iterable[str], digests: Mapping[str, str]) -> dict[str, str]:
    """Return the names by which things are known outside of this machine.

    Example:
        >>> portable_names(["/probes/1/last", "/probes/2/last", "ada/probe"], {})
        {'/probes/1/last': '1/last', '/probes/2/last': '2/last', 'ada/probe': 'ada/probe'}
    """
    names = list(names)
    paths = [name for name in names if is_path(name)]
    return {
        name: _name_of_own(name, digests)
        if name.endswith(tuple(OWN_FILES))
        else _last_parts(name, paths)
        if name in paths
        else name
        for name in names
    }


def is_published(name: str) -> bool:
    """Tell whether a portable name is that of a file that lies beside the configuration."""
    return _PUBLISHED.fullmatch(name) is not None


def is_path(text: str) -> bool:
    """Tell whether a name is that of a file or a folder here, and no Hub id."""
    if Path(text).is_absolute() or text.startswith(("./", "../", "~/")):
        return True
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return False


def without_folders(text: str) -> str:
    """Return the last part of a path that leads out of the working folder; other text as it is.

    A command or a snippet that names a path below the working folder runs again where the files
    lie as they did, and says nothing of the machine.

    Args:
        text: A path, a Hub id, or a description.

    Example:
        >>> without_folders("/home/ada/reviews.csv"), without_folders("ada/reviews@main")
        ('reviews.csv', 'ada/reviews@main')
        >>> without_folders("../ada/reviews.csv"), without_folders("./reviews/test.csv")
        ('reviews.csv', 'reviews/test.csv')
    """
    if not is_path(text):
        return text
    path = Path(text)
    leads_out = path.is_absolute() or text.startswith("~") or ".." in path.parts
    return base_name(text) if leads_out or not path.name else path.as_posix()


def all_without_folders(value: Any) -> Any:
    """Return the last parts of paths, wherever they are in the value of a parameter.

    Args:
        value: A path, several, or something else.

    Returns:
        The same with what `without_folders` returns.

    Example:
        >>> all_without_folders(("Ada Lovelace", "/home/ada/people.tsv")), all_without_folders(None)
        (('Ada Lovelace', 'people.tsv'), None)
    """
    if isinstance(value, list | tuple):
        return type(value)(map(all_without_folders, value))
    return without_folders(value) if isinstance(value, str) else value


def base_name(path: str) -> str:
    """Return the last part of a path.

    Returns:
        The part; of a path such as "..", the name of the folder that it is.
    """
    name = Path(path).name
    return Path(path).resolve().name if name in ("", "..") else name


def _last_parts(path: str, paths: Sequence[str]) -> str:
    """Return the last parts of a path, as many as tell it from the others."""
    mine, others = Path(path).parts, [Path(other).parts for other in paths if other != path]
    for count in range(1, len(mine)):
        if all(other[-count:] != mine[-count:] for other in others):
            return "/".join(mine[-count:])
    return base_name(path)


def _name_of_own(path: str, digests: Mapping[str, str]) -> str:
    """Return the place of a file of one's own in the folder that is published."""
    # Its own folder is named after what it holds, so that an edited file of the same name has a
    # place beside it.
    parts = [digests[name] for name in sorted(digests) if name in (path, f"{path}.exceptions")]
    if not parts:
        return base_name(path)
    content = hashlib.sha256("".join(parts).encode()).hexdigest()[:8]
    return f"{OWN_FILES[Path(path).suffix]}/{content}/{base_name(path)}"
