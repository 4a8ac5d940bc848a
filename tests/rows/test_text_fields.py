"""The names of columns, and of what is inside them."""

import copy
from typing import Any

import numpy as np
import pytest
from datasets import Features, List, Value
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.row_texts import FieldValues, RowTexts
from fair_datasets.rows.text_fields import (
    TextField,
    check_path,
    counterfactual_field,
    field_columns,
    text_field,
)

STEPS = st.lists(st.sampled_from(["[]", "a", "text", "0"]), max_size=4)


@pytest.mark.parametrize(("name", "steps"), [
    ("turns[]", ("[]",)), ("turns[][]", ("[]", "[]")), ("turns.text", ("text",)),
    ("turns[].text", ("[]", "text")), ("turns[].parts[].a b", ("[]", "parts", "[]", "a b")),
])  # fmt: skip
def test_paths(name: str, steps: tuple[str, ...]) -> None:
    """A path is read step by step."""
    assert text_field(name, ["turns"]) == TextField("turns", steps)


@pytest.mark.parametrize("column", ["a.b", "a[]", "a b", "[]", ".", "a[0]", ""])
def test_a_column_may_be_called_anything(column: str) -> None:
    """A column whose name looks like a path is that column."""
    assert text_field(column, ["a", column]) == TextField(column)


def test_the_longest_column_is_meant() -> None:
    """Datasets that are flattened have columns with dots."""
    assert text_field("a.b[].c", ["a", "a.b"]) == TextField("a.b", ("[]", "c"))


@given(STEPS, st.sampled_from(["turns", "a"]))
def test_a_field_is_written_as_it_is_read(steps: list[str], column: str) -> None:
    """Reading what a field is written as gives the field."""
    field = TextField(column, tuple(steps))
    assert text_field(field.name, [column]) == field


@given(STEPS)
def test_counterfactuals_have_the_same_path(steps: list[str]) -> None:
    """The counterfactuals of a field lie in another column, in the same place."""
    name = counterfactual_field(TextField("turns", tuple(steps)).name)
    found = text_field(name, ["turns_counterfactual"])
    assert found == TextField("turns_counterfactual", tuple(steps))


@pytest.mark.parametrize(("field", "column", "name"), [
    ("meta.title", "meta.title", "meta.title_counterfactual"),
    ("meta.title", "meta", "meta_counterfactual.title"),
    ("a.b[].c", "a.b", "a.b_counterfactual[].c"), ("t[]", "t[]", "t[]_counterfactual"),
])  # fmt: skip
def test_the_columns_say_what_is_a_path(field: str, column: str, name: str) -> None:
    """A column whose name is written like a path keeps that name as a whole."""
    assert counterfactual_field(field, [column, "t"]) == name


def test_each_column_once() -> None:
    """Several fields may lie in one column."""
    assert field_columns(["m[].a", "t", "m[].b"], ["t", "m"]) == ["m", "t"]


FEATURES = Features(
    text=Value("string"),
    turns=List({"text": Value("string"), "tags": [Value("string")]}),
    meta={"title": Value("string")},
)


@pytest.mark.parametrize("name", ["text", "text.a", "turns[].text", "turns[].tags[]", "meta.title"])
def test_a_path_that_leads_somewhere(name: str) -> None:
    """Of what is in a text, as in JSON, its values alone can tell."""
    check_path(name, FEATURES)


@pytest.mark.parametrize(("name", "value", "replaced"), [
    ("text", "a", "A"), ("texts[]", ["a", None, "b"], ["A", None, "B"]),
    ("talk[].text", [{"text": "a", "by": 1}, {"by": 2}], [{"text": "A", "by": 1}, {"by": 2}]),
    ("note.texts[]", {"texts": ["a"], "kept": "x"}, {"texts": ["A"], "kept": "x"}),
])  # fmt: skip
def test_texts_are_put_back_where_they_were_read(name: str, value: Any, replaced: Any) -> None:
    """What stands beside them stays."""
    field = text_field(name, ["text", "texts", "talk", "note"])
    values = FieldValues(field, ())
    texts = [text for _, text in values.texts(value, 0)]
    assert values.replaced(value, iter([text and text.upper() for text in texts])) == replaced


CHAT = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Is she in?", "tools": [{"name": "call", "x": 1}]},
    {"role": "assistant", "content": None, "tools": []},
]
TEXT = st.none() | st.text(max_size=3)
TURN = st.fixed_dictionaries({"role": st.sampled_from(["user", "bot"]), "content": TEXT})
TALK = st.none() | st.lists(TURN, max_size=4)


