"""Tests of the tables of the healthy data diet, with the trainings left out."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from datasets import Dataset

from hub_scripts.papers import healthy_data_diet, paper_named
from hub_scripts.papers.frame import Work


def work_of(table: str, out: Path, **options: Any) -> Work:
    """Return the work on a table."""
    return Work(paper=paper_named("healthy-data-diet"), table=table, out=out, **options)


def test_the_trials_of_a_diet_are_read_by_seed(tmp_path: Path) -> None:
    """Of the methods and the chosen cells; a change is in per cent of the biased model's."""
    found = {"demographic_parity": 2.0, "equalized_odds": 4.0, "equal_opportunity_1": 8.0,
             "auc": 0.5}  # fmt: skip
    cell = "healthy_random, a=0.3, b=0.1"
    trials = [("report: vanilla, seed 0", 1.0), ("report: vanilla, seed 1", 2.0),
              (f"report: {cell}, seed 0", 1.5), (f"report: {cell}, seed 1", 1.0),
              (f"{cell}, seed 0", 7.0), ("report: random, a=0.3, b=0.1, seed 0", 7.0)]  # fmt: skip
    lines = [{"trial": trial, "measured": {"iptts": {k: v * times for k, v in found.items()}}}
             for trial, times in trials]  # fmt: skip
    work = work_of("fig4", tmp_path)
    file = tmp_path / "trials.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    searches = {"healthy_random": SimpleNamespace(chosen={"a": 0.3, "b": 0.1}),
                "random": SimpleNamespace(chosen=None)}  # fmt: skip
    by_seed = healthy_data_diet._of_seeds(file, searches)
    assert {method: len(rows) for method, rows in by_seed.items()} == {
        "vanilla": 2, "healthy random": 2,
    }  # fmt: skip
    place = work.out / "work" / "twitter-bert-diet"
    place.mkdir(parents=True)
    (place / "found.json").write_text(json.dumps(by_seed))
    for seed, change in enumerate((50.0, -50.0)):
        values = healthy_data_diet._change("twitter", "bert", "healthy random", seed, work)
        assert values == dict.fromkeys(("DP", "EqOdd", "EqOpp1", "AUC"), change)
    assert not any(healthy_data_diet._change("twitter", "bert", "CDA", 0, work).values())


def test_the_runs_of_the_figures_of_diets(tmp_path: Path) -> None:
    """Without counterfactuals all orders are one; each method is run on each data set and model."""
    shares = work_of("fig2", tmp_path, seeds=(0, 1),
                     settings={"shares": [0.0, 0.5], "datasets": ["twitter"]})  # fmt: skip
    rows = [run.row for run in shares.paper.tables["fig2"](shares)]
    orders = ["GE", "EL2N", "GraNd", "forget", "random"]
    assert sorted(rows) == sorted(
        2 * ["twitter, b=0", *(f"twitter, {order}, b=0.5" for order in orders)]
    )
    diets = work_of("fig4", tmp_path, seeds=(0, 1),
                    settings={"rankings": ["top_el2n_code"], "datasets": ["twitter"]})  # fmt: skip
    assert {(run.row, run.seed) for run in diets.paper.tables["fig4"](diets)} == {
        (f"twitter, {role}, {method}", seed) for role in ("bert", "roberta")
        for method in ("top el2n", "CDA", "CDS") for seed in (0, 1)
    }  # fmt: skip


def test_pronouns_and_positive_rows_are_counted(tmp_path: Path) -> None:
    """As words, whatever their letters are; toxic is what most find so."""
    rows = {"text": ["He saw her; she left.", "The sheep HIMSELF", "His"], "label": [1, 0, 0]}
    Dataset.from_dict(rows).to_parquet(tmp_path / "rows.parquet")
    toxic = {"text": rows["text"], "toxicity": [0.5, 0.49, 0.9]}
    Dataset.from_dict(toxic).to_parquet(tmp_path / "toxic.parquet")
    work = work_of("1", tmp_path, data={
        "twitter": str(tmp_path / "rows.parquet"), "jigsaw": str(tmp_path / "toxic.parquet"),
    })  # fmt: skip
    counts = {"rows": 3, "male pronouns": 3, "female pronouns": 2}
    assert healthy_data_diet._count("twitter", work) == {
        **counts, "positive %": pytest.approx(100 / 3)
    }  # fmt: skip
    assert healthy_data_diet._count("jigsaw", work) == {
        **counts, "positive %": pytest.approx(200 / 3)
    }  # fmt: skip
