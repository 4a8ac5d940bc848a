r"""JSON in the messages of a conversation: arguments of tool calls, and what tools answer.

It is read as one text, in which a key tells what its value is; only its strings are rewritten.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class JsonText(NamedTuple):
    r"""A text of JSON, or a value of it, and how it is read.

    Attributes:
        value: The text, or the object or list.
        between: What stands before, between and behind its strings. Shape (S + 1,).
        strings: The strings, keys among them, without their escapes. Shape (S,).

    Example:
        >>> found = json_text('{"he": "Jos\\u00e9 said:\\nHe left."}')
        >>> print(found.text)
        {"he": "José said:
        He left."}
        >>> print(found.replaced(found.text.replace("He", "She")))
        {"he": "Jos\u00e9 said:\nShe left."}
        >>> json_text({"n": 1.0, "who": "he"}).replaced('{"n": 1.0, "who": "she"}')
        {'n': 1.0, 'who': 'she'}
    """

    value: Any
    between: Sequence[str]
    strings: Sequence[str]

    @property
    def text(self) -> str:
        """The text that is read."""
        quoted = (f'"{string}"{behind}' for string, behind in self._pairs())
        return "".join([self.between[0], *quoted])

    @property
    def key_spans(self) -> list[tuple[int, int]]:
        """Where the keys stand in the text."""
        spans, end = [], len(self.between[0])
        for string, behind in self._pairs():
            start, end = end, end + len(string) + 2
            if _is_key(behind):
                spans.append((start, end))
            end += len(behind)
        return spans

    def strings_of(self, text: str) -> list[str] | None:
        """Find the strings in another text of the same JSON; None if it is another one."""
        if not text.startswith(self.between[0]):
            return None
        strings, start = [], len(self.between[0])
        for place, behind in enumerate(self.between[1:], start=1):
            is_last = place == len(self.between) - 1
            stop = f'"{behind}' if is_last else f'"{behind}"'
            end = len(text) - len(stop) if is_last else text.find(stop, start + 1)
            if end <= start or text[start] != '"' or not text.startswith(stop, end):
                return None
            strings.append(text[start + 1 : end])
            start = end + len(stop) - (not is_last)
        return strings

    def replaced(self, text: str) -> Any:
        """Return the value with the strings of another text; its keys stay.

        Raises:
            ValueError: It is a text of other JSON.
        """
        strings = self.strings_of(text)
        if strings is None:
            raise ValueError(text)
        new = [
            old if _is_key(behind) else string
            for (old, behind), string in zip(self._pairs(), strings, strict=True)
        ]
        if not isinstance(self.value, str):
            values = (
                each
                for each, (_, behind) in zip(new, self._pairs(), strict=True)
                if not _is_key(behind)
            )
            return _with_strings(self.value, values)
        written = _STRING.findall(self.value)
        for place, (old, string) in enumerate(zip(self.strings, new, strict=True)):
            if old != string:
                written[place] = json.dumps(string, ensure_ascii=self.value.isascii())
        quoted = (
            f"{string}{behind}" for string, behind in zip(written, self.between[1:], strict=True)
        )
        return "".join([self.between[0], *quoted])

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Give each string with what stands behind it."""
        return zip(self.strings, self.between[1:], strict=True)


def json_text(value: Any) -> JsonText | None:
    """Return how JSON is read; None for a text that is none, or has no strings."""
    raw = value
    if not isinstance(value, str):
        raw = json.dumps(value, ensure_ascii=False, default=_plain)
    elif value.lstrip()[:1] not in ("{", "["):
        return None
    else:
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return None
    written = _STRING.findall(raw)
    parsed = JsonText(value, _STRING.split(raw), [json.loads(string) for string in written])
    # A string may hold what divides strings.
    return parsed if written and parsed.strings_of(parsed.text) == parsed.strings else None


def _is_key(behind: str) -> bool:
    """Whether a string is a key, by what stands behind it."""
    return behind.lstrip().startswith(":")


def _plain(value: Any) -> Any:
    """Return what JSON has for a value of Python; null where it has nothing."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return None


def _with_strings(value: Any, strings: Iterator[str]) -> Any:
    """Put other strings into a value, in the order in which JSON writes them."""
    if isinstance(value, str):
        return next(strings)
    if isinstance(value, Mapping):
        return {key: _with_strings(inner, strings) for key, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_with_strings(inner, strings) for inner in value]
    return value
