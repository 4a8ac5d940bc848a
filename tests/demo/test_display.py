"""What the demo shows as HTML."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

INJECTION = "<img src=x onerror=alert(1)>"


def test_nothing_of_a_visitor_is_markup(module: ModuleType, load: Any) -> None:
    """Words, labels, groups and sentences are escaped."""
    verdict = load("counterfactuals").Verdict(INJECTION, (0, 3), "gender", "", INJECTION, True)
    rewriting = load("counterfactuals").Rewriting("", "", [], [verdict])
    shown = [
        module.verdicts_html(rewriting),
        module.scores_html([load("scores").LabelScore(INJECTION, 0.5, 0.25)]),
        module.counts_html([load("csv_files").MentionCount(INJECTION, 1, 2)]),
        module.note_html(INJECTION),
    ]
    for html in shown:
        assert "<img" not in html
        assert "&lt;img" in html


def test_scores_show_both_and_the_difference(module: ModuleType, load: Any) -> None:
    """The difference has a sign."""
    html = module.scores_html([load("scores").LabelScore("toxic", 0.75, 0.5)])
    assert all(figure in html for figure in ("0.750", "0.500", "−0.250", "toxic"))


def test_a_chart_has_the_most_frequent_groups(module: ModuleType, load: Any) -> None:
    """Bars are in proportion, groups that no text mentions have none, and the rest is counted."""
    count = load("csv_files").MentionCount
    html = module.counts_html([count("man", 0, 10), count("woman", 5, 10), count("none", 0, 0)])
    assert html.index(">woman<") < html.index(">man<")
    assert ">none<" not in html
    assert html.count("width: 75.0%") == 2
    assert html.count("width: 37.5%") == html.count("width: 0.0%") == 1
    html = module.counts_html([count(f"group {k}", 1, 2000) for k in range(15)])
    assert "3 rarer ones are not shown" in html
    assert "2,000" in html


def test_nothing_found_is_said(module: ModuleType, load: Callable[[str], ModuleType]) -> None:
    """An empty list would look like a fault."""
    assert "No word of the text" in module.verdicts_html(
        load("counterfactuals").Rewriting("a", "a", [("a", None)], [])
    )
    assert "No text mentions" in module.counts_html([])
