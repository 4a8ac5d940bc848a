"""What a measure gives where it is not defined, such as a rate over no rows."""

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from fair_datasets.system import checks

Undefined = Literal["nan", "zero", "raise"]
"""What to give for an undefined value: `"nan"` warns and gives NaN, `"zero"` gives 0 as fairlearn
does, `"raise"` raises."""


class UndefinedMeasureWarning(UserWarning):
    """A value is not defined; the sentence names the group and what it lacks."""


@contextmanager
def nan_is_enough() -> Iterator[None]:
    """Say nothing of undefined values, where tables show that they are NaN.

    Example:
        >>> with nan_is_enough():
        ...     undefined_value("group 'b' has no rows.", "nan", owner="fped")
        nan
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        yield


def check_undefined(undefined: Undefined, *, owner: str) -> None:
    """Raise unless the choice is one of the three, also where every value is defined.

    Example:
        >>> check_undefined("none", owner="equalized_odds")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: equalized_odds: undefined must be one of 'nan', 'zero',
        'raise', but it is 'none'.
    """
    checks.one_of(undefined, ("nan", "zero", "raise"), owner=owner, parameter="undefined")


def undefined_value(reason: str, undefined: Undefined, *, owner: str) -> float:
    """Give what stands for a value that is not defined.

    Args:
        reason: Why it is not defined, in a sentence that names the group and what it lacks.
        undefined: `"nan"`, `"zero"` or `"raise"`.

    Returns:
        NaN, after a warning, or 0.
    """
    check_undefined(undefined, owner=owner)
    if undefined == "raise":
        raise checks.InputError(f"{owner}: {reason}")
    if undefined == "zero":
        return 0.0
    checks.warn(f"{owner}: {reason} The value is NaN.", UndefinedMeasureWarning)
    return math.nan
