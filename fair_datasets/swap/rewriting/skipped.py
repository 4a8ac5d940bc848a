"""Why rewriters leave rows, for whoever asks while they work."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.rewriting.counterfactuals import Rows

Notes = dict[tuple[str | None, Row], str]
"""Why rows are left, by the id and the texts of each."""
_Askers = tuple[Counter[str] | None, Notes | None]
_askers: ContextVar[_Askers] = ContextVar("left", default=(None, None))


@contextmanager
def collect_skip_reasons(
    *, counts: Counter[str] | None = None, notes: Notes | None = None
) -> Iterator[None]:
    """Count the rows that rewriters leave as a whole meanwhile, and note why words are left.

    Args:
        notes: What takes the reason for each row with such a word: what leaves all of the row, or
            else what leaves its first such word.
    """
    token = _askers.set((counts, notes))
    try:
        yield
    finally:
        _askers.reset(token)


def skip_collectors() -> _Askers:
    """Return what counts the rows that are left, and what takes the reasons; None for nobody."""
    return _askers.get()


def count_other_skips(reasons: Mapping[int, str], rows: Rows) -> None:
    """Count and note rows that are left for another reason than their words, if anybody asks."""
    counts, notes = skip_collectors()
    if notes is not None:
        for number, reason in reasons.items():
            notes.setdefault((rows.ids[number], rows.texts[number]), reason)
    if counts is not None:
        counts.update(reasons.values())
