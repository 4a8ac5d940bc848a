"""The likelihoods that a language model gave to texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError


@dataclass(frozen=True, slots=True)
class TextLikelihoods:
    """The log-likelihood of each text, in nats.

    Attributes:
        log_likelihoods: The sum over the scored tokens; NaN where none is scored, as in an empty
            text. Shape (N,).
        tokens: How many tokens are scored. Shape (N,).
        truncated: Which texts were cut before they were scored. Shape (N,).
    """

    log_likelihoods: NDArray[np.float64]
    tokens: NDArray[np.int64]
    truncated: NDArray[np.bool_]

    @property
    def per_token(self) -> NDArray[np.float64]:
        """The mean over the scored tokens; NaN where none is scored. Shape (N,)."""
        return self.log_likelihoods / np.maximum(self.tokens, 1)

    @property
    def losses(self) -> NDArray[np.float64]:
        """The mean negative log-likelihood per token, whose exponential is a perplexity."""
        return -self.per_token + 0.0

    @property
    def skipped(self) -> int:
        """How many texts have no scored token."""
        return int((self.tokens == 0).sum())


def are_texts(values: Sequence[Any], model: Any, argument: str, *, owner: str) -> bool:
    """Tell whether values are texts for a model, or what a model said already.

    Args:
        values: Texts or numbers.
        model: The model, or None.
        argument: The name of the values, for errors.
        owner: The measure, for errors.

    Raises:
        InputError: There are texts without a model, or numbers with one.

    Example:
        >>> are_texts(["He ran."], None, "predictions", owner="counterfactual_perplexity")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: counterfactual_perplexity: predictions has texts, so it needs
        a model to score them; give model.
    """
    has_texts = any(isinstance(value, str) for value in values)
    if has_texts and model is None:
        raise InputError(
            f"{owner}: {argument} has texts, so it needs a model to score them; give model."
        )
    if model is not None and len(values) and not has_texts:
        raise InputError(
            f"{owner}: {argument} has no texts, so there is nothing for a model to score; leave "
            "model out."
        )
    return has_texts
