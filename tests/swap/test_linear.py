"""The work that a long text makes grows with its length, and not with the square of it.

What is counted is operations, not time: the calls of Python functions, and the letters, words and
numbers that calls of C functions run over.
"""

import sys
from types import FrameType
from typing import Any

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap

SIZES = (10_000, 200_000)
# Methods that run over all of what they are called on.
_SCANS = frozenset(
    {"argsort", "astype", "copy", "count", "decode", "encode", "lower", "nonzero", "split"}
    | {"tolist", "translate"}
)
TEXTS = {
    "age": (
        "in his 30s a 40-year-old man, he is 40 years old. aged 7 to 12, the tenant, 38, said. "
        "she married at 19. 40yo man, a six-month-old girl, an old man of 81 and young women. "
    ),
    "gender": (
        "Mary Smith told her brother. His wife gave birth. The King, `he`, Mr. Smith and "
        '"Iron Man" saw he or she; www.he.com, guys and a young actress: she’s Mary Jones. '
        "Zoe\u0308 met José García. "
    ),
    "race": "African-American-African American, black and white, a black man, Black, Asian-",
    "religion": "Jewish Muslim-the Jewish church, and Christians saw the Pope. ",
    "nationality": "French German-The French in Paris, a German-American and two Nigerians, ",
    "orientation": "gay gay-gay men and lesbians, straight people; a bisexual woman ",
}


def work(swap: CounterfactualSwap, text: str) -> int:
    """Return how much is done for a text."""
    done = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal done
        if event == "call":
            done += 1
        elif event == "c_call" and argument.__name__ in _SCANS:
            owner = argument.__self__
            done += owner.size if isinstance(owner, np.ndarray) else len(owner)

    sys.setprofile(count)
    try:
        swap({"text": [text]})
    finally:
        sys.setprofile(None)
    return done


@pytest.mark.parametrize("axis", TEXTS)
def test_work_grows_with_the_length(axis: str) -> None:
    """From 10,000 characters to 200,000 it grows twenty times, and not four hundred."""
    swap = CounterfactualSwap(columns="text", axis=axis, mode="replace")
    phrase = TEXTS[axis]
    swap({"text": [phrase]})
    less, more = (work(swap, (phrase * (size // len(phrase) + 1))[:size]) for size in SIZES)
    assert more < 1.25 * less * SIZES[1] / SIZES[0]
