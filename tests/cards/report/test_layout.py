"""Every picture can be read: its texts lie in it and apart, and its panels have most of it."""

from collections.abc import Callable
from itertools import combinations

import pytest
from matplotlib.figure import Figure

from fair_datasets.cards.report import (
    before_after_plot,
    bias_score_plot,
    encoder_plot,
    group_rate_plot,
)
from fair_datasets.measures import bias_distribution
from fair_datasets.selection.diet.report import trade_off_plot
from tests.cards.report.shown import shown_texts

SCORES = [number**2 / 10_000 for number in range(100)]
RATES = {f"group {n}": {"selection_rate": n / 8, "true_positive_rate": 1.0} for n in range(8)}
MEASURES = {f"measure {number}": number / 10 for number in range(6)}
TESTS = [
    {"encoder": f"encoder {encoder}", "kind": kind, "test": f"test {test}", "measure": "accuracy",
     "mean": encoder / 4, "low": encoder / 4 - 0.1, "high": encoder / 4 + 0.1, "baseline": 0.5}
    for kind in ("association", "task") for test in range(4) for encoder in range(4)
]  # fmt: skip
POINTS = [
    {"name": f"method {number}", "kind": f"kind {number % 3}", "auc": 0.9 - number / 100,
     "flip_rate": number / 100, "demographic_parity": 1 - number / 50, "chosen": number < 5,
     "changed_rows": 1234.0}
    for number in range(12)
]  # fmt: skip
PICTURES: dict[str, Callable[[], Figure]] = {
    "bias": lambda: bias_score_plot(bias_distribution(SCORES, percentiles=(50, 75, 95))),
    "rates": lambda: group_rate_plot(RATES),
    "changes": lambda: before_after_plot(MEASURES, dict.fromkeys(MEASURES, 0.2)),
    "encoders": lambda: encoder_plot(TESTS),
    "trade-off": lambda: trade_off_plot(POINTS, auc_limit=0.8),
}


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_can_be_read(picture: str) -> None:
    """Whoever prints it on a page sees all of it."""
    figure = PICTURES[picture]()
    texts = list(shown_texts(figure))
    for (one, first), (other, second) in combinations(texts, 2):
        assert not first.overlaps(second), (one, other)
    for text, box in texts:
        assert figure.bbox.containsx(box.x0), text
        assert figure.bbox.containsx(box.x1), text
        assert figure.bbox.containsy(box.y0), text
        assert figure.bbox.containsy(box.y1), text
    width, height = figure.get_size_inches()
    assert 5 < width < 16
    assert 3 < height < 6
    panels = [axes.get_position() for axes in figure.axes]
    assert 0.5 < sum(panel.width * panel.height for panel in panels) < 0.8
