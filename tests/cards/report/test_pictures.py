"""Pictures show what the measures returned, undefined values included."""

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from fair_datasets import InputError, load_metric
from fair_datasets.cards.report import before_after_plot, group_rate_plot, save_picture
from fair_datasets.measures import demographic_parity, subgroup_auc
from fair_datasets.measures.group_table import group_rates

GROUPS = {
    "women": {"count": 1200, "selection_rate": 0.25, "true_positive_rate": math.nan},
    "men": {"count": 800, "selection_rate": 0.5, "true_positive_rate": 0.75},
}


def drawn_texts(figure: Figure) -> list[str]:
    """Return the texts that are written inside the panels."""
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_bars_are_the_rates() -> None:
    """Each group has a bar as long as its rate."""
    figure = group_rate_plot(GROUPS, ["selection_rate"])
    (bars,) = [held for held in figure.axes[0].containers if isinstance(held, BarContainer)]
    assert [bar.get_width() for bar in bars] == [0.25, 0.5]
    assert figure.axes[0].get_xlim()[0] == 0
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["women (1,200)", "men (800)"]
    assert figure.get_size_inches().tolist() == pytest.approx([4.3, 2.1])


def test_an_undefined_rate_is_called_so() -> None:
    """A rate that is NaN is not drawn as 0."""
    assert drawn_texts(group_rate_plot(GROUPS)) == ["0.250", "0.500", "undefined", "0.750"]


def test_rates_that_no_group_has_are_left_out() -> None:
    """Demographic parity knows no true positive rate."""
    figure = group_rate_plot({"a": {"selection_rate": 1.0}})
    assert [axes.get_title() for axes in figure.axes] == ["selection rate"]


PREDICTIONS, LABELS = [1, 0, 1, 1], ["a", "a", "b", "b"]
MODULE = load_metric("demographic_parity")
RESULT = MODULE.compute(predictions=PREDICTIONS, groups=LABELS)


@pytest.mark.parametrize(
    "result",
    [
        demographic_parity(PREDICTIONS, LABELS),
        RESULT,
        RESULT["groups"],
        {row["group"]: row for row in RESULT["groups"]},
        group_rates(None, PREDICTIONS, LABELS),
    ],
)
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


@pytest.mark.parametrize("result", [None, 3, "abc", [1, 2], [{"selection_rate": 1}], {"a": 1.0},
                                    {"score": 1.0, "groups": 3}])  # fmt: skip
def test_what_is_no_result(result: Any) -> None:
    """There is a sentence, and no error of Python."""
    with pytest.raises(InputError, match="group_rate_plot: result must be what a measure returned"):
        group_rate_plot(result)


@pytest.mark.parametrize("groups", [{}, {"a": {"other": 1.0}}, []])
def test_nothing_to_draw(groups: Any) -> None:
    """Without any rate there is a sentence in place of an empty picture."""
    with pytest.raises(InputError, match="none of the"):
        group_rate_plot(groups)


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


def test_a_name_with_dollar_signs_is_written_as_it_is(tmp_path: object) -> None:
    """No name is read as a formula."""
    figure = group_rate_plot({r"$\frac{": {"selection_rate": 0.5}, "$": {"selection_rate": 0.5}})
    figure.savefig(f"{tmp_path}/picture.png")


@pytest.mark.parametrize(("before", "after"), [({}, {}), ({"a": 0.1}, {"b": 0.1})])
def test_other_measures(before: dict[str, float], after: dict[str, float]) -> None:
    """Before and after have to be of the same measures."""
    with pytest.raises(InputError, match="must name the same measures"):
        before_after_plot(before, after)


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
    assert f"{datetime.now():%Y-%m-%d}".encode() not in written[0]
