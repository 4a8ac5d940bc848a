"""The kinds of values that fields take, declared beside them and checked by `validate_fields`.

A kind is a type with the check of it: `epochs: Count = 3`, or `Count | None` where None is a value.
A field of type `bool` needs no other kind.
"""

import types
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from functools import cache, partial
from os import PathLike, fspath
from typing import Annotated, Any, Union, get_args, get_origin

import numpy as np

from fair_datasets.system import checks
from fair_datasets.system.checks import invalid


@dataclass(frozen=True, eq=False)
class OneOf:
    """The check of a value that is one of a few names: `Annotated[str, OneOf(KINDS)]`."""

    allowed: Collection[str]

    def __call__(self, value: Any, *, parameter: str) -> str:
        """Return the name, or raise."""
        checks.one_of(value, self.allowed, parameter=parameter)
        return str(value)


def above_zero(value: Any, *, parameter: str, or_zero: bool = False) -> float:
    """Return a parameter as a number above 0, or raise."""
    is_number = isinstance(value, int | float | np.integer | np.floating)
    is_number = is_number and not isinstance(value, bool) and 0 <= value < float("inf")
    if not is_number or (not value and not or_zero):
        what = "of 0 or more" if or_zero else "above 0"
        raise invalid(f"{parameter} must be a number {what}, but it is {value!r}.")
    return float(value)


def below_one(value: Any, *, parameter: str) -> float:
    """Return a share that leaves something, or raise."""
    share = checks.fraction(value, parameter=parameter)
    if share == 1:
        raise invalid(f"{parameter} must be below 1, but it is {value!r}.")
    return share


def path_or_name(value: Any, *, parameter: str) -> str:
    """Return a path or an id as a string, or raise."""
    if not isinstance(value, str | PathLike) or not fspath(value) or "\0" in str(fspath(value)):
        raise invalid(f"{parameter} must be a path or a name, but it is {value!r}.")
    return str(fspath(value))


def revision_name(value: Any, *, parameter: str) -> str:
    """Return the name of a revision on the Hub, or raise."""
    if not isinstance(value, str) or not value.strip():
        raise invalid(
            f"{parameter} must be a branch, tag or commit on the Hub, but it is {value!r}."
        )
    return value


Whole = Annotated[int, checks.whole_number]
Natural = Annotated[int, partial(checks.whole_number, least=0)]
Count = Annotated[int, checks.positive_whole_number]
Share = Annotated[float, checks.fraction]
ShareBelowOne = Annotated[float, below_one]
Positive = Annotated[float, above_zero]
NotNegative = Annotated[float, partial(above_zero, or_zero=True)]
PathOrName = Annotated[str | PathLike[str], path_or_name]
Strings = Annotated[tuple[str, ...] | str, checks.strings]
Revision = Annotated[str, revision_name]
AxisName = Annotated[str, checks.axis_name]


def validate_fields(settings: Any) -> None:
    """Check the fields of a frozen dataclass by their kinds, and write each in one form.

    Raises:
        InputError: A field holds what its kind does not allow.

    Example:
        >>> @dataclass(frozen=True)
        ... class Training:
        ...     epochs: Count | None = None
        ...     shuffled: bool = True
        >>> validate_fields(Training())
        >>> validate_fields(Training(epochs=0))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: validate_fields: epochs must be at least 1, but it is 0.
    """
    for name, (check, is_optional) in validators_of(settings.__class__).items():
        value = getattr(settings, name)
        if value is not None or not is_optional:
            object.__setattr__(settings, name, check(value, parameter=checks.typed(name)))


@cache
def validators_of(owner: type) -> dict[str, tuple[Callable[..., Any], bool]]:
    """Return the check of each field that has one, and whether None is a value of it too.

    Example:
        >>> @dataclass(frozen=True)
        ... class Training:
        ...     epochs: Count | None = None
        ...     names: str = ""
        >>> [(name, optional) for name, (_, optional) in validators_of(Training).items()]
        [('epochs', True)]
    """
    validators = {field.name: _check(field.type) for field in fields(owner) if field.init}
    return {name: kind for name, kind in validators.items() if kind is not None}


def _check(annotation: Any) -> tuple[Callable[..., Any], bool] | None:
    """Return the check that an annotation declares, and whether None is a value too."""
    if get_origin(annotation) in (Union, types.UnionType):
        each = [part for part in get_args(annotation) if part is not type(None)]
        kind = _check(each[0]) if len(each) == 1 else None
        return kind and (kind[0], True)
    if get_origin(annotation) is Annotated:
        return annotation.__metadata__[0], False
    return (checks.switch, False) if annotation is bool else None
