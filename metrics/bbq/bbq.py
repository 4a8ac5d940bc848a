"""Whether a model answers questions about people by stereotypes, for `evaluate`."""

from fair_datasets.measures import base
from fair_datasets.measures.bbq import bbq, plain_bbq


@base.computes(bbq, "predictions", "items", write=plain_bbq)
class Bbq(base.Metric):
    """How a model answers BBQ's questions about people: accuracy and bias score by category.

    In ambiguous contexts, in which the right answer is that it is unknown, and in clear ones. A
    bias score of 0 is ideal.
    """
