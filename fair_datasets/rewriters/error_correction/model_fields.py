"""The parameters that the techniques of error correction share: the model, and how it is run."""

from typing import Any

from fair_datasets.rows import column_checks
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


def settle_model(technique: Any) -> None:
    """Check the parameters that name a model and its sizes, and write each in one form.

    Args:
        technique: A technique with `model`, `revision`, `max_length` and `batch_size`.

    Raises:
        InputError: One is not what it must be.
    """
    owner = type(technique).__name__
    model = path_or_name(technique.model, owner=owner, parameter="model")
    object.__setattr__(technique, "model", model)
    if technique.revision is not None:
        column_checks.column_name(technique.revision, owner=owner, parameter="revision")
    for name in ("max_length", "batch_size"):
        number = checks.positive_whole_number(getattr(technique, name), owner=owner, parameter=name)
        object.__setattr__(technique, name, number)


def check_mask(value: Any, *, owner: str) -> None:
    """Raise unless a parameter is what can stand for a mask.

    Raises:
        InputError: It is no string, or it is empty or has white space.

    Example:
        >>> check_mask("", owner="Infill")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: Infill: mask must be a string without white space, such as
        '<mask>', but it is ''.
    """
    if not isinstance(value, str) or len(value.split()) != 1 or value != value.strip():
        raise InputError(
            f"{owner}: mask must be a string without white space, such as '<mask>', but it is "
            f"{value!r}."
        )
