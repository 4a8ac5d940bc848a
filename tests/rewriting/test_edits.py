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
    """Common words are no junk."""
    row = "the man saw the dog and the dog saw the man "
    edits = aligned_edits(row * 500, row * 250 + "a woman saw " + row * 250)
    assert [(edit.before, edit.after) for edit in edits] == [("", "a woman saw ")]


def test_long_texts_with_many_edits_are_aligned() -> None:
    """Every fifth of 20,000 words is another one."""
    before = " ".join(f"word{number % 97}" for number in range(20_000)).split()
    after = [f"{word}x" if not number % 5 else word for number, word in enumerate(before)]
    edits = aligned_edits(" ".join(before), " ".join(after))
    assert len(edits) == 4_000
    assert all(edit.after == f"{edit.before}x" for edit in edits)
