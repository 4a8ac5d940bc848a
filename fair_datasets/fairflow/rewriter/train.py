"""Training FairFlow's rewriter, from texts to a folder with a model of counterfactuals."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.fairflow.rewriter.card import fairflow_card
from fair_datasets.fairflow.rewriter.config import FairFlowRewriterConfig
from fair_datasets.fairflow.rewriter.dictionary import Dictionary, corpus_key, find_words
from fair_datasets.rewriter_training.generator.train import TrainedGenerator, opened
from fair_datasets.rewriter_training.work import note_file
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_OWNER = "train_fairflow"


@dataclass(frozen=True)
class TrainedFairFlow(TrainedGenerator):
    """A generator of counterfactuals that FairFlow trained.

    Attributes:
        dictionary: The files of the words that were found; None where they were listed.
    """

    dictionary: Dictionary | None


def train_fairflow(
    config: FairFlowRewriterConfig,
    dataset: "Dataset",
    *,
    corpus: "Dataset | None" = None,
    source: str = "",
    command: str = "",
) -> TrainedFairFlow:
    """Train a model to write the counterfactuals of texts, on corrected swaps of words it found.

    The words and their counterparts are found in texts, from a pair of them; the swap by them
    writes counterfactuals, a detector masks what is wrong in these, and an infiller fills the
    masks. On the pairs of texts a generator is trained. It is asked by
    `ModelRewrite(control="plain")`, with the words as its `axis`.

    Rows are split by text. Each step is kept in `<out>.work`, whole or not at all, and the
    trainings keep checkpoints there; the same call goes on from the last. In the end that folder is
    removed; the words lie beside the model, in `<out>.tsv`, and with votes and examples in
    `<out>.review.csv`, for people.

    Args:
        config: The settings.
        dataset: The rows, with a column of texts and one of their attribute.
        corpus: The texts in which the words are found; None for the training rows.
        source: What the rows are, for the card.
        command: The command that trains it again, for the card.

    Returns:
        Where the model is, and how well it does on the test texts.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no words are
            found, no pair is left, the folder holds something already, or the work folder is of
            other settings or rows.

    Source:
        Tokpo and Calders (2024), "FairFlow: An Automated Approach to Model-based Counterfactual
        Data Augmentation for NLP".
    """
    out = Path(config.out)
    if corpus is not None and config.dictionary is None:
        raise InputError(
            f"{_OWNER}: corpus holds the texts in which words are found, but the settings have no "
            "dictionary; leave it out."
        )
    files = None if config.dictionary is None else Dictionary.beside(out)
    key = corpus_key(config.dictionary, corpus)
    with opened(config, dataset, made=files or (), key=key, owner=_OWNER) as training:
        if config.dictionary is not None and files is not None:
            kept = Dictionary.beside(training.work / "words")
            find_words(config.dictionary, training.splits["train"], corpus, kept)
            training = training.by(_by(config, kept))
        pairs = training.pairs()
        found = training.trained(training.start(), pairs)
        result = TrainedFairFlow(**vars(found), dictionary=files)
        if files is not None:
            for file in files:
                note_file(training.work, file)
            files.save(kept.found())
        training.finish(fairflow_card(result, config, source=source, command=command))
    return result


def _by(config: FairFlowRewriterConfig, files: Dictionary) -> FairFlowRewriterConfig:
    """Return the settings of a training whose words lie in a file."""
    parallel = replace(config.parallel, axis=str(files.lexicon))
    return replace(config, parallel=parallel, dictionary=None)
