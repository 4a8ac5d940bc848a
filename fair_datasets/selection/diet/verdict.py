"""What a diet's figures come to, in words: whether the chosen rows are worth their search."""

from collections.abc import Sequence
from math import isnan

from fair_datasets.selection.diet.diet import DietResult
from fair_datasets.selection.diet.trials import Result
from fair_datasets.selection.objectives import OBJECTIVES, fairness

_ROWS = "test"
_DIGITS = 4


def verdict(found: DietResult) -> str:
    """Compare the chosen rows with plain CDA, and name every baseline that is better in both.

    Both are the AUC and the measure of fairness that was optimised: means over the seeds on the
    test rows, which nothing was chosen by, to four digits as tables show them.

    Returns:
        Sentences; why nothing was chosen, if nothing was.
    """
    if found.chosen is None:
        return " ".join(sorted({search.reason for search in found.searches.values()}))
    baselines = {result.name: result for result in found.results if result.kind == "baseline"}
    chosen = next(result for result in found.results if result.kind == found.ranking)
    measures = ("auc", found.optimise)
    lines = [_against_cda(chosen, baselines["CDA"], measures)]
    better = [
        name
        for name, result in baselines.items()
        if name != "CDA" and _signs(result, chosen, measures) == [1, 1]
    ]
    if better:
        lines.append(f"Better in both than the chosen rows: {', '.join(better)}.")
    return " ".join(lines)


def _against_cda(chosen: Result, cda: Result, measures: Sequence[str]) -> str:
    """Say which is better, the chosen rows or all rows with all counterfactuals."""
    figures = [_figures(chosen, cda, name) for name in measures]
    both = " and ".join(figures)
    few = f"{round(chosen.rows):,} training rows in place of {round(cda.rows):,}"
    signs = _signs(chosen, cda, measures)
    if not signs:
        return f"On the test rows, plain CDA and the chosen rows cannot be compared: {both}."
    if signs == [0, 0]:
        return f"On the test rows, the chosen rows are as good as plain CDA, with {few}: {both}."
    if sorted(signs) == [-1, 1]:
        better, worse = (figures[signs.index(sign)] for sign in (1, -1))
        return (
            f"On the test rows, the chosen rows are better than plain CDA in {better}, and worse "
            f"in {worse}, with {few}."
        )
    what = "in one, as good in the other" if 0 in signs else "in both"
    if max(signs) > 0:
        return (
            f"On the test rows, the chosen rows are better than plain CDA {what}: {both}, with "
            f"{few}."
        )
    return (
        f"On the test rows, plain CDA is better than the chosen rows {what}: {both}. Use plain "
        f"CDA, unless {few} are worth that."
    )


def _signs(one: Result, other: Result, measures: Sequence[str]) -> list[int]:
    """Tell for each measure whether one is better (1), as good (0) or worse (-1).

    Nothing is told where a measure is undefined.
    """
    signs = []
    for name in measures:
        means = one.mean[_ROWS], other.mean[_ROWS]
        ours, theirs = (
            round(mean[name] if name == "auc" else fairness(mean, name), _DIGITS) for mean in means
        )
        if isnan(ours) or isnan(theirs):
            return []
        signs.append((ours > theirs) - (ours < theirs))
    return signs


def _figures(chosen: Result, cda: Result, name: str) -> str:
    """Write a measure of both, and whether their difference is within what the seeds make."""
    title = "AUC" if name == "auc" else OBJECTIVES[name].title
    ours, theirs = (result.mean[_ROWS][name] for result in (chosen, cda))
    if isnan(ours) or isnan(theirs):
        return f"{title} (undefined)"
    spread = max(result.deviation[_ROWS][name] for result in (chosen, cda))
    within = ", within the deviation over the seeds" if abs(ours - theirs) <= spread else ""
    return f"{title} (chosen {ours:.{_DIGITS}f}, CDA {theirs:.{_DIGITS}f}{within})"
