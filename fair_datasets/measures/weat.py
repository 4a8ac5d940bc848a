"""The Word Embedding Association Test: do two sets of targets lie nearer to one set of attributes?

The same test on sentence vectors is SEAT. A large effect says that the vectors carry an
association; it does not say that a system built on them treats people unequally, and the absence of
a significant effect is no proof of the absence of bias. The result depends on the choice of words.
"""

import itertools
import math
import reprlib
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Undefined, check_undefined, column, undefined_value
from fair_datasets.system.checks import (
    counted,
    invalid,
    one_of,
    positive_whole_number,
    whole_number,
)

SETS = ("X", "Y", "A", "B")
ROWS_PER_CHUNK = 20_000
_ROUNDING = 1e-12
"""Cosines are of the order of 1, so that smaller differences of associations are rounding."""


@dataclass(frozen=True, slots=True)
class WeatResult:
    """What an association test found.

    Attributes:
        effect_size: The difference of the targets' mean associations in standard deviations
            (`ddof=1`) of all targets. Positive: X goes with A and Y with B. 0: neither. What counts
            is the distance from 0; below 0 is not better than 0. With nx targets in X, ny in Y and
            n in all, it is sqrt(n (n - 1) / (nx ny)) at most: less than 2 where both sets are of
            one size, and more the less alike their sizes are.
        statistic: The sum of X's associations less the sum of Y's, or the difference of their
            means.
        p_value: The share of partitions of the targets whose statistic is at least as large as the
            observed one (one-sided), in (0, 1].
        exact: Whether every partition was compared; otherwise a random sample was.
        missing: The words that have no vector, by set.
        lost: The share of the words of each set that have none, in [0, 1].
    """

    effect_size: float
    statistic: float
    p_value: float
    exact: bool
    partitions: int
    sizes: dict[str, int]
    missing: dict[str, list[str]] = field(default_factory=dict)
    lost: dict[str, float] = field(default_factory=dict)


def weat(
    x: ArrayLike,
    y: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_samples: int = 100_000,
    seed: int = 0,
    statistic: Literal["sum", "mean"] = "sum",
    undefined: Undefined = "nan",
) -> WeatResult:
    """Test whether targets X and Y differ in their association with attributes A and B.

    The association of a vector is its mean cosine with A less its mean cosine with B. The p-value
    is exact where there are at most `n_samples` ways to divide the targets into sets of the sizes
    of X and Y; otherwise it comes from the observed partition and `n_samples - 1` random ones.
    Partitions that tie with the observed one count against significance.

    Args:
        x: Vectors of the first targets. Shape (nx, d).
        y: Vectors of the second targets; their number may differ. Shape (ny, d).
        a: Vectors of the first attributes. Shape (na, d).
        b: Vectors of the second attributes. Shape (nb, d).
        n_samples: How many partitions to compare at most.
        statistic: `"sum"` as published, or `"mean"`, the difference of the means, which is centred
            at 0 also where X and Y differ in size. Effect size and p-value are the same for both.
        undefined: What to give where a value is not defined: the effect size where all targets have
            one association or are fewer than two, and everything where a set is empty. With
            `"zero"` the p-value of an empty set is 1, as there is no evidence.

    Raises:
        InputError: A set is no table of finite numbers, has a vector of zeros, or another number of
            dimensions than the others.

    Example:
        >>> result = weat([[1, 0], [2, 1]], [[0, 1], [1, 2]], [[1, 0]], [[0, 1]])
        >>> round(result.effect_size, 3), round(result.p_value, 3), result.exact
        (1.618, 0.167, True)

    Source:
        Caliskan et al. (2017), Semantics derived automatically from language corpora contain
        human-like biases; May et al. (2019), On Measuring Social Biases in Sentence Encoders.
    """
    check_undefined(undefined)
    one_of(statistic, ("sum", "mean"), parameter="statistic")
    n_samples = positive_whole_number(n_samples, parameter="n_samples")
    seed = whole_number(seed, parameter="seed", least=0)
    units = _unit_vectors(dict(zip(SETS, (x, y, a, b), strict=True)))
    sizes = {name: len(rows) for name, rows in units.items()}
    empty = [name for name, size in sizes.items() if not size]
    if empty:
        value = undefined_value(f"{empty[0]} has no vectors.", undefined)
        # A p-value of 0 would be the strongest evidence, where there is none.
        p_value = 1.0 if undefined == "zero" else value
        return WeatResult(value, value, p_value, exact=False, partitions=0, sizes=sizes)
    targets = np.concatenate([units["X"], units["Y"]])
    associations = targets @ (units["A"].mean(axis=0) - units["B"].mean(axis=0))
    p_value, exact, partitions = _p_value(associations, sizes["X"], n_samples, seed)
    combine = np.sum if statistic == "sum" else np.mean
    return WeatResult(
        effect_size=_effect_size(associations, sizes["X"], undefined),
        statistic=float(combine(associations[: sizes["X"]]) - combine(associations[sizes["X"] :])),
        p_value=p_value,
        exact=exact,
        partitions=partitions,
        sizes=sizes,
    )


