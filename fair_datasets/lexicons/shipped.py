"""Finding lexicons: those that ship with the package, and a user's own."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fair_datasets.checks import InputError, one_of
from fair_datasets.lexicons.lexicon import Lexicon, exceptions_file
from fair_datasets.technique import file_digest

DATA = Path(__file__).parent / "data"
# Its terms are read on the axes that have its attributes; it is no axis of its own.
FIRST_NAMES = "first_names"


def available_lexicons() -> list[str]:
    """List the demographic axes whose lexicons ship with the package.

    Returns:
        Their names, sorted.

    Example:
        >>> available_lexicons()
        ['gender']
    """
    return sorted(path.stem for path in DATA.glob("*.toml") if path.stem != FIRST_NAMES)


def lexicon_files(name: str) -> Mapping[str, Path]:
    """Name the files that make up a lexicon.

    Args:
        name: A shipped lexicon's name, or the path of a user's own `.tsv` file.

    Returns:
        The name (and the name with `.exceptions`, where there are any) to the file's path.

    Raises:
        InputError: There is no such lexicon.

    Example:
        >>> sorted(lexicon_files("gender"))
        ['gender', 'gender.exceptions']
    """
    path = _path(name)
    files = {name: path}
    if exceptions_file(path).exists():
        files[f"{name}.exceptions"] = exceptions_file(path)
    return files


def load_lexicon(name: str) -> Lexicon:
    """Load a lexicon by its name or path, once per process.

    Args:
        name: A shipped lexicon's name, or the path of a user's own `.tsv` file.

    Returns:
        The lexicon.

    Raises:
        InputError: There is no such lexicon, or its file is malformed.

    Example:
        >>> len(load_lexicon("gender").entries) >= 450
        True
    """
    digests = tuple((str(path), file_digest(path)) for path in lexicon_files(name).values())
    return _load(name, digests)


@lru_cache(maxsize=32)
def _load(name: str, digests: tuple[tuple[str, str], ...]) -> Lexicon:
    """Read a lexicon whose files have these digests."""
    path = Path(digests[0][0])
    lexicon = Lexicon.from_tsv(path)
    if path != DATA / f"{name}.tsv":
        return lexicon
    description = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))
    for file, digest in digests:
        stated = description["digests"].get(Path(file).name)
        if digest != stated:
            raise InputError(
                f"{file} does not have the SHA-256 that {name}.toml states ({stated}); reinstall "
                "fair-datasets, or copy the file and pass the copy's path to use your own edits."
            )
    return replace(
        lexicon,
        counterparts=description.get("counterparts", lexicon.counterparts),
        neutral=description.get("neutral", ""),
    )


def _path(name: str) -> Path:
    """Return the file of a lexicon, or raise a sentence that lists what exists."""
    if str(name).endswith(".tsv"):
        return Path(name)
    if name != FIRST_NAMES:
        one_of(name, available_lexicons(), owner="Lexicon", parameter="axis")
    return DATA / f"{name}.tsv"
