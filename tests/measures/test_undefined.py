"""With `undefined="zero"`, no measure gives NaN, in whatever way a value is not defined."""

import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from fair_datasets import measures as m

WAYS: dict[str, tuple[list[int], list[int], list[str]]] = {"no rows": ([], [], []),
    "one group": ([1, 0], [1, 0], ["a", "a"]),
    "nobody selected": ([1, 0, 1, 0], [0, 0, 0, 0], [*"aabb"]),
    "everybody selected": ([1, 0, 1, 0], [1, 1, 1, 1], [*"aabb"]),
    "a group without positives": ([1, 0, 0, 0], [1, 0, 1, 0], [*"aabb"]),
    "a group without negatives": ([1, 1, 1, 0], [1, 0, 1, 0], [*"aabb"]),
    "one class": ([1, 1, 1, 1], [1, 0, 1, 1], [*"aabb"]),
    "always wrong": ([0, 0, 1, 1], [1, 1, 0, 0], [*"aabb"]),
    "one row of each": ([1, 0], [0, 1], [*"ab"])}  # fmt: skip
"""References, predictions and groups. What a measure reads beside them is made from these."""

BOTH = ("between_groups", "to_overall")


def table_of(first: list[int], second: list[int]) -> Any:
    """Return two columns as rows of two. Shape (N, 2)."""
    return np.array([first, second]).T.reshape(-1, 2)


MEASURES: dict[str, Callable[..., Any]] = {
    "demographic_parity": lambda y, p, g, **o: [
        m.demographic_parity(p, g, method=method, **o) for method in BOTH],
    "equal_opportunity": lambda y, p, g, **o: [
        m.equal_opportunity(y, p, g, outcome=outcome, method=method, **o)
        for outcome in (0, 1) for method in BOTH],
    "equalized_odds": lambda y, p, g, **o: [
        m.equalized_odds(y, p, g, agg=agg, method=method, **o)
        for agg in ("mean", "worst_case") for method in BOTH],
    "predictive_parity": lambda y, p, g, **o: [
        m.predictive_parity(y, p, g, outcome=outcome, method=method, **o)
        for outcome in (0, 1) for method in BOTH],
    "group_rates": m.group_rates,
    "error_rate_equality": m.error_rate_equality,
    "subgroup_auc": m.subgroup_auc,
    "counterfactual parity": lambda y, p, g, **o: [
        m.counterfactual_demographic_parity(p, y, changed=p, **o),
        m.counterfactual_equal_opportunity(y, p, y, changed=p, **o),
        m.counterfactual_equalized_odds(y, p, y, changed=p, **o)],
    "counterfactual_flip_rate": lambda y, p, g, **o: m.counterfactual_flip_rate(
        p, y, scores=p, counterfactual_scores=y, changed=p, groups=g,
        control_predictions=table_of(y, p), control_counterfactual_predictions=table_of(p, p), **o),
    "preference_flip_rate": lambda y, p, g, **o: m.preference_flip_rate(
        p, y, changed=p, groups=g, control_differences=table_of(y, p),
        control_counterfactual_differences=table_of(p, p), **o),
    "name_sensitivity": lambda y, p, g, **o: m.name_sensitivity(
        p, y, g, ["m"] * len(p), p, scores=p, **o),
    "fairscore": lambda y, p, g, **o: m.fairscore(p, y, p, y, excluded=p, **o),
    "representation": lambda y, p, g, **o: m.representation(table_of(y, p), ["w", "m"], g, **o),
    "label_association": lambda y, p, g, **o: m.label_association(
        table_of(y, p), ["w", "m"], y, **o),
    "perplexity": lambda y, p, g, **o: m.perplexity([each or None for each in p], **o),
    "counterfactual_perplexity": lambda y, p, g, **o: m.counterfactual_perplexity(
        [each or None for each in p], y, **o),
    "completion_difference": lambda y, p, g, **o: m.completion_difference(
        ["a" * each for each in p], g, scores=p, counterfactual_scores=y, **o),
    "transfer_accuracy": lambda y, p, g, **o: m.transfer_accuracy(p, y, **o),
    "text_overlap": lambda y, p, g, **o: m.text_overlap(["a" * each for each in p], g, **o),
    "bias_distribution": lambda y, p, g, **o: m.bias_distribution(p, {"w": y}, **o),
    "crows_pairs": lambda y, p, g, **o: m.crows_pairs(
        p, y, [["stereo", "antistereo"][each] for each in y], g, **o),
    "bbq": lambda y, p, g, **o: m.bbq(
        [{"category": "Age", "example_id": each} for each in y], p, confidence=0.9,
        **o),
    "likelihood_bias": lambda y, p, g, **o: m.likelihood_bias(p, g, g, [*map(str, y)], **o),
    "weat": lambda y, p, g, **o: m.weat(
        [[each + 1, 2] for each in p], [[each + 1, 2] for each in y], [[1, 0]] * len(p), [[0, 1]],
        n_samples=10, **o),
    **{
        name: lambda y, p, g, name=name, **o: [
            m.group_metric(name, y, p, g, method=method, **o) for method in BOTH]
        for name in ("precision_score", "roc_auc_score", "matthews_corrcoef", "r2_score")
    },
}  # fmt: skip


def undefined_in(value: Any, where: str = "result") -> Iterator[str]:
    """Name the parts of a result that are NaN or infinite."""
    if is_dataclass(value):
        parts: Any = [(each.name, getattr(value, each.name)) for each in fields(value)]
    elif isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    else:
        if isinstance(value, float) and not math.isfinite(value):
            yield where
        return
    for name, part in parts:
        # These are what the result was made from.
        if name not in ("rows", "criterion"):
            yield from undefined_in(part, f"{where}.{name}")


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_is_nan(name: str) -> None:
    """Nor is anything said of it, as it was asked for."""
    measure = partial(MEASURES[name], undefined="zero")
    assert {way: [*undefined_in(measure(*rows))] for way, rows in WAYS.items()} == {
        way: [] for way in WAYS
    }


def test_rates_of_two_groups_are_not_nan() -> None:
    """There have to be two."""
    for way, rows in WAYS.items():
        if len(set(rows[2])) == 2:
            assert not [*undefined_in(m.rate_difference(*rows, undefined="zero"))], way


def test_a_ratio_of_zeros_is_0() -> None:
    """In fairlearn it is NaN."""
    rows = WAYS["nobody selected"]
    assert m.demographic_parity(*rows[1:], undefined="zero").ratio == 0
    assert m.group_metric("precision_score", *rows, undefined="zero").ratio == 0
    control = MEASURES["counterfactual_flip_rate"](*WAYS["no rows"], undefined="zero").control
    assert (control.flip_rate_excess, control.p_value) == (0, 1)
