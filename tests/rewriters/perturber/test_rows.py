"""Dividing rows into snippets."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.rewriters.perturber import PerturbationAugmentation, rows

WORDS = ["he", "She", "ran.", "“No!”", "…", "\n\n", " ", "Mr.", "é", "it's"]
TEXTS = st.lists(st.one_of(st.none(), st.lists(st.sampled_from(WORDS)).map(" ".join), st.text()))


@given(TEXTS, st.integers(1, 12))
def test_snippets_hold_each_character_once(texts: list[str | None], words: int) -> None:
    """White space included, in order; none is empty, and none has too many words."""
    snippets = rows.snippets_of(texts, words)
    pieces = [piece for snippet in snippets for piece in snippet]
    assert pieces == sorted(pieces)
    for place, text in enumerate(texts):
        own = [text[start:end] for at, start, end in pieces if at == place and text]
        assert "".join(own) == (text or "")
        assert all(own)
    for snippet in snippets:
        parts = [(texts[place] or "")[start:end] for place, start, end in snippet]
        assert sum(len(tokenize(part).lower) for part in parts) <= words


def test_snippets_end_with_sentences() -> None:
    """Each is as long as it can be; what is longer than a snippet is cut between words."""
    text = "One two. Three four. Five six seven eight nine ten.  Eleven."
    parts = [text[piece.start : piece.end] for (piece,) in rows.snippets_of([text], 5)]
    assert parts == ["One two. Three four. ", "Five six seven eight nine ", "ten.  Eleven."]


def test_what_is_left_of_a_text_stands_with_the_next() -> None:
    """Where both are short enough for one snippet."""
    texts = ["One two three four.", "Five six."]
    assert rows.snippets_of(texts, 3) == [((0, 0, 14),), ((0, 14, 19), (1, 0, 9))]


def test_a_row_is_one_snippet_where_it_is_short() -> None:
    """A premise and its hypothesis are about the same person; nulls are passed over."""
    assert rows.snippets_of(["A man.", None, "He ran."], 4) == [((0, 0, 6), (2, 0, 7))]
    assert rows.snippets_of(["A man.", None, "He ran."], 3) == [((0, 0, 6),), ((2, 0, 7),)]
    assert rows.snippets_of([None, ""], 3) == [()]


RACES = ["black", "hispanic", "asian", "native-american", "pacific-islander"]


def pairs_in(text: str, **options: str) -> list[rows.Pair]:
    """Return K of a text, as the technique has it."""
    technique = PerturbationAugmentation(columns="text", **options)  # type: ignore[arg-type]
    (row,) = technique.candidate_rows([(text,)]).values() or [None]
    return [] if row is None else rows.candidate_pairs(row.candidates(row.snippets[0]))


@pytest.mark.parametrize(("text", "expected"), [
    ("He saw his sister; HE left.", {
        ("he", "woman"), ("he", "non-binary"), ("his", "woman"), ("his", "non-binary"),
        ("sister", "man"), ("sister", "non-binary"),
    }),
    ("A white person.", {("white", race) for race in RACES}),
    ("The elderly waiter.", {
        ("elderly", "child"), ("elderly", "young"), ("elderly", "middle-aged"),
        ("elderly", "adult"), ("waiter", "woman"), ("waiter", "non-binary"),
    }),
    ("Mary wore a white shirt.", {("mary", "man")}),
])  # fmt: skip
def test_pairs_by_hand(text: str, expected: set[tuple[str, str]]) -> None:
    """Each word with each other attribute of its axis, once; a race word has five targets.

    A name has the one that its list has names for.
    """
    found = pairs_in(text)
    assert len(found) == len(expected)
    assert {(pair.word, pair.target) for pair in found} == expected


def test_plain_lists_take_words_for_what_they_may_mean() -> None:
    """The paper's own candidates: the shirt is white."""
    found = {pair.word for pair in pairs_in("Mary wore a white shirt.", candidates="lexicon")}
    assert found == {"mary", "white"}


def test_a_word_of_several_attributes_has_the_targets_of_all() -> None:
    """Each target once; the first attribute that has it is the source."""
    words = [
        rows.Candidate("Kim", "axis", "a", "bc"),
        rows.Candidate("kim", "axis", "b", "ac"),
        rows.Candidate("kim", "other", "x", "y"),
    ]
    assert rows.candidate_pairs(words) == [
        rows.Pair("kim", "axis", "a", "b"), rows.Pair("kim", "axis", "a", "c"),
        rows.Pair("kim", "axis", "b", "a"), rows.Pair("kim", "other", "x", "y"),
    ]  # fmt: skip


def drawn(weights: dict[str, float]) -> dict[str, float]:
    """Draw 20,000 times from a gender word with two targets and a race word with five."""
    pairs = pairs_in("He is Asian.")
    assert len(pairs) == 7
    keys = map(str, range(20_000))
    counts = Counter(rows.draw_pair(pairs, 3, key, "snippet 0", weights) for key in keys)
    assert counts.keys() == set(pairs)
    return {pair.target: count / 20_000 for pair, count in counts.items()}


def test_the_draw_is_uniform_over_pairs() -> None:
    """Not over words first: the race word is drawn five times of seven."""
    shares = drawn({"gender": 1.0, "race": 1.0})
    assert list(shares.values()) == pytest.approx([1 / 7] * 7, abs=0.01)


def test_axes_are_drawn_by_their_weights() -> None:
    """Each pair weighs 1 / (snippets of its axis): here 1/10 twice, and 1/2 five times."""
    shares = drawn({"gender": 0.1, "race": 0.5})
    total = 2 * 0.1 + 5 * 0.5
    assert shares["woman"] == pytest.approx(0.1 / total, abs=0.01)
    assert shares["black"] == pytest.approx(0.5 / total, abs=0.01)
