"""What the figures of a diet come to, in words."""

import math
from itertools import combinations, pairwise
from typing import Any

import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from fair_datasets.selection.diet import DietResult
from fair_datasets.selection.diet.diet import Result
from fair_datasets.selection.diet.report import spread, trade_off_plot, verdict
from fair_datasets.selection.rankings import rankings
from fair_datasets.selection.search import OBJECTIVES, TradeOff
from tests.cards.report.shown import shown_texts

NOTHING = Dataset.from_dict({})


def result(name: str, auc: float, fair: float, rows: int = 100, spread: float = 0.0) -> Result:
    """Return what trials of a method may have given on the test rows."""
    mean = {"auc": auc, "flip_rate": fair, "demographic_parity": fair}
    kind = name if name == "healthy_random" else "baseline"
    return Result(name, rows, 1.0, {"test": mean}, {"test": dict.fromkeys(mean, spread)}, kind)


def told(*results: Result, optimise: str = "flip_rate") -> str:
    """Return the verdict on some results."""
    search = TradeOff(table=(), chosen={"a": 0.5, "b": 0.5}, optimise=optimise, auc_limit=0.8)
    found = DietResult(NOTHING, "healthy_random", search.chosen, {"healthy_random": search},
                       results, NOTHING, optimise)  # fmt: skip
    return verdict(found)


CHOSEN = result("healthy_random", 0.9, 0.05)


@pytest.mark.parametrize(
    ("cda", "sentence"),
    [
        (
            (0.95, 0.01),
            "On the test rows, plain CDA is better than the chosen rows in both: AUC (chosen "
            "0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0100). Use plain CDA, unless "
            "100 training rows in place of 200 are worth that.",
        ),
        (
            (0.95, 0.05),
            "On the test rows, plain CDA is better than the chosen rows in one, as good in the "
            "other: AUC (chosen 0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0500, "
            "within the deviation over the seeds).",
        ),
        (
            (0.85, 0.06),
            "On the test rows, the chosen rows are better than plain CDA in both: AUC (chosen "
            "0.9000, CDA 0.8500) and flip rate (chosen 0.0500, CDA 0.0600), with 100 training rows "
            "in place of 200.",
        ),
        (
            (0.95, 0.06),
            "On the test rows, the chosen rows are better than plain CDA in flip rate (chosen "
            "0.0500, CDA 0.0600), and worse in AUC (chosen 0.9000, CDA 0.9500), with 100",
        ),
        ((0.90001, 0.05), "On the test rows, the chosen rows are as good as plain CDA, with 100"),
        ((math.nan, 0.05), "cannot be compared: AUC (undefined) and flip rate (chosen 0.0500, CDA"),
    ],
)
def test_the_choice_beside_plain_cda(cda: tuple[float, float], sentence: str) -> None:
    """It is said plainly which is better, in what, by how much and with how many rows."""
    assert sentence in told(result("CDA", *cda, rows=200), CHOSEN)


def test_the_larger_deviation_counts() -> None:
    """Of the two that are compared; a difference of just as much is within it."""
    cda = result("CDA", 0.95, 0.05, rows=200, spread=0.25)
    assert "AUC (chosen 0.9000, CDA 0.9500, within the deviation" in told(cda, CHOSEN)
    chosen = result("healthy_random", 0.75, 0.05, spread=0.25)
    assert "AUC (chosen 0.7500, CDA 0.5000, within the" in told(result("CDA", 0.5, 0.05), chosen)


def test_higher_is_fairer_for_a_score() -> None:
    """The same figures mean the other thing for demographic parity."""
    cda = result("CDA", 0.95, 0.01, rows=200)
    assert "better than plain CDA in DP (" in told(cda, CHOSEN, optimise="demographic_parity")


def test_what_the_seeds_alone_would_make_is_called_so() -> None:
    """A small difference is no ground to call one fairer."""
    cda = result("CDA", 0.95, 0.049, rows=200, spread=0.01)
    assert ("AUC (chosen 0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0490, within the "
        "deviation over the seeds)") in told(cda, CHOSEN)  # fmt: skip
    one_seed = result("CDA", 0.95, 0.049, rows=200, spread=math.nan)
    assert "within" not in told(one_seed, CHOSEN)


