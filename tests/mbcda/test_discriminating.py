"""How well a discriminator reads texts that it was not trained on."""

import pytest

from fair_datasets.mbcda.discriminating import HeldOut


@pytest.mark.parametrize(
    ("accuracy", "majority", "texts", "is_chance"),
    [
        (0.60, 0.5, 100, True), (0.61, 0.5, 100, False), (0.75, 0.5, 16, True),
        (0.96, 0.9, 100, True), (0.97, 0.9, 100, False), (0.2, 0.9, 100, True),
    ],
)  # fmt: skip
def test_what_lies_within_two_standard_errors_is_chance(
    accuracy: float, majority: float, texts: int, is_chance: bool
) -> None:
    """That of naming the more frequent attribute always."""
    assert HeldOut(accuracy, majority, texts).is_chance == is_chance
