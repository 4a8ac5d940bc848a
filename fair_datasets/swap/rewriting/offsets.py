"""Columns that point into the texts of a row by character, such as the spans of entities.

A text that is rewritten has another length, so that what stands behind a change moves with it. What
is computed from a text, such as its tokens, cannot be moved; who copies it is warned.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fair_datasets.rows import column_checks
from fair_datasets.rows.arrow import Columns, python_values
from fair_datasets.rows.column_checks import is_null, shortened
from fair_datasets.rows.row_texts import FieldValues, RowTexts
from fair_datasets.rows.text_fields import EACH, TextField, text_field
from fair_datasets.swap.rewriting.counterfactuals import Counterfactual, Edit
from fair_datasets.system.checks import format_choices, invalid, one_of, warn

if TYPE_CHECKING:
    import pyarrow as pa

_TO = "="


def checked_offsets(value: Any, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the parameter that names columns of offsets, or raise.

    Args:
        value: A path or several; `PATH=COLUMN`, or a mapping of paths to columns, where there are
            several columns of texts.

    Example:
        >>> checked_offsets({"spans[]": "context"}, ["context", "question"])
        ('spans[]=context',)
        >>> checked_offsets("spans[]", ["context", "question"])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: checked_offsets: offsets names 'spans[]', but not which of
        'context', 'question' it points into; write 'spans[]=context'.
    """
    if isinstance(value, Mapping):
        value = [f"{path}{_TO}{column}" for path, column in value.items()]
    names = column_checks.column_names(value, parameter="offsets") if value else ()
    for name in names:
        path, has_column, column = name.rpartition(_TO)
        if has_column:
            one_of(column, columns, parameter=f"the column that {path!r} points into")
        elif len(columns) > 1:
            raise invalid(
                f"offsets names {name!r}, but not which of {format_choices(columns)} it points "
                f"into; write '{name}{_TO}{columns[0]}'."
            )
    return names


def offset_paths(offsets: Sequence[str]) -> list[str]:
    """Return the paths to offsets, without what they point into.

    Example:
        >>> offset_paths(["answers.answer_start[]=context", "spans[]"])
        ['answers.answer_start[]', 'spans[]']
    """
    return [name.rpartition(_TO)[0] or name for name in offsets]


Indices = tuple[int, ...]


class Pointer(NamedTuple):
    """A field of offsets.

    Attributes:
        target: The number of the text field that it points into.
        depth: How many lists lead to a text of that field.
        is_end: Whether it points behind the last character of a span, and not to the first.
        span: What is the same for all offsets of one span.
    """

    values: FieldValues
    target: int
    depth: int
    is_end: bool
    span: str

    @property
    def column(self) -> str:
        """The column that holds the offsets."""
        return self.values.field.column

    def places(self, value: Any, row: int) -> Iterator[tuple[Indices, Any]]:
        """Yield the offsets in a value, with the numbers of the elements that lead there."""
        for spot, offset in self.values.walk(value, row):
            yield tuple(step for step in spot.place if isinstance(step, int)), offset


class _Text(NamedTuple):
    """A text that is pointed into, and its changes."""

    length: int
    edits: Sequence[Edit]