def weat_from_rows(
    vectors: ArrayLike,
    sets: Sequence[str],
    *,
    n_samples: int = 100_000,
    seed: int = 0,
    statistic: Literal["sum", "mean"] = "sum",
    undefined: Undefined = "nan",
) -> WeatResult:
    """Run an association test on one table of vectors, each with the name of its set.

    Args:
        vectors: The vectors of all four sets of words, one per row. Shape (N, d).
        sets: The set of each vector: "X" or "Y" (targets), "A" or "B" (attributes).
    """
    names = inputs.texts(sets, "sets")
    rows = column(vectors, "vectors", tables=True)
    inputs.same_length({"vectors": rows, "sets": names})
    members: dict[str, list[Any]] = {name: [] for name in SETS}
    for row, (vector, name) in enumerate(zip(rows, names, strict=True)):
        if name not in members:
            raise invalid(f"sets must be 'X', 'Y', 'A' or 'B', but row {row} is {name!r}.")
        members[name].append(_vector(vector, row, size=len(rows[0]) if row else None))
    return weat(
        *(members[name] for name in SETS),
        n_samples=n_samples,
        seed=seed,
        statistic=statistic,
        undefined=undefined,
    )


def plain_weat(result: WeatResult) -> dict[str, Any]:
    """Write a result as a dictionary, without the words that were left out.

    Returns:
        effect_size: In standard deviations; positive where X goes with A. It is at most
            sqrt(n (n - 1) / (nx ny)), with nx and ny targets and n in all: below 2 for sets of one
            size.
        statistic: The test statistic.
        p_value: One-sided, in (0, 1].
        exact: Whether all partitions were compared.
        partitions: How many partitions were compared.
        sizes: How many members each set has.
    """
    words = ("missing", "lost")
    return {name: value for name, value in asdict(result).items() if name not in words}


def _vector(values: Any, row: int, *, size: int | None) -> NDArray[Any]:
    """Read one row of numbers, as long as the first."""
    try:
        vector = np.asarray(values)
    except ValueError:
        vector = np.empty((0, 0))
    if vector.ndim != 1 or not vector.size or vector.dtype.kind not in "biuf":
        raise invalid(
            f"vectors must be a list of numbers in every row, but row {row} is "
            f"{reprlib.repr(values)}."
        )
    if size not in (None, vector.size):
        raise invalid(
            f"vectors must be of one length, but row 0 has {counted(size, 'number')} and row {row} "
            f"has {vector.size}."
        )
    if not np.isfinite(vector).all() or not vector.any():
        what = "nothing but zeros" if not vector.any() else "a number that is missing or infinite"
        raise invalid(f"row {row} of vectors has {what}: {reprlib.repr(values)}.")
    return vector


