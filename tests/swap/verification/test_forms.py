"""Tests of what may be written for a mention."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.swap.verification.forms import fold, forms_of, split_units

FORMS = forms_of("gender", names=True)


def test_names_are_capitalised() -> None:
    """An everyday word in lower case is no name, and an unlisted name is of nobody's gender."""
    assert [form.attribute for form in FORMS.at(split_units("Mary"), 0)] == ["woman"]
    assert not list(FORMS.at(split_units("mary"), 0))
    assert [form.attribute for form in FORMS.at(split_units("Xandrel"), 0)] == ["non-binary"]


@given(st.text())
def test_no_sign_is_lost(text: str) -> None:
    """Units and the gaps between them are the text, and the gaps have nothing to compare."""
    units = split_units(text)
    places = range(len(units.folded))
    parts = [units.gap(place) + units.written(place, place + 1) for place in places]
    assert "".join(parts) + units.gap(len(units.folded)) == text
    assert all(units.folded)
    assert not any(split_units(units.gap(place)).folded for place in places)


@pytest.mark.parametrize(("one", "other"), [
    ("“He’s”", '"he\'s"'), ("1990–1995", "1990-1995"), ("so—well", "so--well"),
    ("well…", "well..."), ("``Yes''", '"Yes"'), ("José", "jose"), ("Jose\u0301", "josé"),
    ("co\u00adoperate", "cooperate"), ("a\u00a0b", "a \n b"),
])  # fmt: skip
def test_what_is_typed_in_several_ways_is_the_same(one: str, other: str) -> None:
    """Kinds of quotes, dashes, spaces, accents and letter case make no difference."""
    assert split_units(one).folded == split_units(other).folded


@given(st.characters())
def test_folding_is_done_once(character: str) -> None:
    """What is folded stays as it is."""
    assert fold(fold(character)) == fold(character)


def test_offsets_find_units() -> None:
    """A place in the text leads to the unit there, or else to the next."""
    units = split_units("He  ran.")
    assert [units.at(offset) for offset in (0, 1, 2, 4, 7)] == [0, 0, 1, 1, 2]
    assert [units.until(offset) for offset in (0, 2, 4, 5, 8)] == [0, 1, 1, 2, 3]
    assert units.span(1, 1) == (2, 2)
