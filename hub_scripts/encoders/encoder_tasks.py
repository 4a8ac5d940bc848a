"""Encoders of sentences, as models, word vectors or functions; their tasks and associations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.controls import holm
from fair_datasets.measures.weat import SETS, seat_sentences, weat, weat_test, weat_tests
from fair_datasets.models.load import ENDINGS, load_word_vectors
from fair_datasets.models.word_vectors import WordVectors, words_of
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import refuse_nulls
from fair_datasets.rows.given import one_dataset, texts_of
from fair_datasets.scores.embeddings import Pooling, function_vectors, load_encoder, pooled_states
from fair_datasets.scores.models import ModelLike, ScoringModel
from fair_datasets.system import checks
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    error_context,
    format_choices,
    invalid,
    one_of,
)

if TYPE_CHECKING:
    from datasets import Dataset


Vectors = NDArray[np.float64]

EncoderLike = ModelLike | WordVectors | Callable[[list[str]], Any]
"""A folder, a Hub id or a model with its tokenizer; word vectors or their file, of which a sentence
gets the mean; or any function from a list of texts to their vectors."""


@dataclass(frozen=True)
class Encoder:
    """An encoder that is loaded.

    Attributes:
        lacks: Tells of each word whether the encoder has nothing to read it by.
    """

    read: Callable[[list[str]], Vectors]
    lacks: Callable[[str], bool]

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, each of which is read once. Shape (N, d)."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        vectors = self.read(list(places))
        wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if wrong.size:
            raise invalid(
                f"the vector of {list(places)[wrong[0]]!r} holds a value that is "
                "missing or infinite; mend the encoder, or leave it out."
            )
        return vectors[[places[text] for text in texts]]


def open_encoder(
    given: EncoderLike, *, batch_size: int, pooling: Pooling = "auto", device: str | None = None
) -> Encoder:
    """Load an encoder.

    Args:
        given: What the user gave. What holds words, as `WordVectors` do, says by `word in given`
            which it can read; a tokenizer by its token for unknown words; of a function without
            `in` all words are thought to be read.
    """
    if isinstance(given, str | PathLike) and _is_file_of_vectors(fspath(given)):
        given = load_word_vectors(given)
    if isinstance(given, WordVectors):
        vectors = given
        return Encoder(
            lambda texts: _means(vectors, texts),
            lambda word: any(each not in vectors for each in words_of([word])[0]),
        )
    if callable(given) and not hasattr(given, "state_dict"):
        function = given
        words: Any = given if hasattr(given, "__contains__") else None
        return Encoder(
            lambda texts: function_vectors(texts, _naming_encoder(function)),
            lambda word: words is not None and word not in words,
        )
    loaded, pooling = load_encoder(given, pooling, device=device)  # type: ignore[arg-type]
    return Encoder(
        lambda texts: pooled_states(loaded, pooling, texts, batch_size=batch_size),
        lambda word: _is_unknown(loaded, word),
    )


def _naming_encoder(function: Callable[[list[str]], Any]) -> Callable[[list[str]], Any]:
    """Name the encoder where a function of the user raises."""

    def call(texts: list[str]) -> Any:
        try:
            return function(texts)
        except Exception as error:
            message = f"{caller_name()}: the function raised {type(error).__name__} ({error})"
            raise RuntimeError(message) from error

    return call


def _is_file_of_vectors(name: str) -> bool:
    """Whether a name is that of a file of word vectors; a model is a folder or a Hub id."""
    return name.lower().endswith(ENDINGS) or Path(name).is_file()


def _means(vectors: WordVectors, texts: Sequence[str]) -> Vectors:
    """Return the mean vector of the words of each text; zeros where none has a vector."""
    means = np.zeros((len(texts), vectors.width))
    for row, words in enumerate(words_of(texts)):
        indices = vectors.find(words)
        known = indices[indices >= 0]
        if known.size:
            means[row] = vectors.matrix[known].mean(axis=0, dtype=np.float64)
    return means


def _is_unknown(loaded: ScoringModel, word: str) -> bool:
    """Whether a tokenizer leaves nothing of a word, or its token for unknown ones."""
    encoded = loaded.encode([word])
    pieces = [
        piece
        for piece, is_special in zip(encoded.ids[0], encoded.special[0], strict=True)
        if not is_special
    ]
    return not pieces or loaded.tokenizer.unk_token_id in pieces


KINDS = {"text": 1, "pair": 2, "similarity": 2}
"""Each kind of task with the number of its text columns."""

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, kw_only=True)
class EncoderTask:
    """A task that a linear probe learns on the vectors of an encoder.

    Attributes:
        name: What it is called in tables.
        kind: `text` to tell the class of a text, `pair` that of a pair of texts, or `similarity`
            to tell how similar the texts of a pair are.
        columns: The text column, or the two of a pair.
        label: The column of the class, or of the score.
        splits: `train`, `validation` and `test`, such as a `DatasetDict`. Regularisation is chosen
            on the validation rows; the figures are of the test rows.

    Raises:
        InputError: A split, a column, a text or a label is missing; there is one class or score
            only to learn from; the test scores are all alike; or a class occurs that the training
            rows do not have.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["Good.", "Bad."], "label": [1, 0]})
        >>> splits = dict.fromkeys(["train", "validation", "test"], rows)
        >>> EncoderTask(name="mood", kind="text", columns="text", label="label", splits=splits).kind
        'text'
    """

    name: str
    kind: str
    columns: tuple[str, ...] | str
    label: str
    splits: "Mapping[str, Dataset]"

    def __post_init__(self) -> None:
        """Check the columns and labels of all splits."""
        if not isinstance(self.name, str) or not self.name.strip():
            raise invalid(f"name must be a text that is not empty, not {self.name!r}.")
        with error_context(f"task {self.name!r}"):
            self._check()

    def _check(self) -> None:
        checks.one_of(self.kind, KINDS, parameter="kind")
        columns = column_checks.column_names(self.columns)
        object.__setattr__(self, "columns", columns)
        if len(columns) != KINDS[self.kind]:
            raise invalid(
                f"a task of kind {self.kind!r} has {KINDS[self.kind]} text "
                f"column{'s' * (KINDS[self.kind] > 1)}, but columns names {len(columns)}."
            )
        column_checks.column_name(self.label, parameter="label")
        self._check_splits()
        for split in SPLITS:
            with error_context(f"{caller_name()}, {split}"):
                self._check_rows(split)
        self._check_labels()

    def texts(self, split: str) -> list[list[str]]:
        """Return the texts of each text column."""
        rows = self.splits[split]
        return [inputs.texts(texts_of(rows, name), f"column {name!r}") for name in self.columns]

    def labels(self, split: str) -> list[Any]:
        """Return the classes, or the scores as numbers."""
        values = self.splits[split].with_format(None)[self.label][:]
        if self.kind != "similarity":
            return list(values)
        return list(inputs.scores(values, f"column {self.label!r}").tolist())

    def _check_splits(self) -> None:
        if not isinstance(self.splits, Mapping):
            raise invalid(
                f"splits must be a DatasetDict or another mapping with "
                f"{checks.format_choices(SPLITS)}, but it is a {type(self.splits).__name__}."
            )
        for split in SPLITS:
            if split not in self.splits:
                raise invalid(
                    f"there is no split {split!r} among "
                    f"{checks.format_choices(map(str, self.splits))}; name the splits "
                    f"{checks.format_choices(SPLITS)}, and divide one by train_test_split where "
                    "one is missing."
                )

    def _check_rows(self, split: str) -> None:
        """Raise unless a split has rows, and each its texts and its label."""
        rows = one_dataset(self.splits[split], rows=True)
        column_checks.present([*self.columns, self.label], rows.column_names)
        self.texts(split)
        values = rows.with_format(None)[self.label][:]
        refuse_nulls(values, f"column {self.label!r}")
        self.labels(split)
        for row, value in enumerate(values):
            if isinstance(value, list | dict):
                raise invalid(
                    f"column {self.label!r} must hold one label for each row, but row "
                    f"{row} holds a {type(value).__name__}; choose one."
                )

    def _check_labels(self) -> None:
        """Raise unless there is something to learn, and it can be judged."""
        train, test = set(self.labels("train")), set(self.labels("test"))
        if len(train) < 2:
            raise invalid(
                f"all training rows have the label {next(iter(train))!r} in column "
                f"{self.label!r}; give rows of at least two labels."
            )
        if self.kind == "similarity":
            if len(test) < 2:
                raise invalid(
                    f"all test rows have the score {next(iter(test))!r}, so nothing "
                    "can correlate with it; give rows of several scores."
                )
            return
        for split in SPLITS[1:]:
            with error_context(f"{caller_name()}, {split}"):
                _refuse_new(self.labels(split), train)


def _refuse_new(labels: Sequence[Any], known: set[Any]) -> None:
    """Raise if there is a class that the training rows do not have."""
    for row, label in enumerate(labels):
        if label not in known:
            raise invalid(
                f"row {row} has the class {label!r}, which no training row has; drop such "
                "rows, or divide the splits again."
            )


def pair_features(first: Any, second: Any, *, kind: str) -> Any:
    """Return what a probe reads of the vectors of pairs.

    Args:
        first: The vectors u of the first texts. Shape (N, d).
        second: The vectors v of the second texts. Shape (N, d).
        kind: `similarity`, for which the order of the texts says nothing, or `pair`.

    Returns:
        |u - v| and u * v, shape (N, 2d); for `pair` behind u and v, shape (N, 4d).

    Source:
        Conneau and Kiela (2018), SentEval: |u - v| and u * v for similarity, u and v as well for
        inference.
    """
    between = [np.abs(first - second), first * second]
    return np.concatenate(between if kind == "similarity" else [first, second, *between], axis=1)


RETENTION_TESTS = ("C1", "C2")
"""Flowers and insects, instruments and weapons: what a correction of gender should leave there."""

GENDER_TESTS = ("C6", "C6b", "C7", "C7b", "C8", "C8b")
"""Career and family, mathematics and art, science and art, each with names and with terms."""

SENTENCE_TESTS = RETENTION_TESTS + GENDER_TESTS

GENDER_MEAN = "gender mean"
"""What the signed mean of the effect sizes of the gender tests is called."""

Sentences = Mapping[str, Sequence[str]]


def checked_tests(given: Any) -> dict[str, Sentences | None]:
    """Return the tests by name, each with its sentences where the user gave some.

    Args:
        given: Names of published tests, or a mapping of names to sentences as
            `load_seat_sentences` reads them.

    Returns:
        Name to sentences; None for those of this package.
    """
    if isinstance(given, Mapping):
        for name, sentences in given.items():
            if sentences is None:
                one_of(name, weat_tests(), parameter="tests")
            else:
                with error_context(f"{caller_name()}, test {name!r}"):
                    _check_sentences(sentences)
        return dict(given)
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        one_of(name, weat_tests(), parameter="tests")
    return dict.fromkeys(names)


def association_rows(
    encoder: Encoder, tests: Mapping[str, Sentences | None], *, n_samples: int, seed: int
) -> list[dict[str, Any]]:
    """Run the association tests on an encoder.

    Words that it lacks are left out with their sentences; a test of which a set then has fewer
    than two words falls out. The p-values are adjusted over the tests of this encoder.
    """
    chosen = {name: _chosen(encoder, name, sentences) for name, sentences in tests.items()}
    texts = [text for row, sentences in chosen.values() if sentences for text in sentences["texts"]]
    vectors = dict(zip(texts, encoder.vectors(texts), strict=True)) if texts else {}
    rows = []
    for row, sentences in chosen.values():
        if sentences:
            sets: dict[str, list[Any]] = {letter: [] for letter in SETS}
            for text, letter in zip(sentences["texts"], sentences["sets"], strict=True):
                sets[letter].append(vectors[text])
            row |= {"size": len(sentences["texts"]), **_tested(sets, n_samples, seed)}
        rows.append(row)
    measured = [row for row in rows if row["value"] is not None]
    for row, adjusted in zip(measured, holm([row["p_value"] for row in measured]), strict=True):
        row["p_holm"] = float(adjusted)
    return rows + gender_mean(rows)


def _chosen(
    encoder: Encoder, name: str, given: Sentences | None
) -> tuple[dict[str, Any], Sentences | None]:
    """Return the row of a test before it has a value, and its sentences unless it falls out."""
    row: dict[str, Any] = {"test": name, "kind": "association", "measure": "effect size",
                           "value": None, "left_out": []}  # fmt: skip
    if given is not None:
        return row, given
    words = weat_test(name)
    row["left_out"] = [word for word in words.words() if encoder.lacks(word)]
    for letter in SETS:
        members = getattr(words, letter)
        known = [word for word in members if word not in row["left_out"]]
        if len(known) < 2:
            row["reason"] = (
                f"the encoder has vectors for {len(known)} of the {len(members)} words of set "
                f"{letter}, but two are needed"
            )
            return row, None
    return row, seat_sentences(name, without=row["left_out"])


def _tested(sets: Mapping[str, Sequence[Any]], n_samples: int, seed: int) -> dict[str, Any]:
    """Return what a test finds, or why it is not defined for these vectors."""
    try:
        result = weat(
            *(np.array(sets[letter]) for letter in SETS),
            n_samples=n_samples,
            seed=seed,
            undefined="raise",
        )
    except InputError as error:
        # A vector of zeros, or one association for all targets: the other tests may be defined.
        return {"reason": str(error).removeprefix("weat: ").rstrip(".")}
    return {"value": result.effect_size, "p_value": result.p_value}


def gender_mean(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the row of the signed mean over the gender tests.

    Returns:
        One row, without a value where a gender test has none; no row where none is among them.

    Example:
        >>> gender_mean([{"test": "C6", "value": 1.0}, {"test": "C7", "value": -0.5}])[0]["value"]
        0.25

    Source:
        Dolci, Azzalini and Tanelli: their average effect size.
    """
    among = [row for row in rows if row["test"] in GENDER_TESTS]
    if not among:
        return []
    lost = [row["test"] for row in among if row["value"] is None]
    mean: dict[str, Any] = {"test": GENDER_MEAN, "kind": "association", "measure": "effect size"}
    if lost:
        # A mean over other tests is not to be compared with that of another encoder.
        return [{**mean, "value": None, "reason": f"{', '.join(lost)} fell out"}]
    return [{**mean, "value": float(np.mean([row["value"] for row in among]))}]


