"""Whatever a user names as a file, nothing waits for it for ever."""

import errno
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from fair_datasets import InputError
from fair_datasets.system.files import (
    PREFIX,
    annotate_oserror,
    numbered_lines,
    refuse_link_out,
    temporary_folder,
)


def test_lines_have_their_numbers(tmp_path: Path) -> None:
    """Empty lines are counted and left out; a byte order mark and carriage returns are no text."""
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfone\r\n\n \ntwo")
    assert list(numbered_lines(tmp_path / "a", largest=100)) == [(1, "one"), (4, "two")]


CODE = """
import sys, time
from pathlib import Path
from fair_datasets.system.files import temporary_folder
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


@pytest.mark.parametrize(("folder", "target", "is_refused"), [
    ("snapshots/abc", "blobs/1", False), ("snapshots/abc", "snapshots/abc/inside", False),
    ("snapshots/abc", "others/1", True), ("saved/abc", "blobs/1", True),
])  # fmt: skip
def test_links_of_a_cache_lead_to_its_blobs(
    folder: str, target: str, is_refused: bool, tmp_path: Path
) -> None:
    """Where huggingface_hub keeps what many revisions share; nothing else may lead out."""
    for file in (tmp_path / folder / "file", tmp_path / target):
        file.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / target).write_text("")
    (tmp_path / folder / "file").symlink_to(tmp_path / target)
    with pytest.raises(InputError) if is_refused else nullcontext():
        refuse_link_out(tmp_path / folder / "file", tmp_path / folder)


@pytest.mark.parametrize(("error", "name"), [
    (OSError(errno.ENOSPC, "full"), "probe"), (OSError(errno.ENOSPC, "full", "own"), "own"),
    (ValueError("No space left on device (os error 28)"), "probe"),
    (ValueError("No such label"), None),
])  # fmt: skip
def test_an_error_of_the_system_names_a_file(error: Exception, name: str | None) -> None:
    """The one that it was of, or that was written; another error stays as it is."""
    with pytest.raises((OSError, ValueError)) as raised, annotate_oserror(Path("probe")):
        raise error
    assert getattr(raised.value, "filename", None) == name
    assert getattr(raised.value, "errno", errno.ENOSPC) == errno.ENOSPC
