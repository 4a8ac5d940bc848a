"""JSON text is read whole, or the line at fault is named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.cli.exact.json_values import Written, rows

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.lists(st.dictionaries(st.text(), VALUES, max_size=4), max_size=4)


def read(text: str, field: str | None = None) -> list[tuple[int, Any]]:
    """Read a text."""
    return list(rows(text.splitlines(keepends=True), field))


def fault(text: str, field: str | None = None) -> str:
    """Return the sentence in which a text is refused."""
    with pytest.raises(ValueError, match=r"^line [0-9]+: ") as caught:
        read(text, field)
    return str(caught.value)


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
    assert [type(value) for value in found[1].values()] == [int, Written, Written, int]


def test_lines_are_counted() -> None:
    """An object has the number of the line where it begins."""
    assert [number for number, _ in read('{}\n\n{}\n{"a":\n1}\n{}')] == [1, 3, 4, 6]
    assert [number for number, _ in read('[\n{},\n\n{"a":\n1}, {}]')] == [2, 4, 5]


def test_what_stands_for_objects() -> None:
    """Texts are objects with a text, and a field holds the objects."""
    assert read('["a", "b"]') == [(1, {"text": "a"}), (1, {"text": "b"})]
    assert read('{"n": 2, "data": [{"a": 1}, {"a": 2}]}', "data") == [(1, {"a": 1}), (1, {"a": 2})]


DUPLICATE = "the key 'a' comes twice in one object; keep one of them."
HALF = (
    'the text holds "\\ud83d", a lone surrogate, which is half of a character; write the whole '
    "character, or leave it out."
)


@pytest.mark.parametrize(("text", "sentence"), [
    ('{}\n{"a": 1, "b": 2, "a": 1}', f"line 2: {DUPLICATE}"),
    ('{}\n{"b": {"a": 1, "a": 2}}', f"line 2: {DUPLICATE}"),
    ('[\n{},\n{"a": 1,\n"a": 2}]', f"line 3: {DUPLICATE}"),
    ('{}\n{"a": "x \\ud83d"}', f"line 2: {HALF}"),
    ('{"a": "\\ud83d\\ude00"}\n{"\\uD83D": 1}', f"line 2: {HALF}"),
    ('[{},\n{"a": ["\\ud83d\\ud83d\\ude00"]}]', f"line 2: {HALF}"),
    ("{}\n5", "line 2: there is 5 in the place of an object; write one JSON object per line."),
    ("{}\n1.5", "line 2: there is 1.5 in the place of an object; write one JSON object"),
    ("null", "line 1: there is None in the place of an object;"),
    ('{}\n{"a": he}\n', "line 2: the JSON is malformed (Expecting value, character 7);"),
    ('{}\n{"a": 1', "line 2: the JSON is malformed (Expecting ',' delimiter, character 8);"),
    ("[{}\n{}]", "line 2: the JSON is malformed (Expecting ',' delimiter, character 1);"),
    ("[{},]", "line 1: the JSON is malformed (Expecting value, character 5);"),
    ("[{}", "line 1: the JSON is malformed (Expecting ',' delimiter, character 4);"),
    ("[", "line 1: the JSON is malformed (Expecting value, character 2);"),
    ("{}\n{}]", "line 2: the JSON is malformed (Expecting value, character 3);"),
])  # fmt: skip
def test_faults(text: str, sentence: str) -> None:
    """The sentence names the line and what to do."""
    assert fault(text).startswith(sentence)


def test_a_field_that_is_not_there() -> None:
    """The key is named."""
    assert fault('{"a": []}', "data") == "line 1: there is no key 'data'."
