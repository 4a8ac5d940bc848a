"""How often decisions were right."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.questions import LANGUAGE
from fair_datasets.english.reliability import RELIABILITY
from fair_datasets.matching.find import table_of
from fair_datasets.matching.language import Language
from fair_datasets.matching.reading import read_words
from fair_datasets.matching.reliability import (
    NAMES,
    Decision,
    Reliability,
    RowCurve,
    decisions_on,
    estimated,
    read_reliability,
    reliabilities,
)
from fair_datasets.matching.words import Words

AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
COUNTS = st.lists(
    st.integers(0, 50).flatmap(lambda seen: st.tuples(st.integers(0, seen), st.just(seen))),
    max_size=5,
)


@given(COUNTS)
def test_an_estimate_is_a_probability(counts: list[tuple[int, int]]) -> None:
    """Never certain, whatever was seen."""
    assert 0 < estimated(counts) < 1


@given(COUNTS.filter(bool), st.data())
def test_one_more_that_was_right_makes_it_likelier(
    counts: list[tuple[int, int]], data: st.DataObject
) -> None:
    """And one more that was wrong makes it less likely, of whichever kind it is."""
    place = data.draw(st.integers(0, len(counts) - 1))
    right, seen = counts[place]
    more, less = list(counts), list(counts)
    more[place], less[place] = (right + 1, seen + 1), (right, seen + 1)
    assert estimated(less) < estimated(counts) < estimated(more)


def test_what_was_never_seen_is_as_its_kind() -> None:
    """A word as its rule, a rule as its table, a table as its axis, an axis as all."""
    known = Reliability(
        {
            Decision("gender", "terms.listed", "king", True): (5, 10),
            Decision("gender", "terms.listed", "aunt", True): (40, 40),
            Decision("gender", "names.unmarked", "", True): (10, 40),
            Decision("age", "ages.olds", "", True): (1, 10),
        },
        {},
    )

    def of(axis: str, rule: str, detail: str = "") -> float:
        return known.of(Decision(axis, rule, detail, True))

    assert of("gender", "terms.listed", "king") < of("gender", "terms.listed", "uncle")
    assert of("gender", "terms.listed", "uncle") < of("gender", "terms.listed", "aunt")
    assert of("gender", "terms.other") == pytest.approx(
        estimated([(56, 100), (55, 90), (45, 50), (0, 0), (0, 0)])
    )
    assert of("age", "terms.listed") < of("race", "terms.listed")
    assert of("race", "a.b") == of("height", "c.d", "e") == estimated([(56, 100)])
    assert known.of(Decision("race", "a.b", "", False)) == 0.5
    assert known.knows(Decision("gender", "terms.listed", "uncle", True))
    assert not known.knows(Decision("gender", "terms.listed", "uncle", False))


@given(st.floats(-40, 40), st.floats(-40, 40))
def test_a_model_is_the_surer_the_farther_its_log_odds_are_from_nought(
    one: float, other: float
) -> None:
    """Whichever side they are on; the shipped curves."""
    known = read_reliability(RELIABILITY)
    for rule in known.models:
        shares = [known.of_model(rule, odds) for odds in sorted((one, other), key=abs)]
        assert 0 < shares[0] <= shares[1] <= 1
        assert shares[0] == known.of_model(rule, -min(one, other, key=abs))


def test_the_same_kind_in_several_sources_is_added_up(tmp_path: Path) -> None:
    """As the table has a row for each."""
    path = tmp_path / "own.tsv"
    path.write_text(
        "axis\trule\tdetail\tverdict\tright\tseen\tsource\n"
        "age\ta.b\tman\tread\t1\t2\tone\nage\ta.b\tman\tread\t3\t3\tother\n"
        "age\ta.b\tman\tleft\t0\t1\tother\n"
    )
    path.with_suffix(".toml").write_text('[models]\n"a.b" = { intercept = 0, slope = 1 }\n')
    known = read_reliability(path)
    assert known.counts == {
        Decision("age", "a.b", "man", True): (4, 5),
        Decision("age", "a.b", "man", False): (0, 1),
    }
    assert known.of_model("a.b", 0.0) == 0.5


def _read(text: str, language: Language = LANGUAGE) -> tuple[list[Decision], list[float]]:
    table = table_of("gender", owner="test")
    found = read_words(Words([text]), np.array([0]), table)
    asked = np.arange(len(found.firsts))
    return list(decisions_on(found, asked, language)), reliabilities(
        found, asked, language
    ).tolist()


def test_names_are_told_by_how_they_stand_and_words_by_themselves() -> None:
    """On whatever axis a name is read."""
    decisions, shares = _read("Mary Gray met an Aunt of Anna, who left her king-size bed.")
    assert decisions[0] == Decision(NAMES, "names.unmarked", "with surname", True)
    assert decisions[1] == Decision("gender", "terms.listed", "aunt", True)
    assert decisions[2] == Decision(NAMES, "names.unmarked", "referred to", True)
    assert shares[0] > shares[2] > 0.5
    assert decisions[-1].detail == "king"
    assert not decisions[-1].is_read


def test_what_the_model_decides_is_as_sure_as_its_log_odds() -> None:
    """Not as all its decisions together."""
    _, (sure,) = _read("I met her.")
    _, (unsure,) = _read("Much of her treating and advising was there.")
    assert sure > 0.99 > unsure > 0.5


def test_a_language_without_figures_says_nothing() -> None:
    """Every decision counts as right."""
    assert _read("He met Anna.", LANGUAGE._replace(reliability=None))[1] == [1.0, 1.0]


def test_a_row_is_judged_by_a_logistic_curve() -> None:
    """Of log odds and of capitals; an axis that nobody read has the mean of the others."""
    curve = RowCurve(product=0.5, title=-0.25, capitals=-1.0, axes={"gender": 2.0, "age": 0.0})
    known = Reliability({}, {}, rows=curve)
    # The odds are exp(2 + 0.5 log 9 + 0.25 log 3 - log 3).
    odds = math.exp(2) * 9**0.5 * 3**0.25 / 3
    assert known.of_row("gender", 0.9, 0.25, 2) == pytest.approx(odds / (1 + odds))
    other = odds / math.e
    assert known.of_row("wealth", 0.9, 0.25, 2) == pytest.approx(other / (1 + other))
    assert Reliability({}, {}).of_row("gender", 0.9, 0.25, 2) == 0.9
    assert 0 < known.of_row("age", 0.0, 1.0, 99) < known.of_row("gender", 1.0, 0.0, 0) < 1


@pytest.mark.parametrize("axis", AXES)
def test_titles_and_names_make_a_row_less_sure(axis: str) -> None:
    """On each axis of the shipped figures, of which each has its own."""
    of_row = read_reliability(RELIABILITY).of_row
    assert of_row(axis, 0.9, 0.5, 3) < of_row(axis, 0.9, 0.1, 3) < of_row(axis, 0.99, 0.1, 3)
    assert of_row(axis, 0.9, 0.1, 4) < of_row(axis, 0.9, 0.1, 3)
    mean = sum(of_row(each, 0.9, 0.1, 3) for each in AXES) / len(AXES)
    assert of_row(axis, 0.9, 0.1, 3) != pytest.approx(mean, abs=1e-4)
