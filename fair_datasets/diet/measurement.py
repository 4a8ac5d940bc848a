"""What is measured on a trained classifier, on pairs of texts and on templates."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets import checks
from fair_datasets.checks import InputError
from fair_datasets.columns import refuse_nulls, texts
from fair_datasets.measures import inputs
from fair_datasets.measures.counterfactual_parity import (
    counterfactual_demographic_parity,
    counterfactual_equal_opportunity,
)
from fair_datasets.measures.parity import demographic_parity, equal_opportunity
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.selection.trainers import Predict

if TYPE_CHECKING:
    from datasets import Dataset

MEASURES = (
    "auc",
    "demographic_parity",
    "equal_opportunity_1",
    "equal_opportunity_0",
    "equalized_odds",
)
"""What is measured; of all of them higher is better, and the fairness measures are scores."""

Row = tuple[str, ...]
_OWNER = "healthy_diet"


class Evaluation(Protocol):
    """Rows on which a classifier is measured."""

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier.

        Args:
            predict: The classifier.

        Returns:
            `MEASURES` to values.
        """


@dataclass(frozen=True)
class Pairs:
    """Texts and their counterfactuals: the groups are the texts as they are and swapped.

    Attributes:
        factual: The texts of each row.
        counterfactual: The swapped texts of each row.
        labels: The class of each row, of both texts. Shape (N,).
    """

    factual: list[Row]
    counterfactual: list[Row]
    labels: NDArray[np.bool_]

    @classmethod
    def read(cls, dataset: "Dataset", columns: Sequence[str], label: str) -> "Pairs":
        """Read a dataset that `CounterfactualSwap(mode="pair")` made.

        Args:
            dataset: The rows.
            columns: The text columns.
            label: The column with the classes.

        Returns:
            The pairs.

        Raises:
            InputError: A column is missing or has a null, or a label is neither 0 nor 1.
        """
        swapped = [f"{column}_counterfactual" for column in columns]
        return cls(text_rows(dataset, columns), text_rows(dataset, swapped), labels(dataset, label))

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Which rows the swap changed. Shape (N,)."""
        pairs = zip(self.factual, self.counterfactual, strict=True)
        return np.fromiter((one != other for one, other in pairs), np.bool_, len(self.factual))

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier; see `Evaluation`."""
        # The swap leaves most rows as they are: they are predicted once.
        changed = self.changed
        scores = positive(predict, self.factual)
        swapped_scores = scores.copy()
        if changed.any():
            rows = [self.counterfactual[row] for row in np.flatnonzero(changed)]
            swapped_scores[changed] = positive(predict, rows)
        factual, swapped = scores > 0.5, swapped_scores > 0.5
        with _nan_is_enough():
            parity = counterfactual_demographic_parity(factual, swapped)
            one, zero = (
                counterfactual_equal_opportunity(self.labels, factual, swapped, outcome=outcome)
                for outcome in (1, 0)
            )
        return _named(
            auc(self.labels, scores),
            *(found.all_rows.score for found in (parity, one, zero)),
        )


