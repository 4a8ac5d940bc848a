"""Reading JSON files: numbers keep their digits, and texts that look like dates stay texts."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, islice
from math import isfinite
from typing import Any

import pyarrow as pa
from datasets.packaged_modules.json.json import JsonConfig

from fair_datasets.rows.column_checks import refuse_too_many
from fair_datasets.rows.exact import ExactBuilder, format_file_name
from fair_datasets.system.checks import InputError, truncate

_SPACE = re.compile(r"[ \t\n\r]*")
# How JSON escapes one half of a character; without the other half it is none.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class RawNumber(str):
    """A number with a point or an exponent, as it is written."""

    __slots__ = ()


def rows(lines: Iterable[str], field: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the objects of a text: one on each line, one after another, or in an array.

    Yields:
        The number of the line where the object begins (counted from 1), and the object; its numbers
        with a point are `RawNumber`. A text in the place of an object is one with the key "text".

    Example:
        >>> list(rows(['{"id": 12345678901234567890}', '{"id": 1.10}']))
        [(1, {'id': 12345678901234567890}), (2, {'id': '1.10'})]
    """
    for number, value in _values(iter(lines)):
        if field is not None:
            if not isinstance(value, dict) or field not in value:
                raise ValueError(f"line {number}: there is no key {field!r}.")
            value = value[field]
        for row in value if isinstance(value, list) else [value]:
            if not isinstance(row, dict | str) or isinstance(row, RawNumber):
                raise ValueError(
                    f"line {number}: there is {str(row)[:60]} in the place of an object; write one "
                    "JSON object per line."
                )
            yield number, {"text": row} if isinstance(row, str) else row


def _values(lines: Iterator[str]) -> Iterator[tuple[int, Any]]:
    """Read the values of a text with the numbers of their lines."""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            continue
        try:
            value, end = _value(text, 0)
        except json.JSONDecodeError:
            end = -1
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        if end < len(text):
            # What does not end with its line goes on behind it.
            yield from _elements("".join([line, *lines]), number)
            return
        yield number, value


def _elements(text: str, number: int) -> Iterator[tuple[int, Any]]:
    """Read values one after another, or those of arrays, wherever their lines end."""
    is_inside, counted, place = False, 0, _behind_space(text, 0)
    try:
        while is_inside or place < len(text):
            if not is_inside and text[place] == "[":
                place = _behind_space(text, place + 1)
                is_inside = text[place : place + 1] != "]"
                place = place if is_inside else _behind_space(text, place + 1)
                continue
            number, counted = number + text.count("\n", counted, place), place
            value, end = _value(text, place)
            yield number, value
            place = _behind_space(text, end)
            if is_inside:
                sign = text[place : place + 1]
                if sign not in (",", "]") or not sign:
                    raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
                is_inside, place = sign == ",", _behind_space(text, place + 1)
    except json.JSONDecodeError as error:
        begin = number + text.count("\n", counted, place)
        number += text.count("\n", counted, error.pos)
        # A line that is cut fails where another one begins.
        whole = f" of the value that begins on line {begin}" if begin < number else ""
        raise ValueError(
            f"line {number}: the JSON is malformed ({error.msg.removesuffix(' at')}, character "
            f"{error.colno}{whole}); write one JSON object per line."
        ) from error
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error


