"""What generation settings demand of a choice; the rows of test_rows compare with `generate`."""

from typing import Any

import pytest

from fair_datasets.generation.decoding.rules import Rules


@pytest.mark.parametrize(
    ("length", "new_tokens", "expected"), [(5, None, 5), (8, 3, 4), (5, 0, 1), (0, None, 0)]
)
def test_the_number_of_new_tokens_has_precedence_over_the_length(
    random_models: Any,
    monkeypatch: pytest.MonkeyPatch,
    length: int,
    new_tokens: int | None,
    expected: int,
) -> None:
    """As transformers warns when both are set; the start token counts as one."""
    network = random_models["t5"].model
    monkeypatch.setattr(network.generation_config, "min_length", length)
    monkeypatch.setattr(network.generation_config, "min_new_tokens", new_tokens)
    assert Rules.read(network, owner="demonstration").shortest == expected
