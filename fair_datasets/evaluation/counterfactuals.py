"""Counterfactual versions of one corpus beside each other: what each is worth.

Tokpo and Calders compare rewriters by how fluent their texts are, how often they change the gender
that a classifier reads, and what becomes of a classifier and of word vectors that are trained on
them; this does all of it in one table.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.cards.markdown import escaped, escaped_rows, report_end
from fair_datasets.cards.report import markdown_table
from fair_datasets.evaluation.trained import (
    CAREERS,
    PLEASANTNESS,
    JudgedRows,
    WordAssociation,
    association_rows,
    classifier_rows,
    refuse_missing_words,
)
from fair_datasets.evaluation.versions import (
    Corpus,
    is_blank,
    read_corpus,
    read_groups,
    read_labels,
)
from fair_datasets.measures.rewrites import perplexity, transfer_accuracy
from fair_datasets.scores.importance import softmax
from fair_datasets.scores.likelihoods import causal_losses
from fair_datasets.scores.models import ModelLike
from fair_datasets.scores.probes import load_probe
from fair_datasets.scores.probes.probe import InferenceOptions
from fair_datasets.scores.probes.train import Predict, ProbeTrainer, Trainer, probabilities_of
from fair_datasets.system.checks import (
    caller_name,
    error_context,
    format_choices,
    invalid,
    positive_whole_number,
    require,
    with_article,
)

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = [
    "CAREERS",
    "PLEASANTNESS",
    "CounterfactualEvaluation",
    "WordAssociation",
    "counterfactual_report",
    "evaluate_counterfactuals",
    "plain_counterfactuals",
]

Version = Sequence[str] | Sequence[Sequence[str]]
"""A text for each original; or a list of such lists, one for each seed."""


@dataclass(frozen=True)
class CounterfactualEvaluation:
    """What `evaluate_counterfactuals` found.

    Attributes:
        rows: A row for each version, seed and measure: `version`, of which the first is
            `original`; `seed`; `measure` with its `value`, which is missing where `reason` says
            why; `p_value` of an effect size; `size`, how many texts, test rows or words it is of;
            `skipped`, how many texts were too short for it; and the words `left_out`.
        means: A row for each version and measure: the number `n` of seeds with a value, their
            `mean`, and their standard deviation `sd` (`ddof=1`), which one seed does not have.
        order: The two groups of the rate differences: the first less the second.
    """

    rows: "Dataset"
    means: "Dataset"
    order: tuple[Hashable, Hashable] | None


def evaluate_counterfactuals(
    originals: "Dataset",
    versions: Mapping[str, Version],
    *,
    column: str = "text",
    label: str = "label",
    group: str = "gender",
    causal: ModelLike | None = None,
    classifier: str | PathLike[str] | Predict | None = None,
    classes: Sequence[Hashable] | None = None,
    test: "Dataset | None" = None,
    trainer: Trainer | None = None,
    order: Sequence[Hashable] | None = None,
    association: WordAssociation | None = None,
    in_place: Collection[str] = (),
    seeds: Sequence[int] = (0,),
    batch_size: int = 32,
) -> CounterfactualEvaluation:
    """Compare versions of a corpus: how fluent they are, what they change, and what they teach.

    Four measures, each taken where it is given what it needs. Two are of the rewritten texts alone:
    the perplexity that a language model gives them (`causal`), and transfer accuracy, how often a
    classifier of the groups no longer reads the original's (`classifier`). Two are of what is
    trained on originals and rewritten texts together: the rate differences, accuracy and F1 of a
    classifier of the labels on original rows (`test`), and the association of words in word2vec
    (`association`). The same of the originals stands in the first row of the table; there transfer
    accuracy is the error of the classifier of the groups.

    Args:
        originals: The texts with their labels, 0 or 1, and their groups.
        versions: Name to the text of each row of `originals`, in their order, as a list or a column
            of a dataset. A list of such lists has one for each of `seeds`.
        label: The column of what the trained classifier predicts; 1 is what counts as positive.
        group: The column of the groups, two of them.
        causal: A causal language model: a Hub id, a folder, or a model with its tokenizer. Texts
            are cut to 200 tokens.
        classifier: What reads the group of a text: the folder or Hub id of a classifier that
            `load_probe` takes, or a function of rows of texts to probabilities. Train it on other
            texts than a rewriter or its filter.
        classes: The groups in the order of the classifier's classes; None where `group` holds the
            numbers of its classes, or its own names of them, which a function and a linear probe do
            not have. The order of a `ClassLabel` says nothing of that of the classifier.
        test: Rows with the same columns that no version was made of. They are read as they are.
        trainer: What trains the classifier of labels; None: a linear probe.
        order: The two groups of the rate differences, the second of which is subtracted; None: as
            they sort.
        association: The words, and how word2vec is trained; needs gensim.
        in_place: The names of versions that stand in place of the originals, as substitution (CDS)
            does: what is trained on them is not trained on the originals.

    Returns:
        The table, and its means over the seeds. `counterfactual_report` writes it as Markdown.

    Raises:
        InputError: A version does not have one text for each original, a column or a word is
            missing, a group or a class does not occur, or there is nothing to measure. All of it is
            told before any model runs.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He is a nurse.", "She is bold."] * 4,
        ...     "label": [1, 0] * 4, "gender": ["man", "woman"] * 4})
        >>> other = ["She is a nurse.", "He is bold."] * 4
        >>> reads = lambda rows: [[0.1, 0.9] if "He" in text else [0.9, 0.1] for text, in rows]
        >>> found = evaluate_counterfactuals(rows, {"swapped": other}, classifier=reads,
        ...     classes=["woman", "man"])
        >>> [(row["version"], row["measure"], round(row["value"], 2)) for row in found.rows][:2]
        [('original', 'transfer accuracy', 0.0), ('original', 'mean other probability', 0.1)]

    Source:
        Tokpo and Calders (2023), Model-Based Counterfactual Generator for Gender Bias Mitigation,
        section 4; the same figures are those of FairFlow (2024), Tables 2 to 4.
    """
    corpus = read_corpus(originals, versions, column=column, in_place=in_place, seeds=seeds)
    positive_whole_number(batch_size, parameter="batch_size")
    if all(given is None for given in (causal, classifier, test, association)):
        raise invalid("there is nothing to measure; give causal, classifier, test or association.")
    reader = judged = None
    if association is not None:
        require("gensim")
        refuse_missing_words(corpus, association)
    if test is not None:
        read_labels(originals, label)
        with error_context(f"{caller_name()}, test"):
            judged = JudgedRows.read(test, column, label, group, order)
    if classifier is not None:
        groups = read_groups(originals, group)
        reader = open_classifier(classifier, classes, groups, column=group, batch_size=batch_size)
    rows = []
    if causal is not None:
        rows += perplexity_rows(corpus, causal, batch_size=batch_size)
    if reader is not None:
        rows += transfer_rows(corpus, reader)
    if judged is not None:
        trainer = trainer or ProbeTrainer(columns=(column,), label=label)
        rows += classifier_rows(corpus, originals, column, label, judged, trainer)
    if association is not None:
        rows += association_rows(corpus, association)
    table = row_table(rows, list(corpus.versions))
    order_used = None if judged is None else judged.order
    return CounterfactualEvaluation(table, means_over_seeds(table), order_used)


def row_table(rows: Sequence[Mapping[str, Any]], versions: Sequence[str]) -> "Dataset":
    """Write rows as a dataset, the versions in their order."""
    from datasets import Dataset, Features, List, Value

    text, number, share = Value("string"), Value("int64"), Value("float64")
    features = Features({
        "version": text, "seed": number, "measure": text, "value": share, "p_value": share,
        "size": number, "skipped": number, "left_out": List(text), "reason": text,
    })  # fmt: skip
    ordered = sorted(rows, key=lambda row: list(versions).index(row["version"]))
    records = [{**dict.fromkeys(features), **row, **_missing_reason(row)} for row in ordered]
    return Dataset.from_list(records, features=features)


def means_over_seeds(rows: "Dataset") -> "Dataset":
    """Return the mean of each version and measure over its seeds."""
    from datasets import Dataset, Features, Value

    kinds = {"version": "string", "measure": "string", "n": "int64", "mean": "float64"}
    features = Features({name: Value(kind) for name, kind in {**kinds, "sd": "float64"}.items()})
    groups: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        values = groups.setdefault((row["version"], row["measure"]), [])
        if row["value"] is not None:
            values.append(row["value"])
    means = [
        (*key, len(values), float(np.mean(values)) if values else None,
         float(np.std(values, ddof=1)) if len(values) > 1 else None)
        for key, values in groups.items()
    ]  # fmt: skip
    return Dataset.from_list(
        [dict(zip(features, row, strict=True)) for row in means], features=features
    )


def _missing_reason(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return why a row has no value, if it has none."""
    if not isnan(row["value"]):
        return {}
    if row["measure"].startswith("effect size"):
        reason = "all targets have the same association"
    else:
        reason = "no text is long enough"
    return {"value": None, "reason": reason}


