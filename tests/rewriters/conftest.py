"""What the tests of trainings share: texts that are made here, and small models of them."""

import dataclasses
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from datasets import Dataset
from transformers import AutoTokenizer, ElectraConfig, ElectraForPreTraining

from fair_datasets.rewriters.fairflow import FairFlowConfig, FairFlowRewriterConfig
from fair_datasets.rewriters.mbcda.train import (
    DiscriminatorConfig,
    HeldOut,
    MbcdaConfig,
    discriminator_of,
)
from fair_datasets.rewriters.perturber.train import PerturberConfig
from fair_datasets.rewriters.training.generator import GeneratorConfig, Start, make_start
from fair_datasets.rewriters.training.parallel import ParallelConfig
from fair_datasets.rewriters.training.work import fixed_seed
from tests.rewriters.fairflow.test_build import saved
from tests.rewriters.mbcda.sentences import as_rows, numbered, sentences

# The loopback Hub, as the tests of fair_datasets.hub have it.
hub = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))["hub"]
# The commands, as the tests of fair_datasets.cli run them.
run = runpy.run_path(str(Path(__file__).parents[1] / "cli" / "conftest.py"))["run"]

TINY: dict[str, Any] = {
    "width": 16, "heads": 2, "layers": 1, "vocabulary": 400, "denoising": 1, "epochs": 2,
    "batch_size": 16, "rows_at_once": 8, "max_length": 40, "shares": (0.6, 0.2, 0.2),
    "learning_rate": 1e-3, "dropout": 0.1,
}  # fmt: skip
PERTURBER: dict[str, Any] = {
    "width": 16, "heads": 2, "layers": 1, "vocabulary": 400, "epochs": 2, "batch_size": 16,
    "rows_at_once": 8, "max_length": 64, "evaluations": 2, "evaluation_rows": 4, "dropout": 0.1,
}  # fmt: skip
WORDS: dict[str, Any] = {
    "pairs": ("he", "she"), "attributes": ("man", "woman"), "fewest": 5, "threshold": 1e-4,
    "classifier_epochs": 3, "flow_epochs": 2, "hidden_units": 8, "blocks": 2, "mutual": False,
    "candidates": "opposite",
}  # fmt: skip


class Plain(GeneratorConfig):
    """A generator that is trained on what the swap makes."""

    steps = "swap"


@pytest.fixture
def tiny(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """Return a function that gives settings of models that learn nothing, of a method."""

    def settings(kind: str = "mbcda", **changes: Any) -> Any:
        given: dict[str, Any] = {"out": tmp_path / "model"}
        if kind == "perturber":
            return PerturberConfig.small(**given | PERTURBER | changes)
        models = {name: request.getfixturevalue(name) for name in ("detector", "infiller")}
        parallel = ParallelConfig(attribute="gender", **models)
        own = {name: changes.pop(name) for name in list(changes) if hasattr(parallel, name)}
        given |= TINY | {"parallel": dataclasses.replace(parallel, **own)}
        if kind == "mbcda":
            given["discriminator"] = DiscriminatorConfig(
                widths=(16, 8), epochs=1, learning_rate=1e-3
            )
        if kind == "fairflow" and changes.get("variant", "V2") == "V2" and "axis" not in own:
            usual = {"work": tmp_path / "states", "columns": "text", **WORDS}
            usual["model"] = request.getfixturevalue("encoder")
            given["dictionary"] = FairFlowConfig(**usual | changes.pop("words", {}))
        return KINDS[kind].small(**given | changes)

    return settings


KINDS = {"mbcda": MbcdaConfig, "fairflow": FairFlowRewriterConfig, "plain": Plain}


@pytest.fixture(scope="session")
def people() -> Dataset:
    """Return sentences about one person, and some about nobody."""
    return as_rows(sentences(120, neutral=0.2, seed=7))


class Learnt(NamedTuple):
    """A small model that fills gaps, and a discriminator on its logits.

    Attributes:
        start: What trainings start from.
        discriminator: The discriminator.
        held_out: How well it reads sentences that it was not trained on.
        train: The sentences of both.
        unseen: Sentences with nouns in frames where they never stood.
    """

    start: Start
    discriminator: Any
    held_out: HeldOut
    train: list[Any]
    unseen: list[Any]


def taught(once: Any, name: str, size: int, epochs: int) -> Learnt:
    """Teach a small model to fill gaps, and a discriminator."""
    made = sentences(size, neutral=0.1)
    train, unseen = ([each for each in made if each.unseen is one] for one in (False, True))

    def start(work: Path) -> Start:
        config = MbcdaConfig.small(
            out=work / "generator", vocabulary=500, denoising=epochs, learning_rate=3e-3,
            warmup_steps=50, max_length=40, parallel=ParallelConfig(attribute="gender"),
            discriminator=DiscriminatorConfig(epochs=epochs, learning_rate=1e-3),
        )  # fmt: skip
        return make_start(config, [each.text for each in train], work)

    def teach(work: Path) -> None:
        labelled, held_out = ([each for each in some if each.gender is not None]
                              for some in (train, unseen))  # fmt: skip
        rows = map(numbered, (labelled, held_out))
        torch.save(discriminator_of(start(work), *rows), work / "discriminator.pt")

    with fixed_seed(0):
        work = once(name, teach)
        discriminator, found = torch.load(work / "discriminator.pt", weights_only=False)
        return Learnt(start(work), discriminator, found, train, unseen)


@pytest.fixture(scope="session")
def learnt(once: Any) -> Learnt:
    """Return models that know the toy language."""
    return taught(once, "learnt-mbcda", 1200, 4)


@pytest.fixture(scope="session")
def begun(once: Any) -> Learnt:
    """Return models that know little, for what is asked of any."""
    return taught(once, "begun-mbcda", 200, 1)


@pytest.fixture(scope="session")
def infiller(begun: Learnt) -> str:
    """Return the folder of a model that fills gaps."""
    return str(begun.start.model)


@pytest.fixture(scope="session")
def detector(infiller: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a detector with random weights, which finds one word in ten wrong."""
    tokenizer = AutoTokenizer.from_pretrained(infiller)
    with fixed_seed(0):
        model = ElectraForPreTraining(
            ElectraConfig(
                vocab_size=len(tokenizer), embedding_size=16, hidden_size=16, num_hidden_layers=1,
                num_attention_heads=2, intermediate_size=16, max_position_embeddings=64,
                initializer_range=0.5,
            )
        ).eval()  # fmt: skip
        batch = tokenizer([each.text for each in sentences(50)], padding=True, return_tensors="pt")
        with torch.no_grad():
            logits = model(batch["input_ids"], batch["attention_mask"]).logits
            kept = logits[batch["attention_mask"] == 1]
            model.discriminator_predictions.dense_prediction.bias -= kept.quantile(0.9)
    folder = tmp_path_factory.mktemp("detector")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of an encoder with random weights, which knows few words."""
    return saved(tmp_path_factory.mktemp("encoder") / "model")
