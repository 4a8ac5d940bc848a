"""From texts to a model: interrupted or not it is the same; what is left is safe, and tells."""

import runpy
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, concatenate_datasets
from huggingface_hub import ModelCard

from fair_datasets import CounterfactualSwap, InputError, ModelRewrite
from fair_datasets.hub import pull_model, push_model
from fair_datasets.reader.student import WEIGHTS
from fair_datasets.rewriters.mbcda import train as method
from fair_datasets.rewriters.mbcda.train import train_mbcda
from fair_datasets.rewriters.training import generator as training
from fair_datasets.rewriters.training.config import RowsSource, read_plan
from fair_datasets.rewriters.training.generator import apart
from fair_datasets.rewriters.training.parallel import ParallelConfig
from fair_datasets.system import interrupts

MADE = runpy.run_path(str(Path(__file__).with_name("sentences.py")))
Settings = Callable[..., method.MbcdaConfig]


@pytest.fixture(scope="session")
def rows() -> Dataset:
    """Sentences about one person, and some about nobody."""
    made: Dataset = MADE["as_rows"](MADE["sentences"](120, neutral=0.2, seed=7))
    return made


def kill_at(patch: pytest.MonkeyPatch, step: int) -> list[int]:
    """End the work at a step, as Ctrl-C does; return a list with as many items as steps."""
    steps: list[int] = []

    def interrupted() -> None:
        steps.append(1)
        if len(steps) == step:
            raise KeyboardInterrupt(2)

    patch.setattr(interrupts, "obey", interrupted)
    return steps


