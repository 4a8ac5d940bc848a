"""The Trainer of transformers as a perturber needs it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets import interrupts
from fair_datasets.measures.text_overlap import text_overlap
from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.perturber.training.encoding import KeyedOrder, Tokens, decoded

if TYPE_CHECKING:
    from transformers import Seq2SeqTrainer, TrainerCallback


def trainer_of(
    config: PerturberConfig,
    model: Any,
    tokenizer: Any,
    train: Sequence[Tokens],
    validation: Sequence[Tokens],
    references: Sequence[str],
    work: Path,
) -> "Seq2SeqTrainer":
    """Return what trains a model, keeps checkpoints and ends with the best state.

    Args:
        config: The settings.
        model: The model.
        tokenizer: Its tokenizer.
        train: The token ids of the training rows.
        validation: Those of the validation rows.
        references: What these are to be rewritten to.
        work: The folder of the checkpoints.

    Returns:
        The Trainer.
    """
    import torch
    from transformers import (
        DataCollatorForSeq2Seq,
        EarlyStoppingCallback,
        PrinterCallback,
        ProgressCallback,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
    )

    has_gpu = torch.cuda.is_available()
    steps = -(-len(train) // config.batch_size)
    every = max(1, steps // config.evaluations)
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(work), num_train_epochs=config.epochs,
        per_device_train_batch_size=config.rows_at_once,
        per_device_eval_batch_size=config.rows_at_once,
        gradient_accumulation_steps=config.batch_size // config.rows_at_once,
        learning_rate=config.learning_rate, warmup_steps=config.warmup_steps,
        max_grad_norm=config.gradient_clip, weight_decay=0.0,
        eval_strategy="steps", eval_steps=every, save_strategy="steps", save_steps=every,
        save_total_limit=1, load_best_model_at_end=True, metric_for_best_model="bleu",
        greater_is_better=True, predict_with_generate=True,
        generation_max_length=config.max_length, logging_strategy="no", report_to="none",
        disable_tqdm=True, seed=config.seed, dataloader_pin_memory=has_gpu,
        bf16=has_gpu and torch.cuda.is_bf16_supported(),
    )  # fmt: skip

    class KeyedTrainer(Seq2SeqTrainer):
        """The Trainer, with an order of our own."""

        def _get_train_sampler(self, train_dataset: Any = None) -> Any:
            """Return the order of the training rows."""
            return KeyedOrder(len(train), config.seed)

    def measured(predicted: Any) -> dict[str, float]:
        """Return the BLEU of rewritten validation rows."""
        texts = decoded(predicted.predictions, tokenizer)
        return {"bleu": text_overlap(texts, references).mean.bleu}

    trainer = KeyedTrainer(
        model=model, args=arguments, processing_class=tokenizer, train_dataset=train,
        eval_dataset=validation, compute_metrics=measured,  # type: ignore[arg-type]
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model, label_pad_token_id=-100),
        callbacks=[EarlyStoppingCallback(config.patience), _watch()],
    )  # fmt: skip
    for callback in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(callback)
    return trainer


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers from telling what it saves and loads.

    Yields:
        Nothing.
    """
    from transformers.utils import logging

    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _watch() -> "TrainerCallback":
    """Return the callback that shows the progress, and heeds Ctrl-C between two steps."""
    from datasets.utils import tqdm
    from transformers import TrainerCallback

    class Watch(TrainerCallback):
        """Shows how far training is, and the BLEU of the last evaluation."""

        bar: Any = None

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Begin."""
            self.bar = tqdm(
                total=state.max_steps, initial=state.global_step, desc="Training", unit="step"
            )

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Go on by a step."""
            interrupts.obey()
            self.bar.update(1)
            # The last state may be the best, wherever the last evaluation was.
            if state.global_step >= state.max_steps:
                control.should_evaluate = control.should_save = True

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

    return Watch()
