"""What versions teach: a classifier, its rates, accuracy and F1; word2vec, its associations."""

import tomllib
import zlib
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from fair_datasets.evaluation.versions import (
    Corpus,
    is_blank,
    read_groups,
    read_labels,
    read_texts,
)
from fair_datasets.measures.error_rates import rate_difference
from fair_datasets.measures.weat import SETS, WeatTest, weat_from_vectors, weat_test
from fair_datasets.models.word_vectors import words_of
from fair_datasets.scores.probes.train import Predict, Trainer, probabilities_of
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    format_choices,
    invalid,
    positive_whole_number,
    require,
    switch,
)

if TYPE_CHECKING:
    from datasets import Dataset

RATES = ("true positive rate difference", "false positive rate difference")


@dataclass(frozen=True)
class JudgedRows:
    """The rows on which a classifier is judged.

    Attributes:
        order: The two groups: the rates of the first less those of the second.
    """

    texts: list[str]
    labels: list[int]
    groups: list[Hashable]
    order: tuple[Hashable, Hashable]
    skipped: int

    @classmethod
    def read(
        cls, rows: "Dataset", column: str, label: str, group: str,
        order: Sequence[Hashable] | None,
    ) -> "JudgedRows":  # fmt: skip
        """Read the rows, or raise."""
        texts = read_texts(rows, column)
        selected = [row for row, text in enumerate(texts) if not is_blank(text)]
        labels = read_labels(rows, label)
        groups = read_groups(rows, group)
        group_names = sorted(set(groups), key=str)
        choices = format_choices(map(str, group_names))
        if len(group_names) != 2:
            raise invalid(
                f"column {group!r} must hold two groups, but it holds {choices}; "
                "give rows of two, and no others."
            )
        named = group_names if order is None else order
        chosen = tuple(named) if isinstance(named, Sequence) else ()
        if sorted(chosen, key=str) != group_names:
            raise invalid(
                f"order must be the two groups of column {group!r}, {choices}, but it is {order!r}."
            )
        there = {(groups[row], labels[row]) for row in selected}
        for name in chosen:
            for value in (1, 0):
                if (name, value) not in there:
                    raise invalid(
                        f"no row of group {name!r} with a text has the label {value}, so "
                        "its rate is not defined; give some."
                    )
        return cls(
            [texts[row] for row in selected],
            [labels[row] for row in selected],
            [groups[row] for row in selected],
            (chosen[0], chosen[1]),
            len(texts) - len(selected),
        )

    def measure(self, predict: Predict) -> dict[str, float]:
        """Judge a classifier.

        Returns:
            The rate differences, signed and without their sign, accuracy, and the F1 of label 1.
        """
        from sklearn.metrics import accuracy_score, f1_score

        rows = [(text,) for text in self.texts]
        probabilities = probabilities_of(predict, rows, what="the trainer's classifier")
        predicted = probabilities.argmax(axis=1)
        rates = rate_difference(self.labels, predicted, self.groups, order=self.order)
        true_positive, false_positive = RATES
        return {
            true_positive: rates.true_positive_rate_difference,
            f"absolute {true_positive}": rates.absolute_true_positive_rate_difference,
            false_positive: rates.false_positive_rate_difference,
            f"absolute {false_positive}": rates.absolute_false_positive_rate_difference,
            "accuracy": float(accuracy_score(self.labels, predicted)),
            "F1": float(f1_score(self.labels, predicted, zero_division=0.0)),
        }


def classifier_rows(
    corpus: Corpus,
    originals: "Dataset",
    column: str,
    label: str,
    test: JudgedRows,
    trainer: Trainer,
) -> list[dict[str, Any]]:
    """Train a classifier on each version, and judge it on the test rows."""
    from datasets import Dataset, Features

    labels = originals.with_format(None)[label][:]
    features = Features({name: originals.features[name] for name in (column, label)})
    rows = []
    for version, seed, texts, times in corpus.training_texts():
        pairs = [pair for pair in zip(texts, labels * times, strict=True) if not is_blank(pair[0])]
        data = Dataset.from_dict(
            {column: [text for text, _ in pairs], label: [value for _, value in pairs]}, features
        )
        values = test.measure(trainer(data, seed))
        beside = {"version": version, "seed": seed, "size": len(test.texts),
                  "skipped": len(texts) - len(pairs)}  # fmt: skip
        rows += [{**beside, "measure": name, "value": value} for name, value in values.items()]
    return rows


_WORDS: dict[str, list[str]] = tomllib.loads(
    resources.files("fair_datasets.evaluation")
    .joinpath("data", "words.toml")
    .read_text(encoding="utf-8")
)
_WOMEN, _MEN = tuple(_WORDS["women"]), tuple(_WORDS["men"])

CAREERS = WeatTest(
    "women's and men's careers",
    X=tuple(_WORDS["women_careers"]),
    Y=tuple(_WORDS["men_careers"]),
    A=_WOMEN,
    B=_MEN,
)
"""Careers and gender, of Tokpo and Calders (2023), appendix C: positive where women go with the
careers that are thought theirs. "her", which they list twice, counts once."""

PLEASANTNESS = WeatTest(
    "pleasant and unpleasant", X=weat_test("C1").A, Y=weat_test("C1").B, A=_WOMEN, B=_MEN
)
"""Pleasant and unpleasant words of Caliskan et al. (2017) and gender: positive where women go with
the pleasant ones."""


