"""Reading the arguments of a measure: arrays of one length, without missing values.

Measures and `evaluate` modules read their columns here first, so that a list, an array, a tensor
and a column of a table mean the same to both. Every sentence names the argument, the first row that
is wrong and its value. Nothing is thresholded, rounded or dropped in silence.
"""

import json
import math
import operator
import reprlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, caller_name, invalid, typed

Column = list[Any] | NDArray[Any]

Rows = Annotated[Any, "one value per row"]
"""What can be left out, and has one value per row where it is given. Shape (N,)."""


def column(values: Any, argument: str, *, tables: bool = False) -> Column:
    """Read one value per row.

    Args:
        values: A list, an array, a tensor, or a column of a dataset, of pandas, polars or Arrow; or
            an iterator, which is read once. Shape (N,).
        tables: Whether a row may be a vector, so that the values may be a table of numbers.

    Returns:
        The values: an array of NumPy where they are in one, or are numbers of one kind without
        gaps; else a list.
    """
    if tables and _is_table(values) and hasattr(values, "__array__"):
        values = np.asarray(values)
    problem = _what_is_no_column(values)
    if problem:
        several = " To join several columns of groups, use `intersections`."
        raise invalid(
            f"{argument} must be a list or array with one "
            f"{'vector' if tables else 'value'} per row, but it is {problem}."
            + several
            * (argument == "groups" and (_is_table(values) or hasattr(values, "keys")))
        )
    axes = getattr(values, "ndim", 1)
    if axes != 1 and not (tables and axes == 2):
        raise InputError(shape_sentence(argument, tuple(values.shape)))
    if isinstance(values, list):
        return values
    if hasattr(values, "column_name") and isinstance(values, Sequence):
        # A column of a dataset, which is read at once: row by row would be far slower.
        return column(values[:], argument, tables=tables)
    return _as_array(values) if _is_plain(values) else as_list(values)


def as_list(values: Any) -> list[Any]:
    """Return values as a list of Python's own objects where they can be such."""
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(values, name):
            return list(getattr(values, name)())
    return list(values)


def scalar(value: Any) -> Any:
    """Return Python's own object for a number, or text, that a library keeps in its own.

    Args:
        value: Any value, such as a number of NumPy, a tensor without axes, a scalar of Arrow, or a
            tuple of them.

    Returns:
        The number or text; a list for an array; anything else as it is.
    """
    if isinstance(value, tuple):
        parts = tuple(map(scalar, value))
        return parts if any(map(operator.is_not, parts, value)) else value
    for name in ("tolist", "as_py"):
        if hasattr(value, name):
            return getattr(value, name)()
    return value


def is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, NaT or the NA of pandas.

    Returns:
        Whether it is missing, or is a tuple of which a part is. An empty text is not.
    """
    if isinstance(value, tuple):
        return any(map(is_missing, value))
    return (
        value is None
        or type(value).__name__ in {"NAType", "NaTType"}
        or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    )


def shape_sentence(argument: str, shape: object) -> str:
    """Return the sentence that an argument has not one value per row.

    Example:
        >>> shape_sentence("predictions", (60, 2))[:73]
        'shape_sentence: predictions must have one value per row, but its shape is'
    """
    return (
        f"{caller_name()}: {argument} must have one value per row, but its shape is {shape}. "
        "Select one column first; if these are logits, take the argmax."
    )


def _what_is_no_column(values: Any) -> str:
    """Name what would be read as something else: letters of a text, names of columns."""
    if isinstance(values, Mapping):
        return f"a mapping ({type(values).__name__})"
    if isinstance(values, set | frozenset):
        return f"a {type(values).__name__}, whose values have no order"
    if _is_table(values):
        return f"a whole table ({type(values).__name__}); select one column first"
    if isinstance(values, str | bytes | bytearray) or not hasattr(values, "__iter__"):
        return reprlib.repr(values)
    return ""


def _is_table(values: Any) -> bool:
    """Whether values are a table, whose rows are not what iterating over it gives."""
    return hasattr(values, "columns") or hasattr(values, "column_names")


def _is_plain(values: Any) -> bool:
    """Whether values can be read as an array of NumPy without loss: no gaps, no objects."""
    if isinstance(values, np.ndarray):
        # Of a masked array, NumPy would take what the mask hides.
        return not isinstance(values, np.ma.MaskedArray)
    dtype = getattr(values, "dtype", None)
    return hasattr(values, "detach") or (isinstance(dtype, np.dtype) and dtype.kind in "biuf")


def _as_array(values: Any) -> NDArray[Any]:
    """Return an array of NumPy; a tensor of half precision is read in full."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        is_half = values.is_floating_point() and values.element_size() < 4
        values = (values.double() if is_half else values).numpy()
    return np.asarray(values)


