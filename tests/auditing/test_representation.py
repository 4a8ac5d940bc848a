"""Whom the rows speak of, beside the measure that counts them otherwise."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact, hypergeom, norm
from scipy.stats.contingency import odds_ratio

from fair_datasets.auditing.intervals import two_sided
from fair_datasets.auditing.representation import (
    adjusted_p_values,
    association_part,
    representation_part,
)
from fair_datasets.measures import label_association, representation
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.representation import likelihood_ratio
from fair_datasets.reader.matching.find import count_terms

from .conftest import PEOPLE
from .planted import Planted, rows_of


def numbered(texts: list[str]) -> list[str]:
    """Return texts none of which is a copy of another."""
    return [f"{number}. {text}" for number, text in enumerate(texts)]


@given(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=12), st.integers(0, 99))
@settings(max_examples=25)
def test_shares_are_those_of_the_measure(read: Any, one: Any, texts: list[str], seed: int) -> None:
    """Of all rows, and of those of each label."""
    labels = [str((seed >> place) & 1) for place in range(len(texts))]
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    figures = representation_part(material, commands).figures
    attributes, counts = count_terms(texts)
    expected = representation(counts, attributes, labels, undefined="zero")
    for label, shares in [("", expected.all), *expected.labels.items()]:
        for attribute, share in shares.rows_with.items():
            place = {"axis": "gender", "attribute": attribute, "label": str(label)}
            found = one(figures, "mention_share", **place)
            assert found.value == share
            assert found.rows == shares.rows


def test_balance(read: Any, one: Any) -> None:
    """Of rows that speak of one side alone; a row with both, or neither, says nothing of it."""
    texts = numbered(["He ran."] * 8 + ["She ran."] * 2 + ["He saw her."] * 5 + ["Rain."] * 9)
    material, _, commands = read({"text": texts})
    part = representation_part(material, commands)
    found = one(part.figures, "mention_balance", axis="gender", attribute="man")
    assert (found.value, found.rows) == (0.8, 10)
    expected = binomtest(8, 10).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_splits_are_counted_apart(read: Any, one: Any) -> None:
    """Each of its own rows."""
    material, _, commands = read(
        {"train": {"text": ["He ran.", "Rain."]}, "test": {"text": PEOPLE}}
    )
    figures = representation_part(material, commands).figures
    found = one(figures, "mention_share", axis="gender", attribute="man", split="train")
    assert (found.value, found.rows) == (0.5, 2)
    assert one(figures, "mention_share", axis="gender", attribute="woman", split="test").value > 0.6


def test_a_clear_imbalance_is_worth_knowing_and_names_the_command(read: Any) -> None:
    """Few rows alone do not make it one, and no copies of a row."""
    many = [f"He ran {number} times." for number in range(200)]
    for texts, severity in [(many, "medium"), (many[:3], "low"), (["He ran."] * 200, "low")]:
        material, _, commands = read({"text": texts})
        (finding,) = representation_part(material, commands).findings
        assert finding.severity == severity
        assert finding.command.startswith("fair-datasets augment rows.csv") == (severity != "low")


def test_groups_of_a_column_are_counted_like_attributes(read: Any, one: Any) -> None:
    """A row without a group belongs to none."""
    rows = {"text": PEOPLE, "who": ["a", "a", "b", None, "", "a"]}
    material, _, commands = read(rows, groups="who")
    part = representation_part(material, commands)
    found = one(part.figures, "mention_share", axis="column who", attribute="a")
    assert (found.value, found.rows) == (0.5, 6)
    assert "4 rows of 6 belong to a group" in part.findings[1].sentence


def test_several_columns_are_also_groups_together(read: Any, one: Any) -> None:
    """Who is in both: a row that lacks one is in none of these."""
    rows = {"text": PEOPLE, "who": ["a", "a", "b", None, "b", "a"], "age": [1, 2, 1, 1, None, 1]}
    material, _, commands = read(rows, groups=("who", "age"))
    figures = representation_part(material, commands).figures
    found = {each.attribute: each.value for each in figures if each.axis == "columns who × age"}
    assert found == {"a × 1": 2 / 6, "a × 2": 1 / 6, "b × 1": 1 / 6}
    assert one(figures, "mention_share", axis="column age", attribute="1").value == 4 / 6


def test_no_mention_is_told_as_such(read: Any) -> None:
    """Nothing follows from it."""
    material, _, commands = read({"text": ["Rain.", "Snow."]})
    (finding,) = representation_part(material, commands).findings
    assert "No row of 2 mentions" in finding.sentence
    assert "good or bad" in finding.caution


def test_one_row_mentions_and_none_without_a_text_does(read: Any) -> None:
    """Sentences hold for the smallest numbers, too."""
    material, _, commands = read({"text": ["He ran."], "who": ["a"]}, groups="who")
    axis, group = representation_part(material, commands).findings
    assert axis.sentence.startswith("1 row of 1 mentions an attribute of gender: man in 100.0%")
    assert "Of the 1 row that speaks of one side alone, 100.0% [20.7%, 100.0%] mentions man." in (
        axis.sentence
    )
    assert group.sentence.startswith("1 row of 1 belongs to a group of column who")
    material, _, commands = read({"text": [None, " "]})
    (finding,) = representation_part(material, commands).findings
    assert finding.sentence == "No row has a text, so nothing is known about gender."


def test_figures_are_those_of_the_measure(read: Any, one: Any) -> None:
    """Of three labels each, over two axes; p-values are adjusted over all of them."""
    generator = np.random.default_rng(3)
    texts = [*PEOPLE, "An old man and a Muslim friend.", "A young Jewish woman."] * 12
    texts = numbered(texts)
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
    texts = numbered(["She ran."] * 40 + ["He ran."] * 60)
    labels = [1] * 25 + [0] * 15 + [1] * 20 + [0] * 40
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    part = association_part(material, commands)
    found = one(part.figures, "odds_ratio", axis="gender", attribute="woman", label="1")
    table = [[25, 15], [20, 40]]
    assert found.value == pytest.approx(odds_ratio(table, kind="sample").statistic)
    # Two tests are made: of man and of woman, who are in no row together.
    assert found.p_value == pytest.approx(2 * fisher_exact(table).pvalue)
    # That of the one against the other is by permutations; of the same rows, it is not told.
    pair = one(part.figures, "counterpart_odds_ratio", axis="gender", attribute="woman", label="1")
    statistics = likelihood_ratio(np.arange(41), 40, 45, 100)
    chances = hypergeom(100, 40, 45).pmf(np.flatnonzero(statistics >= statistics[25] - 1e-9))
    assert (pair.value, pair.p_value) == (found.value, pytest.approx(chances.sum(), abs=0.003))
    assert len(part.findings) == 2
    assert not [figure for figure in part.figures if figure.label == "0"]
    assert part.findings[0].sentence.startswith("Rows that mention woman (gender) have the label")
    assert "62.5% of 40 rows, against 33.3% of the others" in part.findings[0].sentence


@pytest.mark.parametrize("copies", [1, 3])
def test_labels_are_of_families(read: Any, one: Any, copies: int) -> None:
    """Copies of all rows tell nothing new, of any attribute or of counterparts."""
    texts = numbered(["She ran."] * 40 + ["He ran."] * 60)
    labels = [1] * 25 + [0] * 15 + [1] * 20 + [0] * 40
    found = []
    for times in (1, copies):
        rows = {"text": texts * times, "label": labels * times}
        material, _, commands = read(rows, label="label")
        figures = association_part(material, commands).figures
        place = {"axis": "gender", "attribute": "woman", "label": "1"}
        found.append([one(figures, name, **place)
                      for name in ("odds_ratio", "counterpart_odds_ratio")])  # fmt: skip
    for once, whole in zip(*found, strict=True):
        assert (whole.value, whole.low, whole.high) == pytest.approx(
            (once.value, once.low, once.high), rel=0.02
        )
        assert whole.p_value == pytest.approx(once.p_value, abs=0.003)


@pytest.mark.parametrize(
    ("texts", "labels", "sentence"),
    [
        (
            ["She ran."] * 40 + ["He ran."] * 60 + ["They saw him and her."] * 30 + ["Rain."] * 70,
            [1] * 25 + [0] * 15 + [1] * 12 + [0] * 48 + [1, 0] * 50,
            "Rows that mention woman and not man (gender) have the label “1” more often: 62.5% of "
            "40 rows, against 20.0% of the 60 rows that mention man and not woman; odds ratio "
            "6.67 [2.71, 16.4] (p < 0.001, adjusted).",
        ),
        (
            ["She ran."] * 9 + ["Rain."] * 9, [0, 1] * 9,
            "No label was compared between counterparts along gender: no row with a label mentions "
            "man without its counterpart.",
        ),
        (
            ["He saw her."] * 9 + ["Rain."] * 9, [0, 1] * 9,
            "No label was compared between counterparts along gender: no row with a label mentions "
            "woman or man without its counterpart.",
        ),
        (
            ["Rain."] * 9, [0, 1, 0] * 3,
            "No label was compared along gender: each attribute is mentioned in all rows with a "
            "label, or none.",
        ),
    ],
)  # fmt: skip
def test_counterparts_are_compared_with_each_other(
    read: Any, texts: list[str], labels: list[int], sentence: str
) -> None:
    """Without the rows about nobody; where there is nothing to compare, that is told."""
    material, _, commands = read({"text": numbered(texts), "label": labels}, label="label")
    part = association_part(material, commands)
    (told,) = (each for each in part.findings if each.sentence == sentence)
    assert str(part.figures) == str(association_part(material, commands).figures)
    assert math.isnan(told.figures[0].value) == sentence.startswith("No label")
    assert "counterpart_odds_ratio" in {figure.measure for figure in told.figures}
    assert sentence.startswith("No label") or "1 test of counterparts was made" in told.caution


@pytest.mark.slow
@pytest.mark.parametrize(("odds_ratio", "least", "most"), [(2, 14, 20), (1, 0, 1)])
def test_an_effect_between_counterparts_is_found_among_rows_about_nobody(
    read: Any, odds_ratio: float, least: int, most: int
) -> None:
    """In 20 samples, fixed beforehand, of 1,000 rows, of which 300 are about anybody."""
    found = 0
    for seed in range(1000, 1020):
        rows = rows_of(1000, seed, Planted(odds_ratio=odds_ratio, nobody=0.7))
        material, _, commands = read(rows[:], label="label")
        told = association_part(material, commands).findings
        found += any(each.severity == "medium" for each in told)
    assert least <= found <= most


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
    texts = numbered([words[label] for label in labels])
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    findings = association_part(material, commands).findings
    assert len(findings) == 4
    assert "more associations with gender" in findings[-1].sentence


def test_nothing_is_tested_without_two_labels(read: Any) -> None:
    """The reason is told in place of a figure."""
    material, _, commands = read({"text": PEOPLE})
    assert "--label" in association_part(material, commands).unmeasured["odds_ratio"]
    material, _, commands = read({"text": PEOPLE, "y": [0, 1] * 3}, label="y", axis="religion")
    why = association_part(material, commands).unmeasured
    assert why == {
        "counterpart_odds_ratio": "no axis has attributes that are each other's counterparts"
    }
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
