"""What becomes of each row of a batch, and why the others stay: for tools that ask for rows."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, compress
from typing import Any, NamedTuple, TypeVar

from fair_datasets.rows.columns import as_batch
from fair_datasets.rows.text_fields import counterfactual_column, field_columns
from fair_datasets.swap.counts import Notes, telling_left
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Batch

STAYS = "nothing in it is rewritten"
UNREADABLE = "it cannot be read"
_ORIGIN = "__fair_datasets_origin__"
# A row that is read alone is the first of its batch.
_ALONE = "row 0 of the batch (counted from 0)"
Found = TypeVar("Found")


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
    batch = as_batch(batch, owner=type(technique).__name__)
    technique({name: [] for name in batch})

    def read(own: Batch) -> RowResults:
        notes: Notes = {}
        with telling_left(notes=notes):
            result = dict(technique({**own, _ORIGIN: range(len(next(iter(own.values()))))}))
        return _results(technique, own, result, notes)

    parts: list[RowResults] = []
    for rows, found in read_parts(read, batch):
        if isinstance(found, InputError):
            own = {name: list(values[rows.start : rows.stop]) for name, values in batch.items()}
            own |= {name: [None] for name in technique.added_columns(batch)}
            found = RowResults(own, [0], [False], [f"{UNREADABLE}: {found}"])
        parts.append(found._replace(origins=[rows.start + origin for origin in found.origins]))
    columns = {
        name: [value for part in parts for value in part.columns[name]] for name in parts[0].columns
    }
    _, *others = zip(*parts, strict=True)
    return RowResults(columns, *([*chain.from_iterable(several)] for several in others))


def read_parts(
    read: Callable[[Batch], Found], batch: Batch
) -> list[tuple[range, Found | InputError]]:
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
    errors = [found for _, found in parts if isinstance(found, InputError)]
    if len(errors) == size > 1:
        raise errors[0]
    return parts


def _parts(
    read: Callable[[Batch], Found], batch: Batch, rows: range
) -> Iterator[tuple[range, Found | InputError]]:
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
    """Say what became of the rows of a batch that could be read."""
    owner = type(technique).__name__
    origins = result.pop(_ORIGIN)
    columns = field_columns(technique.columns, batch, owner=owner)
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
