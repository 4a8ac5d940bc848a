"""Reading classes of several columns: whole numbers or texts, the same class in each of them."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import Column, column, is_missing, scalar
from fair_datasets.measures.group_labels import distinct_labels
from fair_datasets.system.checks import InputError, listed, suggestion

_SHOWN = 10
_ADVICE = (
    "Use `positive` to say which class counts as 1, such as positive={!r}; all others then count "
    "as 0."
)


class ClassLabels(NamedTuple):
    """The class of each row, in several columns.

    Attributes:
        codes: The classes of each column, by its name: the whole numbers themselves, or for texts
            their positions in `names`. Each of shape (N,), int64.
        names: The distinct texts, sorted; None where classes are numbers.
    """

    codes: dict[str, NDArray[np.int64]]
    names: list[str] | None


def class_labels(columns: Mapping[str, Any], *, owner: str) -> ClassLabels:
    """Read columns of classes that are compared with each other.

    Args:
        columns: The name of each argument to its classes: whole numbers or booleans in all, or
            texts in all. Each of shape (N,).
    """
    read = {name: column(values, name, owner=owner) for name, values in columns.items()}
    texts = [name for name, values in read.items() if _are_texts(values)]
    if not texts:
        numbers = {name: inputs.classes(each, name, owner=owner) for name, each in read.items()}
        return ClassLabels(numbers, None)
    distinct = {}
    for name, values in read.items():
        labels, codes = distinct_labels(values, name, owner=owner)
        for label in labels:
            if not isinstance(label, str):
                row = int(np.argmax(codes == labels.index(label)))
                _refuse(label, row, name, texts[0], owner=owner)
        distinct[name] = labels, codes
    names = sorted({str(label) for labels, _ in distinct.values() for label in labels})
    place = {name: code for code, name in enumerate(names)}
    found = {
        name: np.array([place[str(label)] for label in labels], np.int64)[codes]
        for name, (labels, codes) in distinct.items()
    }
    return ClassLabels(found, names)


def one_against_rest(
    columns: Mapping[str, Any], positive: Hashable, *, owner: str
) -> dict[str, NDArray[np.bool_]]:
    """Read columns of classes of which one counts as 1, and all others as 0.

    Args:
        columns: The name of each argument to its classes. Each of shape (N,).

    Returns:
        Which rows have the class, by the name of the argument. Each of shape (N,).
    """
    if positive is None:
        return {name: _binary(values, name, owner=owner) for name, values in columns.items()}
    codes, names = class_labels(columns, owner=owner)
    wanted = scalar(positive)
    if isinstance(wanted, int | float if names is None else str):
        code = wanted if names is None else (names.index(wanted) if wanted in names else -1)
        found = {name: values == code for name, values in codes.items()}
        if any(rows.any() for rows in found.values()):
            return found
    if not any(values.size for values in codes.values()):
        return {name: np.zeros(0, np.bool_) for name in codes}
    classes = names or np.unique(np.concatenate(list(codes.values()))).tolist()
    raise InputError(
        f"{owner}: positive must be a class of some row, but it is {wanted!r}; the classes are "
        f"{listed(classes, _SHOWN)}." + suggestion(wanted, names or ())
    )


def _binary(values: Any, argument: str, *, owner: str) -> NDArray[np.bool_]:
    """Read zeros and ones, and say of other classes what can be done."""
    read = column(values, argument, owner=owner)
    if _are_texts(read):
        first = scalar(read[0])
        if is_missing(first):
            _refuse(first, 0, argument, argument, owner=owner)
        raise InputError(
            f"{owner}: {argument} must be 0 or 1, but row 0 is {first!r} ({type(first).__name__}). "
            + _ADVICE.format(first)
        )
    return inputs.binary(read, argument, owner=owner, advice=_ADVICE)


def _are_texts(values: Column) -> bool:
    """Tell whether classes are texts; the first that is not missing decides."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OT":
        return values.dtype.kind == "U"
    first = next((value for value in values if not is_missing(value)), None)
    return isinstance(scalar(first), str)


def _refuse(value: Any, row: int, argument: str, texts: str, *, owner: str) -> NoReturn:
    """Raise for a class that is no text, where others are."""
    if is_missing(value):
        raise InputError(inputs.sentence_of_missing(owner, argument, "value", row, value))
    raise InputError(
        f"{owner}: classes must be texts in all rows or in none: {texts} has texts, but row {row} "
        f"of {argument} is {value!r} ({type(value).__name__})."
    )
