"""Tables become what batches of their rows become, and what is not rewritten stays as it was."""

from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest
from datasets import Dataset, Features, List, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.rewriting import on_table

FEATURES = Features(
    text=Value("string"),
    turns=List({"text": Value("string"), "number": Value("int8")}),
    when=Value("timestamp[ns]"),
    text_place=Value("int64"),
)
ROWS = Dataset.from_dict(
    {
        "text": ["He ran.", None, "Rain."],
        "turns": [[{"text": "His.", "number": 1}], [], [{"text": "A man.", "number": 2}]],
        "when": [datetime(2020, 1, 1), None, datetime(2021, 1, 1)],
        "text_place": [7, 8, 9],
    },
    features=FEATURES,
)


@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize("options", [
    {"mode": "augment"},
    {"mode": "augment", "keep_unchanged": True, "id_column": "text_place"},
    {"mode": "replace", "provenance": True},
    {"mode": "substitute", "family": True, "seed": 1},
    {"mode": "pair"},
    {"mode": "pair", "family": True},
])  # fmt: skip
def test_a_table_becomes_what_a_batch_of_its_rows_becomes(
    options: dict[str, Any], is_left: bool
) -> None:
    """In every mode, with all that is added, whatever its columns are called."""
    swap = CounterfactualSwap(columns=("text", "turns[].text"), **options)
    features = swap.features(FEATURES)
    found = on_table(ROWS.data.table, swap, features.arrow_schema, is_left=is_left)
    assert found.schema.equals(features.arrow_schema)
    batch = ROWS[:]
    expected = Dataset.from_dict(swap.leave(batch) if is_left else swap(batch), features=features)
    assert pa.table(found).to_pylist() == expected.data.table.to_pylist()
    assert {*features} - {*FEATURES} == set(swap.added_columns(FEATURES))
