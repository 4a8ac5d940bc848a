"""English verbs: from the third person singular to the form behind "they", and participles."""

import csv
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.checks import InputError
from fair_datasets.digests import file_digest

_TABLE = Path(__file__).with_name("verbs.tsv")
_SIBILANT = re.compile(r"(?:[sxz]|ch|sh|[^aeiou]o)es")
_NO_THIRD_PERSON = re.compile(r".*(?:ss|us|is)|.{0,2}")


class Verb(NamedTuple):
    """A verb of the table.

    Attributes:
        base: The base form.
        is_plural_noun: Whether the third person is spelt like the plural of a noun ("dances").
    """

    base: str
    is_plural_noun: bool


@cache
def verbs() -> Mapping[str, Verb]:
    """Return the verbs of the table by their third person, read once per process.

    Returns:
        The third person in lower case to the verb.

    Raises:
        InputError: The table is not the one that `verbs.toml` describes.

    Example:
        >>> verbs()["dances"]
        Verb(base='dance', is_plural_noun=True)
    """
    return {row["third_person"]: Verb(row["base"], bool(row["plural_noun"])) for row in _rows()}


@cache
def auxiliaries() -> Mapping[str, str]:
    """Return the singular auxiliaries with their plurals; "isn't" is listed as "isn".

    Returns:
        The singular to the plural, in lower case.

    Example:
        >>> auxiliaries()["does"], auxiliaries()["hasn"]
        ('do', 'haven')
    """
    table: Mapping[str, str] = _description()["auxiliaries"]
    return table


def plural_form(word: str) -> str:
    """Return what stands behind "they" in the place of a third person singular.

    Args:
        word: The verb, in lower case.

    Returns:
        The form behind "they"; empty if the table has no such third person.

    Example:
        >>> plural_form("was"), plural_form("tries"), plural_form("tried")
        ('were', 'try', '')
    """
    if word in auxiliaries():
        return auxiliaries()[word]
    verb = verbs().get(word)
    return verb.base if verb else ""


def guessed_plural_form(word: str) -> str:
    """Return what stands behind "they" in the place of a third person that the table may lack.

    Args:
        word: What seems to be a verb, in lower case.

    Returns:
        The form of the table, or the one by rule; empty if it cannot be a third person.

    Example:
        >>> guessed_plural_form("retweets"), guessed_plural_form("vlogged")
        ('retweet', '')
    """
    known = plural_form(word)
    if known or not word.endswith("s") or not word.isalpha() or _NO_THIRD_PERSON.fullmatch(word):
        return known
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[: -2 if _SIBILANT.search(word, len(word) - 4) else -1]


@cache
def _bases() -> frozenset[str]:
    """Return the base forms of the table."""
    return frozenset(verb.base for verb in verbs().values())


def is_base(word: str) -> bool:
    """Tell whether a word is the base form of a verb.

    Args:
        word: The word, in lower case.

    Returns:
        True also where the word is a noun as well.

    Example:
        >>> is_base("sing"), is_base("sings")
        (True, False)
    """
    return word in _bases()


def is_past_participle(word: str) -> bool:
    """Tell whether a word may be a past participle.

    Args:
        word: The word, in lower case.

    Returns:
        True for "taken" and "liked", also where the word is a past or an adjective as well.

    Example:
        >>> [word for word in ("taken", "liked", "taking", "ready") if is_past_participle(word)]
        ['taken', 'liked']
    """
    return word.endswith("ed") or word in _irregular_participles()


@cache
def _irregular_participles() -> frozenset[str]:
    """Return the past participles that do not end in "ed"."""
    cells = (row["participles"] for row in _rows())
    return frozenset(form for cell in cells if cell for form in cell.split("|")) | {"been"}


@cache
def _description() -> Mapping[str, Any]:
    """Read what `verbs.toml` says."""
    return tomllib.loads(_TABLE.with_suffix(".toml").read_text("utf-8"))


@cache
def _rows() -> list[dict[str, str]]:
    """Read the table, whose digest has to be the one stated."""
    stated = _description()["digests"][_TABLE.name]
    if file_digest(_TABLE) != stated:
        raise InputError(
            f"{_TABLE} does not have the SHA-256 that verbs.toml states ({stated}); reinstall "
            "fair-datasets."
        )
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
