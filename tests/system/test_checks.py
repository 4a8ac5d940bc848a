"""Tests of the error sentences, word for word."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pytest

from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

SWAP = {"owner": "Swap"}


def sentence(check: Callable[..., object], *values: Any, **named: Any) -> str:
    """Return the sentence in which a check refuses."""
    with pytest.raises(InputError) as caught:
        check(*values, **SWAP, **named)
    return str(caught.value)


def test_an_input_error_is_a_value_error() -> None:
    """Code that catches ValueError catches a mistake in the input too."""
    assert issubclass(InputError, ValueError)


@pytest.mark.parametrize(
    ("value", "end"),
    [
        (np.array(["augment", "replace"]), "it is array(['augment', 'replace'], dtype='<U7')."),
        ("augmnt", "it is 'augmnt'. Did you mean 'augment'?"),
        ("zzz", "it is 'zzz'."),
        (None, "it is None."),
        (3, "it is 3."),
        (["augment"], "it is ['augment']. Did you mean 'augment'?"),
        (
            "replace, augment",
            "it is 'replace, augment'. Give each by itself: 'replace', 'augment'.",
        ),
    ],
)
def test_one_of_lists_what_exists(value: object, end: str) -> None:
    """A wrong choice is told with all choices, and with the nearest where one is near."""
    told = sentence(checks.one_of, value, iter(["augment", "replace"]), parameter="mode")
    assert told == f"Swap: mode must be one of 'augment', 'replace', but {end}"


def test_one_of_accepts_a_choice() -> None:
    """A value that is among the choices passes."""
    checks.one_of("augment", ["augment", "replace"], owner="Swap", parameter="mode")


@pytest.mark.parametrize(
    "value", [-0.1, 1.5, float("nan"), float("inf"), "0.5", None, True, False, np.float32(1.5)]
)
def test_a_fraction_is_from_0_to_1(value: object) -> None:
    """Numbers outside of [0, 1], NaN, booleans and everything else are refused."""
    told = sentence(checks.fraction, value, parameter="rate")
    assert told == f"Swap: rate must be a number from 0 to 1, but it is {value!r}."


@pytest.mark.parametrize(
    "value", [0, 1, 0.0, 1.0, 0.25, np.float64(0.25), np.float32(0.25), np.int8(1)]
)
def test_a_fraction_becomes_a_plain_float(value: float) -> None:
    """1 and 1.0 give the same field, and so the same fingerprint."""
    given = checks.fraction(value, owner="Swap", parameter="rate")
    assert given == value
    assert type(given) is float


@pytest.mark.parametrize("value", [1.0, "7", None, True])
def test_a_whole_number_is_an_integer(value: object) -> None:
    """Floats, digits in quotes, nothing and booleans are no whole numbers."""
    told = sentence(checks.whole_number, value, parameter="seed")
    assert told == f"Swap: seed must be a whole number, but it is {value!r}."


@pytest.mark.parametrize("value", [0, -3, 2**70, np.int64(3)])
def test_any_integer_is_a_whole_number(value: int) -> None:
    """Integers pass, however large, and come back as Python's own."""
    given = checks.whole_number(value, owner="Swap", parameter="seed")
    assert given == value
    assert type(given) is int


@pytest.mark.parametrize("value", ["no", 0, 1, None])
def test_a_switch_is_a_bool(value: object) -> None:
    """Only True and False switch something."""
    told = sentence(checks.switch, value, parameter="names")
    assert told == f"Swap: names must be True or False, but it is {value!r}."


@pytest.mark.parametrize("value", [True, False, np.bool_(True), np.bool_(False)])
def test_a_bool_is_a_switch(value: bool) -> None:
    """True and False pass, of numpy too, and come back as Python's own."""
    assert checks.switch(value, owner="Swap", parameter="names") is bool(value)


@pytest.mark.parametrize("value", [None, ("gender", "race"), 3])
def test_an_axis_is_a_name_or_a_path(value: object) -> None:
    """What is neither a string nor a path is refused, not written as one."""
    assert sentence(checks.axis_name, value) == (
        f"Swap: axis must be a lexicon's name or the path of a .tsv file, but it is {value!r}."
    )


@pytest.mark.parametrize("value", ["a/team.tsv", PurePosixPath("a/team.tsv")])
def test_an_axis_becomes_a_string(value: object) -> None:
    """A path is written as in a configuration."""
    assert checks.axis_name(value, owner="Swap") == "a/team.tsv"


def test_a_warning_points_at_the_caller() -> None:
    """At the line outside the package."""
    with pytest.warns(FutureWarning, match=r"^load: read with care\.$") as caught:
        checks.warn("load: read with care.", FutureWarning)
    assert [warning.filename for warning in caught] == [__file__]
