"""Numbering and checking labels, pairing rows with counterfactuals, scoring pairs for rankings."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.column_checks import refuse_nulls
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import (
    counterfactual_column,
    counterfactual_field,
    field_columns,
)
from fair_datasets.scores.equity import EquityScore
from fair_datasets.scores.model_score import EL2N, Forgetting, GraNd
from fair_datasets.scores.probes import train_probes
from fair_datasets.scores.probes.train import ProbeTrainer
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.thresholds import score_values
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    error_context,
    format_first,
    invalid,
    one_of,
)
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset, Features


def check_labelled(
    dataset: "Dataset",
    columns: Sequence[str],
    label: str,
    *,
    roles: tuple[str, ...] = (),
    both: bool = True,
) -> None:
    """Raise unless each row has its texts and a label of 0 or 1, and both labels occur.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["a", "b"], "label": [1, 1]})
        >>> check_labelled(rows, ["text"], "label")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: check_labelled: all 2 rows have label 1; give rows of both
        classes, 0 and 1.
    """
    held = field_columns(columns, dataset.column_names)
    column_checks.present([label], dataset.column_names)
    plain = dataset.with_format(None)
    batch = {name: plain[name][:] for name in held}
    texts = RowTexts.read(batch, columns, roles=roles).by_field()
    for name, column_texts in zip(columns, texts, strict=True):
        refuse_nulls(column_texts, f"column {name!r}")
    refuse_nulls(plain[label][:], f"column {label!r}")
    values = [draws.plain(value) for value in plain[label][:]]
    for row, value in enumerate(values):
        if not isinstance(value, Integral):
            _refuse(value, row, label)
    labels = sorted({int(value) for value in values})
    if len(labels) > 2:
        names = getattr(dataset.features[label], "names", labels)
        raise invalid(
            f"column {label!r} holds {len(labels)} classes ({format_first(names)}), and a "
            "diet needs two; choose the class that is to be 1: "
            f"`dataset.map(lambda row: {{{label!r}: int(row[{label!r}] == {labels[-1]})}})`."
        )
    if not set(labels) <= {0, 1}:
        raise invalid(
            f"column {label!r} must hold 0 and 1, but it holds {format_first(labels)}; "
            f"number the classes with `dataset.class_encode_column({label!r})`."
        )
    if both and len(labels) < 2:
        why = f"all {len(values)} rows have label {labels[0]}" if labels else "there are no rows"
        raise invalid(f"{why}; give rows of both classes, 0 and 1.")


def classes_of(features: "Features", label: str) -> str:
    """Return which class is which; empty where the classes have no names.

    Example:
        >>> from datasets import ClassLabel, Features
        >>> classes_of(Features(tone=ClassLabel(names=["kind", "rude"])), "tone")
        "The classes of 'tone': 0 is 'kind', 1 is 'rude'."
    """
    from datasets import ClassLabel

    kind = features.get(label)
    if not isinstance(kind, ClassLabel):
        return ""
    named = ", ".join(f"{number} is {name!r}" for number, name in enumerate(kind.names))
    return f"The classes of {label!r}: {named}."


def _refuse(value: Any, row: int, label: str) -> NoReturn:
    advice = f"turn it into whole numbers with `dataset.cast_column({label!r}, Value('int64'))`"
    if isinstance(value, str):
        advice = (
            f"turn it into a ClassLabel with `dataset.class_encode_column({label!r})`, and keep "
            "that as a file with `dataset.to_parquet('labelled.parquet')`"
        )
    elif isinstance(value, list | dict):
        advice = "choose one label for each row"
    raise invalid(
        f"column {label!r} must hold the classes 0 and 1, but row {row} (counted from 0) "
        f"holds {value!r} ({type(value).__name__}); {advice}."
    )


def scored_rows(
    pairs: "Dataset", config: DietConfig, probe: ProbeTrainer, folder: Path
) -> "Dataset":
    """Train probes on the factual rows and add the scores that the pairs lack.

    Equity, EL2N and GraNd are those after the first epoch, the mean over the probes; the forget
    score counts over all epochs, also a mean over the probes.
    """
    scores = unscored(config, pairs.column_names)
    if not scores:
        return pairs
    held = field_columns(config.columns, pairs.column_names)
    factual = pairs.remove_columns(list(map(counterfactual_column, held)))
    settings = probe.probes(
        folder,
        tuple(range(config.seed, config.seed + config.probe_seeds)),
        needed_epochs(scores, config.probe_epochs),
    )
    paths = train_probes(settings, factual)
    for technique in score_techniques(scores, probe, paths, factual.column_names, axis=config.axis):
        pairs = technique.apply(pairs, desc=f"Scoring: {type(technique).__name__}")
    return pairs


def unscored(config: DietConfig, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the scores that the rankings need and that are no columns yet.

    Example:
        >>> config = DietConfig(columns="text", rankings="healthy_el2n")
        >>> unscored(config, ["text", "label", "gender_equity"])
        ('el2n',)
    """
    there = set(columns)
    return tuple(score for score in config.scores if config.score_column(score) not in there)


