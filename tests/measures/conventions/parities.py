"""Other packages' calls for parities, odds and impact ratios: one function a package.

Each returns, for a measure, what computes it of a case, and the package's function. `a` is the
privileged or reference group of those that ask for one. Imports stand inside, as each package has
an environment of its own.
"""

from collections.abc import Mapping
from typing import Any

Case = Mapping[str, Any]


def labels(case: Case) -> list[str | None]:
    """Return the group of each row, None where it is missing."""
    return [None if label == "?" else label for label in case["groups"]]


def fairlearn() -> dict[str, Any]:
    """Return fairlearn's."""
    from fairlearn import metrics as m

    def call(function: Any) -> tuple[Any, Any]:
        return lambda c: function(c["y_true"], c["y_pred"], sensitive_features=labels(c)), function

    return {
        "demographic_parity": call(m.demographic_parity_difference),
        "impact_ratio": call(m.demographic_parity_ratio),
        "equal_opportunity": call(m.equal_opportunity_difference),
        "equal_opportunity_ratio": call(m.equal_opportunity_ratio),
        "equalized_odds": call(m.equalized_odds_difference),
    }


def aif360() -> dict[str, Any]:
    """Return aif360's functions of arrays."""
    import numpy as np
    from aif360.sklearn import metrics as m

    def call(function: Any) -> tuple[Any, Any]:
        def compute(c: Case) -> Any:
            columns = np.array(c["y_true"]), np.array(c["y_pred"])
            return function(*columns, prot_attr=np.array(labels(c)), priv_group="a")

        return compute, function

    return {
        "demographic_parity": call(m.statistical_parity_difference),
        "impact_ratio": call(m.disparate_impact_ratio),
        "equal_opportunity": call(m.equal_opportunity_difference),
        "equalized_odds": call(m.average_odds_difference),
    }


def aif360_method() -> Any:
    """Return what makes a call of a method of aif360's datasets, whose groups are numbers."""
    import pandas as pd
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import ClassificationMetric as Metric

    def dataset(c: Case, label: str) -> Any:
        groups = [{"a": 0.0, "b": 1.0, "c": 2.0}.get(str(each)) for each in labels(c)]
        table = pd.DataFrame({"group": groups, "label": c[label]}, dtype=float)
        return BinaryLabelDataset(df=table, label_names=["label"],
                                  protected_attribute_names=["group"])  # fmt: skip

    def call(name: str) -> tuple[Any, Any]:
        def compute(c: Case) -> Any:
            metric = Metric(dataset(c, "y_true"), dataset(c, "y_pred"),
                            unprivileged_groups=[{"group": 1.0}],
                            privileged_groups=[{"group": 0.0}])  # fmt: skip
            return getattr(metric, name)()

        return compute, getattr(Metric, name)

    return call


def aif360_metric() -> dict[str, Any]:
    """Return aif360's methods of a dataset."""
    call = aif360_method()
    return {
        "demographic_parity": call("statistical_parity_difference"),
        "impact_ratio": call("disparate_impact"),
        "equal_opportunity": call("equal_opportunity_difference"),
        "equalized_odds": call("equalized_odds_difference"),
    }


def aif360_mean() -> dict[str, Any]:
    """Return the mean of odds of a dataset, which stands beside their largest difference."""
    return {"equalized_odds": aif360_method()("average_odds_difference")}


def aequitas() -> dict[str, Any]:
    """Return aequitas's disparities, which are ratios to the reference group."""
    import pandas as pd
    from aequitas.bias import Bias
    from aequitas.group import Group

    def call(name: str) -> tuple[Any, Any]:
        def compute(c: Case) -> Any:
            table = pd.DataFrame(
                {"score": c["y_pred"], "label_value": c["y_true"], "group": labels(c)}
            )
            counts, _ = Group().get_crosstabs(table, attr_cols=["group"])
            made = Bias().get_disparity_predefined_groups(
                counts, original_df=table, ref_groups_dict={"group": "a"}
            )
            return made.set_index("attribute_value").loc["b", name]

        return compute, Bias.get_disparity_predefined_groups

    return {
        "impact_ratio": call("pprev_disparity"),
        "equal_opportunity_ratio": call("tpr_disparity"),
    }


