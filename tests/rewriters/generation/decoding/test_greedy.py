"""The pointer into a draft, with models that are lists of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.generation.decoding.greedy import DraftedRow

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


def test_a_draft_that_is_right_takes_one_pass() -> None:
    """The end of the row is proposed, too."""
    row = DraftedRow([7, 8, 9, END], start=START, ends=[END], limit=20)
    assert written(row, [7, 8, 9], 8) == 1


def test_a_changed_word_takes_one_pass_more() -> None:
    """One for one is assumed, and right."""
    row = DraftedRow([7, 8, 9, 6, END], start=START, ends=[END], limit=20)
    assert written(row, [7, 5, 9, 6], 8) == 2


def test_behind_an_insertion_the_draft_goes_on() -> None:
    """The last tokens are found again near the pointer."""
    draft = [*range(10, 30), END]
    row = DraftedRow(draft, start=START, ends=[END], limit=60)
    assert written(row, [*range(10, 15), 3, 4, *range(15, 30)], 30) <= 5


def test_behind_a_deletion_the_draft_goes_on() -> None:
    """The same where tokens of the draft are left out."""
    draft = [*range(10, 30), END]
    row = DraftedRow(draft, start=START, ends=[END], limit=60)
    assert written(row, [*range(10, 15), *range(18, 30)], 30) <= 5


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
