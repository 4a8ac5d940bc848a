"""What is said of a call that a class does not take."""

from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.system.checks import InputError
from fair_datasets.technique.configured import refuse_other_arguments

ROWS = {"text": ["He ran."]}


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        ([ROWS], {}, "it was given rows, but first needs its parameters: write "
         "`CounterfactualSwap(columns=...)` and apply that to the rows."),
        ([Dataset.from_dict(ROWS)], {}, "it was given rows"),
        ([], {"axes": "gender"}, "there is no parameter 'axes'. Did you mean 'axis'?"),
        ([], {"zzz": 1}, "there is no parameter 'zzz'. The parameters are 'columns'"),
        (["text", "gender"], {}, "'columns' alone may be given without its name, but 2 values are;"
         " name the others: 'roles', 'axis'"),
        ([], {}, "columns is missing; give columns (the"),
        (["text"], {"columns": "text"}, "columns is given twice; give it once."),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told(given: list[Any], named: dict[str, Any], said: str) -> None:
    """With what to write."""
    with pytest.raises(InputError) as raised:
        refuse_other_arguments(CounterfactualSwap, given, named)
    assert str(raised.value).startswith(f"CounterfactualSwap: {said}")


@pytest.mark.parametrize(("given", "named"), [(["text"], {}), ([], {"columns": "text"})])
def test_a_right_call(given: list[Any], named: dict[str, Any]) -> None:
    """By position or by name."""
    refuse_other_arguments(CounterfactualSwap, given, named)


class Between:
    """Draws a number between two.

    Attributes:
        low: The least that is drawn.
        high: The most; never drawn itself.
    """

    def __init__(self, low: int, high: int, *, seed: int = 0) -> None:
        """Draw it."""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "low and high are missing; give low (the least that is drawn) and high (the most)."),
        ([1], "high is missing; give high (the most)."),
        ([1, 2, 3], "'low', 'high' alone may be given without its name, but 3 values are; name"),
    ],
)
def test_all_that_is_missing_is_told(given: list[Any], said: str) -> None:
    """With the first words of what each is."""
    with pytest.raises(InputError) as raised:
        refuse_other_arguments(Between, given, {})
    assert str(raised.value).startswith(f"Between: {said}")
