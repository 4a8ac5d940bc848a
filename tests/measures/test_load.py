"""One way to call all measures that compare groups."""

import pickle

import pytest

from fair_datasets.measures import (
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    group_metric,
    predictive_parity,
)
from fair_datasets.measures.load import PARITY, measure_of_groups

Y_TRUE, Y_PRED, GROUPS = [1, 0, 1, 1], [1, 1, 0, 1], ["a", "a", "b", "b"]
WHOLE = (Y_TRUE, Y_PRED, GROUPS)
EXPECTED = {"demographic_parity": demographic_parity(Y_PRED, GROUPS),
    "equal_opportunity": equal_opportunity(*WHOLE),
    "equalized_odds": equalized_odds(*WHOLE, undefined="zero"),
    "predictive_parity": predictive_parity(*WHOLE)}  # fmt: skip


@pytest.mark.parametrize("name", PARITY)
def test_a_parity(name: str) -> None:
    """By its name, also in another process."""
    options = {"undefined": "zero"} if name == "equalized_odds" else {}
    measure = pickle.loads(pickle.dumps(measure_of_groups(name, options)))
    assert repr(measure(*WHOLE)) == repr(EXPECTED[name])


def test_all_else_is_a_metric_by_group() -> None:
    """With the options of `group_metric`."""
    measure = measure_of_groups("f1_score", {"method": "to_overall"})
    assert measure(*WHOLE) == group_metric("f1_score", *WHOLE, method="to_overall")
