"""What an unpleasant reviewer asks of intervals: are they of the number that stands beside them?

Each is compared with rows that are drawn anew, of which the same number is computed, by code that
shares nothing with it; and rows that stand there four times as one family have the interval of one.
A module that prints an interval and is in no table fails.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets import load_metric
from fair_datasets.auditing.intervals import (
    groups_difference,
    independent_rows,
    versions_difference,
    wilson,
)
from fair_datasets.auditing.paired import Answer, paired_figures
from fair_datasets.measures import (
    available_metrics,
    bias_distribution,
    confidence_interval,
    counterfactual_demographic_parity,
    counterfactual_flip_rate,
    crows_pairs,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    group_metric,
    label_association,
    name_sensitivity,
    predictive_parity,
    preference_flip_rate,
)

SIZE, COPIES = 400, 4
Rows = Mapping[str, NDArray[Any]]
Ends = tuple[float, float, float]


def made_rows() -> Rows:
    """Make rows of two groups, which a model treats unlike, with twins and placebos."""
    draw = np.random.default_rng(11)
    groups = draw.integers(0, 2, SIZE)
    truth = (draw.random(SIZE) < 0.5).astype(int)
    # Far enough apart that no interval ends at 0, where it would be cut.
    said = (draw.random(SIZE) < 0.1 + 0.5 * truth + groups * (0.45 - 0.2 * truth)).astype(int)
    flips = draw.random(SIZE) < 0.35
    return {
        "groups": groups,
        "truth": truth,
        "said": said,
        "twin": np.where(flips & (draw.random(SIZE) < 0.8), 1, np.where(flips, 1 - said, said)),
        "placebo": (draw.random((SIZE, 60)) < 0.15).astype(int),
        "score": draw.gamma(2.0, 1.0, SIZE),
    }


ROWS = made_rows()


class Claim(NamedTuple):
    """A number with an interval.

    Attributes:
        found: Rows and their families, or None, to the number and the ends of its interval.
        value: Rows to the number, by other code.
        scale: What makes the interval symmetric.
    """

    found: Callable[[Rows, Any], Ends]
    value: Callable[[Rows], float]
    scale: Callable[[float], float] = float


def rates(rows: Rows, among: Any, counted: Any) -> list[float]:
    """Return the rate of each group."""
    return [float(counted[among & (rows["groups"] == group)].mean()) for group in (0, 1)]


def selected(rows: Rows) -> list[float]:
    """Return the selection rates."""
    return rates(rows, np.ones_like(rows["said"], bool), rows["said"])


def of_parity(measure: Any, *columns: str, statistic: Any = "difference") -> Any:
    """Return the number and interval of a measure of groups."""

    def found(rows: Rows, families: Any) -> Ends:
        arrays = [rows[name] for name in columns]
        parity = measure(*arrays, rows["groups"], families=families)
        interval = confidence_interval(parity, statistic=statistic, n_resamples=400)
        return getattr(parity, statistic), interval.low, interval.high

    return found


def apart(values: list[float]) -> float:
    """Return how far two rates lie apart."""
    return abs(values[0] - values[1])


def precision(truth: NDArray[Any], said: NDArray[Any]) -> float:
    """Return the precision, in a thousandth of the time of scikit-learn's."""
    return float(truth[said == 1].mean())


def of_versions(rows: Rows, families: Any) -> Ends:
    """Compare a text with its twin, as the measures do."""
    parity = counterfactual_demographic_parity(
        rows["said"], rows["twin"], families=families
    ).all_rows
    interval = confidence_interval(parity, n_resamples=400)
    return parity.difference, interval.low, interval.high


def of_flips(rows: Rows, families: Any) -> Ends:
    """Return what exceeds the placebos, as `counterfactual_flip_rate` does."""
    found = counterfactual_flip_rate(
        rows["said"], rows["twin"], control_predictions=np.zeros_like(rows["placebo"]),
        control_counterfactual_predictions=rows["placebo"], families=families,
    ).control  # fmt: skip
    assert found is not None
    return found.flip_rate_excess, found.low, found.high


def of_preferences(rows: Rows, families: Any) -> Ends:
    """Return the same of preferences."""
    found = preference_flip_rate(
        rows["said"] - 0.5, rows["twin"] - 0.5,
        control_differences=np.full_like(rows["placebo"], -1.0, float),
        control_counterfactual_differences=rows["placebo"] - 0.5, families=families,
    ).control  # fmt: skip
    assert found is not None
    return found.flip_rate_excess, found.low, found.high


def excess(rows: Rows) -> float:
    """Return the same by hand; the draws stay as they are."""
    return float((rows["said"] != rows["twin"]).mean() - rows["placebo"].mean())


