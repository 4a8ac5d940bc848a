"""Parity between texts and their counterfactuals, instead of between groups of texts.

The same rows are predicted twice, as they are and with the attribute flipped. The two predictions
of a row are a pair: both have the row's reference, as a counterfactual keeps its label. Rows that
flipping leaves as they are dilute every difference, so the changed rows are also reported alone.
"""

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import family_codes, one_against_rest
from fair_datasets.measures.group_table import FamilyRows, GroupTable
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.parity import (
    OPPORTUNITY,
    Aggregation,
    Criterion,
    Parity,
    criterion_of,
    parity_of,
    rate_of_outcome,
)
from fair_datasets.system.checks import caller_name, error_context


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedParity(Parity):
    """How far the rates of factual and counterfactual predictions lie apart.

    Attributes:
        pairs: How many rows have which reference, factual and counterfactual prediction, as
            `pairs[reference][factual][counterfactual]`; without references all have reference 0.
    """

    pairs: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class CounterfactualParity:
    """Parity over all pairs, and over those whose text changed.

    Attributes:
        all_rows: Over all rows; it depends on how many of them flipping leaves as they are.
        changed_rows: Over the changed rows only, or None where it was not told which they are.
    """

    all_rows: PairedParity
    changed_rows: PairedParity | None


def counterfactual_demographic_parity(
    y_pred_factual: ArrayLike,
    y_pred_counterfactual: ArrayLike,
    *,
    positive: Hashable = None,
    changed: ArrayLike | None = None,
    families: Any = None,
    undefined: Undefined = "nan",
) -> CounterfactualParity:
    """Compare how often texts and their counterfactuals are predicted 1.

    Flips in both directions cancel; `counterfactual_flip_rate` counts them.

    Args:
        y_pred_factual: The predictions for the texts, 0 or 1. Shape (N,).
        y_pred_counterfactual: Those for their counterfactuals, in the same order. Shape (N,).
        positive: The class that counts as 1, all others as 0. None: they are 0 and 1 already.
        changed: Whether a text and its counterfactual differ, per row. Shape (N,).
        families: The family of each row, such as `family_id`, for `confidence_interval`; None where
            no row depends on another. Shape (N,).
        undefined: For what is not defined: `"nan"` with a warning, `"zero"`, or `"raise"`.

    Returns:
        The parity of the groups `"factual"` and `"counterfactual"`, over all and changed rows.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> parity = counterfactual_demographic_parity([1, 1, 0, 1], [1, 0, 0, 1],
        ...     changed=[True, True, False, False])
        >>> parity.all_rows.score, parity.changed_rows.score
        (0.75, 0.5)

    Source:
        Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023, equation 3.
    """
    return _paired(
        None, y_pred_factual, y_pred_counterfactual, Criterion(("selection_rate",)),
        positive, changed, families, undefined)  # fmt: skip


def counterfactual_equal_opportunity(
    y_true: ArrayLike,
    y_pred_factual: ArrayLike,
    y_pred_counterfactual: ArrayLike,
    *,
    outcome: int = 1,
    positive: Hashable = None,
    changed: ArrayLike | None = None,
    families: Any = None,
    undefined: Undefined = "nan",
) -> CounterfactualParity:
    """Compare how often texts of one true class and their counterfactuals are predicted 1.

    Args:
        y_true: The references of the texts and of their counterfactuals, 0 or 1. Shape (N,).
        y_pred_factual: The predictions for the texts, 0 or 1. Shape (N,).
        y_pred_counterfactual: Those for their counterfactuals, in the same order. Shape (N,).
        outcome: 1 to compare true positive rates, 0 to compare false positive rates.
        positive: The class that counts as 1, all others as 0. None: they are 0 and 1 already.
        changed: Whether a text and its counterfactual differ, per row. Shape (N,).
        families: The family of each row, such as `family_id`, for `confidence_interval`; None where
            no row depends on another. Shape (N,).
        undefined: For what is not defined: `"nan"` with a warning, `"zero"`, or `"raise"`.

    Returns:
        The parity of the groups `"factual"` and `"counterfactual"`, over all and changed rows.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> parity = counterfactual_equal_opportunity([1, 1, 0], [1, 1, 0], [1, 0, 1])
        >>> parity.all_rows.score
        0.5

    Source:
        Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023.
    """
    return _paired(
        y_true, y_pred_factual, y_pred_counterfactual,
        criterion_of(rate_of_outcome(outcome, OPPORTUNITY)),
        positive, changed, families, undefined)  # fmt: skip


