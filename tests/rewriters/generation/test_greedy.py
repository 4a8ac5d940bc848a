"""The pointer into a draft, with models that are lists of tokens."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters.generation.greedy import DraftedRow, Rules
from fair_datasets.system.checks import InputError

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


def test_the_number_of_new_tokens_has_precedence_over_the_length(
    random_models: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As transformers warns when both are set; the start token counts as one."""
    network = random_models["t5"].model
    for length, new_tokens, expected in ((5, None, 5), (8, 3, 4), (5, 0, 1), (0, None, 0)):
        monkeypatch.setattr(network.generation_config, "min_length", length)
        monkeypatch.setattr(network.generation_config, "min_new_tokens", new_tokens)
        assert Rules.read(network).shortest == expected


@pytest.mark.parametrize(
    "setting", ["repetition_penalty", "encoder_repetition_penalty", "guidance_scale"]
)
def test_a_setting_that_says_nothing_is_not_refused(
    random_models: Any, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """A factor of one; any other is a demand that is not honoured."""
    network = random_models["t5"].model
    monkeypatch.setattr(network.generation_config, setting, 1.0)
    Rules.read(network)
    monkeypatch.setattr(network.generation_config, setting, 10.0)
    with pytest.raises(InputError, match=f"{setting}=10.0 .* is ignored"):
        Rules.read(network)
