"""The linear probe: logistic regression on TF-IDF features, saved without pickle."""

import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.importance import linear_gradient_norms
from fair_datasets.scores.probes.probe import DEFAULT_READING, Reading, Texts, told_if_broken
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import refuse_no_numbers

if TYPE_CHECKING:
    from fair_datasets.scores.probes.probe import TrainingRows

TERMS_FILE = "linear_probe.json"
WEIGHTS_FILE = "linear_probe.safetensors"


@dataclass(frozen=True)
class LinearProbe:
    """A softmax layer on TF-IDF features.

    Two classes have the logits (-z/2, z/2), where z is the decision value of binary logistic
    regression: the probabilities are the same.

    Attributes:
        terms: The terms, in the order of the features.
        frequencies: The inverse document frequency of each term. Shape (V,).
        weights: Shape (C, V).
        biases: Shape (C,).
    """

    terms: list[str]
    frequencies: NDArray[np.float64]
    weights: NDArray[np.float64]
    biases: NDArray[np.float64]

    @classmethod
    def load(cls, folder: Path) -> "LinearProbe":
        """Read a probe from the folder that `save` wrote."""
        from safetensors.numpy import load_file

        with told_if_broken(folder, "linear probe"):
            terms = json.loads((folder / TERMS_FILE).read_text(encoding="utf-8"))["terms"]
            weights = load_file(folder / WEIGHTS_FILE)
            found = cls(terms=terms, **weights)
        refuse_no_numbers(weights, str(folder / WEIGHTS_FILE), owner="load_probe")
        return found

    def save(self, folder: Path) -> None:
        """Write the probe into a folder that exists."""
        from safetensors.numpy import save_file

        text = json.dumps({"terms": self.terms}, ensure_ascii=False)
        (folder / TERMS_FILE).write_text(text, encoding="utf-8")
        arrays = {
            "frequencies": self.frequencies,
            "weights": np.ascontiguousarray(self.weights),
            "biases": self.biases,
        }
        save_file(arrays, folder / WEIGHTS_FILE)

    @property
    def classes(self) -> int:
        """The number of classes C."""
        return len(self.biases)

    def logits(
        self, rows: Sequence[Texts], reading: Reading = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row; see `Probe`."""
        return self._logits(self._features(rows))

    def gradient_norms(
        self, rows: Sequence[Texts], labels: NDArray[np.int64], reading: Reading = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient, in closed form; see `Probe`."""
        features = self._features(rows)
        squares = np.asarray(features.multiply(features).sum(axis=1), dtype=np.float64).ravel()
        return linear_gradient_norms(squares, self._logits(features), labels)

    def _features(self, rows: Sequence[Texts]) -> Any:
        """Return the TF-IDF features. A sparse matrix of shape (N, V)."""
        from scipy.sparse import csr_array

        if not rows:
            return csr_array((0, len(self.terms)), dtype=np.float64)
        return self._vectorizer.transform(map(joined, rows))

    def _logits(self, features: Any) -> NDArray[np.float64]:
        """Return the logits of features."""
        return np.asarray(features @ self.weights.T + self.biases, dtype=np.float64)

    @cached_property
    def _vectorizer(self) -> Any:
        """The features' maker, as it was fitted."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(vocabulary=self.terms)
        vectorizer.idf_ = self.frequencies
        return vectorizer


def joined(row: Texts) -> str:
    """Return the texts of a row as one text."""
    return "\n".join(row)


def linear_epochs(
    rows: "TrainingRows", seed: int, start: Path | None, first: int
) -> Iterator[LinearProbe]:
    """Train a linear probe, one epoch per step.

    Args:
        seed: It orders the rows of each epoch.
        start: The probe to go on from; None to begin anew.
        first: The number of the next epoch, counted from 1.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = TfidfVectorizer()
    try:
        features = vectorizer.fit_transform(map(joined, rows.texts))
    except ValueError as error:  # Raised for an empty vocabulary alone.
        raise InputError(
            "train_probes: the texts have no word of two or more letters to learn from."
        ) from error
    terms = vectorizer.get_feature_names_out().tolist()
    model = LogisticRegression(solver="saga", warm_start=True, max_iter=1)
    if start is not None:
        _go_on(model, LinearProbe.load(start))
    for epoch in range(first, rows.epochs + 1):
        model.random_state = int(np.random.SeedSequence([seed, epoch]).generate_state(1)[0])
        with warnings.catch_warnings():
            # One pass over the rows is what an epoch is.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features, rows.labels)
        weights, biases = model.coef_, model.intercept_
        if len(biases) == 1:
            weights = np.concatenate([-weights / 2, weights / 2])
            biases = np.concatenate([-biases / 2, biases / 2])
        yield LinearProbe(terms, vectorizer.idf_, weights, biases)


def _go_on(model: Any, probe: LinearProbe) -> None:
    """Give a model the weights of a probe, for its next fit to go on from."""
    is_binary = probe.classes == 2
    # Halving and doubling a float is exact.
    model.coef_ = 2 * probe.weights[1:] if is_binary else probe.weights
    model.intercept_ = 2 * probe.biases[1:] if is_binary else probe.biases
    model.classes_ = np.arange(probe.classes)
