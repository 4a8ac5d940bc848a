"""Counting the terms of an axis in texts, row by row and by the attribute that they mention."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets import checks
from fair_datasets.matching.find import table_of
from fair_datasets.matching.found import Chunk
from fair_datasets.matching.rows import chunks
from fair_datasets.matching.table import TermTable

_BATCH = 4000
"""How many texts are read at a time, so that few readings live at once."""


def count_terms(
    texts: Sequence[str],
    axis: str = "gender",
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
    owner: str = "count_terms",
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Count the terms of an axis in each text, by the attribute that they mention.

    A neutral word that is too general to be a mention ("they", "parent") is not counted.

    Args:
        texts: The texts. A column of a dataset is fine.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names count, where they have the axis's attributes; None for first names of
            men and women alone.
        protect: Names of people that do not count.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `find_terms`.
        owner: The class or function that counts, for errors.

    Returns:
        The A attributes of the axis, and the number of mentions of each in each text, of shape
        (N, A).

    Raises:
        InputError: A text is missing or no text, or a parameter is not what it must be.

    Example:
        >>> attributes, counts = count_terms(["He saw Mary.", "She left.", "It rained."])
        >>> attributes
        ('man', 'woman', 'non-binary')
        >>> counts.tolist()
        [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise checks.InputError(f"{owner}: texts must be a list of texts, but it is {texts!r}.")
    table = table_of(
        axis, names=names, protect=protect, pipeline=pipeline, reader=reader, owner=owner
    )
    # A slice of a column of a dataset is a list; row by row it would be read a thousand times over.
    listed = list(texts[:] if isinstance(texts, Sequence) else texts)
    for row, text in enumerate(listed):
        if not isinstance(text, str):
            raise checks.InputError(
                f"{owner}: texts must be texts, but row {row} is {text!r} ({type(text).__name__})."
            )
    parts = [
        count_in_rows([(text,) for text in listed[start : start + _BATCH]], [table])
        for start in range(0, len(listed), _BATCH)
    ]
    attributes = attributes_of([table])
    return attributes, np.concatenate([np.empty((0, len(attributes)), np.int64), *parts])


def count_in_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> NDArray[np.int64]:
    """Count the mentions in each row; the texts of a row are read together.

    Args:
        rows: The texts of each row, or nulls.
        tables: The terms to look for, by axis.

    Returns:
        The number of mentions of each attribute in each row; the columns are `attributes_of` the
        tables. Shape (N, A).
    """
    counts = np.zeros((len(rows), len(attributes_of(tables))), np.int64)
    for chunk in chunks(rows, tables):
        counts += count_in_chunk(chunk, len(rows), tables)
    return counts


def count_in_chunk(chunk: Chunk, size: int, tables: Sequence[TermTable]) -> NDArray[np.int64]:
    """Count the mentions in the rows of a chunk.

    Args:
        chunk: What is found in some rows.
        size: How many rows there are in all.
        tables: As for `count_in_rows`.

    Returns:
        As `count_in_rows`; nothing is counted in the rows of other chunks.
    """
    columns = {attribute: column for column, attribute in enumerate(attributes_of(tables))}
    found = chunk.found.take(chunk.found.is_mention)
    column = np.array([columns[attribute] for _, attribute in found.terms.kinds], np.int64)
    cells = chunk.row_of[found.texts] * len(columns) + column[found.terms.kind[found.readings]]
    return np.bincount(cells, minlength=size * len(columns)).reshape(size, len(columns))


def attributes_of(tables: Sequence[TermTable]) -> tuple[str, ...]:
    """Return the attributes of several axes, in order and each once."""
    return tuple(dict.fromkeys(attribute for table in tables for attribute in table.attributes))
