"""Parameters of techniques as the command line states them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli.parameters import given_settings, kinds_of, settings_again
from fair_datasets.technique.contract import Technique


@dataclass(frozen=True, kw_only=True)
class Several(Technique):
    """A technique with a parameter of each kind."""

    model: str
    count: int = 1
    share: float | None = 0.5
    both: int | str = "auto"
    on: bool = False
    words: tuple[str, ...] = ("a",)
    one_or_more: tuple[str, ...] | str = "x"
    pairs: tuple[tuple[str, float], ...] = ()

    def process(self, batch: Any) -> dict[str, list[Any]]:
        """Return the batch."""
        return dict(batch)


KINDS = kinds_of(Several)


@pytest.mark.parametrize(("pairs", "expected"), [
    (["model=a=b"], "a=b"), (["model=3"], "3"), (["model="], ""), (["count=-3"], -3),
    (["share=1e-3"], 0.001), (["share=null"], None), (["both=3"], 3), (["both=three"], "three"),
    (["on=true"], True), (["words=a"], ("a",)), (["words=a", "words=b"], ("a", "b")),
    (["words=[]"], ()), (['pairs=[["a", 1], ["b", 0.5]]'], (("a", 1.0), ("b", 0.5))),
    (["one_or_more=a"], "a"), (["one_or_more=a", "one_or_more=b"], ("a", "b")),
])  # fmt: skip
def test_values_are_typed_by_the_fields(pairs: list[str], expected: Any) -> None:
    """What a parameter takes says how its text is read."""
    (value,) = given_settings(pairs, None, KINDS).values()
    assert (value, type(value)) == (expected, type(expected))


def test_what_is_stated_is_read_again(tmp_path: Path) -> None:
    """The words of the command give the same parameters; a file does, too."""
    given = {"model": "m", "count": 2, "share": None, "both": 5, "on": True, "words": (),
             "one_or_more": ("a", "[b")}  # fmt: skip
    assert given_settings(settings_again(Several(**given), list(KINDS)), None, KINDS) == given
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(given))
    assert given_settings(["count=3"], str(path), KINDS) == {**given, "count": 3}