def _behind_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _value(text: str, place: int) -> tuple[Any, int]:
    """Read the value that begins at a place of a text, and return where it ends."""
    value, end = _DECODER.raw_decode(text, place)
    if _HALF.search(text, place, end):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = json.dumps(error.object[error.start])
            raise ValueError(
                f"the text holds {half}, a lone surrogate, which is half of a character; write the "
                "whole character, or leave it out."
            ) from error
    return value, end


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or raise if it has a key twice, of which one value would be lost."""
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} comes twice in one object; keep one of them.")
    return members


_DECODER = json.JSONDecoder(parse_float=RawNumber, object_pairs_hook=_object)


# How many objects make one table.
_CHUNK_ROWS = 1000


class ExactJson(ExactBuilder):
    """Reads JSON objects; values of several kinds stay JSON, and no number becomes another."""

    BUILDER_CONFIG_CLASS = JsonConfig

    def look(self, files: Iterable[str]) -> "pa.Schema":
        """Return the types of the columns over all files."""
        kinds: dict[str, Kind] = {}
        for file in files:
            for _, batch in self._batches(file):
                for name, values in _columns(batch, format_file_name(file)).items():
                    kinds[name] = joined(kinds.get(name, "null"), kind_of(values))
                refuse_too_many(len(kinds), format_file_name(file))
        return pa.schema((name, type_of(kind)) for name, kind in kinds.items())

    def tables(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file; as long as no types are known, with those of the rows."""
        for numbers, batch in self._batches(file):
            by_name = _columns(batch, format_file_name(file), self.types and self.types.names)
            if self.types is None:
                types = {name: type_of(kind_of(values)) for name, values in by_name.items()}
            else:
                types = dict(zip(self.types.names, self.types.types, strict=True))
            columns = {}
            for name, values in by_name.items():
                try:
                    columns[name] = stored(values, types[name])
                except UnheldNumberError:
                    raise _unheld(
                        values, types[name], numbers, name, format_file_name(file)
                    ) from None
            yield pa.table(columns)

    def _batches(self, file: str) -> Iterator[tuple[Sequence[int], Sequence[dict[str, Any]]]]:
        """Yield the objects of a file, some at a time, and the numbers of their lines."""
        with self.locating_errors(file), open(file, encoding=self.encoding, newline="\n") as lines:
            objects = rows(lines, self.config.field)
            while True:
                numbers, batch = list[int](), list[dict[str, Any]]()
                # Pairs that are kept would keep Python's collector of garbage busy.
                for number, row in islice(objects, _CHUNK_ROWS):
                    numbers.append(number)
                    batch.append(row)
                if not batch:
                    return
                yield numbers, batch


def _columns(
    batch: Sequence[dict[str, Any]], place: str, names: Sequence[str] | None = None
) -> dict[str, list[Any]]:
    """Return the values of each key of objects, None where one lacks it."""
    keys = dict.fromkeys(chain.from_iterable(batch)) if names is None else names
    refuse_too_many(len(keys), place)
    return {name: [row.get(name) for row in batch] for name in keys}


def _unheld(
    values: Sequence[Any], kind: "pa.DataType", numbers: Sequence[int], name: str, place: str
) -> InputError:
    """Return the error for the first of some values that no type holds."""
    for value, number in zip(values, numbers, strict=True):
        try:
            stored([value], kind)
        except UnheldNumberError as error:
            literal, line = str(error), number
            break
    return InputError(
        f"{place}, line {line}: column {name!r} holds the number {truncate(literal, 60)}, which no "
        "type of numbers keeps; write it as a text, in double quotes, or as null."
    )


# What a column holds: null, bool, string or mixed; for numbers the names of the types that hold
# each of them; a pair of "list" and what lists hold; for objects what each key holds.
Kind = str | frozenset[str] | tuple[str, Any] | dict[str, Any]

_AS_THEY_ARE = (pa.null(), pa.bool_(), pa.int64(), pa.uint64())
_INT64, _UINT64 = range(-(2**63), 2**63), range(2**64)
# In the order of preference.
_NUMBERS = ("int64", "uint64", "float64")
_EXPONENT = frozenset("eE")
# A float holds each whole number up to this one, and is written with so many digits at most.
_FLOAT64, _DIGITS = range(-(2**53), 2**53 + 1), 17


def kind_of(values: Iterable[Any]) -> Kind:
    """Return what values of JSON have in common.

    Example:
        >>> kind_of([True, None]), kind_of(["a", 1]), kind_of([2**53 + 1, -7])
        ('bool', 'mixed', frozenset({'int64'}))
    """
    items = list(values)
    types = set(map(type, items))
    if type(None) in types:
        types.remove(type(None))
        items = [value for value in items if value is not None]
    if not types:
        return "null"
    if types == {str}:
        return "string"
    if types == {bool}:
        return "bool"
    if types <= {int, float, RawNumber}:
        return _numbers(items)
    if types == {list}:
        return "list", kind_of(chain.from_iterable(items))
    keys = items[0].keys() if types == {dict} else ()
    # With other keys, each object would get those of all others.
    if keys and all(value.keys() == keys for value in items):
        return {key: kind_of([value[key] for value in items]) for key in keys}
    return "mixed"


def joined(one: Kind, other: Kind) -> Kind:
    """Return what values of two kinds have in common.

    Example:
        >>> joined("null", "string"), joined("bool", "string")
        ('string', 'mixed')
    """
    if one == other or other == "null":
        return one
    if one == "null":
        return other
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one & other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return "list", joined(one[1], other[1])
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: joined(one[key], other[key]) for key in one}
    return "mixed"


