"""Pictures show what the measures returned, undefined values included."""

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from fair_datasets import load_metric
from fair_datasets.cards.report import (
    before_after_plot,
    bias_score_plot,
    encoder_plot,
    group_rate_plot,
    save_picture,
)
from fair_datasets.measures import bias_distribution, demographic_parity, subgroup_auc
from fair_datasets.measures.group_table import group_rates

GROUPS = {"women": {"count": 1200, "selection_rate": 0.25, "true_positive_rate": math.nan},
    "men": {"count": 800, "selection_rate": 0.5, "true_positive_rate": 0.75}}  # fmt: skip


def drawn_texts(figure: Figure) -> list[str]:
    """Return the texts that are written inside the panels."""
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_bars_are_the_rates() -> None:
    """Each group has a bar as long as its rate."""
    figure = group_rate_plot(GROUPS, ["selection_rate"])
    (bars,) = [held for held in figure.axes[0].containers if isinstance(held, BarContainer)]
    assert [bar.get_width() for bar in bars] == [0.25, 0.5]
    assert figure.axes[0].get_xlim() == (0, 1.25)
    assert figure.axes[0].get_xticks().tolist() == [0, 0.5, 1]
    assert [text.xyann for text in figure.axes[0].texts] == [(3, 0)] * 2  # type: ignore[attr-defined]
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["women (1,200)", "men (800)"]
    assert figure.get_size_inches().tolist() == pytest.approx([4.3, 2.1])


def test_an_undefined_rate_is_called_so() -> None:
    """A rate that is NaN is not drawn as 0."""
    assert drawn_texts(group_rate_plot(GROUPS)) == ["0.250", "0.500", "undefined", "0.750"]


PREDICTIONS, LABELS = [1, 0, 1, 1], ["a", "a", "b", "b"]
MODULE = load_metric("demographic_parity")
RESULT = MODULE.compute(predictions=PREDICTIONS, groups=LABELS)


@pytest.mark.parametrize("result", [
    demographic_parity(PREDICTIONS, LABELS),
    RESULT,
    RESULT["groups"],
    {row["group"]: row for row in RESULT["groups"]},
    group_rates(None, PREDICTIONS, LABELS),
])  # fmt: skip
def test_what_a_measure_returned_is_drawn(result: Any) -> None:
    """The function's result, the module's, and their groups."""
    figure = group_rate_plot(result)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["a (2)", "b (2)"]
    assert drawn_texts(figure) == ["0.500", "1.000"]


def test_other_values_of_groups() -> None:
    """Such as subgroup AUCs, and the terms of a sum."""
    found = subgroup_auc([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], LABELS)
    assert drawn_texts(group_rate_plot(found, ["subgroup_auc"])) == ["1.000", "1.000"]
    columns = {"predictions": [1, 0, 1, 0], "references": [0, 1] * 2, "groups": LABELS}
    result = load_metric("error_rate_equality").compute(**columns)
    assert drawn_texts(group_rate_plot(result, ["false_positive_term"])) == ["0.000", "0.000"]


def test_a_group_may_be_called_groups() -> None:
    """Its rates are no list of groups."""
    figure = group_rate_plot({"groups": {"selection_rate": 0.5}})
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["groups"]


def test_dots_are_the_values() -> None:
    """The dots stand at the values, in the order that was given."""
    figure = before_after_plot({"b": 0.4, "a": 0.2}, {"a": 0.1, "b": 0.3}, label="difference")
    (axes,) = figure.axes
    before, after = (held.get_offsets() for held in axes.collections[1:])
    assert before[:, 0].tolist() == [0.4, 0.2]
    assert after[:, 0].tolist() == [0.3, 0.1]
    assert axes.get_xlabel() == "difference"
    assert axes.get_ylim() == (1.5, -0.5)
    assert figure.get_size_inches().tolist() == pytest.approx([6, 2.3])


def test_a_measure_without_value_is_called_undefined() -> None:
    """A NaN has no place on the axis."""
    figure = before_after_plot({"a": math.nan}, {"a": 0.5})
    assert drawn_texts(figure) == ["undefined"]
    assert figure.axes[0].texts[0].get_position() == (0.01, 0)


def test_a_name_with_dollar_signs_is_written_as_it_is(tmp_path: object) -> None:
    """No name is read as a formula."""
    figure = group_rate_plot({r"$\frac{": {"selection_rate": 0.5}, "$": {"selection_rate": 0.5}})
    figure.savefig(f"{tmp_path}/picture.png")


def test_rates_are_drawn_as_measures_return_them() -> None:
    """With references three panels, without them one."""
    groups = group_rates([1, 0, 1, 0], [1, 0, 1, 0], ["a", "a", "b", "b"])
    assert len(group_rate_plot(groups).axes) == 3
    (panel,) = group_rate_plot(group_rates(None, [1, 0, 1], ["a", "a", "b"])).axes
    assert panel.get_title() == "selection rate"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_picture_is_the_same_file(ending: str, tmp_path: Path) -> None:
    """Byte for byte: no date, and no names that are drawn anew."""
    written = []
    for number in range(2):
        path = tmp_path / f"{number}.{ending}"
        save_picture(group_rate_plot(GROUPS), path)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    if ending == "png":  # Its width, in dots, is told behind its signature.
        assert int.from_bytes(written[0][16:20]) == round(150 * 7.1)
    assert f"{datetime.now():%Y-%m-%d}".encode() not in written[0]


SCORES = [0.0, 0.1, 0.1, 0.3, 0.5]


