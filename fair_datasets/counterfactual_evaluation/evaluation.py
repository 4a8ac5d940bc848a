"""What versions of a corpus are worth, in one table."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from fair_datasets.counterfactual_evaluation.associations import (
    WordAssociation,
    association_rows,
    refuse_missing_words,
)
from fair_datasets.counterfactual_evaluation.corpus import (
    OWNER,
    read_corpus,
    read_groups,
    read_labels,
)
from fair_datasets.counterfactual_evaluation.tables import means_over_seeds, row_table
from fair_datasets.counterfactual_evaluation.texts import (
    open_classifier,
    perplexity_rows,
    transfer_rows,
)
from fair_datasets.counterfactual_evaluation.trained import JudgedRows, classifier_rows
from fair_datasets.scores.models import ModelLike
from fair_datasets.selection.probe_trainer import ProbeTrainer
from fair_datasets.selection.trainers import Predict, Trainer
from fair_datasets.system.checks import InputError, positive_whole_number
from fair_datasets.system.extras import require

if TYPE_CHECKING:
    from datasets import Dataset

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
        column: The column of the texts.
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
        seeds: The seeds of the trainings.
        batch_size: How many texts a model reads at once at most.

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
    positive_whole_number(batch_size, owner=OWNER, parameter="batch_size")
    if all(given is None for given in (causal, classifier, test, association)):
        raise InputError(
            f"{OWNER}: there is nothing to measure; give causal, classifier, test or association."
        )
    reader = judged = None
    if association is not None:
        require("gensim", owner=OWNER)
        refuse_missing_words(corpus, association)
    if test is not None:
        read_labels(originals, label, owner=OWNER)
        judged = JudgedRows.read(test, column, label, group, order)
    if classifier is not None:
        groups = read_groups(originals, group, owner=OWNER)
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
