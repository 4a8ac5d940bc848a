"""Whether words stand alone."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import IS_ALONE, IS_CLEAR, IS_HYPHENATED, is_protected
from fair_datasets.reader.matching.tokenizer import may_hold_code, protected_spans, tokenize

PIECES = ["he", "HE", "she", "Señor", "s", "Łukasz", "A1", "’", "'", '"', " ", " ", "\n", "-\n",
          "\x00", "é", "Ω", ".", ",", "-", "/", "@", "#", "\\", "_", "`", "<", ">", "://", ")",
          "\u0301", "\u00ad", "man.txt"]  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)


@settings(deadline=None)
@given(st.lists(TEXTS))
def test_words_stand_alone_as_in_their_text(texts: list[str]) -> None:
    """The columns tell what one text by itself tells."""
    words = TokenBatch(texts)
    candidates = Candidates(words, np.flatnonzero(~words.is_end))
    tokens = [(one, k) for one in map(tokenize, texts) for k in range(len(one.lower))]
    assert candidates.holds(IS_ALONE).tolist() == [one.is_alone(k) for one, k in tokens]
    assert candidates.holds(IS_HYPHENATED).tolist() == [one.is_hyphenated(k) for one, k in tokens]
    assert is_protected(candidates).tolist() == [one.is_protected(k) for one, k in tokens]


@settings(deadline=None)
@given(TEXTS)
def test_a_clear_word_is_alone(text: str) -> None:
    """A word that is clear is no part of a word, not hyphenated and in no address or path."""
    words, tokens = TokenBatch([text]), tokenize(text)
    candidates = Candidates(words, np.flatnonzero(~words.is_end))
    for place in np.flatnonzero(candidates.holds(IS_CLEAR)).tolist():
        assert tokens.is_alone(place)
        assert not tokens.is_hyphenated(place)
        start = tokens.starts[place]
        assert may_hold_code(text) or not any(
            first <= start < last for first, last in protected_spans(text)
        )
