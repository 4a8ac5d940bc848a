"""What options take: how each is written in a help, read from a word, and completed by a shell.

A kind of option is a type with how it is written, and with what reads it if that is not the type:
`FILE = Annotated[Path, "FILE"]`.
"""

import json
from collections.abc import Callable
from encodings.aliases import aliases
from math import inf, isnan, nan
from pathlib import Path
from typing import Annotated, Any

import click
from click.shell_completion import CompletionItem

from fair_datasets.system.checks import InputError, not_allowed, suggestion


class OptionType(click.ParamType[Any]):
    """What an option takes."""

    def __init__(
        self, metavar: str = "TEXT", read: Callable[[str], Any] = str, *, is_path: bool = False
    ) -> None:
        """Take how it is written and read; the reader raises an `InputError`."""
        self.name, self.read, self.is_path = metavar, read, is_path

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return how it is written."""
        return self.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a word."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except InputError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete a path, where it may be one."""
        return [CompletionItem(incomplete, type="file")] if self.is_path else []


class Whole(click.IntRange):
    """A whole number."""

    name = "whole number"


class Number(click.FloatRange):
    """A number."""

    name = "number"


class Choice(click.Choice[Any]):
    """One of a few names; one that is none is told with what was meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what it must be."""
        listing = f"{ctx.command_path} --help-all" if ctx else ""
        return f"it {not_allowed(value, [str(each) for each in self.choices], listing=listing)}"


def folder(text: str) -> Path:
    """Read the path of a folder that is to be written here.

    Example:
        >>> folder("reviews").name
        'reviews'
    """
    if "://" in text:
        raise InputError(f"{text!r} is an address, but what is written here is a folder; name one.")
    path = Path(text)
    if text == "-" or (path.suffix and not text.endswith("/") and _is_file(path)):
        raise InputError(f"{text!r} is a file, but what is written here is a folder; name one.")
    return path


def _is_file(path: Path) -> bool:
    from fair_datasets.rows.exact import FORMATS, ending  # They take a while.

    return ending(path) in FORMATS


def source(text: str) -> str:
    """Read what names a dataset."""
    if not text:
        raise InputError("it is empty; give a path, or the name of a dataset of the Hub.")
    return text


def delimiter(text: str) -> str:
    r"""Read what separates cells.

    Example:
        >>> delimiter("tab")
        '\t'
    """
    separator = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(separator) != 1 or separator in '"\r\n':
        raise InputError(f"{text!r} is not one character, such as ';' or tab.")
    return separator


def encoding(text: str) -> str:
    """Read the name of an encoding."""
    if not _is_of_texts(text):
        near = suggestion(text, filter(_is_of_texts, aliases))
        raise InputError(f"{text!r} is no encoding that Python knows.{near}")
    return text


def _is_of_texts(name: str) -> bool:
    """Whether a codec is there, and is one of texts."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        return False
    return True


def words(text: str) -> tuple[str, ...]:
    """Read words that are separated by commas.

    Example:
        >>> words("she, he")
        ('she', 'he')
    """
    return tuple(word.strip() for word in text.split(","))


def shares(text: str) -> tuple[float, ...]:
    """Read shares that are separated by commas.

    Example:
        >>> shares("0.3,0.5")
        (0.3, 0.5)
    """
    return tuple(map(_share, text.split(",")))


def _share(word: str) -> float:
    share = number(word, nan)
    if not 0 <= share <= 1:
        hint = f"; {share:g} per cent is {share / 100:g}" if 1 < share <= 100 else ""
        raise InputError(f"{word!r} is not a share from 0 to 1{hint}.")
    return share


def prices(text: str) -> tuple[float, float]:
    """Read two prices."""
    values = [number(part, nan) for part in text.split(",")]
    if len(values) != 2 or not all(0 <= each < inf for each in values):
        raise InputError(f"it must be two numbers, such as 0.15,0.60, but it is {text!r}.")
    return values[0], values[1]


def size(text: str) -> tuple[str, float]:
    """Read a split and how many of the rows it gets."""
    name, _, written = text.partition("=")
    value = number(written, 0.0)
    if name == "train":
        raise InputError(
            f"{text!r}: train gets the rest of the rows; give the sizes of the other splits."
        )
    is_count = value >= 1 and value.is_integer()
    if not name or not (is_count or 0 < value < 1):
        raise InputError(
            f"{text!r} must name a split and its number or share of rows, such as test=10000."
        )
    return name, int(value) if is_count else value


def pair(text: str) -> tuple[str, str]:
    """Read NAME=VALUE, of which neither is empty."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise InputError(f"{text!r} is not a name and a value; write them as name=value.")
    return name, value


def names(text: str) -> tuple[tuple[str, str], ...]:
    """Read names of values, separated by commas.

    Example:
        >>> names("0=harmless, 1=sexist")
        (('0', 'harmless'), ('1', 'sexist'))
    """
    read = tuple((value.strip(), name.strip()) for value, name in map(pair, text.split(",")))
    if len(dict(read)) < len(read):
        raise InputError(f"{text!r} names one value twice.")
    return read


def setting(text: str) -> tuple[str, Any]:
    """Read a name and a value that is JSON or else a text.

    Example:
        >>> setting("beta=2"), setting("average=macro")
        (('beta', 2), ('average', 'macro'))
    """
    name, value = pair(text)
    return name, as_json(value)


def measured(text: str) -> tuple[str, float]:
    """Read a name and a number."""
    name, _, written = text.partition("=")
    if isnan(value := number(written, nan)):
        raise InputError(f"{text!r} is not a name and a number; write them as woman=0.5.")
    return name, value


def number(text: str, other: float) -> float:
    """Read a number; for what is none, return the other."""
    try:
        return float(text)
    except ValueError:
        return other


def as_json(text: str) -> Any:
    """Read a value as JSON; what is none is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


AXIS = Annotated[str, "AXIS"]
CHARACTER = Annotated[str, delimiter, "CHARACTER"]
COL = Annotated[str, "COL"]
DIR = Annotated[Path, folder, "DIR"]
ENCODING = Annotated[str, encoding, "NAME"]
FILE = Annotated[Path, "FILE"]
FOLDER = Annotated[str, "FOLDER"]
INPUT = Annotated[str, source, "INPUT"]
MODEL = Annotated[str, "MODEL"]
NAME = Annotated[str, "NAME"]
NAMES = Annotated[tuple[tuple[str, str], ...], names, "VALUE=NAME,..."]
NAMED = Annotated[tuple[str, str], pair, "NAME=VALUE"]
PLACE = Annotated[str, "PLACE"]
PRICES = Annotated[tuple[float, float], prices, "IN,OUT"]
REPOSITORY = Annotated[str, "USER/NAME"]
SETTING = Annotated[str, "NAME=VALUE"]
SIZE = Annotated[tuple[str, float], size, "SPLIT=N"]
SHARES = Annotated[tuple[float, ...], shares, "SHARE,..."]
VECTORS = Annotated[str, "FILE"]
WORDS = Annotated[tuple[str, ...], words, "A,B"]
