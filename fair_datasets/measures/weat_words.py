"""The published word sets of the Word Embedding Association Test, and their sentences (SEAT)."""

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from numpy.typing import ArrayLike

from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.weat import SETS, WeatResult, weat
from fair_datasets.system.checks import InputError, one_of


@dataclass(frozen=True, slots=True)
class WeatTest:
    """The words of an association test.

    Attributes:
        name: What the test is called.
        X: The first targets.
        Y: The second targets.
        A: The attributes expected with X.
        B: The attributes expected with Y.
    """

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
    one_of(name, data["tests"], owner="weat_test", parameter="name")
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

    A word counts once in its set. Words without a vector are left out and reported; upper and lower
    case are kept apart, as in the vectors.

    Args:
        vectors: Word to vector. The `KeyedVectors` of gensim are fine.
        test: The name of a published test, see `weat_tests`, or your own words.
        n_samples: How many partitions to compare at most.
        seed: Decides which random partitions are compared.
        statistic: `"sum"` or `"mean"`, see `weat`.
        undefined: What to give for an effect size that is not defined.

    Returns:
        Effect size, statistic and p-value; `missing` lists the words left out.

    Raises:
        InputError: There is no such test, or fewer than two words of a set have a vector.

    Example:
        >>> words = WeatTest("mine", X=("ox", "ax"), Y=("by", "my"), A=("an", "am"), B=("if", "of"))
        >>> vectors = {word: [word.count("a"), 1, ord(word[0]) - 100] for word in words.words()}
        >>> weat_from_vectors(vectors, words).sizes
        {'X': 2, 'Y': 2, 'A': 2, 'B': 2}
    """
    words = weat_test(test) if isinstance(test, str) else test
    found: dict[str, list[Any]] = {}
    missing: dict[str, list[str]] = {}
    for name in SETS:
        members = list(dict.fromkeys(getattr(words, name)))
        present = [word for word in members if word in vectors]
        absent = [word for word in members if word not in vectors]
        if len(present) < 2:
            detail = f"; {absent[0]!r} has none" if absent else ""
            raise InputError(
                f"weat_from_vectors: fewer than two words of set {name} of test {words.name!r} "
                f"have a vector{detail}."
            )
        if absent:
            missing[name] = absent
        found[name] = [vectors[word] for word in present]
    result = weat(
        *(found[name] for name in SETS),
        n_samples=n_samples,
        seed=seed,
        statistic=statistic,
        undefined=undefined,
    )
    return replace(result, missing=missing)


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
            its word a sentence would be compared by its template alone.

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
        for word in getattr(test, letter):
            if word in without:
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
    if not file.is_file():
        raise InputError(f"load_seat_sentences: there is no file {str(path)!r}.")
    try:
        test = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"load_seat_sentences: {file.name!r} is not JSON: {error}.") from None
    texts: list[str] = []
    sets: list[str] = []
    for key, letter in SET_OF_KEY.items():
        examples = _examples(test, key)
        if not examples or not all(isinstance(example, str) for example in examples):
            raise InputError(
                f"load_seat_sentences: {file.name!r} has no list of sentences at {key!r}, "
                "'examples'."
            )
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
