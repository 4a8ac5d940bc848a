"""Transfer accuracy: how often a rewritten text is read as another attribute than the original.

Source: Tokpo and Calders, "Model-Based Counterfactual Generator for Gender Bias Mitigation", 2023.
"""

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.system import checks


@dataclass(frozen=True, slots=True)
class TransferAccuracy:
    """How often a classifier of attributes no longer sees the original attribute.

    Attributes:
        transfer_accuracy: The share of rewritten texts that are read as another attribute than the
            original one, in percent, in [0, 100]. 0: none is; 100: all are. Higher is better.
        mean_other_probability: The mean probability of another attribute than the original one, in
            [0, 1].
        base_rate: The same share over the original texts, in percent, in [0, 100]: the error of the
            classifier, beside which the transfer accuracy has to be read. None without the
            original texts.
        ties: How many rewritten texts have a probability of exactly one half. They do not count as
            transferred.
        texts: How many rewritten texts there are.
    """

    transfer_accuracy: float
    mean_other_probability: float
    base_rate: float | None
    ties: int
    texts: int


def transfer_accuracy(
    predictions: ArrayLike,
    references: ArrayLike | None = None,
    *,
    undefined: Undefined = "nan",
) -> TransferAccuracy:
    """Measure how often rewriting moves a text to another attribute, as a classifier reads it.

    Args:
        predictions: For each rewritten text, the probability that a classifier of two attributes
            gives to the attribute of the original text. Shape (N,), in [0, 1].
        references: For each original text, the probability that the same classifier gives to the
            same attribute. Shape (M,), in [0, 1]. None: there is no base rate.
        undefined: What to give if there are no texts: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A value is missing, or lies outside [0, 1], as logits do.

    Example:
        >>> result = transfer_accuracy([0.1, 0.2, 0.9, 0.4], [0.9, 0.8, 0.7, 0.3])
        >>> result.transfer_accuracy, result.base_rate, round(result.mean_other_probability, 3)
        (75.0, 25.0, 0.6)
    """
    owner = "transfer_accuracy"
    checks.one_of(undefined, get_args(Undefined), owner=owner, parameter="undefined")
    rewritten = inputs.probabilities(predictions, "predictions", owner=owner)
    base_rate = None
    if references is not None:
        original = inputs.probabilities(references, "references", owner=owner)
        base_rate = _percent_other(original, "references", undefined, owner=owner)
    transferred = _percent_other(rewritten, "predictions", undefined, owner=owner)
    # Without texts the value is undefined, and said to be so already.
    other = float(np.mean(1 - rewritten)) if rewritten.size else transferred
    ties = int(np.count_nonzero(rewritten == 0.5))
    return TransferAccuracy(transferred, other, base_rate, ties, rewritten.size)


def _percent_other(
    probabilities: NDArray[np.float64], argument: str, undefined: Undefined, *, owner: str
) -> float:
    """Give the percentage of texts that are read as another attribute."""
    if not probabilities.size:
        return undefined_value(f"{argument} has no rows.", undefined, owner=owner)
    return 100 * int(np.count_nonzero(probabilities < 0.5)) / probabilities.size
