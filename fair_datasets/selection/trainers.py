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

from numpy.typing import NDArray

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
            seed: The seed of everything that is drawn.

        Returns:
            The trained model.
        """
