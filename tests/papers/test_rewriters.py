"""Tests of what the tables of MBCDA and FairFlow share: tasks, labels, runs and units."""

import hashlib
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from datasets import Dataset
from transformers import AutoModelForSeq2SeqLM

from hub_scripts.papers import paper_named, rewriters
from hub_scripts.papers.frame import Work

CELLS = {("woman", 1): 12, ("woman", 0): 30, ("man", 1): 40, ("man", 0): 50}


def cells(rows: Dataset) -> dict[Any, int]:
    """Count the rows of each gender and label."""
    return dict(Counter(zip(rows["gender"], rows["label"], strict=True)))


@pytest.fixture
def judgments(tmp_path: Path) -> str:
    """Write rows of all cells, and some of none."""
    of = [cell for cell, count in {**CELLS, ("", 1): 9}.items() for _ in range(count)]
    rows = {"text": [f"{n}" for n in range(len(of))], "gender": [gender for gender, _ in of],
            "label": [label for _, label in of]}  # fmt: skip
    Dataset.from_dict(rows).to_parquet(tmp_path / "rows.parquet")
    return str(tmp_path / "rows.parquet")


@pytest.mark.parametrize(
    ("tested", "test", "rest"),
    # Two are tested at least, and a third of the smallest cell at most.
    [(3, 3, 47), (1, 2, 48), (100, 4, 46)],
)
def test_a_task_has_the_cells_that_are_asked_for(
    judgments: str, tmp_path: Path, tested: int, test: int, rest: int
) -> None:
    """As many of each are tested, and no row is in two parts or in none."""
    work = Work(paper=paper_named("fairflow"), table="2", out=tmp_path, data={"echr": judgments},
                settings={"cells_echr": [5, 1, 7, 100], "tested": tested})  # fmt: skip
    found = rewriters.task(work, "echr")
    assert cells(found.test) == dict.fromkeys(CELLS, test)
    assert cells(found.train) == dict(zip(CELLS, [5, 2, 7, rest], strict=True))
    assert sorted(int(text) for part in found for text in part["text"]) == [*range(132)]


def test_a_profession_of_more_women_is_labelled(tmp_path: Path) -> None:
    """By the share of women among those who have it."""
    work = Work(paper=paper_named("mbcda"), table="2", out=tmp_path, settings={"dominated": 0.5})
    of = {"nurse": [1, 1, 0], "clerk": [1, 0], "smith": [0, 0, 1]}
    rows = [(job, gender) for job, genders in of.items() for gender in genders]
    jobs, genders = map(list, zip(*rows, strict=True))
    found = rewriters._bios(work, Dataset.from_dict(
        {"hard_text": jobs, "profession": jobs, "gender": genders}))  # fmt: skip
    assert found["label"][:] == [int(job == "nurse") for job in jobs]
    assert found["gender"][:] == ["woman" if gender else "man" for gender in genders]


@pytest.mark.parametrize(("female", "male", "target", "gender", "label"), [
    (0.6, 0.4, 0.5, "woman", 1), (0.4, 0.6, 0.49, "man", 0), (0.7, 0.6, 0.0, "", 0),
    (0.5, 0.4, 0.0, "", 0), (0.4, 0.5, 0.0, "", 0), (0.6, 0.5, 0.0, "", 0), (0.5, 0.6, 0.0, "", 0),
    (0.6, None, 0.0, "woman", 0), (None, 0.6, 0.0, "man", 0), (None, None, 1.0, "", 1),
])  # fmt: skip
def test_a_comment_is_of_the_gender_that_most_see(
    female: Any, male: Any, target: float, gender: str, label: int, tmp_path: Path
) -> None:
    """And of none, where most see both or neither."""
    rows = Dataset.from_dict({"comment_text": ["a"], "female": [female], "male": [male],
                              "target": [target]})  # fmt: skip
    (found,) = rewriters._toxic(Work(paper=paper_named("mbcda"), table="2", out=tmp_path), rows)
    assert (found["gender"], found["label"]) == (gender, label)


