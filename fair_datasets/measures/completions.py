"""How completions of prompts differ from those of their counterfactuals.

A model that samples answers a prompt differently each time. So each figure stands beside the same
figure of placebo pairs: the completion of the original prompt and a further one of the same prompt.

Sources: Huang et al., "Reducing Sentiment Bias in Language Models via Counterfactual Evaluation",
2020, for the distance of distributions; Bouchard, "An Actionable Framework for Assessing Bias and
Fairness in Large Language Model Use Cases", 2024, for similarities of pairs, as langfair has them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import Rows, Undefined, check_undefined, undefined_value
from fair_datasets.system.checks import invalid

_TOLERANCE = 1e-12
"""What rounding may take from a figure that equals its control."""

Floats = NDArray[np.float64]
Encode = Callable[[list[str]], ArrayLike]


@dataclass(frozen=True, slots=True)
class CompletionFigure:
    """A figure of pairs of completions, compared with that of placebo pairs.

    Attributes:
        value: The figure of the completions of original and counterfactual prompts.
        control: Its mean over the placebo draws; of signed differences, of their distances from 0.
            None without placebo pairs.
        excess: How much further apart the pairs are than the placebo pairs; of similarities, how
            much less alike. None without placebo pairs.
        p_value: Of the test that counterfactual prompts have completions like further ones of the
            same prompts, by the rank among the draws: 1 / (K + 1) at least. None without them.
    """

    value: float
    control: float | None
    excess: float | None
    p_value: float | None


@dataclass(frozen=True, slots=True)
class CompletionDifference:
    """How completions of prompts differ from those of their counterfactuals.

    Attributes:
        pair_difference: The mean over pairs of abs(score of one - score of the other), in [0, 1].
            None without scores.
        distribution_distance: The distance of the two distributions of scores (Wasserstein-1), in
            [0, 1]: 0 where pairs differ, but crosswise. langfair's "strong" parity. None without
            scores.
        share_difference: The share of scores above the threshold of the original prompts less that
            of the counterfactual ones, in [-1, 1]: langfair's "weak" parity. None without scores.
        rouge_l: The mean F-measure of ROUGE-L of a pair, with stemming, in [0, 1]. 1: all alike.
        bleu: The mean BLEU of a pair in lower case, up to four words, with a small count in place
            of none; of both directions the lesser one. In [0, 1].
        cosine: The mean cosine of the vectors of a pair, in [-1, 1]; None without vectors.
        rows: How many pairs there are.
        draws: How many placebo pairs each row has.
    """

    pair_difference: CompletionFigure | None
    distribution_distance: CompletionFigure | None
    share_difference: CompletionFigure | None
    rouge_l: CompletionFigure
    bleu: CompletionFigure
    cosine: CompletionFigure | None
    rows: int
    draws: int


def completion_difference(
    predictions: Sequence[Any],
    counterfactual_predictions: Sequence[Any],
    *,
    control_predictions: Rows = None,
    scores: Rows = None,
    counterfactual_scores: Rows = None,
    control_scores: Rows = None,
    encode: Encode | None = None,
    threshold: float = 0.5,
    undefined: Undefined = "nan",
) -> CompletionDifference:
    """Compare completions of prompts with those of their counterfactuals.

    Words of the group make texts unlike by themselves: write neutral words for them first, as
    `Blindness(mode="neutralise")` does, where only the rest of an answer is to be compared.

    Args:
        predictions: The completion of each original prompt. Length N.
        counterfactual_predictions: That of each counterfactual prompt. Length N.
        control_predictions: Further completions of each original prompt, sampled in the same way: a
            list for each row, one for each draw. Shape (N, K).
        scores: A score in [0, 1] of each completion, such as its toxicity. Shape (N,).
        counterfactual_scores: That of the counterfactual prompt's. Shape (N,).
        control_scores: Those of the further completions. Shape (N, K).
        encode: What makes vectors of texts, for cosines.
        threshold: The score above which one counts for the share.
        undefined: What to give if there are no pairs: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A text or a score is missing, a score lies outside [0, 1], the lengths differ,
            or there are scores, or controls of them, of one side alone.

    Example:
        >>> said = ["You can do it.", "Do not try it."]
        >>> crosswise = completion_difference(
        ...     said, said[::-1], scores=[0.1, 0.9], counterfactual_scores=[0.9, 0.1])
        >>> crosswise.pair_difference.value, crosswise.distribution_distance.value
        (0.8, 0.0)
        >>> crosswise.share_difference.value, round(crosswise.rouge_l.value, 2)
        (0.0, 0.5)
    """
    check_undefined(undefined)
    first = inputs.texts(predictions, "predictions")
    second = inputs.texts(counterfactual_predictions, "counterfactual_predictions")
    inputs.same_length({"predictions": first, "counterfactual_predictions": second})
    others = _further(control_predictions, len(first))
    kinds = [_rouge_l, _bleu, *([] if encode is None else [_cosine(encode)])]
    alike = [
        _figure(kind(first, second), [kind(first, each) for each in others], undefined, "alike")
        for kind in kinds
    ]
    numbers = _read_scores(scores, counterfactual_scores, control_scores, len(first))
    pair_difference = distribution_distance = share_difference = None
    if numbers is not None:
        own, other, *drawn = numbers
        ordered, above = np.sort(own), 1.0 * (own > threshold)
        pair_difference = _figure(
            np.abs(own - other), [np.abs(own - each) for each in drawn], undefined
        )
        distribution_distance = _figure(
            np.abs(ordered - np.sort(other)),
            [np.abs(ordered - np.sort(each)) for each in drawn],
            undefined,
        )
        share_difference = _figure(
            above - (other > threshold),
            [above - (each > threshold) for each in drawn],
            undefined,
            "signed",
        )
    return CompletionDifference(
        pair_difference,
        distribution_distance,
        share_difference,
        alike[0],
        alike[1],
        alike[2] if len(alike) > 2 else None,
        len(first),
        max(len(others), 0 if numbers is None else len(numbers) - 2),
    )


def _figure(
    pairs: NDArray[Any], drawn: Sequence[NDArray[Any]], undefined: Undefined, kind: str = "apart"
) -> CompletionFigure:
    """Return the mean over pairs beside that over placebo pairs.

    Args:
        pairs: The figure of each pair. Shape (N,).
        drawn: The same of its placebo pairs, for each draw. K of shape (N,).
        kind: `apart`, `signed`, or `alike`: of the last, less is further apart.
    """
    if not len(pairs):
        nothing = undefined_value("there are no pairs.", undefined)
        given = (nothing, nothing, 1.0 if undefined == "zero" else nothing)
        return CompletionFigure(nothing, *(given if drawn else (None, None, None)))
    value, draws = float(pairs.mean()), np.array([each.mean() for each in drawn])
    if math.isnan(value):
        value = undefined_value("a vector of a text is 0, so that it has no cosine.", undefined)
    if not len(draws):
        return CompletionFigure(value, None, None, None)
    far, others = {"apart": (value, draws), "signed": (abs(value), np.abs(draws)),
                   "alike": (-value, -draws)}[kind]  # fmt: skip
    p_value = (1 + int((others >= far - _TOLERANCE).sum())) / (len(draws) + 1)
    control = float(others.mean())
    return CompletionFigure(value, -control if kind == "alike" else control, far - control, p_value)


def _further(given: Any, rows: int) -> list[list[str]]:
    """Read the further completions of each row. K lists of N texts."""
    if given is None:
        return []
    several = [list(each) for each in _lists(given, "control_predictions", rows)]
    columns = list(zip(*several, strict=True))
    return [inputs.texts(list(each), "control_predictions") for each in columns]


def _read_scores(scores: Any, counterfactual: Any, control: Any, rows: int) -> list[Floats] | None:
    """Read the scores: of the originals, the counterfactuals, and each draw. Of shape (N,)."""
    given = {"scores": scores, "counterfactual_scores": counterfactual}
    lacking = [name for name, each in given.items() if each is None]
    if len(lacking) == 2 and control is None:
        return None
    if lacking:
        raise invalid(f"{lacking[0]} is missing, but other scores are given; give both.")
    read = {name: inputs.probabilities(each, name) for name, each in given.items()}
    inputs.same_length({"predictions": np.zeros(rows), **read})
    drawn: list[Floats] = []
    if control is not None:
        several = _lists(control, "control_scores", rows)
        drawn = [inputs.probabilities(list(each), "control_scores")
                 for each in zip(*several, strict=True)]  # fmt: skip
    return [*read.values(), *drawn]


def _lists(given: Any, argument: str, rows: int) -> list[Sequence[Any]]:
    """Read a list of values for each row, all of one length."""
    lists = inputs.as_list(given)
    wrong = [row for row, each in enumerate(lists) if not isinstance(each, list | tuple)]
    if wrong:
        raise invalid(
            f"{argument} must have a list of draws for each row, but row {wrong[0]} is "
            f"{lists[wrong[0]]!r}."
        )
    inputs.same_length({"predictions": range(rows), argument: lists})
    sizes = [len(each) for each in lists]
    uneven = [row for row, size in enumerate(sizes) if size != sizes[0] or not size]
    if uneven:
        raise invalid(
            f"{argument} must have as many draws in each row, one at least, but row {uneven[0]} "
            f"has {sizes[uneven[0]]} and row 0 has {sizes[0]}."
        )
    return lists


def _rouge_l(first: list[str], second: list[str]) -> Floats:
    """Return the F-measure of the longest common subsequence of stemmed words. Shape (N,)."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    pairs = zip(first, second, strict=True)
    return np.array([scorer.score(*pair)["rougeL"].fmeasure for pair in pairs], np.float64)


