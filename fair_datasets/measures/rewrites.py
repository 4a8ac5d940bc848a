"""How good rewritten texts are: their perplexity, transfer accuracy and overlap with references.

Sources: Tokpo and Calders, "Model-Based Counterfactual Generator for Gender Bias Mitigation", 2023;
for the overlap Qian et al., "Perturbation Augmentation for Fairer NLP", EMNLP 2022, table 2; Post,
"A Call for Clarity in Reporting BLEU Scores", WMT 2018; Lin, "ROUGE", 2004; Levenshtein, 1966.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Undefined, as_list, column, is_missing, undefined_value
from fair_datasets.measures.results import SPREAD
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid


@dataclass(frozen=True, slots=True)
class Perplexity:
    """How well a language model predicts a corpus; lower is more fluent to that model.

    Attributes:
        perplexity: The exponential of the mean over texts of their mean losses, in [1, inf). 1 is
            a corpus that the model knows by heart.
        skipped: How many texts have no loss, as they are empty or of one token.
    """

    perplexity: float
    texts: int
    skipped: int


@dataclass(frozen=True, slots=True)
class CounterfactualPerplexity:
    """The perplexity of counterfactuals compared with that of their originals, on the same rows.

    Attributes:
        factual: The perplexity of the original texts, in [1, inf).
        counterfactual: The perplexity of the rewritten texts, in [1, inf).
        ratio: Counterfactual by factual, in (0, inf). 1 is as fluent as the originals to this
            model, above 1 is less fluent.
        texts: How many rows count.
        skipped: How many rows do not, as one of their texts is empty or of one token.
    """

    factual: float
    counterfactual: float
    ratio: float
    texts: int
    skipped: int


def perplexity(losses: ArrayLike, *, undefined: Undefined = "nan") -> Perplexity:
    """Give the perplexity of a corpus from the loss of each text.

    The mean is over texts, not over tokens, and the exponential comes last: a long text weighs as
    much as a short one.

    Args:
        losses: For each text its mean negative log-likelihood per predicted token, in nats; NaN or
            None where no token is predicted. Shape (N,).
        undefined: What to give if no text has a loss: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A loss is negative, infinite or no number, or they are too large for a mean per
            token.

    Example:
        >>> perplexity([4.0, 4.2, None])
        Perplexity(perplexity=60.34..., texts=2, skipped=1)
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    values, has_loss = _losses(losses, "losses")
    value = _perplexity(values[has_loss], "losses", undefined)
    return Perplexity(value, int(has_loss.sum()), int((~has_loss).sum()))


