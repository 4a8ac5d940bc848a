"""The search for a trade-off."""

import math
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.selection.search import OBJECTIVES, grid_search, pareto_frontier
from fair_datasets.system import interrupts

BASELINE = {"auc": 0.9, "demographic_parity": 0.8, "flip_rate": 0.2}


def search(metrics: dict[float, dict[str, float]], **options: Any) -> Any:
    """Search cells that are told apart by a alone, by the paper's measure unless told otherwise."""
    return grid_search(
        lambda a, b: {**BASELINE, "rows": 10, **metrics[a]},
        options.pop("baseline", BASELINE),
        a_values=list(metrics),
        b_values=(0.5,),
        **{"optimise": "demographic_parity", **options},
    )


def test_the_default_grid_is_that_of_the_paper() -> None:
    """18 cells, at most half of all rows."""
    found = grid_search(lambda a, b: {**BASELINE, "rows": a + b}, BASELINE)
    assert [(row["a"], row["b"]) for row in found.table] == [
        (a, b) for a in (0.3, 0.4, 0.5) for b in (0, 0.1, 0.2, 0.3, 0.4, 0.5)
    ]


def test_the_fairest_cell_within_the_limit_is_chosen() -> None:
    """A fairer cell with too low an AUC is not; the changes are in per cent of the baseline."""
    found = search({0.1: {"auc": 0.86, "demographic_parity": 0.99},
        0.2: {"auc": 0.88, "demographic_parity": 0.9},
        0.3: {"auc": 0.9, "demographic_parity": 0.85}})  # fmt: skip
    assert found.chosen["a"] == 0.2
    assert found.chosen["demographic_parity_change"] == pytest.approx(12.5)
    assert [row["qualifies"] for row in found.table] == [False, True, True]
    assert found.to_dataset()["auc_change"][0] == pytest.approx(-4.444444)


def test_what_is_optimised_chooses() -> None:
    """Flips that cancel look like parity; the table tells all measures whichever one chooses."""
    cells = {
        # Flips in both directions, as other words have them too, and parity nearly everywhere.
        0.1: {"demographic_parity": 0.999, "demographic_parity_changed": 0.99,
              "demographic_parity_by_attribute": 0.7, "flip_rate": 0.33,
              "flip_rate_excess": -0.02},
        # Few flips, all in one direction.
        0.2: {"demographic_parity": 0.99, "demographic_parity_changed": 0.9,
              "demographic_parity_by_attribute": 0.88, "flip_rate": 0.1,
              "flip_rate_excess": 0.08},
        # Flips of both directions for each attribute; that placebos flip more is no gain.
        0.3: {"demographic_parity": 0.995, "demographic_parity_changed": 0.95,
              "demographic_parity_by_attribute": 0.98, "flip_rate": 0.3,
              "flip_rate_excess": -0.04},
    }  # fmt: skip
    baseline = {"auc": 0.9, "demographic_parity": 0.95, "demographic_parity_changed": 0.5,
                "demographic_parity_by_attribute": 0.5, "flip_rate": 0.5,
                "flip_rate_excess": -0.1}  # fmt: skip
    chosen = {
        name: search(cells, baseline=baseline, optimise=name).chosen["a"] for name in OBJECTIVES
    }
    assert chosen == {"flip_rate": 0.2, "flip_rate_excess": 0.1,
        "demographic_parity_by_attribute": 0.3, "demographic_parity_changed": 0.1,
        "demographic_parity": 0.1}  # fmt: skip
    found = grid_search(
        lambda a, b: {"auc": 0.9, "rows": 10, **cells[a]}, baseline,
        a_values=list(cells), b_values=(0.5,),
    )  # fmt: skip
    assert (found.optimise, found.chosen["a"]) == ("flip_rate", 0.2)  # type: ignore[index]
    assert found.table[1]["flip_rate_change"] == pytest.approx(-80)
    assert math.isnan(found.table[1]["flip_rate_excess_change"])  # Of less than nothing.
    assert found.table[1]["demographic_parity_by_attribute_change"] == pytest.approx(76)