@dataclass(frozen=True)
class Templates:
    """Texts made from templates, of which each belongs to a group.

    Attributes:
        texts: The text of each row.
        groups: The group of each row.
        labels: The class of each row. Shape (N,).
    """

    texts: list[Row]
    groups: list[str]
    labels: NDArray[np.bool_]

    @classmethod
    def read(cls, dataset: "Dataset") -> "Templates":
        """Read what `identity_templates` or `load_iptts` gives.

        Args:
            dataset: The rows, with the columns `text`, `group` and `label`.

        Returns:
            The templates.

        Raises:
            InputError: A column is missing or has a null, or a label is neither 0 nor 1.
        """
        checks.present(["group"], dataset.column_names, owner=f"{_OWNER}, templates")
        groups = [str(group) for group in dataset["group"][:]]
        return cls(text_rows(dataset, ["text"]), groups, labels(dataset, "label"))

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier; see `Evaluation`."""
        scores = positive(predict, self.texts)
        found = scores > 0.5
        with _nan_is_enough():
            one, zero = (
                equal_opportunity(self.labels, found, self.groups, outcome=outcome).score
                for outcome in (1, 0)
            )
            parity = demographic_parity(found, self.groups).score
        return _named(auc(self.labels, scores), parity, one, zero)


def positive(predict: Predict, rows: Sequence[Row]) -> NDArray[np.float64]:
    """Return the probability of class 1 that a classifier gives each row.

    Args:
        predict: The classifier.
        rows: The texts of each row.

    Returns:
        The probabilities. Shape (N,).

    Raises:
        InputError: The classifier returns something else than two probabilities per row.

    Example:
        >>> positive(lambda rows: np.tile([0.25, 0.75], (len(rows), 1)), [("a",), ("b",)])
        array([0.75, 0.75])
    """
    found = np.asarray(predict(rows), dtype=np.float64)
    wanted = f"the trainer's classifier must return an array of shape ({len(rows)}, 2)"
    if found.shape != (len(rows), 2):
        raise InputError(
            f"{_OWNER}: {wanted}, the probabilities of class 0 and 1, but its shape is "
            f"{found.shape}."
        )
    # Half precision rounds; NaN compares as false.
    is_share = (found >= 0).all(axis=1) & (np.abs(found.sum(axis=1) - 1) < 0.01)
    if not is_share.all():
        row = int(np.argmin(is_share))
        raise InputError(
            f"{_OWNER}: {wanted} whose rows sum to 1, but row {row} is {found[row].tolist()}; "
            "apply softmax to logits first."
        )
    return found[:, 1]


def auc(references: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Return the area under the ROC curve.

    Args:
        references: The class of each row. Shape (N,).
        scores: The probability of class 1. Shape (N,).

    Returns:
        The area, from 0 to 1.

    Raises:
        InputError: All rows are of one class.

    Example:
        >>> auc(np.array([False, True]), np.array([0.1, 0.9]))
        1.0
    """
    from sklearn.metrics import roc_auc_score

    if references.all() or not references.any():
        raise InputError(
            f"{_OWNER}: all {len(references)} rows that are measured have label "
            f"{int(references.all())}, so that there is no AUC; give rows of both classes."
        )
    return float(roc_auc_score(references, scores))


def text_rows(dataset: "Dataset", columns: Sequence[str]) -> list[Row]:
    """Return the texts of each row of a dataset, or raise."""
    checks.present(columns, dataset.column_names, owner=_OWNER)
    found = []
    for column in columns:
        values = dataset[column][:]
        refuse_nulls(values, f"column {column!r}", owner=_OWNER)
        found.append(texts({column: values}, column, owner=_OWNER))
    return [tuple(map(str, row)) for row in zip(*found, strict=True)]


def labels(dataset: "Dataset", column: str) -> NDArray[np.bool_]:
    """Return the class of each row, which must be 0 or 1. Shape (N,)."""
    checks.present([column], dataset.column_names, owner=_OWNER)
    return inputs.binary(dataset[column][:], f"column {column!r}", owner=_OWNER)


def mean_and_deviation(
    measured: Sequence[Mapping[str, float]],
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the means and the standard deviations (ddof=1) over seeds.

    Args:
        measured: The measures of each seed.

    Returns:
        Measure to its mean, and to its deviation; NaN for one seed.

    Example:
        >>> mean_and_deviation([{"auc": 0.5}, {"auc": 1.0}])[0]
        {'auc': 0.75}
    """
    values = {name: np.array([each[name] for each in measured]) for name in measured[0]}
    mean = {name: float(found.mean()) for name, found in values.items()}
    if len(measured) < 2:
        return mean, dict.fromkeys(mean, float("nan"))
    return mean, {name: float(found.std(ddof=1)) for name, found in values.items()}


@contextmanager
def _nan_is_enough() -> Iterator[None]:
    """Say nothing of undefined values: of thousands of trainings, the tables show them as such."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        yield


def _named(area: float, parity: float, one: float, zero: float) -> dict[str, float]:
    """Name the measures; equalized odds is the mean of the scores of the two outcomes."""
    return dict(zip(MEASURES, (area, parity, one, zero, (one + zero) / 2), strict=True))
