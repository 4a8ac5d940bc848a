"""From texts to a model: interrupted or not it is the same; what is left is safe, and tells."""

import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import InputError, ModelRewrite
from fair_datasets.lexicons import Lexicon
from fair_datasets.rewriters import ParallelConfig
from fair_datasets.rewriters.fairflow import (
    VARIANTS,
    FairFlowConfig,
    FairFlowRewriterConfig,
    read_review,
    train_fairflow,
)
from fair_datasets.rewriters.training import generator as training
from fair_datasets.rewriters.training.config import RowsSource, read_plan
from fair_datasets.rewriters.training.generator import without_swaps

KILLED = runpy.run_path(str(Path(__file__).parents[2] / "mbcda" / "test_train.py"))["kill_at"]
Settings = Callable[..., FairFlowRewriterConfig]


def fail(*_: Any, **__: Any) -> None:
    """End the work."""
    raise RuntimeError("killed")


@pytest.mark.slow
def test_an_interrupted_training_ends_as_if_it_had_not_been(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in each of its steps, it finds the same words and makes the same bytes."""
    whole, again = (
        tiny(out=tmp_path / name, words={"work": tmp_path / f"{name}.work" / "states"})
        for name in ("whole", "again")
    )
    with monkeypatch.context() as patch:
        steps = KILLED(patch, 0)
        first = train_fairflow(whole, rows)
    total = len(steps)
    assert not (tmp_path / "whole.work").exists()
    for step in (3, total // 4, total // 3):
        with monkeypatch.context() as patch:
            KILLED(patch, step)
            with pytest.raises(KeyboardInterrupt):
                train_fairflow(again, rows)
    with monkeypatch.context() as patch:
        patch.setattr(training, "evaluated", fail)
        with pytest.raises(RuntimeError, match="killed"):
            train_fairflow(again, rows)
    kept = {path.name for path in (tmp_path / "again.work").iterdir()}
    assert {"states", "words.tsv", "words.review.csv", "train", "denoised", "model"} <= kept
    assert "filtered" not in {path.name for path in (tmp_path / "again.work/train").iterdir()}
    assert not (tmp_path / "again.tsv").exists()
    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.rewriters.fairflow.rewriter.build_lexicon", fail)
        second = train_fairflow(again, rows)
    assert not (tmp_path / "again.work").exists()
    assert replace(second, folder=first.folder, dictionary=first.dictionary) == first
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()
    for one, other in zip(first.dictionary or (), second.dictionary or (), strict=True):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_what_is_left_is_a_model_with_its_words_and_a_card(
    tiny: Settings, rows: Dataset, tmp_path: Path
) -> None:
    """The words lie beside it, and are read at once; the card has the evaluation."""
    label = [int("home" in text or "kitchen" in text) for text in rows["text"]]
    texts = Dataset.from_dict({"text": [text for text in rows["text"] if "he " in text] * 3})
    config = tiny(denoising=0, epochs=1, label="label")
    trained = train_fairflow(
        config, rows.add_column("label", label), corpus=texts, source="/home/ada/rows.csv",
        command="fair-datasets x",
    )  # fmt: skip
    assert trained.dictionary is not None
    assert trained.dictionary.lexicon == tmp_path / "generator.tsv"
    assert Lexicon.from_tsv(trained.dictionary.lexicon).attributes == ("man", "woman")
    assert read_review(trained.dictionary.review).given == (("he", "she"),)
    versions = ["original", "swap", "corrected swap", "generator", "generator, verified"]
    assert [row["version"] for row in trained.evaluated.table] == versions
    for row in trained.evaluated.table:
        assert {"transfer %", "TPRD", "FPRD", "accuracy", "F1"} <= set(row)
    card = (trained.folder / "README.md").read_text("utf-8")
    for text in ("`V2`: the swap is by words that FairFlow found", "From he and she:",
                 "`generator.tsv`", "FairFlow: An Automated", "without a filter"):  # fmt: skip
        assert text in card
    assert str(tmp_path) not in card
    assert "/home" not in card
    rewrite = ModelRewrite(
        columns="text", model=str(trained.folder), control="plain", mode="replace",
        axis=str(trained.dictionary.lexicon),
    )  # fmt: skip
    assert len(rewrite.apply(rows.select(range(4)))) == 4


def test_the_words_and_steps_of_each_variant(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listed or found, and corrected or not."""
    mine = tmp_path / "mine.tsv"
    mine.write_text("man\twoman\nking\tqueen\n")
    found: dict[str, tuple[str, str]] = {}

    def noted(config: Any, train: Any, work: Path, *, steps: str, **_: Any) -> None:
        found[work.parent.name] = (Path(config.axis).name, steps)
        raise RuntimeError("killed")

    monkeypatch.setattr(training, "parallel_rows", noted)
    cases: dict[str, dict[str, Any]] = {name: {"variant": name} for name in VARIANTS}
    cases["mine"] = {"axis": str(mine)}
    for name, changes in cases.items():
        with pytest.raises(RuntimeError, match="killed"):
            train_fairflow(tiny(out=tmp_path / name, **changes), rows)
    assert found == {
        "V1.work": ("gender", "repair"), "V2.work": ("words.tsv", "repair"),
        "Hall-M.work": ("gender", "swap"), "mine.work": ("mine.tsv", "repair"),
    }  # fmt: skip


def test_what_words_make_of_training_texts_is_not_tested(tiny: Settings, tmp_path: Path) -> None:
    """They are found when the rows are split already."""
    mine = tmp_path / "mine.tsv"
    mine.write_text("man\twoman\nlord\tlady\n")
    texts = {"train": ["a lord", "a cat"], "validation": ["a lady", "a dog"],
             "test": ["the lord", "a cat", "a lady"]}  # fmt: skip
    rows = {name: Dataset.from_dict({"text": each}) for name, each in texts.items()}
    found = without_swaps(tiny(axis=str(mine)), DatasetDict(rows))
    assert {name: each["text"][:] for name, each in found.items()} == {
        "train": texts["train"], "validation": ["a dog"], "test": ["the lord"],
    }  # fmt: skip


def test_other_words_of_the_same_folder_are_refused(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other settings of how they are found, another corpus, or an edited list."""
    with monkeypatch.context() as patch:
        patch.setattr(training, "parallel_rows", fail)
        with pytest.raises(RuntimeError, match="killed"):
            train_fairflow(tiny(), rows)
    told = "holds a model trained with "
    with pytest.raises(InputError, match=told):
        train_fairflow(tiny(words={"rho": 0.5}), rows)
    with pytest.raises(InputError, match=told):
        train_fairflow(tiny(), rows, corpus=rows)
    with pytest.raises(InputError, match=told):
        train_fairflow(tiny(variant="V1"), rows)


PARALLEL = ParallelConfig(attribute="gender")
WORDS = FairFlowConfig(work="w", columns="text", pairs=("she", "he"), model="bert-base-uncased")


def test_the_defaults_are_those_of_the_paper() -> None:
    """Tokpo and Calders (2024), and their code where they say nothing."""
    config = FairFlowRewriterConfig(out="g", parallel=PARALLEL, dictionary=WORDS)
    assert (config.model, config.epochs, config.learning_rate) == ("facebook/bart-base", 10, 5e-5)
    assert (config.variant, config.steps) == ("V2", "repair")
    assert {name: tuple(each) for name, each in VARIANTS.items()} == {
        "V1": ("repair", False), "V2": ("repair", True), "Hall-M": ("swap", False),
    }  # fmt: skip
    assert list(config.models())[-1] == "bert-base-uncased"


def test_a_file_has_all_settings(tmp_path: Path) -> None:
    """How words are found, and in which texts, in tables of their own."""
    file = tmp_path / "fairflow.toml"
    top = 'out = "g"\nepochs = 4\n[rows]\nsource = "a.csv"\n[parallel]\nattribute = "sex"\n'
    words = '[dictionary]\npairs = ["she", "he"]\nmodel = "bert"\nrounds = 2\n'
    file.write_text(f'{top}text = "bio"\n{words}')
    config, tables = read_plan(file, FairFlowRewriterConfig)
    assert config == FairFlowRewriterConfig(
        out="g", epochs=4, parallel=ParallelConfig(text="bio", attribute="sex"),
        dictionary=FairFlowConfig(
            work="g.work/dictionary", columns="bio", pairs=("she", "he"), model="bert", rounds=2
        ),
    )  # fmt: skip
    assert tables == {"rows": RowsSource(source="a.csv")}
    file.write_text(f'{top}{words}columns = ["body"]\nwork = "w"\n[corpus]\nsource = "b.txt"\n')
    config, tables = read_plan(file, FairFlowRewriterConfig)
    assert tables["corpus"] == RowsSource(source="b.txt")
    assert config.dictionary is not None
    assert (config.dictionary.columns, config.dictionary.work) == (("body",), "w")
    file.write_text('variant = "V1"\n' + top)
    assert read_plan(file, FairFlowRewriterConfig)[0].dictionary is None


def test_a_pair_that_is_in_no_text_is_told(tiny: Settings, rows: Dataset) -> None:
    """Once the texts are read."""
    with pytest.raises(InputError, match="'sun' stands 0 times in the"):
        train_fairflow(tiny(words={"pairs": ("sun", "moon")}), rows)