@pytest.mark.slow
def test_an_interrupted_training_ends_as_if_it_had_not_been(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in each of its steps, it makes the same pairs and the same bytes of the model."""
    names = ("whole", "again")
    whole, again = (
        tiny(out=tmp_path / name, pairs=tmp_path / f"{name}.parquet", neutral="copy")
        for name in names
    )
    with monkeypatch.context() as patch:
        steps = kill_at(patch, 0)
        first = train_mbcda(whole, rows)
    total = len(steps)
    assert not (tmp_path / "whole.work").exists()

    for step in (3, total // 4, total // 3, total // 4):
        with monkeypatch.context() as patch:
            kill_at(patch, step)
            with pytest.raises(KeyboardInterrupt):
                train_mbcda(again, rows)
    with monkeypatch.context() as patch:
        patch.setattr(training, "evaluated", fail)
        with pytest.raises(RuntimeError, match="killed"):
            train_mbcda(again, rows)
    for name in ("train/seed", "train/masked", "train/infilled", "train/filtered", "denoised",
                 "discriminator", "model"):  # fmt: skip
        assert (tmp_path / "again.work" / name).is_dir(), name
    second = train_mbcda(again, rows)
    assert not (tmp_path / "again.work").exists()
    assert replace(second, folder=first.folder) == first
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()
    pairs = [Dataset.from_parquet(str(tmp_path / f"{name}.parquet")) for name in names]
    assert pairs[0][:] == pairs[1][:]
    assert len(pairs[0]) == first.rows["pairs"]
    neutral = {each.text for each in MADE["sentences"](120, neutral=0.2, seed=7)
               if each.gender is None}  # fmt: skip
    copied = [row["text"] for row in pairs[0] if row["text"] == row["text_counterfactual"]]
    assert copied
    assert set(copied) <= neutral


def fail(*_: Any, **__: Any) -> None:
    """End the work."""
    raise RuntimeError("killed")


def test_what_is_left_is_a_model_with_a_card(
    tiny: Settings, rows: Dataset, tmp_path: Path, hub: Any
) -> None:
    """Safetensors alone; the card has the evaluation and the ablation; ModelRewrite asks it."""
    long = {"text": "The king left. " * 30, "gender": "man"}
    given = Dataset.from_list([*rows, long, {"text": " ", "gender": "man"}])
    config = tiny(
        ablation="swap-no-discriminator", denoising=0, detector="none/there", infiller="none/there",
        epochs=1,
    )  # fmt: skip
    trained = train_mbcda(config, given, source="/home/ada/rows.csv", command="fair-datasets x")
    assert trained.held_out is None
    assert trained.attributes == ("man", "woman")
    assert trained.left_out["no text"] == 1
    assert trained.left_out["nothing changes"] > 5
    names = {path.name for path in trained.folder.iterdir()}
    assert names == {
        "README.md", "config.json", "generation_config.json", "model.safetensors",
        "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    versions = [row["version"] for row in trained.evaluated.table]
    assert versions == ["original", "swap", "generator", "generator, verified"]
    assert trained.evaluated.copied.texts > 3
    card = ModelCard.load(trained.folder / "README.md")
    assert card.data.eval_results is not None
    values = {each.metric_type: each.metric_value for each in card.data.eval_results}
    assert 0 <= values["transfer accuracy"] <= 100
    for text in ("| generator, verified |", "fair-datasets x", "`rows.csv`", 'control="plain"',
                 "`swap-no-discriminator`: the generator was trained without",
                 "The pairs are the swap as it is.",
                 "| original |"):  # fmt: skip
        assert text in card.text
    assert "/home" not in str(card)
    chance = "That is no better than chance, so it did not guide the generator"
    for accuracy, is_told in ((0.5, True), (0.59, True), (0.7, False)):
        held_out = method.HeldOut(accuracy, 0.5, 100)
        assert (chance in replace(trained, held_out=held_out).card(config)) is is_told
    told = "The same classifier filtered the training pairs"
    assert told not in card.text
    parallel = replace(config.parallel, classifier="ada/gender")
    own = replace(config, parallel=parallel, judge="ada/gender")
    assert told in trained.card(own)
    assert told not in trained.card(replace(own, judge="ada/other"))
    push_model(trained.folder, "ada/generator")
    pulled = pull_model("ada/generator")
    assert {path.suffix for path in pulled.iterdir() if path.is_file()} <= {
        ".md", ".json", ".safetensors", ""
    }  # fmt: skip
    rewrite = ModelRewrite(columns="text", model=str(pulled), control="plain", mode="replace")
    assert len(rewrite.apply(rows.select(range(4)))) == 4


@pytest.mark.slow
def test_the_steps_of_each_ablation(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the pairs are, and whether there is a discriminator."""
    found: dict[str, tuple[str, bool]] = {}

    def noted(start: Path, pairs: Any, trainer: Any) -> Any:
        made = {path.name for path in (start / "train").iterdir()}
        assert {"seed"} <= made
        steps = "filter" if "filtered" in made else "repair" if "infilled" in made else "swap"
        found[start.name.removesuffix(".work")] = (steps, trainer is not None)
        raise RuntimeError("killed")

    monkeypatch.setattr(training, "prepared", lambda config, texts, work: work)
    monkeypatch.setattr(method, "discriminator_of", lambda *_: ("discriminator", None))
    monkeypatch.setattr(method, "pulled_by", lambda discriminator, config: discriminator)
    monkeypatch.setattr(training, "generator_of", noted)
    for ablation in method.ABLATIONS:
        with pytest.raises(RuntimeError, match="killed"):
            train_mbcda(tiny(out=tmp_path / ablation, ablation=ablation), rows)
    assert found == {name: tuple(each) for name, each in method.ABLATIONS.items()}
    assert list(found.values()) == [
        ("filter", True), ("filter", False), ("repair", True), ("repair", False),
        ("swap", True), ("swap", False),
    ]  # fmt: skip


@pytest.mark.slow
def test_what_is_not_written_is_no_copy(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it pass for a rewrite; and the file of pairs holds those that were trained on."""
    nothing = lambda asks, *_, **__: [None] * len(asks)  # noqa: E731
    monkeypatch.setattr("fair_datasets.rewriters.training.generator_evaluation.written", nothing)
    long = Dataset.from_list([{"text": "The waiter left. " * 30, "gender": "man"}] * 3)
    config = tiny(
        ablation="swap-no-discriminator", denoising=0, epochs=1, pairs=tmp_path / "pairs.parquet"
    )
    trained = train_mbcda(config, concatenate_datasets([rows, long]))
    found = trained.evaluated
    assert found.copied == (found.copied.texts, 0, found.copied.texts)
    assert found.copied.texts > 3
    assert found.unwritten == trained.rows["test"]
    assert found.fallen_back <= found.asked == trained.rows["test"] - found.copied.texts
    pairs = Dataset.from_parquet(str(tmp_path / "pairs.parquet"))
    assert len(pairs) == trained.rows["pairs"]
    assert trained.left_out["more than 40 tokens"] == 3
    assert (tmp_path / "pairs.parquet").stat().st_mode & 0o044


def test_a_text_and_its_swap_are_in_one_split(tiny: Settings, rows: Dataset) -> None:
    """Else the pairs that are trained on hold the rewrites of test texts."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    texts = [*rows["text"], *swap.apply(rows)["text"]]
    both = Dataset.from_dict({"text": texts, "attribute": [0] * len(texts)})
    splits = apart(tiny(), both)
    assert sorted(text for split in splits.values() for text in split["text"]) == sorted(texts)
    test = splits["test"]
    assert len(test)
    assert not {*test["text"], *swap.apply(test)["text"]} & {*splits["train"]["text"]}


@pytest.mark.parametrize(
    ("accuracy", "majority", "texts", "is_chance"),
    [(0.60, 0.5, 100, True), (0.61, 0.5, 100, False), (0.75, 0.5, 16, True),
     (0.96, 0.9, 100, True), (0.97, 0.9, 100, False), (0.2, 0.9, 100, True)],
)  # fmt: skip
def test_what_lies_within_two_standard_errors_is_chance(
    accuracy: float, majority: float, texts: int, is_chance: bool
) -> None:
    """That of naming the more frequent attribute always."""
    assert method.HeldOut(accuracy, majority, texts).is_chance == is_chance


PARALLEL = ParallelConfig(attribute="gender")


def test_the_defaults_are_those_of_the_paper() -> None:
    """Tokpo and Calders (2023), and their code where they say nothing."""
    config = method.MbcdaConfig(out="g", parallel=PARALLEL)
    assert (config.model, config.epochs, config.batch_size) == ("facebook/bart-base", 2, 48)
    assert (config.learning_rate, config.warmup_steps, config.gradient_clip) == (2e-5, 0, 1.0)
    assert (config.max_length, config.ablation) == (200, "full")
    assert (PARALLEL.threshold, PARALLEL.trigger, PARALLEL.beams) == (0.0, "any", 1)
    assert (PARALLEL.detector, PARALLEL.infiller) == (
        "google/electra-base-discriminator", "facebook/bart-base",
    )  # fmt: skip
    shape = config.discriminator
    assert (shape.epochs, shape.weight, shape.dropout) == (4, 1.0, 0.2)
    assert (shape.head, shape.pooling) == ("linear", "mean")
    assert list(method.ABLATIONS) == [
        "full", "no-discriminator", "unfiltered", "unfiltered-no-discriminator", "swap",
        "swap-no-discriminator",
    ]  # fmt: skip


def test_the_discriminator_is_trained_by_settings_of_its_own() -> None:
    """Without a warm-up, and else as the generator is."""
    own = method.DiscriminatorConfig(epochs=3, learning_rate=0.5)
    config = method.MbcdaConfig(
        out="g", parallel=PARALLEL, discriminator=own, warmup_steps=9, batch_size=16, epochs=5
    )
    found = config.of_discriminator()
    assert (found.epochs, found.learning_rate, found.warmup_steps) == (3, 0.5, 0)
    assert found.batch_size == 16


def test_a_file_has_all_settings(tmp_path: Path) -> None:
    """Those of the training at its top, the others in tables; a preset is what these change."""
    file = tmp_path / "mbcda.toml"
    file.write_text(
        'out = "g"\nablation = "unfiltered"\ndenoising = 3\n'
        '[rows]\nsource = "a.csv"\nsplit = "train"\n'
        '[parallel]\ntext = "bio"\nattribute = "sex"\nattributes = ["F", "M"]\naxis = "gender"\n'
        '[discriminator]\nwidths = [64, 32]\nhead = "bart"\n'
    )
    config, tables = read_plan(file, method.MbcdaConfig)
    assert config == method.MbcdaConfig(
        out="g", ablation="unfiltered", denoising=3,
        parallel=ParallelConfig(text="bio", attribute="sex", attributes=("F", "M")),
        discriminator=method.DiscriminatorConfig(widths=(64, 32), head="bart"),
    )  # fmt: skip
    assert tables == {"rows": RowsSource(source="a.csv", split="train")}
    file.write_text(
        'out = "g"\npreset = "small"\n[rows]\nsource = "a"\n[parallel]\nattribute = "sex"\n'
        '[discriminator]\nhead = "bart"\n'
    )
    small = read_plan(file, method.MbcdaConfig)[0]
    usual = method.MbcdaConfig.small(out="g", parallel=PARALLEL)
    assert small.discriminator.head == "bart"
    assert small.discriminator.learning_rate == usual.discriminator.learning_rate == 1e-4
    assert (small.model, small.denoising) == (None, usual.denoising)


def test_what_cannot_be_trained(
    tiny: Settings, rows: Dataset, tmp_path: Path, detector: str
) -> None:
    """What only the models tell; mended settings train in the same folder."""
    # The classifier reads the place, which a swap leaves as it is.
    places = Dataset.from_list([
        {"text": f"{person} sat {k} times {place}.", "gender": gender}
        for k in range(30) for person in ("He", "She")
        for place, gender in (("at home", "man"), ("outside", "woman"))
    ])  # fmt: skip
    cases: list[tuple[Dataset, dict[str, Any], str]] = [
        (places, {"threshold": 100.0}, "it keeps none of the"),
        (rows, {"max_length": 3}, "no row is left for train: all"),
        (rows, {"causal": detector}, "which a causal model needs"),
    ]
    for number, (given, changes, told) in enumerate(cases):
        with pytest.raises(InputError, match=told):
            train_mbcda(tiny(out=tmp_path / str(number), **changes), given)
    assert not (tmp_path / "2.work").exists()


def test_another_configuration_of_the_same_folder_is_refused(
    tiny: Settings, rows: Dataset, tmp_path: Path, nameless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other settings or rows, an edited list of words, or other weights under the same name."""
    monkeypatch.setattr(training, "parallel_rows", fail)
    words, told = tmp_path / "words.tsv", "holds a model trained with "
    words.write_text("man\twoman\nhe\tshe\n")
    own = tiny(out=tmp_path / "own", axis=str(words))
    for config in (tiny(), own, *(tiny(out=tmp_path / "read", reader=nameless) for _ in "12")):
        with pytest.raises(RuntimeError, match="killed"):
            train_mbcda(config, rows)
    words.write_text("man\twoman\nhe\tshe\nking\tqueen\n")
    shutil.copyfile(WEIGHTS, nameless)
    changes = ({"seed": 1}, {"threshold": 0.5}, {"ablation": "unfiltered"}, {"neutral": "copy"},
               {"out": tmp_path / "read", "reader": nameless})  # fmt: skip
    for config in (own, *(tiny(**each) for each in changes)):
        with pytest.raises(InputError, match=told):
            train_mbcda(config, rows)
    with pytest.raises(InputError, match=told):
        train_mbcda(tiny(), concatenate_datasets([rows, rows.select([0])]))
    # A file of pairs that is named only then is somebody's own.
    (tmp_path / "mine.parquet").write_text("precious")
    with pytest.raises(InputError, match="already exists, and nothing is overwritten"):
        train_mbcda(tiny(pairs=tmp_path / "mine.parquet"), rows)
    with pytest.raises(RuntimeError, match="killed"):
        train_mbcda(tiny(judge=None, causal=None), rows)
