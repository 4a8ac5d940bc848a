"""Families of rows: which rows belong in one split."""

from typing import Any

import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.rows.draws import row_key
from fair_datasets.rows.families import family_ids, joined
from fair_datasets.selection import pair_split

NUMBERS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=20)


@given(NUMBERS)
@settings(deadline=None)
def test_groups_are_the_components(pairs: list[tuple[int, int]]) -> None:
    """Two rows are together if a chain of rows with texts in common joins them."""
    groups = joined(*zip(*pairs, strict=True))
    sets = [{one, other} for one, other in pairs]
    for _ in sets:  # Merged until nothing changes, the slow way.
        sets = [set.union(*(other for other in sets if other & one)) for one in sets]
    for row, one in enumerate(sets):
        for other, two in enumerate(sets):
            assert (groups[row] == groups[other]) == (one == two)


TEXTS = ["He ran.", "She ran.", "He ran.", "It rains.", None, "", None]
ROWS = Dataset.from_dict({"text": TEXTS, "id": [7, 8, 9, None, 10, 11, None]})


def homes(rows: Dataset, by: str) -> list[set[Any]]:
    """Return what the two halves of a split hold of a column."""
    return [set(half[by]) for half in pair_split(rows, {"train": 0.5, "test": 0.5}).values()]


def test_no_row_leaves_its_counterfactual() -> None:
    """A swapped dataset is split with no word on how: no family is on both sides."""
    texts = [f"He has {number} reasons." for number in range(40)] + ["It rains."] * 5
    rows = Dataset.from_dict({"text": texts, "origin": [*range(40), *[40] * 5]})
    twins = rows.map(CounterfactualSwap(columns="text", axis=("gender", "age")), batched=True)
    assert len(twins) > len(rows)
    for column in ("family_id", "origin"):
        train, test = homes(twins, column)
        assert train
        assert test
        assert not train & test


def test_a_second_technique_keeps_the_families() -> None:
    """Copies of copies are of the family of the first row, and so are drawn and filtered rows."""
    rows = Dataset.from_dict({"text": ["The elderly man ran.", "It rains."]})
    once = CounterfactualSwap(columns="text").apply(rows)
    twice = CounterfactualSwap(columns="text", axis="age", provenance=True).apply(once)
    assert len(twice) > len(once)
    assert twice["family_id"][:] == [
        *[once[0]["family_id"]] * (len(twice) - 1),
        once[-1]["family_id"],
    ]


@pytest.mark.parametrize("kept", [[1, 1, None], [[1], [], None], ["x", "x", "y"]])
def test_a_column_that_is_there_is_copied(kept: list[Any]) -> None:
    """Whatever it holds, and it keeps its type."""
    rows = Dataset.from_dict({"text": ["He ran.", "Rain.", None], "family_id": kept})
    for options in ({}, {"provenance": True}, {"family": True}, {"mode": "replace"}):
        swap = CounterfactualSwap(columns="text", **options)
        result = swap.apply(rows)
        first = [kept[0]] * (len(result) - 2)
        assert result["family_id"][:] == [*first, *kept[1:]]
        assert result.features["family_id"] == rows.features["family_id"]


@pytest.mark.parametrize(
    ("options", "is_there"),
    [
        ({}, True),
        ({"family": False}, False),
        ({"provenance": True, "family": False}, False),
        ({"mode": "replace"}, False),
        ({"mode": "replace", "provenance": True}, True),
        ({"mode": "substitute", "family": True}, True),
        ({"mode": "pair"}, False),
        ({"mode": "pair", "family": True}, True),
    ],
)
def test_where_families_are_written(options: dict[str, Any], is_there: bool) -> None:
    """Where rows are copied, where changes are traced, and where they are asked for."""
    swap = CounterfactualSwap(columns="text", **options)
    result = swap.apply(ROWS)
    assert ("family_id" in result.column_names) == is_there
    assert list(swap(ROWS[:])) == result.column_names
    if options == {"family": False}:
        assert result.features == ROWS.features


def test_a_family_is_an_id_or_a_digest_of_the_texts() -> None:
    """Rows of equal texts are one family, those without a text as well; an id goes first."""
    by_text = family_ids(ROWS, ["text"], owner="test")
    assert by_text == [row_key([text]) for text in TEXTS]
    by_id = family_ids(ROWS, ["text"], id_column="id", owner="test")
    assert by_id == ["7", "8", "9", row_key(["It rains."]), "10", "11", row_key([None])]
    swap = CounterfactualSwap(columns="text", id_column="id", keep_unchanged=True)
    assert swap(ROWS[:])["family_id"] == [each for each in by_id for _ in range(2)]


def test_nested_texts_have_a_family() -> None:
    """A conversation has one, and so has one in which nobody says anything."""
    talks = [[{"role": "user", "content": "Is he in?"}], []]
    rows = Dataset.from_dict({"messages": talks})
    swap = CounterfactualSwap(columns="messages[].content")
    assert swap.apply(rows)["family_id"][:] == [row_key(["Is he in?"])] * 2 + [row_key([])]


def test_features_are_asked_of_the_technique() -> None:
    """Those of the dataset lack the column, and `features` adds it."""
    swap = CounterfactualSwap(columns="text")
    rows = ROWS.map(swap, batched=True, features=swap.features(ROWS.features))
    assert rows[:] == swap.apply(ROWS)[:] == swap(ROWS[:])


def test_rows_that_belong_nowhere_are_refused() -> None:
    """The sentence of `pair_split` says what writes the column."""
    with pytest.raises(
        InputError, match=r"no column 'family_id'.*CounterfactualSwap.*family_column"
    ):
        pair_split(ROWS)
    swap = CounterfactualSwap(columns="text")
    mixed = Dataset.from_dict({"family_id": [*swap.apply(ROWS)["family_id"], None]})
    with pytest.raises(InputError, match="'family_id' holds a null in row"):
        pair_split(mixed)
