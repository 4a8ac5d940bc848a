"""Encoders of sentences compared: the associations they carry, and what they are good for.

Dolci, Azzalini and Tanelli evaluate encoders that were retrained on a corrected corpus by the
association tests of sentences (SEAT) and by linear probes (SentEval); this does both at once.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.cards.markdown import escaped, escaped_rows, report_end
from fair_datasets.cards.report import markdown_table
from fair_datasets.models.word_vectors import WordVectors
from fair_datasets.scores.embeddings import Pooling
from fair_datasets.system.checks import (
    caller_name,
    error_context,
    invalid,
    positive_whole_number,
    whole_number,
)
from fair_datasets.system.portable import is_path, strip_folders
from hub_scripts.encoders.encoder_tasks import (
    GENDER_TESTS,
    RETENTION_TESTS,
    SENTENCE_TESTS,
    SPLITS,
    Encoder,
    EncoderLike,
    EncoderTask,
    Sentences,
    association_rows,
    check_tasks,
    checked_tests,
    open_encoder,
    pair_features,
)

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = [
    "GENDER_TESTS",
    "RETENTION_TESTS",
    "SENTENCE_TESTS",
    "EncoderEvaluation",
    "EncoderTask",
    "evaluate_encoders",
    "evaluation_report",
]

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
        pooling: How the states of a model become one vector. It is part of the result.
        device: Where models run; None: a GPU if there is one.
        n_samples: How many partitions of the targets are compared for a p-value at most.
        seed: Decides which partitions; there is no other chance.

    Returns:
        The table, and its means over the seeds. `evaluation_report` writes it as Markdown and
        `fair_datasets.cards.report.encoder_plot` draws it.

    Raises:
        InputError: There is no encoder, test or task of a name, or one cannot be loaded, which is
            told before any of them runs; or an encoder gives no vector of finite numbers.

    Example:
        >>> words = {"she": [1, 0], "he": [-1, 0], "this": [0, 1], "is": [0, 1]}
        >>> vectors = WordVectors.of(words, list(words.values()))
        >>> found = evaluate_encoders({"words": vectors}, tests=["C6b"])
        >>> found.rows[0]["reason"]
        'the encoder has vectors for 1 of the 8 words of set X, but two are needed'

    Source:
        May et al. (2019), On Measuring Social Biases in Sentence Encoders; Conneau and Kiela
        (2018), SentEval.
    """
    checked = checked_tests(tests)
    check_tasks(tasks, checked)
    positive_whole_number(n_samples, parameter="n_samples")
    whole_number(seed, parameter="seed", least=0)
    if not checked and not tasks:
        raise invalid("there is nothing to measure; name a test or give a task.")
    given = [
        (name, number, each)
        for name, several in _by_name(encoders).items()
        for number, each in enumerate(several)
    ]
    settings: Any = {"pooling": pooling, "batch_size": batch_size, "device": device}
    # A wrong name would else be told after the encoders before it have run, and have run in vain.
    for name, _, each in given[1:]:
        with error_context(f"{caller_name()}, encoder {name!r}"):
            open_encoder(each, **settings)
    rows = []
    for name, number, each in given:
        with error_context(f"{caller_name()}, encoder {name!r}"):
            encoder = open_encoder(each, **settings)
            results = association_rows(encoder, checked, n_samples=n_samples, seed=seed)
            results += [row for task in tasks for row in _task_rows(encoder, task)]
        beside = {"encoder": name, "seed": number, "source": _source(each)}
        rows += [{**beside, **row} for row in results]
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

    text, number = Value("string"), Value("int64")
    features = Features({
        "encoder": text, "seed": number,
        **dict.fromkeys(("source", "kind", "test", "measure"), text),
        **dict.fromkeys(_NUMBERS, Value("float64")),
        "size": number, "left_out": List(text), "reason": text,
    })  # fmt: skip
    columns = {name: [row.get(name) for row in rows] for name in features}
    return Dataset.from_dict(columns, features=features)


