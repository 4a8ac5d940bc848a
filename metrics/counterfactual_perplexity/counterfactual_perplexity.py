"""The perplexity of rewritten texts beside that of their originals, for `evaluate`."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.rewrites import counterfactual_perplexity
from fair_datasets.scores.likelihoods import are_texts, causal_losses


class CounterfactualPerplexity(base.Metric):
    """How well a causal language model predicts rewritten texts, beside their originals.

    A ratio of 1 says that the rewrites are as fluent to that model as the originals; above 1 is
    less fluent.
    """

    CITATION = """
        @inproceedings{tokpo-calders-2023-model,
            title = "Model-based Counterfactual Generator for Gender Bias Mitigation",
            author = "Tokpo, Ewoenam Kwaku and Calders, Toon",
            year = "2023",
        }
    """
    PARAMETERS = """
        predictions: The rewritten texts, or the mean loss per token of each.
        references: The original texts in the same order, or the mean loss per token of each.
        max_tokens: Cut texts to this many tokens (200 as published), or to what the model reads
            (None).
    """
    RETURNS = """
        factual: The perplexity of the original texts, in [1, inf).
        counterfactual: The perplexity of the rewritten texts, in [1, inf).
        ratio: Counterfactual by factual; 1 is as fluent, above 1 is less fluent.
        texts: How many rows count.
        skipped: How many rows do not, as one of their texts is empty or of one token.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> result = load_metric("counterfactual_perplexity").compute(
        ...     predictions=[4.1, 4.1, None], references=[4.0, 4.0, 4.0]
        ... )
        >>> round(result["ratio"], 3), result["texts"], result["skipped"]
        (1.105, 2, 1)
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        *,
        model: Any = None,
        max_tokens: int | None = 200,
        batch_size: int = 32,
        revision: str | None = None,
        device: str | None = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        if are_texts(predictions, model, "predictions"):
            references, predictions = causal_losses(
                {"references": references, "predictions": predictions},
                model,
                max_tokens=max_tokens,
                batch_size=batch_size,
                revision=revision,
                device=device,
            )
        return asdict(counterfactual_perplexity(references, predictions, undefined=undefined))
