"""Whatever a user names as a file, nothing waits for it for ever."""

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.lexicons import Lexicon, load_lexicon
from fair_datasets.system.files import (
    PREFIX,
    naming,
    numbered_lines,
    refuse_link_out,
    temporary_folder,
)


def huge(path: Path) -> None:
    """Make a file of 60 MB that takes no place."""
    with path.open("wb") as file:
        file.truncate(60_000_000)


def listening(path: Path) -> None:
    """Make a socket."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(("make", "sentence"), [
    (os.mkfifo, "{path} is a pipe, not a file; name a file."),
    (Path.mkdir, "{path} is a folder, not a file; name a file."),
    (listening, "{path} is a socket, not a file; name a file."),
    (lambda path: path.symlink_to("/dev/zero"), "{path} is a device, not a file; name a file."),
    (huge, "The file {path} has 60 MB, but at most 50 MB are read; check that it is the right "
     "one."),
    (lambda path: path.symlink_to(path),
     "The file {path} cannot be read: Too many levels of symbolic links; check the path."),
], ids=["pipe", "folder", "socket", "device", "huge", "loop"])  # fmt: skip
@pytest.mark.parametrize("use", [
    Lexicon.from_tsv, lambda path: CounterfactualSwap(columns="text", axis=path),
], ids=["from_tsv", "CounterfactualSwap"])  # fmt: skip
def test_an_axis_that_is_no_file(
    make: Callable[[Path], object],
    sentence: str,
    use: Callable[[str], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pipe, a device, a folder or a huge file is one sentence."""
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    make(Path("mine.tsv"))
    with pytest.raises(InputError) as caught:
        use("mine.tsv")
    assert str(caught.value) == sentence.format(path="mine.tsv")


def test_exceptions_that_are_no_file(tmp_path: Path) -> None:
    """The file of exceptions beside a lexicon is looked at in the same way."""
    (tmp_path / "mine.tsv").write_text("man\twoman\nman\twoman\n")
    os.mkfifo(tmp_path / "mine.exceptions.tsv")
    with pytest.raises(InputError, match=r"mine\.exceptions\.tsv is a pipe, not a file;"):
        load_lexicon(str(tmp_path / "mine.tsv"))


@pytest.mark.parametrize(
    "use", [load_lexicon, lambda path: CounterfactualSwap(columns="text", axis=path)]
)
def test_a_path_with_a_nul(use: Callable[[str], Any]) -> None:
    """A path that no system can open is told with its NUL made visible."""
    with pytest.raises(InputError) as caught:
        use("a\0b.tsv")
    assert str(caught.value) == (
        r"The path 'a\x00b.tsv' cannot be read: embedded null byte; check it."
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
    with pytest.raises((OSError, ValueError)) as raised, naming(Path("probe")):
        raise error
    assert getattr(raised.value, "filename", None) == name
    assert getattr(raised.value, "errno", errno.ENOSPC) == errno.ENOSPC
