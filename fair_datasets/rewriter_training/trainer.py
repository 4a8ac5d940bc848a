"""The Trainer of transformers as the training of a rewriter needs it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fair_datasets import interrupts
from fair_datasets.extras import require
from fair_datasets.rewriter_training.config import TrainingConfig
from fair_datasets.rewriter_training.encoding import KeyedOrder
from fair_datasets.rewriter_training.work import last_checkpoint

require("training", owner="KeyedTrainer")

import torch  # noqa: E402
from datasets.utils import tqdm  # noqa: E402
from transformers import (  # noqa: E402
    PrinterCallback,
    ProgressCallback,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    TrainerCallback,
)


class KeyedTrainer(Seq2SeqTrainer):
    """The Trainer, with an order of our own, which goes on where it was and heeds Ctrl-C.

    Args:
        config: The settings.
        train: The training rows.
        work: The folder of the checkpoints, of which the last is kept.
        checkpoints: How many an epoch has.
        title: What the progress bar says.
        callbacks: Further callbacks.
        arguments: What is to differ in the arguments of the Trainer.
        **given: What else the Trainer takes.
    """

    def __init__(
        self,
        config: TrainingConfig,
        *,
        train: Sequence[Any],
        work: Path,
        checkpoints: int = 1,
        title: str = "Training",
        callbacks: Sequence[TrainerCallback] = (),
        arguments: dict[str, Any] | None = None,
        **given: Any,
    ) -> None:
        """Make the Trainer."""
        self._order = KeyedOrder(len(train), config.seed)
        has_gpu = torch.cuda.is_available()
        every = max(1, -(-len(train) // config.batch_size) // checkpoints)
        settings: dict[str, Any] = {
            "output_dir": str(work), "num_train_epochs": config.epochs,
            "per_device_train_batch_size": config.rows_at_once,
            "per_device_eval_batch_size": config.rows_at_once,
            "gradient_accumulation_steps": config.batch_size // config.rows_at_once,
            "learning_rate": config.learning_rate, "warmup_steps": config.warmup_steps,
            "max_grad_norm": config.gradient_clip, "weight_decay": 0.0,
            "save_strategy": "steps", "save_steps": every, "eval_steps": every,
            "save_total_limit": 1, "logging_strategy": "no", "report_to": "none",
            "disable_tqdm": True, "seed": config.seed, "dataloader_pin_memory": has_gpu,
            "bf16": has_gpu and torch.cuda.is_bf16_supported(),
        }  # fmt: skip
        super().__init__(
            args=Seq2SeqTrainingArguments(**settings | (arguments or {})),
            train_dataset=train,
            callbacks=[*callbacks, _Watch(title)],
            **given,
        )
        self._work = work
        for callback in (PrinterCallback, ProgressCallback):
            self.remove_callback(callback)

    def go_on(self) -> None:
        """Train from the last checkpoint on if there is one, to the end."""
        self.train(resume_from_checkpoint=last_checkpoint(self._work))

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """Return the order of the training rows."""
        return self._order


class _Watch(TrainerCallback):
    """Shows how far training is and the BLEU of the last evaluation; heeds Ctrl-C between steps."""

    def __init__(self, title: str) -> None:
        """Begin without a bar."""
        self.title = title
        self.bar: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin."""
        self.bar = tqdm(
            total=state.max_steps, initial=state.global_step, desc=self.title, unit="step"
        )

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Go on by a step."""
        interrupts.obey()
        self.bar.update(1)
        # The last state may be the best, wherever the last evaluation was.
        if state.global_step >= state.max_steps:
            control.should_save = True
            control.should_evaluate = args.eval_strategy != "no"

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any
    ) -> None:
        """Show what was measured."""
        if self.bar is not None:
            self.bar.set_postfix({"BLEU": f"{metrics['eval_bleu']:.2f}"})

    def on_prediction_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Heed Ctrl-C between two batches of an evaluation."""
        interrupts.obey()

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """End."""
        self.bar.close()
