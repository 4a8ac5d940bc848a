"""Words that tie a row to a group."""

import pytest

from fair_datasets.english.ties import tied, ties
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.words import Words


def _tied(text: str, axis: str) -> set[tuple[str, str]]:
    words = Words([text])
    return {(attribute, where) for _, attribute, where in tied(words, axis, ~words.is_end)}


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
        ("religion", "the old testament", {("christian", "from"), ("jewish", "from")}),
        ("religion", "an old will and a testament", set()),
        ("nationality", "a flight to Turkey", {("turkish", "from")}),
        ("nationality", "a turkey on the table", set()),
        ("nationality", "the US and us", {("american", "from")}),
        ("nationality", "tell us", set()),
    ],
)
def test_words_are_found_as_they_are_listed(
    axis: str, text: str, found: set[tuple[str, str]]
) -> None:
    """With the word before them, and with their capitals."""
    assert _tied(text, axis) == found
