"""Every error sentence about a parameter or an extra, and how a warning is given.

A sentence names what was called, the parameter and the value, and says what to do; where a choice
was missed it lists what exists. For columns see `fair_datasets.rows.column_checks`.
"""

import inspect
import re
import shlex
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from numbers import Integral
from pathlib import PurePath
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
# Whose lines are not the user's: the package's, and its modules as `evaluate` loads them.
_OURS = ("fair_datasets.", "evaluate_modules.", "hub_scripts.")


class InputError(ValueError):
    """Something that the user can mend, such as a wrong value, told in one sentence.

    The command line prints its sentence without a traceback.

    Example:
        >>> raise InputError("mode must be one of 'augment', 'replace'.")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: mode must be one of 'augment', 'replace'.
    """

    __module__ = "fair_datasets"  # Told by the name under which people catch it.


_NAMED: ContextVar[str] = ContextVar("_NAMED", default="")
_OPTIONS: ContextVar[Mapping[str, str]] = ContextVar("_OPTIONS", default=types.MappingProxyType({}))


@contextmanager
def error_context(owner: str, options: Mapping[str, str] | None = None) -> Iterator[None]:
    """Set what the sentences of errors and warnings are of, where that is no call of Python.

    Args:
        owner: A file, a part of a configuration, or a command.
        options: The options of a command, by the parameters that they set; None for those of the
            command in which this is.

    Example:
        >>> with error_context("rows.csv, line 2"):
        ...     fraction(2, parameter="share")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: rows.csv, line 2: share must be a number from 0 to 1, but it is 2.
    """
    token, before = _NAMED.set(owner), _OPTIONS.set(_OPTIONS.get() if options is None else options)
    try:
        yield
    finally:
        _NAMED.reset(token)
        _OPTIONS.reset(before)


def typed(parameter: str, value: Any = None) -> str:
    """Write a parameter, or one and its value, as it is typed: in Python, or in a shell.

    Example:
        >>> typed("rate"), typed("mode", "pair"), typed("names", False)
        ('rate', "mode='pair'", 'names=False')
        >>> with error_context("augment", {"mode": "--mode", "names": "--names"}):
        ...     typed("mode", "pair"), typed("names", False), typed("rate")
        ('--mode pair', '--no-names', 'rate')
    """
    option = _OPTIONS.get().get(parameter)
    if option is None or value is None:
        return option or (parameter if value is None else f"{parameter}={value!r}")
    if isinstance(value, bool):
        return option if value else option.replace("--", "--no-", 1)
    return f"{option} {shlex.quote(str(value))}"


def is_offered(parameter: str) -> bool:
    """Return whether who reads the sentence can give this: a command has fewer than Python."""
    return not _OPTIONS.get() or parameter in _OPTIONS.get()


def in_error_context(work: Callable[P, R]) -> Callable[P, R]:
    """Return a function for another thread or process, whose errors name what was called here."""
    return partial(_named_as, caller_name(), dict(_OPTIONS.get()), work)


