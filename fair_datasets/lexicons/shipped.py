"""Finding lexicons: those that ship with the package, and a user's own."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.lexicons.lexicon import LARGEST, Lexicon, exceptions_file
from fair_datasets.system.checks import InputError, one_of
from fair_datasets.system.files import regular_file
from fair_datasets.system.portable import file_digest

DATA = Path(__file__).parent / "data"
# What people call an axis that goes by another name here.
_AXES = {
    "country": "nationality",
    "ethnicity": "race",
    "faith": "religion",
    "sex": "gender",
    "sexuality": "orientation",
}


@cache
def name_lexicons() -> tuple[str, ...]:
    """List the shipped lists of names, which are read on the axes that have their attributes.

    Example:
        >>> "first_names" in name_lexicons()
        True
    """
    return tuple(name for name in _shipped() if "names" in _description(name))


def names_fit(name: str, lexicon: Lexicon, *, paired: bool) -> bool:
    """Tell whether a list of names is read on an axis.

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
        ['age', 'gender', 'nationality', 'orientation', 'race', 'religion']
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
        attribute: Stage(**{name: tuple(ages) for name, ages in told.items()})
        for attribute, told in stages.items()
    }


@cache
def spans_of_life() -> Mapping[str, tuple[str, ...]]:
    """Return the attributes of the axis age that hold several stages of life.

    Returns:
        Attribute to the stages, of which the first one's ages are written.

    Example:
        >>> spans_of_life()["adult"][0]
        'young'
    """
    return {name: tuple(stages) for name, stages in _description("age")["spans"].items()}


@lru_cache
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
            raise InputError(
                f"Lexicon: axis {name!r} is taken for a file, whose name must end in .tsv; save it "
                "as text with tabs between the columns, under a name with that ending."
            )
        meant = _AXES.get(name.casefold(), "")
        one_of(name, available_lexicons(), owner="Lexicon", parameter="axis", meant=meant)
    return DATA / f"{name}.tsv"


@lru_cache
def listed_words(
    axis: str, names: bool, terms: tuple[str, ...], digests: tuple[tuple[str, str], ...]
) -> frozenset[str]:
    """Return the words that name an attribute of an axis by their meaning: their part is 0."""
    lexicons = [load_lexicon(name) for name in listing_lexicons(axis, names)]
    found = {form.text for each in lexicons for form in each.forms() if form.is_read}
    return frozenset({*found, *terms})


def listing_lexicons(axis: str, names: bool) -> list[str]:
    """Return the lexicons whose words name an attribute of an axis by their meaning."""
    if not names:
        return [axis]
    lexicon = load_lexicon(axis)
    return [axis, *(name for name in name_lexicons() if names_fit(name, lexicon, paired=False))]