def of_names(rows: Rows, families: Any) -> Ends:
    """Return what exceeds the placebo, of two names of each of two cultures."""
    several = [rows["placebo"][:, 0], rows["placebo"][:, 1], rows["said"], rows["twin"]]
    size = len(rows["said"])
    found = name_sensitivity(
        np.concatenate(several), np.tile(np.arange(size), 4), np.repeat([0, 0, 1, 1], size),
        np.zeros(4 * size, int), np.repeat([0, 1, 2, 3], size),
        families=None if families is None else np.tile(families, 4),
    )  # fmt: skip
    return found.flip_rate_excess, found.low, found.high


def excess_of_names(rows: Rows) -> float:
    """Return the same by hand."""
    one, other = rows["placebo"][:, :2].T, np.stack([rows["said"], rows["twin"]])
    between = np.mean([(a != b).mean() for a in one for b in other])
    return float(between - ((one[0] != one[1]).mean() + (other[0] != other[1]).mean()) / 2)


def of_labels(rows: Rows, families: Any) -> Ends:
    """Return the odds ratio of a label in the rows that mention an attribute."""
    counts = np.stack([rows["groups"], 1 - rows["groups"]], axis=1)
    several = label_association(counts, ["a", "b"], rows["said"], families=families)
    found = next(each for each in several if (each.attribute, each.label) == ("a", 1))
    return found.odds_ratio, found.odds_ratio_low, found.odds_ratio_high


def odds(rows: Rows) -> float:
    """Return the same by hand."""
    one, other = selected(rows)
    return other / (1 - other) / (one / (1 - one))


def of_scores(rows: Rows, families: Any) -> Ends:
    """Return the share of scores above one that is given."""
    found = bias_distribution(rows["score"], threshold=2.0, families=families)
    assert found.interval is not None
    return found.share_above, *found.interval


def of_pairs(rows: Rows, families: Any) -> Ends:
    """Return how often the sentence of a stereotype wins, of which some are neutral."""
    size = len(rows["said"])
    more = rows["said"] + 0.5 * (rows["truth"] & (1 - rows["said"]))
    directions = ["stereo" if each else "antistereo" for each in rows["groups"].tolist()]
    kinds = ["gender"] * size
    found = crows_pairs(more, np.full(size, 0.5), directions, kinds, families=families).overall
    return found.score, *found.interval


def of_twins(figure: str) -> Callable[[Rows, Any], Ends]:
    """Return a figure of a benchmark and its twins."""

    def found(rows: Rows, families: Any) -> Ends:
        answers = []
        for row in range(len(rows["said"])):
            own = None if families is None else int(families[row])
            direction = 1 if rows["groups"][row] else -1
            said = {"original": rows["said"][row], "twin": rows["twin"][row]}
            for draw in range(8):
                number = "" if not draw else f"_{draw + 1}"
                said[f"control{number}"] = 0
                said[f"control_twin{number}"] = rows["placebo"][row, draw]
            answers += [
                Answer(row, name, int(each), float(each == rows["truth"][row]), direction, own)
                for name, each in said.items()
            ]
        all_figures = paired_figures(answers)
        return tuple(all_figures[f"{figure}{end}"] for end in ("", "_low", "_high"))  # type: ignore[return-value]

    return found


def direction(rows: Rows) -> float:
    """Return how much more often the first attribute's versions are right."""
    right, other = rows["said"] == rows["truth"], rows["twin"] == rows["truth"]
    sign = np.where(rows["groups"] == 1, 1, -1)
    return float((sign * (right.astype(int) - other)).mean())


def of_an_audit(kind: str) -> Callable[[Rows, Any], Ends]:
    """Return a share, or the distance of groups or of versions, as an audit does."""

    def found(rows: Rows, families: Any) -> Ends:
        counted = np.stack([rows["said"], rows["twin"]], axis=1).astype(bool)
        flips = counted[:, 0] != counted[:, 1]
        if kind == "share":
            own = None if families is None else independent_rows(flips, families)
            return flips.mean(), *wilson(int(flips.sum()), len(flips), independent=own)
        if kind == "groups":
            parts = [rows["groups"] == group for group in (0, 1)]
            said = [rows["said"][part] for part in parts]
            worth = None
            if families is not None:
                worth = [independent_rows(own, families[part])
                         for own, part in zip(said, parts, strict=True)]  # fmt: skip
            events, sizes = [int(own.sum()) for own in said], [len(own) for own in said]
            return groups_difference(events, sizes, independent=worth)[:3]
        return versions_difference(counted, families=families)[:3]

    return found


def flip_rate(rows: Rows) -> float:
    """Return how often predictions differ."""
    return float((rows["said"] != rows["twin"]).mean())


def between(rows: Rows) -> float:
    """Return how far the two versions lie apart."""
    return abs(float(rows["said"].mean() - rows["twin"].mean()))


def among(rows: Rows, column: str, value: int) -> Any:
    """Return which rows have a value."""
    return rows[column] == value


