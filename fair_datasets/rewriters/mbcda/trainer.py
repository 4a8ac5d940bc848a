"""The two trainings: of the discriminator on a generator's logits, and of the generator with it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.rows import ATTRIBUTE
from fair_datasets.system.extras import require

require("training", owner="PulledTrainer")

import torch  # noqa: E402
from torch import Tensor  # noqa: E402
from transformers import DataCollatorForSeq2Seq  # noqa: E402

from fair_datasets.rewriters.mbcda.discriminator import LogitDiscriminator, flipped_loss  # noqa: E402
from fair_datasets.rewriters.training.generator.trainer import GeneratorTrainer  # noqa: E402
from fair_datasets.rewriters.training.trainer import KeyedTrainer  # noqa: E402


class PulledTrainer(GeneratorTrainer):
    """Trains an encoder-decoder on pairs, and to write what a discriminator reads as asked for.

    The loss is `weights[0]` times that of a `GeneratorTrainer`, plus `weights[1]` times that of the
    attribute that the discriminator reads from the logits. Neither counts padding. The
    discriminator is fixed, and no part of the model that is saved.

    Args:
        config: The settings.
        discriminator: The discriminator.
        weights: The weights of the two losses.
        model: The encoder-decoder.
        **given: What else a `GeneratorTrainer` is given.

    Raises:
        InputError: The discriminator is of another vocabulary.
    """

    def __init__(
        self,
        config: TrainingConfig,
        *,
        discriminator: LogitDiscriminator,
        weights: tuple[float, float],
        model: Any,
        **given: Any,
    ) -> None:
        """Make the Trainer."""
        discriminator.refuse_vocabulary(model, owner=type(self).__name__)
        super().__init__(config, model=model, **given)
        self.weights = weights
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

    Args:
        config: The settings.
        model: The discriminator.
        generator: The encoder-decoder.
        tokenizer: Its tokenizer.
        train: The token ids of the texts, and the number of the `attribute` that each is of.
        work: The folder of the checkpoints.
    """

    def __init__(
        self,
        config: TrainingConfig,
        *,
        model: LogitDiscriminator,
        generator: Any,
        tokenizer: Any,
        train: Sequence[Any],
        work: Path,
    ) -> None:
        """Make the Trainer."""
        super().__init__(
            config, model=model, train=train, work=work, title="Training the discriminator",
            data_collator=DataCollatorForSeq2Seq(
                tokenizer, model=generator, label_pad_token_id=-100
            ),
            arguments={"remove_unused_columns": False},
        )  # fmt: skip
        self.model_accepts_loss_kwargs = False
        self.generator = generator.to(self.args.device).eval()

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of a batch, and the logits of the classes where these are asked for."""
        found = model(*teacher_forced(self.generator, inputs))
        loss = torch.nn.functional.cross_entropy(found, inputs[ATTRIBUTE])
        return (loss, found) if return_outputs else loss


def teacher_forced(generator: Any, inputs: Any) -> tuple[Tensor, Tensor]:
    """Return the logits that a generator gives texts, and where there are tokens.

    Args:
        inputs: A batch: `input_ids`, `attention_mask`, `labels`.

    Returns:
        The logits, of shape (B, T, V), and the mask, of shape (B, T).
    """
    given = {name: each for name, each in inputs.items() if name != ATTRIBUTE}
    with torch.no_grad():
        return generator(**given).logits, inputs["labels"] >= 0


def read_classes(
    discriminator: LogitDiscriminator, generator: Any, tokenizer: Any, rows: Sequence[Any],
    *, rows_at_once: int,
) -> list[int]:  # fmt: skip
    """Have a discriminator read the attribute of texts.

    Args:
        rows: The token ids of the texts, to read and to write.

    Returns:
        The number of the likeliest class of each text.
    """
    collate = DataCollatorForSeq2Seq(tokenizer, model=generator, label_pad_token_id=-100)
    found: list[int] = []
    for start in range(0, len(rows), rows_at_once):
        batch = collate(list(rows[start : start + rows_at_once])).to(generator.device)
        with torch.no_grad():
            found += discriminator(*teacher_forced(generator, batch)).argmax(-1).tolist()
    return found