def test_a_baseline_without_flips_has_no_change_in_per_cent() -> None:
    """There is nothing to be in per cent of; the cells are compared all the same."""
    found = search(
        {0.1: {"flip_rate": 0.1}, 0.2: {"flip_rate": 0.0}},
        baseline={**BASELINE, "flip_rate": 0.0}, optimise="flip_rate",
    )  # fmt: skip
    assert found.chosen["a"] == 0.2
    assert math.isnan(found.table[0]["flip_rate_change"])


@pytest.mark.parametrize("better", [{"demographic_parity": 0.91}, {"auc": 0.91}, {"rows": 9}])
def test_ties_go_to_the_higher_auc_then_to_fewer_rows(better: dict[str, float]) -> None:
    """And cells that are equal in all go to the first."""
    same = {"demographic_parity": 0.9}
    assert search({0.1: same, 0.2: same | better}).chosen["a"] == 0.2
    assert search({0.1: same | better, 0.2: same}).chosen["a"] == 0.1
    assert search({0.1: same, 0.2: same}).chosen["a"] == 0.1


def test_the_limit_itself_is_within_the_limit() -> None:
    """0.97 is 3 per cent below 1, though not in binary fractions."""
    baseline = {**BASELINE, "auc": 1.0}
    found = search({0.1: {"auc": 0.97}}, baseline=baseline)
    assert found.chosen
    assert found.auc_limit == pytest.approx(0.97)
    assert not search({0.1: {"auc": 0.9699}}, baseline=baseline).chosen


@pytest.mark.parametrize("undefined", ["auc", "demographic_parity"])
def test_without_a_cell_the_reason_is_told(undefined: str) -> None:
    """Also where a metric is not defined."""
    found = search({0.1: {"auc": 0.5}, 0.2: {undefined: float("nan")}})
    assert found.chosen is None
    assert "none of the 2 cells" in found.reason
    assert "3 %" in found.reason


@given(
    st.dictionaries(
        st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5]),
        st.fixed_dictionaries({
            "auc": st.floats(0.5, 1), "demographic_parity": st.floats(0.1, 1),
            "rows": st.integers(1, 9),
        }),
        min_size=1,
    )
)  # fmt: skip
@settings(deadline=None)
def test_no_qualified_cell_is_fairer_than_the_chosen(cells: dict[float, dict[str, float]]) -> None:
    """By definition."""
    found = search(cells)
    qualified = [row for row in found.table if row["qualifies"]]
    assert (found.chosen is None) == (not qualified)
    for row in qualified:
        assert row["demographic_parity"] <= found.chosen["demographic_parity"] + 1e-12


def test_rounding_errors_do_not_choose() -> None:
    """Of means that are equal but for their last digit, the AUC decides."""
    found = search({0.1: {"auc": 0.8, "demographic_parity": 0.1 + 0.2},
        0.2: {"auc": 0.85, "demographic_parity": 0.3}},
        baseline={"auc": 0.8, "demographic_parity": 0.3})  # fmt: skip
    assert found.chosen["auc"] == 0.85


def test_finished_cells_are_not_evaluated_again(tmp_path: Path) -> None:
    """An interrupted search goes on; other settings begin anew in the same file."""
    done, asked = tmp_path / "runs" / "cells.jsonl", []

    def evaluate(a: float, b: float) -> dict[str, float]:
        asked.append((a, b))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return {"auc": np.float32(0.9), "flip_rate": 0.2 - a * b, "rows": np.int64(5)}

    def run(settings: dict[str, Any]) -> Any:
        grid = {"a_values": (0.1, 0.2), "b_values": (0.1, 0.2)}
        return grid_search(evaluate, BASELINE, done=done, settings=settings, **grid)

    with pytest.raises(KeyboardInterrupt):
        run({"ranking": "random", "seeds": (1, 2)})
    first = run({"ranking": "random", "seeds": (1, 2)})
    assert asked == [(0.1, 0.1), (0.1, 0.2), (0.2, 0.1), (0.2, 0.1), (0.2, 0.2)]
    assert run({"ranking": "random", "seeds": [1, 2]}) == first
    assert len(asked) == 5
    run({"ranking": "healthy_random", "seeds": (1, 2)})
    assert len(asked) == 9
    assert [path.name for path in done.parent.iterdir()] == ["cells.jsonl"]


