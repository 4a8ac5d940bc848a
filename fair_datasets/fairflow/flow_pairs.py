"""Pairs of states of one attribute: what the flow learns from, and by which loss."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.fairflow.flow import forward
from fair_datasets.fairflow.flow_shape import FlowShape

if TYPE_CHECKING:
    import torch


def same_side_pairs(sides: ArrayLike, draws: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs of states of one side: each state is in one pair at most.

    Args:
        sides: The side of each state. Shape (N,).
        draws: Where the order comes from.

    Returns:
        The numbers of the two states of each pair; the pairs of all sides are mixed. Shape (P, 2).

    Example:
        >>> pairs = same_side_pairs([0, 1, 0, 1, 1], np.random.default_rng(0))
        >>> sorted(sorted(pair) for pair in pairs.tolist())[0], len(pairs)
        ([0, 2], 2)
    """
    side_of, pairs = np.asarray(sides), [np.zeros((0, 2), dtype=np.int64)]
    for side in np.unique(side_of):
        rows = draws.permutation(np.flatnonzero(side_of == side))
        half = len(rows) // 2
        pairs.append(np.stack([rows[:half], rows[half : 2 * half]], axis=1))
    return draws.permutation(np.concatenate(pairs))


def pair_loss(
    shape: FlowShape,
    tensors: "Mapping[str, torch.Tensor]",
    first: "torch.Tensor",
    second: "torch.Tensor",
    rho: float,
) -> "torch.Tensor":
    """Return the loss of pairs of states that share the attribute and nothing else.

    With z and w for what comes out of the first and of the second state, and with m = 1 for the
    attribute's factor and 0 for the others, it is the mean over the pairs of

        |z|² / 2 - logdet z + sum over the factors of |w - m rho z|² / (2 (1 - m rho²)) - logdet w

    Args:
        shape: What the flow is made of.
        tensors: Its tensors.
        first: A state of each pair. Shape (N, d).
        second: The other one. Shape (N, d).
        rho: How much the members of a pair have in common in the attribute's factor, in [0, 1).

    Returns:
        The loss, without the constants that no gradient depends on.

    Source:
        Esser et al. (2020), the loss of pairs, for the attribute's factor alone.
    """
    import torch

    out, logdet = forward(shape, tensors, torch.cat([first, second]))
    z, w = out.chunk(2)
    shared = torch.zeros(shape.width)
    shared[: shape.factors[0]] = rho
    distance = (w - shared * z).square() / (1 - shared.square())
    total = 0.5 * (z.square() + distance).sum(dim=1)
    logdet_z, logdet_w = logdet.chunk(2)
    return (total - logdet_z - logdet_w).mean()
