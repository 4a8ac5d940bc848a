"""Every field of every public configuration and technique refuses what is of a wrong kind."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest

from fair_datasets.rewriters import ParallelConfig
from fair_datasets.system.checks import InputError
from fair_datasets.system.validate import validators_of
from fair_datasets.technique import Technique
from tests.test_public_names import HOMES

# What a field that has to be given may hold.
NEEDED: dict[str, Any] = {
    "columns": "text", "column": "score", "threshold": 0.5, "word_threshold": 0.5, "out": "folder",
    "work": "folder", "model": "ada/model", "vectors": "vectors.txt", "pairs": ("she", "he"),
    "parallel": ParallelConfig(attribute="gender"), "target": "target", "person": "person",
}  # fmt: skip
ON_A_SERVER = {"model": "small", "control": "chat", "endpoint": "http://localhost:8000/v1"}
# What a field stands beside that would do nothing alone.
BESIDE: dict[str, dict[str, Any]] = {
    "ParallelConfig": {"attribute": "gender"},
    "EquityScore": {"columns": "text", "logits": "a", "counterfactual_logits": "b"},
    "BiasScore": {"encoder": "ada/encoder"},
    **dict.fromkeys(("timeout", "max_wait", "concurrency", "max_tokens_total"), ON_A_SERVER),
    "axis_snippets": {"weights": "inverse_axis_frequency"},
}
# The tables of a file of settings are called as they stand there.
TABLES = {"ParallelConfig": "[parallel]", "DiscriminatorConfig": "[discriminator]"}


class Strange:
    """What is of no kind that any field takes."""


def configured() -> Iterator[type]:
    """Find what declares the kinds of its fields.

    Yields:
        Each public class once.
    """
    public = {getattr(home, name) for home in HOMES for name in home.__all__}
    for each in sorted(public, key=str):
        is_concrete = inspect.isclass(each) and is_dataclass(each) and not inspect.isabstract(each)
        if is_concrete and (each.__name__.endswith("Config") or issubclass(each, Technique)):
            yield each


CASES = [(each, field.name) for each in configured() for field in fields(each) if field.init]


@pytest.mark.parametrize(("owner", "name"), CASES, ids=lambda each: getattr(each, "__name__", each))
def test_a_wrong_kind_is_refused(owner: type[Any], name: str) -> None:
    """The sentence names the class and the field, and says what it must be and what it is."""
    needed = {
        field.name: NEEDED[field.name]
        for field in fields(owner)
        if field.init and field.default is MISSING and field.default_factory is MISSING
    }
    beside = BESIDE.get(owner.__name__, {}) | BESIDE.get(name, {})
    called = re.escape(TABLES.get(owner.__name__, owner.__name__))
    with pytest.raises(InputError, match=rf"^{called}: (each of )?{name} must .*\bbut "):
        owner(**needed | beside | {name: Strange()})


def test_every_configuration_declares_kinds() -> None:
    """None is left out."""
    assert [each.__name__ for each in configured() if not validators_of(each)] == []
