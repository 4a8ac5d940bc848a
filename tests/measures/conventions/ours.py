"""What this package gives for the cases of `docs conventions`, by default and with options.

An option is a few of the words of `WORDS`, joined by spaces, such as "b-a known".
"""

import itertools
import math
import warnings
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.measures import (
    WeatTest,
    changed_texts,
    counterfactual_demographic_parity,
    counterfactual_flip_rate,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    group_rates,
    weat,
    weat_from_vectors,
)

Case = Mapping[str, Any]

FORMS = ("b-a", "a-b", "b/a", "a/b", "inverse")
ROWS = ("", "known", "own", "rest", "first two")
WORDS = {
    "b-a": 'from `rates = group_rates(y_true, y_pred, groups)`: `rates["b"].selection_rate - '
    'rates["a"].selection_rate`, or the rates that are compared',
    "a-b": "the same the other way round",
    "b/a": '`np.divide(rates["b"].selection_rate, rates["a"].selection_rate)`',
    "a/b": "the same the other way round",
    "inverse": "1 divided by the ratio: `1 / demographic_parity(y_pred, groups).ratio`",
    "known": "without the rows that have no group",
    "own": '`missing_group="own"`',
    "rest": '`groups=["a" if group == "a" else "b" for group in groups]`',
    "first two": "with the rows of the first two groups only; a missing group (None) counts as "
    "a group",
    "zero": '`undefined="zero"`',
    "mean": 'joined to b-a ("b-a mean"): the mean of two differences b-a, that of the true and '
    "that of the false positive rates",
    "vectors": "`weat(x, y, a, b)` with vectors, where a word counts as often as it is given, "
    "in place of `weat_from_vectors(vectors, words)`",
    "means": "`weat` with the mean of the sentences of each word",
    "changed": "`.changed.flip_rate`, of the texts that were changed",
    "parity": "`counterfactual_demographic_parity`",
    "protect": "`protect=()`",
    "ddof=0": "`effect_size` times the square root of n / (n - 1), for n targets in all",
}
"""What the words of an option say, and what to type for it."""


def options_of(measure: str) -> list[str]:
    """Return the options of a measure, the simplest first."""
    if measure == "weat":
        return ["", "vectors", "ddof=0", "ddof=0 vectors"]
    if measure == "weat_p":
        return ["", "vectors"]
    if measure.startswith("seat"):
        return ["", "means"]
    forms = ("", "b/a", "a/b", "inverse") if measure.endswith("ratio") else ("", "b-a", "a-b")
    if measure == "equalized_odds":
        forms = ("", "mean", "b-a mean", "a-b mean")
    if measure == "flips":
        return ["", "changed", "parity"]
    if measure == "names":
        return ["", "protect"]
    if measure == "weat_p_two":
        return []
    parts = itertools.product(forms, ROWS, ("", "zero"))
    options = (" ".join(filter(None, each)) for each in parts)
    return sorted(options, key=lambda option: (len(option.split()), option))


def direction(option: str) -> str:
    """Return which group an option compares with which, or which way round, or nothing.

    Example:
        >>> direction("known b-a")
        'b-a'
    """
    return next((form for form in FORMS if form in option.split()), "")


