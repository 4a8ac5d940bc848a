"""Tests of the association test, against scipy and by what has to hold."""

import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.weat import weat, weat_from_rows
from fair_datasets.system.checks import InputError


def draw_sets(seed: int, sizes: tuple[int, ...] = (5, 4, 3, 6), d: int = 7) -> list[Any]:
    """Draw four sets of vectors."""
    generator = np.random.default_rng(seed)
    return [generator.normal(size=(size, d)) for size in sizes]


def associations(targets: Any, a: Any, b: Any) -> np.ndarray:
    """Compute the associations as the formula says, one cosine at a time."""

    def cosine(u: Any, v: Any) -> float:
        return float(u @ v / math.sqrt(u @ u) / math.sqrt(v @ v))

    return np.array(
        [
            sum(cosine(t, u) for u in a) / len(a) - sum(cosine(t, u) for u in b) / len(b)
            for t in targets
        ]
    )


def oracle(x: Any, y: Any, a: Any, b: Any, resamples: int = 10**6, seed: int = 0) -> Any:
    """Test by scipy, which is exact where there are fewer partitions than resamples."""
    return permutation_test(
        (associations(x, a, b), associations(y, a, b)),
        lambda first, second, axis: first.sum(axis=axis) - second.sum(axis=axis),
        vectorized=True,
        alternative="greater",
        n_resamples=resamples,
        rng=np.random.default_rng(seed),
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 6), st.integers(1, 4))
def test_the_exact_test_is_that_of_scipy(seed: int, nx: int, ny: int, na: int) -> None:
    """Statistic and p-value agree, also for targets of unequal numbers."""
    sets = draw_sets(seed, (nx, ny, na, 2))
    # As many samples as there are partitions are all of them.
    found, expected = weat(*sets, n_samples=math.comb(nx + ny, nx)), oracle(*sets)
    assert found.exact
    assert found.partitions == math.comb(nx + ny, nx)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    first, second = (associations(targets, *sets[2:]) for targets in sets[:2])
    spread = np.std([*first, *second], ddof=1)
    assert found.effect_size == pytest.approx((first.mean() - second.mean()) / spread, abs=1e-12)
    assert abs(found.effect_size) < 2


def test_the_sampled_test_is_near_the_exact_one() -> None:
    """Random partitions give the share of all, up to chance, and each seed its own."""
    sets = draw_sets(1, (8, 8, 4, 4))
    exact = weat(*sets)
    sampled = weat(*sets, n_samples=12_000)
    assert exact.exact
    assert not sampled.exact
    assert sampled.partitions == 12_000
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 12_000)
    assert abs(sampled.p_value - exact.p_value) < 5 * error
    assert sampled == weat(*sets, n_samples=12_000)
    assert sampled.p_value != weat(*sets, n_samples=12_000, seed=1).p_value


def test_the_observed_partition_is_among_the_sampled_ones() -> None:
    """One sample says nothing: p is 1; the smallest possible p is one over the samples."""
    sets = draw_sets(1, (8, 8, 4, 4))
    assert weat(*sets, n_samples=1).p_value == 1
    x, y = np.eye(40)[:20], np.eye(40)[20:]
    assert weat(x, y, x, y, n_samples=50).p_value == 1 / 50


