"""Showing the terms of a text, and why a candidate is left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError, available_lexicons, find_terms
from fair_datasets.matching.reasons import Reason

WORDS = ["he", "Her", "king", "a king", "King James", "Mary", "will", "Will", "host", "@her",
         "`he`", "father-in-law", "Bachelor's degree", "ﬀ", "İ", "\n", "mother", "’s",
         "_him_"]  # fmt: skip


def _seen(text: str, axis: str = "gender", **options: object) -> list[tuple[str, str]]:
    found = find_terms(text, axis, **options)  # type: ignore[arg-type]
    return [(term.text, term.attribute or term.reason) for term in found]


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("see https://her.example", "her", Reason.PROTECTED_TEXT),
        ("the user_he field", "he", Reason.PART_OF_WORD),
        ("a bachelor's degree", "bachelor's degree", Reason.PHRASE),
        ("They host a party.", "host", Reason.VERB),
        ("the count of votes", "count", Reason.THING),
        ("Dr. Monk left.", "Monk", Reason.SURNAME),
        ("Will it rain?", "Will", Reason.NOT_A_NAME),
    ],
)
def test_the_reason_is_told(text: str, word: str, reason: Reason) -> None:
    """A candidate that is left alone is listed with the reason."""
    assert (word, reason.value) in _seen(text)


def test_words_that_describe_no_people_are_told() -> None:
    """On other axes a word is left alone where it is about things."""
    assert _seen("White walls for white neighbours.", "race") == [
        ("White", Reason.NOT_PEOPLE.value),
        ("white", "white"),
    ]


def test_protected_names_are_told() -> None:
    """A protected name is left alone wherever its words stand in the text."""
    found = _seen("Mary Smith met John. Mary left.", protect=["Mary Smith"])
    assert found == [
        ("Mary Smith", Reason.PROTECTED_NAME.value),
        ("John", "man"),
        ("Mary", Reason.PROTECTED_NAME.value),
    ]


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_offsets_address_the_text(text: str) -> None:
    """Each term stands in the text where it says, and has an attribute or a reason."""
    for term in find_terms(text):
        assert text[term.start : term.end] == term.text
        assert bool(term.attribute) != bool(term.reason)


@pytest.mark.parametrize("text", [None, 3, b"he", ["he"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    """A sentence says what was given."""
    with pytest.raises(InputError, match="find_terms: the text must be a string, but it is a"):
        find_terms(text)  # type: ignore[arg-type]


PARTS = (
    "Sisters Old Boys International Women King Mary Will Black of Asian Muslim Gay French Priest"
)
MORE_PARTS = "40 year old aged The 's Her his Mr Lady Saint Academy Sue Mark"


@pytest.mark.parametrize("axis", available_lexicons())
@settings(deadline=None)
@given(
    parts=st.lists(st.sampled_from(f"{PARTS} {MORE_PARTS}".split()), max_size=4),
    end=st.sampled_from(["", " ", "-", "'", ", ", ". ", "/", " & ", "\n"]),
)
def test_a_text_may_end_anywhere(axis: str, parts: list[str], end: str) -> None:
    """Rules look behind a word only where there is something."""
    for text in (" ".join(parts) + end, end.join(parts)):
        for term in find_terms(text, axis, names=True):
            assert text[term.start : term.end] == term.text


@pytest.mark.parametrize("name", ["Mary", "Prince", "Will"])
def test_a_single_name_can_be_protected(name: str) -> None:
    """A protected name may have one word only, wherever it stands."""
    for text in (name, f"{name} ran.", f"I saw {name}", f"I saw {name} there."):
        assert (name, Reason.PROTECTED_NAME.value) in _seen(text, protect=name)
