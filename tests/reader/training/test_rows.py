"""What is drawn by the texts themselves, and what they are cut into."""

from fair_datasets.reader.training.rows import is_held_back, lower_cased, share
from fair_datasets.reader.training.unlabelled import MOST, pieces

TEXTS = [f"Text {number}" for number in range(4000)]


def test_a_share_of_texts_is_held_back() -> None:
    """About one of twenty, the same ones each time."""
    held = [text for text in TEXTS if is_held_back(text)]
    assert 150 < len(held) < 250
    assert all(map(is_held_back, held))


def test_draws_are_even() -> None:
    """As many texts have a low number as a high one."""
    low = sum(share(text) < 0.5 for text in TEXTS)
    assert 1850 < low < 2150


def test_other_texts_are_in_lower_case_in_another_epoch() -> None:
    """A share of them; one that would become longer is never."""
    drawn = [{t for t in TEXTS if lower_cased(t, epoch, 0.1) != t} for epoch in (0, 1)]
    assert all(300 < len(each) < 500 for each in drawn)
    assert drawn[0] != drawn[1]
    assert lower_cased("İstanbul", 0, 1.0) == "İstanbul"


def test_pieces_are_short_and_nothing_is_lost() -> None:
    """But for the spaces between sentences."""
    text = "One is here. " * 20 + "\n\nAnd then? " * 5 + "word " * 100
    found = list(pieces(text))
    assert " ".join(found).split() == text.split()
    assert all(len(piece.split()) <= MOST // 4 for piece in found[:-1])
    assert list(pieces(" \n ")) == []
