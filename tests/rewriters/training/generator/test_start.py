"""Texts with gaps."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.training.generator.start import Denoising


@given(
    st.lists(st.lists(st.integers(5, 99), max_size=8), min_size=1, max_size=4),
    st.integers(1, 3), st.integers(0, 9),
)  # fmt: skip
def test_gaps_are_within_a_text_and_follow_from_the_seed(
    texts: list[list[int]], copies: int, seed: int
) -> None:
    """Only tokens between the signs at both ends are masked, and all are to be written."""
    framed = [[0, *text, 2] for text in texts]
    rows = Denoising(framed, copies=copies, mask=3, seed=seed)
    assert len(rows) == len(texts) * copies
    for place, row in enumerate(rows):
        whole = framed[place % len(texts)]
        assert row["labels"] == whole
        assert row["attention_mask"] == [1] * len(whole)
        read = row["input_ids"]
        assert (read[0], read[-1]) == (0, 2)
        assert all(one in (3, right) for one, right in zip(read, whole, strict=True))
    assert list(rows) == list(Denoising(framed, copies=copies, mask=3, seed=seed))


def test_each_copy_has_other_gaps() -> None:
    """About as many as were asked for."""
    rows = Denoising([[0, *[7] * 98, 2]], copies=20, mask=3, share=0.3)
    assert len({tuple(row["input_ids"]) for row in rows}) == 20
    masked = sum(row["input_ids"].count(3) for row in rows)
    assert 0.25 < masked / (20 * 98) < 0.35
    none = Denoising([[0, 7, 7, 2]], copies=1, mask=3, share=0.0)
    assert none[0]["input_ids"] == [0, 7, 7, 2]
