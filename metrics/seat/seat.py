"""The Sentence Encoder Association Test, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.scores.embeddings import Pooling, sentence_vectors


class Seat(base.Measurement):
    """The association test of WEAT on the sentence vectors of an encoder.

    Words stand in sentences that add little meaning. The effect size is 0 where two sets of targets
    (X, Y) do not differ in their cosine similarity with two sets of attributes (A, B).
    """

    CITATION = """
        @inproceedings{may-etal-2019-measuring,
            title = "On Measuring Social Biases in Sentence Encoders",
            author = "May, Chandler and Wang, Alex and Bordia, Shikha and Bowman, Samuel R. and
              Rudinger, Rachel",
            booktitle = "Proceedings of NAACL-HLT 2019",
            year = "2019",
            url = "https://aclanthology.org/N19-1063",
        }
    """
    PARAMETERS = """
        texts: The sentences of all four sets. `fair_datasets.measures.weat` writes those
            of the published tests by templates of its own.
        sets: The set of each sentence: "X" or "Y" (targets), "A" or "B" (attributes).
        model: A Hub id, a folder, or a tuple of a model and its tokenizer; or a function from a
            list of texts to their vectors. It has to be given.
        pooling: "mean", "max", "cls" or "last"; "auto" (the default) does as a folder of
            sentence-transformers says, else takes the mean.
    """
    RETURNS = base.ASSOCIATION
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> from fair_datasets.measures.weat import seat_sentences
        >>> def count_letters(texts):
        ...     return [[text.count(letter) for letter in "aeiou"] for text in texts]
        >>> result = load_metric("seat").compute(**seat_sentences("C6"), model=count_letters)
        >>> result["sizes"]
        {'X': 48, 'Y': 48, 'A': 48, 'B': 48}
    """

    def _compute(
        self,
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
