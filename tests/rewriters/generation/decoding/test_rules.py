"""What generation settings demand of a choice; the rows of test_rows compare with `generate`."""

from typing import Any

import pytest

from fair_datasets.rewriters.generation.decoding.rules import Rules
from fair_datasets.system.checks import InputError


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


@pytest.mark.parametrize(
    "setting", ["repetition_penalty", "encoder_repetition_penalty", "guidance_scale"]
)
def test_a_setting_that_says_nothing_is_not_refused(
    random_models: Any, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """A factor of one; any other is a demand that is not honoured."""
    network = random_models["t5"].model
    monkeypatch.setattr(network.generation_config, setting, 1.0)
    Rules.read(network, owner="demonstration")
    monkeypatch.setattr(network.generation_config, setting, 10.0)
    with pytest.raises(InputError, match=f"{setting}=10.0 .* is ignored"):
        Rules.read(network, owner="demonstration")
