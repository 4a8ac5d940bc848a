"""Words that tie a row to a group."""

import pytest

from fair_datasets.english.ties import speaking_against, tied, ties
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.words import Words


def _tied(text: str, axis: str) -> list[tuple[str, set[str], set[str]]]:
    words = Words([text])
    found = tied(words, axis, ~words.is_end)
    return [(each.words, {*each.groups}, {*each.never}) for each in found]


def test_ties_are_of_attributes_that_there_are() -> None:
    """Each row names an axis that ships and one of its attributes, and no row stands twice."""
    assert len({tie[:4] for tie in ties()}) == len(ties())
    for tie in ties():
        assert tie.attribute in load_lexicon(tie.axis).attributes
        assert tie.where in ("from", "to")
        assert len(tie.words.split(" ")) in (1, 2)


@pytest.mark.parametrize(
    ("axis", "text", "found"),
    [
        ("religion", "the Old testament", [("Old testament", {"christian", "jewish"}, set())]),
        ("religion", "an old will and a testament", []),
        ("religion", "the chapel", [("chapel", {"christian"}, {"atheist"})]),
        ("nationality", "a flight to Turkey", [("Turkey", {"turkish"}, set())]),
        ("nationality", "a turkey on the table", []),
        ("nationality", "the US and us", [("US", {"american"}, set())]),
        ("nationality", "tell us", []),
    ],
)
def test_words_are_found_as_they_are_listed(
    axis: str, text: str, found: list[tuple[str, set[str], set[str]]]
) -> None:
    """With the word before them, with their capitals, and with all that they are tied to."""
    assert _tied(text, axis) == found


def test_words_that_speak_against_somebody_are_counted() -> None:
    """Most of them against children and atheists, none against groups of race."""
    assert speaking_against("age")["child"] > speaking_against("age")["senior"] > 0
    assert speaking_against("religion").keys() == {"atheist", "buddhist", "christian"}
    assert "asian" not in speaking_against("race")
