"""The correction of a corpus by its bias scores: subtraction, augmentation, replacement."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import FAMILY, joined
from fair_datasets.rows.given import batches, one_dataset, texts_of
from fair_datasets.scores.bias.bias_score import coverage_of
from fair_datasets.scores.bias.parts import FEW_KNOWN, MANY_WORDS
from fair_datasets.selection.correction.settings import (
    TRAIN,
    Corrected,
    CorrectedSplit,
    Settings,
    divided,
    group_keys,
)
from fair_datasets.selection.correction.techniques import (
    KeepLabelled,
    KeepWordsBelow,
    SwapAbove,
    strongest_words,
)
from fair_datasets.selection.thresholds import KeepAbove, KeepBelow, fit_threshold, score_values
from fair_datasets.system.checks import (
    caller_name,
    error_context,
    format_choices,
    invalid,
    suggestion,
    typed,
)
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

Floats = NDArray[np.float64]
Splits = Mapping[str, "Dataset"]
Apply = Callable[[Technique, Splits], dict[str, "Dataset"]]
"""What applies a technique to splits: `applied`, or something that goes on after an end."""


@dataclass(frozen=True)
class CorrectedRows:
    """The corrected rows, and what happened to them.

    Attributes:
        threshold: The score above which rows were corrected.
        word_threshold: The part of a word above which rows were left out, if any were.
        highest_after: The highest score afterwards, if it is known.
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
    """Apply a technique to splits."""
    from datasets import DatasetDict

    return dict(technique.apply(DatasetDict(splits), **options))


def corrected_rows(splits: Splits, settings: Settings, apply: Apply) -> CorrectedRows:
    """Correct the rows above the percentile of the scores of all splits together."""
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
    """Return the columns of scored rows that the score added."""
    if settings.score is None:
        return []
    added = settings.score.added_features(rows.features)
    return [name for name in added if name in rows.column_names and name not in own]


def _scores(rows: "Dataset", column: str) -> Floats:
    """Read the scores of rows, NaN where there is none."""
    columns = (batch[column] for batch in batches(rows, [column]))
    return score_values(chain.from_iterable(columns), f"column {column!r}", missing=True)


