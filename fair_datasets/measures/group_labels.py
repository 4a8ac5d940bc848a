"""Reading group labels: which group each row belongs to, or which groups, or several columns.

Labels are whatever Python can hash. A million rows must not take longer to sort into groups than to
count, so arrays are compared as whole numbers: a text of fixed width is a row of them.
"""

import reprlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from types import NoneType
from typing import Any, Literal, NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Column, as_list, column, is_missing, same_length, scalar
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, invalid, suggestion, typed

MissingGroup = Literal["raise", "own"]
"""What to do where a row has no group label: `"raise"`, or `"own"`: such rows are a group of their
own, whose label is None."""

Codes = NDArray[np.uint8] | NDArray[np.intp]
_FEW = 32
"""Up to so many distinct numbers, comparing with each in turn is faster than sorting."""
_VERY_FEW = 4
"""Up to so many, it is faster than looking each up in a table."""
_TABLE = 1 << 21
"""How large a table may be; no more than some times as large as the rows are many."""
_MULTIPLIERS = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)))
"""Odd numbers that spread texts over a table; where the first mixes two up, the second may not."""


class GroupLabels(NamedTuple):
    """The group of each row.

    Attributes:
        names: The distinct labels: sorted where they can be compared, else by first appearance; the
            group of missing labels, None, comes last. Length G.
    """

    names: tuple[Hashable, ...]
    codes: Codes


def group_labels(
    groups: Any,
    *,
    missing_group: MissingGroup = "raise",
    argument: str = "groups",
    rows: Sequence[int] | None = None,
) -> GroupLabels:
    """Read one group label per row.

    Args:
        groups: Labels of any hashable kind, such as strings, whole numbers, or tuples of them, each
            of which is one label; not bytes. Labels that Python holds equal, as 1 and True, are one
            group. Shape (N,).
        missing_group: What to do with a label that is None, NaN or NA, or a tuple of which a part
            is: `"raise"`, or `"own"` for a group of their own.
    """
    checks.one_of(missing_group, ("raise", "own"), parameter="missing_group")
    values = column(groups, argument)
    names, codes = distinct_labels(values, argument, rows=rows)
    missing = [code for code, name in enumerate(names) if is_missing(name)]
    if missing and missing_group == "raise":
        row = int(np.flatnonzero(np.isin(codes, missing))[0])
        raise invalid(
            f"{argument} has no label in row {row} ({names[codes[row]]!r}). Drop that row "
            "first, or pass missing_group='own' to make such rows a group of their own."
        )
    return _in_order(names, codes, missing)


def distinct_labels(
    values: Column, argument: str, *, rows: Sequence[int] | None = None
) -> tuple[list[Hashable], Codes]:
    """Number the distinct labels of a column.

    Returns:
        The distinct labels in any order, missing ones among them, and the position of each row's
        label among them.

    Example:
        >>> names, codes = distinct_labels(["w", None, "w"], "groups")
        >>> names, codes.tolist()
        (['w', None], [0, 1, 0])
    """
    uniques = None
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuU":
        uniques = _distinct_texts(values) if values.dtype.kind == "U" else _distinct_numbers(values)
    if uniques:
        return values[uniques[0]].tolist(), uniques[1]
    labels = as_list(values)
    return _distinct_labels(labels, argument, rows or range(len(labels)))


def _distinct_labels(
    values: list[Any], argument: str, rows: Sequence[int]
) -> tuple[list[Hashable], Codes]:
    """Return the distinct labels of a list by first appearance, and the label of each row."""
    try:
        names = list(dict.fromkeys(values))
    except TypeError:
        place = next(place for place, value in enumerate(values) if not _is_hashable(value))
        several = " To join several columns of groups, use `intersections`."
        raise invalid(
            f"{argument} must be one label per row, but row {rows[place]} is "
            f"{' '.join(reprlib.repr(values[place]).split())} ({type(values[place]).__name__})."
            + several
            * (argument == "groups")
        ) from None
    if any(scalar(name) is not name for name in names):
        # To Python two equal tensors are different labels, and a number of NumPy is no JSON.
        return _distinct_labels([scalar(value) for value in values], argument, rows)
    code = {name: code for code, name in enumerate(names)}
    for name in filter(_has_bytes, names):
        raise invalid(
            f"{argument} must be texts and not bytes, but row "
            f"{rows[values.index(name)]} is {name!r}. Decode them first."
        )
    return names, np.fromiter(map(code.__getitem__, values), np.intp, len(values))


