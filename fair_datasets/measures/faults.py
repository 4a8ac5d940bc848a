"""Faults of published benchmarks: which of their pairs do not show what they are meant to.

Readers of benchmarks find them by rule, also in other versions of the files, tell how many there
are, and leave them out unless they are asked to keep them.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeVar, get_args

from fair_datasets.system.checks import one_of, warn

Faulty = Literal["drop", "keep"]
"""What becomes of faulty pairs: they are left out, or kept, as in published figures."""

_Value = TypeVar("_Value")


class BenchmarkFaultWarning(UserWarning):
    """Some pairs of a benchmark are faulty; the message counts them by what is wrong."""


def check_faulty(faulty: Faulty) -> None:
    """Raise unless the choice is one of the two, also where no pair is faulty."""
    one_of(faulty, get_args(Faulty), parameter="faulty")


def settle_faults(
    columns: Mapping[str, Sequence[_Value]],
    faults: Mapping[str, Collection[int]],
    faulty: Faulty,
    *,
    what: str = "pairs",
) -> dict[str, list[_Value]]:
    """Tell of faulty rows, and leave them out.

    Args:
        columns: Of one length each.
        faults: What is wrong, in words for the warning, to the rows that it is wrong with; a row
            may have several faults.
        faulty: `"drop"` leaves these rows out, `"keep"` keeps them.
        what: What a row is, in the plural.

    Returns:
        The columns, of the rows that are left.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings(record=True, action="always") as told:
        ...     settle_faults({"a": [5, 6]}, {"odd": {0}}, "drop")
        {'a': [6]}
        >>> str(told[0].message)
        "settle_faults: 1 of 2 pairs is faulty and left out (odd: 1); faulty='keep' keeps it."
    """
    check_faulty(faulty)
    found = set().union(*faults.values())
    size = len(next(iter(columns.values())))
    counts = {reason: len(rows) for reason, rows in faults.items()}
    tell_faults(len(found), size, counts, faulty, what=what)
    kept = [row for row in range(size) if faulty == "keep" or row not in found]
    return {name: [values[row] for row in kept] for name, values in columns.items()}


def tell_faults(
    count: int, size: int, faults: Mapping[str, int], faulty: Faulty, *, what: str
) -> None:
    """Warn of faulty rows, if there are any, with how many have each fault."""
    if not count:
        return
    reasons = "; ".join(f"{words}: {number:,}" for words, number in faults.items() if number)
    verb, it = ("is", "it") if count == 1 else ("are", "them")
    done, choice = (
        ("left out", f"faulty='keep' keeps {it}")
        if faulty == "drop"
        else ("kept", f"faulty='drop' leaves {it} out")
    )
    warn(
        f"{count:,} of {size:,} {what} {verb} faulty and {done} ({reasons}); {choice}.",
        BenchmarkFaultWarning,
    )


def changed_words(first: str, second: str) -> tuple[str, str]:
    """Return what differs between two sentences, from the first to the last word that does.

    Example:
        >>> changed_words("The old man ran.", "The young man ran.")
        ('old', 'young')
    """
    one, other = words_of(first), words_of(second)
    shortest = min(len(one), len(other))
    start = next((n for n in range(shortest) if one[n] != other[n]), shortest)
    left = shortest - start
    end = next((n for n in range(left) if one[-1 - n] != other[-1 - n]), left)
    return " ".join(one[start : len(one) - end]), " ".join(other[start : len(other) - end])


def words_of(sentence: str) -> list[str]:
    """Split a sentence into its words and marks, in one case.

    Example:
        >>> words_of("I don't.")
        ['i', 'don', "'", 't', '.']
    """
    return re.findall(r"\w+|[^\w\s]", sentence.casefold())
