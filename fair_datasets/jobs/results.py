"""The rows that a job has written."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.jobs.job import Job, discard
from fair_datasets.jobs.shards import Finished, without_bars
from fair_datasets.system.checks import InputError
from fair_datasets.system.notes import NOTES

if TYPE_CHECKING:
    from datasets import Dataset, Features


def rows_of(folder: Path, split: str, features: "Features") -> "Dataset":
    """Read the rows of a split that a job has written, as they lie on the disk.

    Returns:
        The rows. What datasets makes of the files to read them lies among the notes.
    """
    from datasets import Dataset

    files = sorted((folder / "data").glob(f"{split}-[0-9]*-of-*.parquet"))
    cache = folder / NOTES / "read" / split
    # What a run that was killed left of it may be broken, and would be read all the same.
    shutil.rmtree(cache, ignore_errors=True)
    with without_bars():
        if not any(map(_row_count, files)):
            return Dataset.from_dict({name: [] for name in features}, features=features)
        return Dataset.from_parquet(
            list(map(str, files)), split=split, features=features, cache_dir=str(cache)
        )


def _row_count(file: Path) -> int:
    """Return the number of rows of a Parquet file."""
    from pyarrow.parquet import read_metadata

    return int(read_metadata(file).num_rows)


def refuse_empty(job: Job, finished: Mapping[str, Sequence[Finished]]) -> None:
    """Raise if nothing is left of a split, which `load_dataset` could not open; it is discarded.

    Args:
        finished: What `Job.run` returned.

    Raises:
        InputError: All rows of a split were left out.
    """
    for split, shards in finished.items():
        if not any(each.rows_out for each in shards):
            discard(job.folder)
            rows = sum(each.rows_in for each in shards)
            raise InputError(
                f"None of the {rows:,} rows of the split {split!r} is left, and load_dataset "
                "cannot open a split without rows; leave the split out, or keep more of it."
            )
