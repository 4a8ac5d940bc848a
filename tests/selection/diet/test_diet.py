"""The diet from start to end, on sentences in which a bias was planted."""

import json
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from numpy.typing import NDArray

from fair_datasets import InputError
from fair_datasets.evaluation.templates import identity_templates
from fair_datasets.selection.diet import DietConfig, ProbeTrainer, healthy_diet
from fair_datasets.selection.diet.report import cell_rows, trade_off_plot, trade_off_points
from fair_datasets.selection.search import OBJECTIVES, Records
from fair_datasets.system import interrupts

CONFIG = DietConfig(
    columns="text", a_values=(0.5,), b_values=(0.0, 0.5), seeds=2, probe_seeds=2,
    probe_epochs=2, max_auc_drop=50,
)  # fmt: skip


# For what needs neither placebos nor several seeds.
PLAIN = DietConfig(
    columns="text", a_values=(0.5,), b_values=(0.5,), seeds=1, probe_seeds=1, probe_epochs=1,
    max_auc_drop=90, placebo_draws=0,
)  # fmt: skip


WIDER = replace(CONFIG, b_values=(0.0, 0.2, 0.5), seeds=1, probe_seeds=1)


class Counting:
    """A trainer that counts how often it trains."""

    def __init__(self) -> None:
        """Count from 0."""
        self.trained = 0

    def __repr__(self) -> str:
        """Write it as any two of them are written: their trials are the same."""
        return "Counting()"

    def __call__(self, dataset: Dataset, seed: int) -> Callable[[Any], NDArray[np.float64]]:
        """Train the linear classifier."""
        self.trained += 1
        return ProbeTrainer(columns=("text",))(dataset, seed)


def test_the_planted_bias_shrinks(splits: DatasetDict, tmp_path: Path) -> None:
    """Training on both halves brings the texts and their counterfactuals closer together."""
    found = healthy_diet(splits, CONFIG, work=tmp_path)
    by_name = {result.name: result.mean["test"] for result in found.results}
    assert found.chosen is not None
    assert found.chosen["b"] == 0.5
    for name in ("CDA", "healthy_random"):
        for measure, objective in OBJECTIVES.items():
            gain = by_name[name][measure] - by_name["vanilla"][measure]
            assert gain > 0 if objective.is_score else gain < 0


