"""How often predictions flip between texts and their counterfactuals, as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import counterfactual_flip_rate
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.inputs import Undefined


class CounterfactualFlipRate(base.Comparison):
    """The share of texts whose predicted class differs from that of their counterfactual.

    Beside it, how far the score moves: over all rows, over those that were changed, and by group.
    Lower is fairer.
    """

    CITATION = """
        @inproceedings{garg-etal-2019-counterfactual,
            title = "Counterfactual Fairness in Text Classification through Robustness",
            author = "Garg, Sahaj and Perot, Vincent and Limtiaco, Nicole and Taly, Ankur and Chi,
              Ed H. and Beutel, Alex",
            booktitle = "Proceedings of the 2019 AAAI/ACM Conference on AI, Ethics, and Society",
            year = "2019",
        }
    """
    PARAMETERS = """
        predictions: The predicted class of each original text, a whole number or a text; no
            logits.
        counterfactual_predictions: The predicted class of each counterfactual.
        scores: A score of each original text, such as the probability of class 1. Given to
            `compute` for all rows at once, like all below.
        counterfactual_scores: The score of each counterfactual.
        changed: Which texts differ from their counterfactual, 0 or 1.
            `fair_datasets.measures.flip_rate.changed_texts` tells it from the texts.
        control_predictions: The predicted class of a placebo version of each text, in which other
            words stand in the same places: for each row a list, one for each draw.
        control_counterfactual_predictions: The predicted class of the second placebo version of
            each text, likewise.
    """
    RETURNS = """
        flip_rate: The share of rows whose prediction flips, in [0, 1].
        flips: How many rows flip.
        rows: How many rows there are.
        flips_to_1: How many flip from 0 to 1; None where there are other classes.
        flips_to_0: How many flip from 1 to 0; None where there are other classes.
        mean_absolute_score_change: How far the score moves; None without scores.
        changed: The same figures over the changed rows; None if it is not known which they are.
        groups: One dictionary per group: its label as "group", and the same figures over its
            changed rows, or over all its rows if it is not known which changed.
        control: The flip rate beside that of the placebo versions: "flip_rate_control", what is
            in excess of it ("flip_rate_excess" with its interval, "low" and "high"), and "p_value"
            by the rank among the draws; None without placebo versions.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> flip_rate = load_metric("counterfactual_flip_rate")
        >>> result = flip_rate.compute(
        ...     predictions=[0, 1, 1, 0],
        ...     counterfactual_predictions=[1, 1, 0, 0],
        ...     changed=[1, 1, 1, 0],
        ... )
        >>> result["flip_rate"], round(result["changed"]["flip_rate"], 3), result["flips_to_1"]
        (0.5, 0.667, 1)
    """

    def _compute(
        self,
        predictions: Any,
        counterfactual_predictions: Any,
        *,
        scores: base.Rows = None,
        counterfactual_scores: base.Rows = None,
        changed: base.Rows = None,
        control_predictions: base.Rows = None,
        control_counterfactual_predictions: base.Rows = None,
        families: base.Rows = None,
        groups: base.Rows = None,
        missing_group: MissingGroup = "raise",
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        result = counterfactual_flip_rate(
            predictions,
            counterfactual_predictions,
            scores=scores,
            counterfactual_scores=counterfactual_scores,
            changed=changed,
            control_predictions=control_predictions,
            control_counterfactual_predictions=control_counterfactual_predictions,
            families=families,
            groups=groups,
            missing_group=missing_group,
            undefined=undefined,
        )
        found = asdict(result)
        groups = [{"group": name, **figures} for name, figures in found["groups"].items()]
        return {
            **found["all"],
            "changed": found["changed"],
            "groups": groups,
            "control": found["control"],
        }
