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
from statsmodels.stats.multitest import multipletests

from fair_datasets.auditing.audit_input import read_audit_input
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.parity import Predicted, parity_part, predictions_part
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.system.checks import InputError

ORACLES = {"demographic_parity_difference": demographic_parity_difference,
    "equal_opportunity_difference": equal_opportunity_difference,
    "equalized_odds_difference": equalized_odds_difference}  # fmt: skip
KEYS = np.zeros(0, np.uint64)
"""The rows by which nothing is compared here."""


def rows_of(groups: int, classes: int, size: int = 300) -> Predicted:
    """Return rows of some groups, each of which is predicted otherwise."""
    generator = np.random.default_rng(5)
    codes = generator.integers(0, groups, size)
    references = generator.integers(0, classes, size)
    wrong = generator.random(size) < 0.1 + 0.2 * codes
    predictions = np.where(wrong, generator.integers(0, classes, size), references)
    names = tuple(f"group {code}" for code in range(groups))
    return Predicted("column g", names, codes, predictions, references,
        tuple(map(str, range(classes))), np.arange(size, dtype=np.uint64),
        np.arange(size))  # fmt: skip


@pytest.mark.parametrize(("groups", "classes"), [(2, 2), (3, 2), (3, 3)])
def test_differences_are_those_of_fairlearn(one: Any, groups: int, classes: int) -> None:
    """Of each label against the rest; of two labels, of the second."""
    rows = rows_of(groups, classes)
    figures = parity_part("predictions", [rows]).figures
    for target in range(1, 2) if classes == 2 else range(classes):
        for measure, oracle in ORACLES.items():
            found = one(figures, measure, axis="column g", label=str(target))
            expected = oracle(
                rows.references == target, rows.predictions == target,
                sensitive_features=rows.codes,
            )  # fmt: skip
            assert found.value == pytest.approx(expected)
            assert found.low <= found.value <= found.high


def test_the_p_value_of_several_groups_is_that_of_scipy(one: Any) -> None:
    """Adjusted for the five tests that were made, as statsmodels does."""
    rows = rows_of(3, 2)
    figures = parity_part("predictions", [rows]).figures
    truth, said = rows.references == 1, rows.predictions == 1
    everything = np.ones(len(said), bool)
    raw = {}
    for name, counted, among in (
        ("demographic_parity_difference", said, everything),
        ("equal_opportunity_difference", said, truth),
        ("false_positive_rate_difference", said, ~truth),
        ("precision_difference", truth, said),
        ("accuracy_difference", truth == said, everything),
    ):
        table = np.zeros((3, 2), int)
        np.add.at(table, (rows.codes[among], counted[among].astype(int)), 1)
        raw[name] = chi2_contingency(table).pvalue
    found = {each.measure: each.p_value for each in figures if not math.isnan(each.p_value)}
    odds = found.pop("equalized_odds_difference")
    expected = multipletests(list(raw.values()), method="holm")[1]
    assert [found[name] for name in raw] == pytest.approx(list(expected))
    # Equalized odds are surely apart where one of their two rates is.
    rates = "equal_opportunity_difference", "false_positive_rate_difference"
    assert odds == min(found[name] for name in rates)


def test_a_group_without_positives_is_left_out_by_name(one: Any) -> None:
    """Not in silence: its true positive rate is not defined."""
    codes = np.repeat([0, 1, 2], 60)
    references = np.tile([0, 1], 90)
    references[codes == 2] = 0
    predictions = np.where(codes == 0, references, 0)
    rows = Predicted(
        "column g", ("a", "b", "c"), codes, predictions, references, ("0", "1"), KEYS,
        np.arange(180),
    )  # fmt: skip
    part = parity_part("predictions", [rows])
    found = one(part.figures, "equal_opportunity_difference", axis="column g", label="1")
    assert (found.value, found.rows) == (1, 60)
    (finding,) = (each for each in part.findings if "Left out" in each.sentence)
    assert "because they have no such rows: c." in finding.sentence
    assert finding.severity == "high"


