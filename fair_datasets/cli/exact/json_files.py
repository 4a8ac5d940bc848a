"""Reading JSON files: numbers keep their digits, and texts that look like dates stay texts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import pyarrow as pa
from datasets.packaged_modules.json.json import JsonConfig

from fair_datasets.cli.exact.builder import ExactBuilder
from fair_datasets.cli.exact.json_kinds import Kind, joined, kind_of, stored, type_of
from fair_datasets.cli.exact.json_values import rows

# How many objects make one table.
_TOGETHER = 1000


class ExactJson(ExactBuilder):
    """Reads JSON objects; numbers that no type holds are text, and values of several kinds JSON."""

    BUILDER_CONFIG_CLASS = JsonConfig

    def look(self, files: Iterable[str]) -> "pa.Schema":
        """Return the types of the columns over all files."""
        kinds: dict[str, Kind] = {}
        for batch in chain.from_iterable(map(self._batches, files)):
            for name, values in _columns(batch).items():
                kinds[name] = joined(kinds.get(name, "null"), kind_of(values))
        return pa.schema((name, type_of(kind)) for name, kind in kinds.items())

    def tables(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file; as long as no types are known, with those of the rows."""
        for batch in self._batches(file):
            if self.types is None:
                found = _columns(batch)
                types = {name: type_of(kind_of(values)) for name, values in found.items()}
            else:
                found = _columns(batch, self.types.names)
                types = dict(zip(self.types.names, self.types.types, strict=True))
            yield pa.table({name: stored(values, types[name]) for name, values in found.items()})

    def _batches(self, file: str) -> Iterator[list[dict[str, Any]]]:
        """Yield the objects of a file, some at a time."""
        encoding = "utf-8-sig" if self.config.encoding == "utf-8" else self.config.encoding
        with open(file, encoding=encoding, newline="\n") as lines:
            found = (row for _, row in rows(lines, self.config.field))
            while batch := list(islice(found, _TOGETHER)):
                yield batch


def _columns(
    batch: Sequence[dict[str, Any]], names: Sequence[str] | None = None
) -> dict[str, list[Any]]:
    """Return the values of each key of objects, None where one lacks it."""
    found = dict.fromkeys(chain.from_iterable(batch)) if names is None else names
    return {name: [row.get(name) for row in batch] for name in found}
