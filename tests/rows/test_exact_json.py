"""Values of JSON are kept whole in the types of pyarrow."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fair_datasets.rows.exact_json import (
    RawNumber,
    UnheldNumberError,
    joined,
    kind_of,
    rows,
    stored,
    type_of,
)

INF = float("inf")

WRITTEN = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
).map(RawNumber)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.text(max_size=3), st.integers(), st.integers(-(2**54), 2**54),
    WRITTEN,
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=5,
)
NUMBERS = st.lists(st.none() | st.integers() | st.integers(-9, 9) | WRITTEN)


def split_types(values: list[Any], place: int) -> Any:
    """Return the type of values that come in two batches."""
    return type_of(joined(kind_of(values[:place]), kind_of(values[place:])))


@given(st.lists(VALUES, max_size=5), st.integers(0, 5))
def test_batches_do_not_matter(values: list[Any], place: int) -> None:
    """The type is that of all values, wherever a batch ends."""
    assert split_types(values, place) == type_of(kind_of(values))


@given(st.lists(VALUES, max_size=5))
@example([[], RawNumber("0.1000000000000000055")])
@example([2**63, RawNumber("1.5"), -1])
def test_all_is_kept(values: list[Any]) -> None:
    """What comes back is equal to what was there, or a number is named that no type keeps."""
    kind = type_of(kind_of(values))
    if isinstance(kind, pa.JsonType) and not all(map(is_held, numbers(values))):
        with pytest.raises(UnheldNumberError):
            stored(values, kind)
        return
    found = stored(values, kind).to_pylist()
    if isinstance(kind, pa.JsonType):
        found = [
            None if text is None else json.loads(text, parse_float=RawNumber) for text in found
        ]
    assert all(map(same, values, found))


def numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers in a value."""
    if isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers(inner)
    elif isinstance(value, RawNumber) or type(value) is int:
        yield value


def is_held(number: Any) -> bool:
    """Whether a number has a place among those that other readers of JSON know."""
    if type(number) is int:
        return -(2**63) <= number < 2**64
    return float(number) not in (0.0, INF, -INF) or Decimal(number) == 0


def same(value: Any, found: Any) -> bool:
    """Whether a value came back."""
    if isinstance(value, list):
        return len(value) == len(found) and all(map(same, value, found))
    if isinstance(value, dict):
        return value.keys() == found.keys() and all(same(value[k], found[k]) for k in value)
    if isinstance(value, RawNumber) and isinstance(found, float):
        # A float is the number that is meant where it would be written with 17 digits at most.
        return float(value) == found and (found != 0 or Decimal(value) == 0)
    if isinstance(value, RawNumber | int) and not isinstance(value, bool):
        return str(value) == str(found) or value == found
    return bool(value == found) and type(value) is type(found)


@given(NUMBERS)
def test_numbers_are_never_texts(values: list[Any]) -> None:
    """A column of numbers has one type that keeps all, or is JSON."""
    kind = type_of(kind_of(values))
    assert kind in (pa.null(), pa.int64(), pa.uint64(), pa.float64(), pa.json_())


