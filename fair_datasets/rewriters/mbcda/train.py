"""Training MBCDA, from texts to a folder with a model that writes their counterfactuals."""

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self

from fair_datasets.cards.markdown import code
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.generator import (
    GeneratorConfig,
    GeneratorTraining,
    Start,
    TrainedGenerator,
    numbered_tokens,
    train_generator,
)
from fair_datasets.rewriters.training.parallel import ATTRIBUTE, TEXT
from fair_datasets.rewriters.training.work import fixed_seed, read_json
from fair_datasets.system import checks
from fair_datasets.system.checks import error_context, invalid
from fair_datasets.system.resume import write_atomically
from fair_datasets.system.validate import (
    Count,
    OneOf,
    Positive,
    ShareBelowOne,
    validate_fields,
)

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.rewriters.mbcda.discriminator import LogitDiscriminator

HEADS = ("linear", "bart")
POOLINGS = ("mean", "sum")


class Ablation(NamedTuple):
    """What a generator is trained on and with.

    Attributes:
        steps: The last step of the parallel data; see `parallel_rows`.
    """

    steps: str
    discriminated: bool


ABLATIONS: Mapping[str, Ablation] = MappingProxyType(
    {
        "full": Ablation("filter", True),
        "no-discriminator": Ablation("filter", False),
        "unfiltered": Ablation("repair", True),
        "unfiltered-no-discriminator": Ablation("repair", False),
        "swap": Ablation("swap", True),
        "swap-no-discriminator": Ablation("swap", False),
    }
)
"""The six systems of the paper's tables 7 and 8, in their order."""


def layer_widths(value: Any, *, parameter: str) -> tuple[int, ...]:
    """Return the widths of layers, or raise."""
    if not isinstance(value, list | tuple):
        raise invalid(
            f"{parameter} must be whole numbers, one for each layer, but it is {value!r}."
        )
    return tuple(
        checks.positive_whole_number(each, parameter=f"each of {parameter}") for each in value
    )


@dataclass(frozen=True, kw_only=True)
class DiscriminatorConfig:
    """The shape and the training of the discriminator: the table `[discriminator]`.

    Attributes:
        widths: How many outputs each of its layers has; none for widths that follow the vocabulary.
        dropout: The share of its inputs that a layer leaves out in training, in [0, 1).
        head: `linear` (the paper) or `bart` (the code); see `LogitDiscriminator`, as for the next.
        pooling: `mean` (the paper) or `sum` (the code).
        epochs: How often the training texts are seen.
        learning_rate: Of Adam; it falls linearly.
        weight: The weight of its loss in the training of the generator, whose own is 1.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> DiscriminatorConfig(head="bart", pooling="sum").epochs
        4
    """

    widths: Annotated[tuple[int, ...], layer_widths] = ()
    dropout: ShareBelowOne = 0.2
    head: Annotated[str, OneOf(HEADS)] = "linear"
    pooling: Annotated[str, OneOf(POOLINGS)] = "mean"
    epochs: Count = 4
    learning_rate: Positive = 2e-5
    weight: Positive = 1.0

    @error_context("[discriminator]")
    def __post_init__(self) -> None:
        """Check the settings."""
        validate_fields(self)


