"""Importance scores of examples, as functions of arrays, and the random score to compare them with.

A score per row says how much a classifier's output, loss or training depends on that row. Every
function takes one model's arrays, or those of several seeds along a first axis; the scalar is
computed per seed and then averaged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.column_checks import ColumnName, ColumnNames
from fair_datasets.rows.draws import row_ids
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system.checks import invalid, one_of
from fair_datasets.system.validate import Whole, validate_fields
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Features


Floats = NDArray[np.float64]


def ge_score(
    logits_factual: ArrayLike, logits_counterfactual: ArrayLike, changed: ArrayLike | None = None
) -> Floats:
    """Return the equity score: how far a classifier's logits move when the attribute is swapped.

    It is the Euclidean norm of the difference of the raw logits. It grows with their scale, so it
    compares rows under one model and never two models. It is symmetric in its two arguments; the
    score of a row equals that of its counterfactual only where swapping twice gives the row back.

    Args:
        logits_factual: Logits of the texts. Shape (N, C), or (S, N, C) for S seeds.
        logits_counterfactual: Logits of the counterfactual texts. The same shape.
        changed: Whether the swap changed the row. Shape (N,). The others get exactly 0.0. None if
            all rows were changed.

    Returns:
        The scores, at least 0. Shape (N,).

    Example:
        >>> ge_score([[0.0, 0.0], [1.0, 2.0]], [[3.0, 4.0], [1.1, 2.0]], [True, False])
        array([5., 0.])

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """
    factual = read_logits(logits_factual, "logits_factual")
    counterfactual = read_logits(logits_counterfactual, "logits_counterfactual")
    if factual.shape != counterfactual.shape:
        raise invalid(
            f"logits_factual has the shape {factual.shape}, but logits_counterfactual has "
            f"{counterfactual.shape}; give both for the same rows, classes and seeds."
        )
    scores = _mean_over_seeds(np.linalg.norm(factual - counterfactual, axis=-1))
    if changed is None:
        return scores
    is_changed = inputs.binary(changed, "changed")
    _same_rows(len(scores), "logits_factual", len(is_changed), "changed")
    return np.where(is_changed, scores, 0.0)


def el2n_score(logits: ArrayLike, labels: ArrayLike) -> Floats:
    """Return the error norm: how far the predicted probabilities are from the label.

    It is the Euclidean norm of softmax(logits) less the label's one-hot vector.

    Args:
        logits: Logits of the texts. Shape (N, C), or (S, N, C) for S seeds.
        labels: The class of each row, from 0 to C - 1. Shape (N,).

    Returns:
        The scores, from 0 to the root of 2. Shape (N,).

    Source:
        Paul et al. (2021), "Deep Learning on a Data Diet".
    """
    values = read_logits(logits, "logits")
    target = _one_hot(labels, values)
    return _mean_over_seeds(np.linalg.norm(softmax(values) - target, axis=-1))


def grand_score(gradient_norms: ArrayLike) -> Floats:
    """Return the gradient norm of each row, averaged over seeds.

    The norm is that of the gradient of one example's cross-entropy over all trainable weights,
    with dropout off: `GraNd` takes it from a model, `linear_gradient_norms` from a linear layer.

    Args:
        gradient_norms: Norms of per-example gradients. Shape (N,), or (S, N) for S seeds.

    Returns:
        The scores, at least 0. Shape (N,).

    Source:
        Paul et al. (2021), "Deep Learning on a Data Diet".
    """
    norms = _finite(gradient_norms, "gradient_norms", ("N", "SN"))
    if (norms < 0).any():
        row = int(np.argwhere(norms < 0)[0][-1])
        raise invalid(
            f"gradient_norms must be at least 0, but row {row} has "
            f"{norms[..., row].min().item()!r}."
        )
    return _mean_over_seeds(norms)


def linear_gradient_norms(squared_norms: ArrayLike, logits: ArrayLike, labels: ArrayLike) -> Floats:
    """Return the per-example gradient norms of a linear softmax layer, in closed form. Shape (N,).

    The gradient over the weights and the bias is (softmax(logits) - onehot) times (x, 1), so its
    norm is the error norm times the root of ||x||^2 + 1.

    Args:
        squared_norms: ||x||^2 of each row's features. Shape (N,).
        logits: The layer's output. Shape (N, C).
        labels: The class of each row. Shape (N,).
    """
    squares = inputs.scores(squared_norms, "squared_norms")
    errors = el2n_score(logits, labels)
    _same_rows(len(errors), "logits", len(squares), "squared_norms")
    return np.asarray(np.sqrt(squares + 1.0) * errors, dtype=np.float64)


def forget_score(outputs: ArrayLike, labels: ArrayLike, *, never_learned: str = "zero") -> Floats:
    """Count how often each row is forgotten: right after one epoch and wrong after the next.

    The state before training is not counted. All epochs are needed: a gap would compare states
    that are not neighbours.

    Args:
        outputs: One entry per epoch, in order: predicted classes of shape (E, N), or logits of
            shape (E, N, C), whose largest is the prediction (the first of equals).
        labels: The class of each row. Shape (N,).
        never_learned: The score of a row that is never right: `zero` as in Zayed et al. (2023),
            or `inf` as in Toneva et al. (2019).

    Returns:
        The scores: whole numbers from 0 to E // 2, or infinity. Shape (N,), float64.

    Example:
        >>> forget_score([[1, 0], [0, 0], [1, 0], [0, 0]], [1, 1])
        array([2., 0.])
        >>> forget_score([[1, 0], [0, 0]], [1, 1], never_learned="inf")
        array([ 1., inf])

    Source:
        Toneva et al. (2019), "An Empirical Study of Example Forgetting during Deep Neural Network
        Learning".
    """
    one_of(never_learned, ("zero", "inf"), parameter="never_learned")
    values = _finite(outputs, "outputs", ("EN", "ENC"))
    if not len(values):
        raise invalid("outputs has no epoch; give one entry per epoch, in order.")
    if values.ndim == 3:
        target = read_labels(labels, values.shape[-1])
        values = values.argmax(axis=-1)
    else:
        target = inputs.classes(labels, "labels")
    _same_rows(values.shape[1], "outputs", len(target), "labels")
    correct = values == target
    counts: Floats = (correct[:-1] & ~correct[1:]).sum(axis=0).astype(np.float64)
    if never_learned == "inf":
        counts[~correct.any(axis=0)] = np.inf
    return counts


def softmax(logits: Floats) -> Floats:
    """Return probabilities; the largest logit is taken off first, so that nothing overflows.

    Returns:
        The probabilities. Shape (..., C).
    """
    if not logits.shape[-1]:
        return logits
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float64)


def read_logits(values: ArrayLike, argument: str) -> Floats:
    """Read logits of one model, or of several seeds."""
    array = _finite(values, argument, ("NC", "SNC"))
    if array.ndim == 3 and not len(array):
        raise invalid(f"{argument} has no seed; give the logits of one model at least.")
    return array


def read_labels(labels: ArrayLike, count: int) -> NDArray[np.int64]:
    """Read the class of each row, each being one of those that the logits have.

    Example:
        >>> read_labels([0, 2], 2)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: read_labels: the logits have 2 classes, so labels must be
        from 0 to 1, but row 1 is 2.
    """
    classes = inputs.classes(labels, "labels")
    wrong = np.flatnonzero((classes < 0) | (classes >= count))
    if wrong.size:
        row = int(wrong[0])
        raise invalid(
            f"the logits have {count} class{'es' * (count != 1)}, so labels must be from "
            f"0 to {count - 1}, but row {row} is {int(classes[row])}."
        )
    return classes


def _one_hot(labels: ArrayLike, logits: Floats) -> Floats:
    """Return the one-hot vectors of the labels. Shape (N, C)."""
    classes = read_labels(labels, logits.shape[-1])
    _same_rows(logits.shape[-2], "logits", len(classes), "labels")
    return np.asarray(np.eye(logits.shape[-1])[classes], dtype=np.float64)


def _mean_over_seeds(scores: Floats) -> Floats:
    """Return the mean of what each seed gives, if there are several seeds."""
    return scores if scores.ndim == 1 else np.asarray(scores.mean(axis=0), dtype=np.float64)


def _same_rows(count: int, first: str, other: int, second: str) -> None:
    """Raise unless two arguments have as many rows."""
    if count != other:
        raise invalid(
            f"{first} has {count} row{'s' * (count != 1)}, but {second} has {other}. Row "
            f"{min(count, other)} has no partner."
        )


def _finite(values: Any, argument: str, shapes: Sequence[str]) -> Floats:
    """Read finite numbers in one of several shapes; "SN" stands for the shape (S, N)."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    expected = " or ".join("(N,)" if shape == "N" else f"({', '.join(shape)})" for shape in shapes)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise invalid(
            f"{argument} must be numbers of shape {expected}, without gaps ({error})."
        ) from error
    axes = next((shape for shape in shapes if len(shape) == array.ndim), None)
    if axes is None:
        raise invalid(f"{argument} must have the shape {expected}, but its shape is {array.shape}.")
    if not np.isfinite(array).all():
        place = np.argwhere(~np.isfinite(array))[0]
        raise invalid(
            f"{argument} must be finite, but row {int(place[axes.index('N')])} holds "
            f"{array[tuple(place)].item()!r}."
        )
    return array