def test_what_is_drawn(tmp_path: Path) -> None:
    """The bins, each percentile, and the share above the threshold."""
    found = bias_distribution(SCORES, threshold=0.2, percentiles=(50, 97.5), bins=2)
    figure = bias_score_plot(found)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["50%", "97.5%"]
    assert [(*text.get_position(), text.get_rotation()) for text in axes.texts] == [
        (pytest.approx(0.1), 1.01, 60), (pytest.approx(0.48), 1.01, 60)
    ]  # fmt: skip
    assert axes.get_xlim()[0] == 0
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


def mean(encoder: str, test: str, value: float | None, **more: Any) -> dict[str, Any]:
    """Return a row of an evaluation's means."""
    kind = more.pop("kind", "association")
    beside = {"low": None, "high": None, "baseline": None, **more}
    return {"encoder": encoder, "kind": kind, "test": test, "measure": "m", "mean": value, **beside}


def dots(figure: Figure, panel: int) -> list[tuple[float, float]]:
    """Return where the dots of a panel are."""
    found = (each for each in figure.axes[panel].collections if isinstance(each, PathCollection))
    return [tuple(place) for each in found for place in each.get_offsets().tolist()]


ROWS = [
    mean("original", "C6", 1.5), mean("Sub$95", "C6", 0.5, low=0.25, high=0.75),
    mean("original", "C7", -0.5), mean("Sub$95", "C7", None),
    mean("original", "mood", 0.75, kind="task", baseline=0.5),
]  # fmt: skip


def test_each_value_is_a_dot_beside_the_other_encoders() -> None:
    """Of one test on neighbouring heights; what has no value is left out."""
    figure = encoder_plot(ROWS)
    assert [axes.get_xlabel() for axes in figure.axes] == [
        "effect size (0: no association)", "test rows (higher is better)"
    ]  # fmt: skip
    places = dots(figure, 0)
    assert sorted(x for x, _ in places) == [-0.5, 0.5, 1.5]
    heights = dict(places)
    assert round(heights[1.5]) == round(heights[0.5]) == 0 != heights[1.5] - heights[0.5]
    assert round(heights[-0.5]) == 1
    assert [x for x, _ in dots(figure, 1)] == [0.75]
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == ["C6", "C7"]
    (bar,) = (bar for bar in figure.axes[1].collections if isinstance(bar, LineCollection))
    assert bar.get_segments()[0].tolist() == [[0.5, -0.45], [0.5, 0.45]]
    assert bar.get_linewidth() == figure.axes[1].lines[-1].get_linewidth() == 3
    assert {each.get_zorder() for panel in figure.axes for each in panel.collections} == {1, 2}
    assert figure.get_size_inches().tolist() == pytest.approx([12, 2.64])
    assert figure.axes[1].get_yticklabels()[0].get_text() == "mood, m"


def test_encoders_share_the_height_of_a_line() -> None:
    """Evenly around its middle, each with its interval; a rule stands between two lines."""
    rows = [
        mean(f"encoder {k}", test, k / 10, low=k / 10 - 0.1, high=k / 10 + 0.1)
        for k in range(3) for test in ("C6", "C7")
    ]  # fmt: skip
    figure = encoder_plot(rows)
    (axes,) = figure.axes
    places = [k / 10 for k in range(3) for _ in range(2)]
    heights = [line + 0.7 / 3 * (k - 1) for k in range(3) for line in range(2)]
    shown = [each for each in axes.collections if isinstance(each, PathCollection)]
    assert len({tuple(each.get_facecolor()[0]) for each in shown}) == 3  # type: ignore[index]
    assert dots(figure, 0) == [pytest.approx(each) for each in zip(places, heights, strict=True)]
    intervals = [bar for bar in axes.collections if isinstance(bar, LineCollection)]
    for bar, place, height in zip(intervals, places, heights, strict=True):
        (segment,) = bar.get_segments()
        assert segment[0] == pytest.approx([place - 0.1, height])
        assert segment[1] == pytest.approx([place + 0.1, height])
    rules = [line.get_ydata() for line in axes.lines if line.get_xdata() == [0, 1]]
    assert rules == [[0.5, 0.5]]
    assert axes.get_ylim() == (1.5, -0.5)


def test_intervals_and_baselines_are_drawn_and_told() -> None:
    """The legend names encoders and baseline; a dollar sign starts no formula."""
    figure = encoder_plot(ROWS)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "original", r"Sub\$95", "baseline"
    ]  # fmt: skip
    segments = [segment.tolist() for panel in figure.axes
        for each in panel.collections if not isinstance(each, PathCollection)
        for segment in each.get_segments()]  # fmt: skip
    assert [[x for x, _ in segment] for segment in segments] == [[0.25, 0.75], [0.5, 0.5]]


def test_many_encoders_differ_without_colours_and_the_picture_stays_the_same(
    tmp_path: Path,
) -> None:
    """Twelve have a marker each, and four stand in a line; the same rows give the same bytes."""
    rows = [mean(f"encoder {number}", "C6", number / 10) for number in range(12)]
    figure = encoder_plot(rows)
    shapes = {each.get_paths()[0].vertices.tobytes()
        for each in figure.axes[0].collections if isinstance(each, PathCollection)}  # fmt: skip
    assert len(shapes) == 12
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert len({round(text.get_window_extent().x0) for text in legend.get_texts()}) == 4
    for name in ("one.svg", "two.svg"):
        save_picture(encoder_plot(rows), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