def _bleu(first: list[str], second: list[str]) -> Floats:
    """Return the lesser BLEU of both directions. Shape (N,)."""
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    tokenizer, smooth = NLTKWordTokenizer(), SmoothingFunction().method1

    def both(one: list[str], other: list[str]) -> float:
        ways = ((one, other), (other, one))
        return min(float(sentence_bleu([a], b, smoothing_function=smooth)) for a, b in ways)

    words = ([tokenizer.tokenize(text.lower()) for text in each] for each in (first, second))
    return np.array([both(*pair) for pair in zip(*words, strict=True)], np.float64)


def _cosine(encode: Encode) -> Callable[[list[str], list[str]], Floats]:
    """Return what gives the cosines of the vectors of texts, each of which is asked for once."""
    known: dict[str, Floats] = {}

    def vectors(texts: list[str]) -> Floats:
        if new := list(dict.fromkeys(text for text in texts if text not in known)):
            known.update(zip(new, np.asarray(encode(new), np.float64), strict=True))
        return np.array([known[text] for text in texts])

    def cosine(first: list[str], second: list[str]) -> Floats:
        if not first:
            return np.zeros(0)
        one, other = vectors(first), vectors(second)
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        cosines = np.full(len(one), np.nan)
        np.divide((one * other).sum(axis=1), lengths, out=cosines, where=lengths > 0)
        return cosines

    return cosine
