"""What a classifier makes of swapped rows; the classifiers go by words, so that all is known."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from fairlearn.metrics import equalized_odds_difference

from fair_datasets.auditing import Audit, audit
from fair_datasets.auditing.classifiers import Classifier, Trained
from fair_datasets.auditing.counterfactuals import counterfactual_part
from fair_datasets.auditing.intervals import wilson
from fair_datasets.reader.english.lists import words
from fair_datasets.scores.probes.probe import LinearProbe
from tests.auditing.planted import LISTED

# In as many rows as "he" and "she", so that there are words like these.
GENDERED = {"he", "she", "him", "her", "his", "hers", "himself", "herself"}
COMMON = sorted(words("mostly_function_words") - GENDERED)[:90]
TEXTS = ["He won.", "She won.", "He lost.", "She lost.", "He saw her.", "Rain won.", "Mary lost."]
Says = Callable[[str], int]


def classifier_of(material: Any, says: Says, **others: Any) -> Classifier:
    """Return a classifier that goes by the words of the first text."""

    def scores(rows: Any) -> Any:
        return np.eye(len(given["classes"]))[[says(row[0]) for row in rows]]

    labels = material.labels
    given = {"references": None if labels is None else labels.codes,
        "classes": ("no", "yes") if labels is None else labels.names, "asked": material.has_text,
        "lacking": "there are no labels", **others}  # fmt: skip
    return Classifier(name="It", note="A note.", scores=scores, caution="Take care.", **given)


def with_common_words(texts: list[str]) -> list[str]:
    """Write some function words behind each text, of which each is in about a third of them."""
    return [
        f"{text} {' '.join(COMMON[place % 3 :: 3])}" for place, text in enumerate(texts)
    ]  # fmt: skip


def says_yes_of_women(text: str) -> int:
    """Say yes of women, and of winners."""
    return int("She" in text or "Mary" in text or "won" in text)


def test_a_probe_that_learned_nothing_is_not_looked_at_first(read: Any) -> None:
    """That it is weak is a note, and of a model of one's own a finding; neither is of the rows."""
    texts = with_common_words([
        f"{who} {what} {number}."
        for number in range(30)
        for who, what in (("He", "won"), ("She", "lost"), ("He", "lost"), ("She", "won"))
    ])  # fmt: skip
    labels = ["no", "yes", "yes", "no", "yes", "no", "no", "yes"] * 15
    material, settings, commands = read({"text": texts, "y": labels}, label="y")
    linear = LinearProbe(["she"], np.ones(1), np.array([[0.0], [1.0]]), np.array([0.0, -0.5]))
    probe = Trained(linear, [(text,) for text in texts], material.labels.codes, np.arange(2), 2)
    for of_probe, colours in ((probe, {"low"}), (None, {"high"})):
        made = classifier_of(material, lambda text: int("She" in text), probe=of_probe)
        part = counterfactual_part(material, settings, made, commands)
        weak = [each for each in part.findings if each.figures[0].measure == "accuracy"]
        others = [each for each in part.findings if each not in weak]
        assert {each.severity for each in weak} == (set() if of_probe else {"medium"})
        told = part.notes[-1] if of_probe else weak[0].sentence
        assert "its answers count for little" in told
        assert {each.about for each in part.findings} == {"classifier"}
        assert {finding.severity for finding in others[:2]} == colours
        assert all(("may be chance" in finding.caution) == bool(of_probe) for finding in others)
        assert bool(others[0].command) != bool(of_probe)


def test_flips_and_versions_of_a_known_classifier(read: Any, one: Any) -> None:
    """It says yes of winners, and of women among the losers."""
    material, settings, commands = read({"text": TEXTS})
    part = counterfactual_part(
        material, settings, classifier_of(material, says_yes_of_women), commands
    )
    flips = one(part.figures, "flip_rate", axis="gender")
    # He lost, She lost and Mary lost of six changed rows; the row with both becomes "She saw him".
    assert (flips.value, flips.rows) == (4 / 6, 6)
    # "He won." and "She won." are one family, and so are the losers: 4 families of 6 rows, whose
    # variance is 22 / 12 times that of 6 rows.
    assert (flips.low, flips.high) == pytest.approx(wilson(4, 6, independent=6 / (22 / 12)))
    assert one(part.figures, "flip_rate", axis="gender", attribute="woman").value == 2 / 3
    # The row that mentions both is of neither.
    named = {each.attribute for each in part.figures if each.measure == "flip_rate"}
    assert named == {"", "man", "woman"}
    parity = one(part.figures, "demographic_parity_difference", axis="gender", label="yes")
    assert (parity.value, parity.rows) == (3 / 5, 5)
    rates = {name: one(part.figures, "selection_rate", axis="gender", attribute=name, label="yes")
             for name in ("man", "woman")}  # fmt: skip
    assert (rates["man"].value, rates["woman"].value) == (2 / 5, 1)
    assert "accuracy" in part.unmeasured