def _fit(splits: Splits, scores: Mapping[str, Floats], settings: Settings) -> KeepBelow:
    """Take the threshold of the scores of all splits together."""
    from datasets import DatasetDict

    if all(np.isnan(values).all() for values in scores.values()):
        raise invalid(
            f"no row has a score in the column {settings.score_column!r}; a score needs a "
            f"text in each of {format_choices(settings.columns)}."
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
    every: Floats, above: Splits, result: Splits, step: Technique, settings: Settings, apply: Apply
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
        is_added = settings.correction.kind == "Aug"
        after.append(every if is_added else every[every <= step.threshold])
    scores = np.concatenate(after)
    return None if np.isnan(scores).all() else float(np.nanmax(scores))


# Columns that stay only until rows are divided: the group before the correction, and after it.
_GROUP, _GROUP_AFTER = "fair_datasets group", "fair_datasets group after"
# Of how many rows the words are looked up.
_SAMPLE = 5_000


def correct(
    dataset: "Dataset | DatasetDict",
    *,
    columns: str | Sequence[str],
    correction: str,
    roles: str | Sequence[str] = (),
    label: str | None = None,
    score_column: str | None = None,
    swap: Mapping[str, Any] | None = None,
    sizes: Mapping[str, float] | None = None,
    group_split: bool = True,
    seed: int = 0,
    num_proc: int | None = None,
    **scoring: Any,
) -> Corrected:
    """Correct a corpus by its bias scores: leave out, copy or replace the most biased rows.

    The threshold is the percentile, interpolated linearly, of the scores of all splits together;
    rows strictly above it are corrected. `Sub95` leaves them out, `Aug95` adds one swapped copy of
    each in which there is something to swap (all text columns together, the label kept), and
    `Rep95` replaces them by that copy. `RepSub95` replaces them, scores the rows anew, and leaves
    out those that are still above and in which one word alone is above the same percentile of the
    rows' most biased words. `Sub` and `Aug` with 97, 95, 93 and 90 are the eight corpora of the
    paper; `Rep` and `RepSub` are ours. Rows without a score are kept and counted.

    Args:
        dataset: The rows, or several splits of them.
        columns: The text column or columns, or paths to texts inside them. The score of a row is
            that of the text where it is highest.
        correction: `Sub`, `Aug`, `Rep` or `RepSub` with a percentile, such as `Sub95`.
        roles: Whose texts of a conversation are read; none for everybody's.
        label: The column with the gold label: rows without one are left out before the percentile
            is taken (see `KeepLabelled`). None to keep every row.
        score_column: The column with the scores; None for `bias_score`, or `bias_score_centred`
            where `centred` is asked for. Scores that the rows have are gone by where
            nothing is said of what scores them; a copy carries that of its row.
        swap: Parameters of `CounterfactualSwap`, such as `{"names": False}`, or
            `{"axis": "pairs.tsv"}` for a word list of one's own.
        sizes: Split name to its number of rows, or its share of them below 1: all rows are then
            pooled and divided anew, and `train` gets the rest. None to leave the splits as they
            are. The paper's are `{"validation": 10_000, "test": 10_000}`.
        group_split: Whether rows with the same text in the first column, before or after the
            correction, stay in one split, and so a row and its copy, and all rows of one
            `family_id`; the sizes are then exceeded by less than such a group. False for the
            paper's plain shuffle.
        num_proc: The number of processes; None for this one.
        **scoring: What scores the rows: the parameters of `BiasScore`, such as `vectors`,
            `encoder`, `direction` and `axis`. The columns that it adds are removed again. The swap
            takes `axis`, `pipeline` and `reader` over, unless `swap` has its own.

    Raises:
        InputError: A setting is wrong, a column is missing, no row has a score, most words have no
            vector, or a split is left without rows.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({
        ...     "text": ["She wore pink.", "He ran.", "It rains.", "It snows."],
        ...     "bias_score": [0.4, 0.1, 0.0, 0.0]})
        >>> found = correct(rows, columns="text", correction="Aug70")
        >>> found.dataset["text"][:]
        ['She wore pink.', 'He wore pink.', 'He ran.', 'It rains.', 'It snows.']
        >>> round(found.threshold, 3), found.splits["train"].rewritten
        (0.13, 1)
        >>> correct(rows, columns="text", correction="Sub70").dataset["text"][:]
        ['He ran.', 'It rains.', 'It snows.']

    Source:
        Dolci, Azzalini and Tanelli: the corrected versions of SNLI.
    """
    settings = Settings.checked(
        correction=correction, columns=columns, roles=roles, label=label,
        score_column=score_column, swap=swap, sizes=sizes, group_split=group_split, seed=seed,
        scoring=scoring,
    )  # fmt: skip
    options = {} if num_proc is None else {"num_proc": num_proc}
    return corrected(dataset, settings, partial(applied, options=options), options)


def corrected(
    dataset: "Dataset | DatasetDict", settings: Settings, apply: Apply, options: Mapping[str, Any]
) -> Corrected:
    """Correct a corpus as `correct` does, by whatever applies a technique."""
    given = _splits_of(dataset)
    labelled = _labelled(given, settings, apply)
    coverage = _coverage(labelled, settings)
    scored = _scored(labelled, settings, apply)
    if settings.sizes and settings.group_split:
        scored = _with_groups(scored, settings, options, _GROUP)
    result = corrected_rows(scored, settings, apply)
    made = {
        name: rows.remove_columns(added_columns(rows, labelled[name].column_names, settings))
        for name, rows in result.splits.items()
    }
    before = None if settings.label is None else KeepLabelled(column=settings.label)
    steps: list[Technique | None] = [before, settings.score, *result.techniques]
    return Corrected(
        dataset=_result(made, dataset, settings, options),
        correction=settings.correction,
        threshold=result.threshold,
        word_threshold=result.word_threshold,
        highest_before=result.highest_before,
        highest_after=result.highest_after,
        coverage=coverage,
        splits={
            name: replace(
                counts,
                rows_before=len(given[name]),
                unlabelled=len(given[name]) - len(labelled[name]),
            )
            for name, counts in result.counts.items()
        },
        techniques=tuple(step for step in steps if step is not None),
    )


def _splits_of(dataset: Any) -> dict[str, "Dataset"]:
    """Return the rows by split; one dataset is a split of its own name, or `train`."""
    if not isinstance(dataset, Mapping):
        rows = one_dataset(dataset, rows=True)
        return {TRAIN if rows.split is None else str(rows.split): rows}
    if not dataset:
        raise invalid("the dataset has no splits; give one that has rows.")
    return {str(name): one_dataset(rows) for name, rows in dataset.items()}


def _labelled(splits: Splits, settings: Settings, apply: Apply) -> dict[str, "Dataset"]:
    """Leave out the rows without a label."""
    if settings.label is None:
        return dict(splits)
    for name, rows in splits.items():
        with error_context(f"{caller_name()} (split {name})"):
            column_checks.present([settings.label], rows.column_names)
    labelled = apply(KeepLabelled(column=settings.label), splits)
    for name, rows in labelled.items():
        if len(splits[name]) and not len(rows):
            raise invalid(
                f"no row of the split {name!r} has a label in the column "
                f"{settings.label!r}; leave the label out, or give the other splits alone."
            )
    return labelled


def _coverage(splits: Splits, settings: Settings) -> float | None:
    """Return the share of words that have a vector, or raise where it is too low to score by."""
    if settings.score is None:
        return None
    texts: list[str] = []
    for rows in splits.values():
        places = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _SAMPLE)).astype(int))
        sample = texts_of(rows.select(places), settings.columns, roles=settings.roles)
        texts += filter(None, sample)
    covered = coverage_of(settings.score, texts)
    if covered is None:
        return None
    share, words = covered
    if words >= MANY_WORDS and share < FEW_KNOWN:
        raise invalid(
            f"{settings.score.vectors!r} has a vector for {share:.0%} of the words, so "
            "rows would be corrected by these alone; give vectors of the texts' language and "
            "kind, or score the rows with BiasScore first and leave vectors out."
        )
    return share


