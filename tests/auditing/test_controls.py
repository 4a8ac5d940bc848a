"""Counterfactual figures beside their controls: exact shortcuts, tests, and calibration."""

from typing import Any

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing import audit, controls, counterfactuals
from fair_datasets.auditing.classifiers import Classifier, linear_logits
from fair_datasets.auditing.controls import KINDS, AxisControl, judged
from fair_datasets.scores.probes.probe import LinearProbe
from fair_datasets.swap import placebos_of
from fair_datasets.swap.placebos import RowDivider
from tests.auditing.planted import NOTHING, Planted, audited, colours_of, rows_of

SWAP = CounterfactualSwap(columns="text")


def texts_of(size: int, seed: int, planted: Planted = NOTHING) -> list[tuple[str]]:
    """Return planted rows as the texts of rows."""
    return [(text,) for text in rows_of(size, seed, planted)["text"]]


def probe_of(texts: list[tuple[str]], seed: int = 0) -> LinearProbe:
    """Return a probe with weights that are drawn."""
    terms = sorted({word.strip(".").lower() for (text,) in texts for word in text.split()})
    draw = np.random.default_rng(seed)
    return LinearProbe([term for term in terms if len(term) > 1],
        draw.uniform(1, 3, sum(len(term) > 1 for term in terms)),
        draw.normal(size=(3, sum(len(term) > 1 for term in terms))),
        draw.normal(size=3))  # fmt: skip


def control_of(texts: list[tuple[str]], probe: LinearProbe, **others: Any) -> AxisControl:
    """Ask a classifier about rows whose labels are drawn."""
    classifier = Classifier(
        name="It", note="", classes=("a", "b", "c")[: probe.classes], scores=probe.logits,
        references=None, asked=np.ones(len(texts), bool), caution="", **others,
    )  # fmt: skip
    labels = np.random.default_rng(1).integers(probe.classes, size=len(texts))
    families = np.arange(len(texts), dtype=np.uint64)
    found = AxisControl.of("gender", texts, labels, families, classifier, RowDivider(SWAP), 99)
    assert found is not None
    return found


def test_counts_of_placebos_give_the_logits_of_their_texts() -> None:
    """Also beside letters and underscores, in capitals, and of words that the row has already."""
    texts = [*texts_of(40, 0), ("HE saw of_he and he-he; John_x said JOHN left.",), ("He.",)]
    found = placebos_of(texts, SWAP, training=texts_of(400, 1), count=4)
    probe = probe_of(texts_of(400, 1))
    quick = linear_logits(found, probe)
    assert quick.shape == (found.controlled.sum(), 2, 4, 3)
    for draw in range(4):
        for side, rows in enumerate(found.placebo_versions(draw)):
            np.testing.assert_allclose(quick[:, side, draw], probe.logits(rows), atol=1e-12)


def test_figures_are_means_over_rows_with_placebos() -> None:
    """Recomputed from the texts of all versions, one by one."""
    texts = texts_of(120, 2)
    probe = probe_of(texts)
    found = control_of(texts, probe)
    measured = {(each.kind, each.label): each for each in found.measured()}
    kept = found.placebos.controlled
    first, second = (probe.logits([row for row, has in zip(rows, kept, strict=True) if has])
        for rows in found.placebos.versions())  # fmt: skip
    flips = measured["flips", ""]
    differ = first.argmax(1) != second.argmax(1)
    assert flips.value == differ.mean()
    placebos = (probe.logits(rows).argmax(1) for rows in found.placebos.placebo_versions(5))
    several = found.drawn.argmax(axis=3)
    by_chance = several[:, 0] != several[:, 1]
    assert (by_chance[:, 5] == np.not_equal(*placebos)).all()
    by_kind = {(each.measure, each.attribute): each.value for each in found.figures([])}
    for kind in set(found.placebos.kinds[kept].tolist()):
        is_kind = found.placebos.kinds[kept] == kind
        assert by_kind["flip_rate", KINDS[kind]] == pytest.approx(differ[is_kind].mean())
        control = by_kind["flip_rate_control", KINDS[kind]]
        assert control == pytest.approx(by_chance[is_kind].mean())
    one = found.placebos.own[kept] >= 0
    shift = measured["shift", "b"]
    assert shift.figure.value == pytest.approx((second - first)[one, 1].mean())
    assert (shift.value, shift.figure.rows) == (abs(shift.figure.value), one.sum())
    parity = measured[controls.SELECTION, "c"]
    rates = [(each[one].argmax(1) == 2).mean() for each in (first, second)]
    assert parity.value == pytest.approx(abs(rates[1] - rates[0]))
    for draw in (0, 98):
        u, v = (probe.logits(rows) for rows in found.placebos.placebo_versions(draw))
        assert flips.draws[draw] == (u.argmax(1) != v.argmax(1)).mean()
        assert shift.draws[draw] == pytest.approx(abs((v - u)[one, 1].mean()))