def test_a_finished_cell_without_the_measure_is_evaluated_again(tmp_path: Path) -> None:
    """Another measure can be optimised on the same file, where it was measured."""
    done, asked = tmp_path / "cells.jsonl", []

    def run(metrics: dict[str, float], optimise: str) -> None:
        def evaluate(a: float, b: float) -> dict[str, float]:
            asked.append(optimise)
            return {"auc": 0.9, "rows": 5, **metrics}

        grid_search(evaluate, {**BASELINE, "demographic_parity_changed": 0.5}, a_values=(0.5,),
                    b_values=(0.5,), optimise=optimise, done=done)  # fmt: skip

    run({"demographic_parity": 0.9}, "demographic_parity")
    both = {"flip_rate": 0.1, "demographic_parity_changed": 0.9}
    for name in ("demographic_parity", "flip_rate", "demographic_parity_changed"):
        run(both, name)
    assert asked == ["demographic_parity", "flip_rate"]


def test_a_file_with_something_else_is_refused(tmp_path: Path) -> None:
    """It is not overwritten."""
    done = tmp_path / "notes.txt"
    done.write_text("Bread and cheese.\n")
    with pytest.raises(InputError, match=r"notes.txt, line 1 is not a finished cell"):
        search({0.1: {}}, done=done)
    assert done.read_text() == "Bread and cheese.\n"
    with pytest.raises(InputError, match="is not a file of finished cells"):
        search({0.1: {}}, done=tmp_path)


def test_the_cell_that_selects_nothing_is_left_out() -> None:
    """With a = b = 0 there is nothing to train on."""
    options = {"a_values": (0, 0.5), "b_values": (0, 0.5)}
    found = grid_search(lambda a, b: {**BASELINE, "rows": 1}, BASELINE, **options)  # type: ignore[arg-type]
    assert [(row["a"], row["b"]) for row in found.table] == [(0, 0.5), (0.5, 0), (0.5, 0.5)]


def test_an_interrupt_that_was_lost_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for between two cells."""
    asked = []

    def evaluate(a: float, b: float) -> dict[str, float]:
        asked.append((a, b))
        # What a destructor does to the exception of a handler.
        monkeypatch.setattr(interrupts._noted, "number", signal.SIGINT)
        return {**BASELINE, "rows": 1}

    with pytest.raises(KeyboardInterrupt):
        grid_search(evaluate, BASELINE)
    assert len(asked) == 1


POINTS = st.lists(
    st.fixed_dictionaries(
        {
            name: st.sampled_from([0.1, 0.2, 0.3, float("nan")])
            for name in ("auc", "demographic_parity")
        }
    ),
    max_size=12,
)


@given(POINTS)
@settings(deadline=None)
def test_the_frontier_is_what_no_point_beats(points: list[dict[str, float]]) -> None:
    """Along it fairness falls as the AUC rises, and every other point is beaten by one on it."""
    frontier = pareto_frontier(points, "demographic_parity")
    mirrored = [{**point, "flip_rate": 1 - point["demographic_parity"]} for point in points]
    by_flips = pareto_frontier(mirrored)
    assert [mirrored.index(point) for point in by_flips] == list(map(points.index, frontier))
    pairs = [(point["auc"], point["demographic_parity"]) for point in frontier]
    rising = sorted(set(pairs))
    assert pairs == sorted(pairs, key=lambda pair: pair[0])
    assert [fairness for _, fairness in rising] == sorted((f for _, f in rising), reverse=True)
    for point in points:
        auc, fairness = point["auc"], point["demographic_parity"]
        if auc == auc and fairness == fairness:
            assert any(auc <= other[0] and fairness <= other[1] for other in pairs)
