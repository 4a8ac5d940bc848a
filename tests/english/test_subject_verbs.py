"""Tests of finding the verbs of a subject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.subject_verbs import verbs_of
from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("She really sings.", ["sings"]),
        ("She’s here and isn't ill.", ["s", "isn"]),
        ("Isn't she here?", ["Isn"]),
        ("Is he or she here?", ["Is"]),
        ("Is he/she here?", ["Is"]),
        ("She went home and is ill.", ["went", "is"]),
        ("She (the boss, I think) sings.", ["sings"]),
        ("She and I are here.", []),
        ("It was she.", []),
        ("Why is she here?", ["is"]),
        ("Why isn't she here?", ["isn"]),
        ("Why is n't she here?", ["is"]),
        ("Why is not she here?", ["is"]),
        ("Is not she here?", ["Is"]),
        ("What's she like?", ["s"]),
        ("Here's she.", []),
        ("It's she.", []),
        ("T she sings.", ["sings"]),
        ("n't she sings.", ["sings"]),
        ("Is s/he here?", ["Is"]),
        ("Where was he or she then?", ["was"]),
        ("or she is here", ["is"]),
        ("Here is she.", ["is"]),
        ("Proof is she sings.", ["sings"]),
        ("Proof is she.", ["is"]),
        ("A b b b b b is she.", []),
        ("A b b b b b b is she.", ["is"]),
        ("She. Sings.", []),
        ("she", []),
    ],
)
def test_the_verbs_of_the_last_pronoun(text: str, verbs: list[str]) -> None:
    """The words that are its verbs, before or behind it."""
    tokens = tokenize(text)
    index = max(i for i, word in enumerate(tokens.lower) if word in ("he", "she"))
    assert [tokens.words[position] for position in verbs_of(tokens, index)] == verbs


@given(st.text(alphabet="heshe and is's,.(-\n", max_size=40), st.data())
def test_verbs_are_words_in_order(text: str, data: st.DataObject) -> None:
    """Whatever the text, the verbs are different words in the order of the text."""
    tokens = tokenize(text)
    if tokens.words:
        index = data.draw(st.integers(0, len(tokens.words) - 1))
        found = verbs_of(tokens, index)
        assert found == sorted(set(found))
        assert all(0 <= position < len(tokens.words) for position in found)
        assert index not in found
