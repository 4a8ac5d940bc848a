"""Apostrophes behind words: possessive endings or quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap
from fair_datasets.matching.tokens import tokenize
from fair_datasets.swap.possessives import has_ending, is_possessive

SWAP = CounterfactualSwap(columns="text", mode="replace")


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("the ladies' room", "the gentlemen's room"),
        ("the ladies’ room", "the gentlemen’s room"),
        ("THE LADIES' ROOM", "THE GENTLEMEN'S ROOM"),
        ("the gentlemen's room", "the ladies' room"),
        ("the gentlemen’s room", "the ladies’ room"),
        ("the wives' club", "the husbands' club"),
        ("the heiress' house", "the heir's house"),
        ("the heir's house", "the heiress's house"),
        ("the 'ladies' and", "the 'gentlemen' and"),
        ("‘ladies’ and", "‘gentlemen’ and"),
        ("ladies'", "gentlemen's"),
        ("don't, ladies' room", "don't, gentlemen's room"),
        ("rock 'n' roll ladies' night", "rock 'n' roll gentlemen's night"),
        ("the '60s ladies' club", "the '60s gentlemen's club"),
    ],
)
def test_possessives_follow_the_new_word(text: str, swapped: str) -> None:
    """The possessive ending is the new word's, and a closing quote is left alone."""
    assert SWAP({"text": [text]})["text"] == [swapped]


@pytest.mark.parametrize(
    "quoted",
    ["``{}''", "''{}''", "“{}”", "‘{}’", "'{}'", "«{}»", "„{}“", "‚{}‘", "‹{}›", "`{}'", "’’{}’’"],
)
@pytest.mark.parametrize("frame", ["{}", "She said {} twice.", "({}), she said", "so: {}"])
def test_a_closing_quote_is_no_possessive(quoted: str, frame: str) -> None:
    """Whatever the quotes, they stay as they are around a word that ends in s."""
    text = frame.format(quoted.format("Duchess"))
    swapped = frame.replace("She", "He").replace("she", "he").format(quoted.format("Duke"))
    assert SWAP({"text": [text]})["text"] == [swapped]


@pytest.mark.parametrize("quoted", ["``{}''", "“{}”", "‘{}’", "'{}'", "«{}»", "„{}“", "`{}'"])
def test_a_possessive_within_quotes_is_one(quoted: str) -> None:
    """It has no quote sign of its own, and one that closes the quotation follows."""
    for written, swapped in (("Is it the ladies{} room?", "Is it the gentlemen{}s room?"),):
        sign = "’" if "’" in quoted else "'"
        text = f"He asked, {quoted.format(written.format(sign))}"
        after = f"She asked, {quoted.format(swapped.format(sign))}"
        assert SWAP({"text": [text]})["text"] == [after]


@pytest.mark.parametrize(("words", "possessive"), [(56, False), (58, True)])
def test_a_quote_is_open_for_sixty_words(words: int, possessive: bool) -> None:
    """Behind that a sign that opened something was none of a quotation."""
    text = f"so 'well {'no ' * words}the ladies' and"
    assert is_possessive(tokenize(text), words + 3) is possessive


def test_a_quote_that_was_closed_before_opens_none() -> None:
    """What stands behind a quotation is no part of it."""
    text = "‘No!’ said the Duchess’ aunt. ‘The ladies’ are here.’"
    assert SWAP({"text": [text]})["text"] == [
        "‘No!’ said the Duke’s uncle. ‘The gentlemen’ are here.’"
    ]


def test_quotes_stay_where_a_word_is_removed() -> None:
    """Only a possessive goes with its word."""
    texts = ["She met the ``ladies'' there.", "the ladies' room"]
    assert Blindness(columns="text")({"text": texts})["text"] == [
        "met the ``'' there.",
        "the room",
    ]


def test_an_ending_that_begins_an_address_is_none() -> None:
    """The s behind the apostrophe is that of a word, or it is left alone."""
    assert has_ending(tokenize("the men's hats"), 1, {"s"})
    assert not has_ending(tokenize("the men's@example.com"), 1, {"s"})


@given(st.lists(st.sampled_from([*"'’‘`\"", "ladies", " ", "", "and", "90s", "em"])).map("".join))
def test_any_text_is_judged(text: str) -> None:
    """The judgement never fails, wherever signs stand."""
    tokens = tokenize(text)
    for index in range(len(tokens.lower)):
        assert is_possessive(tokens, index) in (True, False)
