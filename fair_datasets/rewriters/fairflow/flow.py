"""The invertible flow that sets one factor of a state apart, as functions of its tensors.

It is the disentangling invertible interpretation network of Esser et al. (2020) as FairFlow (Tokpo
and Calders, 2024) uses it: blocks of an activation norm, a double affine coupling and a fixed
permutation. The numbers that come out are cut into factors, of which the first is the attribute's.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fair_datasets.rewriters.fairflow.flow_shape import FlowShape

if TYPE_CHECKING:
    import torch

    Tensors = Mapping[str, torch.Tensor]

# What is added to a standard deviation before it divides.
_SMALLEST = 1e-6
_READY = "initialised"


def new_tensors(shape: FlowShape, seed: int) -> "dict[str, torch.Tensor]":
    """Draw the tensors of a flow that has learnt nothing.

    Returns:
        Name to tensor; see `forward`.
    """
    import torch

    draws = torch.Generator().manual_seed(seed)
    half = shape.width // 2
    sizes = [half, *[shape.hidden_units] * (shape.hidden_layers + 1), half]
    found = {_READY: torch.zeros(1, dtype=torch.uint8)}
    for block in range(shape.blocks):
        found[f"{block}.loc"] = torch.zeros(shape.width)
        found[f"{block}.scale"] = torch.ones(shape.width)
        for step in range(2):
            for layer in range(len(sizes) - 1):
                bound = sizes[layer] ** -0.5
                # One network for the scale and one for the shift, side by side.
                weight = torch.rand(2, sizes[layer], sizes[layer + 1], generator=draws)
                bias = torch.rand(2, 1, sizes[layer + 1], generator=draws)
                # The last layer begins at 0, and each coupling as the identity.
                bound *= layer < len(sizes) - 2
                found[f"{block}.{step}.{layer}.weight"] = (2 * weight - 1) * bound
                found[f"{block}.{step}.{layer}.bias"] = (2 * bias - 1) * bound
        found[f"{block}.permutation"] = torch.randperm(shape.width, generator=draws)
    return found


def trained_names(tensors: "Tensors") -> list[str]:
    """Name the tensors that training moves: all but the permutations and what is noted."""
    return [name for name, tensor in tensors.items() if tensor.is_floating_point()]


def forward(
    shape: FlowShape, tensors: "Tensors", states: "torch.Tensor"
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Send states through the flow.

    Args:
        states: The states. Shape (N, d).

    Returns:
        What comes out (N, d), and the logarithm of the determinant (N,).
    """
    import torch

    logdet = torch.zeros(len(states), dtype=states.dtype)
    for block in range(shape.blocks):
        scale = tensors[f"{block}.scale"]
        states = scale * (states + tensors[f"{block}.loc"])
        logdet = logdet + scale.abs().log().sum()
        for step in range(2):
            kept, moved = _halves(states, step)
            log_scale, shift = _coupling(shape, tensors, f"{block}.{step}", kept)
            states = torch.cat([kept, moved * log_scale.exp() + shift], dim=1)
            logdet = logdet + log_scale.sum(dim=1)
        states = states[:, tensors[f"{block}.permutation"]]
    return states, logdet


def inverse(shape: FlowShape, tensors: "Tensors", factors: "torch.Tensor") -> "torch.Tensor":
    """Send what came out of the flow back.

    Args:
        factors: What came out. Shape (N, d).

    Returns:
        The states. Shape (N, d).
    """
    import torch

    states = factors
    for block in reversed(range(shape.blocks)):
        states = states[:, tensors[f"{block}.permutation"].argsort()]
        for step in (1, 0):
            kept, moved = states.chunk(2, dim=1)
            log_scale, shift = _coupling(shape, tensors, f"{block}.{step}", kept)
            halves = [kept, (moved - shift) * (-log_scale).exp()]
            states = torch.cat(halves[::-1] if step else halves, dim=1)
        states = states / tensors[f"{block}.scale"] - tensors[f"{block}.loc"]
    return states


def initialise(shape: FlowShape, tensors: "Tensors", states: "torch.Tensor") -> None:
    """Set the activation norms by the first batch, block by block, unless that was done before.

    Behind each norm the batch has the mean 0 and the standard deviation 1. A number that does not
    vary in the batch, as none does in a batch of one, is only moved.

    Args:
        states: The batch. Shape (N, d).
    """
    import torch

    if tensors[_READY].any():
        return
    with torch.no_grad():
        for block in range(shape.blocks):
            deviation = states.std(dim=0) if len(states) > 1 else torch.zeros(shape.width)
            scale = torch.where(deviation > _SMALLEST, 1 / (deviation + _SMALLEST), 1.0)
            tensors[f"{block}.loc"].copy_(-states.mean(dim=0))
            tensors[f"{block}.scale"].copy_(scale)
            one = FlowShape(shape.width, shape.factors, 1, shape.hidden_units, shape.hidden_layers)
            states, _ = forward(one, _of_block(tensors, block), states)
        tensors[_READY].fill_(True)


def _halves(states: "torch.Tensor", step: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """Return the half that conditions and the half that is moved, in the order of the step."""
    first, second = states.chunk(2, dim=1)
    return (second, first) if step else (first, second)


def _coupling(
    shape: FlowShape, tensors: "Tensors", name: str, kept: "torch.Tensor"
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Return the logarithm of the scale, and the shift, of the half that is moved."""
    import torch

    hidden = kept.expand(2, *kept.shape)
    for layer in range(shape.hidden_layers + 2):
        if layer:
            hidden = torch.nn.functional.leaky_relu(hidden)
        weight, bias = tensors[f"{name}.{layer}.weight"], tensors[f"{name}.{layer}.bias"]
        hidden = torch.baddbmm(bias, hidden, weight)
    return hidden[0].tanh(), hidden[1]


def _of_block(tensors: "Tensors", block: int) -> "dict[str, torch.Tensor]":
    """Return the tensors of one block as those of a flow that has no other."""
    start = f"{block}."
    return {
        f"0.{name.removeprefix(start)}": tensor
        for name, tensor in tensors.items()
        if name.startswith(start)
    }
