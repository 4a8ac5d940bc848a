"""Reading JSON files: numbers keep their digits, and texts that look like dates stay texts."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, islice
from math import isfinite
from typing import Any

import pyarrow as pa
from datasets import Json
from datasets.packaged_modules.json.json import JsonConfig

from fair_datasets.rows.exact import ExactBuilder

_SPACE = re.compile(r"[ \t\n\r]*")
# How JSON escapes one half of a character; without the other half it is none.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class Written(str):
    """A number with a point or an exponent, as it is written."""

    __slots__ = ()


def rows(lines: Iterable[str], field: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the objects of a text: one on each line, one after another, or in an array.

    Yields:
        The number of the line where the object begins (counted from 1), and the object; its numbers
        with a point are `Written`. A text in the place of an object is one with the key "text".

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
            if not isinstance(row, dict | str) or isinstance(row, Written):
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
    found = _SPACE.match(text, place)
    return found.end() if found else place


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
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} comes twice in one object; keep one of them.")
    return found


_DECODER = json.JSONDecoder(parse_float=Written, object_pairs_hook=_object)


# How many objects make one table.
_TOGETHER = 1000


class ExactJson(ExactBuilder):
    """Reads JSON objects; numbers that no type holds are text, and values of several kinds JSON."""

    BUILDER_CONFIG_CLASS = JsonConfig

    def look(self, files: Iterable[str]) -> "pa.Schema":
        """Return the types of the columns over all files."""
        kinds: dict[str, Kind] = {}
        for batch in chain.from_iterable(map(self._batches, files)):
            for name, values in _columns(batch).items():
                kinds[name] = joined(kinds.get(name, "null"), kind_of(values))
        return pa.schema((name, type_of(kind)) for name, kind in kinds.items())

    def tables(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file; as long as no types are known, with those of the rows."""
        for batch in self._batches(file):
            if self.types is None:
                found = _columns(batch)
                types = {name: type_of(kind_of(values)) for name, values in found.items()}
            else:
                found = _columns(batch, self.types.names)
                types = dict(zip(self.types.names, self.types.types, strict=True))
            yield pa.table({name: stored(values, types[name]) for name, values in found.items()})

    def _batches(self, file: str) -> Iterator[list[dict[str, Any]]]:
        """Yield the objects of a file, some at a time."""
        encoding = "utf-8-sig" if self.config.encoding == "utf-8" else self.config.encoding
        with open(file, encoding=encoding, newline="\n") as lines:
            found = (row for _, row in rows(lines, self.config.field))
            while batch := list(islice(found, _TOGETHER)):
                yield batch


def _columns(
    batch: Sequence[dict[str, Any]], names: Sequence[str] | None = None
) -> dict[str, list[Any]]:
    """Return the values of each key of objects, None where one lacks it."""
    found = dict.fromkeys(chain.from_iterable(batch)) if names is None else names
    return {name: [row.get(name) for row in batch] for name in found}


# What a column holds: null, bool, string or mixed; for numbers the names of the types that hold
# each of them; a pair of "list" and what lists hold; for objects what each key holds.
Kind = str | frozenset[str] | tuple[str, Any] | dict[str, Any]

_AS_THEY_ARE = (pa.null(), pa.bool_(), pa.int64())
_INT64 = range(-(2**63), 2**63)
_EXPONENT = frozenset("eE")
# A float holds each whole number up to this one, and is written with so many digits at most.
_FLOAT64, _DIGITS = range(-(2**53), 2**53 + 1), 17


