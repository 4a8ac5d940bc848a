"""The names of columns, and of what is inside them."""

from typing import Any

import pytest
from datasets import Features, List, Value
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.text_fields import (
    FieldValues,
    TextField,
    check_path,
    counterfactual_column,
    field_columns,
    is_there,
    text_field,
)
from fair_datasets.system.checks import InputError

STEPS = st.lists(st.sampled_from(["[]", "a", "text", "0"]), max_size=4)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("turns[]", ("[]",)),
        ("turns[][]", ("[]", "[]")),
        ("turns.text", ("text",)),
        ("turns[].text", ("[]", "text")),
        ("turns[].parts[].a b", ("[]", "parts", "[]", "a b")),
    ],
)
def test_paths(name: str, steps: tuple[str, ...]) -> None:
    """A path is read step by step."""
    assert text_field(name, ["turns"], owner="Swap") == TextField("turns", steps)


@pytest.mark.parametrize("column", ["a.b", "a[]", "a b", "[]", ".", "a[0]", ""])
def test_a_column_may_be_called_anything(column: str) -> None:
    """A column whose name looks like a path is that column."""
    assert text_field(column, ["a", column], owner="Swap") == TextField(column)


def test_the_longest_column_is_meant() -> None:
    """Datasets that are flattened have columns with dots."""
    assert text_field("a.b[].c", ["a", "a.b"], owner="Swap") == TextField("a.b", ("[]", "c"))


@given(STEPS, st.sampled_from(["turns", "a"]))
def test_a_field_is_written_as_it_is_read(steps: list[str], column: str) -> None:
    """Reading what a field is written as gives the field."""
    field = TextField(column, tuple(steps))
    assert text_field(field.name, [column], owner="Swap") == field


@given(STEPS)
def test_counterfactuals_have_the_same_path(steps: list[str]) -> None:
    """The counterfactuals of a field lie in another column, in the same place."""
    name = TextField("turns", tuple(steps)).name
    found = text_field(counterfactual_column(name), ["turns_counterfactual"], owner="Swap")
    assert found == TextField("turns_counterfactual", tuple(steps))


def test_each_column_once() -> None:
    """Several fields may lie in one column."""
    assert field_columns(["m[].a", "t", "m[].b"], ["t", "m"], owner="Swap") == ["m", "t"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("turn[].text", "Swap: there is no column 'turn'; the columns are 'turns'. Did you mean "
         "'turns'?"),
        ("turn.text", "Swap: there is no column 'turn'; the columns are 'turns'. Did you mean "
         "'turns'?"),
        ("turns[0].text", "Swap: 'turns[0].text' names one element of a list, but a path names all "
         "of them; write 'turns[].text'."),
        ("turns[-1]", "Swap: 'turns[-1]' names one element of a list, but a path names all of "
         "them; write 'turns[]'."),
        ("text", "Swap: there is no column 'text'; the columns are 'turns'."),
        ("turns[]text", "Swap: 'turns[]text' is not how a path is written; write '[]' for the "
         "elements of a list and '.key' for what an object has under a key, such as "
         "'turns[].content'."),
        ("turns..text", "Swap: 'turns..text' is not how a path is written; write '[]' for the "
         "elements of a list and '.key' for what an object has under a key, such as "
         "'turns[].content'."),
    ],
)  # fmt: skip
def test_wrong_names(name: str, sentence: str) -> None:
    """What is no column and no path into one is told."""
    assert not is_there(name, ["turns"])
    with pytest.raises(InputError) as caught:
        text_field(name, ["turns"], owner="Swap")
    assert str(caught.value) == sentence


FEATURES = Features(
    text=Value("string"),
    turns=List({"text": Value("string"), "tags": [Value("string")]}),
    meta={"title": Value("string")},
)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("turns.text", "turns is a list. Write '[]' for its elements."),
        ("turns[].tags.a", "turns[].tags is a list. Write '[]' for its elements."),
        ("turns[][]", "turns[] is no list. Leave out '[]'."),
        ("meta[]", "meta is no list. Leave out '[]'."),
        ("meta.titel", "meta has the keys 'title'. Did you mean 'title'?"),
        ("turns[].other", "turns[] has the keys 'text', 'tags'."),
    ],
)
def test_a_path_that_leads_nowhere(name: str, said: str) -> None:
    """It is told how far it leads, and how it goes on from there."""
    with pytest.raises(InputError) as caught:
        check_path(name, FEATURES, owner="Swap")
    assert str(caught.value) == f"Swap: {name!r} leads nowhere: {said}"


@pytest.mark.parametrize("name", ["text", "text.a", "turns[].text", "turns[].tags[]", "meta.title"])
def test_a_path_that_leads_somewhere(name: str) -> None:
    """Of what is in a text, as in JSON, its values alone can tell."""
    check_path(name, FEATURES, owner="Swap")


@pytest.mark.parametrize(
    ("name", "value", "replaced"),
    [
        ("text", "a", "A"),
        ("texts[]", ["a", None, "b"], ["A", None, "B"]),
        ("talk[].text", [{"text": "a", "by": 1}, {"by": 2}], [{"text": "A", "by": 1}, {"by": 2}]),
        ("note.texts[]", {"texts": ["a"], "kept": "x"}, {"texts": ["A"], "kept": "x"}),
    ],
)
def test_texts_are_put_back_where_they_were_read(name: str, value: Any, replaced: Any) -> None:
    """What stands beside them stays."""
    field = text_field(name, ["text", "texts", "talk", "note"], owner="test")
    values = FieldValues(field, (), "test")
    texts = [text for _, text in values.texts(value, 0)]
    assert values.replaced(value, iter([text and text.upper() for text in texts])) == replaced
