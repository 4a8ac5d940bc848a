"""Impact tables beside counts by hand."""

import math
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import audit
from fair_datasets.auditing.cards import answer_of
from fair_datasets.auditing.dataset import Audit
from fair_datasets.auditing.intervals import wilson

from .conftest import figure_of

# Sex, race, how many were assessed, and how many of them were selected.
CELLS = [
    ("Male", "White", 200, 100), ("Male", "Black", 100, 30), ("Male", "Asian", 4, 4),
    ("Female", "White", 150, 60), ("Female", "Black", 50, 20),
    ("", "White", 10, 10), ("Female", "Unknown", 6, 6), (None, None, 3, 0),
]  # fmt: skip
# By hand: category to assessed, selected, the best category's selected and assessed.
TABLES = {
    "column sex": {"Male": (304, 134), "Female": (206, 86)},
    "column race": {"White": (360, 170), "Black": (150, 50), "Asian": (4, 4)},
    "columns sex × race": {
        "Male × White": (200, 100), "Male × Black": (100, 30), "Male × Asian": (4, 4),
        "Female × White": (150, 60), "Female × Black": (50, 20),
    },
}  # fmt: skip
BEST = {"column sex": 134 / 304, "column race": 1.0, "columns sex × race": 1.0}
BEST_OF_LARGE = {"column sex": 134 / 304, "column race": 170 / 360, "columns sex × race": 0.5}


def applicants(cells: list[Any] = CELLS) -> Dataset:
    """Write the counts as rows."""
    rows = [(sex, race, int(row < chosen)) for sex, race, size, chosen in cells
            for row in range(size)]  # fmt: skip
    sex, race, hired = zip(*rows, strict=True)
    return Dataset.from_dict({"sex": sex, "race": race, "hired": hired})


def impact(rows: Any, **settings: Any) -> Audit:
    """Ask for impact tables by sex and race."""
    given = {"groups": ("sex", "race"), "selected": "hired", **settings}
    return audit(rows, table="impact", **given)


@pytest.mark.parametrize("axis", TABLES)
def test_rates_and_ratios_are_those_of_counts_by_hand(axis: str) -> None:
    """Each table has its own best category, also that of both columns together."""
    audit = impact(applicants())
    for category, (assessed, selected) in TABLES[axis].items():
        place = {"axis": axis, "attribute": category}
        rate = figure_of(audit.figures, "selection_rate", **place)
        ratio = figure_of(audit.figures, "impact_ratio", **place)
        assert rate.rows == ratio.rows == assessed
        assert rate.value == pytest.approx(selected / assessed)
        assert ratio.value == pytest.approx(selected / assessed / BEST[axis])
        assert math.isnan(ratio.low) or ratio.low < ratio.value < ratio.high
    own = [figure for figure in audit.figures if figure.axis == axis]
    assert len(own) == 2 * len(TABLES[axis])


def test_the_tables_are_told_with_the_rows_of_no_known_category() -> None:
    """Those are in no rate, and neither are rows of nobody known in one of two columns."""
    audit = impact(applicants())
    (part,) = audit.parts
    unknown = {table.title: table.notes[0].split()[1] for table in part.tables}
    assert unknown == {
        "Impact table by sex": "13", "Impact table by race": "9",
        "Impact table by sex × race": "19",
    }  # fmt: skip
    rows = part.tables[0].columns()
    assert [(row["category"], row["assessed"], row["selected"]) for row in rows] == [
        ("Female", 206, 86), ("Male", 304, 134),
    ]  # fmt: skip
    assert [row["note"] for row in rows] == ["", "highest"]
    for written in (str(audit), audit.page()):
        assert "the auditor is independent" in written
        assert "Impact table by sex × race" in written


def test_small_categories_are_marked_and_left_out_only_for_a_reason() -> None:
    """Their count and rate stay, and they are no best category."""
    marked = impact(applicants()).parts[0].tables[1].columns()
    assert {row["category"]: row["note"] for row in marked} == {
        "Asian": "highest, under 2%", "Black": "", "White": "",
    }  # fmt: skip
    audit = impact(applicants(), exclude_below=0.02, why="Four rows say nothing.")
    for axis, best in BEST_OF_LARGE.items():
        for category, (assessed, selected) in TABLES[axis].items():
            place = {"axis": axis, "attribute": category}
            assert figure_of(audit.figures, "selection_rate", **place).rows == assessed
            if "Asian" in category:
                with pytest.raises(ValueError, match="not enough values"):
                    figure_of(audit.figures, "impact_ratio", **place)
            else:
                ratio = figure_of(audit.figures, "impact_ratio", **place).value
                assert ratio == pytest.approx(selected / assessed / best)
    table = audit.parts[0].tables[1]
    assert table.columns()[0]["note"] == "under 2%, left out"
    assert any("Four rows say nothing." in note for note in table.notes)
    assert "Four rows say nothing." in str(audit)
    assert "Four rows say nothing." in audit.page()


def test_scores_are_counted_above_the_median_of_all_of_them() -> None:
    """Strictly, and rows of an unknown category are in the median."""
    rows = Dataset.from_dict({
        "sex": ["a", "a", "a", "b", "b", "b", None],
        "score": ["1", "2", "3", "3", "4", "5", "9.50"],
    })  # fmt: skip
    audit = impact(rows, groups="sex", selected=None, score="score")
    # The median of 1, 2, 3, 3, 4, 5 and 9.5 is 3.
    rates = {name: figure_of(audit.figures, "scoring_rate", axis="column sex", attribute=name).value
             for name in "ab"}  # fmt: skip
    assert rates == {"a": 0, "b": pytest.approx(2 / 3)}
    ratio = figure_of(audit.figures, "impact_ratio", axis="column sex", attribute="a")
    assert ratio.value == 0
    assert "above 3, the median of all 7 scores" in audit.parts[0].notes[0]


