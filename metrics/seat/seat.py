"""The Sentence Encoder Association Test, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.weat import WeatResult, plain_weat, weat_from_rows
from fair_datasets.scores.embeddings import Pooling, sentence_vectors


def of_sentences(
    texts: Any,
    sets: Any,
    *,
    model: Any = None,
    pooling: Pooling = "auto",
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
    n_samples: int = 100_000,
    seed: int = 0,
    statistic: Literal["sum", "mean"] = "sum",
    undefined: Undefined = "nan",
) -> WeatResult:
    """Run an association test on the vectors of sentences.

    Args:
        texts: The sentences of all four sets. `fair_datasets.measures.weat` writes those
            of the published tests by templates of its own.
        sets: The set of each sentence: "X" or "Y" (targets), "A" or "B" (attributes).
        model: A Hub id, a folder, or a tuple of a model and its tokenizer; or a function from a
            list of texts to their vectors. It has to be given.
        pooling: "mean", "max", "cls" or "last"; "auto" does as a folder of sentence-transformers
            says, else takes the mean.
    """
    vectors = sentence_vectors(
        texts, model, pooling=pooling, batch_size=batch_size, revision=revision, device=device
    )
    return weat_from_rows(
        vectors, sets, n_samples=n_samples, seed=seed, statistic=statistic, undefined=undefined
    )


@base.computes(of_sentences, "texts", "sets", write=plain_weat)
class Seat(base.Measurement):
    """The association test of WEAT on the sentence vectors of an encoder.

    Words stand in sentences that add little meaning. The effect size is 0 where two sets of targets
    (X, Y) do not differ in their cosine similarity with two sets of attributes (A, B).
    """
