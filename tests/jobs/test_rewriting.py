"""Rewriting the rows of a job."""

from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.rewriting import RewriteShard
from fair_datasets.swap import count_mentions

PEOPLE = [
    "Barack Obama said that he left.", "Angela Merkel lost her keys.", "Lily Allen and he sang.",
    "She gave birth.", "Putin saw a Muslim woman.", "He and a Muslim woman left.",
    "Much of her treating was there.", "Rain.", None,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["augment", "replace", "substitute", "pair"])
@pytest.mark.parametrize("options", [
    {"protect": ()}, {"protect": "Lily Allen", "names": True}, {"min_confidence": 0.95},
    {"axis": ("gender", "religion"), "joint": True}, {"roles": ("user",)},
])  # fmt: skip
def test_mentions_are_counted_in_the_rows_as_they_are_written(
    options: dict[str, Any], mode: str
) -> None:
    """Whether they may be rewritten or not: as `count_mentions` has them."""
    texts, column = [{"role": "user", "text": text} for text in PEOPLE], "turns[].text"
    said = [[each, {"role": "agent", "text": "She saw him."}] for each in texts]
    rows = Dataset.from_dict({"turns": said})
    swap = CounterfactualSwap(columns=column, mode=mode, **options)
    result, tally = RewriteShard(swap, swap.features(rows.features))(rows, lambda rows: None)
    given = {"axis": swap.axis, "names": swap.names, "roles": swap.roles}
    assert tally["mentions_before"] == count_mentions(rows, column, **given)
    written = column.replace("turns", "turns_counterfactual") if mode == "pair" else column
    assert tally["mentions_after"] == count_mentions(result, written, **given)