@pytest.mark.parametrize(("paper", "table", "asked"), [
    ("mbcda", "6", {"association"}),
    ("mbcda", "7", {"association", "causal", "classifier", "classes", "test", "trainer"}),
    ("fairflow", "2", {"causal", "classifier", "classes"}), ("fairflow", "3", {"test", "trainer"}),
    ("fairflow", "4", {"test", "trainer"}),
])  # fmt: skip
def test_what_the_columns_of_a_table_need_is_measured(
    paper: str, table: str, asked: set[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And nothing else; differences lose their sign, shares become per cent."""
    asks: list[dict[str, Any]] = []
    measures = {"true positive rate difference": -0.2, "false positive rate difference": 0.1,
                "accuracy": 0.5, "F1": 0.25, "perplexity": 9.0, "WEAT 100": -1.0,
                "transfer accuracy": 60.0}  # fmt: skip

    def found(rows: Any, new: Any, **given: Any) -> Any:
        asks.append({"new": new, **given})
        of = {**dict.fromkeys(["original", "CDS"], measures), "old": dict.fromkeys(measures, 7.0)}
        return SimpleNamespace(rows=[{"version": version, "measure": name, "value": value}
                                     for version, values in of.items()
                                     for name, value in values.items()])  # fmt: skip

    rows = Dataset.from_dict({"text": ["a", "b"]})
    task = rewriters.Task(rows, rows, rows)
    monkeypatch.setattr(rewriters, "task", lambda work, name: task)
    monkeypatch.setattr(rewriters, "gender_classifier", lambda work: "reads")
    monkeypatch.setattr(rewriters, "evaluate_counterfactuals", found)
    work = Work(paper=paper_named(paper), table=table, out=tmp_path, scale="small",
                models={"causal": "reads"})  # fmt: skip
    name = work.about["of"][0]
    for version in ("original", "CDS"):
        values = rewriters._measured(lambda *_: ["x", "y"], version, name, 3, work)
    assert [each.keys() - {"new", "order", "seeds", "in_place"} for each in asks] == [asked] * 2
    assert [each["new"] for each in asks] == [{}, {"CDS": ["x", "y"]}]
    assert [each.get("in_place") for each in asks] == [None, ["CDS"]]
    if "association" in asked:
        assert asks[0]["association"].sizes == tuple(
            sorted({int(each.split()[-1]) for each in work.about["measures"] if each[-1] == "0"})
        )
    expected = {"TPRD": 0.2, "FPRD": 0.1, "accuracy": 50.0, "F1": 25.0, "PPL": 9.0,
                "WEAT 100": -1.0, "transfer": 60.0}  # fmt: skip
    assert values == {f"{name} {column}": expected.get(column)
                      for column in work.about["measures"]}  # fmt: skip


def test_each_version_is_run_where_it_is_printed(tmp_path: Path) -> None:
    """For every seed; what is left out says why."""
    work = Work(paper=paper_named("mbcda"), table="1", out=tmp_path, seeds=(0, 5))
    found = {(run.row, run.name, run.seed): run.skip_reason for run in work.paper.tables["1"](work)}
    printed = {version: {column.split()[0] for column in columns}
               for version, columns in work.about["printed"].items()}  # fmt: skip
    assert found.keys() == {(version, name, seed) for version, names in printed.items()
                            for name in names for seed in (0, 5)}  # fmt: skip
    assert {version for (version, _, _), why in found.items() if why} == {"swapped"}


@pytest.mark.usefixtures("data_directory")
@pytest.mark.parametrize(("paper", "name", "digest"), [
    ("healthy-data-diet", "twitter", "0ee31569"), ("healthy-data-diet", "wikipedia", "ab11025c"),
    ("healthy-data-diet", "jigsaw", "e6c33484"), ("mbcda", "bios", "8c10d84a"),
    ("mbcda", "wikipedia", "835cbcaa"), ("panda", "panda", "50ec9669"),
    ("panda", "sst2", "d4ec67dd"), ("panda", "stsb", "476c28d3"),
    ("bias-score", "snli", "99fd97ff"), ("bias-score", "sicke", "e094164d"),
])  # fmt: skip
def test_stand_ins_have_the_same_rows(paper: str, name: str, digest: str, tmp_path: Path) -> None:
    """Those that are read of the shared data; in others the words of a lexicon are swapped."""
    work = Work(paper=paper_named(paper), table="2", out=tmp_path, scale="small")
    rows = {split: rows.to_dict() for split, rows in work.rows(name).items()}
    assert hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:8] == digest


def test_small_models_are_of_one_layer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The decoder of one that rewrites looks at the token of its place."""
    texts = [f"{who} saw {number} of them" for number in range(500) for who in ("He", "She") * 2]
    rows = Dataset.from_dict({"text": texts})
    monkeypatch.setattr(rewriters, "small_wikipedia", lambda work: {"train": rows})
    monkeypatch.setattr(rewriters, "_TAUGHT", 32)
    work = Work(paper=paper_named("mbcda"), table="2", out=tmp_path, scale="small")
    bart = rewriters.small_model(work, "bart", rewriters.copying_bart, ["<mask>"])
    for place, layers in (
        (rewriters.small_causal(work), {"n_embd": 64, "n_layer": 1, "n_head": 2}),
        (rewriters.small_detector(work), {"embedding_size": 32, "hidden_size": 32,
         "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}),
        (bart, {"d_model": 64, "max_position_embeddings": 256, "dropout": 0.0,
                **{f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in
                   (("layers", 1), ("attention_heads", 2), ("ffn_dim", 256))}}),
    ):  # fmt: skip
        config = json.loads(Path(place, "config.json").read_text())
        assert {name: config[name] for name in layers} == layers
    weights = {name: each.detach() for name, each in
               AutoModelForSeq2SeqLM.from_pretrained(bart).model.named_parameters()}  # fmt: skip
    attention = {name: weights[f"decoder.layers.0.encoder_attn.{name}_proj.weight"]
                 for name in ("q", "k", "v", "out")}  # fmt: skip
    assert {name: float(each.mean()) * 64 for name, each in attention.items()} == pytest.approx(
        {"q": 1.5, "k": 1.5, "v": 1.0, "out": 1.0}
    )
    for side in ("encoder", "decoder"):
        assert float(weights[f"{side}.embed_positions.weight"].std()) == pytest.approx(0.1, rel=0.1)
    assert float(weights["shared.weight"].std()) == pytest.approx(0.05, rel=0.1)
