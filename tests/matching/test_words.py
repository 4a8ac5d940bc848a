"""Scanning a batch for the words of a table."""

import pytest
from fair_datasets.matching.scan import Scanner
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.matching.protected import may_hold_code, protected_spans
from fair_datasets.matching.tokens import tokenize

TRIGGERS = {"he", "señor", "grandmother", "grandmothers", "mark", "łukasz", "a1"}
NAMES = {"mark", "łukasz"}
SCANNER = Scanner(TRIGGERS, NAMES)
WORDS = ["he", "HE", "she", "Señor", "grandmother", "Grandmothers", "grandmotherly", "Mark", "mark",
         "Łukasz", "łukasz", "A1", "’", "'", '"', " ", " ", "\n", "\x00", "é", "Ω", ".", ",",
         "-", "/", "@", "_", "\u0301", "\u00ad"]  # fmt: skip


def _places(text: str | None) -> list[int]:
    """Find the words one by one."""
    tokens = tokenize(text or "")
    return [
        place
        for place, word in enumerate(tokens.lower)
        if word in TRIGGERS and (word not in NAMES or tokens.words[place][0].isupper())
    ]


@settings(deadline=None)
@given(st.lists(st.none() | st.text() | st.lists(st.sampled_from(WORDS)).map("".join)))
def test_a_batch_is_scanned_like_each_text(texts: list[str | None]) -> None:
    """Whatever stands beside a text in its batch, its words are found where they are."""
    found = list(SCANNER.scan(texts))
    places = {number: [place for place, _ in held] for number, (_, held) in found}
    assert places == {number: held for number, text in enumerate(texts) if (held := _places(text))}
    assert [*places] == sorted(places)
    for number, (scanned, _) in found:
        tokens = tokenize(texts[number] or "")
        assert scanned.words == tokens.words
        assert scanned.lower == tokens.lower
        assert scanned.starts == tokens.starts


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_a_clear_word_is_alone(text: str) -> None:
    """A word that is clear is no part of a word, not hyphenated and in no address or path."""
    for _, (tokens, places) in SCANNER.scan([text]):
        for place in (place for place, is_clear in places if is_clear):
            assert tokens.is_alone(place)
            assert not tokens.is_hyphenated(place)
            start = tokens.starts[place]
            assert may_hold_code(text) or not any(
                first <= start < last for first, last in protected_spans(text)
            )


@pytest.mark.parametrize(
    ("text", "is_clear"),
    [("he", True), ("(he)", False), ('"he," ', False), ("he's", True), ("he?", False),
     ("he.", True), ("he.txt", False), ("@he", False), ("he.\u0301", False)],
)  # fmt: skip
def test_signs_around_a_word_make_it_clear(text: str, is_clear: bool) -> None:
    """Only the signs that leave no doubt do."""
    ((_, (_, places)),) = SCANNER.scan([text])
    assert [clear for _, clear in places] == [is_clear]


def test_long_texts_are_scanned_in_parts() -> None:
    """Texts of more than a chunk are scanned on their own."""
    long = "x " * 600_000 + "he"
    found = SCANNER.scan(["he", long, "no", long, "he"])
    assert [(number, place) for number, (_, [(place, _)]) in found] == [
        (0, 0), (1, 600_000), (3, 600_000), (4, 0)
    ]  # fmt: skip
