"""What a probe is: a classifier that gives logits and the norms of gradients."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Texts = tuple[str, ...]

PRECISIONS = ("auto", "float32")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model that reads tokens is run; a linear probe needs none of it.

    Attributes:
        batch_size: How many rows run at once at most.
        max_length: How many tokens of a row are read.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
        together: How many neighbouring rows share a batch, such as 2 for a text and its
            counterfactual.
        description: What a progress bar says; None for none.
    """

    batch_size: int = 64
    max_length: int = 128
    precision: str = "auto"
    together: int = 1
    description: str | None = None


DEFAULT_READING = Reading()


class Probe(Protocol):
    """A classifier that scores texts."""

    @property
    def classes(self) -> int:
        """The number of classes C."""

    def logits(
        self, rows: Sequence[Texts], reading: Reading = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row.

        Args:
            rows: The texts of each row.
            reading: How the model is run.

        Returns:
            The logits. Shape (N, C).
        """

    def gradient_norms(
        self,
        rows: Sequence[Texts],
        labels: NDArray[np.int64],
        reading: Reading = DEFAULT_READING,
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient of the cross-entropy over all trainable weights.

        Args:
            rows: The texts of each row.
            labels: The class of each row. Shape (N,).
            reading: How the model is run; always in single precision.

        Returns:
            The norms. Shape (N,).
        """