def _has_bytes(name: Hashable) -> bool:
    """Whether a label is in bytes, which no report could write as the text that is meant."""
    return any(map(_has_bytes, name)) if isinstance(name, tuple) else isinstance(name, bytes)


def _is_hashable(value: Any) -> bool:
    """Whether a value can be hashed; a tuple that holds a list cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _distinct_texts(texts: NDArray[Any]) -> tuple[NDArray[np.intp], Codes] | None:
    """Return a row of each distinct text of fixed width, and the text of each row; None for many.

    Texts are told apart by a short number that is made of all their letters. Then each is compared
    with the text that its number stands for, so that no two are ever mixed up.
    """
    if not texts.size or not texts.itemsize:
        return np.zeros(min(texts.size, 1), np.intp), np.zeros(texts.size, np.uint8)
    width = np.uint64 if texts.itemsize % 8 == 0 else np.uint32
    blocks: Any = np.ascontiguousarray(texts).view(width).reshape(texts.size, -1).T
    if len(blocks) == 1:
        return _distinct_numbers(blocks[0])
    if len(blocks) > _FEW:
        return None
    for multiplier in _MULTIPLIERS:
        numbers = blocks[0] * multiplier
        for block in blocks[1:]:
            numbers ^= numbers >> np.uint64(29)
            numbers += block
            numbers *= multiplier
        numbers >>= np.uint64(65 - _TABLE.bit_length())
        rows, codes = _distinct_numbers(numbers)
        if all((block[rows][codes] == block).all() for block in blocks):
            return rows, codes
    return None


def _distinct_numbers(numbers: NDArray[Any]) -> tuple[NDArray[np.intp], Codes]:
    """Return a row of each distinct whole number, and the number of each row."""
    if not numbers.size:
        return np.zeros(0, np.intp), np.zeros(0, np.uint8)
    numbers = np.ascontiguousarray(numbers)
    lowest, highest = int(numbers.min()), int(numbers.max())
    is_dense = highest - lowest < min(_TABLE, 8 * numbers.size)
    few = _few_numbers(numbers, _VERY_FEW if is_dense else _FEW)
    if few is not None:
        return few
    if is_dense:
        places = numbers.astype(np.int64) - np.array(lowest, numbers.dtype).astype(np.int64)
        is_there = np.zeros(highest - lowest + 1, np.bool_)
        is_there[places] = True
        code_of = np.cumsum(is_there, dtype=np.intp) - 1
        codes = code_of[places]
    else:
        codes = np.searchsorted(np.unique(numbers), numbers)
    rows = np.empty(int(codes.max()) + 1, np.intp)
    rows[codes] = np.arange(numbers.size)
    return rows, codes


def _few_numbers(
    numbers: NDArray[Any], limit: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]] | None:
    """Do the same by comparing with each number in turn; None where there are more than a limit."""
    codes = np.zeros(numbers.size, np.uint8)
    rows: list[int] = []
    is_unseen = np.ones(numbers.size, np.bool_)
    while is_unseen[row := int(is_unseen.argmax())]:
        if len(rows) == limit:
            return None
        is_same = numbers == numbers[row]
        is_unseen ^= is_same
        codes += is_same * np.uint8(len(rows))
        rows.append(row)
    return np.array(rows, np.intp), codes


def family_codes(families: Any, columns: dict[str, Any]) -> NDArray[np.intp] | None:
    """Read the family of each row, such as the column `family_id`, as numbers from 0 on.

    Args:
        families: A label per row, which the rows of one family share. Shape (N,). None where each
            row is one of its own.
        columns: The other columns, which have to be as long.
    """
    if families is None:
        same_length(columns)
        return None
    names, codes = distinct_labels(column(families, "families"), "families")
    missing = [code for code, name in enumerate(names) if is_missing(name)]
    if missing:
        row = int(np.flatnonzero(np.isin(codes, missing))[0])
        raise invalid(
            f"families has no label in row {row} ({names[codes[row]]!r}). Give a row that "
            "belongs to no family one of its own."
        )
    same_length({**columns, "families": codes})
    return codes.astype(np.intp)


def _in_order(names: Sequence[Hashable], codes: Codes, missing: Sequence[int]) -> GroupLabels:
    """Sort the names where they can be compared, else keep their order; missing ones are one."""
    lacking = set(missing)
    order = [code for code in range(len(names)) if code not in lacking]
    with suppress(TypeError):
        order = sorted(order, key=cast(Callable[[int], Any], lambda code: names[code]))
    labels = tuple(names[code] for code in order) + (None,) * bool(missing)
    if order == list(range(len(names))):
        return GroupLabels(labels, codes)
    rank = np.full(len(names), len(order), codes.dtype)
    rank[order] = np.arange(len(order))
    return GroupLabels(labels, rank[codes])


_SEVERAL = (list, set, frozenset, np.ndarray)
"""What holds several labels; a tuple is one label, such as that of an intersection."""


def subgroup_masks(
    groups: Any, *, missing_group: MissingGroup = "raise"
) -> dict[Hashable, NDArray[np.bool_]]:
    """Read which rows belong to which subgroup.

    Args:
        groups: One of: a label per row, which makes a partition and may be a tuple; a list or set
            of labels per row, which may be empty; or a mapping of each label to a mask, whether
            each row belongs to it.
        missing_group: What to do where a row has no label: `"raise"`, or `"own"` for a group None.
            A row with an empty list belongs to no group, and lacks nothing.

    Returns:
        Each subgroup's mask by its label. Each of shape (N,).

    Example:
        >>> masks = subgroup_masks([["women"], [], ["black", "women"]])
        >>> masks["women"]
        array([ True, False,  True])
    """
    if isinstance(groups, Mapping):
        masks: dict[Hashable, NDArray[np.bool_]] = {
            name: inputs.binary(mask, f"groups[{name!r}]") for name, mask in groups.items()
        }
        if masks:
            named = {f"groups[{name!r}]": mask for name, mask in masks.items()}
            inputs.same_length(named)
        return masks
    values = column(groups, "groups")
    rows = _label_lists(values)
    if rows is None:
        names, codes = group_labels(values, missing_group=missing_group)
        return {name: codes == code for code, name in enumerate(names)}
    return _masks_of_lists(rows, missing_group)


def _label_lists(groups: Column) -> list[Any] | None:
    """Return the rows if they are lists of labels; the first that is not missing decides."""
    if isinstance(groups, np.ndarray) and groups.dtype.kind != "O":
        return None
    first = next((row for row in groups if not is_missing(row)), None)
    return as_list(groups) if isinstance(first, _SEVERAL) else None


def _masks_of_lists(
    rows: list[Any], missing_group: MissingGroup
) -> dict[Hashable, NDArray[np.bool_]]:
    """Read rows that are lists of labels."""
    members: list[int] = []
    labels: list[Any] = []
    for row, given in enumerate(rows):
        own = [None] if is_missing(given) else given
        if not isinstance(own, _SEVERAL):
            raise invalid(
                f"groups must be a list of labels in every row or in none, but row {row} "
                f"is {given!r} ({type(given).__name__})."
            )
        members += [row] * len(own)
        labels.extend(own)
    if missing_group == "raise" and any(map(is_missing, labels)):
        row = next(row for row, label in zip(members, labels, strict=True) if is_missing(label))
        raise invalid(
            f"groups has no label in row {row} ({rows[row]!r}). Drop that row first, give "
            "it an empty list if it belongs to no group, or pass missing_group='own'."
        )
    names, codes = group_labels(labels, missing_group=missing_group, rows=members)
    masks = {name: np.zeros(len(rows), np.bool_) for name in names}
    row_of = np.array(members, np.intp)
    for code, mask in enumerate(masks.values()):
        mask[row_of[codes == code]] = True
    return masks


def intersections(columns: Any) -> list[tuple[Hashable, ...]]:
    """Join several columns of group labels into one label per row.

    What compares groups takes the result as its groups. A row of which one label is missing has no
    label, as a row without any.

    Args:
        columns: A mapping of names to columns, or a table of them: a DataFrame, a Dataset, or a
            table of Arrow or Polars. Each column of shape (N,).

    Raises:
        InputError: There are no columns, they differ in length, or one is no column.

    Example:
        >>> groups = intersections({"gender": ["w", "w", "m"], "race": ["black", "white", "black"]})
        >>> groups
        [('w', 'black'), ('w', 'white'), ('m', 'black')]
        >>> from fair_datasets.measures.parity import demographic_parity
        >>> demographic_parity([1, 0, 1], groups).difference
        1.0

    Source:
        Crenshaw, Demarginalizing the Intersection of Race and Sex, 1989; Foulds et al., An
        Intersectional Definition of Fairness, ICDE 2020.
    """
    names = _column_names(columns)
    read = {str(name): column(columns[name], str(name)) for name in names}
    inputs.same_length(read)
    return list(zip(*map(_plain_labels, read.values()), strict=True))


def _plain_labels(values: Column) -> list[Hashable]:
    """Return the labels of a column as Python's own objects."""
    labels = as_list(values)
    if not set(map(type, labels)) - {str, int, float, bool, NoneType}:
        return labels
    return list(map(scalar, labels))


