"""The picture of an evaluation of encoders."""

from pathlib import Path
from typing import Any

import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure

from fair_datasets import InputError
from fair_datasets.cards.report import encoder_plot, save_picture


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
    mean("original", "C6", 1.5),
    mean("Sub$95", "C6", 0.5, low=0.25, high=0.75),
    mean("original", "C7", -0.5),
    mean("Sub$95", "C7", None),
    mean("original", "mood", 0.75, kind="task", baseline=0.5),
]


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
    segments = [
        segment.tolist()
        for panel in figure.axes
        for each in panel.collections
        if not isinstance(each, PathCollection)
        for segment in each.get_segments()
    ]
    assert [[x for x, _ in segment] for segment in segments] == [[0.25, 0.75], [0.5, 0.5]]


def test_many_encoders_differ_without_colours_and_the_picture_stays_the_same(
    tmp_path: Path,
) -> None:
    """Twelve have a marker each, and four stand in a line; the same rows give the same bytes."""
    rows = [mean(f"encoder {number}", "C6", number / 10) for number in range(12)]
    figure = encoder_plot(rows)
    shapes = {
        each.get_paths()[0].vertices.tobytes()
        for each in figure.axes[0].collections
        if isinstance(each, PathCollection)
    }
    assert len(shapes) == 12
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert len({round(text.get_window_extent().x0) for text in legend.get_texts()}) == 4
    for name in ("one.svg", "two.svg"):
        save_picture(encoder_plot(rows), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ([], "result must be what evaluate_encoders returned, or its means, but it is a list"),
        (7, "but it is a int"),
        ([{"encoder": "a"}], "but it is a list"),
        ([mean("a", "C6", None)], "no test has a value"),
    ],
)
def test_what_cannot_be_drawn_is_told(result: Any, sentence: str) -> None:
    """In one sentence."""
    with pytest.raises(InputError, match=sentence):
        encoder_plot(result)
