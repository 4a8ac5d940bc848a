"""The training of a generator on pairs of texts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.rows import ATTRIBUTE
from fair_datasets.system.extras import require

require("training", owner="GeneratorTrainer")

from transformers import DataCollatorForSeq2Seq  # noqa: E402

from fair_datasets.rewriters.training.trainer import KeyedTrainer  # noqa: E402


class GeneratorTrainer(KeyedTrainer):
    """Trains an encoder-decoder on pairs, by the mean cross-entropy of the tokens.

    Padding does not count.

    Args:
        config: The settings.
        model: The encoder-decoder.
        tokenizer: Its tokenizer.
        train: The token ids of the training rows, and the number of the `attribute` that each is
            to be read as, -100 for none.
        work: The folder of the checkpoints.
        title: What the progress bar says.
    """

    def __init__(
        self,
        config: TrainingConfig,
        *,
        model: Any,
        tokenizer: Any,
        train: Sequence[Any],
        work: Path,
        title: str = "Training the generator",
    ) -> None:
        """Make the Trainer."""
        super().__init__(
            config, model=model, train=train, work=work, title=title, processing_class=tokenizer,
            data_collator=DataCollatorForSeq2Seq(tokenizer, model=model, label_pad_token_id=-100),
            arguments={"remove_unused_columns": False},
        )  # fmt: skip
        # The loss is a mean over the rows that are computed at once, however many a step has.
        self.model_accepts_loss_kwargs = False

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of a batch, and what the model gave where that is asked for."""
        outputs = model(**{name: each for name, each in inputs.items() if name != ATTRIBUTE})
        return (outputs.loss, outputs) if return_outputs else outputs.loss
