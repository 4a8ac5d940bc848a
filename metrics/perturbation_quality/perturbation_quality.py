"""The overlap of rewritten texts with references, as an `evaluate` module."""

from fair_datasets.measures import base
from fair_datasets.measures.rewrites import text_overlap


@base.computes(text_overlap, "predictions", "references")
class PerturbationQuality(base.Metric):
    """How far rewritten texts agree with those of an annotator, or with those they come from.

    Sentence BLEU, ROUGE-1, ROUGE-2, ROUGE-L and the edit distance in words, each for every text and
    on average.
    """
