"""Paired forms stay sensible."""

import pytest

from fair_datasets import CounterfactualSwap


def _swapped(text: str, **options: object) -> str:
    swap = CounterfactualSwap(columns="text", mode="replace", **options)  # type: ignore[arg-type]
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize(
    "text",
    ["Ask him or her.", "his/her seat", "boys and girls", "He or she left.", "a man or woman"],
)
def test_one_direction_leaves_a_pair_alone(text: str) -> None:
    """Where one form would become the other, both stay."""
    assert _swapped(text, source="man", target="woman") == text
    assert _swapped(text, target="man") == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Ask him or her.", "Ask them."),
        ("He/she left his / her seat.", "They left their seat."),
        ("He or she is late.", "They are late."),
        ("Is he or she late?", "Are they late?"),
        ("Boys and girls play.", "Young people play."),
        ("The boy and the girl play.", "The young person and the young person play."),
        ("A waiter or waitress came.", "A server came."),
    ],
)
def test_a_pair_becomes_one_word(text: str, after: str) -> None:
    """Where both forms would become the same, one is written."""
    assert _swapped(text, target="non-binary") == after


def test_two_singular_nouns_stay_two() -> None:
    """A waiter and a waitress are two people."""
    after = _swapped("the waiter and the waitress came", target="non-binary")
    assert after == "the server and the server came"


def test_a_pair_behind_neither_stays() -> None:
    """No single word can follow neither, both and either."""
    text = "Neither he nor she likes it."
    assert _swapped(text, target="non-binary") == text