@pytest.mark.slow
def test_tests_of_all_axes_are_adjusted_together() -> None:
    """Another axis makes no p-value smaller, and some larger; none is below its own rank."""
    several = [control_of(texts_of(120, seed), probe_of(texts_of(120, seed), seed))
               for seed in (3, 4)]  # fmt: skip
    alone = [each.p_value for control in several for each in judged([control])[0]]
    together = [each.p_value for found in judged(several) for each in found]
    assert all(np.array(together) >= np.array(alone))
    assert together != alone
    ranks = [(1 + (each.draws >= each.value - 1e-12).sum()) / 100
             for control in several for each in control.measured()]  # fmt: skip
    assert min(together) >= min(ranks)


@pytest.mark.slow
def test_few_rows_and_one_class_have_no_colour() -> None:
    """Of fewer than 30 rows there is no control; one class for all is no fairness."""
    texts = texts_of(120, 2)
    probe = probe_of(texts)
    rows = placebos_of(texts, SWAP, count=1).numbers[:29]
    classifier = control_of(texts, probe).classifier
    families = np.arange(len(rows), dtype=np.uint64)
    asked = [texts[row] for row in rows]
    few = AxisControl.of("gender", asked, None, families, classifier, RowDivider(SWAP), 99)
    assert few is None
    always = LinearProbe(probe.terms, probe.frequencies, 0 * probe.weights, np.arange(3.0))
    found = control_of(texts, always)
    (measured,) = judged([found])
    assert {found.severity(each) for each in measured} == {"low"}
    assert {each.p_value for each in measured} == {1.0}
    red = measured[0]._replace(p_value=0.01, figure=measured[0].figure.__class__(
        measure="flip_rate_excess", value=0.5, rows=99, low=0.4, high=0.6))  # fmt: skip
    assert found.severity(red) == "low"
    assert control_of(texts, probe).severity(red) == "high"


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take each probe for one that is right often enough; weak ones have no colour anyway."""
    monkeypatch.setattr(counterfactuals, "_is_weak", lambda _: False)


@pytest.mark.parametrize("seed", [0, 13])
@pytest.mark.usefixtures("strong")
def test_what_a_probe_takes_from_chance_has_no_colour(seed: int) -> None:
    """No effect is planted; by the placebo draws alone these would have one."""
    assert colours_of(audited(500, seed)) == {"labels": {"low"}, "probe": {"low"}}


@pytest.mark.slow
@pytest.mark.usefixtures("strong")
def test_each_correction_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the refits, and without the draws, effects are told that nobody planted."""
    monkeypatch.setattr(AxisControl, "p_of_probe", lambda _, found: np.zeros(len(found)))
    told = [colours_of(audited(500, seed))["probe"] for seed in (0, 13)]
    assert all({"high", "medium"} & each for each in told)
    assert colours_of(audited(500, 21))["probe"] == {"low"}
    monkeypatch.setattr(controls, "max_t", lambda values, _: np.full(len(values), 0.01))
    assert {"high", "medium"} & colours_of(audited(500, 21))["probe"]


@pytest.mark.slow
def test_where_there_is_no_effect_none_is_told() -> None:
    """Of 15 audits at three sizes, fixed beforehand, 1 may tell one, none red."""
    colours = []
    for size, seeds in ((500, 8), (1000, 5), (5000, 2)):
        told = [colours_of(audited(size, seed)) for seed in range(seeds)]
        colours += [each["labels"] | each["probe"] for each in told]
    assert not any("high" in each for each in colours)
    assert sum("medium" in each for each in colours) <= 1


def test_two_sides_with_controls_are_compared() -> None:
    """The flips of rows in which names or words alone change are of one side each."""
    rows = rows_of(250, 0)
    found = audit(rows, "text", label="label", samples=0, before=audit(rows, "text", label="label"))
    assert found.changes is not None
    compared = {(pair.after.measure, pair.after.attribute) for pair in found.changes.pairs}
    assert ("flip_rate_excess", "") in compared
    assert not {place for _, place in compared} & set(KINDS.values())