def test_every_baseline_that_is_better_in_both_is_named() -> None:
    """Not only CDA; what is better in one alone is not."""
    results: list[Any] = [
        result("vanilla", 0.95, 0.2), result("CDA", 0.85, 0.01), result("CDS", 0.91, 0.04),
        result("blindness", 0.92, 0.03), CHOSEN,
    ]  # fmt: skip
    assert told(*results).endswith("Better in both than the chosen rows: CDS, blindness.")
    assert "Better in both than" not in told(*results[:2], CHOSEN)


def test_without_a_choice_the_reason_is_told() -> None:
    """Once, where all rankings have the same."""
    search = TradeOff(table=(), chosen=None, optimise="flip_rate", auc_limit=0.8, reason="In none.")
    searches = {"random": search, "healthy_random": search}
    found = DietResult(None, "", None, searches, [], NOTHING, "flip_rate")
    assert verdict(found) == "In none."


def drawn_texts(figure: Figure) -> list[str]:
    """Return the names that are written beside the panels."""
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def point(name: str, kind: str, place: float, **more: Any) -> dict[str, Any]:
    """Return a method of which all measures are the same."""
    return {"name": name, "kind": kind, "auc": place, **dict.fromkeys(OBJECTIVES, place), **more}


def crowd(width: float) -> list[dict[str, Any]]:
    """Return the baselines, and the chosen cell of every ranking among others."""
    baselines = ("vanilla", "CDA", "CDS", "blindness", "balancing")
    points = [
        point(name, "baseline", 0.9 + width * place / 5) for place, name in enumerate(baselines)
    ]
    for number, ranking in enumerate(rankings()):
        for cell in range(3):
            name = f"{ranking}, a=0.{cell}, b=0.5"
            place = 0.9 + width * (number * 7 % 15) / 15
            points.append(point(name, ranking, place, chosen=cell == 1, changed_rows=1234))
    return points


@pytest.mark.slow
@pytest.mark.parametrize(("width", "measures"), [(0.0, list(OBJECTIVES)[:3]), (1e-6, ["flip_rate"]),
    (0.05, ["flip_rate"]), (math.nan, ["flip_rate"])])  # fmt: skip
def test_no_text_covers_another(width: float, measures: list[str]) -> None:
    """However many methods are named, and also where all lie on one spot or have no value."""
    points = crowd(width)
    figure = trade_off_plot(points, measures, auc_limit=0.88)
    places = list(shown_texts(figure))
    assert len(drawn_texts(figure)) == len(figure.axes) * (5 + len(rankings()))
    for (one, first), (other, second) in combinations(places, 2):
        assert not first.overlaps(second), (one, other)
    edge = figure.bbox
    assert all(edge.x0 <= box.x0 and box.x1 <= edge.x1 for _, box in places)
    assert all(edge.y0 <= box.y0 and box.y1 <= edge.y1 for _, box in places)


def test_a_long_name_leaves_room_for_the_panel() -> None:
    """It is cut, and written in one line."""
    long = point("a name\nof " + 50 * "many words ", "baseline", 0.9)
    figure = trade_off_plot([long, point("CDA", "baseline", 0.9)])
    boxes = [box for _, box in shown_texts(figure)]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert drawn_texts(figure)[0] == "a name of many words many words many words …"
    assert all(axes.get_position().width > 0.2 for axes in figure.axes)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_heights_are_moved_apart(heights: list[float]) -> None:
    """Each keeps its place in the order, and all stay in the panel."""
    heights.sort(reverse=True)
    gap = 1 / 20
    found = spread(heights, gap)
    assert all(one - other >= gap - 1e-9 for one, other in pairwise(found))
    assert min(found) >= 0
    assert max(found) <= 1 + 1e-9
    apart = [number / 4 for number in reversed(range(4))]
    assert spread(apart, gap) == apart


@pytest.mark.parametrize(("auc_limit", "is_drawn"),
    [(0.75, True), (0.85, True), (0.95, True), (0.1, False), (1.1, False)])  # fmt: skip
