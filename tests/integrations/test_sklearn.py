"""Scorers of scikit-learn that compare groups, as its own searches and validations call them."""

import pickle
from collections.abc import Iterator

import fairlearn.metrics as fairlearn
import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, recall_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

from fair_datasets import InputError
from fair_datasets.integrations.sklearn import make_group_scorer
from fair_datasets.measures import UndefinedMeasureWarning

DRAWN = np.random.default_rng(0)
ROWS = 240
X = DRAWN.normal(size=(ROWS, 3))
GENDER = DRAWN.choice(["man", "woman"], ROWS)
Y = (X[:, 0] + 0.8 * (GENDER == "woman") + DRAWN.normal(size=ROWS) > 0).astype(int)
FAMILIES = np.arange(ROWS) // 2
MODEL = LogisticRegression()
FOLDS = GroupKFold(3)


@pytest.fixture(autouse=True)
def routing() -> Iterator[None]:
    """Switch metadata routing on."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def in_folds(measure: object, **options: object) -> list[float]:
    """Do by hand what `cross_validate` does."""
    found = []
    for train, test in FOLDS.split(X, Y, FAMILIES):
        said = MODEL.fit(X[train], Y[train]).predict(X[test])
        found.append(measure(Y[test], said, sensitive_features=GENDER[test], **options))
    return found


@pytest.mark.parametrize(("metric", "value", "oracle", "sign"), [
    ("demographic_parity", "difference", fairlearn.demographic_parity_difference, -1),
    ("demographic_parity", "ratio", fairlearn.demographic_parity_ratio, 1),
    ("equal_opportunity", "difference", fairlearn.equal_opportunity_difference, -1),
    ("f1_score", "difference", fairlearn.make_derived_metric(
        metric=f1_score, transform="difference"), -1),
    ("f1_score", "worst", fairlearn.make_derived_metric(metric=f1_score, transform="group_min"), 1),
    ("zero_one_loss", "worst", fairlearn.make_derived_metric(
        metric=sklearn.metrics.zero_one_loss, transform="group_max"), -1),
])  # fmt: skip
def test_each_fold_has_the_value_of_fairlearn(
    metric: str, value: str, oracle: object, sign: int
) -> None:
    """Negated where less is better; `GroupKFold` gets its own groups beside."""
    scorer = make_group_scorer(metric, groups="gender", value=value)
    params = {"gender": GENDER, "groups": FAMILIES}
    found = cross_validate(MODEL, X, Y, scoring=scorer, cv=FOLDS, params=params)["test_score"]
    assert found.tolist() == pytest.approx([sign * each for each in in_folds(oracle)])


def test_a_search_takes_the_groups_in_fit() -> None:
    """Several scorers, of which one asks for them; the choice may be by the gap."""
    scoring = {"gap": make_group_scorer("demographic_parity", groups="gender"), "f1": "f1"}
    search = GridSearchCV(MODEL, {"C": [1e-4, 0.1, 1]}, scoring=scoring, refit="gap", cv=FOLDS)
    search.fit(X, Y, gender=GENDER, groups=FAMILIES)
    gaps = search.cv_results_["mean_test_gap"]
    assert search.best_params_["C"] == [1e-4, 0.1, 1][int(np.argmax(gaps))]
    alone = cross_validate(
        MODEL.set_params(C=0.1), X, Y, scoring=scoring["gap"], cv=FOLDS,
        params={"gender": GENDER, "groups": FAMILIES},
    )  # fmt: skip
    assert gaps[1] == pytest.approx(alone["test_score"].mean())


def test_options_and_probabilities() -> None:
    """They reach the measure, here of labels that are texts, and what is asked of the model."""
    said = np.where(Y, "yes", "no")
    asked = {"gender": GENDER, "groups": FAMILIES}
    parity = make_group_scorer("demographic_parity", groups="gender", positive="yes")
    numbers = make_group_scorer("demographic_parity", groups="gender")
    texts, classes = (
        cross_validate(MODEL, X, labels, scoring=scorer, cv=FOLDS, params=asked)["test_score"]
        for labels, scorer in ((said, parity), (Y, numbers))
    )
    assert texts.tolist() == classes.tolist()
    loss = make_group_scorer(
        "log_loss", groups="gender", value="worst", response_method="predict_proba"
    )
    found = cross_validate(MODEL, X, Y, scoring=loss, cv=FOLDS, params=asked)["test_score"]
    whole = cross_validate(
        MODEL, X, Y, scoring="neg_log_loss", cv=FOLDS, params={"groups": FAMILIES}
    )
    assert (found < whole["test_score"]).all()


def test_a_function_of_ones_own_says_which_way_is_better() -> None:
    """Of a function of scikit-learn its name does."""

    def misses(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        return 1 - recall_score(y_true, y_pred)

    with pytest.raises(InputError, match="worst must say which value of misses is the worst"):
        make_group_scorer(misses, groups="gender")
    model = MODEL.fit(X, Y)
    scores = [
        make_group_scorer(metric, groups="gender", value="worst", greater_is_better=better)(
            model, X, Y, gender=GENDER
        )
        for metric, better in ((misses, False), (recall_score, None))
    ]
    assert scores[0] == pytest.approx(scores[1] - 1)


def test_it_works_in_several_processes() -> None:
    """As scorers do."""
    scorer = make_group_scorer("f1_score", groups="gender")
    again = pickle.loads(pickle.dumps(scorer))
    model = MODEL.fit(X, Y)
    assert again(model, X, Y, gender=GENDER) == scorer(model, X, Y, gender=GENDER)


def test_a_fold_in_which_a_group_has_no_value_is_nan() -> None:
    """And a warning names the group."""
    rare = np.where(np.arange(ROWS) < ROWS - 1, "man", "woman")
    labels = np.where(rare == "woman", 0, Y)
    scorer = make_group_scorer("recall_score", groups="gender")
    with pytest.warns(UndefinedMeasureWarning, match="recall_score is not defined for group 'wom"):
        assert np.isnan(scorer(MODEL.fit(X, labels), X, labels, gender=rare))
    scorer = make_group_scorer("recall_score", groups="gender", undefined="raise")
    with pytest.raises(InputError, match="recall_score is not defined for group 'woman'"):
        scorer(MODEL, X, labels, gender=rare)
