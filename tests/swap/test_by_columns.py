"""Many rows are written at once as each of them is by itself."""

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import chunks, mentions_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.swap.by_columns import WrittenText, counterfactual_of, swap_chunk
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting import Edit
from fair_datasets.swap.rewriting.counterfactuals import apply_edits

WORDS = [
    *("He", "she", "HER", "his", "him", "hers", "Himself", "mary", "Mary", "MARY", "John", "JOHN"),
    *("James", "Emily", "a", "An", "the", "or", "and", "both", "actor", "actress", "ACTOR", "heir"),
    *("waiter", "Waitress", "king", "Queen's", "ladies'", "gentlemen's", "Ladies' Day", "GrandMa"),
    *("McDonald", "Black", "white", "Latino", "Latina", "Muslims", "Christian", "an atheist"),
    *("40-year-old", "old", "teenager", "boys", "girls", "Mr.", "Lady", "Łukasz", "said", "is"),
    *("runs", "Dr", "s/he", "she's", "it", "was", "`he`", "<b>", "@him", "São", "mother-in-law"),
]  # fmt: skip
GAPS = [" ", " ", " ", ", ", ". ", "/", " “", "” ", "'", "’ ", "-", "\n", "! ", " (", ") ", "--"]
TEXTS = st.lists(st.sampled_from(WORDS) | st.sampled_from(GAPS) | st.text(max_size=2)).map(" ".join)
ROWS = st.lists(st.lists(TEXTS | st.none(), min_size=2, max_size=2), max_size=6)
SWAPS = [
    (("gender",), None, {("gender", "man"): "woman", ("gender", "woman"): "man"}),
    (("gender",), None, {("gender", "woman"): "man"}),
    (("gender",), None, {("gender", "man"): "non-binary", ("gender", "woman"): "non-binary"}),
    (("race",), True, {("race", "white"): "black", ("race", "black"): "asian"}),
    (("religion",), None, {("religion", "christian"): "muslim", ("religion", "muslim"): "jewish"}),
    (("age",), None, {("age", "young"): "senior", ("age", "senior"): "child"}),
    (("gender", "race"), True, {("gender", "man"): "woman", ("race", "hispanic"): "asian"}),
]


@cache
def _table(axis: str, names: bool | None) -> TermTable:
    return find_table(axis, names=names)


@pytest.mark.parametrize(("axes", "names", "targets"), SWAPS)
@settings(deadline=None, max_examples=20)
@given(rows=ROWS)
@example(rows=[["Mary", "JOHN"]])
def test_a_row_is_written_as_by_itself(
    axes: tuple[str, ...], names: bool | None, targets: Targets, rows: list[list[str | None]]
) -> None:
    """What is done by columns is what `swap_row` does, mention by mention."""
    tables = [_table(axis, names) for axis in axes]
    joint = tables if len(tables) > 1 else []
    by_itself = {
        (row, which): edits
        for row, readings in mentions_in_rows(rows, tables)
        for which, edits in enumerate(swap_row(readings, targets, tables=joint))
        if edits
    }
    assert _by_columns(rows, tables, targets, joint) == by_itself


def _by_columns(
    rows: list[list[str | None]], tables: list[TermTable], targets: Targets, joint: list[TermTable]
) -> dict[tuple[int, int], list[Edit]]:
    found = {}
    for chunk in chunks(rows, tables):
        columns = swap_chunk(chunk, targets, tables=joint)
        written = dict(columns.written())
        for number, edits in columns.by_text():
            assert written.pop(number) == apply_edits(chunk.mentions.words.texts[number], edits)
            found[int(chunk.row_of[number]), int(chunk.which[number])] = edits
        assert not written
    return found


def test_a_name_that_stays_in_another_text_is_not_written() -> None:
    """Also where nothing is a mention in that text."""
    both = {("gender", "man"): "woman", ("gender", "woman"): "man"}
    rows = [["He_John wrote.", "We met Mary."], ["Rain.", "We met Mary."]]
    written = _by_columns(list(rows), [_table("gender", None)], both, [])
    names = {place: edits[0].after for place, edits in written.items()}
    assert names == {(0, 1): "James", (1, 1): "John"}


def test_each_row_has_its_own_targets() -> None:
    """What a group becomes may differ from row to row."""
    targets = [{("gender", "man"): "woman"}, {("gender", "man"): "non-binary"}, {}]
    (chunk,) = chunks([["The actor"], ["The waiter"], ["The actor"]], [_table("gender", None)])
    written = dict(swap_chunk(chunk, lambda row: targets[row]).by_text())
    nouns = {number: edits[0].after for number, edits in written.items()}
    assert nouns == {0: "actress", 1: "server"}


@pytest.mark.parametrize("states_edits", [True, False])
def test_what_lies_between_the_parts_of_a_text_stays(states_edits: bool) -> None:
    """Also in front of the first and behind the last."""
    row = ("So he. It. Him, too.", None)
    told = [(3, 6, "she."), (11, 14, "Her")]
    parts = [WrittenText(number, 0, 0, *each, [], None) for number, each in enumerate(told)]
    found = counterfactual_of(row, parts, states_edits=states_edits)
    assert found.texts == ("So she. It. Her, too.", None)
