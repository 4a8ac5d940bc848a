"""Perplexity of a corpus, and of counterfactual texts beside the texts that they come from.

Source: Tokpo and Calders, "Model-Based Counterfactual Generator for Gender Bias Mitigation", 2023.
"""

import math
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import column, is_missing, listed
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, slots=True)
class Perplexity:
    """How well a language model predicts a corpus; lower is more fluent to that model.

    Attributes:
        perplexity: The exponential of the mean over texts of their mean losses, in [1, inf). 1 is
            a corpus that the model knows by heart.
        texts: How many texts are in the mean.
        skipped: How many texts have no loss, as they are empty or of one token.
    """

    perplexity: float
    texts: int
    skipped: int


@dataclass(frozen=True, slots=True)
class CounterfactualPerplexity:
    """The perplexity of counterfactuals beside that of their originals, over the same rows.

    Attributes:
        factual: The perplexity of the original texts, in [1, inf).
        counterfactual: The perplexity of the rewritten texts, in [1, inf).
        ratio: Counterfactual by factual, in (0, inf). 1 is as fluent as the originals to this
            model, above 1 is less fluent.
        texts: How many rows are in the means.
        skipped: How many rows are left out, as one of their two texts has no loss.
    """

    factual: float
    counterfactual: float
    ratio: float
    texts: int
    skipped: int


def perplexity(losses: ArrayLike, *, undefined: Undefined = "nan") -> Perplexity:
    """Give the perplexity of a corpus from the loss of each text.

    The mean is over texts, not over tokens, and the exponential comes last: a long text weighs as
    much as a short one.

    Args:
        losses: For each text its mean negative log-likelihood per predicted token, in nats; NaN or
            None where no token is predicted. Shape (N,).
        undefined: What to give if no text has a loss: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A loss is negative, infinite or no number, or they are too large for a mean per
            token.

    Example:
        >>> perplexity([4.0, 4.2, None])
        Perplexity(perplexity=60.34..., texts=2, skipped=1)
    """
    checks.one_of(undefined, get_args(Undefined), owner="perplexity", parameter="undefined")
    values, has_loss = _losses(losses, "losses", owner="perplexity")
    value = _perplexity(values[has_loss], "losses", undefined, owner="perplexity")
    return Perplexity(value, int(has_loss.sum()), int((~has_loss).sum()))


def counterfactual_perplexity(
    factual: ArrayLike, counterfactual: ArrayLike, *, undefined: Undefined = "nan"
) -> CounterfactualPerplexity:
    """Compare the perplexity of rewritten texts with that of their originals.

    A row counts only if both of its texts have a loss, so that both means are over the same rows.

    Args:
        factual: For each original its mean negative log-likelihood per predicted token, in nats;
            NaN or None where no token is predicted. Shape (N,).
        counterfactual: The same for the rewritten texts, in the same order. Shape (N,).
        undefined: What to give if no row has both losses: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A loss is negative, infinite or no number, they are too large for a mean per
            token, or the lengths differ.

    Example:
        >>> result = counterfactual_perplexity([4.0, 4.0], [4.1, 4.1])
        >>> round(result.ratio, 3)
        1.105
    """
    owner = "counterfactual_perplexity"
    checks.one_of(undefined, get_args(Undefined), owner=owner, parameter="undefined")
    originals, has_factual = _losses(factual, "factual (references)", owner=owner)
    rewrites, has_counterfactual = _losses(
        counterfactual, "counterfactual (predictions)", owner=owner
    )
    inputs.same_length({"factual": originals, "counterfactual": rewrites}, owner=owner)
    both = has_factual & has_counterfactual
    first = _perplexity(originals[both], "factual", undefined, owner=owner)
    second = _perplexity(rewrites[both], "counterfactual", undefined, owner=owner)
    ratio = second / first if first else first
    return CounterfactualPerplexity(first, second, ratio, int(both.sum()), int((~both).sum()))


def _losses(
    values: Any, argument: str, *, owner: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Read losses, and which rows have one."""
    given = listed(column(values, argument, owner=owner))
    missing = np.array([is_missing(value) for value in given], dtype=bool)
    known = [0.0 if gone else value for value, gone in zip(given, missing, strict=True)]
    losses = inputs.scores(known, argument, owner=owner)
    wrong = np.flatnonzero(losses < 0)
    if wrong.size:
        row = int(wrong[0])
        raise InputError(
            f"{owner}: {argument} must be mean negative log-likelihoods, which are not below 0, "
            f"but row {row} is {losses[row].item()!r}. If these are log-likelihoods, change their "
            "sign first."
        )
    return losses, ~missing


def _perplexity(
    losses: NDArray[np.float64], argument: str, undefined: Undefined, *, owner: str
) -> float:
    """Give the exponential of the mean loss."""
    if not losses.size:
        return undefined_value(f"no text of {argument} has a loss.", undefined, owner=owner)
    mean = math.fsum(losses) / losses.size
    try:
        return math.exp(mean)
    except OverflowError:
        raise InputError(
            f"{owner}: {argument} must be means per token in nats, but their mean is {mean:g}, "
            "whose exponential is too large. If these are sums over a text, divide by its number "
            "of tokens."
        ) from None
