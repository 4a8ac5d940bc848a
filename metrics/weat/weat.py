"""The Word Embedding Association Test, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.weat import plain_weat, weat_from_rows


class Weat(base.Measurement):
    """Whether two sets of target words differ in their similarity with two sets of attribute words.

    The effect size is 0 where the targets (X, Y) do not differ in their cosine similarity with the
    attributes (A, B); its sign says which targets go with A.
    """

    CITATION = """
        @article{caliskan-etal-2017-semantics,
            title = "Semantics derived automatically from language corpora contain human-like
              biases",
            author = "Caliskan, Aylin and Bryson, Joanna J. and Narayanan, Arvind",
            journal = "Science",
            volume = "356",
            number = "6334",
            pages = "183--186",
            year = "2017",
            doi = "10.1126/science.aal4230",
        }
    """
    TABLES = ("vectors",)
    PARAMETERS = """
        vectors: The vectors of all four sets of words, one per row.
        sets: The set of each vector: "X" or "Y" (targets), "A" or "B" (attributes).
    """
    RETURNS = base.ASSOCIATION
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> result = load_metric("weat").compute(
        ...     vectors=[[1, 0], [2, 1], [0, 1], [1, 2], [1, 0], [0, 1]],
        ...     sets=["X", "X", "Y", "Y", "A", "B"],
        ... )
        >>> round(result["effect_size"], 3), round(result["p_value"], 3), result["exact"]
        (1.618, 0.167, True)
    """

    def _compute(
        self,
        vectors: Any,
        sets: Any,
        *,
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
