"""Words, their logits, and masks in their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.error_correction.hidden import Token, masked, word_logits, word_spans


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return [text[start:end] for start, end in word_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("?! …", []),
        ("“Don’t”, she said.", ["Don", "t", "she", "said"]),
        ("mother-in-law (HIS)", ["mother", "in", "law", "HIS"]),
        ("snake_case 42nd", ["snake", "case", "42nd"]),
        ("Zoe\u0308 Zoë", ["Zoe\u0308", "Zoë"]),
        ("लड़का आया।", ["लड़का", "आया"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("مُحَمَّد.", ["مُحَمَّد"]),
        ("น้ำดี ครับ", ["น้ำดี", "ครับ"]),
        ("\u0301 a\u0301_b", ["a\u0301", "b"]),
    ],
)
def test_signs_are_no_part_of_words(text: str, expected: list[str]) -> None:
    """Apostrophes, hyphens and quotes stay outside; an accent stays with its letter."""
    assert words(text) == expected


PIECES = [Token(0, 4, -1.0), Token(4, 8, 2.0), Token(9, 12, None), Token(12, 14, 3.0)]


def test_any_token_or_the_first_decides() -> None:
    """A word whose second piece alone is flagged is flagged by one trigger and not by the other."""
    assert word_logits([(0, 8)], PIECES) == [2.0]
    assert word_logits([(0, 8)], PIECES, "head") == [-1.0]


def test_a_word_that_the_tokenizer_does_not_know_has_no_logit() -> None:
    """Nor has one without a token, or one of whose pieces one is not known."""
    assert word_logits([(9, 14), (20, 22)], PIECES) == [None, None]


def test_a_token_over_two_words_counts_for_both() -> None:
    """As with tokens that hold a space."""
    assert word_logits([(0, 2), (3, 5)], [Token(0, 5, 1.0)]) == [1.0, 1.0]


@given(st.text(), st.data())
def test_what_is_not_masked_stays(text: str, data: st.DataObject) -> None:
    """The pieces between the words that are masked are those between the masks, sign for sign."""
    spans = word_spans(text)
    chosen = sorted(data.draw(st.sets(st.sampled_from(spans)))) if spans else []
    new = masked(text, chosen, "\0")
    borders = [0, *(place for span in chosen for place in span), len(text)]
    between = [text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
    assert new == "\0".join(between)
