"""Reading CSV and TSV files: a column is of numbers only if each reads back as it was written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from datasets import Value
from datasets.packaged_modules.csv.csv import CsvConfig

from fair_datasets.cli.exact.builder import ExactBuilder
from fair_datasets.cli.exact.number_types import TYPES, types_that_read_back

# An empty cell is all that is empty: "NA" and "null" are texts. Without `index_col` a column would
# be lost where each row has more fields than the header.
_AS_WRITTEN = {"keep_default_na": False, "na_values": [""], "index_col": False}


@dataclass
class ExactCsvConfig(CsvConfig):  # type: ignore[misc]
    """How CSV files are written, and which columns are text.

    Attributes:
        texts: The columns that are text, in which an empty cell is an empty text and no null.
    """

    texts: tuple[str, ...] = ()


class ExactCsv(ExactBuilder):
    """Reads each cell as the text that it is, and columns that hold nothing else as numbers."""

    BUILDER_CONFIG_CLASS = ExactCsvConfig

    def look(self, files: Iterable[str]) -> "pa.Schema":
        """Return the type of numbers of each column that reads back, and else string."""
        kinds: dict[str, list[str]] = {}
        filled: set[str] = set()
        for table in (table for file in files for table in self._read(file)):
            for name in table.column_names:
                left = kinds.setdefault(name, [] if name in self.config.texts else list(TYPES))
                values = table[name].combine_chunks().drop_null()
                if left and len(values):
                    filled.add(name)
                    kinds[name] = types_that_read_back(values, left)
        return pa.schema(
            (name, TYPES[left[0]] if left and name in filled else pa.string())
            for name, left in kinds.items()
        )

    def tables(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file, with the types that are known."""
        known = dict(zip(self.types.names, self.types.types, strict=True)) if self.types else {}
        for table in self._read(file):
            # Another file may have the same columns in another order.
            names = dict.fromkeys(name for name in (*known, *table.column_names))
            yield pa.table(
                {
                    name: pc.cast(table[name], known.get(name, table[name].type))
                    for name in names
                    if name in table.column_names
                }
            )

    def _read(self, file: str) -> Iterator["pa.Table"]:
        """Yield the rows of a file as texts, but for what a card declares to be something else."""
        declared = self.info.features if self.types is None else None
        # This dtype is read twice as fast as `str`.
        dtype: Any = pd.ArrowDtype(pa.string())
        if declared:
            dtype = {name: dtype for name in declared if self._is_text(name, declared[name])}
        options = {**self.config.pd_read_csv_kwargs, **_AS_WRITTEN}
        with pd.read_csv(file, iterator=True, dtype=dtype, **options) as frames:
            for frame in frames:
                table = pa.Table.from_pandas(frame, preserve_index=False)
                for name in {*self.config.texts}.intersection(table.column_names):
                    place = table.column_names.index(name)
                    table = table.set_column(place, name, pc.fill_null(table[name], ""))
                yield table

    def _is_text(self, name: str, feature: Any) -> bool:
        """Tell whether a column is read as text."""
        is_text = isinstance(feature, Value) and feature.dtype in ("string", "large_string")
        return is_text or name in self.config.texts
