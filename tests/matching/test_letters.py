"""Letters as bytes, and how many of a kind words have."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.letters import counted, in_bytes

LETTERS = st.characters(categories=["Lu", "Ll", "Nd"])


@given(st.lists(st.text(alphabet=LETTERS, min_size=1), min_size=1))
def test_letters_are_counted_as_python_tells_them(words: list[str]) -> None:
    """In words of any length."""
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - [len(word) for word in words]
    content, _ = in_bytes(" ".join(words))
    upper, lower, digits = counted(content, starts, ends).tolist()
    assert upper == [sum(map(str.isupper, word)) for word in words]
    assert lower == [sum(map(str.islower, word)) for word in words]
    assert digits == [sum(c.isdigit() and c < "\u0100" for c in word) for word in words]


@given(st.text())
def test_each_character_is_a_byte(text: str) -> None:
    """Characters of Latin-1 are themselves, but for the three that stand for others."""
    content, beyond = in_bytes(text)
    assert len(content) == len(text)
    assert beyond.tolist() == [k for k, c in enumerate(text) if c > "\u00ff"]
    for byte, character in zip(content, text, strict=True):
        if character <= "\u00ff" and not "\x80" <= character <= "\x82":
            assert byte == ord(character)
        else:
            assert byte in (0x80, 0x81, 0x82, 0x83)
