"""The attribute classifier: one hidden layer on the states of a frozen encoder."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fair_datasets.fairflow.states import Halves
from fair_datasets.system.steps import Steps

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]

_BATCH = 32
_TOGETHER = 4096
_LONGEST_GRADIENT = 1.0


def train_classifier(
    states: Halves,
    rows: NDArray[np.int64],
    sides: NDArray[np.int64] | Floats,
    *,
    epochs: int,
    rate: float,
    seed: int,
    work: Path | None = None,
) -> "dict[str, torch.Tensor]":
    """Train the classifier by binary cross-entropy and AdamW.

    Args:
        states: The states of words. Shape (M, d).
        rows: Those that are trained on. Shape (N,).
        sides: The attribute of each, 0 or 1; 0.5 for neither. Shape (N,).
        epochs: How often each is seen.
        rate: The learning rate.
        seed: It draws the weights and the order.
        work: Where it is noted how far the training is; None for nowhere.

    Returns:
        Name to tensor: `hidden.weight` (d, d), `hidden.bias` (d,), `out.weight` (1, d) and
        `out.bias` (1,).

    Source:
        Tokpo and Calders (2024), FairFlow; the rate, the norm of gradients and the number of
        epochs are those of its code.
    """
    import torch

    width = states.shape[1]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = {"hidden": torch.nn.Linear(width, width), "out": torch.nn.Linear(width, 1)}
    tensors = {
        f"{name}.{kind}": getattr(layer, kind)
        for name, layer in layers.items()
        for kind in ("weight", "bias")
    }
    optimizer = torch.optim.AdamW(tensors.values(), lr=rate)
    targets = sides.astype(np.float32)
    orders = (
        np.random.default_rng([seed, epoch]).permutation(len(rows)) for epoch in range(epochs)
    )
    batches = (order[k : k + _BATCH] for order in orders for k in range(0, len(order), _BATCH))
    total = epochs * -(-len(rows) // _BATCH)
    with Steps(
        "Training the classifier", total, unit="batch", work=work, rate="classifier_rate"
    ) as steps:
        for batch in batches:
            given = torch.from_numpy(states[rows[batch]].astype(np.float32))
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                _logits(tensors, given), torch.from_numpy(targets[batch])
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(tensors.values(), _LONGEST_GRADIENT)
            optimizer.step()
            steps.step(float(loss.detach()))
    return {name: tensor.detach() for name, tensor in tensors.items()}


def attribute_logits(tensors: "Mapping[str, torch.Tensor]", states: Halves) -> Floats:
    """Return what the classifier says of states: below 0 for the first attribute.

    Args:
        tensors: What `train_classifier` returned.
        states: The states. Shape (N, d).

    Returns:
        The logits. Shape (N,).
    """
    import torch

    found = np.zeros(len(states))
    with torch.inference_mode():
        for start in range(0, len(states), _TOGETHER):
            some = torch.from_numpy(states[start : start + _TOGETHER].astype(np.float32))
            found[start : start + len(some)] = _logits(tensors, some).double().numpy()
    return found


def _logits(tensors: "Mapping[str, torch.Tensor]", states: "torch.Tensor") -> "torch.Tensor":
    """Return the logit of each state."""
    from torch.nn.functional import gelu, linear

    hidden = gelu(linear(states, tensors["hidden.weight"], tensors["hidden.bias"]))
    return linear(hidden, tensors["out.weight"], tensors["out.bias"])[:, 0]
