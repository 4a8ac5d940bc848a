"""Tests of the association test, against scipy and by what has to hold."""

import gzip
import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import permutation_test

from fair_datasets.measures.inputs import LowCoverageWarning, UndefinedMeasureWarning
from fair_datasets.measures.weat import (
    WeatTest,
    load_seat_sentences,
    seat_sentences,
    weat,
    weat_from_rows,
    weat_from_vectors,
    weat_test,
    weat_tests,
)
from fair_datasets.system.checks import InputError


def draw_sets(seed: int, sizes: tuple[int, ...] = (5, 4, 3, 6), d: int = 7) -> list[Any]:
    """Draw four sets of vectors."""
    generator = np.random.default_rng(seed)
    return [generator.normal(size=(size, d)) for size in sizes]


def associations(targets: Any, a: Any, b: Any) -> np.ndarray:
    """Compute the associations as the formula says, one cosine at a time."""

    def cosine(u: Any, v: Any) -> float:
        return float(u @ v / math.sqrt(u @ u) / math.sqrt(v @ v))

    return np.array([sum(cosine(t, u) for u in a) / len(a) - sum(cosine(t, u) for u in b) / len(b)
        for t in targets])  # fmt: skip


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
    # Largest where each set has one association of its own.
    assert abs(found.effect_size) <= math.sqrt((nx + ny) * (nx + ny - 1) / (nx * ny)) + 1e-12
    assert nx != ny or abs(found.effect_size) < 2


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


# Sizes of X, Y, A and B as the papers give them.
SIZES = {
    "C1": (25, 25, 25, 25), "C2": (25, 25, 25, 25), "C3": (32, 32, 25, 25), "C3b": (15, 15, 25, 25),
    "C4": (16, 16, 25, 25), "C5": (16, 16, 8, 8), "C5b": (15, 15, 8, 8), "C6": (8, 8, 8, 8),
    "C6b": (8, 8, 8, 8), "C7": (8, 8, 8, 8), "C7b": (8, 8, 8, 8), "C8": (8, 8, 8, 8),
    "C8b": (8, 8, 8, 8), "C9": (6, 6, 7, 7), "C10": (8, 8, 8, 8),
}  # fmt: skip


@pytest.fixture(scope="module")
def word2vec(data_directory: Path) -> dict[str, NDArray[np.float64]]:
    """Read the vectors of the words of the tests."""
    path = data_directory / "vectors" / "word2vec_googlenews_weat_347.txt.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        rows = [line.rstrip().split(" ") for line in lines]
    return {row[0]: np.array(row[1:], dtype=np.float64) for row in rows}


def test_the_sets_have_their_published_sizes() -> None:
    """Fifteen tests, without a word twice in a set or in both sets of a pair."""
    assert list(weat_tests()) == list(SIZES)
    for name, sizes in SIZES.items():
        test = weat_test(name)
        sets = (test.X, test.Y, test.A, test.B)
        assert tuple(map(len, sets)) == sizes
        assert all(len(set(words)) == len(words) for words in sets)
        assert not set(test.X) & set(test.Y)
        assert not set(test.A) & set(test.B)


# Caliskan et al. (2017), table 2, for word2vec vectors of Google News.
@pytest.mark.parametrize(
    ("name", "published"), [("C1", 1.54), ("C2", 1.63), ("C6", 1.89), ("C7", 0.97), ("C8", 1.24)]
)
def test_published_effect_sizes(
    word2vec: dict[str, NDArray[np.float64]], name: str, published: float
) -> None:
    """The effect sizes of the paper, to the last digit that it prints."""
    assert weat_from_vectors(word2vec, name).effect_size == pytest.approx(published, abs=0.005)


def test_words_without_a_vector_are_reported(word2vec: dict[str, NDArray[np.float64]]) -> None:
    """One weapon has no vector in the subset; upper and lower case are kept apart."""
    result = weat_from_vectors(word2vec, "C2")
    assert result.missing == {"Y": ["axe"]}
    assert result.sizes == {"X": 25, "Y": 24, "A": 25, "B": 25}
    assert result.lost == {"X": 0, "Y": 0.04, "A": 0, "B": 0}
    assert weat_from_vectors(word2vec, "C1").missing == {}
    vectors = {word: [1.0, len(word)] for word in weat_test("C6").words() if word != "Amy"}
    assert weat_from_vectors(vectors, "C6", n_samples=10).missing == {"Y": ["Amy"]}