@dataclass(frozen=True, kw_only=True)
class RandomScore(Technique):
    """Add a number that is uniform on [0, 1), for `datasets.map`.

    It is drawn for each row by the seed and the row's texts, so that it does not depend on the
    order of the rows; rows with equal texts have equal numbers, unless `id_column` tells them
    apart. A row whose texts are all nulls has a null.

    Attributes:
        columns: The text column or columns.
        id_column: A column that tells rows apart; None to tell them apart by their texts.
        seed: The seed of the draws.
        output_column: The column to add.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> score = RandomScore(columns="text")
        >>> score({"text": ["a", "b"]})["random"] == score({"text": ["b", "a"]})["random"][::-1]
        True
    """

    reads: ClassVar[tuple[str, ...]] = ("columns", "id_column")

    columns: ColumnNames = field(kw_only=False)
    id_column: ColumnName | None = None
    seed: Whole = 0
    output_column: ColumnName = "random"

    def __post_init__(self) -> None:
        """Check the parameters."""
        validate_fields(self)
        super().__post_init__()

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the feature of the added column."""
        from datasets import Value

        return {self.output_column: Value("float64")}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        rows = RowTexts.read(batch, self.columns).rows
        column_checks.free([self.output_column], batch)
        keys = rows
        if self.id_column is not None:
            ids = row_ids(batch, self.id_column)
            column_checks.refuse_nulls(ids, f"column {self.id_column!r}")
            keys = [(value,) for value in ids]
        scores = [
            None
            if all(text is None for text in texts)
            else draws.uniform(self.seed, draws.row_key(key), "random score")
            for texts, key in zip(rows, keys, strict=True)
        ]
        result = {column: list(values) for column, values in batch.items()}
        return {**result, self.output_column: scores}
