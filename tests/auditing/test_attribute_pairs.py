"""Two attributes at a time, of an axis that has more."""

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets.auditing import Audit, audit
from fair_datasets.english.lists import words
from tests.auditing.planted import LISTED

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
    flips, shifts = (
        {each.attribute: each for each in of_pairs if each.measure == measure}
        for measure in ("flip_rate_excess", "score_shift")
    )
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
