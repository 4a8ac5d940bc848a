"""Texts inside the columns of tables."""

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.nested import python_values, with_texts

TEXT = st.none() | st.text(max_size=3)
TURN = st.none() | st.fixed_dictionaries({"a": TEXT, "n": st.none() | st.integers(0, 9)})
KIND = pa.struct([("a", pa.string()), ("n", pa.int8())])


@pytest.mark.parametrize("kind", [pa.list_(KIND), pa.large_list(KIND)])
@given(st.lists(st.none() | st.lists(TURN, max_size=3), max_size=4), st.integers(0, 2))
def test_texts_in_lists_of_objects(kind: pa.DataType, values: list[Any], skipped: int) -> None:
    """The texts are those that were given; all else is what it was, also in a slice."""
    array = pa.array(values, kind)[skipped:]
    new = [
        value and [turn and {**turn, "a": f"<{turn['a']}>"} for turn in value]
        for value in values[skipped:]
    ]
    found = with_texts(array, ["[]", "a"], new)
    assert (found.type, found.to_pylist()) == (kind, new)
    found.validate(full=True)
    assert with_texts(found, ["[]", "a"], values[skipped:]).equals(array)


def test_nanoseconds_stay() -> None:
    """A value that Python does not know is not touched."""
    kind = pa.struct([("at", pa.timestamp("ns")), ("text", pa.string())])
    array = pa.StructArray.from_arrays(
        [pa.array([1, 2], pa.timestamp("ns")), pa.array(["a", "b"])], fields=list(kind)
    )
    found = with_texts(array, ["text"], [{"text": "c"}, {"text": "d"}])
    assert found.field("at").equals(array.field("at"))
    assert found.field("text").to_pylist() == ["c", "d"]


def test_json_that_does_not_change_stays_as_it_is_written() -> None:
    """JSON is read for the techniques, and written anew only where a text changes."""
    texts = ['[{"a" : "he", "n": 1.10}]', '[{"a" : "it", "n": 1.10}]', None]
    array = pa.array(texts, pa.json_())
    assert python_values(array)[0] == [{"a": "he", "n": 1.1}]
    new = [[{"a": "she", "n": 1.1}], [{"a": "it", "n": 1.1}], None]
    found = with_texts(array, ["[]", "a"], new).to_pylist()
    assert json.loads(found[0]) == new[0]
    assert found[1:] == texts[1:]
    inner = pa.StructArray.from_arrays([array[:1]], ["m"])
    assert python_values(inner) == [{"m": [{"a": "he", "n": 1.1}]}]
    assert with_texts(inner, ["m", "[]", "a"], [{"m": new[0]}]).field("m").to_pylist() == found[:1]
