"""Linear probes on frozen sentence vectors, with splits that stay as they are.

Features are brought to mean 0 and deviation 1 by the training rows, so that the scale of an encoder
does not decide how much it is regularised. The probe is a logistic regression; its l2 penalty is
chosen on the validation rows, and the figures are of the test rows. Nothing in it is random.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = Mapping[str, NDArray[np.float64]]
"""`train`, `validation` and `test` to their features. Shape (N, d) each."""

L2 = (10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5)
"""The penalties that are tried. Those of SentEval, 1e-2 to 1e-5, are for features as they come."""

LEVELS = 5


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a probe reaches.

    Attributes:
        values: Measure to its value on the test rows.
        baseline: The same of the commonest class of the training rows; None where a constant has
            no value, as in correlations.
        l2: The penalty that was chosen.
        validation: The first measure on the validation rows.
    """

    values: dict[str, float]
    baseline: dict[str, float | None]
    l2: float
    validation: float


def classification_probe(
    features: Features, labels: Mapping[str, Sequence[Any]], l2: Sequence[float] = L2
) -> ProbeResult:
    """Learn classes by logistic regression.

    Args:
        features: What is known of the rows of each split.
        labels: Their classes.
        l2: The penalties to try; of those that are equally good on the validation rows, the first.
            The loss is the mean cross-entropy and l2 / 2 times the sum of the squared weights.

    Returns:
        The `accuracy` on the test rows, and that of the commonest class.

    Example:
        >>> features = dict.fromkeys(["train", "validation", "test"], np.array([[1.0], [2.0]]))
        >>> classification_probe(features, dict.fromkeys(features, ["a", "b"])).values
        {'accuracy': 1.0}

    Source:
        Conneau and Kiela (2018), SentEval.
    """
    names = sorted(set(labels["train"]), key=str)
    classes = {name: number for number, name in enumerate(names)}
    numbers = {
        split: np.array([classes[label] for label in found]) for split, found in labels.items()
    }
    scaled = _scaled(features)
    weights = np.ones(len(numbers["train"]))
    fits = (_fit(scaled["train"], numbers["train"], weights, len(weights), each) for each in l2)
    penalty, validation, best = _best(
        zip(l2, fits, strict=True),
        lambda fit: float((fit.predict(scaled["validation"]) == numbers["validation"]).mean()),
    )
    commonest = Counter(labels["train"]).most_common()
    usual = min((name for name, count in commonest if count == commonest[0][1]), key=str)
    return ProbeResult(
        {"accuracy": float((best.predict(scaled["test"]) == numbers["test"]).mean())},
        {"accuracy": float(np.mean([label == usual for label in labels["test"]]))},
        penalty,
        validation,
    )


def similarity_probe(
    features: Features, scores: Mapping[str, Sequence[float]], l2: Sequence[float] = L2
) -> ProbeResult:
    """Learn scores by a softmax over five levels, whose expectation is the prediction.

    The levels are as far apart as each other, from the lowest to the highest score of the training
    rows. The target of a row is the distribution over the two levels beside its score that has
    the score for expectation, and the loss is the cross-entropy with it.

    Args:
        features: What is known of the rows of each split.
        scores: Their scores.
        l2: The penalties to try, as for `classification_probe`.

    Returns:
        `pearson` and `spearman` on the test rows; NaN where all predictions are alike.

    Example:
        >>> features = dict.fromkeys(["train", "validation", "test"], np.array([[1.0], [2], [3]]))
        >>> result = similarity_probe(features, dict.fromkeys(features, [0.0, 2.5, 5.0]))
        >>> round(result.values["spearman"], 6)
        1.0

    Source:
        Tai, Socher and Manning (2015), section 4.2, for the targets; SentEval fits them by the
        squared error and stops on the validation rows, which depends on a seed.
    """
    known = {split: np.array(found, dtype=np.float64) for split, found in scores.items()}
    lowest, highest = known["train"].min(), known["train"].max()
    places = (known["train"] - lowest) / (highest - lowest) * (LEVELS - 1)
    below = np.minimum(np.floor(places).astype(np.int64), LEVELS - 2)
    share = places - below
    weights = np.concatenate([1 - share, share])
    is_there = weights > 0
    levels = np.concatenate([below, below + 1])[is_there]
    scaled = _scaled(features)
    rows = scaled["train"][np.tile(np.arange(len(places)), 2)[is_there]]
    fits = (_fit(rows, levels, weights[is_there], len(places), each) for each in l2)
    penalty, validation, best = _best(
        zip(l2, fits, strict=True),
        lambda fit: _pearson(_expected(fit, scaled["validation"]), known["validation"]),
    )
    predicted = _expected(best, scaled["test"])
    values = {
        "pearson": _pearson(predicted, known["test"]),
        "spearman": _pearson(_ranks(predicted), _ranks(known["test"])),
    }
    return ProbeResult(values, dict.fromkeys(values), penalty, validation)


def _scaled(features: Features) -> dict[str, NDArray[np.float64]]:
    """Bring features to mean 0 and deviation 1 by the training rows."""
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(features["train"])
    return {split: scaler.transform(rows) for split, rows in features.items()}


def _fit(
    rows: NDArray[np.float64],
    classes: NDArray[np.int64],
    weights: NDArray[np.float64],
    count: int,
    l2: float,
) -> Any:
    """Fit a logistic regression, whose penalty is that of the mean over `count` rows."""
    from sklearn.linear_model import LogisticRegression

    # It ends where it has converged, or where SciPy gives up.
    fit = LogisticRegression(C=1 / (l2 * count), max_iter=sys.maxsize)
    return fit.fit(rows, classes, sample_weight=weights)


def _best(fits: Any, judge: Callable[[Any], float]) -> tuple[float, float, Any]:
    """Return the penalty, the value and the fit that is judged best; the first of several."""
    found = [(penalty, judge(fit), fit) for penalty, fit in fits]
    # Where all predictions are alike, there is no correlation to judge by.
    return max(found, key=lambda each: -np.inf if np.isnan(each[1]) else each[1])


def _expected(fit: Any, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expected level of each row."""
    expected: NDArray[np.float64] = fit.predict_proba(rows) @ fit.classes_
    return expected


def _pearson(predicted: NDArray[np.float64], known: NDArray[np.float64]) -> float:
    """Return Pearson's correlation; NaN where one of them does not vary."""
    if np.ptp(predicted) == 0 or np.ptp(known) == 0:
        return float("nan")
    return float(np.corrcoef(predicted, known)[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks, the mean rank for values that are alike."""
    from scipy.stats import rankdata

    ranks: NDArray[np.float64] = rankdata(values)
    return ranks