@pytest.mark.parametrize(("values", "kind", "kept"), [
    ([-(2**63), 2**63 - 1, None], "int64", [-(2**63), 2**63 - 1, None]),
    ([2**63, 1, 2**64 - 1, None], "uint64", [2**63, 1, 2**64 - 1, None]),
    ([2**63, -1], "extension<arrow.json>", ["9223372036854775808", "-1"]),
    ([1, 0.25, RawNumber("1.0")], "double", [1.0, 0.25, 1.0]),
    ([-(2**53), 2**53, RawNumber("0.5")], "double", [-(2.0**53), 2.0**53, 0.5]),
    ([2**53 + 1, RawNumber("0.5")], "extension<arrow.json>", ["9007199254740993", "0.5"]),
    ([RawNumber("0.1000000000000000055")], "extension<arrow.json>", ["0.1000000000000000055"]),
    ([RawNumber("0.10"), RawNumber("1e5")], "double", [0.1, 1e5]),
    ([RawNumber("0e5"), RawNumber("-0.0")], "double", [0.0, -0.0]),
    ([INF, 1, -INF], "double", [INF, 1.0, -INF]),
    ([{"a": INF}, {"b": 1}], "extension<arrow.json>", ['{"a":Infinity}', '{"b":1}']),
    (["2020-01-01T00:00:00+02:00"], "string", ["2020-01-01T00:00:00+02:00"]),
    ([[1], [], None, [None, 2**63]], "list<item: uint64>",
     [[1], [], None, [None, 9223372036854775808]]),
    ([{"a": 1}, {"a": RawNumber("0.5")}], "struct<a: double>", [{"a": 1.0}, {"a": 0.5}]),
    ([{"a": 1}, {"b": 2**63}], "extension<arrow.json>", ['{"a":1}', '{"b":9223372036854775808}']),
    (["a", 5, True, None, RawNumber("1.5"), [None]], "extension<arrow.json>",
     ['"a"', "5", "true", None, "1.5", "[null]"]),
    (["a", RawNumber("0.12345678901234567")], "extension<arrow.json>",
     ['"a"', "0.12345678901234567"]),
    ([{}], "extension<arrow.json>", ["{}"]), ([True, 1], "extension<arrow.json>", ["true", "1"]),
])  # fmt: skip
def test_examples(values: list[Any], kind: str, kept: list[Any]) -> None:
    """What the types are, and what they hold."""
    found = type_of(kind_of(values))
    assert str(found) == kind
    assert stored(values, found).to_pylist() == kept


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**30, RawNumber("1e400"),
                                    RawNumber("1e-400"), float("nan")])  # fmt: skip
def test_numbers_that_nothing_keeps(number: Any) -> None:
    """Not even JSON, of which `datasets` would make another number, or a null."""
    for values in ([number, "a"], [{"a": [number]}, {"b": 1}]):
        with pytest.raises(UnheldNumberError, match=str(number).replace("nan", "NaN")):
            stored(values, type_of(kind_of(values)))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.lists(st.dictionaries(st.text(), PLAIN, max_size=4), max_size=4)


def read(text: str, field: str | None = None) -> list[tuple[int, Any]]:
    """Read a text."""
    return list(rows(text.splitlines(keepends=True), field))


@given(OBJECTS, st.booleans(), st.sampled_from([None, 0, 2]))
def test_however_it_is_laid_out(objects: list[Any], ascii_only: bool, indent: int | None) -> None:
    """Lines, lines with space between, an array, and objects over several lines are the same."""
    written = [json.dumps(each, ensure_ascii=ascii_only, indent=indent) for each in objects]
    layouts = ["\n".join(written), "\n\n".join(written), f"[{','.join(written)}]",
               "[\n" + ",\n".join(written) + "\n]\n", " ".join(written)]  # fmt: skip
    for layout in layouts:
        lines = layout.split("\n")
        ends = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
        assert [row for _, row in rows(ends)] == objects


def test_numbers_keep_their_digits() -> None:
    """Whole numbers of any size are exact, and others as they are written."""
    (found,) = read('{"a": 123456789012345678901234567890, "b": 1.10, "c": 1E400, "d": -0}')
    assert found == (1, {"a": 123456789012345678901234567890, "b": "1.10", "c": "1E400", "d": 0})
    assert [type(value) for value in found[1].values()] == [int, RawNumber, RawNumber, int]


def test_lines_are_counted() -> None:
    """An object has the number of the line where it begins."""
    assert [number for number, _ in read('{}\n\n{}\n{"a":\n1}\n{}')] == [1, 3, 4, 6]
    assert [number for number, _ in read('[\n{},\n\n{"a":\n1}, {}]')] == [2, 4, 5]


def test_what_stands_for_objects() -> None:
    """Texts are objects with a text, and a field holds the objects."""
    assert read('["a", "b"]') == [(1, {"text": "a"}), (1, {"text": "b"})]
    assert read('{"n": 2, "data": [{"a": 1}, {"a": 2}]}', "data") == [(1, {"a": 1}), (1, {"a": 2})]
