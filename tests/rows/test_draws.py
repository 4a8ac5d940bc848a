"""Tests of keyed randomness."""

import datetime
import hashlib
import uuid
from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pandas
import pytest
import torch
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

from fair_datasets import CounterfactualSwap
from fair_datasets.rows import draws
from fair_datasets.rows.draws import family_ids, joined, row_ids, row_key
from fair_datasets.selection import pair_split

KEYS = [draws.row_key([f"row {number}"]) for number in range(20_000)]
VALUES = st.lists(st.none() | st.text(), max_size=4).map(tuple)


@pytest.mark.parametrize(("values", "encoded", "digest"), [
    ((), b"", "cae66941d9efbd404e4d88758ea67670"),
    (("a", None), b"s1:an0:", "799df153dd4cc7a0ccf86a8b7f703aad"),
    (("Zoë",), b"s4:Zo\xc3\xab", "0a71443e448dc8384b66492961460b37"),
    ((7,), b"s1:7", "b8444f85aea60f56f381cca3fb56bc91"),
])  # fmt: skip
def test_row_keys_are_golden(values: tuple[object, ...], encoded: bytes, digest: str) -> None:
    """A key is the BLAKE2b digest of its values and their lengths, on every machine."""
    assert hashlib.blake2b(encoded, digest_size=16).hexdigest() == digest
    assert draws.row_key(values) == digest


@pytest.mark.parametrize(("seed", "key", "purpose", "expected"), [
    (0, "a", "substitute", 0.004803313269717613), (1, "a", "substitute", 0.37787141021605597),
    (0, "b", "substitute", 0.3715791504208734), (0, "a", "target", 0.21503247016386706),
])  # fmt: skip
def test_draws_are_golden(seed: int, key: str, purpose: str, expected: float) -> None:
    """A draw is the top 53 bits of a BLAKE2b digest of seed, purpose and key."""
    digest = hashlib.blake2b(f"{seed}\x1f{purpose}\x1f{key}".encode(), digest_size=8).hexdigest()
    assert int(digest, 16) // 2**11 / 2**53 == expected
    assert draws.uniform(seed, key, purpose) == expected


@given(VALUES, VALUES)
def test_different_rows_have_different_keys(
    left: tuple[str | None, ...], right: tuple[str | None, ...]
) -> None:
    """Rows share a key exactly if their values are the same."""
    assert (draws.row_key(left) == draws.row_key(right)) == (left == right)


def test_a_lone_surrogate_has_a_key() -> None:
    """Text that cannot be encoded as UTF-8, as JSON may hold it, has a key all the same."""
    assert draws.row_key(["\ud83d"]) != draws.row_key(["?"])


@pytest.mark.parametrize("value", [
    7, 7.0, np.int64(7), np.float32(7), np.array(7), torch.tensor(7), torch.tensor(7.0),
], ids=repr)  # fmt: skip
def test_the_format_of_a_dataset_does_not_change_the_key(value: object) -> None:
    """An id has the same key as a Python, numpy or torch value, and as a whole float."""
    assert draws.row_key([value]) == "b8444f85aea60f56f381cca3fb56bc91"
    assert type(draws.plain(value)) is int


@pytest.mark.parametrize("value", ["7.0", 7.5, True, None, b"7"])
def test_other_values_are_as_they_were(value: object) -> None:
    """A text that reads as a float, or a float that is not whole, is no integer."""
    assert draws.plain(value) is value


def test_draws_are_uniform() -> None:
    """The draws of many rows do not differ from a uniform distribution."""
    drawn = [draws.uniform(0, key, "substitute") for key in KEYS]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert kstest(drawn, "uniform").pvalue > 0.01


@pytest.mark.parametrize("count", [2, 3, 7])
def test_options_are_equally_probable(count: int) -> None:
    """Each option is drawn about as often as every other."""
    counts = Counter(draws.choice(range(count), 0, key, "target") for key in KEYS)
    assert len(counts) == count
    assert chisquare(list(counts.values())).pvalue > 0.01


