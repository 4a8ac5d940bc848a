"""Changes between classifiers that were asked about the same rows, beside statsmodels."""

import math
from itertools import product

import numpy as np
import pytest
from datasets import Dataset
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from fair_datasets import audit
from fair_datasets.auditing.changes import changes_of
from fair_datasets.auditing.findings import Figure
from fair_datasets.auditing.paired import Answer, behind, figures_of, paired_change, paired_figures
from fair_datasets.auditing.parity import Predicted
from fair_datasets.measures.controls import flip_rate_control

SIZE = 400


def said(seed: int, right: float, *, size: int = SIZE) -> Predicted:
    """Return what a classifier says that is right so often, and more often of the first group."""
    rows = np.random.default_rng(1)
    groups, labels = rows.integers(-1, 3, size), rows.integers(0, 2, size)
    own = np.random.default_rng(seed)
    wrong = own.random(size) > right - 0.1 * groups
    keys = np.arange(size, dtype=np.uint64)
    predictions = np.where(wrong, 1 - labels, labels)
    return Predicted(
        "column g", ("a", "b", "c"), groups, predictions, labels, ("0", "1"), keys, np.arange(size)
    )


def test_the_rows_behind_each_figure_make_its_value() -> None:
    """Of groups and of versions, of several labels, each rate and the worse of two."""
    found = audit(
        Dataset.from_dict({
            "text": [f"{who} {what} {day}." for day in range(60) for who in ("He", "She")
                     for what in ("won", "lost", "sang")],
            "y": ["good", "bad", "odd"] * 100 + ["good"] * 60,
            "g": list("aabbc") * 72,
        }), "text", label="y", groups="g",
    )  # fmt: skip
    answers = found.parts[0].answers
    checked = set()
    for figure in found.parts[0].figures:
        rows = behind(answers, figure)
        is_part = figure.attribute and figure.measure not in ("flip_rate", "selection_rate")
        if rows is None or is_part:
            assert is_part or figure.measure == "collapsed"
            continue
        assert rows.value() == pytest.approx(figure.value)
        checked.add((figure.measure, figure.axis))
    assert len(checked) == 15


@pytest.mark.parametrize(("right", "seed"), [(0.9, 2), (0.7, 3), (0.85, 4)])
def test_shares_have_the_test_of_mcnemar_and_the_interval_of_bonett_and_price(
    right: float, seed: int
) -> None:
    """Of accuracy: right on one side alone, and on the other alone."""
    sides = [said(1, 0.8)._replace(name=""), said(seed, right)._replace(name="")]
    figure = Figure(measure="accuracy", value=0.5, rows=SIZE)
    low, high, p_value = paired_change(*(behind([side], figure) for side in sides))
    one, other = (side.predictions == side.references for side in sides)
    gained, lost = int((other & ~one).sum()), int((one & ~other).sum())
    table = [[int((one & other).sum()), lost], [gained, int((~one & ~other).sum())]]
    assert p_value == pytest.approx(mcnemar(table, exact=True).pvalue)
    plus, minus = (gained + 1) / (SIZE + 2), (lost + 1) / (SIZE + 2)
    reach = 1.959964 * ((plus + minus - (plus - minus) ** 2) / (SIZE + 2)) ** 0.5
    assert (low, high) == pytest.approx((plus - minus - reach, plus - minus + reach), abs=1e-6)


@pytest.mark.parametrize(
    "measure",
    ["demographic_parity_difference", "equal_opportunity_difference", "precision_difference",
     "equalized_odds_difference"],
)  # fmt: skip
def test_differences_between_groups_vary_as_rows_that_are_drawn_again_do(measure: str) -> None:
    """Also of precision, whose rows are others on each side."""
    sides = [said(5, 0.9), said(6, 0.8)]
    figure = Figure(measure=measure, value=0.5, rows=SIZE, axis="column g", label="1")
    rows = [behind([side], figure) for side in sides]
    low, high, _ = paired_change(*rows)
    generator = np.random.default_rng(7)
    changes = []
    for _ in range(600):
        drawn = generator.integers(0, SIZE, SIZE)
        again = [each._replace(values=each.values[drawn], among=each.among[drawn],
                               groups=each.groups[drawn]) for each in rows]  # fmt: skip
        changes.append(again[1].value() - again[0].value())
    assert (high - low) / 2 / 1.959964 == pytest.approx(np.std(changes), rel=0.12)
    assert low < rows[1].value() - rows[0].value() < high


