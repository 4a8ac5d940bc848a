"""Tests of keyed randomness."""

import hashlib
from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest, pearsonr

from fair_datasets.rows import draws

KEYS = [draws.row_key([f"row {number}"]) for number in range(20_000)]
VALUES = st.lists(st.none() | st.text(), max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("values", "encoded", "digest"),
    [
        ((), b"", "cae66941d9efbd404e4d88758ea67670"),
        (("a", None), b"s1:an0:", "799df153dd4cc7a0ccf86a8b7f703aad"),
        (("Zoë",), b"s4:Zo\xc3\xab", "0a71443e448dc8384b66492961460b37"),
        ((7,), b"s1:7", "b8444f85aea60f56f381cca3fb56bc91"),
    ],
)
def test_row_keys_are_golden(values: tuple[object, ...], encoded: bytes, digest: str) -> None:
    """A key is the BLAKE2b digest of its values and their lengths, on every machine."""
    assert hashlib.blake2b(encoded, digest_size=16).hexdigest() == digest
    assert draws.row_key(values) == digest


@pytest.mark.parametrize(
    ("seed", "key", "purpose", "expected"),
    [
        (0, "a", "substitute", 0.004803313269717613),
        (1, "a", "substitute", 0.37787141021605597),
        (0, "b", "substitute", 0.3715791504208734),
        (0, "a", "target", 0.21503247016386706),
    ],
)
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


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["ab", "c"], ["a", "bc"]),
        ([None], [""]),
        ([None], ["None"]),
        (["a"], ["a", None]),
        (["a"], ["a", ""]),
        (["as1:b"], ["a", "b"]),
    ],
)
def test_similar_rows_have_different_keys(left: list[str | None], right: list[str | None]) -> None:
    """Values that would read the same if they were written one after another are kept apart."""
    assert draws.row_key(left) != draws.row_key(right)


def test_a_lone_surrogate_has_a_key() -> None:
    """Text that cannot be encoded as UTF-8, as JSON may hold it, has a key all the same."""
    assert draws.row_key(["\ud83d"]) != draws.row_key(["?"])


@pytest.mark.parametrize(
    "value",
    [7, 7.0, np.int64(7), np.float32(7), np.array(7), torch.tensor(7), torch.tensor(7.0)],
    ids=repr,
)
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


@pytest.mark.parametrize(("other_seed", "other_purpose"), [(1, "substitute"), (0, "target of man")])
def test_draws_for_other_ends_are_independent(other_seed: int, other_purpose: str) -> None:
    """A row's draws with another seed or for another purpose are not correlated."""
    drawn = [draws.uniform(0, key, "substitute") for key in KEYS]
    others = [draws.uniform(other_seed, key, other_purpose) for key in KEYS]
    assert pearsonr(drawn, others).pvalue > 0.01


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
