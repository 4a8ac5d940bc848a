"""Splits that keep pairs together."""

from typing import Any

from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.selection.splits import pair_split, three_splits


def rows(ids: list[Any]) -> Dataset:
    """Make a dataset of rows with these pair ids."""
    return Dataset.from_dict({"family_id": ids, "row": list(range(len(ids)))})


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(0, 9), st.randoms())
@settings(max_examples=20, deadline=None)
def test_no_pair_straddles_and_no_row_is_lost(ids: list[int], seed: int, order: Any) -> None:
    """Every row is in one split, with its pair, in whichever order the rows come."""
    splits = pair_split(rows(ids), seed=seed)
    assert list(splits) == ["train", "validation", "test"]
    assert sorted(row for split in splits.values() for row in split["row"]) == list(range(len(ids)))
    homes = {name: set(split["family_id"]) for name, split in splits.items()}
    assert sum(map(len, homes.values())) == len(set(ids))
    assert all(split["row"][:] == sorted(split["row"]) for split in splits.values())
    shuffled = list(ids)
    order.shuffle(shuffled)
    again = pair_split(rows(shuffled), seed=seed)
    assert {name: set(split["family_id"]) for name, split in again.items()} == homes


def test_shares_are_of_pairs() -> None:
    """Of 100 pairs, 80, 10 and 10; of seeds, each its own split."""
    data = rows([f"p{number // 2}" for number in range(200)])
    splits = pair_split(data)
    assert [len(split) for split in splits.values()] == [160, 20, 20]
    assert pair_split(data, seed=-1)["test"]["row"][:] != splits["test"]["row"][:]


def test_shares_that_sum_to_one_but_for_float_error_lose_no_pair() -> None:
    """Ten tenths sum to 0.9999999999999999."""
    splits = pair_split(rows(list(range(1000))), {f"part{number}": 0.1 for number in range(10)})
    assert [len(split) for split in splits.values()] == [100] * 10


ROWS = Dataset.from_dict({"n": range(57)})


def numbers(rows: Dataset) -> list[int]:
    """Have each row be a family of its own."""
    return rows["n"][:]


def test_one_split_is_divided_without_loss() -> None:
    """Each row is in one split, and the seed decides in which."""
    divided = three_splits({"all": ROWS}, numbers, seed=1)
    assert [len(rows) for rows in divided.values()] == [45, 6, 6]
    assert sorted(n for rows in divided.values() for n in rows["n"]) == list(range(57))
    assert three_splits({"all": ROWS}, numbers, seed=1)["test"]["n"][:] == divided["test"]["n"][:]
    assert three_splits({"all": ROWS}, numbers, seed=2)["test"]["n"][:] != divided["test"]["n"][:]


def test_known_names_are_found() -> None:
    """The names that people use are understood."""
    found = three_splits(
        {"train": ROWS, "dev": ROWS.select([1]), "test": ROWS.select([2])}, numbers
    )
    assert list(found) == ["train", "validation", "test"]
    assert found["validation"]["n"][:] == [1]
