"""The pointer into a draft, with models that are lists of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.generation.greedy import DraftedRow

END = 0
START = 99
TOKENS = st.lists(st.integers(1, 5), max_size=20)


def written(row: DraftedRow, text: list[int], count: int) -> int:
    """Decode with a model that writes one text whatever was proposed; return the passes."""
    while not row.is_done:
        proposal = row.proposal(count)
        place = len(row.tokens) - 1
        # Behind a token that it would not write, the model guesses as if it had been written.
        row.take([*text, END, *[END] * count][place : place + len(proposal) + 1])
    return row.passes


@given(draft=TOKENS, text=TOKENS, count=st.integers(0, 8), limit=st.integers(1, 30))
def test_whatever_the_draft_the_models_own_text_is_written(
    draft: list[int], text: list[int], count: int, limit: int
) -> None:
    """The draft saves passes and changes nothing."""
    row = DraftedRow(draft, start=START, ends=[END], limit=limit)
    written(row, text, count)
    assert row.tokens == [START, *text, END][:limit]


def test_a_draft_that_is_nearly_right_takes_few_passes() -> None:
    """One where it is right, one more for a word, and it goes on behind what is put in or gone."""
    draft = [*range(10, 30), END]
    for text, passes in (
        (draft[:-1], [1]), ([10, 5, *draft[2:-1]], [2]),
        ([*draft[:5], 3, 4, *draft[5:-1]], range(6)), ([*draft[:5], *draft[8:-1]], range(6)),
    ):  # fmt: skip
        row = DraftedRow(draft, start=START, ends=[END], limit=60)
        assert written(row, text, 30) in passes


def test_what_the_model_chose_behind_is_proposed_next() -> None:
    """A Jacobi step: its choices behind the first that differs are kept."""
    row = DraftedRow([7, 8, 9, END], start=START, ends=[END], limit=20)
    row.proposal(4)
    row.take([7, 5, 6, END, END])
    assert row.proposal(4) == [6, END]


def test_nothing_is_proposed_beyond_the_limit() -> None:
    """The row ends at its limit, on the model's own token."""
    row = DraftedRow([7, 8, 9, END], start=START, ends=[END], limit=3)
    assert row.proposal(8) == [7]
    row.take([7, 8])
    assert row.tokens == [START, 7, 8]
    assert row.is_done
