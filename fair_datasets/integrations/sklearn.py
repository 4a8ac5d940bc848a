"""Measures of groups as scorers of scikit-learn, which asks for the groups by metadata routing."""

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn import get_config
from sklearn.metrics import make_scorer

from fair_datasets.measures.load import PARITY, measure_of_groups
from fair_datasets.measures.metric_functions import read_metric
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, invalid


def make_group_scorer(
    metric: Any,
    *,
    groups: str,
    value: str = "difference",
    greater_is_better: bool | None = None,
    response_method: str = "predict",
    **options: Any,
) -> Any:
    """Make a scorer of scikit-learn that compares groups, by metadata routing.

    A difference, and the worst value of a loss or error, is negated: a greater score is better.

    Args:
        metric: `"demographic_parity"`, `"equal_opportunity"`, `"equalized_odds"` or
            `"predictive_parity"`; or what `group_metric` takes, such as `"f1_score"`.
        groups: The name of the metadata with a group label per row: that of the argument by which
            you hand the labels to `fit`, or of their key in `params` of `cross_validate`.
        value: Which number is the score: `"difference"`, `"ratio"`, or `"worst"`, the metric of the
            group that is treated worst; of the four parities `"score"` in place of that.
        greater_is_better: Whether greater values of the metric are better. It can be left out for
            functions of scikit-learn, whose names say so, and means nothing to the parities.
        response_method: What is asked of the estimator, such as `"predict_proba"` for `"log_loss"`.
        **options: What else the measure takes, such as `positive="yes"` or `undefined="zero"`.
    """
    if not get_config()["enable_metadata_routing"]:
        raise invalid(
            "the labels reach a scorer by metadata routing alone, which is off; first "
            "run sklearn.set_config(enable_metadata_routing=True)."
        )
    if not isinstance(groups, str) or not groups.isidentifier():
        raise invalid(
            "groups must be the name of the metadata, such as 'gender'; the labels "
            "themselves are given where the scorer is used."
        )
    is_parity = isinstance(metric, str) and metric in PARITY
    values = ["difference", "ratio", "score" if is_parity else "worst"]
    checks.one_of(value, values, parameter="value")
    measure = measure_of_groups(metric, options)
    is_greater = value != "difference"
    if not is_parity:
        if greater_is_better is not None:
            options["worst"] = "lowest" if greater_is_better else "highest"
        options["worst"] = read_metric(metric, None, options.get("worst")).worst
        measure = measure_of_groups(metric, options)
        is_greater = value == "ratio" or (value == "worst" and options["worst"] == "lowest")
    score = partial(_group_score, measure, value, groups)
    scorer = make_scorer(score, greater_is_better=is_greater, response_method=response_method)
    return scorer.set_score_request(**{groups: True})


def _group_score(
    measure: Callable[..., Any], value: str, groups: str, y_true: Any, y_pred: Any, **metadata: Any
) -> float:
    """Compare the groups, whose labels come as metadata of some name."""
    labels = metadata.get(groups)
    if labels is None:
        raise InputError(
            f"make_group_scorer: there is no metadata {groups!r}; give the labels, as "
            f"params={{{groups!r}: labels}} of cross_validate, or {groups}=labels of fit."
        )
    return float(getattr(measure(y_true, y_pred, labels), value))