_COMPARE = "Compare the classes with the one that you call positive first."


def classes(values: ArrayLike, argument: str) -> NDArray[np.int64]:
    """Read classes, such as labels or predicted labels. Shape (N,), int64.

    Args:
        values: Whole numbers or booleans. Shape (N,).
    """
    return _whole_numbers(values, argument).astype(np.int64, copy=False)


def binary(values: ArrayLike, argument: str, *, advice: str = _COMPARE) -> NDArray[np.bool_]:
    """Read classes of which there are two, 0 and 1.

    Args:
        values: Zeros and ones, or booleans. Shape (N,).
        advice: What to do about another class, in a sentence with `{!r}` for it.

    Returns:
        Which rows are 1. Shape (N,), bool.
    """
    array = _whole_numbers(values, argument)
    if array.size and (array.min() < 0 or array.max() > 1):
        row = int(np.argmax((array < 0) | (array > 1)))
        raise invalid(
            f"{argument} must be 0 or 1, but row {row} is {int(array[row])}. "
            + advice.format(int(array[row]))
        )
    return array.astype(np.bool_, copy=False)


def scores(values: ArrayLike, argument: str) -> NDArray[np.float64]:
    """Read scores, such as probabilities or likelihoods. Shape (N,), float64.

    Args:
        values: Finite numbers, also in half precision. Shape (N,).
    """
    array = numbers(values, argument).astype(np.float64)
    wrong = np.flatnonzero(np.isinf(array))
    if wrong.size:
        raise invalid(
            f"{argument} must be finite, but row {int(wrong[0])} is {array[wrong[0]].item()!r}."
        )
    return array


def probabilities(values: ArrayLike, argument: str) -> NDArray[np.float64]:
    """Read probabilities. Shape (N,), float64.

    Args:
        values: Numbers from 0 to 1. Shape (N,).

    Example:
        >>> probabilities([0.5, -3.0], "probabilities")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: probabilities: probabilities must lie between 0 and 1,
        but row 1 is -3.0. If these are logits, apply softmax first.
    """
    array = scores(values, argument)
    wrong = np.flatnonzero((array < 0) | (array > 1))
    if wrong.size:
        row = int(wrong[0])
        raise invalid(
            f"{argument} must lie between 0 and 1, but row {row} is "
            f"{array[row].item()!r}. If these are logits, apply softmax first."
        )
    return array


def texts(values: Sequence[Any], argument: str) -> list[str]:
    """Read texts."""
    entries = as_list(column(values, argument))
    if not set(map(type, entries)) - {str}:
        return entries
    for row, value in enumerate(entries):
        if is_missing(value):
            raise InputError(sentence_of_missing(argument, "text", row, value))
        if not isinstance(value, str):
            advice = ""
            if isinstance(value, list | dict):
                advice = " `texts_of(dataset, 'messages[].content')` reads the texts inside lists."
            raise invalid(
                f"{argument} must be texts, but row {row} is {reprlib.repr(value)} "
                f"({type(value).__name__}).{advice}"
            )
    return entries


def same_length(arguments: dict[str, Any]) -> None:
    """Raise unless all arguments have one length."""
    lengths = {name: len(values) for name, values in arguments.items()}
    first, length = next(iter(lengths.items()))
    for name, other in lengths.items():
        if other != length:
            raise invalid(
                f"{first} has {length} row{'s' * (length != 1)}, but {name} has {other}. "
                f"Row {min(length, other)} has no partner."
            )


