"""The network that ships."""

import hashlib
import tomllib

import numpy as np
import pytest

from fair_datasets.reader import load_reader
from fair_datasets.reader.matching.words import Words
from fair_datasets.reader.student import WEIGHTS


def tag_of(text: str, word: str) -> str:
    """Return the tag of a word of a text."""
    words = Words([text])
    place = next(k for k in range(len(words)) if words.lower(k) == word.lower())
    return load_reader().tags(words, np.array([place])).named()[0]


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [
        ("Mary told us that Paul Smith had left.", "Mary", "given name"),
        ("Mary told us that Paul Smith had left.", "Paul", "given name"),
        ("Mary told us that Paul Smith had left.", "Smith", "family name"),
        ("Mary told us that Paul Smith had left.", "left", "none"),
        ("They moved from Austin to Paris last year.", "Paris", "place"),
        ("I saw her yesterday.", "her", "object"),
        ("I saw her brother yesterday.", "her", "determiner"),
        ("This is his house.", "his", "determiner"),
        ("A friend of his told me.", "his", "alone"),
    ],
)
def test_plain_sentences_are_read(text: str, word: str, tag: str) -> None:
    """As anybody reads them."""
    assert tag_of(text, word) == tag


def test_it_is_small() -> None:
    """At most 1.5 MB, as a file of whole numbers."""
    assert WEIGHTS.stat().st_size <= 1_500_000


def test_its_card_is_of_these_weights() -> None:
    """It has their digest, as cards of other files do."""
    card = tomllib.loads(WEIGHTS.with_suffix(".toml").read_text("utf-8"))
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert card["digests"] == {WEIGHTS.name: digest}


def test_its_table_is_bounded() -> None:
    """What it keeps of words takes at most 40 MB."""
    reader = load_reader()
    table = reader._table  # type: ignore[attr-defined]
    assert table.nbytes <= 36_000_000