@pytest.mark.parametrize("measure", ["accuracy", "demographic_parity_difference"])
def test_a_change_is_of_families(measure: str) -> None:
    """Rows that stand there four times as one family change as surely as once."""
    figure = Figure(measure=measure, value=0.5, rows=SIZE, axis="column g", label="1")
    if measure == "accuracy":
        figure = Figure(measure=measure, value=0.5, rows=SIZE)
    found = []
    for copies, is_told in ((1, True), (4, True), (4, False)):
        sides = []
        for seed, right in ((5, 0.9), (6, 0.87)):
            once = said(seed, right)._replace(name=figure.axis)
            families = np.repeat(np.arange(SIZE), copies)
            arrays = {name: np.repeat(getattr(once, name), copies)
                      for name in ("codes", "predictions", "references")}  # fmt: skip
            own = families if is_told else np.arange(SIZE * copies)
            keys = np.arange(SIZE * copies, dtype="u8")
            sides.append(once._replace(**arrays, keys=keys, families=own))
        found.append(paired_change(*(behind([side], figure) for side in sides)))
    once_, whole, apart = found
    assert whole == pytest.approx(once_, abs=1e-9)
    assert apart[1] - apart[0] == pytest.approx((once_[1] - once_[0]) / 2, rel=0.05)
    assert apart[2] < once_[2] / 2


def test_the_same_rows_tell_what_rows_apart_could_not() -> None:
    """Of 400 rows 30 become right and 8 wrong; other rows than before are not paired."""
    rows = Predicted.of_all(
        np.repeat([0, 1], 200),
        np.ones(SIZE, np.int64),
        ("0", "1"),
        np.arange(SIZE, dtype="u8"),
        np.arange(SIZE),
    )
    changed = rows.predictions.copy()
    changed[:30], changed[-8:] = 1, 0
    after = rows._replace(predictions=changed)
    figures = [
        Figure(measure="accuracy", value=float(each.predictions.mean()), rows=SIZE, low=low,
               high=low + 0.098)
        for each, low in ((rows, 0.451), (after, 0.506))
    ]  # fmt: skip
    (apart,) = changes_of((figures[0],), (figures[1],))
    (paired,) = changes_of((figures[0],), (figures[1],), ([rows], [after]))
    (others,) = changes_of(
        (figures[0],), (figures[1],), ([rows], [after._replace(keys=after.keys + 1)])
    )
    assert (apart.is_sure, paired.is_sure, others.is_sure) == (False, True, False)
    assert (apart.is_paired, paired.is_paired, others.is_paired) == (False, True, False)


def test_both_sides_are_asked_about_the_same_rows_as_they_are() -> None:
    """Whatever rows the second side has: the change is the classifier's and not the rows'."""
    rows = Dataset.from_dict({
        "text": [f"{who} {what} {day}." for day in range(60) for who in ("He", "She")
                 for what in ("won", "lost")],
        "y": [1, 0] * 120,
    })  # fmt: skip
    before = audit(rows, "text", label="y", title="rows")
    # Of a half, a probe learns the same: on rows of its own, it would be asked about others.
    after = audit(rows.select(range(120)), "text", label="y", before=before)
    pairs = [
        pair for pair in after.changes.pairs if pair.before.measure in ("accuracy", "flip_rate")
    ]
    assert len(pairs) == 4
    for pair in pairs:
        assert pair.is_paired
        assert pair.before.rows == pair.after.rows
        assert not pair.is_sure
    assert "of rows, as the classifier before was" in after.parts[0].notes[0]


GENERATOR = np.random.default_rng(0)
DIRECTIONS = GENERATOR.choice([-1, 1], 60)
CHOICES = GENERATOR.integers(3, size=(60, 4))
VARIANTS = ("original", "twin", "control", "control_twin")
ANSWERS = [Answer(pair, variant, int(CHOICES[pair, k]), float(CHOICES[pair, k] == 0),
    int(DIRECTIONS[pair]))
    for pair, (k, variant) in product(range(60), enumerate(VARIANTS))]  # fmt: skip


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
    assert (control["pairs"], control["pairs_with_control"],
        control["halves_dropped"]) == (41, 40, 1)  # fmt: skip


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


def test_pairs_of_one_family_count_as_one() -> None:
    """Documents of one template, which are answered alike, have the intervals of one of them."""
    copies = [
        each._replace(pair=(each.pair, copy), family=f"template {each.pair}")
        for each in ANSWERS for copy in range(4)
    ]  # fmt: skip
    once, whole = paired_figures(ANSWERS), paired_figures(copies)
    apart = paired_figures([each._replace(family=None) for each in copies])
    ends = [name for name in once if name.endswith(("_low", "_high"))]
    assert len(ends) == 6
    assert {name: whole[name] for name in ends} == pytest.approx(
        {name: once[name] for name in ends}
    )
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        assert apart[high] - apart[low] < 0.6 * (whole[high] - whole[low])
    assert whole["pairs"] == 240
    # The test takes pairs as independent, which these are not.
    assert math.isnan(whole["mcnemar_p"])
    assert not math.isnan(apart["mcnemar_p"])
