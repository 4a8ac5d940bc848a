"""Training the flow, and the classifier that selects its places: each epoch is kept whole."""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.rewriters.fairflow.attribute_flow import (
    CARD,
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
from fair_datasets.rewriters.fairflow.states import Corpus, Halves, drawn_ranks, key_of
from fair_datasets.system.checks import invalid
from fair_datasets.system.files import write_file
from fair_datasets.system.resume import ProgressTracker, write_atomically

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
    with ProgressTracker(
        "Training the flow", epochs * batches, done=done * batches, unit="batch",
        work=Path(config.work), rate="flow_rate",
    ) as steps:  # fmt: skip
        for epoch in range(done, len(folders)):
            _train_epoch(config, flow, moments, given, sides, steps, epoch)
            flow = _with_means(flow, given, sides)
            write_atomically(
                folders[epoch],
                _saver(flow, folder.name, moments if epoch + 1 < len(folders) else {}),
            )
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
    steps: ProgressTracker,
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


def _saver(flow: AttributeFlow, name: str, moments: "dict[str, torch.Tensor]") -> Any:
    """Return the function that saves an epoch, and what it takes to go on, if anything."""
    from safetensors.torch import save_file

    def save(folder: Path) -> None:
        write_file(folder / CARD, flow.card(name).encode())
        flow.save_pretrained(folder)
        if moments:
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


Integers = NDArray[np.int64]

# The share of texts whose places are kept from training, to see what the classifier learnt.
_HELD_OUT = 0.1
_FILE = "classifier.safetensors"
# What is of neither attribute, as the classifier learns it.
_NEITHER = 0.5
# How far a place of a later round has to be, as a share of what the pairs' own places are.
_LATER = 0.5
# The threshold of the paper's code, and the quantile of the pairs' logits where that is less.
_USUAL, _USUAL_QUANTILE = 3.0, 0.1


@dataclass(frozen=True)
class Selection:
    """The places that carry an attribute.

    Attributes:
        accuracy: The share of the pairs' places that the classifier tells right, where it was not
            trained on them; NaN without any.
        quantiles: The 1%, 10%, 50%, 90% and 99% quantiles of the logits of all places.
    """

    rows: Integers
    sides: Integers
    logits: NDArray[np.float64]
    threshold: float
    rule: str
    accuracy: float
    quantiles: tuple[float, ...]
    key: str


def select_places(
    config: FairFlowConfig, corpus: Corpus, *, concerned: Integers | None = None
) -> Selection:
    """Train the classifier on the places of the pairs, and ask it about all places.

    Args:
        concerned: The words that the round before kept or found, where there was one: places of
            other words are then learnt as of neither attribute, as many as there are of the pairs.
    """
    from safetensors.torch import load_file, save_file

    rows, sides = _pair_places(config, corpus)
    draws = np.random.default_rng([config.seed, 1])
    is_held_out = (draws.random(len(corpus.texts)) < _HELD_OUT)[corpus.places.text[rows]]
    others = _other_places(config, corpus, concerned, len(rows))
    key = key_of("classifier", corpus.key, config.pairs, config.classifier_epochs,
                 config.classifier_rate, config.seed, others.tolist())  # fmt: skip
    path = Path(config.work) / f"classifier-{key}" / _FILE
    if not path.is_file():
        trained = train_classifier(
            corpus.states, np.concatenate([rows[~is_held_out], others]),
            np.concatenate([sides[~is_held_out], np.full(len(others), _NEITHER)]),
            epochs=config.classifier_epochs, rate=config.classifier_rate, seed=config.seed,
            work=Path(config.work),
        )  # fmt: skip
        write_atomically(path.parent, lambda folder: save_file(trained, folder / _FILE))
    logits = attribute_logits(load_file(path), corpus.states)
    right = ((logits[rows] > 0) == sides)[is_held_out]
    threshold, rule = _threshold(config, np.abs(logits[rows]), is_later=concerned is not None)
    selected = _places_beyond(config, corpus, logits, threshold)
    return Selection(
        selected, (logits[selected] > 0).astype(np.int64), logits[selected], threshold, rule,
        float(right.mean()) if right.size else float("nan"),
        tuple(np.quantile(logits, [0.01, 0.1, 0.5, 0.9, 0.99]).tolist()),
        key_of("selection", key, threshold, config.carried, config.kept_per_word),
    )  # fmt: skip


def _other_places(
    config: FairFlowConfig, corpus: Corpus, concerned: Integers | None, count: int
) -> Integers:
    """Draw places of the words that a round before did not concern; none without one."""
    if concerned is None:
        return np.zeros(0, dtype=np.int64)
    known = {word for pair in config.pairs for word in pair}
    given = [number for number, word in enumerate(corpus.places.words) if word in known]
    others = np.flatnonzero(~np.isin(corpus.places.word, np.union1d(concerned, given)))
    draws = np.random.default_rng([config.seed, 2])
    return np.sort(draws.permutation(others)[:count])


def _threshold(
    config: FairFlowConfig, sure: NDArray[np.float64], *, is_later: bool
) -> tuple[float, str]:
    """Return how far from 0 a logit has to be, given those of the pairs' places, and the rule."""
    if is_later:
        return float(np.median(sure)) * _LATER, "half the median of the pairs' own logits"
    if config.threshold is not None:
        return config.threshold, "given"
    quantile = _USUAL_QUANTILE if config.quantile is None else config.quantile
    # The place at the quantile passes it.
    threshold = float(np.nextafter(np.quantile(sure, quantile), 0))
    if config.quantile is None and threshold > _USUAL:
        return _USUAL, "the usual one"
    why = f", as few pass {_USUAL:g}" if config.quantile is None else ""
    return threshold, f"the {quantile:g} quantile of the pairs' own logits{why}"


def _pair_places(config: FairFlowConfig, corpus: Corpus) -> tuple[Integers, Integers]:
    """Return the places of the pairs, as many of one word as of its counterpart, and the sides."""
    numbers = {word: number for number, word in enumerate(corpus.places.words)}
    ranks = drawn_ranks(corpus.places.word, config.seed)
    rows, sides = [], []
    for pair in config.pairs:
        places = [np.flatnonzero(corpus.places.word == numbers[word]) for word in pair]
        fewest = min(map(len, places))
        for side, side_places in enumerate(places):
            rows.append(side_places[ranks[side_places] < fewest])
            sides.append(np.full(fewest, side))
    return np.concatenate(rows), np.concatenate(sides)


def _places_beyond(
    config: FairFlowConfig, corpus: Corpus, logits: NDArray[np.float64], threshold: float
) -> Integers:
    """Return the places beyond the threshold, so many of a word at most."""
    beyond = np.flatnonzero(np.abs(logits) > threshold)
    words = corpus.places.word
    beyond = beyond[carried_shares(words, logits, threshold)[words[beyond]] >= config.carried]
    ranks = drawn_ranks(words[beyond], config.seed)
    selected = beyond[ranks < config.kept_per_word]
    for side, name in enumerate(config.attributes):
        if np.count_nonzero((logits[selected] > 0) == side) < 2:
            furthest = float((logits if side else -logits).max())
            raise invalid(
                f"no two places pass the threshold {threshold:g} towards {name!r} (the "
                f"furthest logit is {furthest:.2f}); lower it, or choose a quantile of the pairs' "
                "logits such as 0.1 (--quantile 0.1)."
            )
    return selected


def carried_shares(
    words: Integers, logits: NDArray[np.float64], threshold: float
) -> NDArray[np.float64]:
    """Return at what share of its places each word carries the attribute that it carries more.

    A word of an attribute carries it wherever it stands; one that stands near such words, now and
    then.

    Args:
        threshold: How far from 0 a logit has to be.

    Example:
        >>> carried_shares(np.array([0, 0, 2, 2]), np.array([4.0, 5.0, -4.0, 1.0]), 3).tolist()
        [1.0, 0.0, 0.5]
    """
    counts = [np.bincount(words, beyond) for beyond in (logits > threshold, logits < -threshold)]
    shares: NDArray[np.float64] = np.maximum(*counts) / np.maximum(np.bincount(words), 1)
    return shares


Floats = NDArray[np.float64]

_BATCH = 32
_CHUNK_SIZE = 4096
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
        sides: The attribute of each, 0 or 1; 0.5 for neither. Shape (N,).

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
    optimizer = torch.optim.AdamW(tensors.values(), lr=rate, fused=True)
    targets = sides.astype(np.float32)
    orders = (
        np.random.default_rng([seed, epoch]).permutation(len(rows)) for epoch in range(epochs)
    )
    batches = (order[k : k + _BATCH] for order in orders for k in range(0, len(order), _BATCH))
    total = epochs * -(-len(rows) // _BATCH)
    with ProgressTracker(
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
    """Return what the classifier says of states: below 0 for the first attribute. Shape (N,)."""
    import torch

    logits = np.zeros(len(states))
    with torch.inference_mode():
        for start in range(0, len(states), _CHUNK_SIZE):
            some = torch.from_numpy(states[start : start + _CHUNK_SIZE].astype(np.float32))
            logits[start : start + len(some)] = _logits(tensors, some).double().numpy()
    return logits


def _logits(tensors: "Mapping[str, torch.Tensor]", states: "torch.Tensor") -> "torch.Tensor":
    from torch.nn.functional import gelu, linear

    hidden = gelu(linear(states, tensors["hidden.weight"], tensors["hidden.bias"]))
    return linear(hidden, tensors["out.weight"], tensors["out.bias"])[:, 0]
