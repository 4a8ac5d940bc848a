"""Training MBCDA, from texts to a folder with a model that writes their counterfactuals."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fair_datasets.mbcda.card import mbcda_card
from fair_datasets.mbcda.config import MbcdaConfig
from fair_datasets.mbcda.discriminating import HeldOut, discriminator_of
from fair_datasets.rewriter_training.generator.train import TrainedGenerator, opened

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.mbcda.discriminator import LogitDiscriminator

_OWNER = "train_mbcda"


@dataclass(frozen=True)
class TrainedMbcda(TrainedGenerator):
    """A generator of counterfactuals that MBCDA trained.

    Attributes:
        held_out: How well the discriminator reads the validation texts; None where there is none.
    """

    held_out: HeldOut | None


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

    Args:
        config: The settings.
        dataset: The rows, with a column of texts and one of their attribute.
        source: What the rows are, for the card.
        command: The command that trains it again, for the card.

    Returns:
        Where the model is, and how well it does on the test texts.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no pair is
            left, the folder holds something already, or the work folder is of other settings or
            rows.

    Source:
        Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias Mitigation".
    """
    with opened(config, dataset, owner=_OWNER) as training:
        pairs = training.pairs()
        start = training.start()
        trainer, held_out = None, None
        if config.chosen.discriminated:
            splits = training.splits
            discriminator, held_out = discriminator_of(start, splits["train"], splits["validation"])
            trainer = pulled_by(discriminator, config)
        result = TrainedMbcda(**vars(training.trained(start, pairs, trainer)), held_out=held_out)
        training.finish(mbcda_card(result, config, source=source, command=command))
    return result


def pulled_by(discriminator: "LogitDiscriminator", config: MbcdaConfig) -> Callable[..., Any]:
    """Return the trainer of a generator that a discriminator pulls along.

    Args:
        discriminator: The discriminator.
        config: The settings, which say how much it does.

    Returns:
        What `generator_of` takes.
    """
    from fair_datasets.mbcda.trainer import PulledTrainer

    return partial(
        PulledTrainer, discriminator=discriminator, weights=(1.0, config.discriminator.weight)
    )
