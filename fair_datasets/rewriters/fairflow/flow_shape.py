"""What a flow is made of, and how wide its factors are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class FlowShape:
    """What a flow is made of.

    Attributes:
        width: How many numbers a state has; an even number.
        factors: How many of the numbers that come out belong to each factor; the first is the
            attribute's.
        blocks: How many blocks follow each other.
        hidden_units: The width of the networks in a coupling.
        hidden_layers: How many layers of that width each has beside its first.

    Raises:
        InputError: The width is odd, or the factors are not as wide as a state.

    Example:
        >>> FlowShape(3, (1, 2))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: FairFlow: a coupling halves each state, but the encoder's
        have 3 numbers, which is odd; choose an encoder of even width.
    """

    width: int
    factors: tuple[int, ...]
    blocks: int = 6
    hidden_units: int = 100
    hidden_layers: int = 2

    def __post_init__(self) -> None:
        """Check what was given."""
        if self.width % 2 or self.width < 2:
            raise InputError(
                f"FairFlow: a coupling halves each state, but the encoder's have {self.width} "
                "numbers, which is odd; choose an encoder of even width."
            )
        if sum(self.factors) != self.width or min(self.factors) < 1:
            raise InputError(
                f"FairFlow: the factors {self.factors} must be at least 1 each and {self.width} "
                "in sum, because a state has so many numbers."
            )


def chunk_sizes(width: int, chunks: int) -> tuple[int, ...]:
    """Cut a width into chunks of one size, of which the last may be smaller, as `torch.chunk` does.

    Returns:
        The sizes.

    Example:
        >>> chunk_sizes(768, 10)
        (77, 77, 77, 77, 77, 77, 77, 77, 77, 75)
    """
    size = -(-width // chunks)
    return tuple(min(size, width - start) for start in range(0, width, size))


def estimated_sizes(first: "torch.Tensor", second: "torch.Tensor") -> tuple[int, ...]:
    """Estimate how wide the attribute's factor should be; all else is a second factor.

    Its score is the covariance of the members of pairs that share the attribute, as a share of the
    variance of all; the score of what is left is 1. The widths are the shares of a softmax.

    Args:
        first: A state of each pair. Shape (N, d).
        second: Another one of the same attribute. Shape (N, d).

    Returns:
        The widths of the attribute's factor and of what is left.

    Source:
        Esser et al. (2020), A Disentangling Invertible Interpretation Network.

    Example:
        >>> import torch
        >>> states = torch.tensor([[1.0, 0.0], [-1.0, 0.0]])
        >>> estimated_sizes(states, states)
        (1, 1)
    """
    import torch

    both = torch.cat([first, second]).double()
    mean = both.mean(dim=0)
    covariance = ((first.double() - mean) * (second.double() - mean)).mean(dim=0).sum()
    score = covariance / both.var(dim=0, correction=0).sum()
    share = torch.softmax(torch.stack([score, torch.ones_like(score)]), dim=0)[0]
    width = both.shape[1]
    attribute = min(max(1, int(share * width)), width - 1)
    return attribute, width - attribute
