"""Dividing rows into snippets."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.rewriters.perturber.snippets import snippets_of

WORDS = ["he", "She", "ran.", "“No!”", "…", "\n\n", " ", "Mr.", "é", "it's"]
TEXTS = st.lists(st.one_of(st.none(), st.lists(st.sampled_from(WORDS)).map(" ".join), st.text()))


@given(TEXTS, st.integers(1, 12))
def test_snippets_hold_each_character_once(texts: list[str | None], words: int) -> None:
    """White space included, in order; none is empty, and none has too many words."""
    snippets = snippets_of(texts, words)
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
    parts = [text[piece.start : piece.end] for (piece,) in snippets_of([text], 5)]
    assert parts == ["One two. Three four. ", "Five six seven eight nine ", "ten.  Eleven."]


def test_what_is_left_of_a_text_stands_with_the_next() -> None:
    """Where both are short enough for one snippet."""
    texts = ["One two three four.", "Five six."]
    assert snippets_of(texts, 3) == [((0, 0, 14),), ((0, 14, 19), (1, 0, 9))]


def test_a_row_is_one_snippet_where_it_is_short() -> None:
    """A premise and its hypothesis are about the same person; nulls are passed over."""
    assert snippets_of(["A man.", None, "He ran."], 4) == [((0, 0, 6), (2, 0, 7))]
    assert snippets_of(["A man.", None, "He ran."], 3) == [((0, 0, 6),), ((2, 0, 7),)]
    assert snippets_of([None, ""], 3) == [()]
