"""Rows with a gold label."""

from datasets import ClassLabel, Dataset, Features

from fair_datasets import KeepLabelled


def test_what_is_no_label() -> None:
    """A dash, -1 and nothing, in whatever type a column has."""
    keep = KeepLabelled(column="label")
    for values, expected in (
        (["neutral", "-", "", " ", None, "-1", "no-go"], [True, *[False] * 5, True]),
        ([0, 1, 2, -1, None], [True, True, True, False, False]),
        ([0.0, -1.0, float("nan"), -2.0], [True, False, False, True]),
        ([True, False], [True, True]),
    ):
        assert keep({"label": values}) == expected


def test_the_classes_of_snli() -> None:
    """A ClassLabel column holds -1 where people did not agree."""
    features = Features(label=ClassLabel(names=["entailment", "neutral", "contradiction"]))
    rows = Dataset.from_dict({"label": [0, -1, 2, None]}, features=features)
    assert KeepLabelled(column="label").apply(rows)["label"][:] == [0, 2]
