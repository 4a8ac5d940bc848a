"""Correcting the rows above a percentile of their scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.given import batches
from fair_datasets.selection.correction.result import CorrectedSplit
from fair_datasets.selection.correction.settings import OWNER, Settings
from fair_datasets.selection.correction.swap_above import SwapAbove
from fair_datasets.selection.correction.words import KeepWordsBelow, strongest_words
from fair_datasets.selection.score_values import score_values
from fair_datasets.selection.thresholds import KeepAbove, KeepBelow, fit_threshold
from fair_datasets.system.checks import InputError, listed
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset

Floats = NDArray[np.float64]
Splits = Mapping[str, "Dataset"]
Apply = Callable[[Technique, Splits], dict[str, "Dataset"]]
"""What applies a technique to splits: `applied`, or something that goes on after an end."""


@dataclass(frozen=True)
class CorrectedRows:
    """The corrected rows, and what happened to them.

    Attributes:
        splits: Split name to its rows, with their scores.
        techniques: What was applied, in order.
        threshold: The score above which rows were corrected.
        word_threshold: The part of a word above which rows were left out, if any were.
        highest_before: The highest score before.
        highest_after: The highest score afterwards, if it is known.
        counts: Split name to what happened to its rows.
    """

    splits: Splits
    techniques: tuple[Technique, ...]
    threshold: float
    word_threshold: float | None
    highest_before: float
    highest_after: float | None
    counts: Mapping[str, CorrectedSplit]


def applied(
    technique: Technique, splits: Splits, options: Mapping[str, Any]
) -> dict[str, "Dataset"]:
    """Apply a technique to splits.

    Args:
        options: What `map` and `filter` take besides.

    Returns:
        Split name to the result.
    """
    from datasets import DatasetDict

    return dict(technique.apply(DatasetDict(splits), **options))


def corrected_rows(splits: Splits, settings: Settings, apply: Apply) -> CorrectedRows:
    """Correct the rows above the percentile of the scores of all splits together.

    Returns:
        The corrected rows.

    Raises:
        InputError: No row has a score.
    """
    column = settings.score_column
    scores = {name: _scores(rows, column) for name, rows in splits.items()}
    keep = _fit(splits, scores, settings)
    steps, result = _applied_steps(splits, keep, settings, apply)
    above = {
        name: KeepAbove(column=column, threshold=keep.threshold, missing="drop").apply(rows)
        for name, rows in splits.items()
    }
    every = np.concatenate(list(scores.values()))
    return CorrectedRows(
        splits=result,
        techniques=steps,
        threshold=keep.threshold,
        word_threshold=getattr(steps[-1], "word_threshold", None),
        highest_before=float(np.nanmax(every)),
        highest_after=_highest_after(every, above, result, steps[0], settings, apply),
        counts={
            name: _counts(rows, scores[name], above[name], result[name], steps[0])
            for name, rows in splits.items()
        },
    )


def added_columns(rows: "Dataset", own: Sequence[str], settings: Settings) -> list[str]:
    """Return the columns of scored rows that the score added.

    Args:
        settings: What scores them, if anything does.
    """
    if settings.score is None:
        return []
    added = settings.score.added_features(rows.features)
    return [name for name in added if name in rows.column_names and name not in own]


def _scores(rows: "Dataset", column: str) -> Floats:
    """Read the scores of rows, NaN where there is none."""
    found = (batch[column] for batch in batches(rows, [column], owner=OWNER))
    return score_values(chain.from_iterable(found), f"column {column!r}", owner=OWNER, missing=True)


def _fit(splits: Splits, scores: Mapping[str, Floats], settings: Settings) -> KeepBelow:
    """Take the threshold of the scores of all splits together."""
    from datasets import DatasetDict

    if all(np.isnan(found).all() for found in scores.values()):
        raise InputError(
            f"{OWNER}: no row has a score in the column {settings.score_column!r}; a score needs a "
            f"text in each of {listed(settings.columns)}."
        )
    quantile = settings.correction.percentile / 100
    keep = fit_threshold(
        DatasetDict(splits), settings.score_column, keep="below", quantile=quantile, missing="keep"
    )
    return KeepBelow(column=keep.column, threshold=keep.threshold, missing=keep.missing)


def _applied_steps(
    splits: Splits, keep: KeepBelow, settings: Settings, apply: Apply
) -> tuple[tuple[Technique, ...], dict[str, "Dataset"]]:
    """Apply what the correction is made of, and return it with the result."""
    if settings.correction.kind == "Sub":
        return (keep,), apply(keep, splits)
    swap = settings.swap_above(keep.threshold)
    result = apply(swap, splits)
    if settings.correction.kind != "RepSub":
        return (swap,), result
    mild = _fit_words(splits, settings, keep.threshold)
    return (swap, mild), apply(mild, _scored_anew(result, settings, apply))


def _counts(
    rows: "Dataset", scores: Floats, above: "Dataset", result: "Dataset", step: Technique
) -> CorrectedSplit:
    """Count what happened to the rows of a split."""
    rewritten = unchanged = 0
    if isinstance(step, SwapAbove):
        # Those in which there is something to swap are those that get a copy.
        rewritten = len(replace(step, mode="augment").apply(above)) - len(above)
        unchanged = len(above) - rewritten
    return CorrectedSplit(
        rows_before=len(rows),
        unlabelled=0,
        unscored=int(np.isnan(scores).sum()),
        above=len(above),
        rewritten=rewritten,
        unchanged=unchanged,
        dropped=max(0, len(rows) - len(result)),
        rows_after=len(result),
    )


def _fit_words(splits: Splits, settings: Settings, threshold: float) -> KeepWordsBelow:
    """Take the threshold of words: the same percentile of the most biased word of each row."""
    from datasets import DatasetDict

    parts = strongest_words(DatasetDict(splits), settings.score_column)
    quantile = settings.correction.percentile / 100
    return KeepWordsBelow(
        column=settings.score_column,
        threshold=threshold,
        word_threshold=float(np.quantile(parts[~np.isnan(parts)], quantile)),
    )


def _scored_anew(splits: Splits, settings: Settings, apply: Apply) -> dict[str, "Dataset"]:
    """Score rows that have been rewritten."""
    if settings.score is None:
        return dict(splits)
    bare = {
        name: rows.remove_columns(added_columns(rows, (), settings))
        for name, rows in splits.items()
    }
    return apply(settings.score, bare)


def _highest_after(
    every: Floats,
    above: Splits,
    result: Splits,
    step: Technique,
    settings: Settings,
    apply: Apply,
) -> float | None:
    """Return the highest score after a correction; None if the rewritten rows have none."""
    if not isinstance(step, SwapAbove) or settings.correction.kind == "RepSub":
        after = [_scores(rows, settings.score_column) for rows in result.values()]
    elif settings.score is None:
        return None
    else:
        rows = apply(replace(step, mode="replace"), above)
        swapped = _scored_anew(rows, settings, apply)
        after = [_scores(rows, settings.score_column) for rows in swapped.values()]
        is_kept = settings.correction.kind == "Aug"
        after.append(every if is_kept else every[every <= step.threshold])
    found = np.concatenate(after)
    return None if np.isnan(found).all() else float(np.nanmax(found))