def _by_name(encoders: Any) -> dict[str, list[EncoderLike]]:
    if not isinstance(encoders, Mapping) or not encoders:
        raise invalid(
            f"encoders must map names to folders, Hub ids, word vectors or functions, "
            f"one at least, but it is {encoders!r}."
        )
    for name, given in encoders.items():
        if not isinstance(name, str) or not name.strip():
            raise invalid(
                f"an encoder's name must be a text that is not empty, but one is {name!r}."
            )
        if given == []:
            raise invalid(f"the list of encoders of {name!r} is empty; give some.")
        if isinstance(given, list) and len({_identity(each) for each in given}) < len(given):
            raise invalid(
                f"the same encoder is given twice as {name!r}, but encoders of one name "
                "count as different seeds; give each once."
            )
    return {name: each if isinstance(each, list) else [each] for name, each in encoders.items()}


def _identity(given: Any) -> str | int:
    """Return what two encoders share that are the same: the place, or the object itself."""
    if isinstance(given, str | PathLike):
        name = fspath(given)
        return str(Path(name).resolve()) if is_path(name) else name
    return id(given[0] if isinstance(given, tuple) and given else given)


def _source(given: Any) -> str:
    """Return what an encoder was loaded from, without the folders of this machine."""
    if isinstance(given, str | PathLike):
        return strip_folders(fspath(given))
    if isinstance(given, WordVectors):
        return strip_folders(given.name)
    kind = type(given[0] if isinstance(given, tuple) else given)
    return str(getattr(given, "__name__", kind.__name__))


CONFIDENCE = 0.95
LEVEL = 0.05
"""Below which an adjusted p-value counts as significant."""


def t_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the interval of a mean by Student's t distribution; None for fewer than two values.

    It takes the values for draws from a normal distribution: of few seeds it is wide, as little is
    known of them.

    Example:
        >>> [round(end, 3) for end in t_interval([1.0, 2.0, 3.0])]
        [-0.484, 4.484]
    """
    from scipy.stats import t

    if len(values) < 2:
        return None
    half = t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * np.std(values, ddof=1)
    half = float(half / np.sqrt(len(values)))
    mean = float(np.mean(values))
    return mean - half, mean + half


def means_over_seeds(rows: Sequence[Mapping[str, Any]]) -> "Dataset":
    """Return the mean of each test and measure over the encoders of one name."""
    from datasets import Dataset, Features, Value

    share, number = Value("float64"), Value("int64")
    features = Features({
        **dict.fromkeys(("encoder", "kind", "test", "measure"), Value("string")),
        "n": number, **dict.fromkeys(("mean", "low", "high"), share),
        "significant": number, "baseline": share,
    })  # fmt: skip
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        key = tuple(row[name] for name in ("encoder", "kind", "test", "measure"))
        groups.setdefault(key, []).append(row)
    means = [dict(zip(features, (*key, *_summary(group)), strict=True))
             for key, group in groups.items()]  # fmt: skip
    return Dataset.from_list(means, features=features)


def _summary(rows: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    """Return number, mean, interval, how many are significant, and the baseline."""
    values = [row["value"] for row in rows if row["value"] is not None]
    adjusted = [row["p_holm"] for row in rows if row.get("p_holm") is not None]
    return (
        len(values),
        float(np.mean(values)) if values else None,
        *(t_interval(values) or (None, None)),
        sum(p < LEVEL for p in adjusted) if adjusted else None,
        rows[0].get("baseline"),
    )


Features = Mapping[str, NDArray[np.float64]]
"""`train`, `validation` and `test` to their features. Shape (N, d) each."""

L2 = (10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5)
"""The penalties that are tried. Those of SentEval, 1e-2 to 1e-5, are for features as they come."""

LEVELS = 5


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a probe reaches.

    Attributes:
        baseline: The same of the commonest class of the training rows; None where a constant has
            no value, as in correlations.
    """

    values: dict[str, float]
    baseline: dict[str, float | None]
    l2: float
    validation: float


def classification_probe(
    features: Features, labels: Mapping[str, Sequence[Any]], l2: Sequence[float] = L2
) -> ProbeResult:
    """Learn classes by logistic regression.

    Args:
        l2: The penalties to try; of those that are equally good on the validation rows, the first.
            The loss is the mean cross-entropy and l2 / 2 times the sum of the squared weights.

    Returns:
        The `accuracy` on the test rows, and that of the commonest class.

    Source:
        Conneau and Kiela (2018), SentEval.
    """
    names = sorted(set(labels["train"]), key=str)
    classes = {name: number for number, name in enumerate(names)}
    numbers = {
        split: np.array([classes[label] for label in column]) for split, column in labels.items()
    }
    scaled = _scaled(features)
    weights = np.ones(len(numbers["train"]))
    fits = (_fit(scaled["train"], numbers["train"], weights, len(weights), each) for each in l2)
    penalty, validation, best = _best(
        zip(l2, fits, strict=True),
        lambda fit: float((fit.predict(scaled["validation"]) == numbers["validation"]).mean()),
    )
    commonest = Counter(labels["train"]).most_common()
    usual = min((name for name, count in commonest if count == commonest[0][1]), key=str)
    return ProbeResult(
        {"accuracy": float((best.predict(scaled["test"]) == numbers["test"]).mean())},
        {"accuracy": float(np.mean([label == usual for label in labels["test"]]))},
        penalty,
        validation,
    )