def type_of(kind: Kind) -> "pa.DataType":
    """Return the type in which values of a kind are kept.

    Returns:
        The type: JSON where values of several kinds, or numbers that no type holds together, stand
        anywhere in a column.

    Example:
        >>> type_of(frozenset({"float64", "int64"})), type_of(frozenset())
        (DataType(int64), JsonType(extension<arrow.json>))
    """
    return pa.json_() if _is_mixed(kind) else _plain_type(kind)


def stored(values: Sequence[Any], kind: "pa.DataType") -> "pa.Array":
    """Keep values of JSON in a type that holds them.

    Example:
        >>> stored([2**63], pa.uint64()).to_pylist(), stored([7], pa.float64()).to_pylist()
        ([9223372036854775808], [7.0])

    Raises:
        UnheldNumberError: JSON cannot keep a number so that `datasets` reads it again.
    """
    if kind in _AS_THEY_ARE or pa.types.is_string(kind):
        return pa.array(values, kind)
    return pa.array([value if value is None else _made(value, kind) for value in values], kind)


def _numbers(values: Sequence[Any]) -> frozenset[str]:
    """Return the types that hold each of some numbers."""
    wholes = [value for value in values if type(value) is int]
    ends = (min(wholes), max(wholes)) if wholes else ()
    types = set()
    if len(wholes) == len(values) and all(end in _INT64 for end in ends):
        types.add("int64")
    if len(wholes) == len(values) and all(end in _UINT64 for end in ends):
        types.add("uint64")
    written = (value for value in values if type(value) is RawNumber)
    if all(end in _FLOAT64 for end in ends) and all(map(is_float, written)):
        types.add("float64")
    return frozenset(types)


def is_float(text: str) -> bool:
    """Whether a float holds a number as it is written."""
    if len(text) < _DIGITS and not _EXPONENT.intersection(text):
        return True
    value = float(text)
    if repr(value) == text:
        return True
    number = Decimal(text)
    is_short = len(number.normalize().as_tuple().digits) <= _DIGITS
    return is_short and isfinite(value) and (value != 0 or number == 0)


def _is_mixed(kind: Kind) -> bool:
    """Whether values of several kinds stand somewhere in a column."""
    if isinstance(kind, tuple):
        return _is_mixed(kind[1])
    if isinstance(kind, dict):
        return any(map(_is_mixed, kind.values()))
    return kind in ("mixed", frozenset())


def _plain_type(kind: Kind) -> "pa.DataType":
    if isinstance(kind, tuple):
        return pa.list_(_plain_type(kind[1]))
    if isinstance(kind, dict):
        return pa.struct([(key, _plain_type(inner)) for key, inner in kind.items()])
    if isinstance(kind, frozenset):
        kind = next(name for name in _NUMBERS if name in kind)
    return pa.type_for_alias(kind)


def _made(value: Any, kind: "pa.DataType") -> Any:
    """Return what pyarrow takes for a value of a type."""
    if isinstance(kind, pa.JsonType):
        return _as_json(value)
    if pa.types.is_floating(kind):
        return float(value)
    if pa.types.is_list(kind):
        return [inner if inner is None else _made(inner, kind.value_type) for inner in value]
    if pa.types.is_struct(kind):
        inner = ((field.name, value[field.name], field.type) for field in kind)
        return {name: item if item is None else _made(item, of) for name, item, of in inner}
    return value


class UnheldNumberError(ValueError):
    """A number that `datasets` reads from JSON as another one, or not at all."""


def _as_json(value: Any) -> str:
    """Write a value as JSON, each number as it is written."""
    if isinstance(value, dict):
        inner = (f"{json.dumps(key, ensure_ascii=False)}:{_as_json(item)}"
                 for key, item in value.items())  # fmt: skip
        return f"{{{','.join(inner)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_as_json, value))}]"
    if isinstance(value, RawNumber):
        near = float(value)
        if not isfinite(near) or (near == 0 and Decimal(value) != 0):
            raise UnheldNumberError(value)
        return str(value)
    if value != value or (type(value) is int and value not in _INT64 and value not in _UINT64):
        raise UnheldNumberError("NaN" if value != value else value)
    return json.dumps(value, ensure_ascii=False)