def counterfactual_equalized_odds(
    y_true: ArrayLike,
    y_pred_factual: ArrayLike,
    y_pred_counterfactual: ArrayLike,
    *,
    agg: Aggregation = "worst_case",
    positive: Hashable = None,
    changed: ArrayLike | None = None,
    families: Any = None,
    undefined: Undefined = "nan",
) -> CounterfactualParity:
    """Compare how often texts and their counterfactuals are rightly and wrongly predicted 1.

    Args:
        y_true: The references of the texts and of their counterfactuals, 0 or 1. Shape (N,).
        y_pred_factual: The predictions for the texts, 0 or 1. Shape (N,).
        y_pred_counterfactual: Those for their counterfactuals, in the same order. Shape (N,).
        agg: How the true and false positive rates become one value: `"worst_case"` or `"mean"`.
        positive: The class that counts as 1, all others as 0. None: they are 0 and 1 already.
        changed: Whether a text and its counterfactual differ, per row. Shape (N,).
        families: The family of each row, such as `family_id`, for `confidence_interval`; None where
            no row depends on another. Shape (N,).
        undefined: For what is not defined: `"nan"` with a warning, `"zero"`, or `"raise"`.

    Returns:
        The parity of the groups `"factual"` and `"counterfactual"`, over all and changed rows.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> parity = counterfactual_equalized_odds([1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0])
        >>> parity.all_rows.score, parity.all_rows.criterion.agg
        (0.5, 'worst_case')

    Source:
        Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023, where it is the mean.
    """
    return _paired(
        y_true, y_pred_factual, y_pred_counterfactual,
        criterion_of(*OPPORTUNITY[::-1], agg=agg),
        positive, changed, families, undefined)  # fmt: skip


def marginals(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the factual and the counterfactual predictions of pairs.

    Args:
        pairs: Rows by reference, factual and counterfactual prediction. Shape (..., 2, 2, 2).

    Returns:
        Rows by side (factual, counterfactual), reference and prediction. Shape (..., 2, 2, 2).

    Example:
        >>> marginals(np.array([[[1, 2], [3, 4]], [[0, 0], [0, 0]]]))[:, 0].tolist()
        [[3, 7], [4, 6]]
    """
    return np.stack([pairs.sum(-1), pairs.sum(-2)], axis=-3)


def _paired(
    y_true: ArrayLike | None,
    y_pred_factual: ArrayLike,
    y_pred_counterfactual: ArrayLike,
    criterion: Criterion,
    positive: Hashable,
    changed: ArrayLike | None,
    families: Any,
    undefined: Undefined,
) -> CounterfactualParity:
    """Compare the two sides of the pairs, over all rows and over the changed ones."""
    columns = {
        "references": y_true,
        "factual predictions": y_pred_factual,
        "counterfactual predictions": y_pred_counterfactual,
    }
    given = {name: values for name, values in columns.items() if values is not None}
    read = one_against_rest(given, positive)
    if changed is not None:
        read["changed"] = inputs.binary(changed, "changed")
    own = family_codes(families, dict(read))
    bits = {name: values.astype(np.intp) for name, values in read.items()}
    cells = 2 * bits["factual predictions"] + bits["counterfactual predictions"]
    cells += 4 * bits.get("references", np.intp(0))
    parts: dict[str, Any] = {"": slice(None)}
    if changed is not None:
        parts[" over changed rows"] = read["changed"]
    parities = []
    for which, rows in parts.items():
        families = None if own is None else own[rows]
        with error_context(caller_name() + which):
            parities.append(
                _parity_of_pairs(cells[rows], families, y_true is not None, criterion, undefined)
            )
    return CounterfactualParity(parities[0], parities[1] if changed is not None else None)


def _parity_of_pairs(
    cells: NDArray[np.intp],
    families: NDArray[np.intp] | None,
    has_references: bool,
    criterion: Criterion,
    undefined: Undefined,
) -> PairedParity:
    """Compare the two sides of pairs: four times the reference, twice one prediction, the other."""
    pairs = np.bincount(cells, minlength=8).reshape(2, 2, 2)
    rows = None
    if families is not None:
        sides = [cells // 4 * 2 + prediction for prediction in (cells // 2 % 2, cells % 2)]
        codes = np.repeat(np.arange(2), len(cells))
        rows = FamilyRows(np.concatenate(sides), codes, np.tile(families, 2))
    table = GroupTable(("factual", "counterfactual"), marginals(pairs), has_references, rows)
    parity = parity_of(table, criterion, undefined)
    of_parity = {field.name: getattr(parity, field.name) for field in fields(parity)}
    return PairedParity(
        **of_parity, pairs=tuple(tuple(map(tuple, rows)) for rows in pairs.tolist())
    )
