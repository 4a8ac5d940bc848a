"""The overlap of rewritten texts with references, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.rewrites import text_overlap


class PerturbationQuality(base.Metric):
    """How far rewritten texts agree with those of an annotator, or with those they come from.

    Sentence BLEU, ROUGE-1, ROUGE-2, ROUGE-L and the edit distance in words, each for every text and
    on average.
    """

    CITATION = """
        @inproceedings{qian-etal-2022-perturbation,
            title = "Perturbation Augmentation for Fairer {NLP}",
            author = "Qian, Rebecca and Ross, Candace and Fernandes, Jude and Smith, Eric Michael
              and Kiela, Douwe and Williams, Adina",
            booktitle = "Proceedings of the 2022 Conference on Empirical Methods in Natural Language
              Processing",
            year = "2022",
        }
        @inproceedings{post-2018-call,
            title = "A Call for Clarity in Reporting {BLEU} Scores",
            author = "Post, Matt",
            booktitle = "Proceedings of the Third Conference on Machine Translation: Research
              Papers",
            year = "2018",
        }
        @inproceedings{lin-2004-rouge,
            title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
            author = "Lin, Chin-Yew",
            booktitle = "Text Summarization Branches Out",
            year = "2004",
        }
    """
    PARAMETERS = """
        predictions: The rewritten texts.
        references: What they should be, or what they come from, in the same order.
    """
    RETURNS = """
        bleu: The mean of sentence BLEU, in [0, 100].
        rouge1: The mean F-measure of the words in common, in [0, 100].
        rouge2: The same of pairs of neighbouring words.
        rouge_l: The same of the longest common subsequence of words.
        levenshtein: The mean number of words to insert, delete or replace.
        normalized_levenshtein: The mean of the same by the longer text's number of words, in [0,
            1].
        rows: The same six figures for each text.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> quality = load_metric("perturbation_quality")
        >>> result = quality.compute(
        ...     predictions=["He plays the flute."], references=["She plays the flute."]
        ... )
        >>> result["levenshtein"], result["rouge1"], round(result["bleu"], 2)
        (1.0, 75.0, 66.87)
    """

    def _compute(
        self, predictions: Any, references: Any, *, undefined: Undefined = "nan"
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        found = asdict(text_overlap(predictions, references, undefined=undefined))
        return {**found["mean"], "rows": list(found["rows"])}
