"""The columns that a user names: texts, numbers kept as texts, labels; and held-out test rows."""

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.inputs import is_in_place
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.parsers import option
from fair_datasets.rows.column_checks import instead_of, number_in, shortened
from fair_datasets.rows.families import family_ids, joined, text_digests
from fair_datasets.rows.given import ROWS_AT_ONCE, refuse_absent_roles
from fair_datasets.rows.text_fields import RowTexts, check_path, field_columns, is_there, text_field
from fair_datasets.selection.splits import divided
from fair_datasets.system.checks import InputError, listed_few, one_of

_TEXT_KINDS = ("string", "large_string", "null")
# How a whole number is written; "007" is a text.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def refuse_lists(names: Iterable[str], existing: Sequence[str], where: str) -> None:
    """Raise where several columns are given as one.

    Example:
        >>> refuse_lists(["id,text"], ["id", "text"], "in.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in.csv: there is no column 'id,text'; give each column by
        itself: --text id --text text.
    """
    for name in names:
        parts = [part.strip() for part in name.split(",")]
        is_list = len(parts) > 1 and all(is_there(part, existing) for part in parts)
        if is_list and not is_there(name, existing):
            options = " ".join(f"--text {part}" for part in parts)
            raise InputError(
                f"{where}: there is no column {name!r}; give each column by itself: {options}."
            )


def refuse_other_separators(names: Iterable[str], existing: Sequence[str], where: str) -> None:
    """Raise where columns are missing because the fields of a file are separated otherwise.

    Example:
        >>> refuse_other_separators(["text"], ["id;text"], "in.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in.csv: its one column is 'id;text', as if fields were
        separated by semicolons; save it with commas, or with tabs as .tsv.
    """
    found = [sign for sign in _SEPARATORS if sign in "".join(existing)]
    if len(existing) == 1 and found and not all(is_there(name, existing) for name in names):
        raise InputError(
            f"{where}: its one column is {existing[0]!r}, as if fields were separated by "
            f"{_SEPARATORS[found[0]]}; save it with commas, or with tabs as .tsv."
        )


def refuse_misread_columns(names: Sequence[str], existing: Sequence[str], where: str) -> None:
    """Raise where text columns are missing for a reason that can be told."""
    refuse_lists(names, existing, where)
    refuse_other_separators(names, existing, where)


def check_text_columns(
    dataset: Dataset, names: Sequence[str], where: str, roles: Sequence[str] = ()
) -> list[str]:
    """Raise unless a dataset has rows and texts where they are said to be."""
    if dataset.num_rows == 0:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    refuse_misread_columns(names, dataset.column_names, where)
    for name in names:
        if text_field(name, dataset.column_names, owner=where).steps:
            _check_inside(dataset, name, where, roles)
        else:
            _check_column(dataset, name, where)
    return field_columns(names, dataset.column_names, owner=where)


def _check_column(dataset: Dataset, column: str, where: str) -> None:
    feature = dataset.features[column]
    kind = feature.dtype if isinstance(feature, Value) else type(feature).__name__
    if kind in _TEXT_KINDS:
        _refuse_numbers(dataset, column, where)
        return
    for start, batch in enumerate(dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE)):
        check_texts(batch[column], column, where, first_row=ROWS_AT_ONCE * start)
    raise InputError(
        f"{where}: column {column!r} is of type {kind}, not text; name a text column with --text."
    )


def _check_inside(dataset: Dataset, name: str, where: str, roles: Sequence[str]) -> None:
    """Raise unless there is a text where a path leads to."""
    check_path(name, dataset.features, owner=where)
    column = text_field(name, dataset.column_names, owner=where).column
    for batch in dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        if any(any(row) for row in RowTexts.read(batch, [name], roles=roles, owner=where).rows):
            return
    refuse_absent_roles(dataset, [name], roles, owner=where)
    raise InputError(f"{where}: there is no text at {name!r}; look at the column's values.")