@given(st.integers(1, 10**6))
def test_the_greatest_draw_is_an_option(count: int) -> None:
    """The greatest number below 1 gives the last option, not one behind it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws, "uniform", lambda *_: 1 - 2**-53)
        assert draws.choice(range(count), 0, "key", "target") == count - 1


@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_an_order_begins_with_the_choice(key: str) -> None:
    """And holds every option once."""
    options = list("abcdefgh")
    drawn = draws.order(options, 3, key, "target")
    assert drawn[0] == draws.choice(options, 3, key, "target")
    assert sorted(drawn) == options


def test_orders_are_equally_probable() -> None:
    """Each of the six orders of three options comes about as often as each other."""
    drawn = Counter("".join(draws.order("abc", 0, str(key), "target")) for key in range(6000))
    assert len(drawn) == 6
    assert all(abs(count - 1000) < 150 for count in drawn.values())


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


@pytest.mark.parametrize(("options", "is_there"), [
    ({}, True), ({"family": False}, False), ({"provenance": True, "family": False}, False),
    ({"mode": "replace"}, False), ({"mode": "replace", "provenance": True}, True),
    ({"mode": "substitute", "family": True}, True), ({"mode": "pair"}, False),
    ({"mode": "pair", "family": True}, True),
])  # fmt: skip
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
    by_text = family_ids(ROWS, ["text"])
    assert by_text == [row_key([text]) for text in TEXTS]
    by_id = family_ids(ROWS, ["text"], id_column="id")
    assert by_id == ["7", "8", "9", row_key(["It rains."]), "10", "11", row_key([None])]
    swap = CounterfactualSwap(columns="text", id_column="id", keep_unchanged=True)
    assert swap(ROWS[:])["family_id"] == [each for each in by_id for _ in range(2)]


def test_nested_texts_have_a_family() -> None:
    """A conversation has one, and so has one in which nobody says anything."""
    talks = [[{"role": "user", "content": "Is he in?"}], []]
    rows = Dataset.from_dict({"messages": talks})
    swap = CounterfactualSwap(columns="messages[].content")
    assert swap.apply(rows)["family_id"][:] == [row_key(["Is he in?"])] * 2 + [row_key([])]


NANOSECOND = np.datetime64("2020-01-01T00:00:00.000000001", "ns")
OF_ONE_KIND = st.one_of(
    *(
        st.lists(kind | st.none())
        for kind in (
            st.integers(), st.floats(allow_nan=False) | st.integers(), st.text(), st.binary(),
            st.booleans(), st.decimals(allow_nan=False), st.uuids(), st.dates(), st.datetimes(),
            st.lists(st.integers() | st.none()),
        )
    )
)  # fmt: skip


def read(values: Any) -> list[str | None]:
    """Read a column of ids."""
    return row_ids({"id": values}, "id")


@given(OF_ONE_KIND)
def test_rows_share_an_id_only_if_theirs_are_equal(values: list[Any]) -> None:
    """Two ids are written alike exactly where they are the same; nulls stay nulls."""
    found = read(values)
    assert [text is None for text in found] == [value is None for value in values]
    for first, one in zip(values, found, strict=True):
        for second, other in zip(values, found, strict=True):
            same = first == second or str(first) == str(second)
            assert (one == other) <= same
            assert (str(first) == str(second)) <= (one == other)


@pytest.mark.parametrize(("value", "written"), [
    ("007", "007"), (np.str_("é"), "é"), (2**200 + 1, str(2**200 + 1)),
    (np.uint64(2**64 - 1), "18446744073709551615"), (np.float64(7), "7"), (np.float32(7), "7"),
    (torch.tensor(2**60 + 1), "1152921504606846977"), (0.1, "0.1"),
    (float(2**60), "1152921504606846976"), (Decimal("1.10"), "1.10"), (True, "True"),
    (np.bool_(False), "False"), (b"a\xff", "61ff"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (datetime.date(2020, 1, 1), "2020-01-01"), (NANOSECOND, "2020-01-01 00:00:00.000000001"),
    (pandas.Timestamp(NANOSECOND), "2020-01-01 00:00:00.000000001"),
    (np.datetime64("2020-01-01T00:00:00.000001", "ns"), "2020-01-01 00:00:00.000001"),
    (datetime.datetime(2020, 1, 1, 0, 0, 0, 1), "2020-01-01 00:00:00.000001"),
    ({"a": np.int64(1), "b": [2, None]}, "{'a': 1, 'b': [2, None]}"), (np.array([1, 2]), "[1, 2]"),
], ids=repr)  # fmt: skip
def test_how_ids_are_written(value: Any, written: str) -> None:
    """A text stays, bytes are hexadecimal, and the rest is written as Python writes it."""
    assert read([value, None]) == [written, None]


@pytest.mark.parametrize("null", [None, float("nan"), np.datetime64("NaT"), pandas.NA])
def test_null_ids(null: Any) -> None:
    """What stands for a missing value is a null."""
    assert read([null]) == [None]
