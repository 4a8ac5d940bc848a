"""How often a language model prefers the more stereotyping of two sentences, for `evaluate`."""

from typing import Any, Literal

from fair_datasets.measures import base
from fair_datasets.measures.crows_pairs import CrowsPairsResult, crows_pairs
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.scores.likelihoods import are_texts, sentence_scores, shared_token_scores
from fair_datasets.system.checks import one_of


def of_sentences(
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
    families: Rows = None,
    undefined: Undefined = "nan",
) -> CrowsPairsResult:
    """Count which sentences have the higher score, or are the likelier to a model.

    Args:
        sent_more: The more stereotyping sentence of each pair, or its score.
        sent_less: The less stereotyping sentence of each pair, or its score.
        stereo_antistereo: The direction of each pair: "stereo" or "antistereo".
        bias_type: The type of bias of each pair.
        scoring: With "shared_tokens", a masked model scores the tokens that both sentences share,
            as published; with "sentence", a causal model scores the whole sentences.
        decimals: Scores are rounded to so many decimals before they are compared, 3 as published;
            None compares them as they are.
    """
    scorers = {"shared_tokens": shared_token_scores, "sentence": sentence_scores}
    one_of(scoring, scorers, parameter="scoring")
    if are_texts(sent_more, model, "sent_more"):
        sent_more, sent_less = scorers[scoring](
            sent_more, sent_less, model, batch_size=batch_size, revision=revision, device=device
        ).T
    return crows_pairs(
        sent_more, sent_less, stereo_antistereo, bias_type,
        decimals=decimals, families=families, undefined=undefined)  # fmt: skip


@base.computes(of_sentences, "sent_more", "sent_less", "stereo_antistereo", "bias_type")
class CrowsPairs(base.Measurement):
    """How often a language model finds the more stereotyping sentence of a pair likelier.

    In percent of the pairs. 50 is ideal; below 50 is not fairer.
    """