def check_texts(values: Sequence[Any], column: str, where: str, first_row: int = 0) -> None:
    """Raise unless all values are texts or nulls."""
    for row, value in enumerate(values, start=first_row):
        if value is not None and not isinstance(value, str):
            raise InputError(
                f"{where}: column {column!r} must hold text, but row {row} (counted from 0) holds "
                f"{shortened(value)} ({type(value).__name__}); {instead_of(value, column)} with "
                "--text."
            )


def _refuse_numbers(dataset: Dataset, column: str, where: str) -> None:
    """Raise if each text of a column is a whole number, as in a CSV file's column of labels."""
    number = None
    for batch in dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        for value in batch[column]:
            if value is not None and not _NUMBER.fullmatch(value):
                return
            number = number or value
    if number is not None:
        raise InputError(
            f"{where}: column {column!r} holds whole numbers only (the first is {number}) and no "
            "text; name a text column with --text."
        )


def as_numbers(values: Sequence[Any]) -> Sequence[Any]:
    """Read a column of numbers that is kept as text.

    Returns:
        The numbers; the column as it is where something else is among them.

    Example:
        >>> as_numbers(["0.90", None]), as_numbers(["0.90", "high"])
        ([0.9, None], ['0.90', 'high'])
    """
    read = [number_in(value) for value in values]
    given = [each for each, value in zip(read, values, strict=True) if value is not None]
    is_text = any(isinstance(value, str) for value in values)
    return read if is_text and all(isinstance(each, float) for each in given) else values


