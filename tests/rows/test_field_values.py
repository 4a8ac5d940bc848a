"""The way to the texts in the values of a field, and back."""

from typing import Any

import pytest

from fair_datasets.rows.field_values import FieldValues
from fair_datasets.rows.text_fields import text_field


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