def ready_scores(train: "Dataset", config: DietConfig) -> tuple[str, ...]:
    """Return the scores that the rankings need and that the rows have, or raise if one is unfit.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran."], "gender_equity": [None]})
        >>> ready_scores(rows, DietConfig(columns="text"))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: ready_scores, split train: in row 0 (counted from 0),
        column 'gender_equity' holds None, which is not a score; remove the row, or fill the score
        in. Without this column the score is computed.
    """
    missing = unscored(config, train.column_names)
    ready = tuple(score for score in config.scores if score not in missing)
    plain = train.with_format(None)
    for column in map(config.score_column, ready):
        try:
            with error_context(f"{caller_name()}, split train"):
                score_values(plain[column][:], f"column {column!r}")
        except InputError as error:
            raise InputError(f"{error} Without this column the score is computed.") from error
    return ready


def needed_epochs(scores: Sequence[str], epochs: int) -> int:
    """Return how many epochs probes are trained: only the forget score reads more than the first.

    Example:
        >>> needed_epochs(["equity"], 5)
        1
    """
    if "forgetting" not in scores:
        return 1
    if epochs < 2:
        raise invalid(
            f"the forget score counts what is forgotten from one epoch to the next; train "
            f"the probes for at least 2 epochs, not {epochs}."
        )
    return epochs


def score_techniques(
    scores: Sequence[str],
    probe: ProbeTrainer,
    paths: Sequence[Sequence[str]],
    existing: Sequence[str],
    *,
    axis: str,
) -> list[Technique]:
    """Return the techniques that add scores.

    Args:
        existing: The columns of the rows, with which their counterfactuals stand.

    Example:
        >>> score_techniques([], ProbeTrainer(columns=("text",)), [], ["text"], axis="gender")
        []
    """
    swapped = tuple(counterfactual_field(name, existing) for name in probe.columns)
    first = tuple(epochs[0] for epochs in paths)
    read: dict[str, Any] = {
        "columns": probe.columns, "roles": probe.roles, "max_length": probe.max_length
    }  # fmt: skip
    makers: dict[str, Callable[[], Technique]] = {
        "equity": lambda: EquityScore(
            models=first, axis=axis, counterfactual_columns=swapped, **read
        ),
        "el2n": lambda: EL2N(models=first, label=probe.label, **read),
        "grand": lambda: GraNd(models=first, label=probe.label, **read),
        "forgetting": lambda: Forgetting(
            models=tuple(map(tuple, paths)), label=probe.label, **read
        ),
    }
    return [makers[name]() for name in scores]


def paired(dataset: "Dataset", config: DietConfig, split: str) -> "Dataset":
    """Add the counterfactuals; those that are there already must be the same.

    Returns:
        The rows with a column `<column>_counterfactual` for each column with texts.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran."], "text_counterfactual": ["It ran."]})
        >>> paired(rows, DietConfig(columns="text"), "train")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: paired, split train: in row 0 (counted from 0),
        column 'text_counterfactual' does not hold what the swap on the axis 'gender'
        writes, so the scores of the rows belong to other pairs; remove the column and these
        scores, or give the axis and names that they were made with (and make them with
        protect=(): the diet swaps known people too).
    """
    held = field_columns(config.columns, dataset.column_names)
    there = [name for name in map(counterfactual_column, held) if name in dataset.column_names]
    swap = CounterfactualSwap(**config.reading, mode="pair")
    pairs = swap.apply(dataset.remove_columns(there), desc=f"Swapping {split}")
    for column in there:
        both = (rows.with_format(None)[column][:] for rows in (dataset, pairs))
        for row, (given, written) in enumerate(zip(*both, strict=True)):
            if given != written:
                raise InputError(
                    f"{caller_name()}, split {split}: in row {row} (counted from 0), column "
                    f"{column!r} does not hold what the swap on the axis {config.axis!r} writes, "
                    "so the scores of the rows belong to other pairs; remove the column and these "
                    "scores, or give the axis and names that they were made with (and make them "
                    "with protect=(): the diet swaps known people too)."
                )
    return pairs


