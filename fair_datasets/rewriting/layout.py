"""Putting the rows of a result together: texts, their counterfactuals and where each is from."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.rewriting.counterfactuals import Counterfactual
from fair_datasets.row_texts import Row, RowTexts
from fair_datasets.technique import Batch
from fair_datasets.text_fields import counterfactual_column


def pair_rows(
    batch: Batch, texts: RowTexts, rewritten: Mapping[int, Sequence[Counterfactual]]
) -> dict[str, list[Any]]:
    """Put the counterfactual texts of each row beside its own.

    Args:
        batch: Column name to values.
        texts: The texts of its rows.
        rewritten: The number of each row that has any, to its counterfactuals; the first is taken.

    Returns:
        Every column of the batch, and for each that holds texts one with the counterfactuals.

    Example:
        >>> batch = {"t": ["He", "It"]}
        >>> texts = RowTexts.read(batch, ["t"], owner="CounterfactualSwap")
        >>> pair_rows(batch, texts, {0: [Counterfactual(("She",))]})
        {'t': ['He', 'It'], 't_counterfactual': ['She', 'It']}
    """
    result = {column: list(values) for column, values in batch.items()}
    new = {column: list(values) for column, values in texts.columns.items()}
    for number, found in rewritten.items():
        for column, value in texts.written(number, found[0].texts).items():
            new[column][number] = value
    return {**result, **{counterfactual_column(name): values for name, values in new.items()}}


def replaced_rows(
    rows: Sequence[Row], rewritten: Mapping[int, Sequence[Counterfactual]]
) -> tuple[Sequence[int], dict[int, Counterfactual]]:
    """Say which rows a result has if counterfactuals take the place of their origins.

    Args:
        rows: The texts of each row.
        rewritten: As for `pair_rows`.

    Returns:
        The number of each row's origin, and by the number in the result the rows that are
        rewritten.
    """
    return range(len(rows)), {number: found[0] for number, found in rewritten.items()}


def augmented_rows(
    rows: Sequence[Row],
    rewritten: Mapping[int, Sequence[Counterfactual]],
    *,
    keep_unchanged: bool = False,
) -> tuple[Sequence[int], dict[int, Counterfactual]]:
    """Say which rows a result has if each row is followed by its counterfactuals.

    Args:
        rows: The texts of each row.
        rewritten: The number of each row that has any, to its counterfactuals.
        keep_unchanged: Whether a row that has none is followed by itself.

    Returns:
        As for `replaced_rows`.

    Example:
        >>> origins, changed = augmented_rows([("He",), ("It",)], {0: [Counterfactual(("She",))]})
        >>> origins, changed[1].texts
        ([0, 0, 1], ('She',))
    """
    origins: list[int] = []
    changed: dict[int, Counterfactual] = {}
    for number, row in enumerate(rows):
        origins.append(number)
        found = rewritten.get(number)
        if found is None:
            found = [Counterfactual(row)] if keep_unchanged else []
        for new in found:
            changed[len(origins)] = new
            origins.append(number)
    return origins, changed


def lay_out(
    batch: Batch, texts: RowTexts, origins: Sequence[int], changed: Mapping[int, Counterfactual]
) -> dict[str, list[Any]]:
    """Write the columns of a batch for the rows of a result.

    Args:
        batch: Column name to values.
        texts: The texts of its rows.
        origins: The number of each row's origin.
        changed: The rewritten rows, by their number in the result.

    Returns:
        Every column of the batch.
    """
    result: dict[str, list[Any]] = {}
    for column in batch:
        values = texts.columns.get(column)
        values = batch[column] if values is None else values
        result[column] = [values[k] for k in origins]
    for number, new in changed.items():
        for column, value in texts.written(origins[number], new.texts).items():
            result[column][number] = value
    return result
