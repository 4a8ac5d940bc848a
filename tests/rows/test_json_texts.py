"""JSON is read as one text, and gets other strings without another form."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rows.json_texts import json_text

WORD = st.text('ab"\\,: []{}\né', max_size=4)
JSON = st.recursive(
    WORD | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=8,
).filter(lambda value: isinstance(value, list | dict))


def rewritten(value: Any) -> Any:
    """Return a value with other letters in its strings; its keys stay."""
    if isinstance(value, dict):
        return {key: rewritten(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rewritten(inner) for inner in value]
    return value.replace("b", "c").replace("é", "è") if isinstance(value, str) else value


@given(JSON, st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}]))
def test_strings_change_and_the_form_stays(value: Any, style: dict[str, Any]) -> None:
    """Of a text and of an object alike, whatever the strings hold."""
    raw = json.dumps(value, **style)
    for original in (raw, value):
        found = json_text(original)
        if found is None:  # It has no strings, or one that holds what divides strings.
            continue
        assert found.replaced(found.text) == original
        # Numbers and words of JSON have none of these letters.
        changed = found.replaced(found.text.replace("b", "c").replace("é", "è"))
        assert (json.loads(changed) if isinstance(changed, str) else changed) == rewritten(value)


NO_JSON = ["", "He ran.", "{he}", "[1, 2]", "7", '"he"', "[" * 9999, '{"a": 1']


@pytest.mark.parametrize("text", NO_JSON, ids=range(len(NO_JSON)))
def test_what_has_no_strings_of_json_is_none(text: str) -> None:
    """It is read as it is."""
    assert json_text(text) is None


def test_keys_are_known() -> None:
    """By what stands behind them."""
    found = json_text('{"he" : ["she", {"his": "a: b"}]}')
    assert found is not None
    assert [found.text[start:end] for start, end in found.key_spans] == ['"he"', '"his"']
    assert found.strings_of('{"he" : ["she", {"his": "a: b"}') is None
    with pytest.raises(ValueError, match="other"):
        found.replaced("other")


def test_values_of_engines_are_read() -> None:
    """Arrays and numbers of NumPy, and what JSON does not know."""
    found = json_text({"who": np.array(["he", "it"]), "n": np.int64(3), "at": object})
    assert found is not None
    assert found.text == '{"who": ["he", "it"], "n": 3, "at": null}'
    assert found.replaced(found.text.replace("he", "she")) == {
        "who": ["she", "it"], "n": 3, "at": object,
    }  # fmt: skip
