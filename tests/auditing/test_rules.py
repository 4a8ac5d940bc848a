"""Rules about figures."""

import math
from dataclasses import replace

import pytest

from fair_datasets.auditing.changes import CAN_WORSEN
from fair_datasets.auditing.findings import MEASURES, Figure, Finding
from fair_datasets.auditing.rules import Rule
from fair_datasets.system.checks import InputError

FIGURES = [Figure(measure="flip_rate", value=0.1, low=0.05, high=0.2, rows=1200, axis="gender"),
    Figure(measure="flip_rate", value=0.3, rows=7, axis="race", attribute="white"),
    Figure(measure="odds_ratio", value=math.nan, rows=9, axis="gender", attribute="non-binary",
    label="y"), Figure(measure="odds_ratio", value=2.0, rows=9, axis="gender", attribute="man",
    label="y"), Figure(measure="mention_share", value=math.nan, rows=0, axis="age"),
    Figure(measure="mention_share", value=0.3, rows=20, axis="gender", attribute="man"),
    Figure(measure="mention_share", value=0.5, rows=9, axis="gender", attribute="man",
    split="dev")]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("flip_rate > 0.05", "it is 0.3 for race, white (7 rows), and 1 more"),
        ("flip_rate(gender)>0.05", "it is 0.1 [0.05, 0.2] for gender (1,200 rows)"),
        ("flip_rate >= 3e-1", "it is 0.3 for race, white (7 rows)"),
        ("flip_rate < 0.2", "it is 0.1 [0.05, 0.2] for gender (1,200 rows)"),
        ("flip_rate > 0.3", ""),
        ("flip_rate <= 0.05", ""),
        # Of an attribute that no row mentions, the others are measured all the same.
        ("odds_ratio > 3", ""),
        ("odds_ratio(man, y) > 1", "it is 2 for gender, man, y (9 rows)"),
        # A part of the rows counts where it is named.
        ("mention_share(man) > 0.4", ""),
        ("mention_share(man, dev) > 0.4", "it is 0.5 for gender, man, dev (9 rows)"),
        ("mention_share < 0.1", "mention_share could not be measured for age: there are no rows"),
        (
            "flip_rate(religion) > 0.5",
            "flip_rate could not be measured: no figure is about 'religion'",
        ),
        ("leak_share > 0", "leak_share could not be measured: there is one split"),
    ],
)
def test_a_rule_is_broken_by_a_figure_or_by_none(rule: str, line: str) -> None:
    """One line says by which; what was not measured does not pass."""
    found = Rule.read(rule).broken(FIGURES, {"leak_share": "there is one split"})
    assert found.startswith(f"{rule}: {line}") if line else not found
    assert "\n" not in found


UNDEFINED = [
    Figure(measure=measure, value=math.nan, rows=0, axis=axis)
    for measure in ("accuracy_difference", "equalized_odds_difference") for axis in "ab"
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "unmeasured", "why"),
    [
        ("accuracy_difference > 0", {}, "a, b: Of a, one. Of b, none"),
        ("accuracy_difference(b) > 0", {}, "b: Of b, none"),
        ("equalized_odds_difference(a) > 0", {}, "a: Of a, one"),
        ("equalized_odds_difference(a) > 0", {"equalized_odds_difference": "no label"},
         "a: no label"),
        ("accuracy > 0", {}, "there are no rows to measure it on"),
    ],
)  # fmt: skip
def test_a_rule_says_what_a_finding_says_of_why(
    rule: str, unmeasured: dict[str, str], why: str
) -> None:
    """Of its own figures along its axes, else of others along them that lack as much."""
    findings = [Finding(sentence=sentence, figures=(figure,)) for sentence, figure in
                zip(("Of a, one.", "Of b, none."), UNDEFINED, strict=False)]  # fmt: skip
    assert Rule.read(rule).broken(UNDEFINED, unmeasured, findings).endswith(why)


@pytest.mark.parametrize(("rule", "nearest"), [
    ("fliprate > 1", "Did you mean 'flip_rate'?"), ("speed_change > 1", "Like it are 'read_"),
])  # fmt: skip
def test_a_measure_that_there_is_not(rule: str, nearest: str) -> None:
    """Those that are most like it are named, and not all of them."""
    with pytest.raises(InputError) as refused:
        Rule.read(rule)
    assert nearest in str(refused.value)
    assert sum(name in str(refused.value) for name in MEASURES) <= 4


def test_names_of_the_data_stay_on_one_line() -> None:
    """A label may hold line breaks and control characters."""
    figure = Figure(measure="pmi", value=2, rows=3, label="a\nb\x1b[31m")
    assert Rule.read("pmi > 1").broken([figure], {}) == "pmi > 1: it is 2 for a b [31m (3 rows)"


@pytest.mark.parametrize("measure", MEASURES)
def test_what_cannot_become_worse_is_no_rule(measure: str) -> None:
    """It says what can be asked in its place, which is a rule itself."""
    try:
        Rule.read(f"worse({measure})")
    except InputError as error:
        instead = str(error).split("'")[-2]
        assert Rule.read(instead).text == instead != f"worse({measure})"
        assert measure not in CAN_WORSEN
    else:
        assert measure in CAN_WORSEN


def test_the_only_split_may_be_named() -> None:
    """All figures are of it; of two splits, a figure is of one or of all."""
    rule = Rule.read("mention_share(woman, train) < 0.3")
    assert rule.among(["woman"], ["train"]).places == ("woman",)
    assert rule.among(["woman"], ["train", "test"]).places == ("woman", "train")


def test_a_collapsed_classifier_breaks_its_rule() -> None:
    """Without a sign and a number."""
    rule = Rule.read("collapsed")
    figure = Figure(measure="collapsed", value=1, rows=9)
    assert rule.broken([figure], {}) == "collapsed: it is 1 (9 rows)"
    assert not rule.broken([replace(figure, value=0)], {})


def test_what_grew_worse_breaks_its_rule() -> None:
    """Only surely; and what was not compared breaks it as well."""
    figures = [Figure(measure="flip_rate", value=0.2, rows=9, axis=axis) for axis in ("a", "b")]
    rule = Rule.read(" worse( flip_rate ) ")
    line = rule.grows_worse([(figures[0], False), (figures[1], True)])
    assert line == "worse( flip_rate ): it is 0.2 for b (9 rows), surely worse than before"
    assert not Rule.read("worse(flip_rate(a))").grows_worse([(figures[0], False)])
    assert Rule.read("worse(accuracy)").grows_worse([]).endswith("accuracy was not compared")
