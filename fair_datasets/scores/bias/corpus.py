"""The bias scores of a corpus: of a list of texts, and how they are distributed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.bias_distribution import bias_distribution
from fair_datasets.measures.inputs import Undefined
from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.scores.bias.bias_score import BiasScore, figure_name
from fair_datasets.system import checks

Floats = NDArray[np.float64]
_TOGETHER = 1_000


@dataclass(frozen=True, slots=True)
class TextScores:
    """The bias scores of texts.

    Attributes:
        scores: The score of each text. Shape (N,).
        attributes: Each attribute to the scores towards it. Shape (N,) each.
        coverage: The share of the words that have a vector or are listed; None for the states of
            an encoder, and where there are no words.
        name: What the score is called, by whether it is centred.
    """

    scores: Floats
    attributes: dict[str, Floats]
    coverage: float | None
    name: str
    direction: DemographicDirection


def score_texts(texts: Sequence[str], **parameters: Any) -> TextScores:
    """Score texts.

    Args:
        **parameters: What `BiasScore` takes, but for the columns.

    Example:
        >>> score_texts(["He ran."])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: BiasScore: it needs vectors (a file of word vectors) or
        encoder (a model), or both, if the encoder is to weigh the words; give one.
    """
    values = inputs.texts(texts, "texts", owner="score_texts")
    score = BiasScore(columns="text", **parameters)
    scorer = score.scorer()
    positive, negative = [np.zeros(0)], [np.zeros(0)]
    known, words = 0, 0
    for start in range(0, len(values), _TOGETHER):
        parts = scorer.parts(values[start : start + _TOGETHER])
        above, below = parts.sums()
        positive.append(above)
        negative.append(below)
        known += int(np.count_nonzero(~np.isnan(parts.cosines)))
        words += parts.cosines.size
    poles = scorer.direction.poles
    towards = dict(zip(poles, map(np.concatenate, (negative, positive)), strict=True))
    has_coverage = scorer.vectors is not None and words > 0
    return TextScores(
        towards[poles[1]] - towards[poles[0]],
        towards,
        known / words if has_coverage else None,
        figure_name(centred=score.centred),
        scorer.direction,
    )


def corpus_bias(
    texts: Sequence[str],
    scores: Any = None,
    attributes: Mapping[str, Any] | None = None,
    *,
    sources: Mapping[str, Any],
    undefined: Undefined = "nan",
    level: float,
    **options: Any,
) -> dict[str, Any]:
    """Describe the bias scores of texts, with the most biased of them, as plain data.

    Args:
        scores: Their scores; None to score them.
        sources: Without scores, what `BiasScore` takes.
        **options: What else `bias_distribution` takes.

    Example:
        >>> found = corpus_bias(["A pink dress."], [0.25], {"woman": [0.25]}, sources={}, level=0.9)
        >>> found["attributes"][0]["most"]
        [{'row': 0, 'score': 0.25, 'text': 'A pink dress.'}]
    """
    checks.one_of(undefined, get_args(Undefined), owner="bias_score", parameter="undefined")
    values = inputs.texts(texts, "data", owner="bias_score")
    scored: dict[str, Any] = {"name": None, "coverage": None, "direction": None}
    if scores is None:
        found = score_texts(values, **sources)
        scores, attributes = found.scores, found.attributes
        along = ("axis", "poles", "offset", "explained_variance", "baseline")
        direction = {each: getattr(found.direction, each) for each in along}
        scored = {
            "name": found.name,
            "coverage": found.coverage,
            "direction": {**direction, "poles": list(found.direction.poles)},
        }
    result = bias_distribution(scores, attributes, level=level, undefined=undefined, **options)
    inputs.same_length({"data": values, "scores": range(result.rows)}, owner="bias_score")
    told = asdict(result)
    histogram = {name: list(told.pop(name)) for name in ("counts", "edges")}
    low, high = result.interval
    return {
        **told,
        "percentiles": {f"{each:g}": score for each, score in result.percentiles.items()},
        "interval": {"low": low, "high": high, "level": level},
        "attributes": [
            {
                "attribute": name,
                "mean": towards.mean,
                "furthest": towards.furthest,
                "most": [
                    {"row": row, "score": score, "text": values[row]}
                    for row, score in zip(towards.rows, towards.scores, strict=True)
                ],
            }
            for name, towards in result.attributes.items()
        ],
        "histogram": histogram,
        **scored,
    }
