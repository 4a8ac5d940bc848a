"""What is MBCDA's own: what its generators are trained on and with, and what its card doubts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, concatenate_datasets

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.rewriters.mbcda import train as method
from fair_datasets.rewriters.mbcda.train import train_mbcda
from fair_datasets.rewriters.training import generator as training
from fair_datasets.rewriters.training.generator import split_by_text
from fair_datasets.rewriters.training.generator_evaluation import Copied, Evaluated
from fair_datasets.rewriters.training.parallel import ParallelConfig

Settings = Callable[..., method.MbcdaConfig]


@pytest.mark.slow
def test_the_steps_of_each_ablation(
    tiny: Settings, people: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the pairs are, and whether there is a discriminator."""
    found: dict[str, tuple[str, bool]] = {}

    def noted(start: Path, pairs: Any, trainer: Any) -> Any:
        made = {path.name for path in (start / "train").iterdir()}
        assert {"seed"} <= made
        steps = "filter" if "filtered" in made else "repair" if "infilled" in made else "swap"
        found[start.name.removesuffix(".work")] = (steps, trainer is not None)
        raise RuntimeError("killed")

    monkeypatch.setattr(training, "make_start", lambda config, texts, work: work)
    monkeypatch.setattr(method, "discriminator_of", lambda *_: ("discriminator", None))
    monkeypatch.setattr(training, "generator_of", noted)
    for ablation in method.ABLATIONS:
        with pytest.raises(RuntimeError, match="killed"):
            train_mbcda(tiny(out=tmp_path / ablation, ablation=ablation), people)
    assert found == {name: tuple(each) for name, each in method.ABLATIONS.items()}
    assert list(found.values()) == [
        ("filter", True), ("filter", False), ("repair", True), ("repair", False),
        ("swap", True), ("swap", False),
    ]  # fmt: skip


@pytest.mark.slow
def test_what_is_not_written_is_no_copy(
    tiny: Settings, people: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it pass for a rewrite; and the file of pairs holds those that were trained on."""
    nothing = lambda asks, *_, **__: [None] * len(asks)  # noqa: E731
    monkeypatch.setattr(
        "fair_datasets.rewriters.training.generator_evaluation.rewrite_texts", nothing
    )
    long = Dataset.from_list([{"text": "The waiter left. " * 30, "gender": "man"}] * 3)
    config = tiny(
        ablation="swap-no-discriminator", denoising=0, epochs=1, pairs=tmp_path / "pairs.parquet"
    )
    trained = train_mbcda(config, concatenate_datasets([people, long]))
    found = trained.evaluated
    assert found.copied == (found.copied.texts, 0, found.copied.texts)
    assert found.copied.texts > 3
    assert found.unwritten == trained.rows["test"]
    assert found.fallen_back <= found.asked == trained.rows["test"] - found.copied.texts
    pairs = Dataset.from_parquet(str(tmp_path / "pairs.parquet"))
    assert len(pairs) == trained.rows["pairs"]
    assert trained.left_out["more than 40 tokens"] == 3
    assert (tmp_path / "pairs.parquet").stat().st_mode & 0o044


def test_a_text_and_its_swap_are_in_one_split(tiny: Settings, people: Dataset) -> None:
    """Else the pairs that are trained on hold the rewrites of test texts."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    texts = [*people["text"], *swap.apply(people)["text"]]
    both = Dataset.from_dict({"text": texts, "attribute": [0] * len(texts)})
    splits = split_by_text(tiny(), both)
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


def test_the_discriminator_is_trained_by_settings_of_its_own() -> None:
    """Without a warm-up, and else as the generator is."""
    own = method.DiscriminatorConfig(epochs=3, learning_rate=0.5)
    config = method.MbcdaConfig(
        out="g", parallel=PARALLEL, discriminator=own, warmup_steps=9, batch_size=16, epochs=5
    )
    found = config.of_discriminator()
    assert (found.epochs, found.learning_rate, found.warmup_steps) == (3, 0.5, 0)
    assert found.batch_size == 16


def test_what_cannot_be_trained(
    tiny: Settings, people: Dataset, tmp_path: Path, detector: str
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
        (people, {"max_length": 3}, "no row is left for train: all"),
        (people, {"causal": detector}, "which a causal model needs"),
    ]
    for number, (given, changes, told) in enumerate(cases):
        with pytest.raises(InputError, match=told):
            train_mbcda(tiny(out=tmp_path / str(number), **changes), given)
    assert not (tmp_path / "2.work").exists()


def test_the_card_says_what_to_doubt() -> None:
    """A discriminator that reads no better than chance, and a judge that chose the pairs."""
    config = method.MbcdaConfig(out="g", parallel=PARALLEL)
    evaluated = Evaluated([], [], Copied(0, 0, 0), 0, 0, 0)
    rows = {"train": 1, "validation": 1, "test": 1}
    for accuracy, is_told in ((0.5, True), (0.59, True), (0.7, False)):
        held_out = method.HeldOut(accuracy, 0.5, 100)
        trained = method.TrainedMbcda(Path("g"), rows, {}, ("man", "woman"), evaluated, held_out)
        assert ("That is no better than chance" in trained.card(config)) is is_told
    judged = "The same classifier filtered the training pairs"
    filtered = ParallelConfig(attribute="gender", classifier="ada/gender")
    for judge, is_told in (("ada/gender", True), ("ada/other", False), (None, False)):
        own = method.MbcdaConfig(out="g", parallel=filtered, judge=judge)
        assert (judged in trained.card(own)) is is_told
