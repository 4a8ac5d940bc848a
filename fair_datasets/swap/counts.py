"""Counting how often each attribute of an axis is mentioned."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets import checks, column_checks
from fair_datasets.given import batches, refuse_absent_roles, splits_of
from fair_datasets.matching.count_terms import attributes_of, count_in_rows
from fair_datasets.matching.find import table_of
from fair_datasets.matching.table import TermTable
from fair_datasets.row_texts import Row, RowTexts

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

_OWNER = "count_mentions"
_TOGETHER = 4000


def count_mentions(
    dataset: "Dataset | DatasetDict | IterableDataset | IterableDatasetDict",
    columns: "str | tuple[str, ...]",
    *,
    axis: tuple[str, ...] | str = "gender",
    roles: tuple[str, ...] | str = (),
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> dict[str, int]:
    """Count the terms of an axis in text columns, by the attribute that they mention.

    A neutral word that is too general to be a mention ("they", "parent") is not counted.

    Args:
        dataset: The rows; those of all splits are counted together. A stream is read once.
        columns: The text column or columns, or paths into them; see `CounterfactualSwap`.
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        roles: Whose texts of a conversation are read; none for everybody's.
        names: Whether names count, where they have the axis's attributes; None for first names of
            men and women alone.
        protect: Names of people that do not count.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `find_terms`.

    Returns:
        Each attribute of the axes to its number of mentions.

    Raises:
        InputError: A parameter is not what it must be, or a column is missing or holds something
            else than text.

    Example:
        >>> from datasets import Dataset
        >>> count_mentions(Dataset.from_dict({"text": ["He saw Mary.", "She left."]}), "text")
        {'man': 1, 'woman': 2, 'non-binary': 0}
    """
    columns = column_checks.column_names(columns, owner=_OWNER)
    roles = checks.strings(roles, owner=_OWNER, parameter="roles")
    refuse_absent_roles(dataset, columns, roles, owner=_OWNER)
    tables = [
        table_of(each, names=names, protect=protect, pipeline=pipeline, reader=reader, owner=_OWNER)
        for each in (axis if isinstance(axis, list | tuple) else [axis])
    ]
    return mentions_in_part(
        dataset, columns, roles, tables, lambda rows: count_in_rows(rows, tables).sum(axis=0)
    )


def mentions_in_part(
    dataset: Any,
    columns: tuple[str, ...],
    roles: tuple[str, ...],
    tables: Sequence[TermTable],
    count: Callable[[Sequence[Row]], NDArray[np.int64]],
) -> dict[str, int]:
    """Count as `count_mentions` does, in a part of a dataset: perhaps nobody of the roles speaks.

    Args:
        dataset: The rows.
        columns: The names of the text columns.
        roles: Whose texts of a conversation are read; none for everybody's.
        tables: The axes.
        count: Returns the number of mentions of each attribute in some rows.

    Returns:
        Each attribute of the axes to its number of mentions.
    """
    from datasets.utils import tqdm

    attributes = attributes_of(tables)
    counts = np.zeros(len(attributes), np.int64)
    with tqdm(total=_rows(dataset), desc="Counting mentions", unit=" examples") as progress:
        for batch in batches(dataset, columns, owner=_OWNER, size=_TOGETHER):
            rows = RowTexts.read(batch, columns, roles=roles, owner=_OWNER).rows
            counts += count(rows)
            progress.update(len(rows))
    return dict(zip(attributes, counts.tolist(), strict=True))


def _rows(dataset: Any) -> int | None:
    """Return the number of rows, which a stream does not know."""
    splits = splits_of(dataset, owner=_OWNER)
    if not all(hasattr(split, "num_rows") for split in splits):
        return None
    return sum(int(split.num_rows) for split in splits)
