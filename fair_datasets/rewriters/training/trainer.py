"""The Trainer of transformers as the training of a rewriter needs it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.network import KeyedOrder
from fair_datasets.rewriters.training.parallel import ATTRIBUTE
from fair_datasets.rewriters.training.work import last_checkpoint
from fair_datasets.system import interrupts
from fair_datasets.system.checks import require
from fair_datasets.system.resume import ProgressTracker

require("training", owner="KeyedTrainer")

import torch  # noqa: E402
from transformers import (  # noqa: E402
    DataCollatorForSeq2Seq,
    PrinterCallback,
    ProgressCallback,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    TrainerCallback,
)


class KeyedTrainer(Seq2SeqTrainer):
    """The Trainer, with an order of our own, which goes on where it was and heeds Ctrl-C."""

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
        self.settings = config
        self._order = KeyedOrder(len(train), config.seed)
        self._watch = _Watch(title, work)
        has_gpu = torch.cuda.is_available()
        every = -(-len(train) // config.batch_size // checkpoints)
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
            callbacks=[*callbacks, self._watch],
            **given,
        )
        self._work = work
        for callback in (PrinterCallback, ProgressCallback):
            self.remove_callback(callback)

    def resume(self) -> None:
        """Train from the last checkpoint on if there is one, to the end."""
        with self._watch:
            self.train(resume_from_checkpoint=last_checkpoint(self._work))

    def training_step(self, *arguments: Any, **given: Any) -> Any:
        """Compute a part of a step, and keep its loss for who watches."""
        loss = super().training_step(*arguments, **given)
        self._watch.losses.append(float(loss))
        return loss

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        """Return the order of the training rows."""
        return self._order


class _Watch(TrainerCallback, AbstractContextManager["_Watch"]):
    """Shows the progress of a training and its last BLEU; heeds Ctrl-C between steps."""

    def __init__(self, title: str, work: Path) -> None:
        """Begin without steps, and without the losses of the parts of a step."""
        self.title, self.work = title, work
        self.losses: list[float] = []
        self.steps: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin."""
        self.steps = ProgressTracker(
            self.title, state.max_steps, done=state.global_step, work=self.work
        )
        self.steps.__enter__()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Go on by a step."""
        loss = sum(self.losses)
        self.losses.clear()
        self.steps.step(loss)
        # The last state may be the best, wherever the last evaluation was.
        if state.global_step >= state.max_steps:
            control.should_save = True
            control.should_evaluate = args.eval_strategy != "no"

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any
    ) -> None:
        """Show what was measured."""
        if self.steps is not None:
            self.steps.bar.set_postfix({"BLEU": f"{metrics['eval_bleu']:.2f}"})

    def on_prediction_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Heed Ctrl-C between two batches of an evaluation."""
        interrupts.raise_if_interrupted()

    def __exit__(self, *raised: object) -> None:
        """End, however the training did."""
        if self.steps is not None:
            self.steps.__exit__(*raised)


class GeneratorTrainer(KeyedTrainer):
    """Trains an encoder-decoder on pairs, by the mean cross-entropy of the tokens.

    Padding does not count.

    Args:
        train: The token ids of the training rows, and the number of the `attribute` that each is
            to be read as, -100 for none.
    """

    def __init__(
        self, config: TrainingConfig, *, model: Any, tokenizer: Any,
        title: str = "Training the generator", **given: Any,
    ) -> None:  # fmt: skip
        """Make the Trainer."""
        super().__init__(
            config, model=model, title=title, processing_class=tokenizer,
            data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
            arguments={"remove_unused_columns": False}, **given,
        )  # fmt: skip
        # The loss is a mean over the rows that are computed at once, however many a step has.
        self.model_accepts_loss_kwargs = False

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return the loss of a batch, and what the model gave where that is asked for."""
        outputs = model(**{name: each for name, each in inputs.items() if name != ATTRIBUTE})
        return (outputs.loss, outputs) if return_outputs else outputs.loss
