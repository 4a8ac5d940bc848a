"""The texts of an audit in English, as `texts.en.toml` holds them."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def catalogue() -> Mapping[str, Any]:
    """Read all tables of texts.

    Example:
        >>> catalogue()["no_duplicates"]["caution"]
        ['whole_rows']
    """
    text = files("fair_datasets.auditing").joinpath("texts.en.toml").read_text("utf-8")
    return tomllib.loads(text)


class Texts(Mapping[str, str]):
    """A table of texts, which is read when it is first asked.

    Example:
        >>> Texts("measures")["accuracy"]
        'The share of rows whose prediction is their label.'
    """

    def __init__(self, table: str) -> None:
        """Name the table."""
        self._table = table

    def __getitem__(self, name: str) -> str:
        """Return a text."""
        return str(catalogue()[self._table][name])

    def __iter__(self) -> Iterator[str]:
        """Give the names, in their order."""
        return iter(catalogue()[self._table])

    def __len__(self) -> int:
        """Count them."""
        return len(catalogue()[self._table])

    def __repr__(self) -> str:
        """Write them as a mapping."""
        return repr(catalogue()[self._table])
