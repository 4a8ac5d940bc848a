"""The Trainer of a perturber, which ends with the state that is best by BLEU."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.measures.text_overlap import text_overlap
from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.rewriter_training.encoding import Tokens, decoded

if TYPE_CHECKING:
    from fair_datasets.rewriter_training.trainer import KeyedTrainer


def trainer_of(
    config: PerturberConfig,
    model: Any,
    tokenizer: Any,
    train: Sequence[Tokens],
    validation: Sequence[Tokens],
    references: Sequence[str],
    work: Path,
) -> "KeyedTrainer":
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
    from transformers import DataCollatorForSeq2Seq, EarlyStoppingCallback

    from fair_datasets.rewriter_training.trainer import KeyedTrainer

    def measured(predicted: Any) -> dict[str, float]:
        """Return the BLEU of rewritten validation rows."""
        texts = decoded(predicted.predictions, tokenizer)
        return {"bleu": text_overlap(texts, references).mean.bleu}

    return KeyedTrainer(
        config, model=model, train=train, work=work, checkpoints=config.evaluations,
        processing_class=tokenizer, eval_dataset=validation, compute_metrics=measured,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model, label_pad_token_id=-100),
        callbacks=[EarlyStoppingCallback(config.patience)],
        arguments={
            "eval_strategy": "steps", "load_best_model_at_end": True,
            "metric_for_best_model": "bleu", "greater_is_better": True,
            "predict_with_generate": True, "generation_max_length": config.max_length,
        },
    )  # fmt: skip
