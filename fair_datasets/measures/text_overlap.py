"""The overlap of rewritten texts with references, as that of a perturber with its annotators.

Sources: Qian et al., "Perturbation Augmentation for Fairer NLP", EMNLP 2022, table 2; Post, "A Call
for Clarity in Reporting BLEU Scores", WMT 2018; Lin, "ROUGE", 2004; Levenshtein, 1966.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any, get_args

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.system import checks


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
    """

    mean: Overlap
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
    owner = "text_overlap"
    checks.one_of(undefined, get_args(Undefined), owner=owner, parameter="undefined")
    rewritten = inputs.texts(predictions, "predictions", owner=owner)
    expected = inputs.texts(references, "references", owner=owner)
    inputs.same_length({"predictions": rewritten, "references": expected}, owner=owner)
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
        value = undefined_value("there are no texts.", undefined, owner=owner)
        return TextOverlap(Overlap(*[value] * 6), rows)
    means = [math.fsum(column) / len(rows) for column in zip(*map(astuple, rows), strict=True)]
    return TextOverlap(Overlap(*means), rows)


def _bleu(predictions: list[str], references: list[str]) -> Iterator[tuple[float]]:
    """Give the BLEU of each text."""
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
        found = scorer.score(reference, prediction)
        one, two, longest = (100 * found[kind].fmeasure for kind in ("rouge1", "rouge2", "rougeL"))
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