def _unit_vectors(sets: dict[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    """Read each set as rows of length 1; cosines are then products."""
    units: dict[str, NDArray[np.float64]] = {}
    dimensions = 0
    for name, values in sets.items():
        rows = _table(values, name)
        if not rows.size:
            units[name] = rows.reshape(0, 0)
            continue
        if dimensions and rows.shape[1] != dimensions:
            raise invalid(
                f"the vectors of {name} have {rows.shape[1]} dimensions, but those of an "
                f"earlier set have {dimensions}."
            )
        dimensions = rows.shape[1]
        # Dividing by the largest value first keeps the squares of tiny and huge values in range.
        largest = np.abs(rows).max(axis=1, keepdims=True)
        zero = np.flatnonzero(largest == 0)
        if zero.size:
            raise invalid(
                f"row {int(zero[0])} of {name} is a vector of zeros, which has no direction. "
                "Drop it first."
            )
        rows = rows / largest
        units[name] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _table(values: Any, name: str) -> NDArray[np.float64]:
    """Read a set as finite numbers in rows and columns."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().numpy()
    try:
        rows = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        rows = np.empty((1, 0))
    if rows.size == 0 and rows.shape[0] == 0:
        return rows
    if rows.ndim != 2 or not rows.size:
        raise invalid(
            f"{name} must be a table of numbers, one vector of the same length in each row."
        )
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if wrong.size:
        raise invalid(f"row {int(wrong[0])} of {name} has a value that is missing or infinite.")
    return rows


def _effect_size(associations: NDArray[np.float64], nx: int, undefined: Undefined) -> float:
    """Return the standardised difference of the mean associations."""
    if np.ptp(associations) <= _ROUNDING:
        reason = "all targets have the same association, so the effect size has no scale."
        return undefined_value(reason, undefined)
    difference = associations[:nx].mean() - associations[nx:].mean()
    return float(difference / associations.std(ddof=1))


def _p_value(
    associations: NDArray[np.float64], nx: int, n_samples: int, seed: int
) -> tuple[float, bool, int]:
    """Return the share of partitions at least as extreme, whether all were seen, their number."""
    # The sum over all targets is constant, so that comparing the sum over X alone is enough.
    partitions = math.comb(associations.size, nx)
    exact = partitions <= n_samples
    observed = associations[:nx].sum()
    # A sum in another order differs in the last bits: that is a tie. What is lost there is of the
    # size of the cosines, however small their differences are.
    threshold = observed - _ROUNDING * associations.size
    if exact:
        extreme = sum(int((sums >= threshold).sum()) for sums in _all_sums(associations, nx))
        return extreme / partitions, True, partitions
    sampled = _sampled_sums(associations, nx, n_samples - 1, np.random.default_rng(seed))
    extreme = 1 + sum(int((sums >= threshold).sum()) for sums in sampled)
    return extreme / n_samples, False, n_samples


def _all_sums(values: NDArray[np.float64], size: int) -> Iterator[NDArray[np.float64]]:
    """Yield the sum of every subset of a size, many at once."""
    subsets = itertools.combinations(range(values.size), size)
    while chunk := list(itertools.islice(subsets, ROWS_PER_CHUNK)):
        yield values[np.array(chunk)].sum(axis=1)


def _sampled_sums(
    values: NDArray[np.float64], size: int, count: int, generator: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Yield the sums of random subsets of a size, many at once."""
    for start in range(0, count, ROWS_PER_CHUNK):
        rows = min(ROWS_PER_CHUNK, count - start)
        shuffled = generator.permuted(np.broadcast_to(values, (rows, values.size)), axis=1)
        yield shuffled[:, :size].sum(axis=1)


@dataclass(frozen=True, slots=True)
class WeatTest:
    """The words of an association test."""

    name: str
    X: tuple[str, ...]
    Y: tuple[str, ...]
    A: tuple[str, ...]
    B: tuple[str, ...]

    def words(self) -> list[str]:
        """List all words once, in the order X, Y, A, B.

        Example:
            >>> WeatTest("mine", ("he",), ("she",), ("work",), ("home", "he")).words()
            ['he', 'she', 'work', 'home']
        """
        return list(dict.fromkeys(self.X + self.Y + self.A + self.B))


def weat_tests() -> dict[str, dict[str, str]]:
    """List the published tests.

    Returns:
        The name of each test to the names of its four sets.

    Example:
        >>> weat_tests()["C6"]
        {'X': 'male_names', 'Y': 'female_names', 'A': 'career', 'B': 'family'}
    """
    return {name: dict(sets) for name, sets in _data()["tests"].items()}


def weat_test(name: str) -> WeatTest:
    """Give the words of a published test.

    Args:
        name: `"C1"` to `"C10"`, or a variant with group terms in place of names (or names in place
            of terms) such as `"C6b"`.

    Raises:
        InputError: There is no such test.

    Example:
        >>> weat_test("C6").X
        ('John', 'Paul', 'Mike', 'Kevin', 'Steve', 'Greg', 'Jeff', 'Bill')

    Source:
        Caliskan et al. (2017); May et al. (2019) for the variants.
    """
    data = _data()
    one_of(name, data["tests"], parameter="name")
    sets = data["tests"][name]
    return WeatTest(name, *(tuple(data["sets"][sets[letter]]) for letter in SETS))


def weat_from_vectors(
    vectors: Mapping[str, ArrayLike],
    test: str | WeatTest,
    *,
    n_samples: int = 100_000,
    seed: int = 0,
    statistic: Literal["sum", "mean"] = "sum",
    undefined: Undefined = "nan",
) -> WeatResult:
    """Run an association test on word vectors.

    A word counts once in its set. Words without a vector are left out and reported, with a warning
    where they are more than a fifth of a set; upper and lower case are kept apart, as in the
    vectors.

    Args:
        test: The name of a published test, see `weat_tests`, or your own words.
        statistic: `"sum"` or `"mean"`, see `weat`.
        undefined: What to give for an effect size that is not defined.

    Returns:
        Effect size, statistic and p-value; `missing` lists the words left out, and `lost` says
        which share of each set they are.

    Raises:
        InputError: There is no such test, or fewer than two words of a set have a vector.

    Example:
        >>> words = WeatTest("mine", X=("ox", "ax"), Y=("by", "my"), A=("an", "am"), B=("if", "of"))
        >>> vectors = {word: [word.count("a"), 1, ord(word[0]) - 100] for word in words.words()}
        >>> weat_from_vectors(vectors, words).sizes
        {'X': 2, 'Y': 2, 'A': 2, 'B': 2}
    """
    words = weat_test(test) if isinstance(test, str) else test
    sets: dict[str, list[Any]] = {}
    missing: dict[str, list[str]] = {}
    lost: dict[str, float] = {}
    for name in SETS:
        members = list(dict.fromkeys(getattr(words, name)))
        present = [word for word in members if word in vectors]
        absent = [word for word in members if word not in vectors]
        if len(present) < 2:
            detail = f"; {absent[0]!r} has none" if absent else ""
            raise invalid(
                f"fewer than two words of set {name} of test {words.name!r} have a vector{detail}."
            )
        if absent:
            missing[name] = absent
        what = f"words of set {name} of test {words.name!r}"
        lost[name] = inputs.warn_of_lost(absent, len(members), what)
        sets[name] = [vectors[word] for word in present]
    result = weat(
        *(sets[name] for name in SETS),
        n_samples=n_samples,
        seed=seed,
        statistic=statistic,
        undefined=undefined,
    )
    return replace(result, missing=missing, lost=lost)


@cache
def _data() -> dict[str, Any]:
    """Read the word sets."""
    file = resources.files("fair_datasets.measures").joinpath("data", "weat.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


SET_OF_KEY = {"targ1": "X", "targ2": "Y", "attr1": "A", "attr2": "B"}


def seat_sentences(name: str, *, without: Collection[str] = ()) -> dict[str, list[str]]:
    """Write the sentences of a published test with this package's templates.

    Every word stands in six sentences. The templates are fewer than those of May et al., so that
    effect sizes are not to be compared with theirs digit by digit; for their sentences see
    `load_seat_sentences`.

    Args:
        name: A name of `weat_tests`, such as `"C6"`.
        without: Words that are left out, such as those that an encoder has no vector for: without
            its word a sentence would be compared by its template alone. There is a warning where
            they are more than a fifth of a set.

    Returns:
        `texts`, the sentences, and `sets`, the set of each: `"X"`, `"Y"`, `"A"` or `"B"`.

    Raises:
        InputError: There is no such test.

    Example:
        >>> sentences = seat_sentences("C6")
        >>> sentences["texts"][0], sentences["sets"][0], sentences["texts"][-1]
        ('This is John.', 'X', 'The relatives are there.')

    Source:
        May et al. (2019), On Measuring Social Biases in Sentence Encoders.
    """
    test = weat_test(name)
    names_of_sets = weat_tests()[name]
    texts: list[str] = []
    sets: list[str] = []
    for letter in SETS:
        is_name_set = names_of_sets[letter] in _seat_data()["name_sets"]["sets"]
        members = getattr(test, letter)
        lost = [word for word in members if word in without]
        what = f"words of set {letter} of test {name!r}"
        inputs.warn_of_lost(lost, len(members), what)
        for word in members:
            if word in lost:
                continue
            written = _sentences(word, "name" if is_name_set else _kind(word))
            texts += written
            sets += [letter] * len(written)
    return {"texts": texts, "sets": sets}


def load_seat_sentences(path: str | PathLike[str]) -> dict[str, list[str]]:
    """Read the sentences of a test from a file of your own.

    The file is one JSON object with the keys `targ1`, `targ2`, `attr1` and `attr2`, each an object
    with the sentences under `examples`, as in the files of May et al., which this package does not
    contain.

    Returns:
        `texts`, the sentences, and `sets`, the set of each: `"X"`, `"Y"`, `"A"` or `"B"`.

    Raises:
        InputError: There is no such file, or it is not of that form.

    Example:
        >>> load_seat_sentences("no.jsonl")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_seat_sentences: there is no file 'no.jsonl'.
    """
    file = Path(path)
    test = inputs.read_json(path)
    texts: list[str] = []
    sets: list[str] = []
    for key, letter in SET_OF_KEY.items():
        examples = _examples(test, key)
        if not examples or not all(isinstance(example, str) for example in examples):
            raise invalid(f"{file.name!r} has no list of sentences at {key!r}, 'examples'.")
        texts += examples
        sets += [letter] * len(examples)
    return {"texts": texts, "sets": sets}


def _examples(test: Any, key: str) -> list[Any]:
    """Return what stands under a key's examples, or nothing."""
    part = test.get(key) if isinstance(test, dict) else None
    examples = part.get("examples") if isinstance(part, dict) else None
    return examples if isinstance(examples, list) else []


def _sentences(word: str, kind: str) -> list[str]:
    """Put a word into the templates of its kind."""
    has_an = word[0] in "aeiouAEIOU" and word not in _seat_data()["articles"]["a"]
    phrase = f"{'an' if has_an else 'a'} {word}"
    return [template.format(word, a=phrase) for template in _seat_data()["templates"][kind]]


def _kind(word: str) -> str:
    """Return the kind of a word that stands in no set of names."""
    for kind, words in _seat_data()["words"].items():
        if word in words:
            return str(kind)
    return "count"


@cache
def _seat_data() -> dict[str, Any]:
    """Read the templates."""
    file = resources.files("fair_datasets.measures").joinpath("data", "seat.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
