"""What is refused before anything is asked of the Hub."""

from typing import Any

import pytest

from fair_datasets.hub import push_dataset
from fair_datasets.system.checks import InputError


def test_splits_that_do_not_fit(splits: Any) -> None:
    """Streams, and splits of different columns, are refused before anything is asked."""
    with pytest.raises(InputError, match="it is a IterableDataset; load it without streaming"):
        push_dataset(splits["train"].to_iterable_dataset(), "ada/reviews")
    with pytest.raises(InputError, match="there is nothing to push"):
        push_dataset(type(splits)(), "ada/reviews")
    with pytest.raises(InputError, match=r"split's name may hold .* but one is 'a-b'; rename it"):
        push_dataset(type(splits)({"a-b": splits["train"]}), "ada/reviews")
    splits["test"] = splits["test"].remove_columns("label")
    with pytest.raises(InputError, match="the splits have different columns"):
        push_dataset(splits, "ada/reviews")