def test_few_rows_that_are_predicted_alike_are_not_surely_alike(one: Any) -> None:
    """The upper end of the interval is far off, as one group has one row."""
    rows = Predicted(
        "column g", ("a", "b"), np.array([0, 0, 1]), np.zeros(3, int), None, ("0", "1"), KEYS,
        np.arange(3),
    )  # fmt: skip
    part = parity_part("predictions", [rows])
    found = one(part.figures, "demographic_parity_difference", axis="column g", label="1")
    assert found.value == 0
    assert found.high > 0.7
    assert "no difference" in part.findings[0].sentence
    assert "does not show that the groups are treated alike" in part.findings[0].caution


def test_a_column_of_predictions_is_compared_over_attributes(read: Any, one: Any) -> None:
    """On the rows that mention one attribute alone; labels may miss a predicted class."""
    texts = ["He ran."] * 4 + ["She ran."] * 4 + ["He saw her."] * 4
    rows = {"text": texts, "p": [1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1], "y": [1, 0] * 6}
    material, _, _ = read(rows, predictions="p", label="y")
    part = predictions_part(material)
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
        predictions_part(material)


def test_predicted_numbers_are_those_of_named_labels(one: Any) -> None:
    """As a model gives them: the number of a class, where the labels have names."""
    features = Features(
        text=Value("string"), p=Value("int64"), y=ClassLabel(names=["never", "bad", "good"])
    )
    rows = Dataset.from_dict(
        {"text": ["He ran.", "She ran."] * 4, "p": [1, 2] * 3 + [0, 2], "y": [1, 2] * 4}, features
    )
    settings = AuditSettings(columns="text", predictions="p", label="y")
    part = predictions_part(read_audit_input({"train": rows}, settings))
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
    found = one(predictions_part(material).figures, "accuracy")
    assert (found.value, found.rows) == (accuracy, 3)


def test_a_gap_in_false_positives_is_told() -> None:
    """It was hidden: the largest of two rates had no test, and stood under no difference."""
    codes = np.repeat([0, 1], 160)
    references = np.tile(np.repeat([1, 0], 80), 2)
    # Of both groups most positives are found; of the others 6 and 24 are taken for some.
    said = [np.arange(80) < count for count in (72, 6, 72, 24)]
    rows = Predicted("gender", ("man", "woman"), codes, np.concatenate(said).astype(int),
        references, ("0", "1"), KEYS, np.arange(320))  # fmt: skip
    part = parity_part("predictions", [rows])
    told = [each.sentence for each in part.findings if each.severity != "low"]
    assert told[0] == (
        "Rows that have another label than “1” are predicted “1” in 30.0% of 80 cases for woman "
        "and 7.5% of 80 cases for man (by gender): a difference of 22.5 "
        "points [10.3, 33.6]."
    )
    (others,) = (each for each in part.findings if "no difference" in each.sentence)
    assert all(figure.p_value >= 0.05 for figure in others.figures)
    assert "false_positive_rate_difference" not in {each.measure for each in others.figures}


def test_every_rate_of_a_group_is_told(one: Any) -> None:
    """With the rows that it is a share of, and the interval of a share."""
    rows = rows_of(2, 2)
    figures = parity_part("predictions", [rows]).figures
    own = rows.codes == 1
    truth, said = rows.references[own] == 1, rows.predictions[own] == 1
    for measure, counted, among in (
        ("true_positive_rate", said, truth),
        ("false_negative_rate", ~said, truth),
        ("false_positive_rate", said, ~truth),
        ("precision", truth, said),
        ("selection_rate", said, truth | ~truth),
    ):
        found = one(figures, measure, axis="column g", attribute="group 1", label="1")
        assert (found.value, found.rows) == (pytest.approx(counted[among].mean()), among.sum())
        ends = wilson(int(counted[among].sum()), int(among.sum()))
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-12)
    found = one(figures, "accuracy", axis="column g", attribute="group 1")
    assert (found.value, found.rows) == ((truth == said).mean(), own.sum())


def test_small_groups_do_not_lead() -> None:
    """What is surely far apart comes first, not what is far apart in few rows."""
    several = []
    for name, size, counts in (("column few", 8, (8, 1)), ("column many", 400, (300, 100))):
        codes = np.repeat([0, 1], size)
        said = np.concatenate([np.arange(size) < count for count in counts]).astype(int)
        rows = np.arange(len(codes))
        several.append(Predicted(name, ("a", "b"), codes, said, None, ("0", "1"), KEYS, rows))
    told = parity_part("predictions", several).findings
    assert ["many" in finding.sentence for finding in told] == [True, False]