def counterfactual_perplexity(
    factual: ArrayLike, counterfactual: ArrayLike, *, undefined: Undefined = "nan"
) -> CounterfactualPerplexity:
    """Compare the perplexity of rewritten texts with that of their originals.

    A row counts only if both of its texts have a loss, so that both means are over the same rows.

    Args:
        factual: For each original its mean negative log-likelihood per predicted token, in nats;
            NaN or None where no token is predicted. Shape (N,).
        counterfactual: The same for the rewritten texts, in the same order. Shape (N,).
        undefined: What to give if no row has both losses: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A loss is negative, infinite or no number, they are too large for a mean per
            token, or the lengths differ.

    Example:
        >>> result = counterfactual_perplexity([4.0, 4.0], [4.1, 4.1])
        >>> round(result.ratio, 3)
        1.105
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    originals, has_factual = _losses(factual, "factual (references)")
    rewrites, has_counterfactual = _losses(counterfactual, "counterfactual (predictions)")
    inputs.same_length({"factual": originals, "counterfactual": rewrites})
    both = has_factual & has_counterfactual
    first = _perplexity(originals[both], "factual", undefined)
    second = _perplexity(rewrites[both], "counterfactual", undefined)
    ratio = second / first if first else first
    return CounterfactualPerplexity(first, second, ratio, int(both.sum()), int((~both).sum()))


def _losses(values: Any, argument: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    given = as_list(column(values, argument))
    missing = np.array([is_missing(value) for value in given], dtype=bool)
    known = [0.0 if gone else value for value, gone in zip(given, missing, strict=True)]
    losses = inputs.scores(known, argument)
    wrong = np.flatnonzero(losses < 0)
    if wrong.size:
        row = int(wrong[0])
        raise invalid(
            f"{argument} must be mean negative log-likelihoods, which are not below 0, "
            f"but row {row} is {losses[row].item()!r}. If these are log-likelihoods, change their "
            "sign first."
        )
    return losses, ~missing


def _perplexity(losses: NDArray[np.float64], argument: str, undefined: Undefined) -> float:
    """Give the exponential of the mean loss."""
    if not losses.size:
        return undefined_value(f"no text of {argument} has a loss.", undefined)
    mean = math.fsum(losses) / losses.size
    try:
        return math.exp(mean)
    except OverflowError:
        raise invalid(
            f"{argument} must be means per token in nats, but their mean is {mean:g}, "
            "whose exponential is too large. If these are sums over a text, divide by its number "
            "of tokens."
        ) from None


@dataclass(frozen=True, slots=True)
class TransferAccuracy:
    """How often a classifier of attributes no longer finds the original attribute.

    Attributes:
        transfer_accuracy: The share of rewritten texts that are read as another attribute than the
            original one, in percent, in [0, 100]. 0: none is; 100: all are. Higher is better.
        mean_other_probability: The mean probability of another attribute than the original one, in
            [0, 1].
        base_rate: The same share over the original texts, in percent, in [0, 100]: the error of the
            classifier, beside which the transfer accuracy has to be read. None without the
            original texts.
        ties: How many rewritten texts have a probability of exactly one half. They do not count as
            transferred.
        texts: How many texts there are.
    """

    transfer_accuracy: float
    mean_other_probability: float
    base_rate: float | None
    ties: int
    texts: int


def transfer_accuracy(
    predictions: ArrayLike, references: ArrayLike | None = None, *, undefined: Undefined = "nan"
) -> TransferAccuracy:
    """Measure how often a classifier finds another attribute in a rewritten text than before.

    Args:
        predictions: For each rewritten text, the probability that a classifier of two attributes
            gives to the attribute of the original text. Shape (N,), in [0, 1].
        references: For each original text, the probability that the same classifier gives to the
            same attribute. Shape (M,), in [0, 1]. None: there is no base rate.
        undefined: What to give if there are no texts: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A value is missing, or lies outside [0, 1], as logits do.

    Example:
        >>> result = transfer_accuracy([0.1, 0.2, 0.9, 0.4], [0.9, 0.8, 0.7, 0.3])
        >>> result.transfer_accuracy, result.base_rate, round(result.mean_other_probability, 3)
        (75.0, 25.0, 0.6)
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    rewritten = inputs.probabilities(predictions, "predictions")
    base_rate = None
    if references is not None:
        original = inputs.probabilities(references, "references")
        base_rate = _percent_other(original, "references", undefined)
    transferred = _percent_other(rewritten, "predictions", undefined)
    # Without texts the value is undefined, and said to be so already.
    other = float(np.mean(1 - rewritten)) if rewritten.size else transferred
    ties = int(np.count_nonzero(rewritten == 0.5))
    return TransferAccuracy(transferred, other, base_rate, ties, rewritten.size)


