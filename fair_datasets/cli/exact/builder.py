"""What reads files for `datasets` in two passes: to see what the columns hold, and to give them."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa
from datasets import ArrowBasedBuilder, DatasetInfo, Features, SplitGenerator

TOGETHER = 10_000
"""How many rows are kept together: each part of a column takes memory once it is read."""
_BYTES = 8_000_000


class ExactBuilder(ArrowBasedBuilder):  # type: ignore[misc]
    """Reads the files of each split, all with the types that the first pass found.

    In a stream there is one pass, and what a subclass gives then has to do.
    """

    # The types of the columns; None as long as they are not known, or where a card declares them.
    types: "pa.Schema | None" = None

    @abstractmethod
    def look(self, files: Iterable[str]) -> "pa.Schema":
        """Return the types that hold each value of the columns as it was written."""

    @abstractmethod
    def tables(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file."""

    def _info(self) -> DatasetInfo:
        """Return what is known before anything was read."""
        return DatasetInfo(features=self.config.features)

    def _split_generators(self, manager: Any) -> list[SplitGenerator]:
        """Name the files of each split, and look at all of them."""
        manager.download_config.extract_on_the_fly = True
        places = manager.extract(manager.download(self.config.data_files))
        splits = {
            split: list(chain.from_iterable(map(manager.iter_files, several)))
            for split, several in _listed(places).items()
        }
        if self.info.features is None and not manager.is_streaming:
            self.types = self.look(chain.from_iterable(splits.values()))
            self.info.features = Features.from_arrow_schema(self.types)
        return [
            SplitGenerator(name=split, gen_kwargs={"files": files})
            for split, files in splits.items()
        ]

    def _generate_tables(self, files: Sequence[str]) -> Iterator[tuple[str, "pa.Table"]]:
        """Yield the rows of a split."""
        tables = chain.from_iterable(map(self.tables, files))
        first = next(tables, None)
        if first is None:  # of which datasets would say that it has no schema
            first = (self.types or pa.schema([])).empty_table()
        several = chain([first], tables)
        for number, table in enumerate(several if self.types is None else _together(several)):
            yield str(number), table


def _together(tables: Iterable["pa.Table"]) -> Iterator["pa.Table"]:
    """Put small tables of the same columns together."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        if sum(map(len, held)) >= TOGETHER or sum(each.nbytes for each in held) >= _BYTES:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)


def _listed(places: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the places of each split as a list, also where there is but one."""
    return {
        split: [found] if isinstance(found, str) else list(found) for split, found in places.items()
    }
