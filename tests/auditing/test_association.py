"""Associations beside the measure that counts rows otherwise, and beside scipy."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import fisher_exact, norm
from scipy.stats.contingency import odds_ratio

from fair_datasets.auditing.association import adjusted_p_values, association_part
from fair_datasets.auditing.intervals import two_sided
from fair_datasets.measures import label_association
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.reader.matching.find import count_terms

from .conftest import PEOPLE


def test_figures_are_those_of_the_measure(read: Any, one: Any) -> None:
    """Of three labels each, over two axes; p-values are adjusted over all of them."""
    generator = np.random.default_rng(3)
    texts = [*PEOPLE, "An old man and a Muslim friend.", "A young Jewish woman."] * 12
    labels = generator.choice(["a", "b", "c"], len(texts)).tolist()
    material, _, commands = read(
        {"text": texts, "label": labels}, label="label", axis=("gender", "religion")
    )
    figures = association_part(material, commands).figures
    raw = []
    for axis in ("gender", "religion"):
        attributes, counts = count_terms(texts, axis)
        with nan_is_enough():
            expected = label_association(counts, attributes, labels)
        for each in expected:
            place = {"axis": axis, "attribute": each.attribute, "label": each.label}
            found = one(figures, "odds_ratio", **place)
            numbers = (found.value, found.low, found.high)
            wanted = (each.odds_ratio, each.odds_ratio_low, each.odds_ratio_high)
            assert numbers == pytest.approx(wanted, nan_ok=True)
            assert one(figures, "pmi", **place).value == pytest.approx(each.pmi, nan_ok=True)
            if not math.isnan(each.p_value):
                raw.append((each.p_value, found.p_value))
    raw.sort()
    steps = [min(1.0, p * (len(raw) - place)) for place, (p, _) in enumerate(raw)]
    assert [p for _, p in raw] == pytest.approx(np.maximum.accumulate(steps))


def test_the_odds_ratio_and_the_test_are_those_of_scipy(read: Any, one: Any) -> None:
    """Of two labels, the second is told."""
    texts = ["She ran."] * 40 + ["He ran."] * 60
    labels = [1] * 25 + [0] * 15 + [1] * 20 + [0] * 40
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    part = association_part(material, commands)
    found = one(part.figures, "odds_ratio", axis="gender", attribute="woman", label="1")
    table = [[25, 15], [20, 40]]
    assert found.value == pytest.approx(odds_ratio(table, kind="sample").statistic)
    # Two tests are made: of man and of woman, who are in no row together.
    assert found.p_value == pytest.approx(2 * fisher_exact(table).pvalue)
    assert not [figure for figure in part.figures if figure.label == "0"]
    assert part.findings[0].sentence.startswith("Rows that mention woman (gender) have the label")
    assert "62.5% of 40 rows, against 33.3% of the others" in part.findings[0].sentence


def test_chance_is_not_told_as_an_association(read: Any) -> None:
    """And that nothing was found is not told as evidence of nothing."""
    generator = np.random.default_rng(4)
    texts = generator.choice(["She ran.", "He ran.", "Rain."], 90).tolist()
    labels = generator.integers(0, 2, 90).tolist()
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    (finding,) = association_part(material, commands).findings
    assert "No association" in finding.sentence
    assert finding.severity == "low"
    assert not finding.command
    assert "does not show that there is no association" in finding.caution


def test_many_associations_are_told_by_the_strongest(read: Any) -> None:
    """Three of an axis, and the number of the others."""
    words = {"a": "He ran.", "b": "She ran.", "c": "Rain.", "d": "He saw her."}
    labels = [label for label in words for _ in range(50)]
    texts = [words[label] for label in labels]
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    findings = association_part(material, commands).findings
    assert len(findings) == 4
    assert "more associations with gender" in findings[-1].sentence


def test_nothing_is_tested_without_two_labels(read: Any) -> None:
    """The reason is told in place of a figure."""
    material, _, commands = read({"text": PEOPLE})
    assert "--label" in association_part(material, commands).unmeasured["odds_ratio"]
    material, _, commands = read({"text": PEOPLE, "y": ["x"] * 6}, label="y")
    assert "fewer than two" in association_part(material, commands).unmeasured["pmi"]


def test_rows_without_a_label_are_left_out(read: Any, one: Any) -> None:
    """They count in no cell."""
    rows = {"text": PEOPLE * 2, "y": ["a", "b", None, "a", "b", ""] * 2}
    material, _, commands = read(rows, label="y")
    figures = association_part(material, commands).figures
    assert one(figures, "pmi", axis="gender", attribute="man", label="b").rows == 2


def test_tests_that_could_not_be_made_do_not_count() -> None:
    """Neither in number nor in order."""
    assert adjusted_p_values([math.nan]) == pytest.approx([math.nan], nan_ok=True)
    assert adjusted_p_values([]) == []


def test_no_p_value_is_0() -> None:
    """However small: the two-sided one of the normal distribution, and one that no float holds."""
    assert two_sided(12.0) == pytest.approx(2 * norm.sf(12.0))
    assert 0 < adjusted_p_values([0.0])[0] < 1e-300