def test_samples_are_the_same_whatever_the_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many partitions are compared at once is of no account."""
    sets = draw_sets(2, (8, 8, 4, 4))
    before = weat(*sets, n_samples=1000), weat(*sets)
    # The package has a function of the same name as the module.
    monkeypatch.setattr(sys.modules[weat.__module__], "ROWS_PER_CHUNK", 7)
    assert before == (weat(*sets, n_samples=1000), weat(*sets))


def test_ties_count_against_significance() -> None:
    """Equal targets make equal partitions, whatever the order of the sum."""
    x, y = [[1, 0.3]] * 3, [[0.2, 1]] * 3
    result = weat(x, y, [[1, 0]], [[0, 1]])
    assert result.p_value == 1 / 20
    x, y = [[1, 0.3], [0.2, 1], [0.7, 0.1]], [[0.7, 0.1], [1, 0.3], [0.2, 1]]
    middle = weat(x, y, [[1, 0.1]], [[0.3, 1]])
    assert middle.effect_size == pytest.approx(0, abs=1e-12)
    assert middle.p_value == pytest.approx(
        oracle(*map(np.array, (x, y, [[1, 0.1]], [[0.3, 1]]))).pvalue
    )


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 30), st.sampled_from([100_000, 50]))
def test_rounding_is_no_evidence(seed: int, size: int, n_samples: int) -> None:
    """Attributes that are the same in another order associate with nothing: p is 1."""
    x, y, a, _ = draw_sets(seed, (4, 5, size, 1), 50)
    with pytest.warns(UndefinedMeasureWarning, match="all targets have the same association"):
        result = weat(x, y, a, a[::-1], n_samples=n_samples)
    assert result.p_value == 1
    assert math.isnan(result.effect_size)


def test_the_mean_statistic_is_the_difference_of_the_means() -> None:
    """Effect size and p-value stay."""
    sets = draw_sets(4)
    total, mean = weat(*sets), weat(*sets, statistic="mean")
    first, second = (associations(targets, *sets[2:]) for targets in sets[:2])
    assert mean.statistic == pytest.approx(first.mean() - second.mean(), abs=1e-12)
    assert (mean.effect_size, mean.p_value) == (total.effect_size, total.p_value)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
def test_other_numbers_are_read_in_full(dtype: str) -> None:
    """Half precision overflows in a square; it is read in double precision first."""
    sets = [np.round(rows * 30).astype(dtype) for rows in draw_sets(5)]
    assert weat(*sets).effect_size == weat(*(rows.astype(float) for rows in sets)).effect_size


def test_tensors_are_read() -> None:
    """Also in the precision that numpy does not know."""
    import torch

    sets = [torch.from_numpy(rows).bfloat16() for rows in draw_sets(5)]
    assert weat(*sets).effect_size == weat(*(rows.double().numpy() for rows in sets)).effect_size


def test_huge_and_tiny_vectors_keep_their_direction() -> None:
    """Squares that overflow or vanish do no harm."""
    x, y, a, b = draw_sets(6)
    expected = weat(x, y, a, b).effect_size
    assert weat(x * 1e200, y * 1e-200, a * 1e-250, b).effect_size == pytest.approx(expected)


def test_no_spread_has_no_effect_size() -> None:
    """Every partition ties then."""
    with pytest.warns(UndefinedMeasureWarning, match="all targets have the same association"):
        result = weat([[1, 2]] * 3, [[2, 4]] * 3, [[1, 0]], [[0, 1]])
    assert math.isnan(result.effect_size)
    assert result.p_value == 1
    assert weat([[1, 2]], [[1, 2]], [[1, 0]], [[0, 1]], undefined="zero").effect_size == 0
    # A p-value of 0 would be the strongest evidence.
    assert weat([], [[1, 2]], [[1, 0]], [[0, 1]], undefined="zero").p_value == 1


def test_two_targets_are_enough() -> None:
    """One on each side."""
    result = weat([[1, 0]], [[0, 1]], [[1, 0]], [[0, 1]])
    assert result.effect_size == pytest.approx(math.sqrt(2))
    assert result.p_value == 0.5


@pytest.mark.parametrize("empty", range(4))
def test_an_empty_set_defines_nothing(empty: int) -> None:
    """The sentence names the set."""
    sets: list[Any] = draw_sets(7)
    sets[empty] = []
    with pytest.warns(UndefinedMeasureWarning, match=f"{'XYAB'[empty]} has no vectors"):
        result = weat(*sets)
    assert math.isnan(result.effect_size)
    assert math.isnan(result.p_value)
    with pytest.raises(InputError, match="has no vectors"):
        weat(*sets, undefined="raise")


@pytest.mark.parametrize(("name", "rows", "sentence"), [
    (0, [[0, 1], [0, 0]], "row 1 of X is a vector of zeros"),
    (3, [[0, 0]], "row 0 of B is a vector of zeros"),
    (1, [[0, 1], [float("nan"), 0]], "row 1 of Y has a value that is missing or infinite"),
    (1, [[0, 1], [None, 0]], "row 1 of Y has a value that is missing or infinite"),
    (1, [[0, float("inf")]], "row 0 of Y has a value that is missing or infinite"),
    (2, [0, 1], "A must be a table of numbers"),
    (2, [[0, 1], [1]], "A must be a table of numbers"),
    (2, [["a", "b"]], "A must be a table of numbers"),
    (2, [[], []], "A must be a table of numbers"),
    (2, 3, "A must be a table of numbers"),
    (3, [[1, 2, 3]], "the vectors of B have 3 dimensions, but those of an earlier set have 2"),
])  # fmt: skip
def test_bad_vectors_are_told(name: int, rows: Any, sentence: str) -> None:
    """The sentence names the set and the first row."""
    sets: list[Any] = [[[1, 0], [1, 1]], [[0, 1]], [[1, 0]], [[0, 1]]]
    sets[name] = rows
    with pytest.raises(InputError, match=sentence):
        weat(*sets)


@pytest.mark.parametrize(("options", "sentence"), [
    ({"n_samples": 0}, "n_samples must be at least 1"),
    ({"n_samples": 2.5}, "n_samples must be a whole number"),
    ({"seed": -1}, "seed must be at least 0, but it is -1"),
    ({"seed": None}, "seed must be a whole number"),
    ({"statistic": "median"}, "statistic must be one of"),
])  # fmt: skip
def test_bad_options_are_told(options: dict[str, Any], sentence: str) -> None:
    """The sentence names the option."""
    with pytest.raises(InputError, match=sentence):
        weat(*draw_sets(8), **options)


def test_rows_go_to_their_sets() -> None:
    """One table with the names of the sets is the same test."""
    sets = draw_sets(9)
    names = [name for name, rows in zip("XYAB", sets, strict=True) for _ in rows]
    order = np.random.default_rng(0).permutation(len(names))
    found = weat_from_rows(np.concatenate(sets)[order], [names[row] for row in order])
    expected = weat(*sets)
    assert found.effect_size == pytest.approx(expected.effect_size, abs=1e-12)
    assert found.p_value == expected.p_value
    assert found.sizes == expected.sizes


def test_bad_names_of_sets_are_told() -> None:
    """The first row that names another set, and lengths that differ."""
    with pytest.raises(InputError, match="sets must be 'X', 'Y', 'A' or 'B', but row 1 is 'Z'"):
        weat_from_rows([[1], [2]], ["X", "Z"])
    with pytest.raises(InputError, match="vectors has 2 rows, but sets has 1"):
        weat_from_rows([[1], [2]], ["X"])
    with pytest.raises(InputError, match="sets has no text in row 0"):
        weat_from_rows([[1]], [None])  # type: ignore[list-item]
