"""The Word Embedding Association Test, for `evaluate`."""

from typing import Any, Literal

import evaluate

from fair_datasets.measures.undefined import Undefined
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """
Whether two sets of target words (X, Y) differ in their cosine similarity with two sets of attribute
words (A, B). The effect size is 0 where they do not; its sign says which targets go with A.
"""

_CITATION = r"""
@article{caliskan-etal-2017-semantics,
    title = "Semantics derived automatically from language corpora contain human-like biases",
    author = "Caliskan, Aylin and Bryson, Joanna J. and Narayanan, Arvind",
    journal = "Science",
    volume = "356",
    number = "6334",
    pages = "183--186",
    year = "2017",
    doi = "10.1126/science.aal4230",
}
"""

_INPUTS = """
Args:
    vectors: The vectors of all four sets of words, one per row.
    sets: The set of each vector: "X" or "Y" (targets), "A" or "B" (attributes).
    n_samples: How many partitions of the targets to compare at most; where there are no more, the
        p-value is exact.
    seed: Decides which partitions are compared where there are more.
    statistic: "sum" as published, or "mean". Effect size and p-value are the same for both.
    undefined: What to give where a value is not defined: "nan" (the default) warns and gives NaN,
        "zero" gives 0, "raise" raises.

Returns:
    effect_size: In standard deviations, between -2 and 2; positive where X goes with A.
    statistic: The test statistic.
    p_value: One-sided, in (0, 1].
    exact: Whether all partitions were compared.
    partitions: How many partitions were compared.
    sizes: How many vectors each set has.

Examples:
    >>> from fair_datasets import load_metric
    >>> result = load_metric("weat").compute(
    ...     vectors=[[1, 0], [2, 1], [0, 1], [1, 2], [1, 0], [0, 1]],
    ...     sets=["X", "X", "Y", "Y", "A", "B"],
    ... )
    >>> round(result["effect_size"], 3), round(result["p_value"], 3), result["exact"]
    (1.618, 0.167, True)
"""


class Weat(evaluate.Measurement):
    """Whether two sets of targets differ in their association with two sets of attributes."""

    def _info(self) -> evaluate.MeasurementInfo:
        """Describe the measurement and its inputs."""
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("vectors", "sets"),
        )

    def _compute(
        self,
        vectors: Any,
        sets: Any,
        n_samples: int = 100_000,
        seed: int = 0,
        statistic: Literal["sum", "mean"] = "sum",
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measurement; see the description of the inputs."""
        return plain_weat(
            weat_from_rows(
                vectors,
                sets,
                n_samples=n_samples,
                seed=seed,
                statistic=statistic,
                undefined=undefined,
            )
        )
