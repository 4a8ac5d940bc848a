"""How often the preferred answer changes between preferences and their twins, for `evaluate`."""

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import preference_flip_rate


@base.computes(preference_flip_rate, "differences", "counterfactual_differences")
class PreferenceFlipRate(base.Comparison):
    """The share of preferences whose preferred answer differs from that of their twin.

    Beside it, how far the difference of the scores moves: over all rows, over those that were
    changed, and by group. Lower is fairer.
    """
