"""What labels mean, in place of how they are written."""

from typing import Any

import pytest
from datasets import ClassLabel, Dataset, Features, Value

from fair_datasets import audit

TEXTS = ["He ran.", "She ran."] * 20
NAMES = {0: "harmless", 1: "rude"}


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([0, 1] * 20, NAMES),
        ([False, True] * 20, {False: "harmless", True: "rude"}),
        (["0", "1"] * 20, {"0": "harmless", "1": "rude"}),
        # What is not named keeps its name.
        ([0, 1] * 20, {1: "rude"}),
    ],
)
def test_labels_and_predictions_are_told_by_their_names(values: list[Any], names: Any) -> None:
    """In all figures, also where the predictions are written as the labels are."""
    rows = Dataset.from_dict({"text": TEXTS, "y": values, "p": values})
    found = audit(rows, "text", label="y", predictions="p", label_names=names)
    labels = {figure.label for figure in found.figures if figure.measure == "mention_share"}
    assert labels == {"", names.get(0, "0") if 0 in names else names.get("0", "0"), "rude"}
    assert found.check("selection_rate(rude, man) > 0.5") == []
    assert found.settings["label_names"] == {str(label): name for label, name in names.items()}


def test_the_names_of_a_class_label_are_told_and_may_be_named_anew() -> None:
    """By how they are written, or by their numbers."""
    features = Features(text=Value("string"), y=ClassLabel(names=["no", "yes"]))
    rows = Dataset.from_dict({"text": TEXTS, "y": [0, 1] * 20}, features)
    for names, label in (({}, "yes"), ({"yes": "rude"}, "rude"), ({1: "rude"}, "rude")):
        found = audit(rows, "text", label="y", label_names=names)
        assert [each.label for each in found.figures if each.measure == "odds_ratio"] == [label] * 3