def aequitas_flow() -> dict[str, Any]:
    """Return those of aequitas's benchmarks, which compare the highest and the lowest rate."""
    import importlib.util
    from pathlib import Path

    import aequitas
    import pandas as pd

    # The package around it needs the extra "flow", with optuna, hydra and LightGBM.
    file = Path(str(aequitas.__file__)).parent / "flow" / "evaluation" / "fairness.py"
    spec = importlib.util.spec_from_file_location("aequitas.flow.evaluation.fairness", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def call(name: str) -> tuple[Any, Any]:
        def compute(c: Case) -> Any:
            columns = (pd.Series(each) for each in (c["y_true"], c["y_pred"], labels(c)))
            return module.evaluate_fairness(*columns)[name]

        return compute, module.evaluate_fairness

    return {
        "demographic_parity": call("pprev_diff"),
        "impact_ratio": call("pprev_ratio"),
        "equal_opportunity": call("tpr_diff"),
        "equal_opportunity_ratio": call("tpr_ratio"),
    }


def jurity() -> dict[str, Any]:
    """Return jurity's, whose memberships are numbers."""
    from jurity.fairness import BinaryFairnessMetrics as Metrics

    def members(c: Case) -> list[Any]:
        return [{"a": 0, "b": 1, "c": 2, None: None}[each] for each in labels(c)]

    return {
        "demographic_parity": (
            lambda c: Metrics.StatisticalParity.get_score(c["y_pred"], members(c)),
            Metrics.StatisticalParity.get_score,
        ),
        "impact_ratio": (
            lambda c: Metrics.DisparateImpact.get_score(c["y_pred"], members(c)),
            Metrics.DisparateImpact.get_score,
        ),
        "equal_opportunity": (
            lambda c: Metrics.EqualOpportunity.get_score(c["y_true"], c["y_pred"], members(c)),
            Metrics.EqualOpportunity.get_score,
        ),
        "equalized_odds": (
            lambda c: Metrics.AverageOdds.get_score(c["y_true"], c["y_pred"], members(c)),
            Metrics.AverageOdds.get_score,
        ),
    }


def holisticai() -> dict[str, Any]:
    """Return holisticai's of the group b beside a, which are two columns of 0 and 1."""
    import numpy as np
    from holisticai.bias import metrics as m

    def sides(c: Case) -> list[Any]:
        return [np.array([int(label == side) for label in labels(c)]) for side in "ba"]

    def call(function: Any, *columns: str) -> tuple[Any, Any]:
        return lambda c: function(*sides(c), *(np.array(c[name]) for name in columns)), function

    return {
        "demographic_parity": call(m.statistical_parity, "y_pred"),
        "impact_ratio": call(m.disparate_impact, "y_pred"),
        "equal_opportunity": call(m.equal_opportunity_diff, "y_pred", "y_true"),
        "equalized_odds": call(m.average_odds_diff, "y_pred", "y_true"),
    }


def fairlms() -> dict[str, Any]:
    """Return fairlms's."""
    from fairlms.metrics.functional import equal_opportunity_gap as gap

    return {"equal_opportunity": (lambda c: gap(c["y_true"], c["y_pred"], labels(c)), gap)}


def fairpipe() -> dict[str, Any]:
    """Return fairpipe's, for groups of any size; by default it leaves out those below 30 rows."""
    from fairness_pipeline_dev_toolkit.metrics.core import FairnessAnalyzer

    asked = {"with_ci": False, "with_effect_size": False}

    def analyzer() -> Any:
        return FairnessAnalyzer(min_group_size=1)

    return {
        "demographic_parity": (
            lambda c: analyzer().demographic_parity_difference(
                c["y_pred"], labels(c), **asked
            ).value,
            FairnessAnalyzer.demographic_parity_difference,
        ),
        "impact_ratio": (
            lambda c: analyzer().demographic_parity_difference(
                c["y_pred"], labels(c), with_ci=False, with_effect_size=True
            ).effect_size,
            FairnessAnalyzer.demographic_parity_difference,
        ),
        "equalized_odds": (
            lambda c: analyzer().equalized_odds_difference(
                c["y_true"], c["y_pred"], labels(c), **asked
            ).value,
            FairnessAnalyzer.equalized_odds_difference,
        ),
    }  # fmt: skip


def langfair() -> dict[str, Any]:
    """Return langfair's, which compare false negative rates in place of true positive rates."""
    import numpy as np
    from langfair.metrics.classification import metrics as m

    def call(kind: Any, *columns: str, ratio: bool = False) -> tuple[Any, Any]:
        def compute(c: Case) -> Any:
            given = [np.array(c[name]) for name in columns]
            return kind().evaluate(np.array(labels(c)), *given, ratio=ratio)

        return compute, kind.evaluate

    return {
        "demographic_parity": call(m.PredictedPrevalenceRateParity, "y_pred"),
        "impact_ratio": call(m.PredictedPrevalenceRateParity, "y_pred", ratio=True),
        "equal_opportunity": call(m.FalseNegativeRateParity, "y_pred", "y_true"),
    }
