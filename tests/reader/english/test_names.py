"""First names in context."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.lexicons import available_lexicons
from fair_datasets.reader.english.names import IS_IN_NAME, SURNAME
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.predicates import says
from tests.reader.english.asking import every_word


def _swapped(text: str, axis: str, target: str | None = None) -> str:
    swap = CounterfactualSwap("text", axis=axis, target=target, mode="replace", protect=())
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize(("name", "rest"), [
    ("Debra", "Monk acted."),
    ("Adrian", "Monk and Tina Abbot"),
    ("Art", "Monk scored."),
    ("George", "Foreman fought."),
    ("Carole", "King sang."),
])  # fmt: skip
def test_the_surname_stays_where_the_first_name_is_swapped(name: str, rest: str) -> None:
    """A person of another gender has the same surname."""
    text = f"{name} {rest}"
    after = _swapped(text, "gender")
    first, surname = rest.split(" ")[0], after.split(" ")[1]
    assert (first, after != text) == (surname, True)


@pytest.mark.parametrize(("text", "title"), [
    ("So Anne Mrs. Lynde left.", "Mr."),
    ("We saw Eliza Countess of Gaverick.", "Earl of"),
    ("I miss Bridget Lady Gaverick.", "Lord"),
])  # fmt: skip
def test_a_title_behind_a_first_name_is_one(text: str, title: str) -> None:
    """A title goes on before another name, or with its place."""
    assert f" {title} " in _swapped(text, "gender")


def test_the_reason_is_told() -> None:
    """A surname is listed with the reason."""
    [found] = find_terms("Umar Islam left.", "religion")
    assert (found.text, found.reason) == ("Islam", Reason.SURNAME.value)


WORDS = st.sampled_from(["Mary", "Jack", "Islam", "St.", "Mr.", "of", "Lady", "-", ",", "\n", "İ"])


@settings(deadline=None)
@given(st.lists(WORDS).map(" ".join))
def test_any_word_is_judged(text: str) -> None:
    """The judgement never fails, at no edge of the text; no surname is its first word."""
    candidates = every_word(text)
    is_surname = candidates.holds(says(SURNAME))
    assert not is_surname[candidates.places == candidates.first].any()
    assert candidates.holds(IS_IN_NAME).shape == is_surname.shape


@pytest.mark.parametrize("axis", available_lexicons())
def test_a_word_in_a_headline_is_no_first_name(axis: str) -> None:
    """Where all words are capitalised, a capital makes no name of a word."""
    text = "We Saw Will Women Muslims Whites Danes Teenagers Lesbians Today In Town"
    reasons = {term.reason for term in find_terms(text, axis, names=False)}
    assert Reason.SURNAME.value not in reasons