CLAIMS: Mapping[str, Claim] = {
    "demographic_parity": Claim(
        of_parity(demographic_parity, "said"), lambda rows: apart(selected(rows))
    ),
    "demographic_parity, score": Claim(
        of_parity(demographic_parity, "said", statistic="score"),
        lambda rows: 1 - apart(selected(rows)),
    ),
    "demographic_parity, ratio": Claim(
        of_parity(demographic_parity, "said", statistic="ratio"),
        lambda rows: min(selected(rows)) / max(selected(rows)), scale=math.log,
    ),
    "equal_opportunity": Claim(
        of_parity(equal_opportunity, "truth", "said"),
        lambda rows: apart(rates(rows, among(rows, "truth", 1), rows["said"])),
    ),
    "equalized_odds": Claim(
        of_parity(equalized_odds, "truth", "said"),
        lambda rows: max(
            apart(rates(rows, among(rows, "truth", each), rows["said"])) for each in (0, 1)
        ),
    ),
    "predictive_parity": Claim(
        of_parity(predictive_parity, "truth", "said"),
        lambda rows: apart(rates(rows, among(rows, "said", 1), 1 - rows["truth"])),
    ),
    "group_metric": Claim(
        lambda rows, families: of_parity(
            lambda *columns, **given: group_metric(precision, *columns, worst="lowest", **given),
            "truth", "said",
        )(rows, families),
        lambda rows: apart(rates(rows, among(rows, "said", 1), rows["truth"])),
    ),
    "counterfactual_demographic_parity": Claim(of_versions, between),
    "counterfactual_flip_rate": Claim(of_flips, excess),
    "preference_flip_rate": Claim(of_preferences, excess),
    "name_sensitivity": Claim(of_names, excess_of_names),
    "label_association": Claim(of_labels, odds, scale=math.log),
    "bias_score": Claim(of_scores, lambda rows: float((rows["score"] > 2).mean())),
    "crows_pairs": Claim(of_pairs, lambda rows: 100 * float(rows["said"].mean())),
    "twins, flip_rate": Claim(of_twins("flip_rate"), flip_rate),
    "twins, flip_rate_excess": Claim(
        of_twins("flip_rate_excess"),
        lambda rows: flip_rate(rows) - float(rows["placebo"][:, :8].mean()),
    ),
    "twins, directional_difference": Claim(of_twins("directional_difference"), direction),
    "audit, share": Claim(of_an_audit("share"), flip_rate),
    "audit, groups": Claim(of_an_audit("groups"), lambda rows: apart(selected(rows))),
    "audit, versions": Claim(of_an_audit("versions"), between),
}  # fmt: skip
"""Each interval; of the modules, that of their own name."""


APART = {"bbq"}
"""Measures whose families are told by their rows: see `test_bbq.py`."""


def test_every_module_that_prints_an_interval_is_in_the_table() -> None:
    """And each can be told of families."""
    modules = {name: load_metric(name) for name in available_metrics()}
    told = {name: str(module.RETURNS).lower() for name, module in modules.items()}
    printed = {name for name, text in told.items() if "interval" in text}
    assert printed - APART == CLAIMS.keys() & modules.keys()
    for name in printed - APART:
        assert "families" in inspect.signature(modules[name]._compute).parameters, name


@pytest.mark.parametrize("name", CLAIMS)
def test_an_interval_is_of_the_number_that_is_printed(name: str) -> None:
    """It holds the number, and is as wide as that number varies in rows that are drawn anew."""
    claim, generator = CLAIMS[name], np.random.default_rng(12)
    value, low, high = claim.found(ROWS, None)
    assert value == pytest.approx(claim.value(ROWS))
    assert low < value < high
    drawn = []
    for _ in range(600):
        places = generator.integers(0, SIZE, SIZE)
        again = {column: values[places] for column, values in ROWS.items()}
        drawn.append(claim.scale(claim.value(again)))
    reach = (claim.scale(high) - claim.scale(low)) / 2 / 1.959964
    assert reach == pytest.approx(np.std(drawn), rel=0.2)


@pytest.mark.parametrize("name", CLAIMS)
def test_rows_of_one_family_are_drawn_together(name: str) -> None:
    """Four copies of each row tell as much as one; taken apart, the interval halves."""
    claim = CLAIMS[name]
    families = np.repeat(np.arange(SIZE), COPIES)
    copied = {column: np.repeat(values, COPIES, axis=0) for column, values in ROWS.items()}
    widths = []
    for rows, own in ((ROWS, None), (copied, families), (copied, None)):
        value, low, high = claim.found(rows, own)
        assert value == pytest.approx(claim.value(ROWS))
        widths.append(claim.scale(high) - claim.scale(low))
    once, whole, apart_ = widths
    assert whole == pytest.approx(once, rel=0.12)
    assert apart_ == pytest.approx(once / math.sqrt(COPIES), rel=0.15)
