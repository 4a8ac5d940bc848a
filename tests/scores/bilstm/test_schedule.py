"""What an encoder's tokenizer takes for a word, and which words it knows."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.models.word_vectors import WordVectors
from fair_datasets.scores.bilstm.schedule import SPECIAL, tokenizer_of, vocabulary
from fair_datasets.system.pretrained import read_tokenizer

LOWER = WordVectors.of(["the", "do", "n't", "nurse", "'s", "...", "<s>"], np.eye(7) + 1)
CASED = WordVectors.of(["The", "the", "US", "us", "football", "Mary"], np.eye(6) + 1)


def read(vectors: WordVectors, text: str, *known: str, frequent: int = 99) -> tuple[Any, Any]:
    """Return where the tokens of a text stand, and their vectors."""
    found = vocabulary(vectors, ["the football", *known], frequent)
    tokenizer = tokenizer_of(found.tokens, is_lower=found.is_lower, markers=False)
    encoded = tokenizer(text, return_offsets_mapping=True)
    words = [text[start:end] for start, end in encoded["offset_mapping"]]
    return words, found.vectors[found.rows[encoded["input_ids"]]]


def test_words_without_a_vector_are_no_tokens() -> None:
    """Nor are their letters; contractions are cut, and curly apostrophes straight."""
    words, vectors = read(LOWER, "The zebra nurse’s ... DON'T a_b, the")
    assert words == ["The", "nurse", "’s", "...", "DO", "N'T", "the"]
    assert vectors.argmax(axis=1).tolist() == [0, 3, 4, 5, 1, 2, 0]


def test_a_word_is_looked_up_as_it_is_written_then_in_lower_case() -> None:
    """Where the vectors have capitals; also where it is none of the training texts'."""
    words, vectors = read(CASED, "The US told us, mary Mary MARY Football FOOTBALL fOOTball")
    assert words == ["The", "US", "us", "Mary", "Football", "FOOTBALL"]
    assert vectors.argmax(axis=1).tolist() == [0, 2, 3, 5, 4, 4]
    assert read(CASED, "fOOTball", "fOOTball")[0] == ["fOOTball"]


def test_which_words_are_known() -> None:
    """Those of the training texts, and as many of the first ones of the file as asked for."""
    assert read(CASED, "The us football", frequent=1)[0] == ["The", "football"]
    assert read(CASED, "the us football", frequent=0)[0] == ["the", "football"]


def test_markers_have_their_vector_or_zeros(tmp_path: Path) -> None:
    """The one that the file lacks is read all the same; texts cannot name one."""
    found = vocabulary(LOWER, ["the"], 99)
    assert found.tokens[:3] == list(SPECIAL)
    assert found.vectors[found.rows[1]].argmax() == 6
    assert not found.vectors[found.rows[2]].any()
    tokenizer = tokenizer_of(found.tokens, is_lower=True, markers=True)
    assert tokenizer(["", "zebra"])["input_ids"] == [[1, 2], [1, 2]]
    assert tokenizer.pad_token_id == 0
    tokenizer.save_pretrained(tmp_path)
    for each in (tokenizer, read_tokenizer(str(tmp_path))):
        assert each("<s> the</s>")["input_ids"] == [1, found.tokens.index("the"), 2]
        assert each.all_special_ids == [1, 2, 0]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Tokens stand where their words are, in order, and do not overlap."""
    encoded = TOKENIZER(text, return_offsets_mapping=True)
    spans = encoded["offset_mapping"]
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


TOKENIZER = tokenizer_of([*SPECIAL, *map(chr, range(33, 127))], is_lower=True, markers=False)


@pytest.mark.parametrize("frequent", [0, 3, 99])
def test_the_same_words_in_any_order(frequent: int) -> None:
    """The tokens do not depend on the order of the texts."""
    texts = ["Mary told the US", "us, Football"]
    one, other = (vocabulary(CASED, given, frequent) for given in (texts, texts[::-1]))
    assert one.tokens == other.tokens
    assert np.array_equal(one.vectors, other.vectors)