@dataclass(frozen=True, kw_only=True)
class MbcdaConfig(GeneratorConfig):
    """How MBCDA trains a generator of counterfactuals on texts, and where it is saved.

    The defaults are the paper's settings: ELECTRA finds wrong words and BART-base fills them, a
    BART-base is trained for two epochs of batches of 48 at a learning rate of 2e-5 on texts of at
    most 200 tokens. `MbcdaConfig.small` has a new, small generator, which learns to fill gaps
    first; the detector and the infiller are to be named even so.

    It has the settings of `GeneratorConfig` (`fair_datasets.rewriters.training.generator`)
    as well.

    Attributes:
        ablation: Which of the paper's systems is trained: `full`, `no-discriminator`, `unfiltered`,
            `unfiltered-no-discriminator`, or, on what the swap alone writes, `swap` and
            `swap-no-discriminator`.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> from fair_datasets.rewriters import MbcdaConfig, ParallelConfig
        >>> rows = ParallelConfig(attribute="gender")
        >>> MbcdaConfig(out="generator", parallel=rows).model
        'facebook/bart-base'
    """

    tables: ClassVar = {**GeneratorConfig.tables, "discriminator": DiscriminatorConfig}
    tag: ClassVar = "mbcda"
    citation: ClassVar = (
        "Tokpo, E. K., Calders, T. (2023). Model-based Counterfactual Generator for Gender Bias "
        "Mitigation. arXiv:2311.03186."
    )
    # At a larger rate the discriminator's first steps bring all texts, which begin near to each
    # other, to one direction; then it reads nothing for long.
    small_settings: ClassVar[dict[str, Any]] = {
        **GeneratorConfig.small_settings,
        "discriminator": DiscriminatorConfig(learning_rate=1e-4),
    }

    epochs: Count = 2
    learning_rate: Positive = 2e-5
    ablation: Annotated[str, OneOf(ABLATIONS)] = "full"
    discriminator: DiscriminatorConfig = field(default_factory=DiscriminatorConfig)

    @property
    def chosen(self) -> Ablation:
        """What the ablation stands for."""
        return ABLATIONS[self.ablation]

    @property
    def steps(self) -> str:
        """The last step of the parallel data."""
        return self.chosen.steps

    def of_discriminator(self) -> TrainingConfig:
        """Return the settings of the discriminator's training."""
        own = self.discriminator
        return dataclasses.replace(
            self, epochs=own.epochs, learning_rate=own.learning_rate, warmup_steps=0
        )

    def trainer(
        self, start: Start[Self], splits: Mapping[str, "Dataset"]
    ) -> Callable[..., Any] | None:
        """Train the discriminator, if there is one, and return the trainer that it pulls along."""
        if not self.chosen.discriminated:
            return None
        from fair_datasets.rewriters.mbcda.discriminator import AdversarialTrainer

        discriminator, _ = discriminator_of(start, splits["train"], splits["validation"])
        return partial(AdversarialTrainer, discriminator=discriminator)

    def conclude(
        self, trained: TrainedGenerator, training: GeneratorTraining[Self]
    ) -> "TrainedMbcda":
        """Return what was trained with how well the discriminator reads."""
        held_out = held_out_of(training.work) if self.chosen.discriminated else None
        return TrainedMbcda(**vars(trained), held_out=held_out)

    def method(self, trained: "TrainedMbcda") -> list[str]:
        """Write which system it is, and how well the discriminator reads."""
        with_it = "with" if self.chosen.discriminated else "without"
        lines = [
            f"MBCDA, {code(self.ablation)}: the generator was trained {with_it} the discriminator."
        ]
        held = trained.held_out
        if held is not None:
            lines += [
                "",
                f"The discriminator reads the attribute of {held.accuracy:.1%} of {held.texts:,} "
                f"validation texts correctly; {held.majority:.1%} have the more frequent one."
                + (_AT_CHANCE if held.is_chance else ""),
            ]
        return lines


class HeldOut(NamedTuple):
    """How well a discriminator reads texts that it was not trained on."""

    accuracy: float
    majority: float
    texts: int

    @classmethod
    def of(cls, predicted: Sequence[int], attributes: Sequence[int]) -> "HeldOut":
        """Compare what was read with the attributes that the texts have."""
        hits = sum(one == other for one, other in zip(predicted, attributes, strict=True))
        most = max(Counter(attributes).values())
        return cls(hits / len(attributes), most / len(attributes), len(attributes))

    @property
    def is_chance(self) -> bool:
        """Whether always naming the more frequent one does as well, within two standard errors."""
        error = sqrt(self.majority * (1 - self.majority) / self.texts)
        return self.accuracy <= self.majority + 2 * error


