"""From texts to a model, by each method: interrupted or not it is the same, safe, and tells."""

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from datasets import Dataset, concatenate_datasets
from huggingface_hub import ModelCard

from fair_datasets import InputError, ModelRewrite
from fair_datasets.hub import pull_model, push_model
from fair_datasets.reader.student import WEIGHTS
from fair_datasets.rewriters import (
    DiscriminatorConfig,
    MbcdaConfig,
    ParallelConfig,
    PerturberConfig,
    train_generator,
    train_mbcda,
    train_perturber,
    two_person_perturbations,
)
from fair_datasets.rewriters.fairflow import (
    FairFlowConfig,
    FairFlowRewriterConfig,
    rewriter,
    train_fairflow,
)
from fair_datasets.rewriters.perturber import train as perturber
from fair_datasets.rewriters.perturber.train import RowsConfig
from fair_datasets.rewriters.training import generator
from fair_datasets.rewriters.training.config import RowsSource, read_plan
from fair_datasets.rewriters.training.trainer import KeyedTrainer
from tests.rewriters.killing import fail, kill_at

Settings = Callable[..., Any]


class Method(NamedTuple):
    """A method, and what its work folder has when all but the measuring is done."""

    train: Callable[..., Any]
    measures: tuple[Any, str]
    kept: set[str]


METHODS = {
    "perturber": Method(train_perturber, (perturber, "perturber_quality"), {"start", "model"}),
    "mbcda": Method(
        train_mbcda, (generator, "evaluated"),
        {"train/seed", "train/masked", "train/infilled", "train/filtered", "denoised",
         "discriminator", "model"},
    ),
    "fairflow": Method(
        train_fairflow, (generator, "evaluated"),
        {"words.tsv", "words.review.csv", "train/infilled", "denoised", "model"},
    ),
    "plain": Method(train_generator, (generator, "evaluated"), {"train/seed", "denoised", "model"}),
}  # fmt: skip


@pytest.fixture
def rows_of(people: Dataset) -> Callable[[str], Dataset]:
    """Return a function that gives the rows of a method."""
    home = [int("home" in text or "kitchen" in text) for text in people["text"]]
    made = {"perturber": two_person_perturbations(80), "fairflow": people.add_column("label", home)}
    return lambda kind: made.get(kind, people)


def drawn() -> list[Any]:
    """Return the states of all draws."""
    return [random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()]  # noqa: NPY002


