"""Parity between texts and their counterfactuals."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from fair_datasets.measures.confidence import confidence_interval
from fair_datasets.measures.counterfactual_parity import (
    counterfactual_demographic_parity,
    counterfactual_equal_opportunity,
    counterfactual_equalized_odds,
)
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.parity import (
    demographic_parity,
    equal_opportunity,
    equalized_odds,
)

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1), st.booleans()),
    min_size=1, max_size=40)  # fmt: skip


@given(ROWS)
@settings(deadline=None)
def test_it_is_parity_of_stacked_rows(rows: list[tuple[int, int, int, bool]]) -> None:
    """The factual rows are one group, the counterfactual ones the other."""
    y_true, factual, counterfactual, changed = map(np.array, zip(*rows, strict=True))
    found = (counterfactual_demographic_parity(factual, counterfactual, changed=changed,
        undefined="zero"), counterfactual_equal_opportunity(y_true, factual, counterfactual,
        outcome=0, changed=changed, undefined="zero"), counterfactual_equalized_odds(y_true,
        factual, counterfactual, agg="worst_case", changed=changed, undefined="zero"))  # fmt: skip
    for part, name in ((np.ones_like(changed), "all_rows"), (changed, "changed_rows")):
        if not part.any():
            continue
        y_pred = np.concatenate([factual[part], counterfactual[part]])
        both = np.tile(y_true[part], 2)
        groups = np.repeat(["factual", "counterfactual"], part.sum())
        expected = (demographic_parity(y_pred, groups, undefined="zero"),
            equal_opportunity(both, y_pred, groups, outcome=0, undefined="zero"),
            equalized_odds(both, y_pred, groups, agg="worst_case", undefined="zero"))  # fmt: skip
        for one, other in zip(found, expected, strict=True):
            parity = getattr(one, name)
            assert parity.difference == other.difference
            assert parity.ratio == pytest.approx(other.ratio, nan_ok=True)
            assert parity.groups == other.groups
            assert np.sum(parity.pairs) == part.sum()


def test_unchanged_rows_dilute() -> None:
    """Over the changed rows alone the difference is larger."""
    parity = counterfactual_demographic_parity(
        [1, 1, 0, 0], [0, 1, 0, 0], changed=[True, True, False, False]
    )
    assert parity.all_rows.difference == 0.25
    assert parity.changed_rows is not None
    assert parity.changed_rows.difference == 0.5
    assert parity.all_rows.pairs == (((2, 0), (1, 1)), ((0, 0), (0, 0)))
    assert counterfactual_demographic_parity([1], [0]).changed_rows is None


def test_versions_of_a_family_are_exchanged_together() -> None:
    """Of 60 rows 14 change one way and 5 the other; five copies of each row tell nothing more."""
    factual, counterfactual = np.repeat([1, 0, 1], [14, 5, 41]), np.repeat([0, 1, 1], [14, 5, 41])
    families = np.repeat(np.arange(60), 5)
    once, whole, apart = (
        confidence_interval(
            counterfactual_equal_opportunity(
                np.ones_like(said), said, twin, families=own
            ).all_rows, n_resamples=10_000,
        ).p_value
        for said, twin, own in (
            (factual, counterfactual, None),
            (factual.repeat(5), counterfactual.repeat(5), families),
            (factual.repeat(5), counterfactual.repeat(5), None),
        )
    )  # fmt: skip
    assert once == pytest.approx(binomtest(5, 19).pvalue, abs=0.01)
    assert whole == pytest.approx(binomtest(5, 19).pvalue, abs=0.01)
    assert apart < 0.002


def test_no_row_changed() -> None:
    """There is nothing to compare: NaN, not a perfect score."""
    with pytest.warns(UndefinedMeasureWarning, match="over changed rows: groups 'factual' and"):
        parity = counterfactual_demographic_parity([1, 1], [1, 1], changed=[False, False])
    assert parity.all_rows.score == 1
    assert parity.changed_rows is not None
    assert math.isnan(parity.changed_rows.score)


@given(ROWS)
@settings(deadline=None, max_examples=30)
def test_one_class_against_the_rest(rows: list[tuple[int, int, int, bool]]) -> None:
    """A text class gives what its indicators give."""
    y_true, factual, counterfactual, changed = map(np.array, zip(*rows, strict=True))
    names = np.array(["other", "joy"])
    columns = (y_true, factual, counterfactual)
    texts = tuple(np.where(changed & (each == 0), "fear", names[each]) for each in columns)
    options: dict[str, Any] = {"changed": changed, "undefined": "zero"}
    if not any(each.any() for each in columns[1:]):
        return
    for measure, first in (
        (counterfactual_demographic_parity, 1),
        (counterfactual_equal_opportunity, 0),
        (counterfactual_equalized_odds, 0),
    ):
        expected = measure(*columns[first:], **options)
        assert str(measure(*texts[first:], positive="joy", **options)) == str(expected)
