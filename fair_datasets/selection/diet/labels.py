"""Checking the texts and labels of what a diet is given, before anything is trained."""

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, NoReturn

from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.columns import refuse_nulls
from fair_datasets.rows.text_fields import RowTexts, field_columns
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, Features


def check_labelled(
    dataset: "Dataset",
    columns: Sequence[str],
    label: str,
    *,
    roles: tuple[str, ...] = (),
    owner: str,
    both: bool = True,
) -> None:
    """Raise unless each row has its texts and a label of 0 or 1, and both labels occur.

    Args:
        roles: Whose texts of a conversation are read; none for everybody's.
        owner: What the rows are, for errors.
        both: Whether both labels must occur.

    Raises:
        InputError: A column or a value is missing, or the labels are not 0 and 1.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["a", "b"], "label": [1, 1]})
        >>> check_labelled(rows, ["text"], "label", owner="rows.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: rows.csv: all 2 rows have label 1; give rows of both
        classes, 0 and 1.
    """
    held = field_columns(columns, dataset.column_names, owner=owner)
    column_checks.present([label], dataset.column_names, owner=owner)
    plain = dataset.with_format(None)
    batch = {name: plain[name][:] for name in held}
    texts = RowTexts.read(batch, columns, roles=roles, owner=owner).by_field()
    for name, found_texts in zip(columns, texts, strict=True):
        refuse_nulls(found_texts, f"column {name!r}", owner=owner)
    refuse_nulls(plain[label][:], f"column {label!r}", owner=owner)
    values = [draws.plain(value) for value in plain[label][:]]
    for row, value in enumerate(values):
        if not isinstance(value, Integral):
            _refuse(value, row, label, owner)
    found = sorted({int(value) for value in values})
    if len(found) > 2:
        names = getattr(dataset.features[label], "names", found)
        raise InputError(
            f"{owner}: column {label!r} holds {len(found)} classes ({_listed(names)}), and a diet "
            "needs two; choose the class that is to be 1: "
            f"`dataset.map(lambda row: {{{label!r}: int(row[{label!r}] == {found[-1]})}})`."
        )
    if not set(found) <= {0, 1}:
        raise InputError(
            f"{owner}: column {label!r} must hold 0 and 1, but it holds {_listed(found)}; number "
            f"the classes with `dataset.class_encode_column({label!r})`."
        )
    if both and len(found) < 2:
        told = f"all {len(values)} rows have label {found[0]}" if found else "there are no rows"
        raise InputError(f"{owner}: {told}; give rows of both classes, 0 and 1.")


def classes_of(features: "Features", label: str) -> str:
    """Say which class is which.

    Returns:
        A sentence; nothing where the classes have no names.

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


def _refuse(value: Any, row: int, label: str, owner: str) -> NoReturn:
    """Tell that a label is no class."""
    advice = f"turn it into whole numbers with `dataset.cast_column({label!r}, Value('int64'))`"
    if isinstance(value, str):
        advice = (
            f"turn it into a ClassLabel with `dataset.class_encode_column({label!r})`, and keep "
            "that as a file with `dataset.to_parquet('labelled.parquet')`"
        )
    elif isinstance(value, list | dict):
        advice = "choose one label for each row"
    raise InputError(
        f"{owner}: column {label!r} must hold the classes 0 and 1, but row {row} (counted from 0) "
        f"holds {value!r} ({type(value).__name__}); {advice}."
    )


def _listed(classes: Sequence[Any]) -> str:
    """List classes; of many the first."""
    shown = ", ".join(map(str, classes[:10]))
    return shown if len(classes) <= 10 else f"{shown}, ..."
