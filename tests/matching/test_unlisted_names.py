"""Why common names are left alone on an axis whose names are listed by group."""

from itertools import pairwise

import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.matching.found import Reason
from fair_datasets.matching.unlisted_names import unlisted_names


def reasons(text: str, **options: object) -> dict[str, str]:
    """Return the words that were found along race, with what is said of them."""
    found = find_terms(text, "race", **options)  # type: ignore[arg-type]
    return {term.text: term.attribute or term.reason for term in found}


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("Emily went home.", "Emily", Reason.NO_GROUP),
        ("I saw Jamal there.", "Jamal", Reason.NO_GROUP),
        ("Mr. Smith left.", "Smith", Reason.NO_GROUP),
        ("Jordan Peele wrote it.", "Jordan", Reason.LEFT_OUT),
        ("Jamal Washington won.", "Washington", Reason.LEFT_OUT),
        ("Aiden is late.", "Aiden", Reason.TOO_RARE),
        ("Naïve as he was, Mr. Pérez left. Chloé came.", "Chloé", Reason.NO_GROUP),
    ],
)
@pytest.mark.parametrize("names", [True, None])
def test_a_common_name_that_is_not_listed_has_a_reason(
    text: str, name: str, reason: Reason, names: bool | None
) -> None:
    """It is told whether names are swapped or not, and no reason is given for what is swapped."""
    assert reasons(text, names=names)[name] == reason.value
    swap = CounterfactualSwap(columns="text", axis="race", names=True, mode="replace")
    assert name in swap({"text": [text]})["text"][0]


def test_a_listed_name_says_how_it_is_read() -> None:
    """Without names=True the names of the axis are left alone; with it they are read."""
    text = "José met Ms. Nguyen."
    why = Reason.NAMES_NOT_ASKED.value
    assert reasons(text) == {"José": why, "Nguyen": why}
    assert reasons(text, names=True) == {"José": "hispanic", "Nguyen": "asian"}


def test_nothing_is_said_of_names_that_are_switched_off() -> None:
    """names=False is an answer; and gender, whose names are paired, has no such reasons."""
    text = "Emily and Juan met Jordan."
    assert reasons(text, names=False) == {}
    found = find_terms(text, "gender", names=True)
    assert [term.text for term in found] == ["Emily", "Juan"]
    assert find_terms("Emily left.", "religion", names=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "the Washington Post", "See emily", "Will it rain?", "Jordan is a country.", "a brown dog",
        "see https://emily.example", "St. James", "the Jackson file",
    ],
)  # fmt: skip
def test_what_is_no_name_here_is_not_told(text: str) -> None:
    """The same caution is taken as for the names that are swapped."""
    assert list(unlisted_names(text)) == []


def test_a_word_is_told_once() -> None:
    """What a table reads or leaves alone already keeps its reason, and offsets are apart."""
    found = find_terms("Ms. White met James James and Thomas James.", "race", names=True)
    spans = [(term.start, term.end) for term in found]
    assert len(set(spans)) == len(spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert found[0].reason == Reason.NOT_PEOPLE.value


def test_a_protected_name_keeps_its_reason() -> None:
    """Protection is told in place of a list."""
    found = reasons("Emily Garcia left.", names=True, protect=["Emily Garcia"])
    assert found == {"Emily Garcia": Reason.PROTECTED_NAME.value}
