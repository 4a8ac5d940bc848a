"""Choosing what tags words: the student that ships, another one, or a token classifier."""

from os import PathLike, fspath
from pathlib import Path
from typing import Any

from fair_datasets.reader.student import WEIGHTS, Student, shipped
from fair_datasets.reader.tags import Reader
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import file_digests, file_states
from fair_datasets.system.pretrained import folder_files, is_folder

STUDENT = ".safetensors"
"""How the file of a student's weights is named; any other name is of a folder or on the Hub."""
_MOST_READ = 2
_read: dict[tuple[Any, ...], Reader] = {}


def load_reader(name: str | PathLike[str] | None = None, *, owner: str = "load_reader") -> Reader:
    """Load a reader, which tags words: once per process, unless its files change.

    Args:
        name: A folder or the Hub id of a token classifier with the tags of `reader.tags.TAGS`, an
            id perhaps with a branch, a tag or a commit (`ada/reader@v1`); a file of weights that
            `fair-datasets train reader` wrote; None for the network that ships. The last two need
            NumPy alone.
        owner: The class or function that needs it, for errors.

    Returns:
        The reader.

    Raises:
        InputError: It cannot be found or read, has no safetensors, or other tags.
        MissingExtraError: A token classifier needs torch and transformers, and one is missing.

    Example:
        >>> import numpy as np
        >>> from fair_datasets.reader.matching.words import Words
        >>> words = Words(["Mary lives in Paris."])
        >>> load_reader().tags(words, np.array([0, 3])).named()
        ['given name', 'place']
    """
    if name is None:
        return shipped()
    name = str(checked_reader(name, owner=owner))
    paths = tuple(map(str, reader_files(name, owner=owner).values()))
    key = name, file_states(paths)
    reader = _read.get(key)
    if reader is None:
        reader = _loaded(name, owner)
        if len(_read) >= _MOST_READ:
            _read.clear()
        _read[key] = reader
    return reader


def checked_reader(
    value: str | PathLike[str] | None, pipeline: str | None = None, *, owner: str
) -> str | None:
    """Return a parameter that names a reader as a string, or raise; nothing is loaded.

    Args:
        value: What the user gave; None for what ships.
        owner: The class or function whose parameter it is.

    Returns:
        The name or path; None for None.

    Raises:
        InputError: It is no name, there is no such file or folder, or a pipeline is given as well.

    Example:
        >>> checked_reader(True, owner="CounterfactualSwap")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: CounterfactualSwap: reader must be a folder or the Hub id
        of a token classifier, or a file of weights, but it is True; leave it out for the network
        that ships.
    """
    if value is None:
        return None
    if not isinstance(value, str | PathLike) or not fspath(value):
        raise InputError(
            f"{owner}: reader must be a folder or the Hub id of a token classifier, or a file of "
            f"weights, but it is {value!r}; leave it out for the network that ships."
        )
    if pipeline is not None:
        raise InputError(
            f"{owner}: reader={str(value)!r} and pipeline={pipeline!r} answer the same questions; "
            "give one of them."
        )
    name = str(fspath(value))
    reader_files(name, owner=owner)
    return name


def reader_files(name: str | None, *, owner: str) -> dict[str, Path]:
    """Name the files of a reader that lies on this machine.

    Args:
        name: As for `load_reader`.
        owner: The class or function that needs them.

    Returns:
        Resource name to path; nothing for a Hub id.

    Raises:
        InputError: The name is a path, but nothing is there.

    Example:
        >>> list(reader_files(None, owner="demonstration"))
        ['reader/student.safetensors']
    """
    if name is None:
        return {f"reader/{WEIGHTS.name}": WEIGHTS}
    if not name.endswith(STUDENT):
        return folder_files(name, owner=owner, has_owner=True)
    if not Path(name).is_file():
        raise InputError(f"{owner}: there is no file {name!r}; check the path of the reader.")
    return {name: Path(name)}


def refuse_changed_reader(
    name: str | None, digests: tuple[tuple[str, str], ...], *, owner: str
) -> None:
    """Raise if a reader has changed since its digests were taken.

    Args:
        name: As for `load_reader`.
        digests: Resource name to SHA-256 of its files, and of others.
        owner: The class or function that needs it.

    Raises:
        InputError: The reader has changed, or it is gone.
    """
    if not set(file_digests(reader_files(name, owner=owner))) <= set(digests):
        raise InputError(
            f"{owner}: the reader {name or WEIGHTS.name!r} has changed since the technique was "
            "made; create the technique again to work with the reader as it is."
        )


def _loaded(name: str, owner: str) -> Reader:
    """Read a student or a token classifier."""
    if name.endswith(STUDENT):
        return Student.load(Path(name), owner=owner)
    from fair_datasets.reader.encoder import Encoder

    name, _, revision = (name, "", "") if is_folder(name) else name.partition("@")
    return Encoder.load(name, owner=owner, revision=revision or None)
