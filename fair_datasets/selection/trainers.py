"""What a trainer is to the search for a trade-off: any function of a dataset and a seed.

Example:
    >>> import numpy as np
    >>> from datasets import Dataset
    >>> def train_prior(dataset, seed):
    ...     share = np.mean(dataset["label"])
    ...     return lambda texts: np.tile([1 - share, share], (len(texts), 1))
    >>> predict = train_prior(Dataset.from_dict({"text": ["a", "b"], "label": [0, 1]}), seed=0)
    >>> predict(["He won.", "She won."]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


class Predict(Protocol):
    """A trained model, as a function of texts."""

    def __call__(self, rows: Sequence[tuple[str, ...]]) -> NDArray[Any]:
        """Return the probability of each class.

        Args:
            rows: The texts of each of N rows, one for each text column.

        Returns:
            Probabilities, f(N, C); each row sums to 1.
        """


class Trainer(Protocol):
    """Training from scratch: the same dataset and seed give the same model."""

    def __call__(self, dataset: "Dataset", seed: int) -> Predict:
        """Train a model.

        Args:
            dataset: The training rows, with the columns that the trainer knows by name.

        Returns:
            The trained model.
        """


def probabilities_of(
    predict: Predict, rows: Sequence[tuple[str, ...]], *, owner: str, what: str
) -> NDArray[np.float64]:
    """Return what a classifier of two classes says of rows, or raise if that is no probability.

    Args:
        rows: The texts of each row.
        owner: The function that needs it, for errors.

    Returns:
        The probabilities of class 0 and 1. Shape (N, 2).

    Raises:
        InputError: The classifier returns something else than two probabilities per row.

    Example:
        >>> probabilities_of(lambda rows: [[2.0, -1.0]], [("a",)], owner="mine", what="the probe")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: mine: the probe must return an array of shape (1, 2) whose
        rows sum to 1, but row 0 is [2.0, -1.0]; apply softmax to logits first.
    """
    found = np.asarray(predict(rows), dtype=np.float64)
    wanted = f"{what} must return an array of shape ({len(rows)}, 2)"
    if found.shape != (len(rows), 2):
        raise InputError(
            f"{owner}: {wanted}, the probabilities of class 0 and 1, but its shape is "
            f"{found.shape}."
        )
    # Half precision rounds; NaN compares as false.
    is_share = (found >= 0).all(axis=1) & (np.abs(found.sum(axis=1) - 1) < 0.01)
    if not is_share.all():
        row = int(np.argmin(is_share))
        raise InputError(
            f"{owner}: {wanted} whose rows sum to 1, but row {row} is {found[row].tolist()}; "
            "apply softmax to logits first."
        )
    return found
