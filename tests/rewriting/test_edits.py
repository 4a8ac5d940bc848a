"""Edits between two texts."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from fair_datasets.rewriting.edits import aligned_edits, apply_edits

# What texts are put together from; all else is drawn letter by letter.
WORDS = st.lists(st.sampled_from(["he", "she", "a", "an", " ", "  ", ".", "\n", "é", "🙂"]))
TEXTS = st.one_of(st.text(), WORDS.map("".join))


@example("", "He ran.")
@example("He ran. He ran.", "He ran.")
@given(TEXTS, TEXTS)
def test_edits_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    """They account for every difference, in order, and hold nothing that stays."""
    edits = aligned_edits(before, after)
    assert apply_edits(before, edits) == after
    assert all(before[edit.start : edit.end] == edit.before != edit.after for edit in edits)
    # Edits that touch would be one.
    assert all(one.end < other.start for one, other in pairwise(edits))
    assert bool(edits) == (before != after)


def test_edits_are_of_whole_words() -> None:
    """A word is replaced by a word, whatever letters they share."""
    edits = aligned_edits("An actor’s son, 5.", "An actress’s daughter, 5.", axis="gender")
    assert [(edit.before, edit.after, edit.axis) for edit in edits] == [
        ("actor", "actress", "gender"),
        ("son", "daughter", "gender"),
    ]


def test_long_texts_with_few_edits_are_aligned() -> None:
    """What both ends share is passed over, and common words are no junk."""
    row = "the man saw the dog and the dog saw the man "
    edits = aligned_edits(row * 500, row * 250 + "a woman saw " + row * 250)
    assert [(edit.before, edit.after) for edit in edits] == [("", "a woman saw ")]
