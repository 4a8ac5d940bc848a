"""Tests of batches by length."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.scores.batching import MAXIMUM_TOKENS, batches_by_length, padded
from fair_datasets.system.checks import InputError


@settings(deadline=None)
@given(st.lists(st.integers(0, 10_000)), st.integers(1, 50))
def test_every_row_is_in_one_batch_and_no_batch_is_too_large(
    lengths: list[int], batch_size: int
) -> None:
    """Batches divide the rows, go from long to short, and keep to both limits."""
    batches = list(batches_by_length(lengths, batch_size, "Test"))
    rows = [row for batch in batches for row in batch.tolist()]
    assert sorted(rows) == list(range(len(lengths)))
    assert [lengths[row] for row in rows] == sorted(lengths, reverse=True)
    for batch in batches:
        assert 1 <= batch.size <= batch_size
        assert batch.size == 1 or batch.size * max(lengths[row] for row in batch) <= MAXIMUM_TOKENS


@pytest.mark.parametrize("size", [0, 1.5, True])
def test_a_batch_has_at_least_one_row(size: object) -> None:
    """A batch size that is no positive whole number is refused."""
    with pytest.raises(InputError, match="batch_size must be"):
        list(batches_by_length([1], size, "Test"))  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 9), min_size=1), min_size=1))
def test_padding_is_hidden_by_the_mask(rows: list[list[int]]) -> None:
    """What the mask does not hide is the row as it was."""
    ids, mask = padded(rows, padding=0)
    for row, tokens in enumerate(rows):
        assert ids[row][mask[row] == 1].tolist() == tokens
    assert np.array_equal(ids.numpy() > 0, mask.numpy() > 0)
