"""What encoders carry and what they are good for, in one table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.encoder_evaluation.associations import (
    GENDER_MEAN,
    SENTENCE_TESTS,
    Sentences,
    association_rows,
    checked_tests,
)
from fair_datasets.encoder_evaluation.encoders import Encoder, EncoderLike, open_encoder
from fair_datasets.encoder_evaluation.linear_probe import classification_probe, similarity_probe
from fair_datasets.encoder_evaluation.seeds import means_over_seeds
from fair_datasets.encoder_evaluation.tasks import SPLITS, EncoderTask, pair_features
from fair_datasets.measures.weat_words import weat_tests
from fair_datasets.scores.embeddings import Pooling
from fair_datasets.system.checks import InputError, listed, positive_whole_number, whole_number
from fair_datasets.technique.portable import is_path, without_folders
from fair_datasets.vectors import WordVectors

if TYPE_CHECKING:
    from datasets import Dataset

_OWNER = "evaluate_encoders"
_NUMBERS = ("value", "p_value", "p_holm", "baseline", "l2", "validation")


@dataclass(frozen=True)
class EncoderEvaluation:
    """What `evaluate_encoders` found.

    Attributes:
        rows: A row for each encoder, seed, test and measure: `encoder`; `seed`, the number of the
            encoder under its name; `source`, what it was loaded from; `kind`, `association` or
            `task`; `test` and `measure` with the `value`, which is missing where `reason` says why;
            `p_value` and `p_holm` of an association, the latter adjusted over the tests of that
            encoder; the words `left_out`; `baseline`, `l2` and `validation` of a task; and `size`,
            the number of sentences or of test rows.
        means: A row for each encoder, test and measure: the number `n` of seeds with a value, their
            `mean`, and the ends `low` and `high` of its 95% t-interval, which one seed does not
            have; `significant`, how many of them have an adjusted p-value below 0.05; and the
            `baseline`.
    """

    rows: "Dataset"
    means: "Dataset"


def evaluate_encoders(
    encoders: Mapping[str, EncoderLike | list[EncoderLike]],
    *,
    tests: Sequence[str] | Mapping[str, Sentences | None] = SENTENCE_TESTS,
    tasks: Sequence[EncoderTask] = (),
    pooling: Pooling = "auto",
    batch_size: int = 32,
    device: str | None = None,
    n_samples: int = 100_000,
    seed: int = 0,
) -> EncoderEvaluation:
    """Compare encoders of sentences: the associations they carry, and what they are good for.

    The associations are those of SEAT: an effect size is positive where the first targets, men's
    names for example, go with the first attributes, such as careers; what counts is the distance
    from 0. C1 and C2 have nothing to do with gender: a correction of gender should leave them. The
    tasks are learnt by linear probes on the vectors as they are.

    Args:
        encoders: Name to a folder, a Hub id, a model with its tokenizer, word vectors or their
            file (a sentence gets the mean of its words' vectors), or a function from a list of
            texts to their vectors; or to a list of such, one for each seed.
        tests: The association tests: names of `weat_tests`, in this package's sentences; or a
            mapping of names to the sentences that `load_seat_sentences` read, as those of the
            published figures.
        tasks: The tasks.
        pooling: How the states of a model become one vector. It is part of the result.
        batch_size: How many texts run at once at most.
        device: Where models run; None: a GPU if there is one.
        n_samples: How many partitions of the targets are compared for a p-value at most.
        seed: Decides which partitions; there is no other chance.

    Returns:
        The table, and its means over the seeds. `evaluation_report` writes it as Markdown and
        `fair_datasets.report.encoder_plot` draws it.

    Raises:
        InputError: There is no encoder, test or task of a name, or one cannot be loaded, which is
            told before any of them runs; or an encoder gives no vector of finite numbers.

    Example:
        >>> words = {"she": [1, 0], "he": [-1, 0], "this": [0, 1], "is": [0, 1]}
        >>> vectors = WordVectors.of(words, list(words.values()))
        >>> found = evaluate_encoders({"words": vectors}, tests=["C6b"])
        >>> found.rows[0]["reason"]
        'the encoder has vectors for 1 of the 8 words of set X, where two are needed'

    Source:
        May et al. (2019), On Measuring Social Biases in Sentence Encoders; Conneau and Kiela
        (2018), SentEval.
    """
    checked = checked_tests(tests, owner=_OWNER)
    _check_tasks(tasks, checked)
    positive_whole_number(n_samples, owner=_OWNER, parameter="n_samples")
    whole_number(seed, owner=_OWNER, parameter="seed", least=0)
    if not checked and not tasks:
        raise InputError(f"{_OWNER}: there is nothing to measure; name a test or give a task.")
    given = [
        (name, number, each)
        for name, several in _by_name(encoders).items()
        for number, each in enumerate(several)
    ]
    settings: Any = {"pooling": pooling, "batch_size": batch_size, "device": device}
    # A wrong name would else be told after the encoders before it have run, and have run in vain.
    for name, _, each in given[1:]:
        open_encoder(each, owner=_owner_of(name), **settings)
    rows = []
    for name, number, each in given:
        encoder = open_encoder(each, owner=_owner_of(name), **settings)
        found = association_rows(encoder, checked, n_samples=n_samples, seed=seed)
        found += [row for task in tasks for row in _task_rows(encoder, task)]
        beside = {"encoder": name, "seed": number, "source": _source(each)}
        rows += [{**beside, **row} for row in found]
    return EncoderEvaluation(_table(rows), means_over_seeds(rows))


def _task_rows(encoder: Encoder, task: EncoderTask) -> list[dict[str, Any]]:
    """Let a probe learn a task on the vectors of an encoder."""
    features, labels = {}, {}
    for split in SPLITS:
        vectors = [encoder.vectors(texts) for texts in task.texts(split)]
        features[split] = (
            vectors[0] if len(vectors) == 1 else pair_features(*vectors, kind=task.kind)
        )
        labels[split] = task.labels(split)
    probe = similarity_probe if task.kind == "similarity" else classification_probe
    result = probe(features, labels)
    validation = None if isnan(result.validation) else result.validation
    return [
        {
            "test": task.name, "kind": "task", "measure": measure, "size": len(labels["test"]),
            "value": None if isnan(value) else value, "baseline": result.baseline[measure],
            "l2": result.l2, "validation": validation,
            "reason": "the probe predicts the same for all rows" if isnan(value) else None,
        }
        for measure, value in result.values.items()
    ]  # fmt: skip


def _table(rows: Sequence[Mapping[str, Any]]) -> "Dataset":
    """Write rows as a dataset, in which what a row does not have is missing."""
    from datasets import Dataset, Features, List, Value

    features = Features(
        {
            "encoder": Value("string"),
            "seed": Value("int64"),
            **dict.fromkeys(("source", "kind", "test", "measure"), Value("string")),
            **dict.fromkeys(_NUMBERS, Value("float64")),
            "size": Value("int64"),
            "left_out": List(Value("string")),
            "reason": Value("string"),
        }
    )
    return Dataset.from_dict(
        {name: [row.get(name) for row in rows] for name in features}, features=features
    )


def _by_name(encoders: Any) -> dict[str, list[EncoderLike]]:
    """Return the encoders of each name, or raise."""
    if not isinstance(encoders, Mapping) or not encoders:
        raise InputError(
            f"{_OWNER}: encoders must map names to folders, Hub ids, word vectors or functions, "
            f"one at least, but it is {encoders!r}."
        )
    for name, given in encoders.items():
        if not isinstance(name, str) or not name.strip():
            raise InputError(
                f"{_OWNER}: an encoder's name must be a text that is not empty, but one is "
                f"{name!r}."
            )
        if given == []:
            raise InputError(f"{_OWNER}: the list of encoders of {name!r} is empty; give some.")
        if isinstance(given, list) and len({_identity(each) for each in given}) < len(given):
            raise InputError(
                f"{_OWNER}: the same encoder is given twice as {name!r}, where several of one name "
                "are seeds of it; give each once."
            )
    return {name: each if isinstance(each, list) else [each] for name, each in encoders.items()}


def _identity(given: Any) -> str | int:
    """Return what two encoders share that are the same: the place, or the object itself."""
    if isinstance(given, str | PathLike):
        name = fspath(given)
        return str(Path(name).resolve()) if is_path(name) else name
    return id(given[0] if isinstance(given, tuple) and given else given)


def _check_tasks(tasks: Any, tests: Iterable[str]) -> None:
    """Raise unless there are tasks of different names, which no test has."""
    if isinstance(tasks, EncoderTask) or not isinstance(tasks, Sequence):
        raise InputError(f"{_OWNER}: tasks must be a list of EncoderTask; put it into brackets.")
    for task in tasks:
        if not isinstance(task, EncoderTask):
            raise InputError(
                f"{_OWNER}: each of tasks must be an EncoderTask, but one is a "
                f"{type(task).__name__}."
            )
        if task.name in {*tests, *weat_tests(), GENDER_MEAN}:
            raise InputError(
                f"{_OWNER}: a task is named {task.name!r}, as an association test is; name it "
                "otherwise."
            )
    names = [task.name for task in tasks]
    if len(set(names)) < len(names):
        raise InputError(
            f"{_OWNER}: the names of tasks must differ, but they are {listed(names)}; name each "
            "otherwise."
        )


def _owner_of(name: str) -> str:
    """Return what an encoder is called in errors."""
    return f"{_OWNER}, encoder {name!r}"


def _source(given: Any) -> str:
    """Say what an encoder was loaded from, without the folders of this machine."""
    if isinstance(given, str | PathLike):
        return without_folders(fspath(given))
    if isinstance(given, WordVectors):
        return without_folders(given.name)
    kind = type(given[0] if isinstance(given, tuple) else given)
    return str(getattr(given, "__name__", kind.__name__))
