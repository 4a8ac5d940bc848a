"""How many rows a shard has, and what techniques make of its rows."""

import pytest
from datasets import Dataset, Features, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.jobs.shards import Shard, default_rows, fitting_rows, shards_of

FEATURES = Features(text=Value("string"))


@pytest.mark.parametrize(
    ("number", "size", "group", "rows"),
    [
        # 32 files, each of 10,000 to 50,000 rows.
        (0, 0.0, 0, 10_000),
        (320_000, 1.0, 0, 10_000),
        (320_001, 1.0, 0, 10_001),
        (1_600_000, 1.0, 0, 50_000),
        (10**9, 0.5, 0, 50_000),
        # As many as 64 MB hold, and one at least.
        (10**9, 1_280.0, 0, 50_000),
        (10**9, 2_000.0, 0, 32_000),
        (0, 64_000.0, 0, 1_000),
        (0, 64e6, 0, 1),
        (0, 65e6, 0, 1),
        # Groups of rows that are read at once are not parted, up to four times as long.
        (0, 6_400.0, 9_999, 10_000),
        (0, 6_400.0, 10_001, 10_001),
        (0, 6_400.0, 40_000, 40_000),
        (0, 6_400.0, 40_001, 10_000),
    ],
)
def test_how_many_rows_a_shard_has(number: int, size: float, group: int, rows: int) -> None:
    """By their number, their bytes, and how many are read at once."""
    assert fitting_rows(number, size, group=group) == rows


def test_without_rows_a_shard_has_the_usual_size() -> None:
    """And is one."""
    assert default_rows(Dataset.from_dict({"text": []})) == 10_000
    assert [*shards_of("test", 0, 10)] == [Shard("test", 0, 1, 0, 0)]
    assert [*shards_of("test", 21, 10)] == [
        Shard("test", 0, 3, 0, 10), Shard("test", 1, 3, 10, 20), Shard("test", 2, 3, 20, 21),
    ]  # fmt: skip


@pytest.mark.parametrize(("rows", "told"), [(0, [0]), (1000, [1000]), (2001, [1000, 1000, 1])])
def test_techniques_are_applied_by_the_thousand(rows: int, told: list[int]) -> None:
    """One after the other, and each batch is told."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    more = CounterfactualSwap(columns="text", mode="augment")
    given = Dataset.from_dict({"text": ["He ran."] * rows}, features=FEATURES)
    done: list[int] = []
    found, tally = ApplyToShard((swap, more))(given, done.append)
    assert done == told
    assert found["text"][:] == ["She ran.", "He ran."] * rows
    assert (tally["rows_in"], tally["rows_out"]) == (rows, 2 * rows)
