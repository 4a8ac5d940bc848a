"""What answers to originals, twins and controls say together: the figures of a paired run."""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.intervals import QUANTILE, mcnemar, wilson
from fair_datasets.evaluation.counterfactuals.twins import ORIGINAL, TWIN
from fair_datasets.measures.controls import flip_rate_control

FEWEST = 30
"""How many pairs a test rests on at least."""
_FIGURES = (
    *("{}_paired", "{}_twin", "flip_rate", "flip_rate_low", "flip_rate_high", "flip_rate_control"),
    *("flip_rate_excess", "flip_rate_excess_low", "flip_rate_excess_high"),
    *("directional_difference", "directional_difference_low", "directional_difference_high"),
    *("mcnemar_p", "pairs", "pairs_with_control", "halves_dropped"),
)
_Halves = tuple[str, str]
_OWN: _Halves = (ORIGINAL, TWIN)
_CONTROL = "control"


class Answer(NamedTuple):
    """An answer to one version of a document.

    Attributes:
        pair: What the versions of a document share.
        answer: What was answered, such as the number of a choice.
        score: What the answer is worth, such as 1 where it is right.
    """

    pair: Hashable
    variant: str
    answer: Hashable
    score: float
    direction: int = 0


def figures_of(score: str) -> tuple[str, ...]:
    """Name the figures of a score."""
    return tuple(name.format(score) for name in _FIGURES)


def paired_figures(answers: Iterable[Answer], score: str = "acc") -> dict[str, float]:
    """Compare the answers to documents with those to their twins and controls.

    Args:
        answers: The answers, in any order. Where one half of a pair is missing, as a limit cuts
            them, the other is dropped and counted.

    Returns:
        The names of `figures_of` to their values; NaN where there are no pairs to tell them from.
        The test is NaN below `FEWEST` pairs, and where a score is neither 0 nor 1.

    Source:
        `fair_datasets.measures.controls` for the control and its interval; McNemar (1947).
    """
    by_pair: defaultdict[Hashable, dict[str, Answer]] = defaultdict(dict)
    for each in answers:
        by_pair[each.pair][each.variant] = each
    found = list(by_pair.values())
    last = {name.removeprefix(_CONTROL) for pair in found for name in pair if _is_first(name)}
    controls = [(_CONTROL + each, f"{_CONTROL}_twin{each}") for each in sorted(last)]
    halves = sum((a in pair) != (b in pair) for pair in found for a, b in (_OWN, *controls))
    pairs = [pair for pair in found if pair.keys() >= {*_OWN}]
    controlled = [pair for pair in pairs if controls and pair.keys() >= {*chain(*controls)}]
    rate = float(_flips(pairs, [_OWN]).mean()) if pairs else math.nan
    low, high = wilson(round(rate * len(pairs)), len(pairs)) if pairs else (math.nan, math.nan)
    beside = flip_rate_control(_flips(controlled, [_OWN])[:, 0], _flips(controlled, controls))
    scores = np.array([[pair[name].score for name in _OWN] for pair in pairs]).reshape(-1, 2)
    directions = np.array([pair[ORIGINAL].direction for pair in pairs], np.int64)
    means = scores.mean(axis=0) if pairs else np.full(2, math.nan)
    values = (
        *means.tolist(), rate, low, high, beside.flip_rate_control,
        beside.flip_rate_excess, beside.low, beside.high, *_directional(scores, directions),
        len(pairs), len(controlled), halves,
    )  # fmt: skip
    return dict(zip(figures_of(score), values, strict=True))


def _is_first(variant: str) -> bool:
    """Tell the first half of a control."""
    return variant.startswith(_CONTROL) and not variant.startswith(f"{_CONTROL}_twin")


def _flips(pairs: Sequence[Mapping[str, Answer]], halves: Sequence[_Halves]) -> NDArray[np.bool_]:
    """Tell which answers differ between two versions. Shape (N, max(1, K))."""
    found = [[pair[a].answer != pair[b].answer for a, b in halves] for pair in pairs]
    return np.array(found, np.bool_).reshape(len(pairs), max(1, len(halves)))


def _directional(scores: NDArray[Any], directions: NDArray[np.int64]) -> tuple[float, ...]:
    """Return how far the first attribute's versions score higher, its interval and the test."""
    known = directions != 0
    if not known.any():
        return (math.nan,) * 4
    first, second = np.where(directions == 1, scores.T, scores.T[::-1])[:, known]
    change = first - second
    # As for the excess of flips: two rows more, one each way (Bonett and Price).
    padded = np.concatenate([change, [1.0, -1.0]])
    reach = QUANTILE * float(padded.std()) / math.sqrt(padded.size)
    middle, p_value = float(padded.mean()), math.nan
    if len(change) >= FEWEST and np.isin(scores[known], (0, 1)).all():
        p_value = mcnemar(int((change > 0).sum()), int((change < 0).sum()))
    ends = max(-1.0, middle - reach), min(1.0, middle + reach)
    return float(change.mean()), *ends, p_value
