"""Every error sentence about a parameter, or about the name of a column.

A sentence names what was wrong (the owner, the parameter or the column, and the value) and says
what to do; where a choice was missed it lists what exists. For the values of a column see
`fair_datasets.columns`.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from numbers import Integral
from pathlib import PurePath
from typing import Any

import numpy as np


class InputError(ValueError):
    """A mistake in what the user gave, told in one sentence.

    The command line prints its sentence without a traceback.

    Example:
        >>> raise InputError("mode must be one of 'augment', 'replace'.")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: mode must be one of 'augment', 'replace'.
    """


def one_of(
    value: Any, allowed: Iterable[str], *, owner: str, parameter: str, meant: str = ""
) -> None:
    """Raise unless a parameter is one of the allowed values.

    Args:
        value: What the user gave.
        allowed: The values that exist.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.
        meant: Which of the allowed values the user may have meant, if that is known.

    Raises:
        InputError: The value is not among the allowed ones.

    Example:
        >>> one_of("augmnt", ["augment", "replace"], owner="CounterfactualSwap", parameter="mode")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: mode must be one of 'augment',
        'replace', but it is 'augmnt'. Did you mean 'augment'?
    """
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise InputError(
            f"{owner}: {parameter} must be one of {listed(names)}, but it is {value!r}."
            + (f" Did you mean {meant!r}?" if meant else suggestion(value, names))
        )


def fraction(value: Any, *, owner: str, parameter: str) -> float:
    """Return a parameter as a float in [0, 1], or raise.

    Args:
        value: What the user gave.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The value as a float, also where it came from numpy.

    Raises:
        InputError: The value is not a number from 0 to 1.

    Example:
        >>> fraction(0.5, owner="CounterfactualSwap", parameter="rate")
        0.5
    """
    is_number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not is_number or not 0 <= value <= 1:
        raise InputError(f"{owner}: {parameter} must be a number from 0 to 1, but it is {value!r}.")
    return float(value)


def whole_number(value: Any, *, owner: str, parameter: str) -> int:
    """Return a parameter as an int, or raise.

    Args:
        value: What the user gave.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The value as an int, also where it came from numpy.

    Raises:
        InputError: The value is not a whole number.

    Example:
        >>> whole_number("7", owner="CounterfactualSwap", parameter="seed")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: seed must be a whole number, but it
        is '7'.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputError(f"{owner}: {parameter} must be a whole number, but it is {value!r}.")
    return int(value)


