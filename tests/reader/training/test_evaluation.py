"""How well a reader reads, by made answers whose figures are counted by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.tags import DETERMINER, FAMILY, GIVEN, NONE, OBJECT, PLACE, TAGS
from fair_datasets.reader.training.evaluation import (
    TOLERANCE,
    Figure,
    Known,
    best_temperature,
    calibration_error,
    case_scores,
    name_scores,
    regressions,
    table,
)

NAMES = (NONE, GIVEN, FAMILY, PLACE)


def bits(*tags: int) -> int:
    """Return tags as a bit each."""
    return sum(1 << tag for tag in tags)


def said(shares: dict[int, float]) -> NDArray[np.float64]:
    """Return what a reader says of a word."""
    found = np.zeros(len(TAGS))
    found[list(shares)] = list(shares.values())
    return found


def known(*words: tuple[str, int, dict[int, float]]) -> Known:
    """Return words with the tags that they may have, and what is said of them."""
    spelled, allowed, shares = zip(*words, strict=True)
    return Known(
        np.array(allowed), np.full(len(words), bits(*NAMES)),
        np.array([each.istitle() for each in spelled]),
        np.array([each.lower() for each in spelled]),
        np.array([said(each) for each in shares]),
    )  # fmt: skip


def test_names_are_scored_where_they_are_in_no_doubt() -> None:
    """Two of three that are read are names, and two of four names are read."""
    found = known(
        ("Paris", bits(GIVEN), {GIVEN: 0.9, PLACE: 0.1}),
        ("Austin", bits(GIVEN), {GIVEN: 0.6, PLACE: 0.4}),
        ("Chelsea", bits(GIVEN), {GIVEN: 0.4, PLACE: 0.6}),
        ("Sydney", bits(GIVEN), {NONE: 1.0}),
        ("Florence", bits(PLACE), {GIVEN: 1.0}),
        ("Kim", bits(GIVEN, FAMILY), {GIVEN: 1.0}),  # It may be either.
        ("grace", bits(GIVEN), {NONE: 1.0}),  # It has no capital.
    )
    assert name_scores(found) == pytest.approx(
        {"words": 5, "f1": 4 / 7, "precision": 2 / 3, "recall": 1 / 2}
    )
    nothing = known(("Nice", bits(PLACE), {PLACE: 1.0}))
    assert name_scores(nothing) == {"words": 1, "f1": 0, "precision": 0, "recall": 0}


def test_cases_are_scored_by_pronoun() -> None:
    """A pronoun that may have two cases is not asked."""
    found = known(
        ("her", bits(OBJECT), {OBJECT: 0.8, DETERMINER: 0.2}),
        ("her", bits(OBJECT), {OBJECT: 0.3, DETERMINER: 0.7}),
        ("her", bits(OBJECT, DETERMINER), {OBJECT: 1.0}),
        ("his", bits(DETERMINER), {DETERMINER: 1.0}),
        ("him", bits(OBJECT), {OBJECT: 1.0}),
        ("her", bits(NONE), {NONE: 1.0}),
    )
    assert list(case_scores(found)) == [("her", "object", 2, 0.5), ("his", "determiner", 1, 1.0)]


def test_the_calibration_error_is_counted_in_ten_groups() -> None:
    """Two words of .84 of which one is right are .68 off together; a right one of 1 is not."""
    half = {GIVEN: 0.84, PLACE: 0.16}
    found = known(
        ("Paris", bits(GIVEN), half),
        ("Austin", bits(PLACE), half),
        ("Nice", bits(PLACE), {PLACE: 1.0}),
        ("her", bits(OBJECT), {OBJECT: 0.75, NONE: 0.25}),
        ("rain", bits(NONE), {GIVEN: 1.0}),  # Neither may be a name, nor a pronoun.
    )
    assert calibration_error(found) == pytest.approx((0.68 + 0.25) / 4)
    alone = known(("rain", bits(NONE), {NONE: 1.0}))
    assert calibration_error(alone) == 0


def test_what_a_source_does_not_tell_apart_does_not_count() -> None:
    """What is said of such tags is left out of the shares."""
    word = ("Paris", bits(GIVEN), {GIVEN: 0.4, PLACE: 0.1, NONE: 0.5})
    found = known(word)._replace(considered=np.array([bits(PLACE)]))
    assert calibration_error(found) == pytest.approx(0.2)


@pytest.mark.parametrize("temperature", [0.5, 0.85, 1.0, 1.6, 3.0])
def test_the_temperature_is_found_that_makes_the_answers_likeliest(temperature: float) -> None:
    """Of .8 for what is right in four of five, sharpened by that temperature."""
    shares = np.array([0.8, 0.2]) ** temperature
    right, wrong = shares / shares.sum()
    words = [("Paris", bits(tag), {GIVEN: right, PLACE: wrong}) for tag in [GIVEN] * 4 + [PLACE]]
    assert best_temperature(known(*words)) == pytest.approx(temperature)


def test_the_shipped_student_has_not_fallen() -> None:
    """Nor is any figure of so few words that one of them is more than it may fall."""
    found = table(shipped())
    assert not [*regressions(found, found)]
    for name, figure in found.items():
        assert figure.words * TOLERANCE > 1, name
        assert figure.right > 0.5, name


def test_another_student_falls(student: Student) -> None:
    """One with drawn weights in most of the table."""
    assert len([*regressions(table(shipped()), table(student))]) > 4


def test_a_figure_falls_by_more_than_the_tolerance() -> None:
    """What rises, or falls less, is not told."""
    before = {"a": Figure(1000, 0.9), "b": Figure(1000, 0.9), "c": Figure(1000, 0.9)}
    after = {"a": Figure(1000, 0.898), "b": Figure(1000, 0.896), "c": Figure(1000, 1.0)}
    assert [*regressions(before, after)] == ["b from .900 to .896"]
