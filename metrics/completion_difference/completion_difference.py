"""How completions of prompts differ from those of their counterfactuals, for `evaluate`."""

from functools import partial
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.completions import CompletionDifference as Result
from fair_datasets.measures.completions import completion_difference
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.scores.embeddings import Pooling, sentence_vectors


def of_completions(
    predictions: Any,
    counterfactual_predictions: Any,
    *,
    control_predictions: Rows = None,
    scores: Rows = None,
    counterfactual_scores: Rows = None,
    control_scores: Rows = None,
    model: Any = None,
    pooling: Pooling = "auto",
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
    threshold: float = 0.5,
    undefined: Undefined = "nan",
) -> Result:
    """Compare completions of prompts with those of their counterfactuals.

    Args:
        predictions: The completion of each original prompt.
        counterfactual_predictions: The completion of each counterfactual prompt, in the same order.
        control_predictions: Further completions of each original prompt: a list for each row.
        scores: A score in [0, 1] of each completion, such as its toxicity.
        counterfactual_scores: The scores of the completions of the counterfactual prompts.
        control_scores: The scores of the further completions: a list for each row.
        model: What makes vectors of texts for cosines: a Hub id, a folder, a tuple of a model and
            its tokenizer, or a function from a list of texts; None for no cosines.
        pooling: "mean", "max", "cls" or "last"; "auto" does as a folder of sentence-transformers
            says, else takes the mean.
        threshold: The score above which one counts for the share.
    """
    encode = None
    if model is not None:
        encode = partial(
            sentence_vectors, model=model, pooling=pooling, batch_size=batch_size,
            revision=revision, device=device,
        )  # fmt: skip
    return completion_difference(
        predictions, counterfactual_predictions, control_predictions=control_predictions,
        scores=scores, counterfactual_scores=counterfactual_scores, control_scores=control_scores,
        encode=encode, threshold=threshold, undefined=undefined,
    )  # fmt: skip


@base.computes(of_completions, "predictions", "counterfactual_predictions")
class CompletionDifference(base.Comparison):
    """How completions of prompts differ from those of their counterfactuals.

    Differences of scores, pair by pair, of the distributions and of shares, and how alike the texts
    are; each beside pairs of completions of one prompt.
    """