Row = dict[str, Any]


@dataclass(frozen=True)
class GroupClassifier:
    """What reads the group of a text."""

    predict: Predict
    places: NDArray[np.intp]


def open_classifier(
    given: Any,
    classes: Sequence[Hashable] | None,
    groups: Sequence[Hashable],
    *,
    column: str,
    batch_size: int,
) -> GroupClassifier:
    """Load the classifier of groups, and find the class of each."""
    if isinstance(given, str | PathLike):
        probe = load_probe(given)
        if probe.classes != 2:
            raise invalid(f"the classifier must have two classes, but it has {probe.classes}.")
        own = probe.loaded.model.config.id2label if hasattr(probe, "loaded") else {}
        names = tuple(str(own.get(number, number)) for number in range(2))
        reading = InferenceOptions(batch_size)

        def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
            return softmax(probe.logits(rows, reading))

        return GroupClassifier(predict, _places(groups, classes, names, column))
    if not callable(given):
        raise invalid(
            f"classifier must be a folder, a Hub id or a function of rows of texts, but "
            f"it is {with_article(type(given).__name__)}."
        )
    return GroupClassifier(given, _places(groups, classes, ("0", "1"), column))


def _places(
    groups: Sequence[Hashable],
    classes: Sequence[Hashable] | None,
    names: tuple[str, ...],
    column: str,
) -> NDArray[np.intp]:
    """Return the class of each group: as the user named them, or by number or the classes' names.

    The order of a `ClassLabel` is that of its dataset, which need not be the classifier's.
    """
    if classes is not None:
        is_pair = isinstance(classes, Sequence) and not isinstance(classes, str)
        if not is_pair or len(classes) != 2 or classes[0] == classes[1]:
            raise invalid(
                f"classes must name the two groups in the order of the classifier's "
                f"classes, but it is {classes!r}."
            )
        named = tuple(classes)
    places = []
    for row, value in enumerate(groups):
        is_number = isinstance(value, int) and not isinstance(value, bool)
        order = named if classes is not None else (0, 1) if is_number else names
        if order.count(value) != 1:  # Two classes may have one name.
            raise invalid(
                f"row {row} of column {column!r} holds {value!r}, but the classes of the "
                f"classifier are {format_choices(map(str, order))}; give the groups in that order "
                "as classes, and drop rows of other groups."
            )
        places.append(order.index(value))
    return np.array(places, dtype=np.intp)


