"""A Parquet file that cannot be written is an error, and never the end of the process."""

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.rows.parquet import write_parquet

# So many texts that their dictionary is given up, and pages are written on the way.
_LONGEST = 30
ROWS = Dataset.from_dict(
    {"text": [f"He told {number} of {number * 7919}." for number in range(60_000)]}
)
CODE = """
import sys
from pathlib import Path
from tests.rows.test_parquet import ROWS
from fair_datasets.rows.parquet import write_parquet
try:
    write_parquet(ROWS, Path(sys.argv[1]))
except OSError as error:
    print(error.errno, error.filename)
"""


def limit_files() -> None:
    """Let the process write files of 100 kB at most, with an error and not a signal."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """Left alone, pyarrow would abort the process; the error names the file."""
    file = tmp_path / "rows.parquet"
    found = subprocess.run(
        # A module that is compiled then would be cut short, and stay so for whoever comes next.
        [sys.executable, "-B", "-c", CODE, file], preexec_fn=limit_files, capture_output=True,
        text=True, cwd=Path(__file__).parents[2], check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (0, f"{errno.EFBIG} {file}\n"), found.stderr


def test_the_bytes_are_those_of_datasets(tmp_path: Path) -> None:
    """And so are those that it is told of."""
    write_parquet(ROWS, tmp_path / "ours.parquet")
    ROWS.to_parquet(tmp_path / "theirs.parquet")
    assert (tmp_path / "ours.parquet").read_bytes() == (tmp_path / "theirs.parquet").read_bytes()


def test_an_interrupt_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of the work is raised here, once nothing writes any more."""

    def interrupt(rows: Any, sink: Any) -> None:
        sink.write(b"begun")
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(_LONGEST * 100):
            if sink.is_given_up:
                break
            time.sleep(0.01)
        sink.write(b"never")

    # Whoever started the tests may let them ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(Dataset, "to_parquet", interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_parquet(ROWS, tmp_path / "rows.parquet")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "rows.parquet").read_bytes() == b"begun"
