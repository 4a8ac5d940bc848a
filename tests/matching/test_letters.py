"""Letters as bytes, and how many of a kind words have."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.letters import DIGIT, LOWER, UPPER, Letters, in_bytes

LETTERS = st.characters(categories=["Lu", "Ll", "Nd"])


@given(st.lists(st.text(alphabet=LETTERS, min_size=1), min_size=1), st.data())
def test_letters_are_counted_as_python_tells_them(words: list[str], data: st.DataObject) -> None:
    """For some of many words, in any order, and for all of them."""
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - [len(word) for word in words]
    content, _ = in_bytes(" ".join(words))
    letters = Letters(content, starts, ends)
    for _ in range(3):
        at = data.draw(st.lists(st.integers(0, len(words) - 1)))
        asked = [words[k] for k in at]
        for kind, is_kind in ((UPPER, str.isupper), (LOWER, str.islower)):
            counts = [sum(map(is_kind, word)) for word in asked]
            assert letters.count(kind, np.array(at, np.int64)).tolist() == counts
    latin = [sum(c.isdigit() and c < "\u0100" for c in word) for word in words]
    assert letters.count(DIGIT, np.arange(len(words))).tolist() == latin


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