def with_classes(splits: Mapping[str, Dataset], label: str, *, owner: str) -> dict[str, Dataset]:
    """Number labels alike in all splits: texts in alphabetical order, numbers in theirs.

    Args:
        splits: The rows; a split without the column, and labels that are 0, 1, ... already or have
            names, stay as they are.

    Returns:
        The splits; a column that was numbered is a `ClassLabel` in all that have it.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"stars": [5, 1, 5]})
        >>> encoded = with_classes({"train": rows}, "stars", owner="rows.csv")["train"]
        >>> encoded["stars"][:], encoded.features["stars"].names
        ([1, 0, 1], ['1', '5'])
    """
    labelled = {name: rows for name, rows in splits.items() if label in rows.column_names}
    texts = {name: rows for name, rows in labelled.items() if _is_text(rows.features, label)}
    numbers = {name: rows for name, rows in labelled.items() if _is_number(rows.features, label)}
    if texts and len(texts) < len(labelled):
        other = next(name for name in labelled if name not in texts)
        raise InputError(
            f"{owner}: column {label!r} holds texts in {next(iter(texts))}, but not in {other}; "
            "give all rows labels of one kind."
        )
    if numbers and len(numbers) == len(labelled):
        texts = _as_texts(numbers, label, owner)
    if not texts:
        return dict(splits)
    found = _different(texts, label)
    count = sum(map(len, texts.values()))
    if len(found) > max(10 if numbers else 2, count // 2):
        raise InputError(
            f"{owner}: column {label!r} holds {len(found):,} different "
            f"{'numbers' if numbers else 'texts'} in {count:,} rows, too many for classes; name "
            "the column with the classes by --label."
        )
    kind = ClassLabel(names=sorted(found, key=int if numbers else None))
    encoded = {name: rows.cast_column(label, kind) for name, rows in texts.items()}
    return {**splits, **encoded}


def positive_classes(
    splits: Mapping[str, Dataset], label: str, given: Sequence[str], *, owner: str
) -> list[str]:
    """Say which of several classes are 1 where a method needs two.

    Args:
        given: The classes that the user names; none for those of a rating (1, 2, 3, ...) that are
            above its middle.

    Returns:
        The classes; none where there are two and nothing is asked for.

    Example:
        >>> from datasets import Dataset
        >>> rows = with_classes({"train": Dataset.from_dict({"stars": [1, 2, 5, 4]})}, "stars",
        ...                     owner="rows.csv")
        >>> positive_classes(rows, "stars", [], owner="rows.csv")
        ['4', '5']
    """
    names = _names(splits, label)
    for name in given:
        one_of(name, names, owner=owner, parameter="--positive")
    if given and set(names) <= set(given):
        raise InputError(
            f"{owner}: --positive names all classes of {label!r}; leave out those that are to be 0."
        )
    if given or len(names) <= 2:
        return list(given)
    if _are_numbers(names) and int(names[0]) > 0:
        middle = (int(names[0]) + int(names[-1])) / 2
        return [name for name in names if int(name) > middle]
    raise InputError(
        f"{owner}: column {label!r} holds {len(names)} classes ({listed_few(names)}), and a diet "
        "needs two; name each that is to be 1 by --positive, such as --positive "
        f"{shlex.quote(names[-1])}."
    )


def with_two_classes(rows: Dataset, label: str, positive: Sequence[str]) -> Dataset:
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
    kind = ClassLabel(names=[", ".join(others), ", ".join(positive)])
    rows = rows.rename_column(label, f"{label}_given").add_column(label, two, feature=kind)
    return rows.select_columns([*order, f"{label}_given"])


def with_classes_of(pool: Dataset, rows: Dataset, label: str, *, owner: str) -> Dataset:
    """Number the labels of other rows as those of some rows are numbered.

    Example:
        >>> from datasets import ClassLabel, Dataset, Features
        >>> rows = Dataset.from_dict({"tone": [1]}, Features(tone=ClassLabel(names=["a", "b"])))
        >>> pool = Dataset.from_dict({"tone": ["b", "a"]})
        >>> with_classes_of(pool, rows, "tone", owner="pool.csv")["tone"][:]
        [1, 0]
    """
    names = getattr(rows.features[label], "names", [])
    if label in pool.column_names and _is_number(pool.features, label) and _are_numbers(names):
        pool = _as_texts({"": pool}, label, owner).get("", pool)
    if label not in pool.column_names or not _is_text(pool.features, label):
        return pool
    for text in pool.unique(label):
        if text is not None and text not in names:
            raise InputError(
                f"{owner}: column {label!r} holds {text!r}, but the classes of the training rows "
                f"are {', '.join(map(repr, names)) or 'numbers'}; give labels of the same kind."
            )
    return pool.cast_column(label, rows.features[label])


def _names(splits: Mapping[str, Dataset], label: str) -> list[str]:
    """Return the classes that there are, in their order."""
    labelled = {name: rows for name, rows in splits.items() if label in rows.column_names}
    for rows in labelled.values():
        if hasattr(rows.features[label], "names"):
            return list(rows.features[label].names)
    return list(map(str, sorted(_different(labelled, label))))


def _different(splits: Mapping[str, Dataset], label: str) -> set[Any]:
    """Return the values of a column, without nulls."""
    return {value for rows in splits.values() for value in rows.unique(label)} - {None}


def _as_texts(splits: Mapping[str, Dataset], label: str, owner: str) -> dict[str, Dataset]:
    """Write labels that are numbers as texts, unless they are numbered from 0 on already."""
    found = _different(splits, label)
    wrong = next((value for value in found if value % 1 != 0 or value < 0), None)
    if wrong is not None:
        advice = "leave out the rows without a label" if wrong == -1 else "name another by --label"
        raise InputError(
            f"{owner}: column {label!r} holds {wrong!r}, but a class is a text or a whole number "
            f"from 0 on; {advice}."
        )
    are_floats = any(isinstance(value, float) for value in found)
    if not are_floats and found <= set(range(max(2, len(found)))):
        return {}
    return {
        name: rows.cast_column(label, Value("int64")).cast_column(label, Value("string"))
        for name, rows in splits.items()
    }


def _are_numbers(names: Iterable[str]) -> bool:
    return all(name.isdecimal() for name in names)


def _is_number(features: Features, label: str) -> bool:
    """Tell whether a column holds numbers that have no names."""
    kind = getattr(features[label], "dtype", "")
    is_named = hasattr(features[label], "names")
    return not is_named and kind.startswith(("int", "uint", "float"))


def _is_text(features: Features, label: str) -> bool:
    """Tell whether a column holds texts."""
    return getattr(features[label], "dtype", "") in ("string", "large_string", "string_view")


TEST = "test"


def add_splits(parser: argparse.ArgumentParser) -> None:
    """Add which rows are rewritten, and which go along as they are."""
    option(parser, "--split", "the one split to rewrite; the others are copied, or left out if "
           "--out is one file (default: all are rewritten)")  # fmt: skip
    option(parser, "--test-size SHARE", "first hold out this share of the rows as the split test, "
           "which is not rewritten; rows with the same id, text or family_id stay together",
           float)  # fmt: skip


def check_splits(options: argparse.Namespace, out: Output | None) -> None:
    """Refuse a share that cannot be held out, and tell of splits that a file does not hold."""
    share = options.test_size
    if share is None:
        if isinstance(out, FileOutput) and options.split is not None:
            print(
                f"fair-datasets: {out} gets the split {options.split!r} alone, because one file "
                "holds one split; a folder named with --out also gets the others, as they are.",
                file=sys.stderr,
            )
        return
    if not 0 < share < 1:
        raise InputError(
            f"{options.command}: --test-size must be a share between 0 and 1, such as 0.2, but it "
            f"is {share:g}."
        )
    if isinstance(out, FileOutput):
        raise InputError(
            f"{options.command}: --test-size makes two splits, which one file cannot hold; name a "
            "folder with --out."
        )
    if is_in_place(options.inputs):
        raise InputError(
            f"{options.command}: --test-size divides all rows at once, but these are read in "
            "place, shard by shard; leave it out, or name files that are here."
        )


def rewritten_splits(
    splits: Mapping[str, Dataset], split: str | None, test_size: float | None, *, source: str
) -> list[str]:
    """Say which splits are rewritten, of those that are read."""
    if split is not None:
        one_of(split, splits, owner=source, parameter="--split")
    names = list(splits) if split is None else [split]
    if test_size is not None:
        if len(names) > 1:
            raise InputError(
                f"{source} has the splits {', '.join(splits)}, but --test-size divides one split; "
                "leave it out, and name the split to rewrite with --split."
            )
        if TEST in splits:
            raise InputError(
                f"{source} has a split {TEST!r} already; leave out --test-size, and name the split "
                "to rewrite with --split."
            )
    return names


def held_out(
    splits: Mapping[str, Dataset],
    split: str,
    share: float,
    *,
    columns: Sequence[str],
    roles: Sequence[str] = (),
    id_column: str | None = None,
    seed: int = 0,
    source: str = "the dataset",
) -> DatasetDict:
    """Hold test rows out of a split, so that rows that belong together stay together.

    Args:
        columns: The text columns: rows of one text are on one side.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains.", "He ran."]})
        >>> found = held_out({"train": rows}, "train", 0.5, columns=["text"])
        >>> sorted(part["text"][:] for part in found.values())
        [['He ran.', 'He ran.'], ['It rains.']]
    """
    rows = splits[split]
    families = family_ids(rows, columns, roles=roles, id_column=id_column, owner=source)
    groups = joined(families, text_digests(rows, columns, roles=roles, owner=source))
    parts = divided(rows, groups.tolist(), {split: 1 - share, TEST: share}, seed=seed)
    for name, part in parts.items():
        if not len(part):
            raise InputError(
                f"{source}: with --test-size {share:g}, {len(rows):,} "
                f"row{'' if len(rows) == 1 else 's'} of {len(set(groups.tolist())):,} families "
                f"leave nothing for {name!r}; change the share, or give more rows."
            )
    return DatasetDict({**splits, **parts})
