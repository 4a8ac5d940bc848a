"""How much of a demographic attribute the words of a corpus carry, as an `evaluate` module."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.bias_distribution import PERCENTILES
from fair_datasets.measures.inputs import Undefined
from fair_datasets.scores.bias.bias_score import corpus_bias


class BiasScore(base.Measurement):
    """How much of a demographic attribute the words of each text of a corpus carry.

    The bias score sums over the words of a text their importance times the cosine of their vector
    with a demographic direction. Given are its mean and percentiles over the corpus, the share of
    texts above a threshold with its interval, and the texts that are the most biased.
    """

    CITATION = """
        @article{dolci-etal-2023-improving,
            title = "Improving Gender-Related Fairness in Sentence Encoders: A Semantics-Based
              Approach",
            author = "Dolci, Tommaso and Azzalini, Fabio and Tanelli, Mara",
            journal = "Data Science and Engineering",
            year = "2023",
        }
    """
    PARAMETERS = """
        scores: The score of each text, as the technique `BiasScore` adds it; None (the default) to
            score the texts. Given to `compute` for all texts at once.
        attributes: With scores, a mapping from each attribute to the scores towards it.
        vectors: A file of word vectors, or their Hub id; see
            `fair_datasets.models.load_word_vectors`.
        encoder: The folder or Hub id of an encoder. It gives the importance of words and, without
            vectors, their cosines too.
        direction: The file or Hub id of a direction; by default that of the axis's own pairs.
        names: Whether names with an attribute of the axis count as 0 in the score, as they do by
            default.
        centred: Whether the mean cosine of all words is subtracted; False by default, as in the
            paper.
        threshold: The score to compare with; by default the 95th percentile of these scores.
        percentiles: Which percentiles to give, from 0 to 100.
        most: How many texts to name for each attribute, 10 by default.
        bins: How many bins the histogram has, 30 by default.
        level: The level of the interval, 0.95 by default.
    """
    RETURNS = """
        rows: How many texts there are.
        mean: The mean score, at least 0. Lower is less biased.
        highest: The highest score.
        percentiles: Each percentile, as a string, to its score.
        threshold: The score that texts are compared with.
        above: How many texts have a score above it.
        share_above: Their share, in [0, 1].
        interval: The interval of the share, the exact binomial one or over families: "low", "high"
            and "level". None without a threshold, as the share is then 5% by construction.
        attributes: One dictionary per attribute: its name as "attribute", the "mean" and the
            "furthest" score towards it, and as "most" the most biased texts, each with "row",
            "score" and "text".
        histogram: The "counts" of the bins, and their "edges".
        name: What the score is called: "bias_score", or "bias_score_centred". This and what follows
            are None where the scores were given.
        coverage: The share of words that have a vector or name an attribute; None where texts were
            not scored by word vectors.
        direction: What was scored along: its "axis", the "poles", the "offset" (the mean cosine of
            all words), the "explained_variance" of its pairs of words, and that of random pairs as
            "baseline".
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> bias_score = load_metric("bias_score")
        >>> result = bias_score.compute(
        ...     data=["A pink dress.", "It rained.", "A red truck."],
        ...     scores=[0.25, 0.0, 0.5],
        ...     attributes={"man": [0.0, 0.0, -0.5], "woman": [0.25, 0.0, 0.0]},
        ...     threshold=0.25,
        ... )
        >>> result["mean"], result["above"], result["attributes"][0]["most"][0]["text"]
        (0.25, 1, 'A red truck.')
    """

    def _compute(
        self,
        data: Any,
        *,
        scores: Any = None,
        attributes: Mapping[str, Any] | None = None,
        vectors: str | None = None,
        encoder: str | None = None,
        direction: str | None = None,
        axis: str = "gender",
        names: bool = True,
        pipeline: str | None = None,
        reader: str | None = None,
        centred: bool = False,
        threshold: float | None = None,
        percentiles: Sequence[float] = PERCENTILES,
        most: int = 10,
        bins: int = 30,
        level: float = 0.95,
        families: base.Rows = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measurement; see the description of the inputs."""
        sources = {"vectors": vectors, "encoder": encoder, "direction": direction}
        reading = {"axis": axis, "names": names, "pipeline": pipeline, "reader": reader}
        return corpus_bias(
            data,
            scores,
            attributes,
            sources={**sources, **reading, "centred": centred},
            threshold=threshold,
            percentiles=percentiles,
            most=most,
            bins=bins,
            level=level,
            families=families,
            undefined=undefined,
        )