@pytest.fixture(scope="module")
def searched(splits: DatasetDict, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Search the cells once, and return the folder of the work with what was found."""
    work = tmp_path_factory.mktemp("searched")
    return work, healthy_diet(splits, WIDER, work=work, trainer=Counting())


@pytest.mark.parametrize("optimise", ["flip_rate_excess", "demographic_parity"])
def test_any_measure_can_be_optimised(
    optimise: str, splits: DatasetDict, searched: tuple[Path, Any], tmp_path: Path
) -> None:
    """The cell is the best by it; all measures are in the table, with the number of rows."""
    finished, before = searched
    work = shutil.copytree(finished, tmp_path / "work")
    trainer = Counting()
    found = healthy_diet(splits, replace(WIDER, optimise=optimise), work=work, trainer=trainer)
    (search,) = found.searches.values()
    assert found.optimise == search.optimise == optimise
    best = max if OBJECTIVES[optimise].is_score else min
    assert found.chosen is not None
    assert found.chosen[optimise] == best(row[optimise] for row in search.table)
    for row in search.table:
        assert (row["changed_rows"], row["rows_by_attribute"]) == (128, 128)
        assert set(OBJECTIVES) < set(row)
    # To choose by another measure nothing is trained again but the cell that it chooses.
    assert search.table == before.searches["healthy_random"].table
    assert trainer.trained == (found.chosen != before.chosen)


@pytest.mark.slow
def test_an_interrupted_search_goes_on(splits: DatasetDict, tmp_path: Path) -> None:
    """What is finished is not trained again; another setting is."""
    first, again, other = Counting(), Counting(), Counting()
    config = replace(PLAIN, b_values=(0.0, 0.5))
    one = healthy_diet(splits, config, work=tmp_path, trainer=first)
    lines = (tmp_path / "trials.jsonl").read_text().splitlines()
    assert first.trained == len(lines) == 4 + 2 + 1
    (tmp_path / "trials.jsonl").write_text("\n".join(lines[:-3]) + "\n")
    two = healthy_diet(splits, config, work=tmp_path, trainer=again)
    assert again.trained == 3
    assert [result.mean for result in two.results] == [result.mean for result in one.results]
    changed = DatasetDict(splits, test=splits["test"].select(range(130)))
    healthy_diet(changed, config, work=tmp_path, trainer=other)
    assert other.trained == first.trained


@pytest.mark.slow
def test_what_a_trial_depends_on_is_not_mixed_up(splits: DatasetDict, tmp_path: Path) -> None:
    """With other probes, pools, swaps or templates every trial is done again."""
    lexicon = tmp_path / "people.tsv"
    lexicon.write_text("man\twoman\nman\twoman\n")
    templates = identity_templates(size=200)
    swapped = {"man": "woman", "woman": "man"}
    other = templates.map(
        lambda row: {"group": swapped[row["group"]] if row["label"] else row["group"]}
    )
    config = replace(PLAIN, axis=str(lexicon))
    usual: dict[str, Any] = {"templates": {"templates": templates}, "pool": splits["test"]}
    probes = {name: ProbeTrainer(columns=("text",), **options)
              for name, options in {"probe": {"epochs": 3}, "trainer": {}}.items()}  # fmt: skip

    def trials_of(work: Path, seed: int = 0, **changes: Any) -> int:
        healthy_diet(splits, replace(config, seed=seed), work=work, **usual | changes)
        return len((work / "trials.jsonl").read_text().splitlines())

    once = trials_of(tmp_path / "once")
    assert once == 5 + 1 + 1
    shutil.rmtree(tmp_path / "once" / "probes")
    changes: list[dict[str, Any]] = [
        {}, {"seed": 1}, probes, {"pool": splits["test"].select(range(100))},
        {"templates": {"templates": other}},
    ]  # fmt: skip
    for number, each in enumerate(changes):
        work = shutil.copytree(tmp_path / "once", tmp_path / str(number))
        assert trials_of(work, **each) == (2 * once if each else once), each
    lexicon.write_text("man\twoman\nman\twoman\nwaiter\twaitress\n")
    assert trials_of(tmp_path / "once") == 2 * once


def test_all_rankings_and_templates(splits: DatasetDict, tmp_path: Path) -> None:
    """Every score can be asked for, and templates are measured beside the other rows."""
    rankings = ("healthy_el2n", "healthy_grand", "healthy_forget")
    config = replace(PLAIN, rankings=rankings, probe_epochs=2)
    templates = {"templates": identity_templates(size=200)}
    found = healthy_diet(splits, config, work=tmp_path, templates=templates)
    assert {"gender_equity", "el2n", "grand", "forgetting"} <= set(found.scored.column_names)
    assert set(found.results[0].mean) == {"validation", "test", "templates"}
    assert [result.name for result in found.results[4:]] == list(config.rankings)


@pytest.mark.slow
def test_texts_of_another_name_and_of_conversations(splits: DatasetDict, tmp_path: Path) -> None:
    """Templates have a column of their own, whatever the texts of the rows are called."""
    templates = {"templates": identity_templates(size=200)}
    talks = splits.map(
        lambda row: {"m": [{"role": "user", "content": row["text"]},
                           {"role": "bot", "content": "He knows."}]},
        remove_columns="text",
    )  # fmt: skip
    given: list[tuple[Any, dict[str, Any]]] = [(splits, {"columns": "text"}),
        (splits.rename_column("text", "review"), {"columns": "review"}),
        (talks, {"columns": "m[].content", "roles": "user"})]  # fmt: skip
    results = [
        [
            (result.name, result.rows, result.mean)
            for result in healthy_diet(
                rows, replace(PLAIN, **named), work=tmp_path / str(k), templates=templates
            ).results
        ]
        for k, (rows, named) in enumerate(given)
    ]
    assert results[0] == results[1] == results[2]


def test_no_cell_qualifies(splits: DatasetDict, tmp_path: Path) -> None:
    """Where every selection costs too much there is a reason and no dataset."""
    found = healthy_diet(splits, replace(PLAIN, max_auc_drop=-90), work=tmp_path)
    assert found.dataset is found.chosen is None
    assert "In none of the 1 cells" in found.searches["healthy_random"].reason


def test_a_cell_of_one_class_is_undefined(splits: DatasetDict, tmp_path: Path) -> None:
    """It cannot be trained on, and does not end the search."""
    chosen = [0, 1, 2, 3, 4, 5, 6, 96]
    config = DietConfig(columns="text", a_values=(0.125, 1.0), b_values=(0.0,), seeds=1,
                        probe_seeds=1, max_auc_drop=90)  # fmt: skip
    rare = DatasetDict(splits, train=splits["train"].select(chosen))
    found = healthy_diet(rare, config, work=tmp_path)
    lost, kept = found.searches["healthy_random"].table
    assert np.isnan(lost["auc"])
    assert not lost["qualifies"]
    assert found.chosen == kept
    row = cell_rows([lost], found.optimise)[0]
    assert row["AUC change %"] == row["flip rate change %"] == "undefined"
    assert np.isnan(row["DP by attribute"])
    points = trade_off_points(found)
    assert len(trade_off_plot(points).axes) == len(OBJECTIVES)


def test_a_pool_adds_the_baseline_of_balancing(splits: DatasetDict, tmp_path: Path) -> None:
    """The group with more positives than the whole gets negatives from the pool."""
    found = healthy_diet(splits, PLAIN, work=tmp_path, pool=splits["validation"])
    rows = {result.name: result.rows for result in found.results}
    assert rows["balancing"] > rows["vanilla"]


def words(splits: DatasetDict, text: str) -> DatasetDict:
    """Replace all texts."""
    return DatasetDict(
        {name: rows.map(lambda row: {"text": text}) for name, rows in splits.items()}
    )


def test_one_share_is_fixed() -> None:
    """And lists are as good as tuples."""
    config = DietConfig(columns="text", a_values=0.5, b_values=[0, 1])
    assert (config.a_values, config.b_values) == ((0.5,), (0.0, 1.0))
    assert config == DietConfig(columns="text", a_values=(0.5,), b_values=(0.0, 1.0))
    assert config.settings()["a_values"] == [0.5]


def test_a_trainer_that_returns_no_probabilities(splits: DatasetDict, tmp_path: Path) -> None:
    """The sentence says what is wanted."""

    def train(dataset: Dataset, seed: int) -> Callable[[Any], Any]:
        return lambda rows: np.array([[0.5, 0.5], [-3.0, 4.0]] * (len(rows) // 2))

    with pytest.raises(InputError, match=r"row 1 is .-3.0, 4.0.; apply softmax"):
        healthy_diet(splits, PLAIN, work=tmp_path, trainer=train)


def test_an_interrupt_waits_until_a_trial_is_written_down(
    splits: DatasetDict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler's exception that somebody swallowed ends the search all the same."""
    trained = []

    def train(dataset: Dataset, seed: int) -> Callable[[Any], NDArray[np.float64]]:
        trained.append(seed)
        monkeypatch.setattr(interrupts._noted, "number", signal.SIGINT)
        return lambda rows: np.tile([0.5, 0.5], (len(rows), 1))

    with pytest.raises(KeyboardInterrupt):
        healthy_diet(splits, PLAIN, work=tmp_path, trainer=train)
    assert len(trained) == 1
    assert len((tmp_path / "trials.jsonl").read_text().splitlines()) == 1


def test_a_damaged_record_is_told(tmp_path: Path) -> None:
    """A line that is no trial is not passed over."""
    path = tmp_path / "trials.jsonl"
    Records(path, {}).add("vanilla, seed 0", {"auc": 1.0})
    assert Records(path, {}).get("vanilla, seed 0") == {"auc": 1.0}
    assert Records(path, {"axis": "race"}).get("vanilla, seed 0") is None
    path.write_text(path.read_text() + json.dumps({"trial": "x"}) + "\n")
    with pytest.raises(InputError, match="line 2 is not a finished trial"):
        Records(path, {})
