"""The measure of names: by hand, by another library, and under a null of any kind of names."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.measures import NameSensitivity, UndefinedMeasureWarning, name_sensitivity
from fair_datasets.measures.name_sensitivity import _median_of_others

CULTURES, GENDERS = ("a", "b", "c"), ("m", "w")


def versions(rows: int, names: int, cultures: Any = CULTURES) -> dict[str, Any]:
    """Return the columns of rows under the same names of each culture and gender."""
    every = itertools.product(range(rows), cultures, GENDERS, range(names))
    found = zip(*((r, c, g, f"{c}{g}{n}") for r, c, g, n in every), strict=True)
    return dict(zip(("rows", "cultures", "genders", "names"), map(np.array, found), strict=True))


def weights(columns: dict[str, Any], draw: np.random.Generator, spread: Any) -> Any:
    """Draw a weight of each name, and return that of each version."""
    names, code = np.unique(columns["names"], return_inverse=True)
    return (draw.normal(size=len(names)) * spread(names))[code]


def measured(columns: dict[str, Any], scores: Any, **options: Any) -> NameSensitivity:
    """Predict 1 above 0, and measure."""
    return name_sensitivity((scores > 0).astype(int), **columns, scores=scores, **options)


def test_figures_by_hand() -> None:
    """Of one row under two names of each culture and gender."""
    columns = versions(1, 2, "ab")
    scores = np.array([1.0, -1.0, 2.0, 4.0, 3.0, 5.0, -1.0, -3.0])
    found = measured(columns, scores)
    # a: m 1 -1, w 2 4; b: m 3 5, w -1 -3.
    assert found.any_flip_rate == 1.0
    pairs = {"m": (2 / 4, 1 / 2), "w": (4 / 4, 0.0)}
    assert found.flip_rate == pytest.approx((2 + 4) / 8)
    assert found.flip_rate_control == pytest.approx((1 + 0) / 4)
    assert len(pairs) == 2
    # Within the gender: (0 - 4) and (3 - -2), and the mean of both.
    assert found.cultures["a"].score_shift == pytest.approx((-4 + 5) / 2)
    assert found.cultures["b"].score_shift == pytest.approx(-0.5)
    # Within the culture: (3 - 0) and (-2 - 4).
    assert found.gender is not None
    assert found.gender.score_shift == pytest.approx((3 - 6) / 2)
    every = [np.var([1, -1, 3, 5], ddof=1), np.var([2, 4, -1, -3], ddof=1)]
    assert found.spread == pytest.approx(np.sqrt(np.mean(every)))
    assert found.spread_control == pytest.approx(np.sqrt(2))
    assert (found.rows, found.names) == (1, 8)


def test_effects_are_those_of_a_regression() -> None:
    """Rows lack some names, so that means of rows would mix them up; statsmodels fits dummies."""
    formula = pytest.importorskip("statsmodels.formula.api")
    import pandas as pd

    draw, columns = np.random.default_rng(0), versions(12, 3)
    kept = draw.random(len(columns["rows"])) < 0.6
    columns = {name: each[kept] for name, each in columns.items()}
    scores = draw.normal(size=kept.sum()) + 3.0 * columns["rows"]
    found = measured(columns, scores)
    table = pd.DataFrame({**columns, "scores": scores})
    table["blocks"] = table["rows"].astype(str) + table["genders"]
    shifts = []
    for _, part in table.groupby("genders"):
        fit = formula.ols("scores ~ C(blocks) + C(names)", part).fit()
        own = {name: fit.params.get(f"C(names)[T.{name}]", 0.0) for name in part["names"].unique()}
        means = {c: np.mean([e for n, e in own.items() if n[0] == c]) for c in CULTURES}
        shifts.append(means["a"] - np.median([means["b"], means["c"]]))
    assert found.cultures["a"].score_shift == pytest.approx(np.mean(shifts), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "spread"),
    {
        "all names known": lambda names: np.ones(len(names)),
        "names of one culture known": lambda names: np.char.startswith(names, "a").astype(float),
        "some names known": lambda names: (np.arange(len(names)) % 5 == 0).astype(float),
        "some count for more": lambda names: np.where(np.arange(len(names)) % 7 == 0, 5.0, 1.0),
    }.items(),
)
def test_weights_of_names_by_chance_are_no_effect(name: str, spread: Any) -> None:
    """Though they are the same in all rows: of 20 classifiers few are called at .05."""
    columns = versions(20, 8, "abcdef")
    called = 0
    for seed in range(20):
        draw = np.random.default_rng(seed)
        rows = draw.normal(size=20)[columns["rows"]]
        found = measured(columns, rows + weights(columns, draw, spread), seed=seed)
        several = [*found.cultures.values(), found.gender]
        called += any(each is not None and (each.p_value or 1.0) <= 0.05 for each in several)
    # 1 is expected; 4 or more would be there in one of sixty runs.
    assert called < 4, name


def test_names_of_one_culture_are_found_and_no_other() -> None:
    """Also where they are the only ones that the classifier knows."""
    columns = versions(60, 20, "abcdef")
    for seed in range(5):
        draw = np.random.default_rng(seed)
        known = weights(columns, draw, lambda names: 0.3 * np.char.startswith(names, "a"))
        scores = draw.normal(size=60)[columns["rows"]] + known - (columns["cultures"] == "a")
        found = measured(columns, scores, seed=seed)
        below = {name for name, each in found.cultures.items() if (each.p_value or 1.0) <= 0.01}
        assert below == {"a"}
        assert found.cultures["a"].flip_rate_excess > 0.05 > found.flip_rate_excess - 0.1


def test_tails_show_what_the_mean_misses() -> None:
    """One culture is preferred in half of the rows, and the other in the rest."""
    columns = versions(40, 3, "ab")
    sign = np.where(columns["rows"] % 2, 1.0, -1.0) * np.where(columns["cultures"] == "a", 1, -1)
    found = measured(columns, sign)
    assert found.cultures["a"].score_shift == pytest.approx(0)
    assert (found.any_flip_rate, found.flip_rate, found.flip_rate_control) == (1.0, 1.0, 0.0)
    assert found.spread_control == 0.0 < (found.spread or 0.0)


def test_genders_are_compared_where_only_the_name_tells_them() -> None:
    """A pronoun that weighs as much as a name would be taken for all names of women."""
    columns = versions(20, 4)
    only = columns["rows"] % 2
    pronoun = (columns["genders"] == "w") * (1 - only) * 5.0
    noise = weights(columns, np.random.default_rng(0), lambda names: np.ones(len(names)))
    found = measured(columns, pronoun + noise, only_names=only)
    alone = {name: each[only == 1] for name, each in columns.items()}
    without = measured(alone, noise[only == 1])
    assert found.gender is not None
    assert without.gender is not None
    assert found.gender.score_shift == pytest.approx(without.gender.score_shift)
    assert measured(columns, noise, only_names=0 * only).gender is None


def test_what_is_not_there() -> None:
    """No scores of classes that are texts, one culture, one gender, one name of each."""
    columns = versions(10, 2)
    said = np.where(columns["rows"] % 2, "yes", "no")
    found = name_sensitivity(said, **columns)
    assert (found.spread, found.cultures["a"].score_shift, found.cultures["a"].p_value) == (
        None, None, None,
    )  # fmt: skip
    assert (found.any_flip_rate, found.flip_rate) == (0.0, 0.0)
    ones = np.ones(len(said), int)
    with pytest.warns(UndefinedMeasureWarning, match="names of two cultures"):
        alone = name_sensitivity(ones, **{**columns, "cultures": ones})
    assert alone.cultures == {}
    assert np.isnan(alone.flip_rate)
    single = name_sensitivity(ones, **{**columns, "genders": ones})
    assert single.gender is None
    with pytest.raises(InputError, match="no row has names of two groups"):
        name_sensitivity([0, 1], [0, 0], ["a", "b"], ["m", "m"], ["x", "y"], undefined="raise")


@settings(max_examples=4)
@given(st.integers(0, 1000))
def test_order_and_names_of_groups_change_nothing(seed: int) -> None:
    """Nor does a constant that is added to all scores of a row."""
    draw, columns = np.random.default_rng(seed), versions(5, 2)
    scores = draw.normal(size=len(columns["rows"])).round(2)
    order = draw.permutation(len(scores))
    said = (scores > 0).astype(int)
    first = name_sensitivity(said, **columns, scores=scores)
    moved = {name: each[order] for name, each in columns.items()}
    shifted = scores[order] + 7.0 * moved["rows"]
    second = name_sensitivity(said[order], **moved, scores=shifted)
    assert first.flip_rate == pytest.approx(second.flip_rate)
    assert first.spread == pytest.approx(second.spread, abs=1e-6)
    for name, each in first.cultures.items():
        other = second.cultures[name]
        assert each.score_shift == pytest.approx(other.score_shift, abs=1e-6)
        assert each.flip_rate_excess == pytest.approx(other.flip_rate_excess)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8))
def test_median_of_others(values: list[int]) -> None:
    """As NumPy has it, one by one."""
    found = _median_of_others(np.array([values], float))
    others = [np.median(np.delete(values, place)) for place in range(len(values))]
    assert found[0].tolist() == others
