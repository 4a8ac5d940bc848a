"""Dividing rows anew."""

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.selection.correction.settings import (
    KINDS,
    PUBLISHED,
    Correction,
    divided,
    group_keys,
)


@given(st.lists(st.integers(0, 9), min_size=30, max_size=60), st.integers(0, 5))
@settings(deadline=None)
def test_no_group_is_in_two_splits(groups: list[int], seed: int) -> None:
    """Every row is in one split; each has what it was to have, and less than a group more."""
    rows = Dataset.from_dict({"row": range(len(groups)), "group": groups})
    codes = np.unique(groups, return_inverse=True)[1]
    assume(len(set(groups)) > 4)
    sizes = {"validation": 1, "test": 0.04}
    wanted = {"validation": 1, "test": int(0.04 * len(groups))}
    largest = max(map(groups.count, groups))
    splits = divided(rows, sizes, seed=seed, groups=codes)
    assert list(splits) == ["train", "validation", "test"]
    found = [row for split in splits.values() for row in split["row"]]
    assert sorted(found) == list(range(len(groups)))
    held = [set(split["group"]) for split in splits.values()]
    assert sum(map(len, held)) == len(set(groups))
    for name, size in wanted.items():
        assert size <= len(splits[name]) < size + largest


def test_the_plain_shuffle_has_the_sizes() -> None:
    """As the paper divides: exact sizes, another order for another seed."""
    rows = Dataset.from_dict({"row": range(100)})
    sizes = {"validation": 10, "test": 0.29}
    first, again, other = (divided(rows, sizes, seed=seed, groups=None) for seed in (0, 0, 1))
    assert {name: len(split) for name, split in first.items()} == {
        "train": 61, "validation": 10, "test": 29,
    }  # fmt: skip
    assert first["test"]["row"][:] == again["test"]["row"][:] != other["test"]["row"][:]
    assert sorted(row for split in first.values() for row in split["row"]) == list(range(100))


def test_rows_are_alike_by_their_first_text() -> None:
    """A row without it by the others."""
    batch = {"a": ["x", "x", "y", None, None, None], "b": ["1", "2", "1", "1", "1", "2"]}
    found = group_keys(batch, columns=("a", "b"), roles=(), output="group")
    one, two, three, four, five, six = found["group"]
    assert one == two
    assert four == five
    assert len({one, three, four, six}) == 4
    assert max(found["group"]) < 1 << 60
    assert max(found["group"]) >= 1 << 50


def test_the_eight_of_the_paper() -> None:
    """Two kinds at four percentiles; each name reads back as it is written."""
    assert PUBLISHED == ("Sub97", "Sub95", "Sub93", "Sub90", "Aug97", "Aug95", "Aug93", "Aug90")
    for name in (*PUBLISHED, "Rep99.9", "RepSub0.5"):
        assert Correction.named(name).name == name


@pytest.mark.parametrize(
    "name", ["", "Sub0", "Sub100", "Sub-5", "Sub95%", "Sub95 ", "Sub9e1", "Sub٩٥", None, 95]
)
def test_what_is_no_name_is_refused(name: object) -> None:
    """The sentence lists the kinds, and never says that the name itself is meant."""
    told = "correction must be Sub, Aug, Rep or RepSub with"
    with pytest.raises(InputError, match=told) as error:
        Correction.named(name)
    assert f"mean {name!r}" not in str(error.value)
    assert list(KINDS) == ["Sub", "Aug", "Rep", "RepSub"]