def read(batch: Any, *names: str, roles: tuple[str, ...] = ()) -> RowTexts:
    """Read fields."""
    return RowTexts.read(batch, names, roles=roles)


def test_all_texts_of_a_row_are_read_together() -> None:
    """Those of one field stand behind those of the last, and a null is kept as one."""
    texts = read({"messages": [CHAT, None, []], "t": ["a", "b", None]}, "t", "messages[].content")
    assert texts.rows == [("a", "Be kind.", "Is she in?", None), ("b",), (None,)]
    assert texts.labels(0) == ["t", *(f"messages[{k}].content" for k in range(3))]


def test_only_chosen_roles_are_read() -> None:
    """Both ways of naming who speaks are known."""
    talk = [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}, {"value": None}]
    assert read({"m": [talk]}, "m[].value", roles=("gpt",)).rows == [("b", None)]
    assert read({"m": [CHAT]}, "m[].content", roles=("user", "system")).rows == [
        ("Be kind.", "Is she in?")
    ]


@given(st.lists(st.tuples(TALK, TEXT), max_size=4), st.sampled_from([(), ("user",)]), st.data())
def test_what_is_written_is_what_is_read(
    rows: list[tuple[Any, Any]], roles: tuple[str, ...], data: st.DataObject
) -> None:
    """Other texts are found where they were put, and nothing else has changed."""
    batch = {"m": [talk for talk, _ in rows], "t": [text for _, text in rows]}
    before = copy.deepcopy(batch)
    texts = read(batch, "m[].content", "t", roles=roles)
    for number, row in enumerate(texts.rows):
        new = tuple(data.draw(TEXT) for _ in row)
        written = {name: [value] for name, value in texts.written(number, new).items()}
        again = read(written, "m[].content", "t", roles=roles)
        assert again.rows == [new]
        assert again.written(0, row) == {name: values[number] for name, values in before.items()}
    assert batch == before


def test_other_fields_are_untouched() -> None:
    """What a field does not lead to is the very same object."""
    written = read({"m": [CHAT]}, "m[].content").written(0, ("x", "y", "z"))["m"]
    assert [turn["content"] for turn in written] == ["x", "y", "z"]
    assert written[1]["tools"] is CHAT[1]["tools"]
    assert [*written[1]] == [*CHAT[1]]


def test_arrays_are_lists() -> None:
    """NumPy, which `with_format` gives, makes arrays of objects out of lists."""
    values = np.array([np.array(CHAT, dtype=object), None], dtype=object)
    assert read({"m": values}, "m[].content").rows[0][:2] == ("Be kind.", "Is she in?")


def test_objects_may_lack_a_key() -> None:
    """A message that calls a tool may have no content; of other objects nothing is read."""
    talk = [{"role": "user", "content": "a"}, {"role": "assistant", "tool_calls": [{"id": 3}]}]
    assert read({"m": [talk]}, "m[].content").rows == [("a",)]


def test_one_text_per_row() -> None:
    """Measures and classifiers read one text: its parts are lines."""
    texts = read({"m": [CHAT, []], "t": ["a", None]}, "m[].content", "t", roles=("user",))
    assert texts.joined() == ["Is she in?\na", None]
    assert texts.by_field() == [["Is she in?", None], ["a", None]]


def test_a_key_may_be_missing_everywhere() -> None:
    """An optional key is not told from a wrong one in a batch, unless there is one like it."""
    talk = [{"role": "user", "content": "a"}]
    assert read({"m": [talk]}, "m[].tools[].name").rows == [()]
    mixed = [{"role": "bot", "content_type": "call"}, {"role": "user", "content": "a"}]
    assert read({"m": [mixed]}, "m[].content").rows == [("a",)]


def test_content_may_be_parts() -> None:
    """Beside images, a message holds its texts in parts; both forms may stand in one column."""
    parts = [{"type": "text", "text": "he"}, {"type": "image", "url": "x"}]
    talk = [{"role": "user", "content": parts}, {"role": "user", "content": "she"}]
    texts = read({"m": [talk]}, "m[].content", roles=("user",))
    assert texts.rows == [("he", "she")]
    assert texts.labels(0) == ["m[0].content[0].text", "m[1].content"]
    written = texts.written(0, ("x", "y"))["m"]
    assert written[0]["content"] == [{"type": "text", "text": "x"}, parts[1]]
    assert written[1]["content"] == "y"


def test_the_first_role_that_is_given_counts() -> None:
    """Columns that were put together from two sources have both keys, and one of them is null."""
    talk = [{"role": None, "from": "human", "t": "a"}, {"role": "bot", "from": None, "t": "b"}]
    assert read({"m": [talk]}, "m[].t", roles=("human",)).rows == [("a",)]
