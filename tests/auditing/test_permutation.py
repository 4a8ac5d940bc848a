"""Refits on permuted attributes: their logits, their p-values, and what they find."""

from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing import permutation
from fair_datasets.auditing.permutation import ENOUGH, Refits, chance_of
from fair_datasets.swap import placebos_of
from fair_datasets.swap.placebos import RowDivider, versions_of_one
from tests.auditing.planted import NOTHING, Planted, rows_of

SWAP = CounterfactualSwap(columns="text")


def asked(size: int, seed: int, planted: Planted) -> tuple[Any, ...]:
    """Return what refits are made of: texts, labels, versions of the first of them, a divider."""
    rows = rows_of(size, seed, planted)
    texts = [(text,) for text in rows["text"]]
    versions = placebos_of(texts[:60], SWAP, count=1).versions()
    return texts, np.array(rows["label"]), versions, RowDivider(SWAP)


def figures(logits: np.ndarray) -> np.ndarray:
    """Return how far the versions shift to the second class, and how many are of another class."""
    said = logits.argmax(axis=2)
    shift = abs((logits[:, 1, 1] - logits[:, 0, 1]).mean())
    return np.array([shift, (said[:, 0] != said[:, 1]).mean()])


class Exact(Refits):
    """Fits each probe by itself, to twelve digits, on the features of the texts written out."""

    def __init__(self, *given: Any) -> None:
        """Make the features."""
        super().__init__(*given)
        training, self.labels, versions, divider = given
        self.texts = [text for (text,) in training]
        self.numbers, _, *both = versions_of_one(training, divider)
        self.written = [[text for (text,) in each] for each in both]
        rest = np.delete(self.texts, self.numbers).tolist()
        self.vectorizer = TfidfVectorizer().fit([*rest, *self.written[0], *self.written[1]])
        self.asked = [self.vectorizer.transform(text for (text,) in each) for each in versions]

    def logits(self, attributes: np.ndarray) -> np.ndarray:
        """Return the logits of the versions; see `Refits`."""
        return np.stack([self._fit(each) for each in attributes.T])

    def _fit(self, attributes: np.ndarray) -> np.ndarray:
        texts = list(self.texts)
        for place, (number, own) in enumerate(zip(self.numbers, attributes, strict=True)):
            texts[number] = self.written[own][place]
        model = LogisticRegression(solver="newton-cg", tol=1e-12, max_iter=1000)
        model.fit(self.vectorizer.transform(texts), self.labels)
        found = np.stack([model.decision_function(each) for each in self.asked], axis=1)
        return found if found.ndim == 3 else np.stack([0 * found, found], axis=2)


@pytest.mark.parametrize("classes", [2, 3])
def test_fits_made_at_once_are_those_of_an_exact_solver(classes: int) -> None:
    """Of rows as they are and permuted, some of which are about nobody."""
    given = asked(300, 0, Planted(odds_ratio=4, nobody=0.3))
    given[1][::3] = classes - 1
    fits = Refits(*given)
    draw = np.random.default_rng(0)
    dealt = np.column_stack([fits.own, *(draw.permutation(fits.own) for _ in range(4))])
    one, other = fits.logits(dealt), Exact(*given).logits(dealt)
    assert one.shape[2:] == (2, classes)
    np.testing.assert_allclose(
        one - one.mean(axis=3, keepdims=True), other - other.mean(axis=3, keepdims=True), atol=0.005
    )


@pytest.mark.parametrize(
    ("planted", "seed"), [(NOTHING, 0), (NOTHING, 1), (Planted(odds_ratio=2), 2)]
)
def test_p_values_are_those_of_exact_refits(
    monkeypatch: pytest.MonkeyPatch, planted: Planted, seed: int
) -> None:
    """A figure that is reached is reached in the same refits, as far as rounding has no say."""
    monkeypatch.setattr(permutation, "REFITS", 39)
    given = asked(150, seed, planted)
    found = chance_of(*given, figures, seed=seed)
    monkeypatch.setattr(permutation, "Refits", Exact)
    wanted = chance_of(*given, figures, seed=seed)
    assert found[0] == wanted[0]
    assert found[1] == pytest.approx(wanted[1], abs=1 / 40)


@pytest.mark.parametrize(("planted", "surely"), [(NOTHING, False), (Planted(odds_ratio=8), True)])
def test_refits_stop_early_and_find_what_was_planted(planted: Planted, surely: bool) -> None:
    """P is 5 by the refits where chance reaches a figure, and 1 / 100 where it never does."""
    p_value = chance_of(*asked(400, 0, planted), figures, seed=0)[0]
    assert (p_value == 0.01) == surely
    assert surely or np.isclose(ENOUGH / p_value % 1, 0)


def test_rows_that_cannot_be_told_apart_show_nothing() -> None:
    """Where no row of the training mentions one attribute alone, each refit is the probe."""
    training, labels, versions, divider = asked(60, 0, NOTHING)
    nobody = [("Rain fell.",), ("Snow fell.",)] * 30
    assert chance_of(nobody, labels, versions, divider, figures, seed=0).tolist() == [1, 1]
    assert versions_of_one(training, divider)[0].size
