"""Where sentences begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.swap.rewriting.sentences import sentence_starts

WORDS = ["He", "ran.", "Mr.", "A.", "“No!”", "so", "\n\n", "\n", " ", "5.", "…", "etc."]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Mr. A. Gray left.  ", "Did he? ", "Yes, at 5 p.m. or so."],
        ["He ran. ", "“She sat.” ", "Then (they left.) ", "'No!' she said.\n\n", "New"],
        ["It was I. ", "He met Dr. Wood, the U.S. envoy, vs. me etc. and left..."],
        ["A title\n\n", "it begins in lower case. ", "End."],
        ["A line\nthat goes on. ", "Another."],
        ["They met etc.\nand left. ", "Another."],
        ["no end"],
        [],
    ],
)
def test_sentences_begin_behind_their_signs(sentences: list[str]) -> None:
    """Abbreviations, initials and the ends of lines are none."""
    text = "".join(sentences)
    expected = [sum(map(len, sentences[:k])) for k in range(len(sentences))]
    assert sentence_starts(text) == expected


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_no_sentence_is_empty(text: str) -> None:
    """The offsets grow, and each but the first stands before a sign and behind white space."""
    starts = sentence_starts(text)
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if text else [])
    assert all(text[k - 1].isspace() and not text[k].isspace() for k in starts[1:])
