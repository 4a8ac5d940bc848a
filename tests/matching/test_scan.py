"""Scanning a batch for the words of a table."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.scan import Scanner
from fair_datasets.matching.tokens import tokenize

TRIGGERS = {"he", "señor", "grandmother", "grandmothers", "mark", "łukasz", "a1"}
NAMES = {"mark", "łukasz"}
SCANNER = Scanner(TRIGGERS, NAMES)
WORDS = ["he", "HE", "she", "Señor", "grandmother", "Grandmothers", "grandmotherly", "Mark", "mark",
         "Łukasz", "łukasz", "A1", "’", " ", "\n", "\x00", "é", "Ω", "."]  # fmt: skip


def _places(text: str | None) -> list[int]:
    """Find the words one by one."""
    tokens = tokenize(text or "")
    return [
        place
        for place, word in enumerate(tokens.lower)
        if word in TRIGGERS and (word not in NAMES or tokens.words[place][0].isupper())
    ]


@given(st.lists(st.none() | st.text() | st.lists(st.sampled_from(WORDS)).map("".join)))
def test_a_batch_is_scanned_like_each_text(texts: list[str | None]) -> None:
    """Whatever stands beside a text in its batch, its words are found where they are."""
    found = list(SCANNER.scan(texts))
    assert len(found) == len(texts)
    for text, candidates in zip(texts, found, strict=True):
        assert (candidates.places if candidates else []) == _places(text)
        if candidates:
            tokens = tokenize(text or "")
            assert candidates.tokens.words == tokens.words
            assert candidates.tokens.lower == tokens.lower
            assert candidates.tokens.starts == tokens.starts


def test_long_texts_are_scanned_in_parts() -> None:
    """Texts of more than a chunk are scanned on their own."""
    long = "x " * 600_000 + "he"
    found = list(SCANNER.scan(["he", long, "no", long, "he"]))
    assert [candidates and candidates.places for candidates in found] == [
        [0], [600_000], None, [600_000], [0]
    ]  # fmt: skip
