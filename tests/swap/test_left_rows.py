"""Which rows the swap leaves as a whole."""

from collections import Counter

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching import rows as matching_rows
from fair_datasets.matching.find import table_of
from fair_datasets.matching.found import Reason
from fair_datasets.rewriting import Rows
from fair_datasets.swap import left_rows as module
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.left_rows import counting_left, left_rows

ROWS = [("The Pope met a Catholic.", None), ("A Catholic left.",), ("Muslims met Christians.",)]


def test_each_row_has_targets_of_its_own() -> None:
    """What is a contrast for one target is none for another."""
    table = table_of("religion", owner="test")

    def targets(number: int) -> Targets:
        return {("religion", "christian"): "muslim" if number == 2 else "hindu"}

    assert left_rows(ROWS, targets, table) == {0: Reason.TIED, 2: Reason.CONTRAST}
    assert left_rows(ROWS, targets(0), table) == {0: Reason.TIED}
    assert left_rows(ROWS, {}, table) == {}


def test_rows_are_counted_where_anybody_asks() -> None:
    """Each row once for each axis and reason, however many mentions it has."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    rows = Rows([("The Pope met Catholics and Catholics.",), ("Jews and Muslims met.",)], [1, 2])
    counts: Counter[str] = Counter()
    with counting_left(counts):
        list(swap.rewrite(rows))
        list(swap.rewrite(rows))
    list(swap.rewrite(rows))
    assert counts == {Reason.TIED.value: 2, Reason.CONTRAST.value: 2}


def test_nothing_is_read_where_no_row_is_ever_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the axis of gender."""
    monkeypatch.setattr(module, "chunks", None)
    targets = {("gender", "man"): "woman"}
    assert left_rows([("A king left.",)], targets, table_of("gender", owner="test")) == {}


def test_chunks_that_share_a_row_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others."""
    monkeypatch.setattr(matching_rows, "TOGETHER", 20)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: [
        (start, min(start + 20, len(text))) for start in range(0, len(text), 20)
    ])  # fmt: skip
    rows = [("She left.",), ("He ran. " * 9,), ("He left.",)]
    table = table_of("gender", owner="test")
    found = [
        sorted({row for chunk in several for row in chunk.row_of.tolist()})
        for several in matching_rows.together(matching_rows.chunks(rows, [table]))
    ]
    assert len(list(matching_rows.chunks(rows, [table]))) > len(found)
    assert sorted(row for several in found for row in several) == [0, 1, 2]