def test_rows_of_one_family_count_as_one(read: Any, one: Any) -> None:
    """Whether they are copies, counterfactuals of each other, or share a `family_id`."""
    places = {"flip_rate": {}, "flip_rate_excess": {}, "demographic_parity_difference":
              {"label": "yes"}}  # fmt: skip
    texts = with_common_words([f"{who} {what} {day}." for day in range(20) for who, what in
                               (("He", "won"), ("He", "lost"))])  # fmt: skip
    days = [f"{text} Day {day}." for day in range(3) for text in texts]

    def ends(texts: list[str], **columns: Any) -> dict[str, tuple[float, float]]:
        material, settings, commands = read({"text": texts, **columns}, draws=9)
        made = classifier_of(material, says_yes_of_women)
        part = counterfactual_part(material, settings, made, commands)
        found = {name: one(part.figures, name, axis="gender", **place)
                 for name, place in places.items()}  # fmt: skip
        return {name: (each.low, each.high) for name, each in found.items()}

    once, whole = ends(texts), ends(days, family_id=[*range(len(texts))] * 3)
    apart = ends(days)
    for name in places:
        assert whole[name] == pytest.approx(once[name], abs=1e-9)
        assert np.ptp(apart[name]) < 0.7 * np.ptp(whole[name])
    twins = [text.replace("He", "She") for text in texts]
    for name in ("flip_rate", "flip_rate_excess"):
        assert ends(texts + twins)[name] == pytest.approx(once[name], abs=1e-9)


def test_a_classifier_that_heeds_no_one_flips_never(read: Any, one: Any) -> None:
    """Which of few rows is no proof: the interval says so."""
    material, settings, commands = read({"text": TEXTS})
    part = counterfactual_part(
        material, settings, classifier_of(material, lambda text: int("won" in text)), commands
    )
    flips = one(part.figures, "flip_rate", axis="gender")
    assert (flips.value, flips.low) == (0, 0)
    assert flips.high > 0.3
    assert {finding.severity for finding in part.findings} == {"low"}
    assert any("6 rows say little" in finding.caution for finding in part.findings)
    assert not part.samples


def test_equalized_odds_of_versions_are_those_of_fairlearn(read: Any, one: Any) -> None:
    """Where the false positive rates differ more, the finding speaks of them."""
    texts = with_common_words([f"{who} {word} {number}." for number in range(20)
             for who in ("He", "She") for word in ("won", "lost", "slept")])  # fmt: skip
    labels = ["yes" if "won" in text else "no" for text in texts]
    material, settings, commands = read({"text": texts, "y": labels}, label="y")

    def says(text: str) -> int:
        return int("won" in text or ("She" in text and "lost" in text))

    part = counterfactual_part(material, settings, classifier_of(material, says), commands)
    versions = [text.replace("He", who).replace("She", who)
                for text in texts for who in ("He", "She")]  # fmt: skip
    expected = equalized_odds_difference(
        [int("won" in text) for text in versions], list(map(says, versions)),
        sensitive_features=["He" in text for text in versions],
    )  # fmt: skip
    found = one(part.figures, "equalized_odds_difference", axis="gender", label="yes")
    assert found.value == pytest.approx(expected) == 0.5
    assert one(part.figures, "equal_opportunity_difference", axis="gender", label="yes").value == 0
    told = {f.measure for each in part.findings if each.severity == "high" for f in each.figures}
    assert {"false_positive_rate_excess", "flip_rate_excess"} <= told
    assert "equal_opportunity_excess" not in told
    assert one(part.figures, "accuracy").value == 5 / 6


def test_rows_that_flip_are_shown_before_and_after(read: Any) -> None:
    """With what was swapped marked in both."""
    material, settings, commands = read({"text": ["Rain.", "He lost his hat."]}, samples=1)
    part = counterfactual_part(
        material, settings, classifier_of(material, says_yes_of_women), commands
    )
    (sample,) = part.samples
    before, after = sample.texts
    assert (sample.split, sample.row) == ("train", 1)
    assert [before.text[start:end] for start, end, _ in before.spans] == ["He", "his"]
    assert after.text == "She lost her hat."
    assert [after.text[start:end] for start, end, _ in after.spans] == ["She", "her"]