def perplexity_rows(corpus: Corpus, model: ModelLike, *, batch_size: int) -> list[Row]:
    """Return the perplexity of each version."""
    losses = _of_each_text(
        corpus, lambda texts: causal_losses({"texts": texts}, model, batch_size=batch_size)[0]
    )
    rows = []
    for version, seed, texts in corpus.lists():
        result = perplexity([losses[text] for text in texts], undefined="nan")
        rows.append({
            "version": version, "seed": seed, "measure": "perplexity", "value": result.perplexity,
            "size": result.texts, "skipped": result.skipped,
        })  # fmt: skip
    return rows


def transfer_rows(corpus: Corpus, classifier: GroupClassifier) -> list[Row]:
    """Return how often each version is read as another group than its originals are of."""
    by_text = _of_each_text(
        corpus,
        lambda texts: probabilities_of(
            classifier.predict, [(text,) for text in texts], what="the classifier"
        ),
    )
    rows = []
    for version, seed, texts in corpus.lists():
        selected = [row for row, text in enumerate(texts) if not is_blank(text)]
        result = transfer_accuracy(
            [by_text[texts[row]][classifier.places[row]] for row in selected]
        )
        beside = {"version": version, "seed": seed, "size": result.texts,
                  "skipped": len(texts) - result.texts}  # fmt: skip
        for measure, value in (
            ("transfer accuracy", result.transfer_accuracy),
            ("mean other probability", result.mean_other_probability),
        ):
            rows.append({**beside, "measure": measure, "value": value})
    return rows


def _of_each_text(corpus: Corpus, read: Callable[[list[str]], Any]) -> dict[str, Any]:
    """Read each text once, though it stands in several versions."""
    texts = list(dict.fromkeys(text for _, _, some in corpus.lists() for text in some))
    texts = [text for text in texts if not is_blank(text)]
    by_text = dict(zip(texts, read(texts), strict=True)) if texts else {}
    return {text: by_text.get(text) for _, _, some in corpus.lists() for text in some}


