"""The card of a corrected corpus."""

from datasets import Dataset

from fair_datasets.selection import correct
from fair_datasets.selection.correction.card import corrected_card


def test_the_sizes_of_splits_are_rows_or_shares() -> None:
    """A size of one is a row, and no share."""
    rows = Dataset.from_dict({"text": ["He ran."] * 8, "bias_score": [0.1] * 8})
    settings = {"columns": "text", "correction": "Sub90", "group_split": False}
    settings |= {"sizes": {"test": 1, "dev": 2, "more": 0.125}}
    card = corrected_card(
        correct(rows, **settings), settings=settings, title="t", source="a.csv", command="c"
    )
    assert "1 row for test, 2 rows for dev, 12.5% of them for more" in card
    assert "language:\n- en\nsize_categories:\n- n<1K\n" in card
