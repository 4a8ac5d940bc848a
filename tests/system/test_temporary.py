"""Nothing stays of temporary folders, however a process ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fair_datasets.system.temporary import PREFIX, temporary_folder

CODE = """
import sys, time
from pathlib import Path
from fair_datasets.system.temporary import temporary_folder
with temporary_folder(Path(sys.argv[1])) as folder:
    (folder / "rows").write_text("much")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_the_next_one_removes_what_was_left(tmp_path: Path) -> None:
    """But nothing of a process that is at work, and nothing that another program made."""
    others = [f"{PREFIX}tests-1", f"{PREFIX}locked", "elsewhere"]
    for name in others:
        (tmp_path / name).mkdir()
    (tmp_path / others[1] / "lock").touch()
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, tmp_path], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    (theirs,) = set(os.listdir(tmp_path)) - set(others)
    with temporary_folder(tmp_path) as folder:
        assert (tmp_path / theirs / "inside" / "rows").read_text() == "much"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert list(folder.iterdir()) == []
    assert set(os.listdir(tmp_path)) == {*others, theirs}
    with temporary_folder(tmp_path, prefix=".other-"):
        assert (tmp_path / theirs).exists()
    with temporary_folder(tmp_path):
        assert not (tmp_path / theirs).exists()
    assert sorted(os.listdir(tmp_path)) == sorted(others)


def test_it_may_be_moved_elsewhere(tmp_path: Path) -> None:
    """And has the permissions of any other folder then."""
    (tmp_path / "usual").mkdir()
    with temporary_folder(tmp_path) as folder:
        folder.rename(tmp_path / "made")
    assert sorted(os.listdir(tmp_path)) == ["made", "usual"]
    assert (tmp_path / "made").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    """An interrupt neither."""
    with pytest.raises(KeyboardInterrupt), temporary_folder(tmp_path):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
