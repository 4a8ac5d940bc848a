"""Finding lexicons and lists of known people: those that ship with the package, and one's own.

A list of known people, whose rows `protect` leaves alone, is a tab-separated file with the column
`name`; what other columns say is for people alone. `people/known_people.tsv` is the one that ships.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.lexicons.lexicon import LARGEST, Lexicon, exceptions_file
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    format_choices,
    invalid,
    not_allowed,
    strings,
    suggestion,
    typed,
)
from fair_datasets.system.collection import uncollected
from fair_datasets.system.files import numbered_lines, regular_file, unreadable
from fair_datasets.system.portable import file_digest, file_digests

if TYPE_CHECKING:
    from datasets import Dataset


DATA = Path(__file__).parent / "data"
_NAME_FLAGS = re.compile(r"\[[a-z,]+\]")
# What people call an axis that goes by another name here.
_AXES = {
    "ability": "disability",
    "country": "nationality",
    "ethnicity": "race",
    "faith": "religion",
    "sex": "gender",
    "sexuality": "orientation",
}


@cache
def name_lexicons() -> tuple[str, ...]:
    """List the shipped lists of names, each for the axes that have the attributes of the list.

    Example:
        >>> "first_names" in name_lexicons()
        True
    """
    return tuple(name for name in _shipped() if "names" in _description(name))


def names_of(name: str) -> frozenset[str]:
    """Return the names of a list in lower case, in a fifth of the time that a lexicon takes.

    Args:
        name: One of `name_lexicons()`.

    Example:
        >>> "mary" in names_of("first_names")
        True
    """
    lines = (DATA / f"{name}.tsv").read_text("utf-8").rstrip("\n").split("\n")
    columns = zip(*(line.split("\t") for line in lines), strict=True)
    attributes = _description(name)["attributes"]
    cells = (cell for title, *cells in columns if title in attributes for cell in cells if cell)
    return frozenset(_NAME_FLAGS.sub("", "|".join(cells)).lower().split("|"))


def names_fit(name: str, lexicon: Lexicon, *, paired: bool) -> bool:
    """Whether a list of names is used on an axis.

    Args:
        name: One of `name_lexicons()`.
        paired: Whether the names must be paired one to one.

    Example:
        >>> names_fit("first_names", load_lexicon("gender"), paired=True)
        True
    """
    described = _description(name)
    fits = set(described["attributes"]) <= set(lexicon.attributes)
    fits &= described["language"] == lexicon.language
    return fits and ("counterparts" in described or not paired)


def available_lexicons() -> list[str]:
    """List the demographic axes whose lexicons ship with the package.

    Example:
        >>> available_lexicons()
        ['age', 'disability', 'gender', 'nationality', 'orientation', 'race', 'religion']
    """
    return [name for name in _shipped() if name not in name_lexicons()]


def lexicon_files(name: str) -> Mapping[str, Path]:
    """Name the files that make up a lexicon.

    Args:
        name: A shipped lexicon's name, or the path of a user's own `.tsv` file.

    Returns:
        The name (and the name with `.exceptions`, where there are any) to the file's path.

    Raises:
        InputError: There is no such lexicon, or it is no file of terms.

    Example:
        >>> sorted(lexicon_files("gender"))
        ['gender', 'gender.exceptions']
    """
    path = _path(name)
    # Asked here, as the next thing is to take a digest of the whole file.
    regular_file(path, largest=LARGEST)
    files = {name: path}
    if exceptions_file(path).exists():
        files[f"{name}.exceptions"] = exceptions_file(path)
    return files


def load_lexicon(name: str) -> Lexicon:
    """Load a lexicon by its name or path, once per process.

    Args:
        name: A shipped lexicon's name, or the path of a user's own `.tsv` file.

    Raises:
        InputError: There is no such lexicon, or its file is malformed.

    Example:
        >>> len(load_lexicon("gender").entries) >= 450
        True
    """
    digests = tuple((str(path), file_digest(path)) for path in lexicon_files(name).values())
    return _load(name, digests)


class Stage(NamedTuple):
    """A stage of life that ages in figures tell.

    Attributes:
        years: The lowest and the highest age that are read, in years; a higher one is the last's.
        decades: The decades of life that are read, in years.
    """

    years: tuple[int, ...]
    written_years: tuple[int, ...]
    decades: tuple[int, ...]
    written_decades: tuple[int, ...]


@cache
def stages_of_life() -> Mapping[str, Stage]:
    """Return the attributes of the axis age that have ages in years, the youngest first.

    Example:
        >>> stages_of_life()["middle-aged"].years
        (45, 64)
    """
    stages = _description("age")["stages"]
    return {
        attribute: Stage(**{name: tuple(ages) for name, ages in fields.items()})
        for attribute, fields in stages.items()
    }


@cache
def spans_of_life() -> Mapping[str, tuple[str, ...]]:
    """Return the attributes of the axis age that cover several stages of life.

    Returns:
        Attribute to the stages, of which the first one's ages are written.

    Example:
        >>> spans_of_life()["adult"][0]
        'young'
    """
    return {name: tuple(stages) for name, stages in _description("age")["spans"].items()}


@lru_cache
@uncollected(stays=True)
def _load(name: str, digests: tuple[tuple[str, str], ...]) -> Lexicon:
    """Read a lexicon whose files have these digests."""
    path = Path(digests[0][0])
    lexicon = Lexicon.from_tsv(path)
    if path != DATA / f"{name}.tsv":
        return lexicon
    description = _description(name)
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
        names=description.get("names", ""),
        language=description["language"],
        experimental=description.get("experimental", ""),
        _drawn=tuple(description.get("drawn", ())),
    )


@cache
def _shipped() -> tuple[str, ...]:
    """List everything that ships, sorted."""
    return tuple(sorted(path.stem for path in DATA.glob("*.toml")))


@cache
def _description(name: str) -> dict[str, Any]:
    """Read what is said of a lexicon that ships."""
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


def _path(name: str) -> Path:
    """Return the file of a lexicon, or raise a sentence that lists what exists."""
    if str(name).endswith(".tsv"):
        return Path(name)
    if name not in name_lexicons():
        if Path(name).suffix:
            raise invalid(
                f"axis {name!r} is taken for a file, whose name must end in .tsv; save it "
                "as text with tabs between the columns, under a name with that ending."
            )
        if name not in (axes := available_lexicons()):
            text = not_allowed(name, axes, _AXES.get(name.casefold(), ""))
            raise invalid(f"{typed('axis')} {text} An axis of your own is the path of a .tsv file.")
    return DATA / f"{name}.tsv"


@lru_cache
def listed_words(
    axis: str, names: bool, terms: tuple[str, ...], digests: tuple[tuple[str, str], ...]
) -> frozenset[str]:
    """Return the words that name an attribute of an axis by their meaning: their part is 0."""
    lexicons = [load_lexicon(name) for name in listing_lexicons(axis, names)]
    words = {form.text for each in lexicons for form in each.forms() if form.is_read}
    return frozenset({*words, *terms})


def listing_lexicons(axis: str, names: bool) -> list[str]:
    """Return the lexicons whose words name an attribute of an axis by their meaning."""
    if not names:
        return [axis]
    lexicon = load_lexicon(axis)
    return [axis, *(name for name in name_lexicons() if names_fit(name, lexicon, paired=False))]


KNOWN_PEOPLE = "known_people"
"""The name of the list that ships."""

_ENDING = ".tsv"
_COLUMN = "name"
# What is no name either, but the file of a list in another form.
_FILES = (_ENDING, ".csv", ".gz", ".json", ".jsonl", ".parquet", ".txt")
_WORD = re.compile(r"(?<![\w@#])[^\W_]+(?!\w)")
# A name with a comma has a space behind it: "Tyler, the Creator".
_SEVERAL = re.compile(r"[,;](?=[^\W\d_])")
_SHIPPED = Path(__file__).parent / "people" / f"{KNOWN_PEOPLE}{_ENDING}"


def is_people_list(name: str) -> bool:
    """Whether what is protected is a list of known people, and no name of somebody.

    Returns:
        Whether it is the list that ships, or the path of a `.tsv` file.

    Example:
        >>> is_people_list("known_people"), is_people_list("mine.tsv"), is_people_list("Lily Allen")
        (True, True, False)
    """
    return name == KNOWN_PEOPLE or name.endswith(_ENDING)


def protected(value: Any) -> tuple[str, ...]:
    """Return what is protected, as a tuple, or raise.

    Example:
        >>> protected("people.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: protected: protect takes names, 'known_people' and
        .tsv files with a column 'name', but it is given 'people.csv'; `save_people` writes a file.
    """
    names = strings(value, parameter="protect")
    for name in names:
        if not (is_people_list(name) or _WORD.search(name)):
            raise invalid(
                f"protect takes names, {KNOWN_PEOPLE!r} and {_ENDING} files, but no word "
                f"of a text is {name!r}.{suggestion(name, [KNOWN_PEOPLE])}"
            )
        if (parts := _SEVERAL.split(name))[1:] and not is_people_list(name):
            raise invalid(
                f"protect takes each name by itself, {format_choices(parts)}, but it is given "
                f"{name!r}, which no text holds."
            )
        plain = re.sub("[ -]", "_", name.strip().lower())
        is_list = plain == KNOWN_PEOPLE or plain.endswith(_FILES) or "://" in plain
        if is_list and not is_people_list(name):
            raise invalid(
                f"protect takes names, {KNOWN_PEOPLE!r} and {_ENDING} files with a column "
                f"{_COLUMN!r}, but it is given {name!r}; `save_people` writes a file."
            )
    read_people(names, dict(file_digests(people_files(names))))
    return names


def people_files(protect: Iterable[str]) -> dict[str, Path]:
    """Name the files of the lists among what is protected."""
    lists = (name for name in protect if is_people_list(name))
    files = {name: _SHIPPED if name == KNOWN_PEOPLE else Path(name) for name in lists}
    for path in files.values():
        regular_file(path, largest=LARGEST)
    return files


def read_people(protect: Iterable[str], digests: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the lists among what is protected, as a technique was made with them."""
    files = sorted(people_files(protect).items())
    for name, path in files:
        if file_digest(path) != digests.get(name):
            raise InputError(
                f"The list of people {name!r} has changed since the technique was made; create "
                "the technique again to work with the list as it is."
            )
    return tuple(chain.from_iterable(_names(path, file_digest(path)) for _, path in files))


def save_people(
    names: "Iterable[str] | Dataset", path: str | Path, *, column: str = _COLUMN
) -> Path:
    """Write a list of known people, for `protect`, from names or from a dataset of them.

    Args:
        names: The names; or a dataset, such as one of the Hub, with a column of them.
        path: The file, which ends in `.tsv`; one that is there is replaced.

    Raises:
        InputError: There is no such column, no name, or something else than a name among them; or
            the file cannot be written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from fair_datasets import CounterfactualSwap
        >>> with TemporaryDirectory() as folder:
        ...     people = save_people(["Ada Lovelace"], Path(folder, "people.tsv"))
        ...     swap = CounterfactualSwap(columns="text", mode="replace", protect=str(people))
        ...     swap({"text": ["Ada Lovelace wrote it. She was a countess.", "She ran."]})["text"]
        ['Ada Lovelace wrote it. She was a countess.', 'He ran.']
    """
    path = Path(path)
    if path.suffix != _ENDING:
        raise invalid(f"the path must end in {_ENDING}, but it is {str(path)!r}.")
    if isinstance(names, str | Mapping) or not isinstance(names, Iterable):
        raise invalid(
            f"it needs a list of names or one dataset, but it was given the type "
            f"{type(names).__name__!r}; choose one of several splits."
        )
    given: Any = names
    if hasattr(names, "column_names"):
        known = names.column_names
        if known is not None and column not in known:  # A stream may not know its columns.
            raise invalid(
                f"there is no column {column!r}; the columns are {format_choices(known)}."
            )
        given = (row[column] for row in given.with_format(None))
    lines = [_checked(name, f"{caller_name()}: row {row}") for row, name in enumerate(given)]
    _refuse_none(lines, caller_name())
    try:
        path.write_text("\n".join([_COLUMN, *dict.fromkeys(lines)]) + "\n", "utf-8")
    except OSError as error:
        raise invalid(f"{path} cannot be written: {error.strerror}.") from error
    return path


@lru_cache
def _names(path: Path, digest: str) -> tuple[str, ...]:
    """Read the names of a list, once per process."""
    try:
        return tuple(dict.fromkeys(_read_people(path)))
    except OSError as error:
        raise unreadable(path, error) from error


def _read_people(path: Path) -> Iterator[str]:
    lines = numbered_lines(path, largest=LARGEST)
    header = next((line for _, line in lines), "").split("\t")
    if _COLUMN not in header:
        raise InputError(
            f"{path}: a list of people needs the column {_COLUMN!r} in its first line, but that is "
            f"{header!r}."
        )
    place, is_empty = header.index(_COLUMN), True
    for number, line in lines:
        cells = line.split("\t")
        name = cells[place] if place < len(cells) else ""
        # Of many thousands of lines few have no word, of which alone has to be told where they are.
        is_name = name[:1].isalnum() or any(map(str.isalnum, name))
        yield name.strip() if is_name else _checked(name, f"{path}, line {number}")
        is_empty = False
    if is_empty:
        _refuse_none([], str(path))


def _checked(name: Any, where: str) -> str:
    """Return a name without the spaces around it, or raise."""
    if not isinstance(name, str):
        raise InputError(f"{where}: a name must be a string, but it is {name!r}.")
    if not any(map(str.isalnum, name)) or "\t" in name or "\n" in name:
        raise InputError(f"{where}: {name!r} is not the name of a person; remove it.")
    return name.strip()


def _refuse_none(names: list[str], where: str) -> None:
    if not names:
        raise InputError(f"{where}: the list has no name; give some.")
