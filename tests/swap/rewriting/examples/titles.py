"""A rewriter of somebody else's, in one file: titles that say nobody's gender."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.system import checks

_TITLES = r"(?:Mr|Mrs|Ms|Miss)\b\.?+"


@dataclass(frozen=True, kw_only=True)
class Titles(Rewriter):
    """Write a title that says nobody's gender, for `datasets.map`.

    Attributes:
        title: The title that is written.
        keep: Names of people whose titles stay.

    Example:
        >>> Titles(columns="text", mode="replace")({"text": ["Mr. Gray met Mrs. Bell."]})["text"]
        ['Mx. Gray met Mx. Bell.']
    """

    title: str = "Mx."
    keep: tuple[str, ...] = ()

    counted: ClassVar[tuple[str, ...]] = ("title_status",)

    def __post_init__(self) -> None:
        """Check the parameters."""
        keep = checks.strings(self.keep, parameter="keep")
        object.__setattr__(self, "keep", keep)
        super().__post_init__()

    def log_columns(self) -> Mapping[str, Any]:
        """Name the column that says what was done."""
        return {"title_status": "string"}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write the titles of rows."""
        for number, texts in enumerate(rows.texts):
            new = tuple(text and self._pattern.sub(self.title, text) for text in texts)
            status = "written" if new != texts else "no title"
            yield (
                number,
                Counterfactual(
                    new, axis="gender", attribute="unstated", log={"title_status": status}
                ),
            )

    @property
    def _pattern(self) -> re.Pattern[str]:
        """The titles that are not those of people who are kept."""
        kept = "".join(rf"(?!\s+{re.escape(name)}\b)" for name in self.keep)
        return re.compile(rf"\b{_TITLES}{kept}")
