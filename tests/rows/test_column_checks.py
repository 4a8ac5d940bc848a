"""Tests of the sentences about names of columns, word for word."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fair_datasets.rows import column_checks
from fair_datasets.system.checks import InputError

SWAP = {"owner": "Swap"}


def sentence(check: Callable[..., object], *values: Any, **named: Any) -> str:
    """Return the sentence in which a check refuses."""
    with pytest.raises(InputError) as caught:
        check(*values, **SWAP, **named)
    return str(caught.value)


@pytest.mark.parametrize("value", [3, "", None, ["id"]])
def test_a_column_name_is_a_text(value: object) -> None:
    """A number, an empty name, nothing or a list is no column name."""
    told = sentence(column_checks.column_name, value, parameter="id_column")
    assert told == f"Swap: id_column must be a column name, but it is {value!r}."


@pytest.mark.parametrize(
    ("value", "names"), [("text", ("text",)), (["a", "b"], ("a", "b")), (("b", "a"), ("b", "a"))]
)
def test_column_names_become_a_tuple(value: Any, names: tuple[str, ...]) -> None:
    """One name, a list and a tuple give a tuple in the same order."""
    assert column_checks.column_names(value, owner="Swap") == names


def test_numpy_names_become_plain_strings() -> None:
    """Names out of a numpy array are written in a configuration like any others."""
    (name,) = column_checks.column_names(list(np.array(["text"])), owner="Swap")
    assert type(name) is str


@pytest.mark.parametrize("value", [3, None, {"a"}, ["a", 3], b"text", {"a": 1}])
def test_column_names_are_names(value: object) -> None:
    """What is no sequence of names is refused, sets too, as they have no order."""
    told = sentence(column_checks.column_names, value)
    assert told == f"Swap: columns must be a column name or a list of them, but it is {value!r}."


@pytest.mark.parametrize("value", [[], (), ["a", "a"]])
def test_column_names_are_some_and_differ(value: object) -> None:
    """No name at all, or one twice, is refused."""
    assert sentence(column_checks.column_names, value, parameter="inputs") == (
        f"Swap: inputs must name at least one column and none twice, but it is {value!r}."
    )


def test_a_missing_column_is_told_with_those_that_exist() -> None:
    """A misspelt column is named, with the columns and the nearest one."""
    assert sentence(column_checks.present, ["text", "txet"], ["text", "label"]) == (
        "Swap: there is no column 'txet'; the columns are 'text', 'label'. Did you mean 'text'?"
    )
    column_checks.present(["label"], ["text", "label"], owner="Swap")


def test_a_taken_column_is_not_overwritten() -> None:
    """A column that would be overwritten is named."""
    assert sentence(column_checks.free, ["group", "edits"], ["text", "edits"]) == (
        "Swap: the column 'edits' exists already and would be overwritten; rename or remove it "
        "first."
    )
    column_checks.free(["group"], ["text", "edits"], owner="Swap")
