"""How often a language model prefers the more stereotyping of two sentences, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base
from fair_datasets.measures.crows_pairs import crows_pairs, plain_crows_pairs
from fair_datasets.measures.inputs import Undefined
from fair_datasets.scores.likelihoods import are_texts, sentence_scores, shared_token_scores
from fair_datasets.system.checks import one_of


class CrowsPairs(base.Measurement):
    """How often a language model finds the more stereotyping sentence of a pair likelier.

    In percent of the pairs. 50 is ideal; below 50 is not fairer.
    """

    CITATION = """
        @inproceedings{nangia-etal-2020-crows,
            title = "{C}row{S}-Pairs: A Challenge Dataset for Measuring Social Biases in Masked
              Language Models",
            author = "Nangia, Nikita and Vania, Clara and Bhalerao, Rasika and Bowman, Samuel R.",
            booktitle = "Proceedings of EMNLP 2020",
            year = "2020",
            url = "https://aclanthology.org/2020.emnlp-main.154",
        }
    """
    PARAMETERS = """
        sent_more: The more stereotyping sentence of each pair, or its score.
        sent_less: The less stereotyping sentence of each pair, or its score.
        stereo_antistereo: The direction of each pair: "stereo" or "antistereo".
        bias_type: The type of bias of each pair.
        scoring: "shared_tokens" (the default): a masked model scores the tokens that both sentences
            share, as published. "sentence": a causal model scores the whole sentences.
        decimals: Scores are rounded to so many decimals before they are compared, 3 as published;
            None compares them as they are.
    """
    RETURNS = """
        score: The percentage of pairs won by the more stereotyping sentence, in [0, 100]; 50 is
            ideal.
        interval: The interval of the score at 95%: the exact binomial one, or over families.
        stereotype_score: The same over pairs marked "stereo" that are not neutral.
        antistereotype_score: The same over pairs marked "antistereo" that are not neutral.
        pairs: How many pairs there are.
        neutral: How many pairs have equal scores; they win nothing.
        bias_types: All these values by type of bias.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> result = load_metric("crows_pairs").compute(
        ...     sent_more=[-3.0, -5.0, -2.0, -4.0],
        ...     sent_less=[-4.0, -3.0, -4.0, -4.0],
        ...     stereo_antistereo=["stereo", "stereo", "antistereo", "stereo"],
        ...     bias_type=["age", "age", "age", "age"],
        ... )
        >>> result["score"], result["stereotype_score"], result["neutral"]
        (50.0, 50.0, 1)
    """

    def _compute(
        self,
        sent_more: Any,
        sent_less: Any,
        stereo_antistereo: Any,
        bias_type: Any,
        *,
        model: Any = None,
        scoring: Literal["shared_tokens", "sentence"] = "shared_tokens",
        decimals: int | None = 3,
        batch_size: int = 32,
        revision: str | None = None,
        device: str | None = None,
        families: base.Rows = None,
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measurement; see the description of the inputs."""
        scorers = {"shared_tokens": shared_token_scores, "sentence": sentence_scores}
        one_of(scoring, scorers, parameter="scoring")
        if are_texts(sent_more, model, "sent_more"):
            sent_more, sent_less = scorers[scoring](
                sent_more,
                sent_less,
                model,
                batch_size=batch_size,
                revision=revision,
                device=device,
            ).T
        result = crows_pairs(
            sent_more,
            sent_less,
            stereo_antistereo,
            bias_type,
            decimals=decimals,
            families=families,
            undefined=undefined,
        )
        return plain_crows_pairs(result)
