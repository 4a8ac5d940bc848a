"""Training, validation and test rows, as they are given or divided."""

import pytest
from datasets import Dataset

from fair_datasets import InputError
from fair_datasets.selection.diet.splits import three_splits

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


@pytest.mark.parametrize(
    ("splits", "sentence"),
    [
        ({"train": ROWS.select(range(9))}, "9 rows are too few"),
        ({"train": ROWS.select(range(1))}, "1 row is too few"),
        ({"train": ROWS, "test": ROWS}, "no split 'validation' among 'train', 'test'"),
    ],
)
def test_splits_that_do_not_do(splits: dict[str, Dataset], sentence: str) -> None:
    """One sentence says what is missing."""
    with pytest.raises(InputError, match=sentence):
        three_splits(splits, numbers)
