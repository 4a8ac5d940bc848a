"""What the figures of a diet come to, in words."""

import math
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.selection.diet import DietResult
from fair_datasets.selection.diet.diet import Result
from fair_datasets.selection.diet.report import verdict
from fair_datasets.selection.search import TradeOff

NOTHING = Dataset.from_dict({})


def result(name: str, auc: float, fair: float, rows: int = 100, spread: float = 0.0) -> Result:
    """Return what trials of a method may have given on the test rows."""
    mean = {"auc": auc, "flip_rate": fair, "demographic_parity": fair}
    kind = name if name == "healthy_random" else "baseline"
    return Result(name, rows, 1.0, {"test": mean}, {"test": dict.fromkeys(mean, spread)}, kind)


def told(*results: Result, optimise: str = "flip_rate") -> str:
    """Return the verdict on some results."""
    search = TradeOff(table=(), chosen={"a": 0.5, "b": 0.5}, optimise=optimise, auc_limit=0.8)
    found = DietResult(NOTHING, "healthy_random", search.chosen, {"healthy_random": search},
                       results, NOTHING, optimise)  # fmt: skip
    return verdict(found)


CHOSEN = result("healthy_random", 0.9, 0.05)


@pytest.mark.parametrize(
    ("cda", "sentence"),
    [
        (
            (0.95, 0.01),
            "On the test rows, plain CDA is better than the chosen rows in both: AUC (chosen "
            "0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0100). Use plain CDA, unless "
            "100 training rows in place of 200 are worth that.",
        ),
        (
            (0.95, 0.05),
            "On the test rows, plain CDA is better than the chosen rows in one, as good in the "
            "other: AUC (chosen 0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0500, "
            "within the deviation over the seeds).",
        ),
        (
            (0.85, 0.06),
            "On the test rows, the chosen rows are better than plain CDA in both: AUC (chosen "
            "0.9000, CDA 0.8500) and flip rate (chosen 0.0500, CDA 0.0600), with 100 training rows "
            "in place of 200.",
        ),
        (
            (0.95, 0.06),
            "On the test rows, the chosen rows are better than plain CDA in flip rate (chosen "
            "0.0500, CDA 0.0600), and worse in AUC (chosen 0.9000, CDA 0.9500), with 100",
        ),
        ((0.90001, 0.05), "On the test rows, the chosen rows are as good as plain CDA, with 100"),
        ((math.nan, 0.05), "cannot be compared: AUC (undefined) and flip rate (chosen 0.0500, CDA"),
    ],
)
def test_the_choice_beside_plain_cda(cda: tuple[float, float], sentence: str) -> None:
    """It is said plainly which is better, in what, by how much and with how many rows."""
    assert sentence in told(result("CDA", *cda, rows=200), CHOSEN)


def test_the_larger_deviation_counts() -> None:
    """Of the two that are compared; a difference of just as much is within it."""
    cda = result("CDA", 0.95, 0.05, rows=200, spread=0.25)
    assert "AUC (chosen 0.9000, CDA 0.9500, within the deviation" in told(cda, CHOSEN)
    chosen = result("healthy_random", 0.75, 0.05, spread=0.25)
    assert "AUC (chosen 0.7500, CDA 0.5000, within the" in told(result("CDA", 0.5, 0.05), chosen)


def test_higher_is_fairer_for_a_score() -> None:
    """The same figures mean the other thing for demographic parity."""
    cda = result("CDA", 0.95, 0.01, rows=200)
    assert "better than plain CDA in DP (" in told(cda, CHOSEN, optimise="demographic_parity")


def test_what_the_seeds_alone_would_make_is_called_so() -> None:
    """A small difference is no ground to call one fairer."""
    cda = result("CDA", 0.95, 0.049, rows=200, spread=0.01)
    assert (
        "AUC (chosen 0.9000, CDA 0.9500) and flip rate (chosen 0.0500, CDA 0.0490, within the "
        "deviation over the seeds)"
    ) in told(cda, CHOSEN)
    one_seed = result("CDA", 0.95, 0.049, rows=200, spread=math.nan)
    assert "within" not in told(one_seed, CHOSEN)


def test_every_baseline_that_is_better_in_both_is_named() -> None:
    """Not only CDA; what is better in one alone is not."""
    results: list[Any] = [
        result("vanilla", 0.95, 0.2), result("CDA", 0.85, 0.01), result("CDS", 0.91, 0.04),
        result("blindness", 0.92, 0.03), CHOSEN,
    ]  # fmt: skip
    assert told(*results).endswith("Better in both than the chosen rows: CDS, blindness.")
    assert "Better in both than" not in told(*results[:2], CHOSEN)


def test_without_a_choice_the_reason_is_told() -> None:
    """Once, where all rankings have the same."""
    search = TradeOff(table=(), chosen=None, optimise="flip_rate", auc_limit=0.8, reason="In none.")
    searches = {"random": search, "healthy_random": search}
    found = DietResult(None, "", None, searches, [], NOTHING, "flip_rate")
    assert verdict(found) == "In none."
