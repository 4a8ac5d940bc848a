"""Putting the rows of a result together: texts, their counterfactuals and where each is from."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fair_datasets import draws
from fair_datasets.row_texts import Row, RowTexts
from fair_datasets.technique import Batch
from fair_datasets.text_fields import counterfactual_column

# A row's counterfactual: its texts, and the edits as provenance states them.
Rewritten = tuple[Row, list[dict[str, Any]]]


class RowKeys(NamedTuple):
    """What identifies the rows of a batch: their ids, and their texts where an id is null.

    Attributes:
        rows: The texts of each row.
        ids: The id of each row, None for a null.
    """

    rows: Sequence[Row]
    ids: Sequence[str | None]

    def key(self, number: int) -> str:
        """Return the key of a row's draws."""
        row_id = self.ids[number]
        return draws.row_key(self.rows[number] if row_id is None else [row_id])

    def source_id(self, number: int) -> str:
        """Return what names a row as an origin: its id, or the key of its texts."""
        row_id = self.ids[number]
        return self.key(number) if row_id is None else row_id


def pair_rows(
    batch: Batch, texts: RowTexts, rewritten: Mapping[int, Sequence[Rewritten]]
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
        >>> pair_rows(batch, texts, {0: [(("She",), [])]})
        {'t': ['He', 'It'], 't_counterfactual': ['She', 'It']}
    """
    result = {column: list(values) for column, values in batch.items()}
    new = {column: list(values) for column, values in texts.columns.items()}
    for number, found in rewritten.items():
        for column, value in texts.written(number, found[0][0]).items():
            new[column][number] = value
    return {**result, **{counterfactual_column(name): values for name, values in new.items()}}


def replaced_rows(
    rows: Sequence[Row], rewritten: Mapping[int, Sequence[Rewritten]]
) -> tuple[Sequence[int], dict[int, Rewritten]]:
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
    rewritten: Mapping[int, Sequence[Rewritten]],
    *,
    keep_unchanged: bool = False,
) -> tuple[Sequence[int], dict[int, Rewritten]]:
    """Say which rows a result has if each row is followed by its counterfactuals.

    Args:
        rows: The texts of each row.
        rewritten: The number of each row that has any, to its counterfactuals.
        keep_unchanged: Whether a row that has none is followed by itself.

    Returns:
        As for `replaced_rows`.

    Example:
        >>> augmented_rows([("He",), ("It",)], {0: [(("She",), [])]})
        ([0, 0, 1], {1: (('She',), [])})
    """
    origins: list[int] = []
    changed: dict[int, Rewritten] = {}
    for number, row in enumerate(rows):
        origins.append(number)
        found = rewritten.get(number)
        if found is None:
            found = [(row, [])] if keep_unchanged else []
        for new in found:
            changed[len(origins)] = new
            origins.append(number)
    return origins, changed


def lay_out(
    batch: Batch, texts: RowTexts, origins: Sequence[int], changed: Mapping[int, Rewritten]
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
    for number, (row, _) in changed.items():
        for column, value in texts.written(origins[number], row).items():
            result[column][number] = value
    return result


def state_provenance(
    origins: Sequence[int], changed: Mapping[int, Rewritten], source_id: Callable[[int], str]
) -> dict[str, list[Any]]:
    """Write the provenance columns for the rows of a result.

    Args:
        origins: As for `lay_out`.
        changed: As for `lay_out`.
        source_id: Gives what identifies an origin, by its number.

    Returns:
        The columns.

    Example:
        >>> state_provenance([0, 0], {1: (("She",), [{"after": "She"}])}, str)["edits"]
        [[], [{'after': 'She'}]]
    """
    numbers = range(len(origins))
    return {
        "counterfactual": [number in changed for number in numbers],
        "source_id": [source_id(number) for number in origins],
        "edits": [changed[number][1] if number in changed else [] for number in numbers],
    }