def kind_of(values: Iterable[Any]) -> Kind:
    """Return what values of JSON have in common.

    Example:
        >>> kind_of([True, None]), kind_of(["a", 1]), kind_of([2**53 + 1, 7])
        ('bool', 'mixed', frozenset({'int64'}))
    """
    found = list(values)
    types = set(map(type, found))
    if type(None) in types:
        types.remove(type(None))
        found = [value for value in found if value is not None]
    if not types:
        return "null"
    if types == {str}:
        return "string"
    if types == {bool}:
        return "bool"
    if types <= {int, float, Written}:
        return _numbers(found)
    if types == {list}:
        return "list", kind_of(chain.from_iterable(found))
    keys = found[0].keys() if types == {dict} else ()
    # With other keys, each object would get those of all others.
    if keys and all(value.keys() == keys for value in found):
        return {key: kind_of([value[key] for value in found]) for key in keys}
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
        The type: string for numbers that no type holds, and JSON where values of several kinds
        stand anywhere in a column.

    Example:
        >>> type_of(frozenset({"float64", "int64"})), type_of(frozenset())
        (DataType(int64), DataType(string))
    """
    return pa.json_() if _is_mixed(kind) else _plain_type(kind)


def stored(values: Sequence[Any], kind: "pa.DataType") -> "pa.Array":
    """Keep values of JSON in a type that holds them.

    Example:
        >>> stored([2**70, None], pa.string()).to_pylist(), stored([7], pa.float64()).to_pylist()
        (['1180591620717411303424', None], [7.0])
    """
    if pa.types.is_string(kind) and not set(map(type, values)) - {str, type(None)}:
        return pa.array(values, kind)
    if kind in _AS_THEY_ARE:
        return pa.array(values, kind)
    return pa.array([value if value is None else _made(value, kind) for value in values], kind)


def _numbers(values: Sequence[Any]) -> frozenset[str]:
    """Return the types that hold each of some numbers."""
    wholes = [value for value in values if type(value) is int]
    ends = (min(wholes), max(wholes)) if wholes else ()
    types = set()
    if len(wholes) == len(values) and all(end in _INT64 for end in ends):
        types.add("int64")
    written = (value for value in values if type(value) is Written)
    if all(end in _FLOAT64 for end in ends) and all(map(_is_float, written)):
        types.add("float64")
    return frozenset(types)


def _is_float(text: str) -> bool:
    """Tell whether a float holds a number as it is written."""
    if len(text) < _DIGITS and not _EXPONENT.intersection(text):
        return True
    value = float(text)
    if repr(value) == text:
        return True
    number = Decimal(text)
    is_short = len(number.normalize().as_tuple().digits) <= _DIGITS
    return is_short and isfinite(value) and (value != 0 or number == 0)


def _is_mixed(kind: Kind) -> bool:
    """Tell whether values of several kinds stand somewhere in a column."""
    if isinstance(kind, tuple):
        return _is_mixed(kind[1])
    return any(map(_is_mixed, kind.values())) if isinstance(kind, dict) else kind == "mixed"


def _plain_type(kind: Kind) -> "pa.DataType":
    if isinstance(kind, tuple):
        return pa.list_(_plain_type(kind[1]))
    if isinstance(kind, dict):
        return pa.struct([(key, _plain_type(inner)) for key, inner in kind.items()])
    if isinstance(kind, frozenset):
        kind = next((name for name in ("int64", "float64") if name in kind), "string")
    return pa.type_for_alias(kind)


def _made(value: Any, kind: "pa.DataType") -> Any:
    """Return what pyarrow takes for a value of a type."""
    if isinstance(kind, pa.JsonType):
        return _as_json(value)
    if pa.types.is_string(kind):
        return value if type(value) is str else str(value)
    if pa.types.is_floating(kind):
        return float(value)
    if pa.types.is_list(kind):
        return [inner if inner is None else _made(inner, kind.value_type) for inner in value]
    if pa.types.is_struct(kind):
        inner = ((field.name, value[field.name], field.type) for field in kind)
        return {name: found if found is None else _made(found, of) for name, found, of in inner}
    return value


def _survives(number: str) -> bool:
    """Tell whether datasets, which shortens the numbers of its JSON, gives a number as it is."""
    feature = Json()
    try:
        read = feature.decode_example(number)
    except ValueError:
        # It refuses whole numbers beyond 64 bits on one side of zero and shortens those beyond.
        return False
    again = feature.decode_example(feature.encode_example(read))
    return _is_float(number) and bool(again == read == float(number))


def _as_json(value: Any) -> str:
    """Write a value as JSON; numbers that datasets would shorten become texts."""
    if isinstance(value, dict):
        inner = (f"{_as_json(key)}:{_as_json(found)}" for key, found in value.items())
        return f"{{{','.join(inner)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_as_json, value))}]"
    if isinstance(value, Written) and _survives(value):
        return str(value)
    is_whole = type(value) is int and value in _INT64
    is_other = value is None or type(value) in (bool, str)
    return json.dumps(value if is_whole or is_other else str(value), ensure_ascii=False)