def _column_names(columns: Any) -> list[Any]:
    """Return the names of the columns of a mapping or a table."""
    names = list(columns) if isinstance(columns, Mapping) else []
    if not isinstance(columns, Mapping) and hasattr(columns, "__getitem__"):
        kind = "column_names" if hasattr(type(columns), "column_names") else "columns"
        names = list(getattr(columns, kind, []))
    if not names:
        raise invalid(
            "columns must be a mapping of names to columns, such as {'gender': gender, 'race': "
            f"race}}, or a table with columns, but it is {type(columns).__name__!r}."
        )
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise invalid(
            f"the table has the columns {checks.format_choices(map(str, repeated))} "
            "twice; name them differently."
        )
    return names


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
    """

    codes: dict[str, NDArray[np.int64]]
    names: list[str] | None


def class_labels(columns: Mapping[str, Any]) -> ClassLabels:
    """Read columns of classes that are compared with each other."""
    read = {name: column(values, name) for name, values in columns.items()}
    texts = [name for name, values in read.items() if _are_texts(values)]
    if not texts:
        numbers = {name: inputs.classes(each, name) for name, each in read.items()}
        return ClassLabels(numbers, None)
    distinct = {}
    for name, values in read.items():
        labels, codes = distinct_labels(values, name)
        for label in labels:
            if not isinstance(label, str):
                row = int(np.argmax(codes == labels.index(label)))
                _refuse(label, row, name, texts[0])
        distinct[name] = labels, codes
    names = sorted({str(label) for labels, _ in distinct.values() for label in labels})
    place = {name: code for code, name in enumerate(names)}
    class_codes = {
        name: np.array([place[str(label)] for label in labels], np.int64)[codes]
        for name, (labels, codes) in distinct.items()
    }
    return ClassLabels(class_codes, names)


def one_against_rest(
    columns: Mapping[str, Any], positive: Hashable
) -> dict[str, NDArray[np.bool_]]:
    """Read columns of classes of which one counts as 1, and all others as 0.

    Returns:
        Which rows have the class, by the name of the argument. Each of shape (N,).
    """
    if positive is None:
        return {name: _binary(values, name) for name, values in columns.items()}
    codes, names = class_labels(columns)
    wanted = scalar(positive)
    if isinstance(wanted, int | float if names is None else str):
        code = wanted if names is None else (names.index(wanted) if wanted in names else -1)
        masks = {name: values == code for name, values in codes.items()}
        if any(rows.any() for rows in masks.values()):
            return masks
    if not any(values.size for values in codes.values()):
        return {name: np.zeros(0, np.bool_) for name in codes}
    classes = names or np.unique(np.concatenate(list(codes.values()))).tolist()
    raise invalid(
        f"{typed('positive')} must be a class of some row, but it is {wanted!r}; the classes are "
        f"{checks.format_choices(classes, _SHOWN)}." + suggestion(wanted, names or ())
    )


def _binary(values: Any, argument: str) -> NDArray[np.bool_]:
    """Read zeros and ones, and say of other classes what can be done."""
    read = column(values, argument)
    if _are_texts(read):
        first = scalar(read[0])
        if is_missing(first):
            _refuse(first, 0, argument, argument)
        raise invalid(
            f"{argument} must be 0 or 1, but row 0 is {first!r} ({type(first).__name__}). "
            + _ADVICE.format(first)
        )
    return inputs.binary(read, argument, advice=_ADVICE)


def _are_texts(values: Column) -> bool:
    """Whether classes are texts; the first that is not missing decides."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OT":
        return values.dtype.kind == "U"
    first = next((value for value in values if not is_missing(value)), None)
    return isinstance(scalar(first), str)


def _refuse(value: Any, row: int, argument: str, texts: str) -> NoReturn:
    """Raise for a class that is no text, where others are."""
    if is_missing(value):
        raise InputError(inputs.sentence_of_missing(argument, "value", row, value))
    raise invalid(
        f"classes must be texts in all rows or in none: {texts} has texts, but row {row} "
        f"of {argument} is {value!r} ({type(value).__name__})."
    )
