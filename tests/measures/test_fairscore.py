"""Tests of the fairscore."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from fair_datasets.measures.fairscore import changed_texts, fairscore
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

# A prediction, the one for the perturbed text, whether the text changed, the right class.
rows = st.lists(
    st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.booleans(), st.integers(-1, 3)),
    min_size=1,
    max_size=30,
).filter(lambda found: any(changed for _, _, changed, _ in found))


def columns(found: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Return the columns of rows."""
    return [list(column) for column in zip(*found, strict=True)]


@given(rows)
def test_it_counts(found: list[tuple[Any, ...]]) -> None:
    """Every figure is the ratio of two counts."""
    before, after, changed, right = columns(found)
    result = fairscore(before, after, changed, right)
    perturbed = [row for row in found if row[2]]
    flipped = [row for row in perturbed if row[0] != row[1]]
    assert result.fairscore_perturbed == float(Fraction(len(flipped), len(perturbed)))
    assert result.fairscore_all == float(Fraction(len(flipped), len(found)))
    assert (result.flipped, result.perturbed, result.rows) == (
        len(flipped),
        len(perturbed),
        len(found),
    )
    assert result.flipped_unperturbed == sum(a != b for a, b, c, _ in found if not c)
    assert result.accuracy == pytest.approx(accuracy_score(right, before), abs=1e-15)
    assert result.accuracy_of_perturbed == pytest.approx(accuracy_score(right, after), abs=1e-15)
    both = sum(a == b == r for a, b, _, r in perturbed)
    neither = sum(a != r and b != r for a, b, _, r in perturbed)
    assert result.both_correct == float(Fraction(both, len(perturbed)))
    assert result.neither_correct == float(Fraction(neither, len(perturbed)))


@given(rows)
def test_texts_are_classes(found: list[tuple[Any, ...]]) -> None:
    """They give what numbers give."""
    names = {-1: "none", 0: "anger", 1: "joy", 2: "fear", 3: ""}
    texts = [(names[a], names[b], changed, names[right]) for a, b, changed, right in found]
    assert fairscore(*columns(texts)) == fairscore(*columns(found))


@given(rows, st.data())
def test_excluded_rows_are_as_if_they_were_not_there(
    found: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    """Leaving rows out gives what the other rows give."""
    size = len(found)
    excluded = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kept = [row for row, out in zip(found, excluded, strict=True) if not out]
    before, after, changed, right = columns(found)
    result = fairscore(before, after, changed, right, excluded=excluded, undefined="zero")
    rest = columns(kept) if kept else [[], [], [], []]
    expected = fairscore(*rest, undefined="zero")
    assert result.excluded == sum(excluded)
    assert result.fairscore_perturbed == expected.fairscore_perturbed
    assert result.fairscore_all == expected.fairscore_all
    assert (result.accuracy, result.rows) == (expected.accuracy, expected.rows)


def test_published_shares_are_multiples() -> None:
    """The paper's figures for CoLA are whole numbers of its 476 perturbed rows, as it divides."""
    for percent, flips in [(4.62, 22), (3.78, 18), (6.30, 30), (5.25, 25), (3.15, 15)]:
        before = [0] * 1043
        after = [1] * flips + [0] * (1043 - flips)
        result = fairscore(before, after, [1] * 476 + [0] * 567)
        assert round(100 * result.fairscore_perturbed, 2) == percent
        assert (result.accuracy, result.both_correct) == (None, None)


def test_no_row_is_perturbed() -> None:
    """The share of nothing is undefined; the share of all rows is 0."""
    with pytest.warns(UndefinedMeasureWarning, match="fairscore: no row is perturbed"):
        result = fairscore([0, 1], [0, 1], [0, 0], [0, 1])
    assert math.isnan(result.fairscore_perturbed)
    assert result.both_correct is not None
    assert math.isnan(result.both_correct)
    assert (result.fairscore_all, result.accuracy) == (0, 1)
    assert fairscore([0], [1], [0], undefined="zero").fairscore_perturbed == 0
    with pytest.raises(InputError, match="no row is perturbed"):
        fairscore([0], [1], [0], undefined="raise")


def test_no_rows() -> None:
    """Without rows, everything is undefined."""
    with pytest.warns(UndefinedMeasureWarning) as warned:
        result = fairscore([], [], [], [])
    assert {str(warning.message) for warning in warned} == {
        "fairscore: no row is perturbed. The value is NaN.",
        "fairscore: there are no rows. The value is NaN.",
    }
    assert math.isnan(result.fairscore_all)
    assert result.rows == 0


@pytest.mark.parametrize(("arguments", "sentence"), [
    (([0.2, 0.9], [0, 1], [1, 1]),
     "fairscore: predictions must be classes \\(whole numbers\\), but row 0 is 0.2"),
    (([0, 1], [[0.1, 0.9]] * 2, [1, 1]), "fairscore: counterfactual_predictions must"),
    (([0, 1], [0, None], [1, 1]), "counterfactual_predictions has no value in row 1"),
    (([0, 1], [0, 1], [1, 2]), "fairscore: changed must be 0 or 1, but row 1 is 2"),
    (([0, 1], [0], [1, 1]), "predictions has 2 rows, but counterfactual_predictions has 1"),
    (([0, 1], [0, 1], [1]), "predictions has 2 rows, but changed has 1"),
    (([0, 1], [0, 1], [1, 1], [0]), "predictions has 2 rows, but references has 1"),
    (([0, 1], [0, 1], [1, 1], [0, math.nan]), "references has no value in row 1"),
])  # fmt: skip
def test_wrong_arguments(arguments: tuple[Any, ...], sentence: str) -> None:
    """One sentence names the argument and the row."""
    with pytest.raises(InputError, match=sentence):
        fairscore(*arguments)


def test_wrong_exclusion() -> None:
    """The mask is as long as the rows."""
    with pytest.raises(InputError, match="but excluded has 1"):
        fairscore([0, 1], [0, 1], [1, 1], excluded=[1])
    with pytest.raises(InputError, match="undefined must be one of"):
        fairscore([0], [0], [0], undefined="none")  # type: ignore[arg-type]


def test_changed_texts() -> None:
    """White space alone is no change; letters, marks and lower case are."""
    before = ["She  sang.", "It rained.\r\n", "", "He ran", "Anna", "\u00a0"]
    after = [" She sang.", "It rained.", " ", "he ran", "Anne", ""]
    assert changed_texts(before, after).tolist() == [False, False, False, True, True, False]
    assert changed_texts([], []).dtype == np.bool_


@given(st.lists(st.text(), max_size=5))
def test_a_text_does_not_differ_from_itself(texts: list[str]) -> None:
    """The same texts are not changed, nor is their white space."""
    assert not changed_texts(texts, texts).any()
    assert not changed_texts(texts, [f" {text}\n" for text in texts]).any()


@pytest.mark.parametrize(("texts", "others", "sentence"), [
    (["a", None], ["a", "b"], "changed_texts: texts has no text in row 1"),
    (["a"], [3], "changed_texts: counterfactual_texts must be texts, but row 0 is 3"),
    (["a"], ["a", "b"], "texts has 1 row, but counterfactual_texts has 2"),
    ("a", ["a"], "texts must be a list or array with one value per row"),
])  # fmt: skip
def test_wrong_texts(texts: Any, others: Any, sentence: str) -> None:
    """A missing text is no empty text."""
    with pytest.raises(InputError, match=sentence):
        changed_texts(texts, others)
