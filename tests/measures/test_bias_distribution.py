"""Tests of the distribution of bias scores against numpy and scipy, and of what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from fair_datasets.measures import UndefinedMeasureWarning, bias_distribution

SCORES = [0.5, 0.0, 0.25, 0.25, 1.0]
TOWARDS = {"man": [-0.5, 0.0, 0.0, -0.25, 0.0], "woman": [0.0, 0.0, 0.25, 0.0, 1.0]}


def test_by_hand() -> None:
    """A score equal to the threshold is not above it; of equal scores the first row comes first."""
    found = bias_distribution(SCORES, TOWARDS, threshold=0.25, percentiles=[0, 50, 75, 100], most=3)
    assert (found.rows, found.mean, found.highest) == (5, 0.4, 1.0)
    assert found.percentiles == {0: 0, 50: 0.25, 75: 0.5, 100: 1}
    assert (found.above, found.share_above) == (2, 0.4)
    assert found.attributes["man"].rows == (0, 3)
    assert found.attributes["man"].scores == (-0.5, -0.25)
    assert found.attributes["woman"].rows == (4, 2)
    assert (found.attributes["man"].mean, found.attributes["man"].furthest) == (-0.15, -0.5)


def test_a_share_that_no_rows_can_change_has_no_interval() -> None:
    """Above their own 95th percentile lie 5 % of any scores, and of no others."""
    assert bias_distribution(np.arange(100.0)).share_above == 0.05
    assert bias_distribution(np.arange(100.0)).interval is None
    assert bias_distribution([], undefined="zero").interval is None


@given(st.lists(st.floats(0, 2), min_size=1), st.floats(0, 2))
def test_figures_are_those_of_numpy_and_scipy(scores: list[float], threshold: float) -> None:
    """The percentiles are interpolated linearly; the interval is Clopper and Pearson's."""
    found = bias_distribution(scores, threshold=threshold, level=0.9)
    above = sum(score > threshold for score in scores)
    assert found.above == above
    assert found.percentiles[93] == pytest.approx(np.percentile(scores, 93))
    low = beta.ppf(0.05, above, len(scores) - above + 1) if above else 0
    high = beta.ppf(0.95, above + 1, len(scores) - above) if above < len(scores) else 1
    assert found.interval == pytest.approx((low, high))
    assert sum(found.counts) == len(scores)
    assert len(found.edges) == len(found.counts) + 1


def test_no_rows() -> None:
    """Are undefined, and not 0."""
    with pytest.warns(UndefinedMeasureWarning, match="there are no rows"):
        assert np.isnan(bias_distribution([]).mean)
    found = bias_distribution([], {"man": []}, undefined="zero", threshold=0.5)
    assert (found.mean, found.threshold, found.attributes["man"].rows) == (0, 0.5, ())