@dataclass(frozen=True, kw_only=True)
class WordAssociation:
    """Which words' association is measured, and how word2vec is trained.

    Published are the sizes of the vectors; the other settings are those of gensim.

    Attributes:
        words: Targets X and Y and attributes A and B, or the name of a published test. All are read
            in lower case, as the texts are.
        sizes: The dimensions of the vectors; word2vec is trained for each.
        window: How far words that are read together are apart at most.
        min_count: How often a word must occur to have a vector.
        epochs: How often the texts are read.
        skip_gram: Whether to learn from each word its neighbours (skip-gram); else from the
            neighbours the word.
        n_samples: How many partitions of the targets are compared for a p-value at most.

    Raises:
        InputError: A setting is not what it must be, or there is no such test.

    Example:
        >>> WordAssociation(sizes=(100,)).test.X[:2]
        ('server', 'therapist')
    """

    words: WeatTest | str = CAREERS
    sizes: tuple[int, ...] = (50, 100, 300)
    window: int = 5
    min_count: int = 5
    epochs: int = 5
    skip_gram: bool = False
    n_samples: int = 100_000

    def __post_init__(self) -> None:
        """Check the settings and the words."""
        if not isinstance(self.words, WeatTest | str):
            raise invalid(f"words must be a WeatTest or the name of one, but it is {self.words!r}.")
        for letter in SETS:
            if len(set(getattr(self.test, letter))) < 2:
                raise invalid(
                    f"set {letter} of {self.test.name!r} has fewer than two words; name "
                    "two or more."
                )
        sizes = (self.sizes,) if isinstance(self.sizes, int) else tuple(self.sizes)
        if not sizes or len(set(sizes)) < len(sizes):
            raise invalid(f"sizes must be different numbers, but they are {sizes!r}.")
        object.__setattr__(self, "sizes", sizes)
        numbers = {"window": self.window, "min_count": self.min_count, "epochs": self.epochs,
                   "n_samples": self.n_samples}  # fmt: skip
        for name, value in [*numbers.items(), *(("sizes", size) for size in sizes)]:
            positive_whole_number(value, parameter=name)
        switch(self.skip_gram, parameter="skip_gram")

    @property
    def test(self) -> WeatTest:
        """The words in lower case."""
        words = weat_test(self.words) if isinstance(self.words, str) else self.words
        lower = (tuple(word.lower() for word in getattr(words, letter)) for letter in SETS)
        return WeatTest(words.name, *lower)


def word2vec(texts: Sequence[str], how: WordAssociation, size: int, seed: int) -> Any:
    """Train word2vec, the same for the same texts and seed.

    Args:
        texts: The texts. Words are read in lower case, punctuation is none.

    Returns:
        The vectors, gensim's `KeyedVectors`.
    """
    require("gensim")
    from gensim.models import Word2Vec

    # Several threads read the texts in an order of chance, and Python's own hash differs from
    # process to process.
    return Word2Vec(
        _words(texts),
        vector_size=size,
        window=how.window,
        min_count=how.min_count,
        epochs=how.epochs,
        sg=int(how.skip_gram),
        workers=1,
        seed=seed,
        hashfxn=_hash,
    ).wv


def refuse_missing_words(corpus: Corpus, how: WordAssociation) -> None:
    """Raise unless each set has two words that each training knows."""
    counts_of = {id(texts): _counts(texts) for _, _, texts in corpus.lists()}
    for version, seed, texts in corpus.lists():
        of_seed = f", seed {seed}" if len(corpus.versions[version]) > 1 else ""
        counts = counts_of[id(texts)]
        if not corpus.stands_alone(version):
            counts = counts + counts_of[id(corpus.texts)]
        for letter in SETS:
            members = dict.fromkeys(getattr(how.test, letter))
            rare = [word for word in members if counts[word] < how.min_count]
            if len(members) - len(rare) < 2:
                raise InputError(
                    f"{caller_name()}, version {version!r}{of_seed}: fewer than two words of set "
                    f"{letter} of {how.test.name!r} occur {how.min_count:,} times or more "
                    f"({rare[0]!r} occurs {counts[rare[0]]:,} times); give other words, more "
                    "texts, or a lower min_count."
                )


def association_rows(corpus: Corpus, how: WordAssociation) -> list[dict[str, Any]]:
    """Train word2vec on each version, and measure the association of the words."""
    return [
        row
        for version, seed, texts, _ in corpus.training_texts()
        for size in how.sizes
        for row in _rows(version, seed, texts, how, size)
    ]


def _rows(
    version: str, seed: int, texts: Sequence[str], how: WordAssociation, size: int
) -> Iterator[dict[str, Any]]:
    vectors = word2vec(texts, how, size, seed)
    result = weat_from_vectors(vectors, how.test, n_samples=how.n_samples)
    beside = {
        "version": version, "seed": seed, "size": sum(result.sizes.values()), "skipped": 0,
        "left_out": [word for words in result.missing.values() for word in words],
    }  # fmt: skip
    yield {**beside, "measure": f"WEAT {size}", "value": result.statistic}
    effect = {"measure": f"effect size {size}", "value": result.effect_size}
    yield {**beside, **effect, "p_value": result.p_value}


def _counts(texts: Sequence[str]) -> "Counter[str]":
    """Count the words of texts."""
    return Counter(word for words in _words(texts) for word in words)


def _words(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text in lower case."""
    return words_of(text.lower() for text in texts)


def _hash(word: str) -> int:
    """Return a number that follows from a word alone."""
    return zlib.crc32(word.encode())