def test_many_lost_words_are_told() -> None:
    """More than a fifth of a set: those that are left are another test than the one named."""
    test = weat_test("C1")
    vectors = {word: [1.0, len(word), ord(word[0]) - 100] for word in test.words()[20:]}
    sentence = "weat_from_vectors: 20 of 25 words of set X of test 'C1' have no vector, such as 'as"
    with pytest.warns(LowCoverageWarning, match=sentence):
        result = weat_from_vectors(vectors, test, n_samples=10)
    assert (result.sizes["X"], result.lost["X"], result.lost["Y"]) == (5, 0.8, 0)
    with pytest.warns(LowCoverageWarning, match="seat_sentences: 2 of 8 words of set Y"):
        sentences = seat_sentences("C6", without=["Amy", "Joan"])
    assert sentences["sets"].count("Y") == 36


@settings(deadline=None)
@given(st.integers(1, 8), st.integers(1, 8))
def test_the_bound_of_the_effect_size_is_reached(nx: int, ny: int) -> None:
    """Where X goes with A alone and Y with B alone; it is below 2 where sizes are alike."""
    bound = math.sqrt((nx + ny) * (nx + ny - 1) / (nx * ny))
    result = weat([[1, 0]] * nx, [[0, 1]] * ny, [[1, 0]], [[0, 1]], n_samples=1)
    assert result.effect_size == pytest.approx(bound)
    assert (bound < 2) == ((nx - ny) ** 2 < nx + ny)


def test_a_word_counts_once_in_its_set() -> None:
    """A word that is listed twice weighs no more than others."""
    words = {"ab": [1, 0.2], "cd": [0.9, 0.5], "ef": [0.1, 1], "gh": [0.3, 1]}
    once = WeatTest("once", ("ab", "cd"), ("ef", "gh"), ("ab", "cd"), ("ef", "gh"))
    twice = WeatTest("twice", ("ab", "cd", "ab"), ("ef", "gh"), ("ab", "cd"), ("ef", "gh", "gh"))
    assert weat_from_vectors(words, once) == weat_from_vectors(words, twice)


@pytest.mark.parametrize("name", weat_tests())
def test_every_word_stands_in_six_sentences(name: str) -> None:
    """So that each weighs the same, and no sentence is written twice in a set."""
    sentences = seat_sentences(name)
    test = weat_test(name)
    sizes = {"X": test.X, "Y": test.Y, "A": test.A, "B": test.B}
    assert Counter(sentences["sets"]) == {letter: 6 * len(words) for letter, words in sizes.items()}
    assert len(set(zip(*sentences.values(), strict=True))) == len(sentences["texts"])
    assert not any("{" in text or "  " in text for text in sentences["texts"])


@pytest.mark.parametrize(("name", "sentence"), [
    ("C1", "This is an aster."),
    ("C1", "This is a clover."),
    ("C1", "This is gentle."),
    ("C3b", "Here is a European American."),
    ("C3b", "Here is an Irish American."),
    ("C6", "Amy is here."),
    ("C6", "These are parents."),
    ("C7", "It is algebra."),
    ("C8", "Einstein is there."),
])  # fmt: skip
def test_sentences_suit_the_kind_of_word(name: str, sentence: str) -> None:
    """Names and mass nouns go without an article, plurals with a plural verb."""
    assert sentence in seat_sentences(name)["texts"]


def test_words_that_are_left_out_have_no_sentence() -> None:
    """All other sentences stay, in their order."""
    whole, part = seat_sentences("C6"), seat_sentences("C6", without=["John", "home"])
    kept = [
        (text, letter)
        for text, letter in zip(*whole.values(), strict=True)
        if "John" not in text and "home" not in text
    ]
    assert list(zip(*part.values(), strict=True)) == kept
    assert len(part["texts"]) == len(whole["texts"]) - 12


def test_a_file_of_the_user_is_read(tmp_path: Path) -> None:
    """Targets are X and Y, attributes A and B."""
    content = {key: {"category": key, "examples": [f"This is {key}.", f"That is {key}."]}
        for key in ("attr1", "targ1", "attr2", "targ2")}  # fmt: skip
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(content))
    found = load_seat_sentences(path)
    assert found["sets"] == ["X", "X", "Y", "Y", "A", "A", "B", "B"]
    assert found["texts"][2] == "This is targ2."
