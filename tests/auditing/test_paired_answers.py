"""What answers to originals, twins and controls say together."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from fair_datasets.auditing.paired_answers import Answer, figures_of, paired_figures
from fair_datasets.measures.controls import flip_rate_control

GENERATOR = np.random.default_rng(0)
DIRECTIONS = GENERATOR.choice([-1, 1], 60)
CHOICES = GENERATOR.integers(3, size=(60, 4))
VARIANTS = ("original", "twin", "control", "control_twin")
ANSWERS = [
    Answer(
        pair, variant, int(CHOICES[pair, k]), float(CHOICES[pair, k] == 0), int(DIRECTIONS[pair])
    )
    for pair, (k, variant) in product(range(60), enumerate(VARIANTS))
]


def test_the_figures_are_those_of_the_definitions() -> None:
    """Whatever the order of the answers."""
    found = paired_figures(ANSWERS[::-1])
    right = CHOICES == 0
    flips = CHOICES[:, 0] != CHOICES[:, 1]
    control = flip_rate_control(flips, (CHOICES[:, 2] != CHOICES[:, 3])[:, None])
    low, high = proportion_confint(flips.sum(), 60, method="wilson")
    change = np.where(DIRECTIONS == 1, 1, -1) * (right[:, 0].astype(int) - right[:, 1])
    more, fewer = int((change > 0).sum()), int((change < 0).sum())
    expected = {
        "acc_paired": right[:, 0].mean(), "acc_twin": right[:, 1].mean(),
        "flip_rate": flips.mean(), "flip_rate_low": low, "flip_rate_high": high,
        "flip_rate_control": control.flip_rate_control,
        "flip_rate_excess": control.flip_rate_excess,
        "flip_rate_excess_low": control.low, "flip_rate_excess_high": control.high,
        "directional_difference": change.mean(),
        "mcnemar_p": binomtest(more, more + fewer).pvalue,
        "pairs": 60, "pairs_with_control": 60, "halves_dropped": 0,
    }  # fmt: skip
    assert found.keys() == {*figures_of("acc")}
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    # Bonett and Price (2012): a row more each way.
    one, other = (more + 1) / 62, (fewer + 1) / 62
    reach = 1.959964 * math.sqrt((one + other - (one - other) ** 2) / 62)
    ends = found["directional_difference_low"], found["directional_difference_high"]
    assert ends == pytest.approx((one - other - reach, one - other + reach), abs=1e-6)


def test_halves_are_dropped_and_counted() -> None:
    """A limit that cuts a pair or a control takes what is left of it out of the figures."""
    cut = paired_figures(ANSWERS[: 4 * 40 + 1])
    whole = paired_figures(ANSWERS[: 4 * 40])
    assert (cut.pop("halves_dropped"), whole.pop("halves_dropped")) == (1, 0)
    assert cut == whole
    control = paired_figures(ANSWERS[: 4 * 40 + 3])
    assert (control["pairs"], control["pairs_with_control"], control["halves_dropped"]) == (
        41,
        40,
        1,
    )


def test_few_pairs_have_no_test_and_none_no_figures() -> None:
    """Nothing is raised where there is nothing to tell."""
    assert math.isnan(paired_figures(ANSWERS[: 4 * 29])["mcnemar_p"])
    assert not math.isnan(paired_figures(ANSWERS[: 4 * 30])["mcnemar_p"])
    for answers in ([], ANSWERS[:1]):
        found = paired_figures(answers, "acc_norm")
        counts = {"pairs", "pairs_with_control", "halves_dropped"}
        assert all(math.isnan(value) for name, value in found.items() if name not in counts)
        assert (found["pairs"], found["halves_dropped"]) == (0, len(answers))


def test_scores_between_0_and_1_have_no_test() -> None:
    """Their difference is told with its interval all the same."""
    halved = [answer._replace(score=answer.score / 2) for answer in ANSWERS]
    found, whole = paired_figures(halved), paired_figures(ANSWERS)
    assert math.isnan(found["mcnemar_p"])
    assert found["directional_difference"] == whole["directional_difference"] / 2
    assert found["flip_rate"] == whole["flip_rate"]


def test_rows_of_both_attributes_have_no_direction() -> None:
    """They count as pairs, and not in the difference."""
    mixed = [each._replace(direction=0) if each.pair < 20 else each for each in ANSWERS]
    found = paired_figures(mixed)
    assert found["pairs"] == 60
    alone = paired_figures([each for each in ANSWERS if each.pair >= 20])
    assert found["directional_difference"] == alone["directional_difference"]


def test_several_draws_are_averaged() -> None:
    """The control is the mean of all of them."""
    second = [
        each._replace(variant=each.variant + "_2", answer=0)
        for each in ANSWERS if each.variant.startswith("control")
    ]  # fmt: skip
    found = paired_figures([*ANSWERS, *second])
    assert found["flip_rate_control"] == pytest.approx(
        paired_figures(ANSWERS)["flip_rate_control"] / 2
    )
