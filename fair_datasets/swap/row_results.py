"""What becomes of each row of a batch, why others stay, who is mentioned, and how sure a row is.

Of the confidence: a rewritten row reads right if all that was read was rightly read, all that was
left alone was rightly left, and all that is written fits. How often each kind of decision was right
is known from tagged words, see `matching.language`. Their product over the decisions of a row, of
which the same one about the same word counts once, is what the row is judged by (who is wrong about
"Will" is wrong about it throughout the row), beside how likely the reader's tag has it that a word
that changes names people, and how many words have a capital: rows full of names hold more that no
decision is about. How these go together is known from rows that were read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.find import (
    attributes_of,
    count_in_chunk,
    count_in_rows,
    find_table,
)
from fair_datasets.reader.matching.mentions import Chunk
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import OUR_OWN, as_batch
from fair_datasets.rows.given import batches, refuse_absent_roles, splits_of
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.rows.text_fields import counterfactual_column, field_columns
from fair_datasets.swap.rewriting import Rewriter, Rows
from fair_datasets.swap.rewriting.skipped import Notes, collect_skip_reasons, skip_collectors
from fair_datasets.swap.whole_rows import reasons_in
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, error_context
from fair_datasets.technique.contract import Batch

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


_BATCH_SIZE = 4000


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
        columns: The text column or columns, or paths into them; see `CounterfactualSwap`.
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        roles: Whose texts of a conversation are read; none for everybody's.
        names: Whether names count, where they have the axis's attributes; None for first names of
            men and women alone.
        protect: Names of people that do not count; with a list of known people, nobody in the rows
            that name one of them counts.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `find_terms`.

    Raises:
        InputError: A parameter is not what it must be, or a column is missing or holds something
            else than text.

    Example:
        >>> from datasets import Dataset
        >>> count_mentions(Dataset.from_dict({"text": ["He saw Mary.", "She left."]}), "text")
        {'man': 1, 'woman': 2, 'non-binary': 0}
    """
    columns = column_checks.column_names(columns)
    roles = checks.strings(roles, parameter="roles")
    refuse_absent_roles(dataset, columns, roles)
    tables = [
        find_table(each, names=names, protect=protect, pipeline=pipeline, reader=reader)
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
    """Count as `count_mentions` does, in a part of a dataset: perhaps none of the roles speaks."""
    from datasets.utils import tqdm

    attributes = attributes_of(tables)
    counts = np.zeros(len(attributes), np.int64)
    with tqdm(total=_rows(dataset), desc="Counting mentions", unit=" examples") as progress:
        for batch in batches(dataset, columns, size=_BATCH_SIZE):
            rows = RowTexts.read(batch, columns, roles=roles).rows
            counts += count(rows)
            progress.update(len(rows))
    return dict(zip(attributes, counts.tolist(), strict=True))


def _rows(dataset: Any) -> int | None:
    """Return the number of rows, which a stream does not know."""
    splits = splits_of(dataset)
    if not all(hasattr(split, "num_rows") for split in splits):
        return None
    return sum(int(split.num_rows) for split in splits)


class RowCounts:
    """How often each attribute is mentioned in rows, those with known people too."""

    def __init__(self, tables: Sequence[TermTable]) -> None:
        """Have read no row yet."""
        self.tables = tables
        self._numbers: dict[Row, int] = {}
        self._counts: list[NDArray[np.int64]] = []

    def add(self, rows: Sequence[Row], counts: NDArray[np.int64]) -> None:
        """Take up what was counted in rows."""
        for row, own in zip(rows, counts, strict=True):
            if self._numbers.setdefault(row, len(self._counts)) == len(self._counts):
                self._counts.append(own)

    def count(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Count the mentions in rows.

        Returns:
            The number of mentions of each attribute in all rows. Shape (A,).
        """
        new = [row for row in dict.fromkeys(rows) if row not in self._numbers]
        self.add(new, count_in_rows(new, self.tables, known=True))
        # How often each row is there, so that all are added at once.
        listed = np.array([self._numbers[row] for row in rows], np.int64)
        numbers, often = np.unique(listed, return_counts=True)
        if not len(numbers):
            return np.zeros(len(attributes_of(self.tables)), np.int64)
        total: NDArray[np.int64] = often @ np.array([self._counts[k] for k in numbers.tolist()])
        return total

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Take up the rows that are read for a swap meanwhile, along the same axes together."""
        token = _watcher.set(self)
        try:
            yield
        finally:
            _watcher.reset(token)


_watcher: ContextVar[RowCounts | None] = ContextVar("watcher", default=None)


def count_mentions_hook(
    rows: Sequence[Row], tables: Sequence[TermTable], chunks: Iterable[Chunk]
) -> Iterator[Chunk]:
    """Pass on what is found in rows, and tell it to the `RowCounts` that watches, if any."""
    known = _watcher.get()
    if known is None or [*map(id, known.tables)] != [*map(id, tables)]:
        yield from chunks
        return
    counts = np.zeros((len(rows), len(attributes_of(tables))), np.int64)
    for chunk in chunks:
        counts += count_in_chunk(chunk, len(rows), tables, known=True)
        yield chunk
    known.add(rows, counts)


def count_skipped(read: Sequence[Chunk], rows: Rows) -> None:
    """Count and note the rows of a swap that are left, if anybody asks for it."""
    counts, notes = skip_collectors()
    if notes is not None:
        of_rows = chain.from_iterable(map(reasons_in, read))
        of_words = (each for chunk in read for each in reasons_in(chunk, of_words=True))
        for number, reason in chain(of_rows, of_words):
            notes.setdefault((rows.ids[number], rows.texts[number]), reason.value)
    if counts is not None:
        skipped = {each for chunk in read for each in reasons_in(chunk)}
        counts.update(reason.value for _, reason in skipped)


STAYS = "nothing in it is rewritten"
UNREADABLE = "it cannot be read"
_ORIGIN = f"{OUR_OWN}origin"
# A row that is read alone is the first of its batch.
_ALONE = "row 0 of the batch (counted from 0)"
Part = TypeVar("Part")


class RowResults(NamedTuple):
    """The rows of a result.

    Attributes:
        origins: For each row of the result, the number of the row that it is made from.
        is_rewritten: Whether each is a counterfactual; in `mode="pair"`, whether it has one.
        reasons: Why the row that each is made from has no counterfactual; empty where it has one.
    """

    columns: dict[str, list[Any]]
    origins: list[int]
    is_rewritten: list[bool]
    reasons: list[str]

    def counts(self) -> dict[str, int]:
        """Count the rows that have a counterfactual, and the others by their reasons.

        Returns:
            `rewritten`, and `left/REASON` for each reason, to the number of rows that went in.
        """
        of_rows = dict(zip(self.origins, self.reasons, strict=True)).values()
        return dict(Counter(map(label_of, of_rows)))


def label_of(reason: str) -> str:
    """Return what a row is counted as, by its reason: one label for all that cannot be read."""
    if reason.startswith(UNREADABLE):
        reason = UNREADABLE
    return f"left/{reason}" if reason else "rewritten"


def rewrite_rows(technique: Rewriter, batch: Batch) -> RowResults:
    """Rewrite a batch as `datasets.map` would, and say what became of each row.

    A row that cannot be read, as its text is a number, is left as it is with the error as its
    reason.
    """
    batch = as_batch(batch)
    technique({name: [] for name in batch})

    def read(own: Batch) -> RowResults:
        notes: Notes = {}
        with collect_skip_reasons(notes=notes):
            result = dict(technique({**own, _ORIGIN: range(len(next(iter(own.values()))))}))
        return _results(technique, own, result, notes)

    parts: list[RowResults] = []
    with error_context(type(technique).__name__):
        several = read_parts(read, batch)
    for rows, outcome in several:
        if isinstance(outcome, InputError):
            own = {name: list(values[rows.start : rows.stop]) for name, values in batch.items()}
            own |= {name: [None] for name in technique.added_columns(batch)}
            outcome = RowResults(own, [0], [False], [f"{UNREADABLE}: {outcome}"])
        parts.append(outcome._replace(origins=[rows.start + origin for origin in outcome.origins]))
    columns = {
        name: [value for part in parts for value in part.columns[name]] for name in parts[0].columns
    }
    _, *others = zip(*parts, strict=True)
    return RowResults(columns, *([*chain.from_iterable(each)] for each in others))


def read_parts(
    read: Callable[[Batch], Part], batch: Batch
) -> list[tuple[range, Part | InputError]]:
    """Have a batch read as a whole, or by halves down to the rows that cannot be read.

    So one row ends no job, and a wrong column does.

    Returns:
        The numbers of the rows that were read together, with what was found; or that of a row
        which cannot be read, with the error.
    """
    # What the columns lack is told before, so that it is taken for no fault of a row.
    nothing = read({name: [] for name in batch})
    size = len(next(iter(batch.values()), ()))
    if not size:
        return [(range(0), nothing)]
    parts = list(_parts(read, batch, range(size)))
    errors = [outcome for _, outcome in parts if isinstance(outcome, InputError)]
    if len(errors) == size > 1:
        raise errors[0]
    return parts


def _parts(
    read: Callable[[Batch], Part], batch: Batch, rows: range
) -> Iterator[tuple[range, Part | InputError]]:
    try:
        yield rows, read({name: values[rows.start : rows.stop] for name, values in batch.items()})
    except InputError as error:
        if len(rows) == 1:
            yield rows, InputError(str(error).replace(_ALONE, "it"))
            return
        middle = (rows.start + rows.stop) // 2
        yield from _parts(read, batch, range(rows.start, middle))
        yield from _parts(read, batch, range(middle, rows.stop))


def _results(
    technique: Rewriter, batch: Batch, result: dict[str, list[Any]], notes: Notes
) -> RowResults:
    """Return what became of the rows of a batch that could be read."""
    origins = result.pop(_ORIGIN)
    columns = field_columns(technique.columns, batch)
    is_pair = technique.mode == "pair"
    compared = [
        (batch[name], result[counterfactual_column(name) if is_pair else name]) for name in columns
    ]
    is_rewritten = [
        any(new[number] != old[origin] for old, new in compared)
        for number, origin in enumerate(origins)
    ]
    rows = technique.rows(batch, technique.texts(batch).rows)
    reasons = [notes.get(row, STAYS) for row in zip(rows.ids, rows.texts, strict=True)]
    for origin in compress(origins, is_rewritten):
        reasons[origin] = ""
    return RowResults(result, origins, is_rewritten, [reasons[origin] for origin in origins])