def _named_as(
    owner: str, options: dict[str, str], work: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    with error_context(owner, options):
        return work(*args, **kwargs)


def caller_name() -> str:
    """Return the name of what the user called, a function or a class; "" outside a call."""
    named, frame = _NAMED.get(), inspect.currentframe()
    if named:
        return named
    while frame:
        module = frame.f_globals
        if module.get("__name__", "").startswith(_OURS) and module is not globals():
            named = _public_name(frame) or named
        frame = frame.f_back
    return named


def _public_name(frame: types.FrameType) -> str:
    """Return the function, or the class of the method, that a frame runs; "" for an inner one."""
    code = frame.f_code
    name = code.co_qualname.partition(".")[0]
    if code.co_argcount and code.co_varnames[0] in ("self", "cls"):
        first = frame.f_locals[code.co_varnames[0]]
        kind = first if isinstance(first, type) else type(first)
        name = getattr(first, "called", kind.__name__)
    return "" if name.startswith(("_", "<")) else name


def invalid(sentence: str) -> InputError:
    """Make the error that tells what was wrong with a call, after the name of what was called.

    Example:
        >>> with error_context("CounterfactualSwap"):
        ...     raise invalid("rate must be a number, but it is 'x'.")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: CounterfactualSwap: rate must be a number, but it is 'x'.
    """
    owner = caller_name()
    return InputError(f"{owner}: {sentence}" if owner else sentence)


def iter_causes(error: BaseException) -> Iterator[BaseException]:
    """Walk from an exception to what caused it.

    Yields:
        The exception, its cause, the cause of that, ...
    """
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def warn(sentence: str, category: type[Warning] = UserWarning) -> None:
    """Warn of what was called, at the line outside this package that called it."""
    level, frame = 1, inspect.currentframe()
    while frame and frame.f_globals.get("__name__", "").startswith(_OURS):
        level, frame = level + 1, frame.f_back
    owner = caller_name()
    warnings.warn(f"{owner}: {sentence}" if owner else sentence, category, stacklevel=level)


def one_of(
    value: Any, allowed: Iterable[str], *, parameter: str, meant: str = "", listing: str = ""
) -> None:
    """Raise unless a parameter is one of the allowed values.

    Args:
        meant: Which of the allowed values the user may have meant, if that is known.
        listing: What lists the allowed values, where they are many.
    """
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise invalid(f"{typed(parameter)} {not_allowed(value, names, meant, listing)}")


_ALIKE = 0.4
FEW = 20
"""How many names a sentence lists at the most."""


def not_allowed(value: Any, names: Sequence[str], meant: str = "", listing: str = "") -> str:
    """Return what a value must be: one of a few names, or of many those that are most like it.

    Args:
        meant: Which name the user may have meant, if that is known.
        listing: What lists the names, where they are many.

    Example:
        >>> not_allowed("pear", ["pair", "replace"])
        "must be one of 'pair', 'replace', but it is 'pear'. Did you mean 'pair'?"
        >>> pages = ["audit", "limits", *map(str, range(30))]
        >>> not_allowed("limts", pages, listing="`docs`")
        "must be one of 32 names, but it is 'limts'. Did you mean 'limits'? `docs` lists all."
        >>> not_allowed("cda", [])
        "is 'cda', but there is nothing to choose from; leave it out."
    """
    if not names:
        return f"is {value!r}, but there is nothing to choose from; leave it out."
    known = format_allowed(names) if len(names) <= FEW else f"one of {len(names):,} names"
    near = f" Did you mean {meant!r}?" if meant else suggestion(value, names)
    return f"must be {known}, but it is {value!r}.{near or _nearest(value, names)}" + (
        f" {listing} lists all." if listing and len(names) > FEW else ""
    )


def _nearest(value: Any, names: Sequence[str]) -> str:
    """Return which of many names are like a value; empty for a few, which are listed."""
    matches = get_close_matches(str(value), names, n=3, cutoff=_ALIKE) if len(names) > FEW else []
    return f" Like it are {format_choices(matches)}." if matches else ""


def fraction(value: Any, *, parameter: str) -> float:
    """Return a parameter as a float in [0, 1], or raise.

    Example:
        >>> fraction(0.5, parameter="rate")
        0.5
    """
    is_number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not is_number or not 0 <= value <= 1:
        raise invalid(f"{typed(parameter)} must be a number from 0 to 1, but it is {value!r}.")
    return float(value)


def whole_number(value: Any, *, parameter: str, least: int | None = None) -> int:
    """Return a parameter as an int, or raise.

    Example:
        >>> whole_number("7", parameter="seed")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: seed must be a whole number, but it
        is '7'.
        >>> whole_number(-1, parameter="seed", least=0)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: seed must be at least 0, but it is -1.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise invalid(f"{typed(parameter)} must be a whole number, but it is {value!r}.")
    if least is not None and value < least:
        raise invalid(f"{typed(parameter)} must be at least {least}, but it is {value}.")
    return int(value)


def positive_whole_number(value: Any, *, parameter: str) -> int:
    """Return a parameter as an int that is at least 1, or raise.

    Example:
        >>> positive_whole_number(1, parameter="epochs")
        1
        >>> positive_whole_number(0, parameter="epochs")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: epochs must be at least 1, but it is 0.
    """
    return whole_number(value, parameter=parameter, least=1)


def switch(value: Any, *, parameter: str) -> bool:
    """Return a parameter as a bool, or raise."""
    if not isinstance(value, bool | np.bool_):
        raise invalid(f"{typed(parameter)} must be True or False, but it is {value!r}.")
    return bool(value)


def axis_name(value: Any, *, parameter: str = "axis") -> str:
    """Return what names an axis as a string, or raise; whether it exists is not asked here.

    Example:
        >>> axis_name(None)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: axis must be a lexicon's name or the
        path of a .tsv file, but it is None.
    """
    if not isinstance(value, str | PurePath):
        raise invalid(
            f"{typed(parameter)} must be a lexicon's name or the path of a .tsv file, but it is "
            f"{value!r}."
        )
    return str(value)


def strings(value: Any, *, parameter: str) -> tuple[str, ...]:
    """Return one string or several as a tuple, or raise.

    Example:
        >>> strings("Lily Allen", parameter="protect")
        ('Lily Allen',)
    """
    values = () if value is None else (value,) if isinstance(value, str) else value
    if not isinstance(values, Sequence) or not all(
        isinstance(item, str) and item.strip() for item in values
    ):
        raise invalid(
            f"{typed(parameter)} must be a string or a list of strings that are not empty, but "
            f"it is {value!r}."
        )
    return tuple(map(str, values))


def truncate(text: str, length: int) -> str:
    """Write a text, and of one that is longer than a length, only its beginning.

    Example:
        >>> truncate("a text", 6), truncate("a longer text", 6)
        ('a text', 'a l...')
    """
    return text if len(text) <= length else f"{text[: length - 3]}..."


def one_line(value: object) -> str:
    r"""Write what an error or a server says, which may be long, in one line.

    Example:
        >>> one_line("no\x1b\n answer"), len(one_line("!" * 999))
        ('no answer', 200)
    """
    return truncate(re.sub(r"[\x00-\x20\x7f-\x9f]+", " ", str(value)).strip(), 200)


def with_article(noun: str) -> str:
    """Put the article before a noun that is spelled as it sounds.

    Example:
        >>> with_article("Encoder"), with_article("classifier")
        ('an Encoder', 'a classifier')
    """
    return f"an {noun}" if noun[0] in "aeiouAEIOU" else f"a {noun}"


def counted(number: int, noun: str) -> str:
    """Write a number of things.

    Example:
        >>> counted(1, "row"), counted(2000, "row")
        ('1 row', '2,000 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def format_choices(names: Iterable[object], most: int | None = None) -> str:
    """Write names, texts in quotes, separated by commas.

    Args:
        most: How many are written; of others it is said how many there are. None for all.
    """
    written = [repr(name) for name in names]
    shown = written[:most]
    others = len(written) - len(shown)
    return ", ".join(shown) + (f" and {others:,} more" if others else "")


def format_allowed(names: Sequence[object]) -> str:
    """Return which names are allowed.

    Example:
        >>> format_allowed(["impact"]), format_allowed(["pair", "replace"])
        ("'impact'", "one of 'pair', 'replace'")
    """
    return ("" if len(names) == 1 else "one of ") + format_choices(names)


def format_first(names: Iterable[object]) -> str:
    """Write the first five of names, and how many others there are.

    Example:
        >>> format_first("abcde"), format_first("abcdefg")
        ("'a', 'b', 'c', 'd', 'e'", "'a', 'b', 'c', 'd', 'e' and 2 more")
    """
    return format_choices(names, 5)


def suggestion(value: Any, names: Iterable[str]) -> str:
    """Write a "Did you mean" for a near miss or several names in one, else nothing.

    Example:
        >>> suggestion("txet", ["text", "label"])
        " Did you mean 'text'?"
    """
    known = list(names)
    parts = [part.strip() for part in str(value).split(",")]
    if parts[1:] and set(parts) <= set(known):
        return f" Give each by itself: {format_choices(parts)}."
    near = get_close_matches(str(value), known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def parse_docstring_params(owner: type | Callable[..., Any], section: str = "") -> dict[str, str]:
    """Read what docstrings say of the attributes of a class and its bases, or of parameters.

    Args:
        section: Another section than that of the attributes, or the parameters, such as "Returns".

    Example:
        >>> class Swap:
        ...     \"\"\"Swaps.
        ...
        ...     Attributes:
        ...         axis: The axis
        ...             that is swapped.
        ...     \"\"\"
        >>> parse_docstring_params(Swap)
        {'axis': 'The axis that is swapped.'}
    """
    descriptions: dict[str, str] = {}
    title = section or ("Attributes" if isinstance(owner, type) else "Args")
    for each in reversed(getattr(owner, "__mro__", (owner,))):
        descriptions |= parse_docstring_section(inspect.cleandoc(each.__doc__ or ""), title)
    return descriptions


def parse_docstring_section(docstring: str, title: str) -> dict[str, str]:
    """Return what a section of a docstring says of each name."""
    _, _, section = docstring.partition(f"\n{title}:\n")
    section = re.split(r"\n\n(?=\S)", section)[0]
    entries = re.finditer(r"^    (\w+): (.+(?:\n {8}.+)*)", section, re.MULTILINE)
    return {entry[1]: " ".join(entry[2].split()) for entry in entries}


EXTRAS = {
    "models": ("torch", "transformers"),
    "spacy": ("spacy",),
    "plots": ("matplotlib",),
    "demo": ("gradio",),
    "gensim": ("gensim",),
    "training": ("torch", "transformers", "accelerate"),
    "ray": ("ray",),
    "lm-eval": ("lm_eval",),
    "docs": ("sphinx", "furo", "myst_parser"),
}
"""Extra of `pip install` to the modules that features import of it."""


class MissingExtraError(ImportError, InputError):
    """A package of an extra is not installed, told in one sentence with the command.

    It is an `ImportError`, as anybody expects, and an `InputError`, so that all that passes on or
    prints the sentence of one does so here.

    Example:
        >>> raise MissingExtraError("EL2N needs torch.")
        Traceback (most recent call last):
        ...
        fair_datasets.system.checks.MissingExtraError: EL2N needs torch.
    """


def require(extra: str, *, owner: str = "") -> None:
    """Raise unless the packages of an extra are installed; none is imported."""
    if missing := [name for name in EXTRAS[extra] if not _is_installed(name)]:
        raise MissingExtraError(
            f"{owner or caller_name() or 'This'} needs {' and '.join(missing)}, which "
            f"{'is' if len(missing) == 1 else 'are'} "
            f'not installed; run: pip install "fair-datasets[{extra}]"',
            name=missing[0],
        )


def _is_installed(name: str) -> bool:
    """Whether a module can be imported."""
    if name in sys.modules:
        return sys.modules[name] is not None
    spec = find_spec(name)
    # A folder that happens to have the name has no file to import.
    return spec is not None and spec.origin is not None