def refuse_unchanged(
    pairs: "Dataset", columns: Sequence[str], axis: str, *, split: str = "training"
) -> None:
    """Raise if no row differs from its counterfactual.

    Example:
        >>> from datasets import Dataset
        >>> pairs = Dataset.from_dict({"text": ["Rain."], "text_counterfactual": ["Rain."]})
        >>> refuse_unchanged(pairs, ["text"], "gender")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: refuse_unchanged: none of the 1 training rows has a word of the
        axis 'gender' to swap in text, so there are no counterfactuals to choose among.
    """
    texts = pairs.with_format(None)
    held = field_columns(columns, pairs.column_names)
    if all(texts[name][:] == texts[counterfactual_column(name)][:] for name in held):
        raise _unswapped(len(pairs), columns, axis, split)


def refuse_unswapped(rows: "Dataset", swap: CounterfactualSwap) -> None:
    """Raise if a swap changes no row; it ends at the first that it does.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["Rain.", "He ran."]})
        >>> refuse_unswapped(rows, CounterfactualSwap(columns="text", mode="pair"))
    """
    plain = rows.with_format(None)
    held = field_columns(swap.columns, rows.column_names)
    for batch in plain.iter(batch_size=ROWS_AT_ONCE):
        pairs = swap(batch)
        if any(pairs[name] != pairs[counterfactual_column(name)] for name in held):
            return
    raise _unswapped(len(rows), swap.columns, str(swap.axis), "training")


def _unswapped(number: int, columns: Sequence[str], axis: str, split: str) -> InputError:
    """Return the error for rows that are all their own counterfactuals."""
    return invalid(
        f"none of the {number} {split} rows has a word of the axis {axis!r} to swap in "
        f"{', '.join(columns)}, so there are no counterfactuals to choose "
        f"{'among' if split == 'training' else 'by'}."
    )


