"""Columns of classes: the labels, predictions or groups of rows, as codes with names."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.inputs import is_missing, scalar
from fair_datasets.rows.given import batches
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from datasets import Dataset

# What stands between two letters or digits, and does not tell "A-" from "A".
_BETWEEN = re.compile(r"(?<=\w)[-_./'’]+(?=\w)|_")
_UNKNOWN = frozenset(
    {"", "?", "-", "nan", "null", "unknown", "not known", "not stated", "not specified",
     "unspecified", "not disclosed", "undisclosed", "not reported", "missing", "n a",
     "prefer not to say", "prefer not to answer",
     "declined to answer", "declined to state", "decline to answer", "decline to state"}
)  # fmt: skip
MOST_CLASSES = 200
"""How many classes a column may have: more are no classes but values."""


class Classes(NamedTuple):
    """A column of classes.

    Attributes:
        names: The classes as they are written: those of a `ClassLabel` in its order, numbers in
            theirs, else in alphabetical order. Length C.
        numbers: The number of each class: that in a `ClassLabel`, itself where it is a number, 0
            and 1 of False and True, else its position. Length C.
        codes: The position of each row's class in `names`; -1 where it has none. Shape (N,).
    """

    column: str
    names: tuple[str, ...]
    numbers: tuple[int, ...]
    are_numbers: bool
    codes: NDArray[np.int64]


class ClassReader:
    """Reads a column of classes batch by batch."""

    def __init__(
        self, column: str, most: int = MOST_CLASSES, names: Mapping[str, str] | None = None
    ) -> None:
        """Set out to read a column, in all splits, of so many different values at most.

        The names say what values mean, by how they are written or by their number.
        """
        self.most = most
        self._names = names or {}
        self.column = column
        self._numbers: dict[str, int] = {}
        self._codes: list[int] = []
        self._listed: Sequence[str] | None = None
        self._kinds: set[type] = set()

    def read(self, values: Sequence[Any], feature: Any) -> None:
        """Read the values of a batch."""
        listed = getattr(feature, "names", None)
        self._listed = self._listed if listed is None else listed
        for value in values:
            name = self._name(scalar(value), listed)
            if name is None:
                self._codes.append(-1)
                continue
            self._codes.append(self._numbers.setdefault(name, len(self._numbers)))
        if len(self._numbers) > self.most:
            raise invalid(
                f"column {self.column!r} holds more than {self.most:,} different values, "
                "too many for classes; name another column, or group its values first."
            )

    def classes(self) -> Classes:
        """Return what was read."""
        values = list(self._numbers)
        are_numbers, are_booleans = self._kinds <= {int}, self._kinds == {bool}
        if self._listed is not None:
            order = [name for name in self._listed if name in self._numbers]
            order += sorted(set(values) - set(order))
        else:
            order = sorted(values, key=(lambda name: int(name)) if are_numbers else None)
        places = np.full(len(values) + 1, -1, np.int64)
        for place, name in enumerate(order):
            places[self._numbers[name]] = place
        numbers = list(range(len(order)))
        if self._listed is not None:
            numbers = [self._listed.index(name) if name in self._listed else -1 for name in order]
        elif are_numbers:
            numbers = list(map(int, order))
        elif are_booleans:
            numbers = [int(name == str(True)) for name in order]
        has_numbers = are_numbers or are_booleans or self._listed is not None
        codes = places[np.array(self._codes, np.int64)]
        names = self._named(order, numbers)
        return Classes(self.column, names, tuple(numbers), has_numbers, codes)

    def _named(self, written: Sequence[str], numbers: Sequence[int]) -> tuple[str, ...]:
        keys = [
            name if name in self._names else str(number)
            for name, number in zip(written, numbers, strict=True)
        ]
        names = tuple(self._names.get(key, name) for key, name in zip(keys, written, strict=True))
        for name in names:
            if names.count(name) > 1:
                raise invalid(
                    f"label_names gives a label of column {self.column!r} the name "
                    f"{name!r}, which another label has already; give each its own."
                )
        return names

    def _name(self, value: Any, listed: Sequence[str] | None) -> str | None:
        """Return how a class is written; None where there is none."""
        if is_missing(value) or value == "" or (listed is not None and value == -1):
            return None
        if listed is not None and isinstance(value, int) and 0 <= value < len(listed):
            self._kinds.add(str)
            return str(listed[value])
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        self._kinds.add(type(value))
        if not isinstance(value, str | int):
            row = len(self._codes)
            raise invalid(
                f"column {self.column!r} must hold classes, but row {row} (counted from "
                f"0, over all splits) holds {value!r} ({type(value).__name__}); turn its values "
                "into classes first, for instance with a threshold."
            )
        return str(value)


def spelt_alike(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that differ only in letter case, spaces and signs between letters.

    Returns:
        The first two; None if there are none.

    Example:
        >>> spelt_alike(["Female", "male", "female "]), spelt_alike(["<30", "30+", "A", "A-"])
        (('Female', 'female '), None)
    """
    known: dict[str, str] = {}
    for name in names:
        key = _spelling(name)
        if key in known:
            return known[key], name
        known[key] = name
    return None


def is_unknown(name: str) -> bool:
    """Whether a name of a category says that it is not known.

    Example:
        >>> is_unknown("Prefer not to say"), is_unknown("?"), is_unknown(" "), is_unknown("Other")
        (True, True, True, False)
    """
    return _spelling(name) in _UNKNOWN


def of_persons(classes: Classes) -> Classes:
    """Return a column about persons, in which words for what is not known are no class.

    Returns:
        The same, with -1 in rows that say "unknown", "prefer not to say" and the like.
    """
    if len(classes.names) > MOST_CLASSES:
        raise invalid(
            f"column {classes.column!r} holds {len(classes.names):,} different values, "
            "too many for categories of persons; name another column, or group its values first."
        )
    known = [place for place, name in enumerate(classes.names) if not is_unknown(name)]
    if alike := spelt_alike([classes.names[place] for place in known]):
        raise invalid(
            f"column {classes.column!r} holds {alike[0]!r} and {alike[1]!r}, which differ "
            "only in spelling and would be two categories; write them alike."
        )
    places = np.full(len(classes.names) + 1, -1, np.int64)
    places[known] = np.arange(len(known))
    return classes._replace(
        names=tuple(classes.names[place] for place in known),
        numbers=tuple(classes.numbers[place] for place in known),
        codes=places[classes.codes],
    )


def _spelling(name: str) -> str:
    return " ".join(_BETWEEN.sub(" ", unicodedata.normalize("NFKC", name).casefold()).split())


def refuse_other_values(splits: "Mapping[str, Dataset]", column: str) -> None:
    """Raise if a column is missing, or holds something else than classes.

    Example:
        >>> from datasets import Dataset
        >>> refuse_other_values({"train": Dataset.from_dict({"label": [1, 0]})}, "label")
    """
    reader = ClassReader(column)
    for rows in splits.values():
        for batch in batches(rows, [column]):
            reader.read(batch[column], rows.features.get(column))
