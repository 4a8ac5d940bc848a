"""The Sentence Encoder Association Test, for `evaluate`."""

from typing import Any, Literal

import evaluate

from fair_datasets.measures.undefined import Undefined
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.metric_inputs import as_given
from fair_datasets.scores.embeddings import Pooling, sentence_vectors

_DESCRIPTION = """
The association test of WEAT on the sentence vectors of an encoder: words stand in sentences that
add little meaning. The effect size is 0 where two sets of targets (X, Y) do not differ in their
cosine similarity with two sets of attributes (A, B).
"""

_CITATION = r"""
@inproceedings{may-etal-2019-measuring,
    title = "On Measuring Social Biases in Sentence Encoders",
    author = "May, Chandler and Wang, Alex and Bordia, Shikha and Bowman, Samuel R. and
      Rudinger, Rachel",
    booktitle = "Proceedings of NAACL-HLT 2019",
    year = "2019",
    url = "https://aclanthology.org/N19-1063",
}
"""

_INPUTS = """
Args:
    texts: The sentences of all four sets. `fair_datasets.measures.seat_sentences` writes those of
        the published tests by templates of its own.
    sets: The set of each sentence: "X" or "Y" (targets), "A" or "B" (attributes).
    model: A Hub id, a folder, or a tuple of a model and its tokenizer; or a function from a list of
        texts to their vectors.
    pooling: "mean", "max", "cls" or "last"; "auto" (the default) does as a folder of
        sentence-transformers says, else takes the mean.
    batch_size: How many sentences run at once at most.
    revision: The branch, tag or commit on the Hub.
    device: Where the model runs; None: a GPU if there is one.
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
    sizes: How many sentences each set has.

Examples:
    >>> from fair_datasets import load_metric
    >>> from fair_datasets.measures.seat_sentences import seat_sentences
    >>> def count_letters(texts):
    ...     return [[text.count(letter) for letter in "aeiou"] for text in texts]
    >>> result = load_metric("seat").compute(**seat_sentences("C6"), model=count_letters)
    >>> result["sizes"]
    {'X': 48, 'Y': 48, 'A': 48, 'B': 48}
"""


class Seat(evaluate.Measurement):
    """Whether an encoder's sentence vectors associate targets with attributes."""

    def _info(self) -> evaluate.MeasurementInfo:
        """Describe the measurement and its inputs."""
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("texts", "sets"),
        )

    def _compute(
        self,
        texts: Any,
        sets: Any,
        model: Any,
        pooling: Pooling = "auto",
        batch_size: int = 32,
        revision: str | None = None,
        device: str | None = None,
        n_samples: int = 100_000,
        seed: int = 0,
        statistic: Literal["sum", "mean"] = "sum",
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measurement; see the description of the inputs."""
        vectors = sentence_vectors(
            texts, model, pooling=pooling, batch_size=batch_size, revision=revision, device=device
        )
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
