"""Reading JSON text without losing anything: no digit, no key, no half of a character."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
# How JSON escapes one half of a character; without the other half it is none.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class Written(str):
    """A number with a point or an exponent, as it is written."""

    __slots__ = ()


def rows(lines: Iterable[str], field: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the objects of a text: one on each line, one after another, or in an array.

    Args:
        field: The key under which the objects are; None for the whole text.

    Yields:
        The number of the line where the object begins (counted from 1), and the object; its numbers
        with a point are `Written`. A text in the place of an object is one with the key "text".

    Raises:
        ValueError: The text is no JSON, a key comes twice, half of a character is missing, or there
            is something else than an object. The sentence begins with the line.

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
        number += text.count("\n", counted, error.pos)
        raise ValueError(
            f"line {number}: the JSON is malformed ({error.msg}, character {error.colno}); write "
            "one JSON object per line."
        ) from error
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error


def _behind_space(text: str, place: int) -> int:
    """Return the next place of a text that is no space."""
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