@dataclass(frozen=True)
class TrainedMbcda(TrainedGenerator):
    """A generator of counterfactuals that MBCDA trained.

    Attributes:
        held_out: How well the discriminator reads the validation texts; None where there is none.
    """

    held_out: HeldOut | None

    def lines(self) -> list[str]:
        """Return how well the discriminator reads, and what the generator does."""
        lines = super().lines()
        if self.held_out is None:
            return lines
        return [
            f"The discriminator reads {self.held_out.accuracy:.1%} of the validation texts "
            f"rightly; {self.held_out.majority:.1%} are of the more frequent attribute.", "", *lines
        ]  # fmt: skip


def train_mbcda(
    config: MbcdaConfig, dataset: "Dataset", *, source: str = "", command: str = ""
) -> TrainedMbcda:
    """Train a model to write the counterfactuals of texts, on corrected swaps.

    The swap writes counterfactuals, a detector masks what is wrong in them, an infiller fills the
    masks, and a filter leaves out the pairs whose attribute stays. On these pairs a generator is
    trained, while a discriminator, which was trained before to read the attribute from its logits,
    pulls it to the other attribute. The model is asked by `ModelRewrite(control="plain")`.

    Rows are split by text. Each step is kept in `<out>.work`, whole or not at all, and the
    trainings keep checkpoints there; the same call goes on from the last, and on a CPU writes what
    it would have written without the interrupt. When all is done that folder is removed. The
    checkpoints hold pickles of transformers (the states of the optimizer and of the draws), which
    it reads as data alone, never as code, and which are not published; what is left in the end are
    safetensors.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no pair is
            left, the folder holds something already, or the work folder is of other settings or
            rows.

    Source:
        Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation".
    """
    trained: TrainedMbcda = train_generator(config, dataset, source=source, command=command)
    return trained


_AT_CHANCE = (
    " That is no better than chance, so it did not guide the generator: train it for more epochs, "
    "or with a lower learning rate."
)
WEIGHTS, REPORT = "discriminator.safetensors", "report.json"


def discriminator_of(
    start: Start[Any], train: "Dataset", held_out: "Dataset"
) -> "tuple[LogitDiscriminator, HeldOut]":
    """Train the discriminator on the logits that the model gives texts of known attribute."""
    from fair_datasets.rewriters.mbcda.discriminator import LogitDiscriminator

    folder = start.work / "discriminator"
    if not folder.is_dir():
        # Whatever was drawn before: a step that is done already draws nothing.
        with fixed_seed(start.config.seed):
            _train_discriminator(start, {"train": train, "validation": held_out}, folder)
    shape = start.config.discriminator
    return LogitDiscriminator.load(folder / WEIGHTS, shape), held_out_of(start.work)


def held_out_of(work: Path) -> HeldOut:
    """Read how well the discriminator reads that was trained in a work folder."""
    return HeldOut(**read_json(work / "discriminator" / REPORT))


def _train_discriminator(start: Start[Any], splits: Mapping[str, "Dataset"], folder: Path) -> None:
    """Train a discriminator, measure it, and save both."""
    from safetensors.torch import save_file

    from fair_datasets.rewriters.mbcda.discriminator import DiscriminatorTrainer, LogitDiscriminator

    config = start.config
    generator, tokenizer = start.read()
    rows = {}
    for name, each in splits.items():
        known = each.filter(lambda row: row[ATTRIBUTE] is not None)
        texts = known[TEXT][:]
        rows[name], _ = numbered_tokens(start, tokenizer, texts, texts, known[ATTRIBUTE][:], name)
    vocabulary = generator.get_output_embeddings().weight.shape[0]
    model = LogitDiscriminator(vocabulary, config.discriminator)
    trainer = DiscriminatorTrainer(
        config.of_discriminator(), model=model, generator=generator, tokenizer=tokenizer,
        train=rows["train"], work=start.work / "discriminating",
    )  # fmt: skip
    trainer.resume()
    report = HeldOut.of(
        trainer.read(rows["validation"]), [row[ATTRIBUTE] for row in rows["validation"]]
    )

    def save(path: Path) -> None:
        save_file(model.state_dict(), path / WEIGHTS)
        (path / REPORT).write_text(json.dumps(report._asdict()), encoding="utf-8")

    write_atomically(folder, save)