def test_an_axis_without_a_changed_row_is_not_passed_over(read: Any, one: Any) -> None:
    """Its figures are not defined, so that no rule about them passes."""
    material, settings, commands = read({"text": TEXTS}, axis=("gender", "age"))
    part = counterfactual_part(
        material, settings, classifier_of(material, says_yes_of_women), commands
    )
    assert math.isnan(one(part.figures, "flip_rate", axis="age").value)
    assert any("changes none of the rows" in finding.sentence for finding in part.findings)


def test_of_many_rows_some_are_drawn(read: Any, one: Any) -> None:
    """As many as are asked for, and the same ones again."""
    texts = [f"{who} lost {number}." for number in range(40) for who in ("He", "She")]
    found = []
    for _ in range(2):
        material, settings, commands = read({"text": texts}, model_rows=10)
        part = counterfactual_part(
            material, settings, classifier_of(material, says_yes_of_women), commands
        )
        assert one(part.figures, "flip_rate", axis="gender").rows == 10
        found.append(part)
    assert repr(found[0].samples) == repr(found[1].samples)


def test_rows_with_a_missing_text_are_not_asked_about(read: Any, one: Any) -> None:
    """Of two columns, both are read."""
    rows = {"a": ["He lost.", "He lost.", "She lost."], "b": ["Rain.", None, "Snow."]}
    material, settings, commands = read(rows, columns=("a", "b"))
    part = counterfactual_part(
        material, settings, classifier_of(material, says_yes_of_women), commands
    )
    assert one(part.figures, "flip_rate", axis="gender").rows == 2


def test_groups_of_a_column_are_compared_as_they_are(read: Any, one: Any) -> None:
    """On rows of the classifier's own predictions; a weak classifier is told as such."""
    rows = {"text": ["Sun won.", "Rain lost."] * 20, "y": ["no", "yes"] * 20, "g": ["a", "b"] * 20}
    material, settings, commands = read(rows, label="y", groups="g")
    part = counterfactual_part(
        material, settings, classifier_of(material, lambda text: int("won" in text)), commands
    )
    assert (
        one(part.figures, "demographic_parity_difference", axis="column g", label="yes").value == 1
    )
    assert one(part.figures, "accuracy").value == 0
    assert any("its answers count for little" in finding.sentence for finding in part.findings)


_LABELLED = {"Muslim": 0.85, "Christian": 0.3, "Jewish": 0.3}
"""How often rows that mention each have the label 1."""


@pytest.fixture(scope="module")
def found() -> Audit:
    """Audit rows in which one of three religions goes with the label."""
    draw = np.random.default_rng(1)
    adjectives = sorted(words("mostly_adjectives") - LISTED)[:300:5]
    texts, labels = [], []
    for _ in range(700):
        who = str(draw.choice(list(_LABELLED)))
        said = " ".join(draw.choice(adjectives, 14, replace=False))
        texts.append(f"A {who} teacher said that {said} things came.")
        labels.append(int(draw.random() < _LABELLED[who]))
    rows = Dataset.from_dict({"text": texts, "label": labels})
    return audit(rows, "text", label="label", axis="religion", samples=0)


def test_the_pairs_of_the_one_that_goes_with_the_label_have_a_colour(found: Audit) -> None:
    """And the pair of the two others has none; the shift has its direction."""
    of_pairs = [each for each in found.figures if " and " in each.attribute]
    flips, shifts = ({each.attribute: each for each in of_pairs if each.measure == measure}
        for measure in ("flip_rate_excess", "score_shift"))  # fmt: skip
    planted, other = {"christian and muslim", "muslim and jewish"}, "christian and jewish"
    assert set(flips) == set(shifts) == {*planted, other}
    assert all(shifts[pair].p_value <= 0.02 < shifts[other].p_value for pair in planted)
    assert flips[other].p_value > 0.02
    assert shifts["christian and muslim"].value > 0 > shifts["muslim and jewish"].value
    told = [each.headline for each in found.findings if each.severity == "high"]
    assert any("written for muslim" in each for each in told)
    assert not any(f"Swapping {other}" in each for each in told)
    rule = f"flip_rate_excess(religion, {other}) < 1"
    assert found.check(rule)[0].startswith(f"{rule}: it is ")
    (rest,) = (each for each in found.findings if "two attributes at a time" in each.sentence)
    assert other in {each.attribute for each in rest.figures}
