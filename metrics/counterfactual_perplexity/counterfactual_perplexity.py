"""The perplexity of rewritten texts beside that of their originals, for `evaluate`."""

from typing import Any

from fair_datasets.measures import base, rewrites
from fair_datasets.measures.inputs import Undefined
from fair_datasets.scores.likelihoods import are_texts, causal_losses


def of_texts(
    predictions: Any,
    references: Any,
    *,
    model: Any = None,
    max_tokens: int | None = 200,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
    undefined: Undefined = "nan",
) -> rewrites.CounterfactualPerplexity:
    """Compare the perplexities of texts, or of their losses.

    Args:
        predictions: The rewritten texts, or the mean loss per token of each.
        references: The original texts in the same order, or the mean loss per token of each.
        max_tokens: Cut texts to this many tokens, 200 as published; None for what the model reads.
    """
    if are_texts(predictions, model, "predictions"):
        texts = {"references": references, "predictions": predictions}
        references, predictions = causal_losses(
            texts, model, max_tokens=max_tokens, batch_size=batch_size,
            revision=revision, device=device)  # fmt: skip
    return rewrites.counterfactual_perplexity(references, predictions, undefined=undefined)


@base.computes(of_texts, "predictions", "references")
class CounterfactualPerplexity(base.Metric):
    """How well a causal language model predicts rewritten texts, compared with their originals.

    A ratio of 1 says that the rewrites are as fluent to that model as the originals; above 1 is
    less fluent.
    """