_HEADINGS = {
    "perplexity": "perplexity",
    "transfer accuracy": "transfer %",
    "mean other probability": "other group",
    "true positive rate difference": "TPRD",
    "absolute true positive rate difference": "size of TPRD",
    "false positive rate difference": "FPRD",
    "absolute false positive rate difference": "size of FPRD",
    "accuracy": "accuracy",
    "F1": "F1",
}
LEGEND = """\
Means over seeds, with the standard deviation behind ± where there are several. Perplexity and
transfer are of the rewritten texts alone, everything else of what is trained on originals and
rewritten texts together (on a version in place of the originals: on that alone)."""
TEXTS = """\
Perplexity: the exponential of the mean over texts of their loss per token; lower is more fluent to
that language model. Transfer: how many texts a classifier reads as another group than that of their
originals, in percent, and beside it the mean probability of the other group; the originals' own
value is the error of that classifier."""
RATES = """\
TPRD and FPRD: the true and the false positive rate of {first} less those of {second}; what counts
is the distance from 0, whose mean stands beside, and below 0 is not better than 0."""
WORDS = """\
WEAT: the sum of the associations of the first targets less that of the second, and its effect size
(between -2 and 2 where both sets are of one size), at the size of the word2vec vectors behind it;
what counts is the distance from 0.
The test depends on its words, and vectors of a small corpus follow chance more than words: compare
the differences between versions with those between seeds."""


def comparison_rows(evaluation: CounterfactualEvaluation, *, words: bool) -> list[dict[str, str]]:
    """Return one row for each version, with the measures beside each other."""
    rows: dict[str, dict[str, str]] = {}
    for mean in evaluation.means:
        if (mean["measure"] not in _HEADINGS) is words:
            row = rows.setdefault(mean["version"], {"version": mean["version"]})
            row[_HEADINGS.get(mean["measure"], mean["measure"])] = _cell(mean)
    return list(rows.values())


def note_lines(evaluation: CounterfactualEvaluation) -> list[str]:
    """Return which values are missing and why, which texts were skipped, and words left out."""
    of: dict[str, dict[str, None]] = {}
    for row in evaluation.rows:
        notes = []
        if row["reason"]:
            notes.append(f"no {row['measure']}, as {row['reason']}")
        if row["skipped"]:
            what = row["measure"] if row["measure"] == "perplexity" else "all else"
            notes.append(f"{row['skipped']:,} texts too short for {what} were skipped")
        if row["left_out"]:
            notes.append(f"too rare for a vector, left out: {', '.join(row['left_out'])}")
        for each in notes:
            of.setdefault(each, {})[row["version"]] = None
    return [f"{', '.join(versions)}: {notes}." for notes, versions in of.items()]


def counterfactual_report(
    evaluation: CounterfactualEvaluation,
    *,
    title: str = "Versions of a corpus",
    command: str | None = None,
) -> str:
    """Write an evaluation as Markdown.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets.evaluation.counterfactuals import evaluate_counterfactuals
        >>> rows = Dataset.from_dict({"text": ["He ran."], "gender": [1]})
        >>> reads = lambda rows: [[0.25, 0.75] if "He" in text else [0.75, 0.25] for text, in rows]
        >>> found = evaluate_counterfactuals(rows, {"swap": ["She ran."]}, classifier=reads)
        >>> print(counterfactual_report(found))
        # Versions of a corpus
        <BLANKLINE>
        Means over seeds, ...
        | version | transfer % | other group |
        | --- | --- | --- |
        | original | 0.000 | 0.250 |
        | swap | 100.000 | 0.750 |
        ...
    """
    parts = [f"# {escaped(title)}", LEGEND]
    for words, legend in ((False, TEXTS), (True, WORDS)):
        rows = comparison_rows(evaluation, words=words)
        if rows:
            parts += [markdown_table(escaped_rows(rows)), legend]
        if not words and evaluation.order:
            first, second = (escaped(repr(name)) for name in evaluation.order)
            parts.append(RATES.format(first=first, second=second))
    parts += report_end("What is left out", note_lines(evaluation), command)
    return "\n\n".join(parts) + "\n"


def plain_counterfactuals(evaluation: CounterfactualEvaluation) -> dict[str, Any]:
    """Write an evaluation as data for JSON.

    Returns:
        `rows` and `means`, each a list of objects, and the `order` of the two groups.
    """
    order: Sequence[Any] | None = evaluation.order
    return {
        "rows": evaluation.rows.to_list(),
        "means": evaluation.means.to_list(),
        "order": None if order is None else list(order),
    }


def _cell(mean: Mapping[str, Any]) -> str:
    """Write a mean with its deviation, or a dash where there is none."""
    if mean["mean"] is None:
        return "-"
    beside = "" if mean["sd"] is None else f" ± {mean['sd']:.3f}"
    return f"{mean['mean']:.3f}{beside}"
