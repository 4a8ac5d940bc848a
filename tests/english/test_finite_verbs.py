"""Tests of telling finite verbs from their neighbours."""

import pytest

from fair_datasets.english.finite_verbs import behind_adverbs, ends_before, is_verb, verb_from
from fair_datasets.matching.tokens import tokenize


def test_adverbs_are_passed_within_the_sentence() -> None:
    """The first word that is no adverb, or none where the sentence ends."""
    assert behind_adverbs(tokenize("very often of course sings"), 0) == 4
    assert behind_adverbs(tokenize("She family-tests"), 1) == 2
    assert behind_adverbs(tokenize("very often. She"), 0) is None
    assert behind_adverbs(tokenize("very"), 5) is None


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("sings", 0),
        ("really, truly sings", 2),
        ("(my boss) is", 2),
        ("-- a doctor -- was", 2),
        (", however, is", 1),
        ("and sings", None),
        ("yesterday. Sings", None),
        ("(my boss", None),
        ("", None),
    ],
)
def test_the_verb_stands_behind_adverbs_and_insertions(text: str, verb: int | None) -> None:
    """The first word that may be the verb, or none before the sentence ends."""
    assert verb_from(tokenize(text), 0) == verb


@pytest.mark.parametrize(
    ("gap", "ends"),
    [
        *[(" ", False), (", ", False), (" ... ", False), ("… ", False), ("\n", False)],
        *[(". ", True), ("?! ", True), ("; ", True), ("\n\n", True), ("\r\n \r\n", True)],
    ],
)
def test_where_a_sentence_ends(gap: str, ends: bool) -> None:
    """At marks that end it and between paragraphs, but not at an ellipsis or a broken line."""
    assert ends_before(tokenize(f"she{gap}is"), 1) is ends


def test_a_line_before_a_capital_is_another_sentence() -> None:
    """Titles, verses and lists need no full stop."""
    assert ends_before(tokenize("she\nIs"), 1)


@pytest.mark.parametrize("text", ["is she", "isn't he", "does it", "begins-with"])
def test_what_is_no_verb_of_the_subject_before_it(text: str) -> None:
    """An auxiliary before its own subject, and a part of a compound."""
    assert not is_verb(tokenize(text), 0)
