"""Tests of the probes against plain scikit-learn and SciPy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fair_datasets.encoder_evaluation.linear_probe import (
    LEVELS,
    classification_probe,
    similarity_probe,
)
from fair_datasets.encoder_evaluation.tasks import pair_features

SIZES = {"train": 90, "validation": 40, "test": 60}


def rows(seed: int, width: int = 6) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw features, and a number that follows from them with noise."""
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=width)
    features = {split: generator.normal(size=(size, width)) for split, size in SIZES.items()}
    signal = {
        split: found @ weights + generator.normal(size=len(found))
        for split, found in features.items()
    }
    return features, signal


def test_it_is_plain_logistic_regression_chosen_on_the_validation_rows() -> None:
    """Accuracy and penalty are those of scikit-learn's pipeline, fitted by hand."""
    features, signal = rows(0)
    labels = {
        split: [["low", "middle", "high"][place] for place in np.digitize(found, [-1, 1])]
        for split, found in signal.items()
    }
    tried = (1.0, 0.1, 0.01, 0.001)
    plain = {}
    for l2 in tried:
        model = make_pipeline(
            StandardScaler(), LogisticRegression(C=1 / (l2 * SIZES["train"]), max_iter=10_000)
        ).fit(features["train"], labels["train"])
        plain[l2] = [model.score(features[split], labels[split]) for split in SIZES]
    best = max(tried, key=lambda l2: plain[l2][1])
    found = classification_probe(features, labels, tried)
    assert found.l2 == best
    assert found.validation == pytest.approx(plain[best][1])
    assert found.values == pytest.approx({"accuracy": plain[best][2]})
    counts = {name: labels["train"].count(name) for name in sorted(set(labels["train"]))}
    commonest = max(counts, key=lambda name: counts[name])
    share = labels["test"].count(commonest) / SIZES["test"]
    assert found.baseline == pytest.approx({"accuracy": share})


def test_the_stronger_penalty_wins_a_tie() -> None:
    """Where the validation rows do not tell penalties apart, the smaller weights are taken."""
    features = dict.fromkeys(SIZES, np.array([[-1.0], [1.0]] * 5))
    found = classification_probe(features, dict.fromkeys(SIZES, ["a", "b"] * 5), (1.0, 0.1))
    assert found.l2 == 1.0


def test_similarity_is_a_softmax_over_levels_with_the_score_for_expectation() -> None:
    """The predictions are those of the cross-entropy with two neighbours, minimised by SciPy."""
    features, signal = rows(1, width=3)
    scores = {split: np.clip(found + 2.5, 0, 5) for split, found in signal.items()}
    l2 = 0.05
    scaler = StandardScaler().fit(features["train"])
    x = {split: scaler.transform(found) for split, found in features.items()}
    low, high = scores["train"].min(), scores["train"].max()
    levels = np.linspace(low, high, LEVELS)
    # The share of a level falls to 0 at its neighbours.
    step = (high - low) / (LEVELS - 1)
    target = np.maximum(0, 1 - np.abs(scores["train"][:, None] - levels) / step)
    assert target.sum(axis=1) == pytest.approx(1)
    assert target @ levels == pytest.approx(scores["train"])

    def loss(flat: Any) -> float:
        weights, biases = flat[:-LEVELS].reshape(3, LEVELS), flat[-LEVELS:]
        fits = -(target * log_softmax(x["train"] @ weights + biases, axis=1)).sum(axis=1).mean()
        return float(fits + l2 / 2 * (weights**2).sum())

    flat = minimize(loss, np.zeros(4 * LEVELS), tol=1e-12).x
    logits = x["test"] @ flat[:-LEVELS].reshape(3, LEVELS) + flat[-LEVELS:]
    predicted = softmax(logits, axis=1) @ levels
    found = similarity_probe(features, scores, (l2,))
    assert found.values["pearson"] == pytest.approx(
        pearsonr(predicted, scores["test"])[0], abs=1e-4
    )
    rank = spearmanr(predicted, scores["test"])[0]
    assert found.values["spearman"] == pytest.approx(rank, abs=5e-3)
    assert found.baseline == {"pearson": None, "spearman": None}


def test_similarity_of_whole_scores_on_levels_has_no_neighbours() -> None:
    """Scores at the ends and on the levels are learnt as they are."""
    features = dict.fromkeys(SIZES, np.arange(5.0)[:, None].repeat(3, axis=0))
    scores = dict.fromkeys(SIZES, tuple(map(float, np.arange(1, 6).repeat(3))))
    assert similarity_probe(features, scores).values["spearman"] == pytest.approx(1)


def test_one_prediction_for_all_has_no_correlation() -> None:
    """As where all features are alike; it is NaN and not 0."""
    features = dict.fromkeys(SIZES, np.ones((4, 2)))
    found = similarity_probe(features, dict.fromkeys(SIZES, (0.0, 1.0, 2.0, 3.0)))
    assert np.isnan(found.values["pearson"])
    assert np.isnan(found.values["spearman"])
    assert found.l2 == 10.0


@settings(max_examples=5)
@given(seed=st.integers(0, 1000), factor=st.sampled_from([1e-3, 7.0, 1e4]))
def test_the_scale_of_vectors_changes_nothing(seed: int, factor: float) -> None:
    """Of pairs as well, in whose features it stands once and twice."""
    generator = np.random.default_rng(seed)
    pairs = {split: generator.normal(size=(2, size, 4)) for split, size in SIZES.items()}
    scores = {
        split: np.abs(found[0] - found[1]).sum(axis=1) + generator.normal(size=found.shape[1])
        for split, found in pairs.items()
    }
    one, other = (
        similarity_probe(
            {
                split: pair_features(*(by * found), kind="similarity")
                for split, found in pairs.items()
            },
            scores,
            (1.0, 0.1),
        )
        for by in (1.0, factor)
    )
    assert one.l2 == other.l2
    assert one.values == pytest.approx(other.values, abs=1e-3)


def test_features_of_similarity_do_not_know_the_order() -> None:
    """|u - v| and u * v are the same for both orders; for classes of pairs u and v stand before."""
    u, v = np.array([[1.0, -2.0]]), np.array([[3.0, 5.0]])
    assert pair_features(u, v, kind="similarity").tolist() == [[2, 7, 3, -10]]
    assert pair_features(v, u, kind="similarity").tolist() == [[2, 7, 3, -10]]
    assert pair_features(u, v, kind="pair").tolist() == [[1, -2, 3, 5, 2, 7, 3, -10]]
