"""Counting mentions."""

from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import InputError
from fair_datasets.swap.counts import count_mentions


def test_mentions_are_counted_by_attribute() -> None:
    """Every mention of every text column counts, nulls and neutral words do not."""
    rows = {"a": ["He saw Mary and her son.", None], "b": ["They are parents.", "Mx Lee"]}
    assert count_mentions(Dataset.from_dict(rows), ("a", "b")) == {
        "man": 2,
        "woman": 2,
        "non-binary": 1,
    }


def test_names_can_be_left_out() -> None:
    """Without names only the lexicon's words count."""
    rows = Dataset.from_dict({"a": ["He saw Mary."]})
    assert count_mentions(rows, "a", names=False)["woman"] == 0


def test_streams_and_splits_are_counted() -> None:
    """A stream is read once; the rows of several splits are counted together."""
    rows = Dataset.from_dict({"a": ["He saw Mary.", "Rain.", "She left."]})
    counts = {"man": 1, "woman": 2, "non-binary": 0}
    assert count_mentions(rows.to_iterable_dataset(), "a") == counts
    assert (
        count_mentions(DatasetDict({"train": rows.select([0]), "test": rows.select([1, 2])}), "a")
        == counts
    )


def test_a_missing_column_is_named() -> None:
    """A column that does not exist is refused by name."""
    with pytest.raises(InputError, match="there is no column 'b'"):
        count_mentions(Dataset.from_dict({"a": ["x"]}), "b")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"columns": 3}, "count_mentions: columns must be a column name"),
        ({"columns": "a", "axis": None}, "count_mentions: axis must be a lexicon's name"),
        ({"columns": "a", "names": "no"}, "count_mentions: names must be True or False"),
        ({"columns": "n"}, "count_mentions: column 'n' must hold text"),
    ],
)
def test_a_sentence_names_the_function(options: dict[str, Any], told: str) -> None:
    """What is wrong is told of the function that the user has called."""
    with pytest.raises(InputError, match=told):
        count_mentions(Dataset.from_dict({"a": ["x"], "n": [1]}), **options)


def test_the_format_of_the_dataset_does_not_matter() -> None:
    """A dataset in Arrow's format is counted like any other."""
    rows = Dataset.from_dict({"a": ["He saw Mary."]}).with_format("arrow")
    assert count_mentions(rows, "a") == {"man": 1, "woman": 1, "non-binary": 0}
