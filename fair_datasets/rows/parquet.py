"""Writing Parquet files to disks that may be full, while signals may come."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from datasets import Dataset


def write_parquet(rows: "Dataset", file: Path) -> None:
    """Write rows as one Parquet file, with their features, so that it outlives a power cut.

    Where a write fails while pyarrow looks for the borders of contents, as on a full disk or at
    Ctrl-C, it ends the whole process. So it is told that all went well, in a thread to which no
    signal comes, and the failure is raised afterwards.
    """
    with file.open("wb", buffering=0) as opened, ThreadPoolExecutor(1) as thread:
        sink = _Sink(opened)
        try:
            thread.submit(rows.to_parquet, sink).result()
        finally:
            sink.is_given_up = True
        sink.sync()
    if sink.failure is not None:
        sink.failure.filename = str(file)
        raise sink.failure


class _Sink:
    """A file that takes whatever is written until that fails once, and keeps the failure."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        """Write to a file."""
        self.failure: OSError | None = None
        self.is_given_up = False
        self._file, self._place = file, 0

    def write(self, data: bytes) -> int:
        """Write bytes, unless that has failed, or nobody waits for them any more."""
        left = memoryview(data).cast("B")
        self._place += len(left)
        try:
            while len(left) and self.failure is None and not self.is_given_up:
                left = left[self._file.write(left) :]
        except OSError as error:
            self.failure = error
        return len(data)

    def tell(self) -> int:
        """Return how many bytes were to be written."""
        return self._place

    def sync(self) -> None:
        """Wait until what was written lies on the disk, unless that has failed."""
        try:
            if self.failure is None:
                os.fsync(self._file.fileno())
        except OSError as error:
            self.failure = error

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Who opened the file closes it."""