@pytest.mark.slow
@pytest.mark.parametrize("kind", METHODS)
def test_an_interrupted_training_ends_as_if_it_had_not_been(
    kind: str, tiny: Settings, rows_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in each of its steps, it makes the same bytes; other settings or rows are refused."""
    method, rows = METHODS[kind], rows_of(kind)
    beside = [{"pairs": tmp_path / f"{name}.parquet"} if kind != "perturber" else {}
              for name in ("whole", "again")]  # fmt: skip
    whole, again = (
        tiny(kind, out=tmp_path / name, **more)
        for name, more in zip(("whole", "again"), beside, strict=True)
    )
    before = drawn()
    with monkeypatch.context() as patch:
        steps = kill_at(patch, 0)
        first = method.train(whole, rows)
    assert drawn() == before
    total = len(steps)
    for step in (3, total // 4, total // 3, total // 4):
        with monkeypatch.context() as patch:
            kill_at(patch, step)
            with pytest.raises(KeyboardInterrupt):
                method.train(again, rows)
    with monkeypatch.context() as patch:
        patch.setattr(*method.measures, fail)
        with pytest.raises(RuntimeError, match="killed"):
            method.train(again, rows)
    work = tmp_path / "again.work"
    assert method.kept <= {path.relative_to(work).as_posix() for path in work.rglob("*")}
    with pytest.raises(InputError, match="holds a model trained with seed=0, not 1; give"):
        method.train(replace(again, seed=1), rows)
    with pytest.raises(InputError, match="holds a model trained with other rows"):
        method.train(again, rows.select(range(len(rows) - 10)))
    with monkeypatch.context() as patch:
        # What is done is not done again.
        patch.setattr(KeyedTrainer, "resume", fail)
        patch.setattr(rewriter, "build_lexicon", fail)
        second = method.train(again, rows)
    assert not list(tmp_path.glob("*.work"))
    assert str(second).replace("again", "whole") == str(first)
    files = [path for path in tmp_path.rglob("whole*/*") if path.name != "README.md"]
    for path in [*files, *tmp_path.glob("whole.*")]:
        other = tmp_path / path.relative_to(tmp_path).as_posix().replace("whole", "again", 1)
        assert path.read_bytes() == other.read_bytes(), path


@pytest.mark.parametrize(("kind", "changes"), [
    ("mbcda", [{"seed": 1}, {"threshold": 0.5}, {"ablation": "unfiltered"}, {"neutral": "copy"}]),
    ("fairflow", [{"words": {"rho": 0.5}}, {"variant": "V1"}]),
])  # fmt: skip
def test_another_configuration_of_the_same_folder_is_refused(
    kind: str, changes: list[dict[str, Any]], tiny: Settings, people: Dataset, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Who measures otherwise trains nothing anew; a file that is named only then is a user's."""
    train = METHODS[kind].train
    with monkeypatch.context() as patch:
        patch.setattr(generator, "parallel_rows", fail)
        for config in (tiny(kind), tiny(kind, judge=None, causal=None)):
            with pytest.raises(RuntimeError, match="killed"):
                train(config, people)
    for change in changes:
        with pytest.raises(InputError, match="holds a model trained with "):
            train(tiny(kind, **change), people)
    with pytest.raises(InputError, match="holds a model trained with other rows"):
        train(tiny(kind), concatenate_datasets([people, people.select([0])]))
    if kind == "fairflow":
        with pytest.raises(InputError, match="holds a model trained with other rows"):
            train(tiny(kind), people, corpus=people)
    (tmp_path / "mine.parquet").write_text("precious")
    with pytest.raises(InputError, match="already exists, and nothing is overwritten"):
        train(tiny(kind, pairs=tmp_path / "mine.parquet"), people)


def test_what_is_edited_under_its_name_is_something_else(
    tiny: Settings, people: Dataset, tmp_path: Path, nameless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of words, and the weights of a reader."""
    words = tmp_path / "words.tsv"
    words.write_text("man\twoman\nhe\tshe\n")
    configs = [tiny(out=tmp_path / "a", axis=str(words)), tiny(out=tmp_path / "b", reader=nameless)]
    with monkeypatch.context() as patch:
        patch.setattr(generator, "parallel_rows", fail)
        for config in configs:
            with pytest.raises(RuntimeError, match="killed"):
                train_mbcda(config, people)
    words.write_text("man\twoman\nhe\tshe\nking\tqueen\n")
    shutil.copyfile(WEIGHTS, nameless)
    for config in configs:
        with pytest.raises(InputError, match="holds a model trained with other rows, models or l"):
            train_mbcda(config, people)


LONG = dict.fromkeys(("original", "perturbed"), "The king left. " * 40)
FAULTY = {"original": "He left.", "selected_word": "she", "target_attribute": "woman",
          "perturbed": "She left."}  # fmt: skip
MEASURED = {"transfer accuracy": 100, "bleu": 100}


@pytest.mark.parametrize(("kind", "changes", "odd", "left_out", "told"), [
    (
        "perturber", {"faulty": "drop"},
        [LONG | {"selected_word": "king", "target_attribute": "woman"}, FAULTY],
        {"a word that is not in the text": 1, "more than 64 tokens": 1},
        ["swap without names", 'control="perturber"'],
    ),
    (
        "mbcda",
        {"ablation": "swap-no-discriminator", "denoising": 0, "epochs": 1, "detector": "none/there",
         "infiller": "none/there"},
        [{"text": " ", "gender": "man"}], {"no text": 1},
        ["| generator, verified |", 'control="plain"', "| original |",
         "`swap-no-discriminator`: the generator was trained without",
         "The pairs are the swap as it is."],
    ),
    pytest.param(
        "fairflow", {"denoising": 0, "epochs": 1, "label": "label"}, [], {},
        ["| TPRD |", "`V2`: the swap is by words that FairFlow found", "From he and she:",
         "`model.tsv`", "FairFlow: An Automated", "without a filter"], marks=pytest.mark.slow,
    ),
    ("plain", {"denoising": 0, "epochs": 1}, [], {}, ["The pairs are the swap as it is."]),
])  # fmt: skip
def test_what_is_left_is_a_model_with_a_card(
    kind: str, changes: dict[str, Any], odd: list[Any], left_out: dict[str, int],
    told: list[str], tiny: Settings, rows_of: Any, tmp_path: Path, hub: Any,
) -> None:  # fmt: skip
    """Safetensors alone, which are asked again once they were published; no path is told."""
    rows = rows_of(kind)
    given = Dataset.from_list([*rows, *odd])
    trained = METHODS[kind].train(
        tiny(kind, **changes), given, source="/home/ada/rows.csv", command="fair-datasets x"
    )
    assert left_out.items() <= trained.left_out.items()
    assert {path.name for path in trained.folder.iterdir()} == {
        "README.md", "config.json", "generation_config.json", "model.safetensors",
        "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    card = ModelCard.load(trained.folder / "README.md")
    for text in (*told, "fair-datasets x", "`rows.csv`"):
        assert text in card.text
    assert "/home" not in str(card)
    assert str(tmp_path) not in str(card)
    results = {each.metric_type: each.metric_value for each in card.data.eval_results or []}
    assert any(0 <= results[name] <= 100 for name in MEASURED.keys() & results.keys())
    push_model(trained.folder, "ada/model")
    pulled = pull_model("ada/model")
    assert {path.suffix for path in pulled.iterdir() if path.is_file()} <= {
        ".md", ".json", ".safetensors", ""
    }  # fmt: skip
    assert ', model="ada/model")  # this model' in (pulled / "README.md").read_text("utf-8")
    column, control = ("original", "perturber") if kind == "perturber" else ("text", "plain")
    axis = str(trained.dictionary.lexicon) if kind == "fairflow" else "gender"
    rewrite = ModelRewrite(
        columns=column, model=str(pulled), control=control, mode="replace", axis=axis
    )
    assert len(rewrite.apply(rows.select(range(4)))) == 4


PARALLEL = ParallelConfig(attribute="gender")
WORDS = FairFlowConfig(work="w", columns="text", pairs=("she", "he"), model="bert-base-uncased")
NEW = {"model": None, "layers": 3, "width": 256, "heads": 4, "vocabulary": 8000, "dropout": 0.1,
       "seed": 0}  # fmt: skip
OF_GENERATORS = {
    "model": "facebook/bart-base", "shares": (0.8, 0.1, 0.1), "batch_size": 48, "rows_at_once": 8,
    "max_length": 200, "warmup_steps": 0, "gradient_clip": 1.0, "denoising": 0,
}  # fmt: skip
SMALL = {
    "model": None, "layers": 1, "width": 64, "vocabulary": 2000, "denoising": 6, "epochs": 4,
    "dropout": 0.0, "batch_size": 32, "rows_at_once": 32, "max_length": 128, "learning_rate": 2e-3,
}  # fmt: skip


@pytest.mark.parametrize(("config", "expected"), [
    (PerturberConfig(out="p"), {
        "model": "facebook/bart-large", "control": "perturber", "epochs": 10, "batch_size": 64,
        "rows_at_once": 8, "learning_rate": 1e-5, "warmup_steps": 1200, "gradient_clip": 0.1,
        "max_length": 512, "evaluations": 4, "patience": 10, "shares": (0.7, 0.2, 0.1),
    }),
    (PerturberConfig(out="p", model=None), NEW),
    (PerturberConfig.small(out="p"), {
        "model": None, "layers": 2, "width": 128, "vocabulary": 4000, "epochs": 30,
        "batch_size": 32, "rows_at_once": 32, "learning_rate": 1e-3, "warmup_steps": 100,
        "dropout": 0.0, "gradient_clip": 1.0, "max_length": 128, "evaluations": 1,
        "evaluation_rows": 200, "patience": 5,
    }),
    (MbcdaConfig(out="g", parallel=PARALLEL), OF_GENERATORS | {
        "epochs": 2, "learning_rate": 2e-5, "ablation": "full", "steps": "filter",
    }),
    (MbcdaConfig.small(out="g", parallel=PARALLEL), SMALL),
    (FairFlowRewriterConfig(out="g", parallel=PARALLEL, dictionary=WORDS), OF_GENERATORS | {
        "epochs": 10, "learning_rate": 5e-5, "variant": "V2", "steps": "repair",
    }),
    (DiscriminatorConfig(), {
        "epochs": 4, "weight": 1.0, "dropout": 0.2, "head": "linear", "pooling": "mean",
    }),
    (MbcdaConfig.small(out="g", parallel=PARALLEL).discriminator, {"learning_rate": 1e-4}),
    (PARALLEL, {
        "threshold": 0.0, "trigger": "any", "beams": 1, "infiller": "facebook/bart-base",
        "detector": "google/electra-base-discriminator",
    }),
])  # fmt: skip
def test_the_defaults_are_those_of_the_papers(config: Any, expected: dict[str, Any]) -> None:
    """And of their code where they say nothing; a preset is for a laptop."""
    assert {name: getattr(config, name) for name in expected} == expected


TOP = 'out = "g"\n[rows]\nsource = "a.csv"\n[parallel]\ntext = "bio"\nattribute = "sex"\n'
BIOS = ParallelConfig(text="bio", attribute="sex")
FOUND = '[dictionary]\npairs = ["she", "he"]\nmodel = "bert"\nrounds = 2\n'
SOUGHT = {"pairs": ("she", "he"), "model": "bert", "rounds": 2}


@pytest.mark.parametrize(("text", "config", "tables"), [
    (
        'out = "p"\npreset = "small"\nwidth = 64\nshares = [0.8, 0.1, 0.1]\n[rows]\n'
        'source = "a.csv"\ntext = "review"\naxis = "age"\njoined = 0.25\ntwo_people = 5\n',
        PerturberConfig.small(out="p", width=64, shares=(0.8, 0.1, 0.1)),
        {"rows": RowsConfig(source="a.csv", text="review", axis="age", joined=0.25, two_people=5)},
    ),
    (
        'out = "p"\nencoder = "ada/bert"\n[rows]\nsource = "a.csv"\n',
        PerturberConfig(out="p", model=None, encoder="ada/bert"),
        {"rows": RowsConfig(source="a.csv")},
    ),
    (
        f'ablation = "unfiltered"\ndenoising = 3\n{TOP}attributes = ["F", "M"]\naxis = "gender"\n'
        '[discriminator]\nwidths = [64, 32]\nhead = "bart"\n',
        MbcdaConfig(
            out="g", ablation="unfiltered", denoising=3,
            parallel=replace(BIOS, attributes=("F", "M")),
            discriminator=DiscriminatorConfig(widths=(64, 32), head="bart"),
        ),
        {"rows": RowsSource(source="a.csv")},
    ),
    (
        f'preset = "small"\n{TOP}[discriminator]\nhead = "bart"\n',
        MbcdaConfig.small(out="g", parallel=BIOS,
                          discriminator=DiscriminatorConfig(head="bart", learning_rate=1e-4)),
        {"rows": RowsSource(source="a.csv")},
    ),
    (
        f"epochs = 4\n{TOP}{FOUND}",
        FairFlowRewriterConfig(
            out="g", epochs=4, parallel=BIOS,
            dictionary=FairFlowConfig(work="g.work/dictionary", columns="bio", **SOUGHT),
        ),
        {"rows": RowsSource(source="a.csv")},
    ),
    (
        f'{TOP}{FOUND}columns = ["body"]\nwork = "w"\n[corpus]\nsource = "b.txt"\n',
        FairFlowRewriterConfig(
            out="g", parallel=BIOS,
            dictionary=FairFlowConfig(work="w", columns="body", **SOUGHT),
        ),
        {"rows": RowsSource(source="a.csv"), "corpus": RowsSource(source="b.txt")},
    ),
    (
        f'variant = "V1"\n{TOP}', FairFlowRewriterConfig(out="g", variant="V1", parallel=BIOS),
        {"rows": RowsSource(source="a.csv")},
    ),
])  # fmt: skip
def test_a_file_has_all_settings(
    text: str, config: Any, tables: dict[str, Any], tmp_path: Path
) -> None:
    """Those of the training at its top, the others in tables; a preset is what these change."""
    (tmp_path / "plan.toml").write_text(text)
    assert read_plan(tmp_path / "plan.toml", type(config)) == (config, tables)


SETTINGS = (
    'out = "model"\npreset = "small"\nwidth = 16\nheads = 2\nlayers = 1\nvocabulary = 400\n'
    "epochs = 1\nmax_length = 64\nshares = [0.6, 0.2, 0.2]\n"
)
TABLES = {
    "perturber": "evaluation_rows = 4\n[rows]\n",
    "mbcda": "denoising = 1\n[discriminator]\nwidths = [16, 8]\nepochs = 1\n[rows]\n",
    "fairflow": (
        'denoising = 0\nlabel = "label"\n[dictionary]\npairs = ["he", "she"]\ncolumns = "body"\n'
        'attributes = ["man", "woman"]\nfewest = 5\nthreshold = 1e-4\nflow_epochs = 2\n'
        'mutual = false\ncandidates = "opposite"\nmodel = "{encoder}"\n'
        '[corpus]\nsource = "corpus.csv"\n[rows]\n'
    ),
}
PAIRS = '[parallel]\nattribute = "gender"\ndetector = "{detector}"\ninfiller = "{infiller}"\n'
TOLD = {
    "perturber": ["48  train", "16  validation", "swap without names"],
    "mbcda": ["pairs", "The discriminator reads", "generator, verified"],
    "fairflow": ["words have a counterpart. They are in model.tsv, a draft;", "generator, verif"],
}


@pytest.mark.parametrize("kind", [
    "perturber", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("mbcda", "fairflow"))
])  # fmt: skip
def test_from_a_file_to_a_model(
    kind: str, run: Any, rows_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    """An interrupted command is told, and goes on; what is written is told, and stays."""
    monkeypatch.chdir(tmp_path)
    rows = rows_of(kind)
    rows.to_csv("rows.csv")
    text = f'{SETTINGS}{TABLES[kind]}source = "rows.csv"\n'
    if kind != "perturber":
        models = ("detector", "infiller", "encoder")
        text += PAIRS
        text = text.format(**{name: request.getfixturevalue(name) for name in models})
        Dataset.from_dict({"body": rows["text"]}).to_csv("corpus.csv")
    Path("plan.toml").write_text(text)
    there = {path.name for path in tmp_path.iterdir()}
    arguments = ("train", kind, "--config", "plan.toml")
    with monkeypatch.context() as patch:
        patch.setattr(KeyedTrainer, "training_step", interrupted_at(2))
        stopped = run(*arguments)
    assert stopped.code == 130, stopped.err
    assert "what is finished is kept in model.work, and the same command goes on" in stopped.err
    done = run(*arguments).done()
    for part in (*TOLD[kind], "fair-datasets push model model user/name"):
        assert part in done.out
    files = {"model.tsv", "model.review.csv"} if kind == "fairflow" else set()
    assert {path.name for path in tmp_path.iterdir()} - there == {"model", *files}
    card = Path("model/README.md").read_text("utf-8")
    assert f"fair-datasets train {kind} --config plan.toml" in card
    assert "`rows.csv`" in card
    assert "is not empty, and nothing" in run(*arguments).refused()


def interrupted_at(step: int) -> Callable[..., Any]:
    """Return what takes the place of a step, and ends the work at one."""
    steps, compute = iter(range(step)), KeyedTrainer.training_step

    def interrupted(*given: Any, **more: Any) -> Any:
        if next(steps) == step - 1:
            raise KeyboardInterrupt(2)
        return compute(*given, **more)

    return interrupted
