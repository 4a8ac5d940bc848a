"""Texts in pieces that a model reads."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.generation.pieces import pieces

TEXTS = st.lists(st.sampled_from(["He left.", "Dr. A. Gray ran!", " ", "\n\n", "and so", "Oh?"]))


@given(texts=TEXTS, size=st.integers(1, 40))
def test_pieces_are_the_text(texts: list[str], size: int) -> None:
    """Nothing is cut, and each piece fits; or there are none."""
    text = " ".join(texts)
    found = pieces(text, lambda piece: len(piece.strip()) <= size)
    if found is not None:
        assert "".join(found) == text
        assert all(len(piece.strip()) <= size for piece in found)


def test_as_much_as_fits_goes_together() -> None:
    """Three sentences of six, where three fit."""
    text = "One. Two. Six. One. Two. Six."
    assert pieces(text, lambda piece: len(piece.strip()) <= 14) == [
        "One. Two. Six. ",
        "One. Two. Six.",
    ]


def test_a_sentence_that_does_not_fit_is_not_cut() -> None:
    """There are no pieces then."""
    assert pieces("It rained. He left and left.", lambda piece: len(piece) <= 11) is None
