"""The names of corrections: what is done with the rows above a percentile."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fair_datasets.system.checks import InputError, suggestion

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "Sub": "the rows above are left out",
        "Aug": "the rows above get a swapped copy",
        "Rep": "the rows above are replaced by their swap",
        "RepSub": "the rows above are replaced by their swap; those are left out that are still "
        "above and in which one word alone is among the most biased",
    }
)
"""What each kind of correction does; `Sub` and `Aug` are those of the paper."""

PUBLISHED = tuple(f"{kind}{number}" for kind in ("Sub", "Aug") for number in (97, 95, 93, 90))
"""The eight corrected corpora of the paper."""

_NAME = re.compile(r"([A-Za-z]+?)([0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True)
class Correction:
    """A correction: its kind and the percentile of the scores.

    Attributes:
        kind: One of `KINDS`.
        percentile: The percentile above which rows are corrected, between 0 and 100.
    """

    kind: str
    percentile: float

    @classmethod
    def named(cls, name: Any, *, owner: str) -> "Correction":
        """Read the name of a correction.

        Args:
            name: The name, such as `Sub95` or `Aug92.5`.
            owner: The function or the command that needs it.

        Returns:
            The correction.

        Raises:
            InputError: There is no such correction.

        Example:
            >>> Correction.named("Aug92.5", owner="correct")
            Correction(kind='Aug', percentile=92.5)
            >>> Correction.named("sub95", owner="correct")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: correct: correction must be Sub, Aug, Rep or RepSub
            with a percentile between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is 'sub95'.
            Did you mean 'Sub95'?
        """
        found = _NAME.fullmatch(name) if isinstance(name, str) else None
        if found is None or found[1] not in KINDS or not 0 < float(found[2]) < 100:
            *kinds, last = KINDS
            raise InputError(
                f"{owner}: correction must be {', '.join(kinds)} or {last} with a percentile "
                f"between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is {name!r}."
                + _meant(name)
            )
        return cls(found[1], float(found[2]))

    @property
    def name(self) -> str:
        """The name."""
        return f"{self.kind}{self.percentile:.12g}"


def _meant(name: Any) -> str:
    """Write which correction may have been meant."""
    number = re.search(r"[0-9]+(\.[0-9]+)?", str(name))
    percentile = number[0] if number and 0 < float(number[0]) < 100 else "95"
    found = suggestion(name, [f"{kind}{percentile}" for kind in KINDS])
    by_letters = {f"{kind}{percentile}".lower(): f"{kind}{percentile}" for kind in KINDS}
    exact = by_letters.get(str(name).lower())
    return f" Did you mean {exact!r}?" if exact else found