def _scored(splits: Splits, settings: Settings, apply: Apply) -> dict[str, "Dataset"]:
    """Score the rows, or look for the scores that they have."""
    if settings.score is not None:
        for rows in splits.values():
            _refuse_scored(settings.score.added_features(rows.features), rows.column_names)
        return apply(settings.score, splits)
    for rows in splits.values():
        if settings.score_column not in rows.column_names:
            raise invalid(
                f"there is no column {settings.score_column!r}; give `vectors` (a file "
                "of word vectors) or `encoder` (a model), or score the rows with BiasScore first."
                + suggestion(settings.score_column, rows.column_names)
            )
    return dict(splits)


def _refuse_scored(added: Iterable[str], existing: Sequence[str]) -> None:
    """Raise if rows that are to be scored have scores of the same name."""
    for name in added:
        if name in existing:
            raise invalid(
                f"the column {name!r} exists already; leave out {typed('vectors')} and "
                f"{typed('encoder')} to use its scores, or name another column for new ones as "
                f"{typed('score_column')}."
            )


def _with_groups(
    splits: Splits, settings: Settings, options: Mapping[str, Any], output: str
) -> dict[str, "Dataset"]:
    """Add the number of each row's first text."""
    keys = partial(group_keys, columns=settings.columns, roles=settings.roles, output=output)
    return {
        name: rows.map(keys, batched=True, desc="Grouping", **options)
        for name, rows in splits.items()
    }


def _result(
    splits: dict[str, "Dataset"], dataset: Any, settings: Settings, options: Mapping[str, Any]
) -> "Dataset | DatasetDict":
    """Return the rows as they were given: one dataset or several splits; or divided anew."""
    from datasets import DatasetDict, concatenate_datasets

    if not settings.sizes:
        return DatasetDict(splits) if isinstance(dataset, Mapping) else next(iter(splits.values()))
    kinds = {name: rows.features for name, rows in splits.items()}
    first = next(iter(kinds))
    for name, features in kinds.items():
        if features != kinds[first]:
            raise invalid(
                f"to be divided again, all splits need the same columns of the same "
                f"types, but {name!r} differs from {first!r}; cast them, or leave out sizes."
            )
    groups = None
    if settings.group_split:
        splits = _with_groups(splits, settings, options, _GROUP_AFTER)
    rows = concatenate_datasets(list(splits.values()))
    if settings.group_split:
        plain = rows.with_format(None)
        keys = [name for name in (_GROUP, _GROUP_AFTER, FAMILY) if name in rows.column_names]
        groups = joined(*(plain[name][:] for name in keys))
        rows = rows.remove_columns([_GROUP, _GROUP_AFTER])
    return divided(rows, settings.sizes, seed=settings.seed, groups=groups)
