"""Adam as BERT was first trained: without the correction of its averages, decay apart."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_MEANS, _SQUARES = (0.9, 0.999)
_EPSILON, _DECAY = 1e-6, 0.01


def first_moments(
    tensors: "Mapping[str, torch.Tensor]", names: Iterable[str]
) -> "dict[str, torch.Tensor]":
    """Return the averages that training starts from.

    Returns:
        `<name>.mean` and `<name>.square`, all 0.
    """
    import torch

    kinds = ("mean", "square")
    return {f"{name}.{kind}": torch.zeros_like(tensors[name]) for name in names for kind in kinds}


def step(
    tensors: "Mapping[str, torch.Tensor]",
    gradients: "Mapping[str, torch.Tensor]",
    moments: "Mapping[str, torch.Tensor]",
    rate: float,
) -> None:
    """Move tensors once, in place.

    Biases do not decay.

    Args:
        moments: What `first_moments` returned, which is changed too.

    Source:
        Kingma and Ba (2015); Devlin et al. (2019), whose code leaves the correction out.

    Example:
        >>> import torch
        >>> weight, slope = {"weight": torch.ones(1)}, {"weight": torch.ones(1)}
        >>> step(weight, slope, first_moments(weight, weight), 0.1)
        >>> round(weight["weight"].item(), 3)  # 1 - 0.1 * 0.1 / sqrt(0.001), and the decay
        0.683
    """
    import torch

    with torch.no_grad():
        for name, gradient in gradients.items():
            mean, square = moments[f"{name}.mean"], moments[f"{name}.square"]
            mean.mul_(_MEANS).add_(gradient, alpha=1 - _MEANS)
            square.mul_(_SQUARES).addcmul_(gradient, gradient, value=1 - _SQUARES)
            tensor = tensors[name]
            tensor.addcdiv_(mean, square.sqrt().add_(_EPSILON), value=-rate)
            if not name.endswith("bias"):
                tensor.mul_(1 - rate * _DECAY)