def _check_sentences(sentences: Any) -> None:
    """Raise unless sentences are given as `load_seat_sentences` reads them."""
    if not isinstance(sentences, Mapping) or not {"texts", "sets"} <= sentences.keys():
        raise invalid(
            f"its sentences must be a mapping with 'texts' and 'sets', as "
            f"load_seat_sentences reads them, but they are a {type(sentences).__name__}."
        )
    texts = inputs.texts(sentences["texts"], "texts")
    sets = inputs.texts(sentences["sets"], "sets")
    inputs.same_length({"texts": texts, "sets": sets})
    for letter in (*SETS, *sets):
        one_of(letter, SETS, parameter="sets")
        if letter not in sets:
            raise invalid(f"there is no sentence of set {letter}; give some.")


def check_tasks(tasks: Any, tests: Iterable[str]) -> None:
    """Raise unless there are tasks of different names, which no test has."""
    if isinstance(tasks, EncoderTask) or not isinstance(tasks, Sequence):
        raise invalid("tasks must be a list of EncoderTask; put it into brackets.")
    for task in tasks:
        if not isinstance(task, EncoderTask):
            raise invalid(
                f"each of tasks must be an EncoderTask, but one is a {type(task).__name__}."
            )
        if task.name in {*tests, *weat_tests(), GENDER_MEAN}:
            raise invalid(f"a task is named {task.name!r}, like an association test; rename it.")
    names = [task.name for task in tasks]
    if len(set(names)) < len(names):
        raise invalid(
            f"the names of tasks must differ, but they are {format_choices(names)}; give each its "
            "own name."
        )