def ours(measure: str, case: Case, option: str = "") -> float | str:
    """Return a value, or the name of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _OF.get(measure, _parity)(measure, case, option)
        except (InputError, KeyError, ZeroDivisionError) as error:
            return type(error).__name__


def _weat(measure: str, case: Case, option: str) -> float | str:
    """Run the test on the words, or on the vectors of those that have one."""
    vectors = case["vectors"]
    if "vectors" in option:
        found = weat(*([vectors[word] for word in case[s] if word in vectors] for s in "xyab"))
    else:
        words = WeatTest("case", *(tuple(case[name]) for name in "xyab"))
        found = weat_from_vectors(vectors, words)
    if measure != "weat":
        return "-" if measure == "weat_p_two" else found.p_value
    n = found.sizes["X"] + found.sizes["Y"]
    return found.effect_size * (math.sqrt(n / (n - 1)) if "ddof=0" in option else 1)


def _seat(measure: str, case: Case, option: str) -> float:
    """Run the test on the vectors of sentences, or on their mean for each word."""
    added = np.array([*case["templates"].values()])
    sets = [np.array([case["vectors"][word] + added for word in case[name]]) for name in "xyab"]
    found = weat(*(each.mean(1) if option else np.concatenate(each) for each in sets))
    return found.effect_size if measure == "seat" else found.p_value


def _flips(_: str, case: Case, option: str) -> float:
    """Count predictions that change, or compare the shares of 1."""
    before, after = (
        [int(text in case["ones"]) for text in case[name]] for name in ("texts", "twins")
    )
    if option == "parity":
        return counterfactual_demographic_parity(before, after).all_rows.difference
    changed = changed_texts(case["texts"], case["twins"])
    found = counterfactual_flip_rate(before, after, changed=changed)
    rate = found.changed if option == "changed" else found.all
    assert rate
    return rate.flip_rate


def _names(_: str, case: Case, option: str) -> str:
    """Rewrite a text, and say whether a word of it was changed."""
    named: Any = {"protect": ()} if option == "protect" else {}
    swap = CounterfactualSwap(columns="text", mode="replace", **named)
    return "kept" if swap({"text": [case["text"]]})["text"] == [case["text"]] else "changed"


_OF: dict[str, Callable[[str, Case, str], float | str]] = {
    "weat": _weat, "weat_p": _weat, "weat_p_two": _weat, "seat": _seat,
    "seat_p": _seat, "flips": _flips, "names": _names,
}  # fmt: skip


def _parity(measure: str, case: Case, option: str) -> float:
    """Compare groups."""
    y_true, y_pred, groups = _rows(case, option)
    undefined: Any = "zero" if "zero" in option else "nan"
    form = direction(option)
    if form not in ("", "inverse"):
        rates = group_rates(y_true, y_pred, groups, undefined=undefined)
        return _of_two(measure, rates["b"], rates["a"], form)
    given = (y_pred, groups) if measure in ("demographic_parity", "impact_ratio") else (
        y_true, y_pred, groups)  # fmt: skip
    named: dict[str, Any] = {"undefined": undefined}
    if "own" in option.split():
        named["missing_group"] = "own"
    if "mean" in option:
        named["agg"] = "mean"
    function: Any = {
        "demographic_parity": demographic_parity, "impact_ratio": demographic_parity,
        "equalized_odds": equalized_odds,
    }.get(measure, equal_opportunity)  # fmt: skip
    found = function(*given, **named)
    value = float(found.ratio if measure.endswith("ratio") else found.difference)
    return float(np.divide(1, value)) if form == "inverse" else value


def _of_two(measure: str, b: Any, a: Any, form: str) -> float:
    """Compare two groups by the rates of a measure."""
    names = {
        "demographic_parity": ("selection_rate",), "impact_ratio": ("selection_rate",),
        "equalized_odds": ("true_positive_rate", "false_positive_rate"),
    }.get(measure, ("true_positive_rate",))  # fmt: skip
    pairs = [(getattr(b, name), getattr(a, name)) for name in names]
    if "/" in form:
        return float(np.divide(*pairs[0]) if form == "b/a" else np.divide(*pairs[0][::-1]))
    differences = [first - second for first, second in pairs]
    return float(sum(differences) / len(differences)) * (1 if form == "b-a" else -1)


def _rows(case: Case, option: str) -> tuple[list[int], list[int], list[Hashable]]:
    """Return references, predictions and groups."""
    groups = [None if label == "?" else label for label in case["groups"]]
    rows = list(zip(case["y_true"], case["y_pred"], groups, strict=True))
    if "known" in option:
        rows = [row for row in rows if row[2] is not None]
    if "first two" in option:
        two = dict(zip(list(dict.fromkeys(groups))[:2], "ab", strict=False))
        rows = [(*row[:2], two[row[2]]) for row in rows if row[2] in two]
    if "rest" in option:
        rows = [(*row[:2], "a" if row[2] == "a" else "b") for row in rows]
    y_true, y_pred, kept = (list(column) for column in zip(*rows, strict=True))
    return y_true, y_pred, kept