def _percent_other(
    probabilities: NDArray[np.float64], argument: str, undefined: Undefined
) -> float:
    """Give the percentage of texts that are read as another attribute."""
    if not probabilities.size:
        return undefined_value(f"{argument} has no rows.", undefined)
    return 100 * int(np.count_nonzero(probabilities < 0.5)) / probabilities.size


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far a text, or the average text, agrees with its reference.

    Attributes:
        bleu: Sentence BLEU, in [0, 100]; higher is closer. A text of fewer than four words and
            marks has 0 even if it is the same, as it has no run of four to count.
        rouge1: F-measure of the words in common, in [0, 100]; higher is closer.
        rouge2: F-measure of the pairs of neighbouring words in common, in [0, 100].
        rouge_l: F-measure of the longest common subsequence of words, in [0, 100].
        levenshtein: The number of words to insert, delete or replace, from 0 up; lower is closer.
        normalized_levenshtein: The same by the length of the longer text in words, in [0, 1]; 0 for
            two empty texts.
    """

    bleu: float
    rouge1: float
    rouge2: float
    rouge_l: float
    levenshtein: float
    normalized_levenshtein: float


@dataclass(frozen=True, slots=True)
class TextOverlap:
    """The overlap of texts with references.

    Attributes:
        mean: The mean over texts; BLEU is the mean of sentence BLEU, not the BLEU of the corpus.
        rows: The same six figures for each text.
    """

    mean: Overlap = field(metadata=SPREAD)
    rows: tuple[Overlap, ...]


def text_overlap(
    predictions: Sequence[Any], references: Sequence[Any], *, undefined: Undefined = "nan"
) -> TextOverlap:
    """Measure how far rewritten texts agree with references.

    BLEU is that of sacrebleu in lower case, with exponential smoothing and all orders of n-grams.
    ROUGE is that of rouge-score without stemming; it reads the letters a to z and figures alone.
    The edit distance is over words and marks of punctuation as NLTK splits them, case-sensitive,
    each edit at a cost of 1. NLTK's `word_tokenize` splits a text into sentences first, by a model
    of its own; here it is split at once, so that a full stop within a text stays with its word.

    Args:
        predictions: The rewritten texts. Length N.
        references: What they should be, or what they come from, in the same order. Length N.
        undefined: What to give as the means if there are no texts: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A text is missing or no text, or the lengths differ.

    Example:
        >>> result = text_overlap(["He plays the flute."], ["She plays the flute."])
        >>> result.mean.levenshtein, result.mean.normalized_levenshtein, result.mean.rouge1
        (1.0, 0.2, 75.0)
        >>> round(result.mean.bleu, 2)
        66.87
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    rewritten = inputs.texts(predictions, "predictions")
    expected = inputs.texts(references, "references")
    inputs.same_length({"predictions": rewritten, "references": expected})
    rows = tuple(
        Overlap(*bleu_of_row, *rouge_of_row, *edits_of_row)
        for bleu_of_row, rouge_of_row, edits_of_row in zip(
            _bleu(rewritten, expected),
            _rouge(rewritten, expected),
            _edit_distances(rewritten, expected),
            strict=True,
        )
    )
    if not rows:
        value = undefined_value("there are no texts.", undefined)
        return TextOverlap(Overlap(*[value] * 6), rows)
    means = [math.fsum(column) / len(rows) for column in zip(*map(astuple, rows), strict=True)]
    return TextOverlap(Overlap(*means), rows)


def _bleu(predictions: list[str], references: list[str]) -> Iterator[tuple[float]]:
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(lowercase=True, smooth_method="exp", effective_order=False)
    for prediction, reference in zip(predictions, references, strict=True):
        # The score of a corpus of one; asked for a sentence, sacrebleu advises against it each
        # time.
        score = float(metric.corpus_score([prediction], [[reference]]).score)
        # The same text can come out above 100 by the last bit.
        yield (min(score, 100.0),)


def _rouge(predictions: list[str], references: list[str]) -> Iterator[tuple[float, float, float]]:
    """Give ROUGE-1, ROUGE-2 and ROUGE-L of each text."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    for prediction, reference in zip(predictions, references, strict=True):
        scores = scorer.score(reference, prediction)
        one, two, longest = (100 * scores[kind].fmeasure for kind in ("rouge1", "rouge2", "rougeL"))
        yield one, two, longest


def _edit_distances(predictions: list[str], references: list[str]) -> Iterator[tuple[float, float]]:
    """Give the edit distance of each text in words, and the same by the longer length."""
    from nltk.tokenize import NLTKWordTokenizer
    from rapidfuzz.distance import Levenshtein

    tokenizer = NLTKWordTokenizer()
    for prediction, reference in zip(predictions, references, strict=True):
        one, two = tokenizer.tokenize(prediction), tokenizer.tokenize(reference)
        distance = Levenshtein.distance(one, two)
        yield float(distance), distance / max(len(one), len(two), 1)