class Offsets:
    """The offsets of the rows of a batch."""

    def __init__(self, offsets: Sequence[str], texts: RowTexts) -> None:
        """Find the fields, or raise where one is missing, or an offset is outside its text."""
        self._texts = texts
        self._pointers = [self._pointer(name) for name in offsets]
        for number, row in enumerate(texts.rows if offsets else ()):
            own = self._own_texts(number, [[]] * len(row))
            for pointer in self._pointers:
                value = texts.batch[pointer.column][number]
                for indices, offset in pointer.places(value, number):
                    text = own.get((pointer.target, indices[: pointer.depth]))
                    self._check(pointer, number, offset, text)

    @property
    def columns(self) -> list[str]:
        """The columns that hold offsets."""
        return list(dict.fromkeys(pointer.column for pointer in self._pointers))

    def moved(self, number: int, new: Counterfactual, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns of offsets for a row that is rewritten.

        Args:
            values: The columns of the row, in which texts are written already.

        Returns:
            Each column to its value, with null for all offsets of a span that is cut.
        """
        own = self._own_texts(number, new.edits_from(self._texts.rows[number]))
        cut: set[tuple[str, Indices]] = set()
        replacements: list[list[tuple[str, Indices, Any]]] = []
        for pointer in self._pointers:
            replacements.append([])
            for indices, value in pointer.places(values[pointer.column], number):
                text = own.get((pointer.target, indices[: pointer.depth]))
                offset = value if text is None else _moved(value, text.edits, pointer.is_end)
                replacements[-1].append((pointer.span, indices, offset))
                if value is not None and (offset is None or (_is_pair(offset) and None in offset)):
                    cut.add((pointer.span, indices))
        result = {column: values[column] for column in self.columns}
        for pointer, offsets in zip(self._pointers, replacements, strict=True):
            adjusted = (_nulls(each) if (span, at) in cut else each for span, at, each in offsets)
            result[pointer.column] = pointer.values.replaced(result[pointer.column], adjusted)
        return result

    def _pointer(self, name: str) -> Pointer:
        """Read the name of a field of offsets."""
        batch = self._texts.batch
        path, _, column = name.rpartition(_TO)
        field = text_field(path or name, batch)
        fields = self._texts.fields
        target = next((k for k, each in enumerate(fields) if each.name == column), 0)
        lists = _lists(fields[target])
        if lists and (field.column != fields[target].column or field.steps[: len(lists)] != lists):
            raise invalid(
                f"offsets names {field.name!r}, but {fields[target].name!r} holds several "
                "texts in a row; name a path inside the same list."
            )
        last = next((step for step in reversed((field.column, *field.steps)) if step != EACH), "")
        words = _words(last)
        span = field.name.replace(last, "_".join(sorted(words - _STARTS - _ENDS)))
        is_end = bool(words & _ENDS)
        return Pointer(FieldValues(field, ()), target, lists.count(EACH), is_end, span)

    def _own_texts(
        self, number: int, edits: Sequence[Sequence[Edit]]
    ) -> dict[tuple[int, Indices], _Text]:
        """Return the texts of a row, by their field and the numbers that lead to them."""
        row = self._texts.rows[number]
        places = self._texts.places(number)
        return {
            place: _Text(len(text), own)
            for place, text, own in zip(places, row, edits, strict=True)
            if text is not None
        }

    def _check(self, pointer: Pointer, row: int, value: Any, text: _Text | None) -> None:
        """Raise unless an offset is one of its text."""
        if is_null(value) or text is None:
            return
        for offset in value if _is_pair(value) else [value]:
            if is_null(offset):
                continue
            if not _is_whole(offset) or not 0 <= offset <= text.length:
                raise invalid(
                    f"offsets names {pointer.values.field.name!r}, but in row {row} of the batch "
                    f"(counted from 0) it holds {shortened(value)}, which is no place in a text of "
                    f"{text.length} characters; correct it, or leave it out of offsets."
                )


def _words(name: str) -> set[str]:
    """Return the words of a name, in the singular: `char_starts`, `charStart`."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return {part.lower().removesuffix("s") for part in parts}


def _points(name: str) -> bool:
    """Whether a name is one of offsets."""
    return bool(_words(name) & (_STARTS | _ENDS))


def _lists(field: TextField) -> tuple[str, ...]:
    """Return the steps of a field up to its last list."""
    last = max((k for k, step in enumerate(field.steps) if step == EACH), default=-1)
    return field.steps[: last + 1]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray) and len(value) == 2


def _is_whole(value: Any) -> bool:
    is_number = isinstance(value, int | float | np.integer | np.floating)
    return is_number and not isinstance(value, bool) and float(value).is_integer()


def _nulls(value: Any) -> Any:
    return [None, None] if _is_pair(value) else None


def _moved(value: Any, edits: Sequence[Edit], is_end: bool) -> Any:
    """Move an offset, or the two of a span, with the changes of its text."""
    if is_null(value):
        return value
    if _is_pair(value):
        return [
            offset if is_null(offset) else move_offset(int(offset), edits, is_end=is_last)
            for offset, is_last in zip(value, (False, True), strict=True)
        ]
    return move_offset(int(value), edits, is_end=is_end)


