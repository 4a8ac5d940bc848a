"""Which rows of an audit depend on each other."""

from itertools import combinations
from typing import Any

import numpy as np
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.auditing.audit_input import families, named_families

NUMBERS = st.integers(0, 9)


@given(st.lists(NUMBERS), st.lists(st.lists(st.tuples(NUMBERS, NUMBERS)), max_size=3))
def test_two_rows_share_a_number_if_and_only_if_swaps_lead_from_one_to_the_other(
    hashes: list[int], several: list[list[tuple[int, int]]]
) -> None:
    """As the closure by Warshall's algorithm says."""
    links = [[(row % len(hashes), to) for row, to in axis] if hashes else [] for axis in several]
    reached = np.eye(10, dtype=bool)
    for axis in links:
        for row, to in axis:
            reached[hashes[row], to] = reached[to, hashes[row]] = True
    for middle in range(10):
        reached |= reached[:, [middle]] & reached[[middle], :]
    found = families(np.array(hashes, np.uint64),
        [(np.array([row for row, _ in axis], np.int64), np.array([to for _, to in axis], np.uint64))
        for axis in links])  # fmt: skip
    assert len(found) == len(hashes)
    for one, other in combinations(range(len(hashes)), 2):
        assert (found[one] == found[other]) == reached[hashes[one], hashes[other]]


def test_rows_of_one_family_id_belong_together() -> None:
    """Over all splits, and whatever their texts; rows without an id do not."""
    splits = {"train": Dataset.from_dict({"n": [1]}),
        "test": Dataset.from_dict({"family_id": ["a", None, "b", "a", None]})}  # fmt: skip
    found = families(np.arange(1, 7, dtype=np.uint64), named_families(splits)).tolist()
    assert found[1] == found[4]
    assert len(set(found)) == 5


def test_rows_without_a_text_are_no_copies_of_each_other(read: Any) -> None:
    """Rows with the same words are, and those of which one is the counterfactual of the other."""
    material, *_ = read({"text": ["He ran.", None, "", "she  ran.", "Rain.", "He ran."]})
    assert len(set(material.families.tolist())) == 4
    assert len(set(material.families[[0, 3, 5]].tolist())) == 1