def test_the_limit_of_the_auc_is_drawn(auc_limit: float, is_drawn: bool) -> None:
    """As a line in every panel; far from all dots it would press them together."""
    points = [point("CDA", "baseline", 0.9), point("vanilla", "baseline", 0.8)]
    figure = trade_off_plot(points, auc_limit=auc_limit)
    for axes in figure.axes:
        (line,) = (line for line in axes.lines if "limit" in str(line.get_label()))
        assert list(line.get_xdata()) == [auc_limit, auc_limit]  # type: ignore[arg-type]
        left, right = axes.get_xlim()
        assert (left <= auc_limit <= right) == is_drawn
        assert right - left < 0.5
    (legend,) = figure.legends
    assert f"AUC limit ({auc_limit:.4f})" in [text.get_text() for text in legend.get_texts()]


def test_a_line_of_the_legend_makes_the_picture_higher() -> None:
    """It names the frontier, the limit and the kinds, three a line; panels keep their height."""

    def height(kinds: int) -> float:
        points = [point("a", f"kind {number}", 0.9) for number in range(kinds)]
        return float(trade_off_plot(points, ["flip_rate"], auc_limit=0.9).get_size_inches()[1])

    one, *more = (height(kinds) for kinds in (1, 2, 4, 5))
    assert [each - one for each in more] == pytest.approx([0.3, 0.3, 0.6])


def test_kinds_of_one_colour_have_other_marks() -> None:
    """There are more rankings than colours that everybody can tell apart."""
    (axes,) = trade_off_plot(crowd(0.05), ["flip_rate"]).axes
    handles, _ = axes.get_legend_handles_labels()
    looks = set()
    for dots in handles[1:]:
        (path,), (colour,) = dots.get_paths(), dots.get_facecolor()  # type: ignore[attr-defined]
        looks.add((path.vertices.tobytes(), tuple(colour)))
    assert len(looks) == len(handles) - 1 == 1 + len(rankings())


def test_the_trade_off_names_baselines_and_chosen_cells() -> None:
    """Cells that were not chosen are dots without a name."""
    place = {"auc": 0.9, "flip_rate": 0.2}
    points = [{"name": "CDA", "kind": "baseline", **place},
        {"name": "a=0.3", "kind": "healthy_random", **place},
        {"name": "a=0.5", "kind": "healthy_random", "chosen": True, **place}]  # fmt: skip
    figure = trade_off_plot(points)
    assert figure.get_size_inches().tolist() == pytest.approx([7.5, 5.1])
    assert [dots.get_sizes().tolist() for dots in figure.axes[0].collections[:4:2]] == [[60], [14]]
    assert drawn_texts(figure) == ["CDA", "a=0.5"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "frontier", "baseline", "healthy random",
    ]  # fmt: skip


def test_each_measure_of_fairness_has_a_panel_with_the_fairer_end_on_top() -> None:
    """And a frontier of its own: what parity hides, flips show."""
    points = [
        {"name": "fair", "kind": "baseline", "auc": 0.8, "flip_rate": 0.1,
         "demographic_parity": 0.98, "changed_rows": 1234.0},
        {"name": "cancelling", "kind": "baseline", "auc": 0.8, "flip_rate": 0.3,
         "demographic_parity": 0.99},
        {"name": "undefined", "kind": "random", "auc": 0.9, "flip_rate": math.nan,
         "demographic_parity": math.nan},
    ]  # fmt: skip
    figure = trade_off_plot(points, ["demographic_parity", "flip_rate"])
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "demographic parity over all rows (1 is parity)",
        "flip rate over changed rows (0: none flips)",
    ]
    assert [axes.yaxis_inverted() for axes in figure.axes] == [False, True]
    assert [axes.get_title() for axes in figure.axes] == ["", "changed rows: 1,234"]
    assert [axes.lines[0].get_ydata().tolist() for axes in figure.axes] == [[0.99], [0.1]]  # type: ignore[union-attr]
    assert len(trade_off_plot(points).axes) == 2
