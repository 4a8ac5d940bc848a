"""Tests of counting terms in texts."""

from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.checks import InputError
from fair_datasets.matching import count_terms as module
from fair_datasets.matching.count_terms import count_terms
from fair_datasets.matching.find import find_terms

WORDS = ["She", "he", "her", "brother", "sisters", "Mary", "John", "saw", "the", "rain", ".", "Mr"]
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.lists(texts, max_size=6))
def test_it_counts_what_is_found(several: list[str]) -> None:
    """The counts of a text are those of the terms that are found in it."""
    attributes, counts = count_terms(several)
    assert counts.shape == (len(several), len(attributes))
    for text, row in zip(several, counts.tolist(), strict=True):
        found = [term.attribute for term in find_terms(text)]
        assert row == [found.count(attribute) for attribute in attributes]


def test_long_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many texts are read at a time does not matter."""
    several = ["He saw Mary.", "She left.", "", "It rained.", "His brothers."] * 3
    _, whole = count_terms(several)
    monkeypatch.setattr(module, "_BATCH", 2)
    _, parts = count_terms(several)
    assert np.array_equal(whole, parts)


def test_columns_axes_and_names() -> None:
    """A column is read as it is; names count on request; other axes have other attributes."""
    rows = Dataset.from_dict({"text": ["Mary sang.", "An old man."]})
    assert count_terms(rows["text"])[1].tolist() == [[0, 1, 0], [1, 0, 0]]
    assert count_terms(rows["text"], names=False)[1].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert count_terms(rows["text"], protect="Mary")[1].sum() == 1
    attributes, counts = count_terms(rows["text"], "age")
    assert "senior" in attributes
    assert counts[1, attributes.index("senior")] == 1


def test_no_texts() -> None:
    """Without texts the table has no rows, and its columns all the same."""
    attributes, counts = count_terms([])
    assert counts.shape == (0, len(attributes))
    assert counts.dtype == np.int64


def test_swapping_swaps_the_counts() -> None:
    """What was a man's term is a woman's after the swap."""
    rows = Dataset.from_dict({"text": ["He saw his sister.", "The queen and her son."]})
    swapped = rows.map(CounterfactualSwap(columns="text", mode="replace"), batched=True)
    before, after = count_terms(rows["text"])[1], count_terms(swapped["text"])[1]
    assert np.array_equal(before[:, [1, 0, 2]], after)


@pytest.mark.parametrize(
    ("values", "options", "sentence"),
    [
        (["a", None], {}, "texts must be texts, but row 1 is None"),
        (["a", 3], {}, "texts must be texts, but row 1 is 3"),
        ("a text", {}, "texts must be a list of texts, but it is 'a text'"),
        (None, {}, "texts must be a list of texts, but it is None"),
        (["a"], {"axis": "gendre"}, "gendre"),
        (["a"], {"names": "no"}, "names must be True or False"),
    ],
)
def test_wrong_arguments(values: Any, options: dict[str, Any], sentence: str) -> None:
    """One sentence names the argument and the row."""
    with pytest.raises(InputError, match=sentence):
        count_terms(values, **options)
