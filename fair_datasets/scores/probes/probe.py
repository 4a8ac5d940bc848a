"""What a probe is: a classifier that gives logits and the norms of gradients."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError

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


@contextmanager
def told_if_broken(folder: Path, kind: str) -> Iterator[None]:
    """Tell in one sentence that a probe's files cannot be read.

    Args:
        kind: What they should be, such as `linear probe`.

    Yields:
        Nothing.

    Raises:
        InputError: A file is missing, was cut, or is something else.

    Example:
        >>> with told_if_broken(Path("probes"), "head"):
        ...     {}["weights"]
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_probe: 'probes' holds no head that can be read
        (KeyError: 'weights'); train it again.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise InputError(
            f"load_probe: {str(folder)!r} holds no {kind} that can be read "
            f"({type(error).__name__}: {error}); train it again."
        ) from error


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