def move_offset(offset: int, edits: Sequence[Edit], *, is_end: bool = False) -> int | None:
    """Return where a place of a text is after changes.

    Args:
        offset: The place, in characters.
        edits: The changes, in the order of the text.
        is_end: Whether a span ends there, so that what is put in at that place stands behind it.

    Returns:
        The place; None where it lies within what was changed.

    Example:
        >>> edits = [Edit(3, 7, "Mary", "Christopher", "gender", "man")]
        >>> [move_offset(offset, edits) for offset in (0, 3, 5, 7, 9)]
        [0, 3, None, 14, 16]
    """
    shift = 0
    for start, end, _, after, _, _ in edits:
        if offset < start or (offset == start and (is_end or start < end)):
            break
        if offset < end:
            return None
        shift += len(after) - (end - start)
    return offset + shift


# The names of what points into a text by character, and of what is computed from it.
_STARTS, _ENDS = {"start", "begin", "offset", "span"}, {"end", "stop"}
_COMPUTED = re.compile(
    r"(?:^|_)(?:(?:input|token|prompt|completion|word)_ids|attention_mask|token_type_ids|"
    r"special_tokens_mask|offset_mapping|embeddings?|logps)$"
)
_LOOKED_AT = 20
# What this package writes itself, of the row beside which it stands: edits, masks, scored words.
_OWN = re.compile(r"edits|erratic_spans|\w+_words")


def warn_of_stale(texts: RowTexts, changed: Iterable[int], named: Sequence[str]) -> None:
    """Warn of columns that are wrong beside a text of another length, unless they are named.

    Args:
        changed: The rows that are rewritten.
        named: The paths to offsets that are moved.
    """
    own, batch = {field.column for field in texts.fields}, texts.batch
    if texts.is_flat and own.issuperset(batch):
        return  # There is nothing but texts.
    rows = list(islice(changed, _LOOKED_AT))
    for name in batch:
        if _COMPUTED.search(name) and rows and name not in own:
            warn(
                f"column {name!r} is computed from the texts, and a counterfactual "
                "has that of its original; remove the column, and compute it anew."
            )
    longest = [max((len(text) for text in texts.rows[row] if text), default=0) for row in rows]
    for name, values in _looked_at(batch, rows):
        if _COMPUTED.search(name) or _OWN.fullmatch(name):
            continue
        paths: dict[str, bool] = {}
        for value, length in zip(values, longest, strict=True):
            for path, number in _integers(value, name):
                if path.startswith(tuple(named)):
                    continue
                paths[path] = paths.get(path, True) and 0 <= number <= length
        if points := next((path for path, is_within in paths.items() if is_within), None):
            warn(
                f"column {points!r} looks as if it pointed into the texts, and "
                "stays as it is beside a text of another length; name it in offsets, so that it "
                "moves with the text, or remove the column."
            )


def _looked_at(
    batch: Mapping[str, Sequence[Any]], rows: Sequence[int]
) -> Iterator[tuple[str, list[Any]]]:
    """Give the columns that may point into texts, with their values in some rows."""
    table = batch.table if isinstance(batch, Columns) else None
    if table is None:
        for name, values in batch.items():
            yield name, [values[row] for row in rows]
        return
    for name in _pointing(table.schema):
        yield name, [python_values(table[name].slice(row, 1))[0] for row in rows]


@lru_cache(maxsize=32)
def _pointing(schema: "pa.Schema") -> tuple[str, ...]:
    """Return the columns of a table in which a whole number has the name of an offset."""
    return tuple(field.name for field in schema if _may_point(field.type, field.name))


def _may_point(kind: "pa.DataType", name: str) -> bool:
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return any(_may_point(field.type, field.name) for field in kind)
    if pa.types.is_nested(kind) and not pa.types.is_map(kind):
        return any(_may_point(kind.field(place).type, name) for place in range(kind.num_fields))
    return isinstance(kind, pa.JsonType) or (pa.types.is_integer(kind) and _points(name))


def _integers(value: Any, path: str, name: str = "") -> Iterator[tuple[str, int]]:
    """Give the whole numbers in a value that have the name of an offset, with the way there."""
    name = name or path
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _integers(inner, f"{path}.{key}", str(key))
    elif isinstance(value, list | tuple | np.ndarray):
        is_pair = _is_pair(value) and path.endswith(EACH)
        for inner in value:
            yield from _integers(inner, path if is_pair else path + EACH, name)
    elif _is_whole(value) and not isinstance(value, float) and _points(name):
        yield path, int(value)
