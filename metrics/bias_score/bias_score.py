"""How much of a demographic attribute the words of a corpus carry, as an `evaluate` module."""

from fair_datasets.measures import base
from fair_datasets.scores.bias.bias_score import corpus_bias


@base.computes(corpus_bias, "data")
class BiasScore(base.Measurement):
    """How much of a demographic attribute the words of each text of a corpus carry.

    The bias score sums over the words of a text their importance times the cosine of their vector
    with a demographic direction. Given are its mean and percentiles over the corpus, the share of
    texts above a threshold with its interval, and the texts that are the most biased.
    """
