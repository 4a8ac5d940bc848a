"""What is said of a call that a class does not take."""

from typing import Any

import pytest

from fair_datasets.system.checks import InputError
from fair_datasets.technique.configured import refuse_other_arguments


class Between:
    """Draws a number between two.

    Attributes:
        low: The least that is drawn.
        high: The most; never drawn itself.
    """

    def __init__(self, low: int, high: int, *, seed: int = 0) -> None:
        """Draw it."""


@pytest.mark.parametrize(("given", "said"), [
    ([], "low and high are missing; give low (the least that is drawn) and high (the most)."),
    ([1], "high is missing; give high (the most)."),
    ([1, 2, 3], "'low', 'high' alone may be given without its name, but 3 values are; name"),
])  # fmt: skip
def test_all_that_is_missing_is_told(given: list[Any], said: str) -> None:
    """With the first words of what each is."""
    with pytest.raises(InputError) as raised:
        refuse_other_arguments(Between, given, {})
    assert str(raised.value).startswith(f"Between: {said}")