def with_classes(splits: "Mapping[str, Dataset]", label: str) -> "dict[str, Dataset]":
    """Number labels alike in all splits: texts in alphabetical order, numbers in theirs.

    Args:
        splits: The rows; a split without the column, and labels that are 0, 1, ... already or have
            names, stay as they are.

    Returns:
        The splits; a column that was numbered is a `ClassLabel` in all that have it.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"stars": [5, 1, 5]})
        >>> encoded = with_classes({"train": rows}, "stars")["train"]
        >>> encoded["stars"][:], encoded.features["stars"].names
        ([1, 0, 1], ['1', '5'])
    """
    labelled = {name: rows for name, rows in splits.items() if label in rows.column_names}
    texts = {name: rows for name, rows in labelled.items() if _is_text(rows.features, label)}
    numbers = {name: rows for name, rows in labelled.items() if _is_number(rows.features, label)}
    if texts and len(texts) < len(labelled):
        other = next(name for name in labelled if name not in texts)
        raise invalid(
            f"column {label!r} holds texts in {next(iter(texts))}, but not in {other}; "
            "give all rows labels of one kind."
        )
    if numbers and len(numbers) == len(labelled):
        texts = _as_texts(numbers, label)
    if not texts:
        return dict(splits)
    labels = _different(texts, label)
    count = sum(map(len, texts.values()))
    if len(labels) > max(10 if numbers else 2, count // 2):
        raise invalid(
            f"column {label!r} holds {len(labels):,} different {'numbers' if numbers else 'texts'} "
            f"in {count:,} rows, too many for classes; name the column with the classes by --label."
        )
    from datasets import ClassLabel

    kind = ClassLabel(names=sorted(labels, key=int if numbers else None))
    encoded = {name: rows.cast_column(label, kind) for name, rows in texts.items()}
    return {**splits, **encoded}


def positive_classes(
    splits: "Mapping[str, Dataset]", label: str, given: Sequence[str]
) -> list[str]:
    """Return which of several classes are 1 where a method needs two.

    Args:
        given: The classes that the user names; none for those of a rating (1, 2, 3, ...) that are
            above its middle.

    Returns:
        The classes; none where there are two and nothing is asked for.

    Example:
        >>> from datasets import Dataset
        >>> rows = with_classes({"train": Dataset.from_dict({"stars": [1, 2, 5, 4]})}, "stars",
        ...                     )
        >>> positive_classes(rows, "stars", [])
        ['4', '5']
    """
    names = _names(splits, label)
    for name in given:
        one_of(name, names, parameter="--positive")
    if given and set(names) <= set(given):
        raise invalid(
            f"--positive names all classes of {label!r}; leave out those that are to be 0."
        )
    if given or len(names) <= 2:
        return list(given)
    if _are_numbers(names) and int(names[0]) > 0:
        middle = (int(names[0]) + int(names[-1])) / 2
        return [name for name in names if int(name) > middle]
    raise invalid(
        f"column {label!r} holds {len(names)} classes ({format_first(names)}), and a diet needs "
        "two; name each that is to be 1 by --positive, such as --positive "
        f"{shlex.quote(names[-1])}."
    )


def with_two_classes(rows: "Dataset", label: str, positive: Sequence[str]) -> "Dataset":
    """Divide several classes into two, and keep what they were in a column beside.

    Args:
        positive: What `positive_classes` returned; none to leave the rows as they are.

    Returns:
        The rows; the label is 1 where it was one of these classes, and what it was is in the column
        `<label>_given`.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"mood": [0, 2, 1]})
        >>> with_two_classes(rows, "mood", ["1", "2"])[:]
        {'mood': [0, 1, 1], 'mood_given': [0, 2, 1]}
    """
    if not positive or label not in rows.column_names:
        return rows
    names = _names({"": rows}, label)
    others = [name for name in names if name not in positive]
    values = rows.with_format(None)[label][:]
    feature, order = rows.features[label], rows.column_names
    named = getattr(feature, "names", None)
    words = [value if value is None or named is None else named[value] for value in values]
    two = [None if word is None else int(str(word) in positive) for word in words]
    from datasets import ClassLabel

    kind = ClassLabel(names=[", ".join(others), ", ".join(positive)])
    rows = rows.rename_column(label, f"{label}_given").add_column(label, two, feature=kind)
    return rows.select_columns([*order, f"{label}_given"])


def with_classes_of(pool: "Dataset", rows: "Dataset", label: str) -> "Dataset":
    """Number the labels of other rows as those of some rows are numbered.

    Example:
        >>> from datasets import ClassLabel, Dataset, Features
        >>> rows = Dataset.from_dict({"tone": [1]}, Features(tone=ClassLabel(names=["a", "b"])))
        >>> pool = Dataset.from_dict({"tone": ["b", "a"]})
        >>> with_classes_of(pool, rows, "tone")["tone"][:]
        [1, 0]
    """
    names = getattr(rows.features[label], "names", [])
    if label in pool.column_names and _is_number(pool.features, label) and _are_numbers(names):
        pool = _as_texts({"": pool}, label).get("", pool)
    if label not in pool.column_names or not _is_text(pool.features, label):
        return pool
    for text in pool.unique(label):
        if text is not None and text not in names:
            raise invalid(
                f"column {label!r} holds {text!r}, but the classes of the training rows "
                f"are {', '.join(map(repr, names)) or 'numbers'}; give labels of the same kind."
            )
    return pool.cast_column(label, rows.features[label])


def _names(splits: "Mapping[str, Dataset]", label: str) -> list[str]:
    """Return the classes that there are, in their order."""
    labelled = {name: rows for name, rows in splits.items() if label in rows.column_names}
    for rows in labelled.values():
        if hasattr(rows.features[label], "names"):
            return list(rows.features[label].names)
    return list(map(str, sorted(_different(labelled, label))))


def _different(splits: "Mapping[str, Dataset]", label: str) -> set[Any]:
    """Return the values of a column, without nulls."""
    return {value for rows in splits.values() for value in rows.unique(label)} - {None}


def _as_texts(splits: "Mapping[str, Dataset]", label: str) -> "dict[str, Dataset]":
    """Write labels that are numbers as texts, unless they are numbered from 0 on already."""
    labels = _different(splits, label)
    wrong = next((value for value in labels if value % 1 != 0 or value < 0), None)
    if wrong is not None:
        advice = "leave out the rows without a label" if wrong == -1 else "name another by --label"
        raise invalid(
            f"column {label!r} holds {wrong!r}, but a class is a text or a whole number "
            f"from 0 on; {advice}."
        )
    are_floats = any(isinstance(value, float) for value in labels)
    if not are_floats and labels <= set(range(max(2, len(labels)))):
        return {}
    from datasets import Value

    return {
        name: rows.cast_column(label, Value("int64")).cast_column(label, Value("string"))
        for name, rows in splits.items()
    }


def _are_numbers(names: Iterable[str]) -> bool:
    return all(name.isdecimal() for name in names)


def _is_number(features: "Features", label: str) -> bool:
    """Whether a column holds numbers that have no names."""
    kind = getattr(features[label], "dtype", "")
    is_named = hasattr(features[label], "names")
    return not is_named and kind.startswith(("int", "uint", "float"))


def _is_text(features: "Features", label: str) -> bool:
    """Whether a column holds texts."""
    return getattr(features[label], "dtype", "") in ("string", "large_string", "string_view")