def switch(value: Any, *, owner: str, parameter: str) -> bool:
    """Return a parameter as a bool, or raise.

    Args:
        value: What the user gave.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The value as a bool, also where it came from numpy.

    Raises:
        InputError: The value is not a bool.

    Example:
        >>> switch("no", owner="CounterfactualSwap", parameter="names")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: names must be True or False, but it
        is 'no'.
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{owner}: {parameter} must be True or False, but it is {value!r}.")
    return bool(value)


def axis_name(value: Any, *, owner: str, parameter: str = "axis") -> str:
    """Return what names an axis as a string, or raise.

    Args:
        value: What the user gave.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The name of a lexicon or the path of a file; whether it exists is not asked here.

    Raises:
        InputError: The value is neither a string nor a path.

    Example:
        >>> axis_name(None, owner="CounterfactualSwap")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: axis must be a lexicon's name or the
        path of a .tsv file, but it is None.
    """
    if not isinstance(value, str | PurePath):
        raise InputError(
            f"{owner}: {parameter} must be a lexicon's name or the path of a .tsv file, but it is "
            f"{value!r}."
        )
    return str(value)


def strings(value: Any, *, owner: str, parameter: str) -> tuple[str, ...]:
    """Return one string or several as a tuple, or raise.

    Args:
        value: A string, a sequence of strings, or None for none.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The strings, in the order given.

    Raises:
        InputError: The value is something else, or a string is empty.

    Example:
        >>> strings("Lily Allen", owner="CounterfactualSwap", parameter="protect")
        ('Lily Allen',)
    """
    values = () if value is None else (value,) if isinstance(value, str) else value
    if not isinstance(values, Sequence) or not all(
        isinstance(item, str) and item.strip() for item in values
    ):
        raise InputError(
            f"{owner}: {parameter} must be a string or a list of strings that are not empty, but "
            f"it is {value!r}."
        )
    return tuple(map(str, values))


def column_name(value: Any, *, owner: str, parameter: str) -> None:
    """Raise unless a parameter is the name of a column.

    Args:
        value: What the user gave.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Raises:
        InputError: The value is not a string, or it is empty.

    Example:
        >>> column_name(3, owner="CounterfactualSwap", parameter="id_column")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: id_column must be a column name, but
        it is 3.
    """
    if not isinstance(value, str) or not value:
        raise InputError(f"{owner}: {parameter} must be a column name, but it is {value!r}.")


def column_names(value: Any, *, owner: str, parameter: str = "columns") -> tuple[str, ...]:
    """Return one column name or several as a tuple, or raise.

    Args:
        value: A name, or a sequence of names.
        owner: The class or function whose parameter it is.
        parameter: The parameter's name.

    Returns:
        The names, in the order given.

    Raises:
        InputError: There is no name, a name twice, or something that is not a name.

    Example:
        >>> column_names("text", owner="CounterfactualSwap")
        ('text',)
    """
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"{owner}: {parameter} must be a column name or a list of them, but it is {value!r}."
        )
    if not names or len(set(names)) < len(names):
        raise InputError(
            f"{owner}: {parameter} must name at least one column and none twice, but it is "
            f"{value!r}."
        )
    return tuple(map(str, names))


def present(columns: Iterable[str], existing: Iterable[str], *, owner: str) -> None:
    """Raise unless every column exists.

    Args:
        columns: The columns that are needed.
        existing: The columns that there are.
        owner: The class or function that needs them.

    Raises:
        InputError: A column is missing; the sentence lists those that exist.

    Example:
        >>> present(["txet"], ["text", "label"], owner="CounterfactualSwap")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: there is no column 'txet'; the columns
        are 'text', 'label'. Did you mean 'text'?
    """
    names = list(existing)
    for column in columns:
        if column not in names:
            raise no_column(column, names, owner=owner)


def no_column(column: str, existing: Sequence[str], *, owner: str) -> InputError:
    """Return the error for a column that is missing.

    Args:
        column: The column.
        existing: The columns that there are.
        owner: The class or function that needs it.

    Returns:
        The error, whose sentence lists those that exist.

    Example:
        >>> print(no_column("txet", [], owner="CounterfactualSwap"))
        CounterfactualSwap: there is no column 'txet'; there are no columns.
    """
    return InputError(
        f"{owner}: there is no column {column!r}; "
        f"{f'the columns are {listed(existing)}' if existing else 'there are no columns'}."
        + suggestion(column, existing)
    )


def free(columns: Iterable[str], existing: Iterable[str], *, owner: str) -> None:
    """Raise if a column that is to be added exists already.

    Args:
        columns: The columns to be added.
        existing: The columns that there are.
        owner: The class or function that adds them.

    Raises:
        InputError: A column would be overwritten.

    Example:
        >>> free(["edits"], ["text", "edits"], owner="CounterfactualSwap")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: CounterfactualSwap: the column 'edits' exists already and
        would be overwritten; rename or remove it first.
    """
    taken = set(existing)
    for column in columns:
        if column in taken:
            raise InputError(
                f"{owner}: the column {column!r} exists already and would be overwritten; rename "
                "or remove it first."
            )


def listed(names: Iterable[str]) -> str:
    """Write names in quotes, separated by commas.

    Args:
        names: The names.

    Returns:
        The list.

    Example:
        >>> listed(["text", "label"])
        "'text', 'label'"
    """
    return ", ".join(repr(name) for name in names)


def suggestion(value: Any, names: Iterable[str]) -> str:
    """Write a "Did you mean" for a near miss, else nothing.

    Args:
        value: What the user gave.
        names: What exists.

    Returns:
        The sentence, with a space before it.

    Example:
        >>> suggestion("txet", ["text", "label"])
        " Did you mean 'text'?"
    """
    near = get_close_matches(str(value), list(names), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
