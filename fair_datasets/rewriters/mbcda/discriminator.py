"""The discriminator: it reads which attribute a text is of from the logits of its writer.

Source: Tokpo and Calders (2023), section on the generator; the widths, the second head and the
second pooling are those of their code.
"""

from pathlib import Path
from typing import Any, Self

import numpy as np

from fair_datasets.rewriters.mbcda.train import DiscriminatorConfig, MbcdaConfig
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.parallel import ATTRIBUTE
from fair_datasets.system.checks import require

require("training", owner="LogitDiscriminator")

import torch  # noqa: E402
from safetensors.torch import load_file  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from transformers import DataCollatorForSeq2Seq  # noqa: E402

from fair_datasets.rewriters.training.trainer import GeneratorTrainer, KeyedTrainer  # noqa: E402

# The widths of the code, and the vocabulary that they are of.
_WIDTHS, _VOCABULARY = (3265, 1265, 768), 50_265
_NARROWEST = 64


class LogitDiscriminator(nn.Module):
    """A classifier of the attribute of texts, whose input are the logits of their tokens.

    Each token's logits go through three layers (dropout, linear, ReLU; dropout, linear, ReLU;
    linear); the mean over a text's tokens is brought to length 1, and one layer reads the class
    from it. It never takes the likeliest token or a softmax, so that its gradient reaches the model
    that the logits are from.

    Args:
        shape: Its layers: without `widths` those of the code (3,265, 1,265 and 768 for a vocabulary
            of 50,265), in proportion to the vocabulary, and 64 at least. As `head`, `linear` is one
            layer behind the mean (the paper); `bart` two with a tanh between them and dropout
            before each (the code). As `pooling`, `mean` is over the tokens of a text, without its
            padding; `sum` over all of a batch's places, padding among them (the code), with which a
            result depends on the padding.
    """

    def __init__(self, vocabulary: int, shape: DiscriminatorConfig) -> None:
        """Make one with random weights."""
        super().__init__()
        widths = shape.widths or tuple(
            max(_NARROWEST, vocabulary * width // _VOCABULARY) for width in _WIDTHS
        )
        self.pooling = shape.pooling
        layers: list[nn.Module] = []
        inputs = vocabulary
        for number, width in enumerate(widths):
            layers += [nn.ReLU()] if number else []
            # Before the first two of three alone, as in the code.
            layers += [nn.Dropout(shape.dropout)] if number < 2 else []
            layers.append(nn.Linear(inputs, width))
            inputs = width
        self.layers = nn.Sequential(*layers)
        self.reader: nn.Module = nn.Linear(inputs, 2)
        if shape.head == "bart":
            self.reader = nn.Sequential(
                nn.Dropout(shape.dropout), nn.Linear(inputs, inputs), nn.Tanh(),
                nn.Dropout(shape.dropout), nn.Linear(inputs, 2),
            )  # fmt: skip

    def forward(self, logits: Tensor, mask: Tensor) -> Tensor:
        """Read the attribute of texts. Shape (B, 2).

        Args:
            mask: True where there is a token, False for padding. Shape (B, T).
        """
        states = self.layers(logits)
        if self.pooling == "mean":
            weights = mask.unsqueeze(-1)
            # A mean, up to a length that goes in the next line; what padding holds never counts.
            states = states.masked_fill(~weights, 0.0)
        pooled = nn.functional.normalize(states.sum(1), dim=-1)
        scores: Tensor = self.reader(pooled)
        return scores

    def freeze(self) -> Self:
        """Fix the weights, and leave out no more inputs."""
        self.requires_grad_(False)
        return self.eval()

    @classmethod
    def load(cls, file: Path, shape: DiscriminatorConfig) -> Self:
        """Read the weights of one of this shape, and fix them."""
        weights = load_file(file)
        discriminator = cls(weights["layers.1.weight"].shape[1], shape)
        discriminator.load_state_dict(weights)
        return discriminator.freeze()


def flipped_loss(discriminator: LogitDiscriminator, logits: Tensor, mask: Tensor,
                 asked: Tensor) -> Tensor:  # fmt: skip
    """Return how far logits are from being read as the attribute that is asked for (L_disc).

    Returns:
        The mean cross-entropy of the rows that have a class; 0 where none has.
    """
    counts = asked >= 0
    losses = nn.functional.cross_entropy(
        discriminator(logits, mask), asked.clamp(min=0), reduction="none"
    )
    return torch.where(counts, losses, 0.0).sum() / counts.sum().clamp(min=1)


class AdversarialTrainer(GeneratorTrainer):
    """Trains an encoder-decoder on pairs, and to write what a discriminator reads as asked for.

    The loss is `weights[0]` times that of a `GeneratorTrainer`, plus `weights[1]` times that of the
    attribute that the discriminator reads from the logits. Neither counts padding. The
    discriminator is fixed, and no part of the model that is saved.
    """

    def __init__(
        self, config: MbcdaConfig, *, discriminator: LogitDiscriminator, **given: Any
    ) -> None:
        """Make the Trainer."""
        super().__init__(config, **given)
        self.weights = (1.0, config.discriminator.weight)
        self.discriminator = discriminator.freeze().to(self.args.device)

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of a batch, and what the model gave where that is asked for."""
        loss, outputs = super().compute_loss(model, inputs, return_outputs=True)
        mask = inputs["labels"] >= 0
        flipped = flipped_loss(self.discriminator, outputs.logits, mask, inputs[ATTRIBUTE])
        loss = self.weights[0] * loss + self.weights[1] * flipped
        return (loss, outputs) if return_outputs else loss


class DiscriminatorTrainer(KeyedTrainer):
    """Trains a discriminator on the logits that a generator gives texts.

    The generator is given each text to read and to write (teacher forcing), as the very model that
    its own training starts from; it is fixed.
    """

    def __init__(
        self, config: TrainingConfig, *, generator: Any, tokenizer: Any, **given: Any
    ) -> None:
        """Make the Trainer."""
        super().__init__(
            config, title="Training the discriminator",
            data_collator=DataCollatorForSeq2Seq(tokenizer, model=generator),
            arguments={"remove_unused_columns": False, "label_names": ["labels"]}, **given,
        )  # fmt: skip
        self.model_accepts_loss_kwargs = False
        self.generator = generator.to(self.args.device).eval()

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of a batch, and the logits of the classes where these are asked for."""
        logits = model(*teacher_forced(self.generator, inputs))
        loss = torch.nn.functional.cross_entropy(logits, inputs[ATTRIBUTE])
        return (loss, {"logits": logits}) if return_outputs else loss

    def read(self, rows: Any) -> list[int]:
        """Read the attribute of texts."""
        attributes: list[int] = np.asarray(self.predict(rows).predictions).argmax(-1).tolist()
        return attributes


def teacher_forced(generator: Any, inputs: Any) -> tuple[Tensor, Tensor]:
    """Return the logits that a generator gives texts, and where there are tokens.

    Returns:
        The logits, of shape (B, T, V), and the mask, of shape (B, T).
    """
    given = {name: each for name, each in inputs.items() if name != ATTRIBUTE}
    with torch.no_grad():
        return generator(**given).logits, inputs["labels"] >= 0
