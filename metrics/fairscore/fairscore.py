"""How often predictions change with the demographic terms of the texts, for `evaluate`."""

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import fairscore


@base.computes(fairscore, "predictions", "counterfactual_predictions", "references", "changed")
class Fairscore(base.Comparison):
    """The share of perturbed texts whose predicted class differs from that of the original text.

    Lower is fairer. The accuracy stands beside it, as a classifier that always says the same has
    fairscore 0.
    """