def numbers(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Read one number per row, of any kind.

    Returns:
        The numbers: booleans, whole numbers, or floats without NaN. Shape (N,).
    """
    entries = column(values, argument)
    array = _array(entries, argument)
    if array.dtype.kind == "O" and array.size:
        _refuse_missing(array.tolist(), argument)
        array = _array(array.tolist(), argument)
    if array.dtype.kind not in "biuf":
        _refuse_first_that_is_no_number(as_list(entries), argument)
    if array.dtype.kind == "f" and np.isnan(array).any():
        _refuse_missing(array.tolist(), argument)
    return array


def _whole_numbers(values: Any, argument: str) -> NDArray[Any]:
    """Read whole numbers or booleans, in the type that they have."""
    array = numbers(values, argument)
    if array.dtype.kind in "biu":
        return array
    array = array.astype(np.float64)
    # Beyond 2^53 a float no longer tells neighbouring whole numbers apart.
    is_whole = (array == np.rint(array)) & (np.abs(array) <= 2.0**53)
    if not is_whole.all():
        row = int(np.argmin(is_whole))
        raise invalid(
            f"{typed(argument)} must be classes (whole numbers), but row {row} is "
            f"{array[row].item()!r}. If these are probabilities or logits, choose a "
            "threshold or take the argmax first."
        )
    return array.astype(np.int64)


def _array(values: Any, argument: str) -> NDArray[Any]:
    """Make an array of one axis of a column."""
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.empty((0, 0))
    if array.ndim != 1:
        raise InputError(shape_sentence(argument, array.shape if array.size else "ragged"))
    return array if array.size else array.astype(np.int64)


def _refuse_missing(values: list[Any], argument: str) -> None:
    for row, value in enumerate(values):
        if is_missing(value):
            raise InputError(sentence_of_missing(argument, "value", row, value))


def _refuse_first_that_is_no_number(values: list[Any], argument: str) -> NoReturn:
    """Raise for the first value that is no number; NumPy may have made texts of all of them."""
    is_number = (int, float, np.number, np.bool_)
    rows = (row for row, value in enumerate(values) if not isinstance(value, is_number))
    row = next(rows, None)
    if row is None:
        row = max(range(len(values)), key=lambda row: abs(values[row]))
        raise invalid(
            f"{typed(argument)} must be numbers of 64 bits, but row {row} is {values[row]!r}."
        )
    raise invalid(
        f"{typed(argument)} must be numbers, but row {row} is {values[row]!r} "
        f"({type(values[row]).__name__})."
    )


def sentence_of_missing(argument: str, what: str, row: int, value: Any) -> str:
    """Return the sentence that a value is missing.

    Example:
        >>> sentence_of_missing("predictions", "value", 1, None)[:60]
        'sentence_of_missing: predictions has no value in row 1 (None'
    """
    return (
        f"{caller_name()}: {argument} has no {what} in row {row} ({value!r}). Drop that row "
        "first, or find out why it is missing."
    )


Undefined = Literal["nan", "zero", "raise"]
"""What to give for an undefined value: `"nan"` warns and gives NaN, `"zero"` gives 0 as fairlearn
does, `"raise"` raises."""


class UndefinedMeasureWarning(UserWarning):
    """A value is not defined; the message names the group and what it lacks."""


class LowCoverageWarning(UserWarning):
    """Many words have no vector, so that a figure rests on few."""


_MANY_LOST = 0.2
"""From which share of lost words on a figure is that of other words than those that were named."""


def warn_of_lost(lost: Sequence[Any], total: int, what: str) -> float:
    """Return the share of words, or pairs, that have no vector; warn where it is above a fifth.

    Args:
        what: What they are, in the plural.

    Example:
        >>> warn_of_lost(["axe"], 25, "words of set Y")
        0.04
    """
    share = len(lost) / total if total else 0.0
    if share > _MANY_LOST:
        checks.warn(
            f"{len(lost):,} of {total:,} {what} have no vector, such as {lost[0]!r}, so "
            f"that the result rests on the other {total - len(lost):,}; give vectors of more "
            "words, or other words.",
            LowCoverageWarning,
        )
    return share


@contextmanager
def nan_is_enough() -> Iterator[None]:
    """Suppress warnings of undefined values, where tables show that they are NaN.

    Example:
        >>> with nan_is_enough():
        ...     undefined_value("group 'b' has no rows.", "nan")
        nan
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        yield


def check_undefined(undefined: Undefined) -> None:
    """Raise unless the choice is one of the three, also where every value is defined."""
    checks.one_of(undefined, ("nan", "zero", "raise"), parameter="undefined")


def undefined_value(reason: str, undefined: Undefined) -> float:
    """Give what stands for a value that is not defined: NaN, after a warning, or 0.

    Args:
        reason: Why it is not defined, in a sentence that names the group and what it lacks.
    """
    check_undefined(undefined)
    if undefined == "raise":
        raise invalid(f"{reason}")
    if undefined == "zero":
        return 0.0
    checks.warn(f"{reason} The value is NaN.", UndefinedMeasureWarning)
    return math.nan


def read_json(path: str | PathLike[str]) -> Any:
    """Read a JSON file that the user names."""
    file = Path(path)
    if not file.is_file():
        raise invalid(f"there is no file {str(path)!r}.")
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise invalid(f"{file.name!r} is not JSON: {error}.") from None
