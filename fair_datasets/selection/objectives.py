"""The measures of fairness that a search can optimise, and which way each is fairer.

All compare what a classifier says of texts and of the same texts for other attributes:

- `flip_rate`: the share of changed rows whose prediction changes.
- `flip_rate_excess`: of the changed rows that have placebos, that share less the one whose
  prediction changes when other words and names of their kind are written in the same places; see
  `fair_datasets.measures.flip_rate_control`. At most 0: no more than such words do.
- `demographic_parity_by_attribute`: rows that mention one attribute alone, each written for every
  attribute of the axis (its man and its woman version); 1 less how far the rates of predictions of
  1 lie apart between the attributes.
- `demographic_parity_changed`: the same between the changed rows as they are and swapped.
- `demographic_parity`: the same over all rows, equation 3 of Zayed et al. (2023).

Without such rows a measure is undefined (NaN). All are at their fairest for a classifier that says
the same of every text.

In the last two, a prediction that rises for a man who becomes a woman cancels one that falls for a
woman who becomes a man, though both favour the same attribute; and as the number of changed rows is
the same for all classifiers, the two rank classifiers alike. By attribute these add up, and flips
cancel only where a classifier favours one attribute in some texts and another in others. In the
flip rate nothing cancels: no difference of rates between texts and their counterfactuals is larger,
over the same rows. But a classifier that changes its mind at any word has a high flip rate without
regard to groups; by the excess over placebos, it is not taken for unfair. A search takes the best
of many cells, and so finds those whose flips happen to cancel; that is why the flip rate is what is
optimised unless another measure is asked for. The paper optimises `demographic_parity`.
"""

from collections.abc import Mapping
from typing import NamedTuple

Metrics = Mapping[str, float]


class Objective(NamedTuple):
    """A measure of fairness.

    Attributes:
        title: What it is called in tables.
        label: What it is called where it is drawn.
        is_score: Whether higher is fairer, with 1 for parity; otherwise 0 is fairest.
        rows: The name of the metric that tells of how many rows it is; empty for all.
    """

    title: str
    label: str
    is_score: bool = True
    rows: str = ""


OBJECTIVES: Mapping[str, Objective] = {
    "flip_rate": Objective(
        "flip rate",
        "flip rate over changed rows (0: none flips)",
        is_score=False,
        rows="changed_rows",
    ),
    "flip_rate_excess": Objective(
        "flip rate excess",
        "flip rate less that of placebos (0: no more than these)",
        is_score=False,
        rows="rows_with_placebos",
    ),
    "demographic_parity_by_attribute": Objective(
        "DP by attribute", "demographic parity by attribute (1 is parity)", rows="rows_by_attribute"
    ),
    "demographic_parity_changed": Objective(
        "DP changed", "demographic parity over changed rows (1 is parity)", rows="changed_rows"
    ),
    "demographic_parity": Objective("DP", "demographic parity over all rows (1 is parity)"),
}
DEFAULT_OBJECTIVE = "flip_rate"


def fairness(metrics: Metrics, optimise: str) -> float:
    """Return a measure so that higher is fairer.

    Args:
        optimise: One of `OBJECTIVES`.

    Returns:
        Its value; the negative one where lower is fairer, down to 0: below it, an excess is none,
        and none of two is fairer.

    Example:
        >>> fairness({"flip_rate": 0.25}, "flip_rate")
        -0.25
        >>> fairness({"flip_rate_excess": -0.1}, "flip_rate_excess")
        0.0
    """
    value = metrics[optimise]
    return value if OBJECTIVES[optimise].is_score else 0.0 - max(value, 0.0)
