"""Tests of the picture of bias scores."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.cards.report import bias_score_plot
from fair_datasets.measures import bias_distribution

SCORES = [0.0, 0.1, 0.1, 0.3, 0.5]


def test_what_is_drawn(tmp_path: Path) -> None:
    """The bins, each percentile, and the share above the threshold."""
    found = bias_distribution(SCORES, threshold=0.2, percentiles=(50, 97.5), bins=2)
    figure = bias_score_plot(found)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["50%", "97.5%"]
    (stairs,) = axes.patches
    assert stairs.get_data().values.tolist() == [3, 2]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["all rows: 5, mean 0.2000", "40.0% above 0.2"]
    assert figure.get_size_inches().tolist() == [7, 4]
    figure.savefig(tmp_path / "bias.png")


def test_before_and_after() -> None:
    """Two corpora in one picture; also what the module returned."""
    before = bias_distribution(SCORES)
    data = {"data": ["a"] * 4, "scores": SCORES[:4], "attributes": {}}
    after = load_metric("bias_score").compute(**data, threshold=0.2)
    labels = [
        text.get_text() for text in bias_score_plot(after, before).axes[0].get_legend().get_texts()
    ]
    assert labels == ["before: 5, mean 0.2000", "after: 4, mean 0.1250", "25.0% above 0.2"]


@pytest.mark.parametrize("wrong", [None, {"rows": 5}, 5, SCORES])
def test_what_is_no_distribution(wrong: Any) -> None:
    """One sentence says what to give."""
    with pytest.raises(InputError, match="what bias_distribution or the module 'bias_score' ret"):
        bias_score_plot(wrong)


def test_no_rows() -> None:
    """Have no picture."""
    with pytest.raises(InputError, match="there are no rows"):
        bias_score_plot(bias_distribution([], undefined="zero"))
