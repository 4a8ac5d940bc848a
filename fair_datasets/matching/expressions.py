"""What is asked of one candidate, as an expression that is compiled when it is first asked.

Conditions are put together from others; asked one by one, each would cost a call or two. As one
expression of Python they cost what their words and signs do, and what does not matter is not
looked at.
"""

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

#: What an expression may name: the candidate; of the words the numbers, the signs and their texts,
#: where texts end, where words begin and end, which have a capital; and of the candidate its place
#: and that of its last word, where its text begins and ends, and what is nowhere.
NAMES = "one, number, sign, signs, is_end, start, end, is_capital, here, last, first, stop, nowhere"
Code = Callable[[], str]

# Longer ones are functions of their own.
_LONGEST = 500
_bound: dict[str, Any] = {}
_count = count()


def bound(value: Any) -> str:
    """Return a name by which expressions may speak of a value."""
    name = f"_{next(_count)}"
    _bound[name] = value
    return name


def compiled(text: str) -> Callable[..., Any]:
    """Return a function of `NAMES` that tells what an expression says."""
    function: Callable[..., Any] = eval(f"lambda {NAMES}: {text}", _bound)
    return function


def code(write: Code) -> Code:
    """Return what writes an expression, once, and a long one as the call of a function."""

    @cache
    def written() -> str:
        text = write()
        return text if len(text) <= _LONGEST else f"{bound(compiled(text))}({NAMES})"

    return written


def shifted(place: int, distance: int, first: int, stop: int, nowhere: int) -> int:
    """Return the place so many words further on, as far as the text goes."""
    found = place + distance
    return found if place != nowhere and first <= found <= stop else nowhere


SHIFTED = bound(shifted)