def similarity_probe(
    features: Features, scores: Mapping[str, Sequence[float]], l2: Sequence[float] = L2
) -> ProbeResult:
    """Learn scores by a softmax over five levels, whose expectation is the prediction.

    The levels are as far apart as each other, from the lowest to the highest score of the training
    rows. The target of a row is the distribution over the two levels beside its score that has
    the score for expectation, and the loss is the cross-entropy with it.

    Returns:
        `pearson` and `spearman` on the test rows; NaN where all predictions are alike.

    Source:
        Tai, Socher and Manning (2015), section 4.2, for the targets; SentEval fits them by the
        squared error and stops on the validation rows, which depends on a seed.
    """
    from scipy.stats import rankdata

    known = {split: np.array(column, dtype=np.float64) for split, column in scores.items()}
    lowest, highest = known["train"].min(), known["train"].max()
    places = (known["train"] - lowest) / (highest - lowest) * (LEVELS - 1)
    below = np.minimum(np.floor(places).astype(np.int64), LEVELS - 2)
    share = places - below
    weights = np.concatenate([1 - share, share])
    is_there = weights > 0
    levels = np.concatenate([below, below + 1])[is_there]
    scaled = _scaled(features)
    rows = scaled["train"][np.tile(np.arange(len(places)), 2)[is_there]]
    fits = (_fit(rows, levels, weights[is_there], len(places), each) for each in l2)
    penalty, validation, best = _best(
        zip(l2, fits, strict=True),
        lambda fit: _pearson(_expected(fit, scaled["validation"]), known["validation"]),
    )
    predicted = _expected(best, scaled["test"])
    values = {
        "pearson": _pearson(predicted, known["test"]),
        "spearman": _pearson(rankdata(predicted), rankdata(known["test"])),
    }
    return ProbeResult(values, dict.fromkeys(values), penalty, validation)


def _scaled(features: Features) -> dict[str, NDArray[np.float64]]:
    """Bring features to mean 0 and deviation 1 by the training rows."""
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(features["train"])
    return {split: scaler.transform(rows) for split, rows in features.items()}


def _fit(
    rows: NDArray[np.float64],
    classes: NDArray[np.int64],
    weights: NDArray[np.float64],
    count: int,
    l2: float,
) -> Any:
    """Fit a logistic regression, whose penalty is that of the mean over `count` rows."""
    from sklearn.linear_model import LogisticRegression

    # It ends where it has converged, or where SciPy gives up.
    fit = LogisticRegression(C=1 / (l2 * count), max_iter=sys.maxsize)
    return fit.fit(rows, classes, sample_weight=weights)


def _best(fits: Any, judge: Callable[[Any], float]) -> tuple[float, float, Any]:
    """Return the penalty, the value and the fit that is judged best; the first of several."""
    candidates = [(penalty, judge(fit), fit) for penalty, fit in fits]
    # Where all predictions are alike, there is no correlation to judge by.
    return max(candidates, key=lambda each: -np.inf if np.isnan(each[1]) else each[1])


