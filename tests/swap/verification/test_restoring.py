"""Tests of undoing what was mended unasked."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.swap import restore
from fair_datasets.swap.verification.units import split_units

WORDS = st.lists(
    st.sampled_from(
        ["he", "He", "She", "dont", "don", "'", "t", "a", "alot", "lot", "teh", "the", "-", "—",
         " ", "  ", "\n", "“", '"', ".", "...", "…", "Mary", "e", "\u0301", "\u00ad", "``", "''",
         "recieve", "receive"]
    )
).map("".join)  # fmt: skip
TEXTS = st.text() | WORDS


@pytest.mark.parametrize(
    ("before", "after", "restored", "mended"),
    [
        ("he said so", "He said so", "he said so", 1),
        ("He  ran .", "She ran.\n", "She  ran .", 3),
        ("“It’s his”", '"It\'s hers"', "“It’s hers”", 3),
        ("I dont recieve alot", "I don't receive a lot", "I dont recieve alot", 3),
        ("It was teh king's", "It was the queen's", "It was teh queen's", 1),
        ("café — he", "cafe - she", "café — she", 2),
        ("Ann met BOB, he said.", "mary met tom, she said.", "Mary met TOM, she said.", 2),
        ("HE LEFT", "She left", "SHE LEFT", 2),
        ("HE'S HERE", "They're HERE", "THEY'RE HERE", 2),
        ("He left. He slept.", "SHE left. she slept.", "She left. She slept.", 2),
        ("the man saw HIM", "the Woman saw her", "the woman saw HER", 2),
        (
            "Policemen left. Ann ran.",
            "police officers left. bob ran.",
            "Police officers left. Bob ran.",
            2,
        ),
        ("JOHN saw Mary.", "Mary saw JOHN.", "MARY saw John.", 2),
        ("Asian men saw OAPs", "white men saw children", "White men saw children", 1),
        ("I saw Susan.", "i saw peter.", "I saw Peter.", 2),
        ("a white man", "an asian man", "an Asian man", 1),
        ("an e-mail to him", "an email to her", "an e-mail to her", 1),
    ],
)
def test_what_was_mended_is_as_it_was(before: str, after: str, restored: str, mended: int) -> None:
    """Letter case, spelling, spaces, quotes and accents come back, and are counted."""
    assert restore(before, after) == (restored, mended)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It is now here.", "It is not here."),
        ("in 1990", "in 1980"),
        ("his paternal aunt", "his maternal aunt"),
        ("Women left.", "White women left."),
        ("an African-American actor", "a Native American actor"),
        ("Mr. Smyth left.", "Mr. Smith left."),
        ("He did not come.", "He did come."),
    ],
)
def test_other_words_are_never_restored(before: str, after: str) -> None:
    """A fault is no mistake in spelling, and an edit keeps its own letter case and spaces."""
    assert restore(before, after) == (after, 0)


@given(TEXTS, TEXTS)
def test_restoring_again_changes_nothing(before: str, after: str) -> None:
    """What is restored stays as it is."""
    once = restore(before, after)
    assert restore(before, once.text) == (once.text, 0)


@given(TEXTS, TEXTS)
def test_restoring_writes_only_what_stood_in_one_of_both(before: str, after: str) -> None:
    """Each unit is one of the rewrite, or stands so in the original; none is invented."""
    restored = set(split_units(restore(before, after).text).folded)
    assert restored <= {*split_units(before).folded, *split_units(after).folded}


@given(
    st.lists(
        st.sampled_from(
            ["She", "they", "not", "1990", "Paris", "sister", "met", ",", ".", "7", "unseen"]
        )
    )
)
@example(["met", "She", "She", "She", ".", ".", "She", "She", "She", "She"])
def test_restoring_never_changes_known_words(words: list[str]) -> None:
    """Whatever the original, words that are spelt right stay, in their order."""
    before = "He met his brother in London, not in 1991 ."
    after = " ".join(words)
    assert split_units(restore(before, after).text).folded == split_units(after).folded


def test_no_text_is_told() -> None:
    """Something that is no text is named."""
    with pytest.raises(InputError, match=r"restore: after must be a text, but it is None"):
        restore("He left.", None)  # type: ignore[arg-type]
