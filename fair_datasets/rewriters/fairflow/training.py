"""Training the flow: an epoch at a time, each kept whole, so that it goes on after a kill."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.rewriters.fairflow.attribute_flow import (
    AttributeFlow,
    FlowShape,
    chunk_sizes,
    estimated_sizes,
    forward,
    initialise,
    new_tensors,
    trained_names,
)
from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.scores.resuming import write_whole
from fair_datasets.system.steps import Steps

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


def adam_step(
    tensors: "Mapping[str, torch.Tensor]",
    gradients: "Mapping[str, torch.Tensor]",
    moments: "Mapping[str, torch.Tensor]",
    rate: float,
) -> None:
    """Move tensors once, in place.

    Biases do not decay.

    Source:
        Kingma and Ba (2015); Devlin et al. (2019), whose code leaves the correction out.

    Example:
        >>> import torch
        >>> weight, slope = {"weight": torch.ones(1)}, {"weight": torch.ones(1)}
        >>> adam_step(weight, slope, first_moments(weight, weight), 0.1)
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


Singles = NDArray[np.float32]

STATE_FILE = "training_state.safetensors"
# Where no number of epochs is given: so many batches, as the paper's five epochs of a far larger
# corpus have, but no place more often than this.
_BATCHES, _MOST_EPOCHS = 5000, 50


def train_flow(
    config: FairFlowConfig,
    states: Singles,
    sides: NDArray[np.int64],
    folder: Path,
    provenance: Mapping[str, Any],
) -> tuple[AttributeFlow, Path]:
    """Train a flow on the states of words whose attribute is known.

    The last whole epoch is kept. What an epoch draws follows from the seed and its number alone, so
    that an interrupted call goes on after it and ends at the same weights.
    """
    import torch

    given = torch.from_numpy(np.ascontiguousarray(states))
    epochs = config.flow_epochs or _epochs(config, sides)
    folders = [folder / f"epoch-{epoch}" for epoch in range(1, epochs + 1)]
    done = max((epoch for epoch, place in enumerate(folders, 1) if place.is_dir()), default=0)
    provenance = {**provenance, "flow_epochs": epochs}
    flow, moments = _start(config, given, sides, folders[done - 1] if done else None, provenance)
    batches = -(-int((np.bincount(sides) // 2).sum()) // config.batch_size)
    with Steps(
        "Training the flow", epochs * batches, done=done * batches, unit="batch",
        work=Path(config.work), rate="flow_rate",
    ) as steps:  # fmt: skip
        for epoch in range(done, len(folders)):
            _train_epoch(config, flow, moments, given, sides, steps, epoch)
            flow = _with_means(flow, given, sides)
            write_whole(folders[epoch], _saver(flow, moments, is_last=epoch + 1 == len(folders)))
            for before in folders[:epoch]:
                shutil.rmtree(before, ignore_errors=True)
    return flow, folders[-1]


def _epochs(config: FairFlowConfig, sides: NDArray[np.int64]) -> int:
    """Return how often the flow sees each place where nobody says it."""
    pairs = int((np.bincount(sides) // 2).sum())
    return min(_MOST_EPOCHS, -(-_BATCHES // -(-pairs // config.batch_size)))


def _start(
    config: FairFlowConfig,
    states: "torch.Tensor",
    sides: NDArray[np.int64],
    start: Path | None,
    provenance: Mapping[str, Any],
) -> "tuple[AttributeFlow, dict[str, torch.Tensor]]":
    """Return a flow to train, new or as an epoch left it, and Adam's averages."""
    import torch
    from safetensors.torch import load_file

    if start is not None:
        flow = AttributeFlow.from_pretrained(start)
        state = start / STATE_FILE
        return flow, load_file(state) if state.is_file() else {}
    width = states.shape[1]
    sizes = chunk_sizes(width, config.factors)
    if config.estimate_factor_dims:
        pairs = same_side_pairs(sides, np.random.default_rng([config.seed, 0]))
        sizes = estimated_sizes(*(states[torch.from_numpy(column)] for column in pairs.T))
    shape = FlowShape(width, sizes, config.blocks, config.hidden_units, config.hidden_layers)
    tensors = new_tensors(shape, config.seed)
    first, second = config.attributes
    flow = AttributeFlow(shape, tensors, torch.zeros(2, sizes[0]), (first, second), provenance)
    return flow, first_moments(tensors, trained_names(tensors))


def _train_epoch(
    config: FairFlowConfig,
    flow: AttributeFlow,
    moments: "dict[str, torch.Tensor]",
    states: "torch.Tensor",
    sides: NDArray[np.int64],
    steps: Steps,
    epoch: int,
) -> None:
    """Move the flow by each pair of an epoch."""
    import torch

    names = trained_names(flow.tensors)
    pairs = torch.from_numpy(same_side_pairs(sides, np.random.default_rng([config.seed, epoch])))
    for batch in torch.split(pairs, config.batch_size):
        initialise(flow.shape, flow.tensors, states[batch.flatten()])
        leaves = {name: flow.tensors[name].detach().requires_grad_() for name in names}
        first, second = states[batch].unbind(dim=1)
        loss = pair_loss(flow.shape, {**flow.tensors, **leaves}, first, second, config.rho)
        gradients = torch.autograd.grad(loss, list(leaves.values()))
        gradients_of = dict(zip(names, gradients, strict=True))
        adam_step(flow.tensors, gradients_of, moments, config.flow_rate)
        steps.step(float(loss.detach()))


def _with_means(
    flow: AttributeFlow, states: "torch.Tensor", sides: NDArray[np.int64]
) -> AttributeFlow:
    """Return a flow that knows the mean of the attribute's factor over either side."""
    import torch

    width = flow.shape.factors[0]
    with torch.no_grad():
        parts = [
            forward(flow.shape, flow.tensors, some)[0][:, :width]
            for some in torch.split(states, 1024)
        ]
        factors = torch.cat(parts)
        means = torch.stack(
            [factors[torch.from_numpy(sides == side)].mean(dim=0) for side in (0, 1)]
        )
    return AttributeFlow(flow.shape, flow.tensors, means, flow.attributes, flow.provenance)


def _saver(flow: AttributeFlow, moments: "dict[str, torch.Tensor]", *, is_last: bool) -> Any:
    """Return the function that saves an epoch, and what it takes to go on."""
    from safetensors.torch import save_file

    def save(folder: Path) -> None:
        flow.save_pretrained(folder)
        if not is_last:
            save_file(moments, folder / STATE_FILE)

    return save


def same_side_pairs(sides: ArrayLike, draws: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs of states of one side: each state is in one pair at most.

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
