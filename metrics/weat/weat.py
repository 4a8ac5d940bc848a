"""The Word Embedding Association Test, for `evaluate`."""

from fair_datasets.measures import base
from fair_datasets.measures.weat import plain_weat, weat_from_rows


@base.computes(weat_from_rows, "vectors", "sets", write=plain_weat, tables=("vectors",))
class Weat(base.Measurement):
    """Whether two sets of target words differ in their similarity with two sets of attribute words.

    The effect size is 0 where the targets (X, Y) do not differ in their cosine similarity with the
    attributes (A, B); its sign says which targets go with A.
    """
