"""The label column: texts and numbers become classes, and several classes two."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError, listed, one_of

if TYPE_CHECKING:
    from datasets import Dataset, Features

_TEXT_KINDS = ("string", "large_string", "string_view")


def with_classes(
    splits: "Mapping[str, Dataset]", label: str, *, owner: str
) -> "dict[str, Dataset]":
    """Number labels alike in all splits: texts in alphabetical order, numbers in theirs.

    Args:
        splits: The rows; a split without the column, and labels that are 0, 1, ... already or have
            names, stay as they are.
        owner: What the rows are, for errors.

    Returns:
        The splits; a column that was numbered is a `ClassLabel` in all that have it.

    Raises:
        InputError: The labels are texts in some splits alone, no classes, or too many.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"stars": [5, 1, 5]})
        >>> encoded = with_classes({"train": rows}, "stars", owner="rows.csv")["train"]
        >>> encoded["stars"][:], encoded.features["stars"].names
        ([1, 0, 1], ['1', '5'])
    """
    from datasets import ClassLabel

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
    splits: "Mapping[str, Dataset]", label: str, given: Sequence[str], *, owner: str
) -> list[str]:
    """Say which of several classes are 1 where a method needs two.

    Args:
        splits: What `with_classes` returned.
        given: The classes that the user names; none for those of a rating (1, 2, 3, ...) that are
            above its middle.
        owner: What the rows are, for errors.

    Returns:
        The classes; none where there are two and nothing is asked for.

    Raises:
        InputError: There are more than two and none is named, or those that are named are unknown
            or all that there are.

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
        f"{owner}: column {label!r} holds {len(names)} classes ({listed(names[:10])}"
        f"{', ...' if names[10:] else ''}), and a diet needs two; name each that is to be 1 by "
        f"--positive, such as --positive {shlex.quote(names[-1])}."
    )


def with_two_classes(rows: "Dataset", label: str, positive: Sequence[str]) -> "Dataset":
    """Divide several classes into two, and keep what they were in a column beside.

    Args:
        rows: Rows of what `with_classes` returned.
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
    from datasets import ClassLabel

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


def with_classes_of(pool: "Dataset", rows: "Dataset", label: str, *, owner: str) -> "Dataset":
    """Number the labels of other rows as those of some rows are numbered.

    Args:
        pool: The other rows; labels that are no texts stay as they are.
        owner: What the other rows are, for errors.

    Returns:
        The other rows.

    Raises:
        InputError: A label is none of the classes.

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


def _as_texts(splits: "Mapping[str, Dataset]", label: str, owner: str) -> "dict[str, Dataset]":
    """Write labels that are numbers as texts, unless they are numbered from 0 on already."""
    from datasets import Value

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
    """Tell whether classes are numbers."""
    return all(name.isdecimal() for name in names)


def _is_number(features: "Features", label: str) -> bool:
    """Tell whether a column holds numbers that have no names."""
    kind = getattr(features[label], "dtype", "")
    is_named = hasattr(features[label], "names")
    return not is_named and kind.startswith(("int", "uint", "float"))


def _is_text(features: "Features", label: str) -> bool:
    """Tell whether a column holds texts."""
    return getattr(features[label], "dtype", None) in _TEXT_KINDS
