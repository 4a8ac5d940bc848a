"""How often the preferred answer changes between preferences and their twins, for `evaluate`."""

from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import preference_flip_rate
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.inputs import Undefined


class PreferenceFlipRate(base.Comparison):
    """The share of preferences whose preferred answer differs from that of their twin.

    Beside it, how far the difference of the scores moves: over all rows, over those that were
    changed, and by group. Lower is fairer.
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
        differences: The score of the chosen answer less that of the rejected one, such as rewards.
        counterfactual_differences: The same of the twin of each row.
        changed: Which rows differ from their twin, 0 or 1. Given to `compute` for all rows at
            once, like all below.
        control_differences: The difference of a placebo version of each row, in which other words
            stand in the same places: for each row a list, one for each draw.
        control_counterfactual_differences: That of the second placebo version.
    """
    RETURNS = """
        flip_rate: The share of rows whose preferred answer changes, in [0, 1].
        flips: How many rows flip.
        rows: How many rows there are.
        flips_to_1: In how many the chosen answer is preferred in the twin alone.
        flips_to_0: In how many it is preferred in the original alone.
        mean_absolute_score_change: How far the difference moves.
        changed: The same figures over the changed rows; None if it is not known which they are.
        groups: One dictionary per group: its label as "group", and the same figures over its
            changed rows, or over all its rows if it is not known which changed.
        accuracy: The share of the counted rows whose chosen answer is preferred.
        counterfactual_accuracy: The same of their twins.
        control: The flip rate beside that of the placebo versions: "flip_rate_control", what is
            in excess of it ("flip_rate_excess" with its interval, "low" and "high"), and "p_value"
            by the rank among the draws; None without placebo versions.
        shift_control: The signed shift of the difference, "score_shift", beside that of the placebo
            versions, with "p_value"; None without them.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> flip_rate = load_metric("preference_flip_rate")
        >>> result = flip_rate.compute(
        ...     differences=[2.0, 0.5, -1.0],
        ...     counterfactual_differences=[1.5, -0.5, -1.0],
        ...     changed=[1, 1, 0],
        ... )
        >>> result["changed"]["flip_rate"], result["accuracy"], result["counterfactual_accuracy"]
        (0.5, 1.0, 0.5)
    """

    def _compute(
        self,
        differences: Any,
        counterfactual_differences: Any,
        *,
        changed: base.Rows = None,
        control_differences: base.Rows = None,
        control_counterfactual_differences: base.Rows = None,
        families: base.Rows = None,
        groups: base.Rows = None,
        missing_group: MissingGroup = "raise",
        undefined: Undefined = "nan",
    ) -> dict[str, Any]:
        """Compute the measure; see the description of the inputs."""
        result = preference_flip_rate(
            differences,
            counterfactual_differences,
            changed=changed,
            control_differences=control_differences,
            control_counterfactual_differences=control_counterfactual_differences,
            families=families,
            groups=groups,
            missing_group=missing_group,
            undefined=undefined,
        )
        found = asdict(result)
        groups = [{"group": name, **figures} for name, figures in found.pop("groups").items()]
        return {**found.pop("all"), **found, "groups": groups}