@pytest.mark.parametrize(
    ("cells", "others", "why"),
    [
        ([("Male", "White", 30, 0), ("Female", "Black", 30, 0)], {},
         "nobody is selected in any category"),
        ([("Male", "White", 30, 9)], {}, "one category alone, Male, has assessed rows"),
        ([("Male", "White", 98, 9), ("Female", "White", 1, 0)],
         {"exclude_below": 0.02, "why": "Few."}, "one category alone, Male, is not left out"),
        ([("?", "White", 30, 9)], {}, "no category has an assessed row"),
        ([("Male", "White", 30, 9), ("Female", "Black", 30, 9)],
         {"selected": None, "score": "points"}, "no score of any category is above the median"),
    ],
)  # fmt: skip
def test_where_nothing_is_compared_that_is_told(
    cells: list[Any], others: dict[str, Any], why: str
) -> None:
    """First, below the table, and of a rule, which is broken; no ratio is defined."""
    rows = applicants(cells)
    rows = rows.add_column("points", [1] * len(rows))
    audit = impact(rows, groups="sex", **others)
    ratios = [figure.value for figure in audit.figures if figure.measure == "impact_ratio"]
    assert all(map(math.isnan, ratios))
    sentence = f"By sex, nothing was compared: {why}."
    answer = answer_of(audit)
    assert (answer.wrong, answer.sure) == (
        "Nothing was compared between people, so nothing was found.", sentence,
    )  # fmt: skip
    assert any(why in note for note in audit.parts[0].tables[0].notes)
    (line,) = audit.check("impact_ratio < 0.8")
    assert "could not be measured" in line
    assert line.endswith(sentence.rstrip("."))


def test_a_category_of_which_nobody_is_selected_is_told_first() -> None:
    """The interval of its ratio begins at 0, and ends where Donner and Zou have it."""
    cells = [("Male", "White", 200, 100), ("Female", "White", 200, 0)]
    audit = impact(applicants(cells), groups="sex")
    ratio = figure_of(audit.figures, "impact_ratio", axis="column sex", attribute="Female")
    highest, (least, _) = wilson(0, 200)[1], wilson(100, 200)
    assert (ratio.value, ratio.low) == (0, 0)
    assert ratio.high == pytest.approx(highest / math.sqrt(least * (1 - least)))
    assert audit.findings[0].severity == "high"
    few = [("Male", "White", 5, 1), ("Female", "White", 5, 0)]
    assert {each.severity for each in impact(applicants(few)).findings} == {"low"}


@pytest.mark.parametrize("name", [" ", "?", "N/A", "null", "Prefer not to say"])
def test_what_says_nothing_of_a_person_is_no_category(name: str) -> None:
    """Least of all the best one."""
    cells = [("Male", "White", 20, 10), ("Female", "White", 20, 8), (name, "White", 3, 3),
             (name.upper(), "White", 2, 2)]  # fmt: skip
    table = impact(applicants(cells), groups="sex").parts[0].tables[0]
    assert [row["category"] for row in table.columns()] == ["Female", "Male"]
    assert table.notes[0].startswith("Unknown: 5 assessed rows")


def test_a_rule_is_about_every_category_of_every_table() -> None:
    """And what was not asked for could not be measured."""
    found = impact(applicants())
    (line,) = found.check("impact_ratio < 0.8")
    assert line.startswith("impact_ratio < 0.8: it is 0.3 ")
    text = audit(Dataset.from_dict({"text": ["He ran."]}), "text")
    assert "--table impact" in text.check("impact_ratio < 0.8")[0]


def test_a_large_difference_is_put_first_and_a_small_one_is_not() -> None:
    """By the end of its interval, for all pairs and tables."""
    cells = [("Male", "White", 500, 300), ("Female", "White", 500, 150)]
    (first, *_) = impact(applicants(cells)).findings
    assert first.severity == "high"
    assert "the selection rate of Female is 30.0%" in first.sentence
    assert "Below four fifths of Male, the highest: Female 0.500." in first.sentence
    even = [("Male", "White", 500, 300), ("Female", "White", 500, 297)]
    assert {each.severity for each in impact(applicants(even)).findings} == {"low"}


def test_a_highest_category_of_few_rows_hides_no_large_difference() -> None:
    """The table is by the highest one; what is told is the surest pair."""
    cells = [("m", "White", 500, 300), ("m", "Black", 500, 150), ("m", "Asian", 3, 3)]
    (first, *_) = impact(applicants(cells), groups="race").findings
    assert first.severity == "high"
    assert "of Black is 30.0%" in first.sentence
    assert "that of White 60.0%" in first.sentence
    assert "Below four fifths of Asian, the highest: Black 0.300 and White 0.600." in first.sentence


def test_texts_may_stand_beside_the_columns_about_persons() -> None:
    """Then both are audited, of all splits together."""
    rows = applicants().add_column("text", ["He ran."] * len(applicants()))
    audit = impact(DatasetDict(one=rows, two=rows), columns="text")
    assert {part.topic for part in audit.parts} >= {"impact", "representation"}
    place = {"axis": "column sex", "attribute": "Male"}
    assert figure_of(audit.figures, "selection_rate", **place).rows == 2 * 304
