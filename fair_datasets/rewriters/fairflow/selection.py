"""Which places carry one of the two attributes, as the classifier says."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.fairflow.states import OWNER, Corpus, Halves, drawn_ranks, key_of
from fair_datasets.scores.resuming import write_whole
from fair_datasets.system.checks import InputError
from fair_datasets.system.steps import Steps

if TYPE_CHECKING:
    import torch

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
        write_whole(path.parent, lambda folder: _save(trained, folder / _FILE))
    logits = attribute_logits(_load(path), corpus.states)
    right = ((logits[rows] > 0) == sides)[is_held_out]
    threshold, rule = _threshold(config, np.abs(logits[rows]), is_later=concerned is not None)
    kept = _kept(config, corpus, logits, threshold)
    return Selection(
        kept, (logits[kept] > 0).astype(np.int64), logits[kept], threshold, rule,
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
    found = float(np.nextafter(np.quantile(sure, quantile), 0))
    if config.quantile is None and found > _USUAL:
        return _USUAL, "the usual one"
    why = f", as few pass {_USUAL:g}" if config.quantile is None else ""
    return found, f"the {quantile:g} quantile of the pairs' own logits{why}"


def _pair_places(config: FairFlowConfig, corpus: Corpus) -> tuple[Integers, Integers]:
    """Return the places of the pairs, as many of one word as of its counterpart, and the sides."""
    numbers = {word: number for number, word in enumerate(corpus.places.words)}
    ranks = drawn_ranks(corpus.places.word, config.seed)
    rows, sides = [], []
    for pair in config.pairs:
        places = [np.flatnonzero(corpus.places.word == numbers[word]) for word in pair]
        fewest = min(map(len, places))
        for side, found in enumerate(places):
            rows.append(found[ranks[found] < fewest])
            sides.append(np.full(fewest, side))
    return np.concatenate(rows), np.concatenate(sides)


def _kept(
    config: FairFlowConfig, corpus: Corpus, logits: NDArray[np.float64], threshold: float
) -> Integers:
    """Return the places beyond the threshold, so many of a word at most."""
    beyond = np.flatnonzero(np.abs(logits) > threshold)
    words = corpus.places.word
    beyond = beyond[carried_shares(words, logits, threshold)[words[beyond]] >= config.carried]
    ranks = drawn_ranks(words[beyond], config.seed)
    kept = beyond[ranks < config.kept_per_word]
    for side, name in enumerate(config.attributes):
        if np.count_nonzero((logits[kept] > 0) == side) < 2:
            furthest = float((logits if side else -logits).max())
            raise InputError(
                f"{OWNER}: no two places pass the threshold {threshold:g} towards {name!r} (the "
                f"furthest logit is {furthest:.2f}); lower it, or choose a quantile of the pairs' "
                "logits such as 0.1 (--quantile 0.1)."
            )
    return kept


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


def _save(tensors: "dict[str, torch.Tensor]", path: Path) -> None:
    from safetensors.torch import save_file

    save_file(tensors, path)


def _load(path: Path) -> "dict[str, torch.Tensor]":
    from safetensors.torch import load_file

    return load_file(path)


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
    """Return what the classifier says of states: below 0 for the first attribute. Shape (N,)."""
    import torch

    found = np.zeros(len(states))
    with torch.inference_mode():
        for start in range(0, len(states), _TOGETHER):
            some = torch.from_numpy(states[start : start + _TOGETHER].astype(np.float32))
            found[start : start + len(some)] = _logits(tensors, some).double().numpy()
    return found


def _logits(tensors: "Mapping[str, torch.Tensor]", states: "torch.Tensor") -> "torch.Tensor":
    from torch.nn.functional import gelu, linear

    hidden = gelu(linear(states, tensors["hidden.weight"], tensors["hidden.bias"]))
    return linear(hidden, tensors["out.weight"], tensors["out.bias"])[:, 0]
