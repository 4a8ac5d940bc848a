"""Parity between groups of rows, beside fairlearn and scipy."""

import math
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Features, Value
from fairlearn.metrics import (
    demographic_parity_difference,
    equal_opportunity_difference,
    equalized_odds_difference,
)
from scipy.stats import chi2_contingency

from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.parity import Predicted, parity_part
from fair_datasets.auditing.predictions import predictions_part
from fair_datasets.auditing.reading import read_material
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.checks import InputError

ORACLES = {
    "demographic_parity_difference": demographic_parity_difference,
    "equal_opportunity_difference": equal_opportunity_difference,
    "equalized_odds_difference": equalized_odds_difference,
}


def rows_of(groups: int, classes: int, size: int = 300) -> Predicted:
    """Return rows of some groups, each of which is predicted otherwise."""
    generator = np.random.default_rng(5)
    codes = generator.integers(0, groups, size)
    references = generator.integers(0, classes, size)
    wrong = generator.random(size) < 0.1 + 0.2 * codes
    predictions = np.where(wrong, generator.integers(0, classes, size), references)
    names = tuple(f"group {code}" for code in range(groups))
    return Predicted(
        "column g", names, codes, predictions, references, tuple(map(str, range(classes)))
    )


@pytest.mark.parametrize(("groups", "classes"), [(2, 2), (3, 2), (3, 3)])
def test_differences_are_those_of_fairlearn(one: Any, groups: int, classes: int) -> None:
    """Of each label against the rest; of two labels, of the second."""
    rows = rows_of(groups, classes)
    figures = parity_part("predictions", [rows], seed=0).figures
    for target in range(1, 2) if classes == 2 else range(classes):
        for measure, oracle in ORACLES.items():
            found = one(figures, measure, axis="column g", label=str(target))
            expected = oracle(
                rows.references == target, rows.predictions == target,
                sensitive_features=rows.codes,
            )  # fmt: skip
            assert found.value == pytest.approx(expected)
            assert found.low <= found.value <= found.high


def test_rates_are_counted_by_group(one: Any) -> None:
    """With the interval of a share."""
    rows = rows_of(2, 2)
    figures = parity_part("predictions", [rows], seed=0).figures
    own = rows.predictions[rows.codes == 1]
    found = one(figures, "selection_rate", axis="column g", attribute="group 1", label="1")
    assert (found.value, found.rows) == (own.mean(), own.size)
    assert (found.low, found.high) == wilson(int(own.sum()), own.size)


def test_the_p_value_of_several_groups_is_that_of_scipy(one: Any) -> None:
    """Adjusted for the two tests that were made: of all rows, and of those with the label."""
    rows = rows_of(3, 2)
    figures = parity_part("predictions", [rows], seed=0).figures
    raw = []
    for kept in (slice(None), rows.references == 1):
        table = np.zeros((3, 2), int)
        np.add.at(table, (rows.codes[kept], rows.predictions[kept]), 1)
        raw.append(chi2_contingency(table).pvalue)
    names = ("demographic_parity_difference", "equal_opportunity_difference")
    found = [one(figures, name, axis="column g", label="1").p_value for name in names]
    low, high = sorted(raw)
    assert sorted(found) == pytest.approx([2 * low, max(2 * low, high)])
    assert math.isnan(one(figures, "equalized_odds_difference", axis="column g", label="1").p_value)


def test_a_group_without_positives_is_left_out_by_name(one: Any) -> None:
    """Not in silence: its true positive rate is not defined."""
    codes = np.repeat([0, 1, 2], 60)
    references = np.tile([0, 1], 90)
    references[codes == 2] = 0
    predictions = np.where(codes == 0, references, 0)
    rows = Predicted("column g", ("a", "b", "c"), codes, predictions, references, ("0", "1"))
    part = parity_part("predictions", [rows], seed=0)
    found = one(part.figures, "equal_opportunity_difference", axis="column g", label="1")
    assert (found.value, found.rows) == (1, 60)
    (finding,) = (each for each in part.findings if "Left out" in each.sentence)
    assert "for want of such rows: c." in finding.sentence
    assert finding.severity == "high"


def test_few_rows_that_are_predicted_alike_are_not_surely_alike(one: Any) -> None:
    """The upper end of the interval is that of the smallest group."""
    rows = Predicted(
        "column g", ("a", "b"), np.array([0, 0, 1]), np.zeros(3, int), None, ("0", "1")
    )
    part = parity_part("predictions", [rows], seed=0)
    found = one(part.figures, "demographic_parity_difference", axis="column g", label="1")
    assert (found.value, found.high) == (0, wilson(0, 1)[1])
    assert "no difference" in part.findings[0].sentence
    assert "does not show that the groups are treated alike" in part.findings[0].caution


def test_a_column_of_predictions_is_compared_over_attributes(read: Any, one: Any) -> None:
    """On the rows that mention one attribute alone; labels may miss a predicted class."""
    texts = ["He ran."] * 4 + ["She ran."] * 4 + ["He saw her."] * 4
    rows = {"text": texts, "p": [1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1], "y": [1, 0] * 6}
    material, _, _ = read(rows, predictions="p", label="y")
    part = predictions_part(material, seed=0)
    found = one(part.figures, "demographic_parity_difference", axis="gender", label="1")
    assert (found.value, found.rows) == (0.5, 8)
    assert "--model" in part.unmeasured["flip_rate"]


def test_predictions_are_matched_with_labels_by_name(read: Any) -> None:
    """And refused where no class is in both."""
    rows = {"text": ["He ran."] * 2, "p": ["no", "yes"], "y": ["0", "1"]}
    material, _, _ = read(rows, predictions="p", label="y")
    with pytest.raises(
        InputError, match="predicts 'no', 'yes', but the labels in 'y' are '0', '1'"
    ):
        predictions_part(material, seed=0)


def test_predicted_numbers_are_those_of_named_labels(one: Any) -> None:
    """As a model gives them: the number of a class, where the labels have names."""
    features = Features(
        text=Value("string"), p=Value("int64"), y=ClassLabel(names=["never", "bad", "good"])
    )
    rows = Dataset.from_dict(
        {"text": ["He ran.", "She ran."] * 4, "p": [1, 2] * 3 + [0, 2], "y": [1, 2] * 4}, features
    )
    settings = AuditSettings(columns="text", predictions="p", label="y")
    part = predictions_part(read_material({"train": rows}, settings), seed=0)
    found = one(part.figures, "demographic_parity_difference", axis="gender", label="good")
    assert found.value == 1
    rates = {figure.label for figure in part.figures if figure.measure == "selection_rate"}
    assert rates == {"bad", "good", "0"}


@pytest.mark.parametrize(
    ("labels", "accuracy"), [([True, False, True, None], 1), ([True, True, True, None], 2 / 3)]
)
def test_labels_that_are_true_or_false_are_predicted_as_numbers(
    read: Any, one: Any, labels: list[bool | None], accuracy: float
) -> None:
    """1 stands for True, also where no row is False."""
    rows = {"text": ["He ran.", "She ran.", "Rain.", "He sang."], "y": labels, "p": [1, 0, 1, 1]}
    material, _, _ = read(rows, predictions="p", label="y")
    found = one(predictions_part(material, seed=0).figures, "accuracy")
    assert (found.value, found.rows) == (accuracy, 3)