def _expected(fit: Any, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    expected: NDArray[np.float64] = fit.predict_proba(rows) @ fit.classes_
    return expected


def _pearson(predicted: NDArray[np.float64], known: NDArray[np.float64]) -> float:
    """Return Pearson's correlation; NaN where one of them does not vary."""
    if np.ptp(predicted) == 0 or np.ptp(known) == 0:
        return float("nan")
    return float(np.corrcoef(predicted, known)[0, 1])


LEGEND = """\
Means over n encoders of one name; where there are several, in brackets the 95% t-interval."""

ASSOCIATIONS = """\
Effect sizes of SEAT, between -2 and 2 where both sets of targets are of one size. Positive: the
first targets (in C6 to C8: men, careers, mathematics, science) go with the first attributes; what
counts is the distance from 0, and below 0 is not better than 0. * in all n encoders the one-sided
p-value is below 0.05, adjusted by Holm's method over the tests of one encoder. C1 and C2 have
nothing to do with gender: a correction should leave them. The gender mean is that of the gender
tests among these, signed. Each word stands in several sentences, which are not independent: the
p-values are too small. The tests depend on their words and sentences; no star is no proof that
there is no bias, and a small effect says nothing of how a system treats people."""

TASKS = """\
Linear probes on the vectors as they are, measured on the test rows; the penalty was chosen on the
validation rows. The baseline of accuracy is the commonest class of the training rows; a constant
has no correlation."""


def comparison_rows(evaluation: EncoderEvaluation, kind: str) -> list[dict[str, str]]:
    """Return one row for each test and measure, with the encoders beside each other."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    means = [row for row in evaluation.means if row["kind"] == kind]
    seeds = {row["encoder"]: row["seed"] + 1 for row in evaluation.rows}
    for mean in means:
        test, measure = mean["test"], mean["measure"]
        row = rows.setdefault((test, measure), {"test": test})
        if kind == "task":
            row |= {"measure": measure, "baseline": _number(mean["baseline"])}
        row[f"{mean['encoder']}, n = {seeds[mean['encoder']]}"] = _cell(
            mean, seeds[mean["encoder"]]
        )
    return list(rows.values())


def missing_lines(evaluation: EncoderEvaluation) -> list[str]:
    """Return which values are missing and why, and which words were left out."""
    of: dict[tuple[str, str], dict[str, None]] = {}
    for row in evaluation.rows:
        if row["reason"]:
            note = f"no value, as {row['reason']}"
        elif row["left_out"]:
            note = f"without a vector, left out: {', '.join(row['left_out'])}"
        else:
            continue
        of.setdefault((row["test"], note), {})[row["encoder"]] = None
    every = len({row["encoder"] for row in evaluation.rows})
    return [
        f"{'all encoders' if 1 < len(names) == every else ', '.join(names)}, {test}: {note}."
        for (test, note), names in of.items()
    ]


def evaluation_report(
    evaluation: EncoderEvaluation,
    *,
    title: str = "Encoders of sentences",
    command: str | None = None,
    picture: str | None = None,
) -> str:
    """Write an evaluation as Markdown.

    Example:
        >>> from hub_scripts.encoders import evaluate_encoders
        >>> letters = lambda texts: [[text.count(letter) for letter in "aehn"] for text in texts]
        >>> print(evaluation_report(evaluate_encoders({"letters": letters}, tests=["C6"])))
        # Encoders of sentences
        <BLANKLINE>
        Means over n ...
    """
    parts = [f"# {escaped(title)}", LEGEND]
    if picture:
        parts.append(f"![Effect sizes and probes of each encoder]({picture})")
    for kind, heading, legend in (
        ("association", "Associations", ASSOCIATIONS), ("task", "Tasks", TASKS),
    ):  # fmt: skip
        rows = comparison_rows(evaluation, kind)
        if rows:
            parts += [f"## {heading}", markdown_table(escaped_rows(rows)), legend]
    parts += report_end("What is missing", missing_lines(evaluation), command)
    return "\n\n".join(parts) + "\n"


def plain_evaluation(evaluation: EncoderEvaluation) -> dict[str, list[dict[str, Any]]]:
    """Write an evaluation as data for JSON."""
    return {"rows": evaluation.rows.to_list(), "means": evaluation.means.to_list()}


def _cell(mean: dict[str, Any], seeds: int) -> str:
    """Write a mean, with its interval and how many values it is of if some are missing."""
    if not mean["n"]:
        return _number(None)
    parts: Sequence[str] = [_number(mean["mean"])]
    if mean["significant"] == mean["n"]:
        parts = [f"{parts[0]}*"]
    if mean["low"] is not None:
        parts = [*parts, f"[{mean['low']:.3f}, {mean['high']:.3f}]"]
    if mean["n"] < seeds:
        parts = [*parts, f"(n = {mean['n']})"]
    return " ".join(parts)


def _number(value: float | None) -> str:
    """Write a number, or a dash where there is none."""
    return "-" if value is None else f"{value:.3f}"
