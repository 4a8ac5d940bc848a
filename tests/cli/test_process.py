"""What only a process of its own can show: signals, limits, pipes and terminals."""

import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def wait_for_work(folder: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until the process has begun to work in its work folder."""
    while not list(folder.glob("out*.work/.job/progress.json")):
        assert process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize(("number", "code", "whole_group", "processes", "out_name"), [
    (signal.SIGINT, 130, True, 2, "out"), (signal.SIGINT, 130, True, 1, "out.csv"),
    (signal.SIGTERM, 143, False, 2, "out"),
])  # fmt: skip
def test_interrupt_leaves_nothing(
    start: Any, long_file: Path, tmp_path: Path, number: signal.Signals, code: int,
    whole_group: bool, processes: int, out_name: str,
) -> None:  # fmt: skip
    """Ctrl-C and SIGTERM in the middle of the first shard end with one sentence and no trace."""
    before = long_file.read_bytes()
    process = start(
        "augment", long_file, "--text", "text", "--out", tmp_path / out_name,
        "--num-proc", processes, "--shard-rows", 60_000, start_new_session=True, anew=processes > 1,
    )  # fmt: skip
    wait_for_work(tmp_path, process)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, "")
    assert err == "\nfair-datasets: interrupted; nothing was written.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert long_file.read_bytes() == before


def ignore_signals() -> None:
    """Let the process ignore signals, as nohup and & in a script do."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def test_ignored_signals_stay_ignored(start: Any, long_file: Path, tmp_path: Path) -> None:
    """Who starts a command so that it ignores Ctrl-C gets its result in spite of it."""
    process = start(
        "augment", long_file, "--text", "text", "--limit", 15_000, "--out", tmp_path / "out",
        preexec_fn=ignore_signals,
    )  # fmt: skip
    wait_for_work(tmp_path, process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".manifest.json", "README.md", "data",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["out", "out.csv", "out.parquet"])
def test_full_disk_leaves_nothing(start: Any, long_file: Path, tmp_path: Path, name: str) -> None:
    """A write that the system refuses ends with exit code 1 and no trace."""
    process = start("augment", long_file, "--text", "text", "--out", tmp_path / name, room=300_000)
    out, err = process.communicate()
    assert (process.returncode, out) == (1, "")
    assert err.startswith("\nfair-datasets: the disk is full")
    assert len(err.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("last", ["--out", "--dry-run"])
def test_full_standard_output(start: Any, reviews: Path, tmp_path: Path, last: str) -> None:
    """Where only the report cannot be printed, that is said, and the output is there whole."""
    where = [last, *([tmp_path / "out"] if last == "--out" else [])]
    with Path("/dev/full").open("w") as full:
        process = start("augment", reviews, "--text", "text", *where, stdout=full)
        _, err = process.communicate()
    assert process.returncode == 1
    assert err == (
        "\nfair-datasets: the standard output cannot be written (No space left on device), so that "
        "a part of the report is missing; all else is done.\n"
    )
    if last == "--out":
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
            ".manifest.json", "README.md", "data",
        ]  # fmt: skip


@pytest.mark.parametrize("is_full", [False, True])
def test_output_that_ends_in_the_middle(start: Any, tmp_path: Path, is_full: bool) -> None:
    """What is printed on the way ends no work either: the scores are written all the same."""
    words = ["kind", "rude"]
    lines = [f"He was {words[n % 2]} on day {n}.,{n % 2}\n" for n in range(20)]
    for split in ("train", "test"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{split}.csv").write_text("text,label\n" + "".join(lines))
    reader, writer = os.pipe()
    os.close(reader)
    with Path("/dev/full").open("w") as full:
        process = start(
            "score", tmp_path / "in", "--text", "text", "--probes", "1", "--out", tmp_path / "out",
            stdout=full if is_full else writer, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        os.close(writer)
        _, err = process.communicate()
    assert process.returncode == int(is_full)
    assert ("all else is done." in err) == is_full
    left = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert left == [".manifest.json", "README.md", "data"]


def test_errors_that_nobody_can_read(start: Any, reviews: Path) -> None:
    """Where the standard error fails too, the exit code is what it would be."""
    with Path("/dev/full").open("w") as full:
        process = start("augment", reviews, "--text", "txt", "--dry-run", stderr=full)
        process.communicate()
    assert process.returncode == 2


@pytest.mark.parametrize("name", ["in.csv", "axis.tsv"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_nothing_waits_for_ever(start: Any, tmp_path: Path, name: str, kind: str) -> None:
    """An input or an axis that is a pipe or a device ends in one sentence."""
    (tmp_path / "in.csv").write_text("text\nhe\n")
    (tmp_path / "axis.tsv").write_text("man\twoman\nhe\tshe\n")
    (tmp_path / name).unlink()
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("/dev/zero")
    axis = ("--axis", tmp_path / "axis.tsv")
    process = start("augment", tmp_path / "in.csv", "--text", "text", *axis, "--dry-run")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == f"\nfair-datasets: {tmp_path / name} is a {kind}, not a file; name a file.\n"


def test_output_that_lacks_a_letter(start: Any, tmp_path: Path) -> None:
    """A terminal without the letters of a text gets escapes and no error."""
    (tmp_path / "in.txt").write_text("He said café.\n", encoding="utf-8")
    os.environ["PYTHONIOENCODING"] = "ascii"
    try:
        process = start("augment", tmp_path / "in.txt", "--text", "text", "--dry-run")
    finally:
        del os.environ["PYTHONIOENCODING"]
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "+ She said caf\\xe9." in out


def read_terminal(terminal: int) -> str:
    """Read what was written to a pseudo-terminal whose other end is closed."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode()


def test_progress_bars_on_a_terminal_only(start: Any, reviews: Path, tmp_path: Path) -> None:
    """Progress bars go to the standard error where it is a terminal, never to the output."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))  # in a terminal without width a bar has no text
    process = start("augment", reviews, "--text", "text", "--out", tmp_path / "out", stderr=theirs,
                    anew=True)  # fmt: skip
    os.close(theirs)
    shown = read_terminal(ours)
    out, _ = process.communicate()
    os.close(ours)
    assert "Rewriting" in shown
    assert "Counting" not in shown
    assert "Creating parquet" not in shown
    assert "Rewriting" not in out
    assert "\r" not in out


def test_colour_on_a_terminal_only(start: Any, reviews: Path) -> None:
    """The differences of a dry run are coloured where the output is a terminal."""
    ours, theirs = os.openpty()
    process = start("augment", reviews, "--text", "text", "--dry-run", stdout=theirs)
    os.close(theirs)
    shown = read_terminal(ours)
    process.communicate()
    os.close(ours)
    assert "- \x1b[31mHe\x1b[0m is a \x1b[31mwaiter\x1b[0m." in shown
    assert "+ \x1b[32mShe\x1b[0m is a \x1b[32mwaitress\x1b[0m." in shown


def test_help_lists_exit_codes(start: Any) -> None:
    """The help says what each exit code means."""
    out, _ = start("--help").communicate()
    assert all(f"\n  {code}" in out for code in ("0  ", "1  ", "2  ", "129, 130, 143  "))


def test_python_m_is_the_command(start: Any) -> None:
    """`python -m fair_datasets` says and does the same, exit codes too, under the same name."""
    for words in (["--help"], ["augment", "no-such.csv", "--text", "text"]):
        script = start(*words, anew=True)
        expected = (*script.communicate(), script.returncode)
        module = subprocess.run(
            [sys.executable, "-m", "fair_datasets", *words], capture_output=True, text=True
        )
        assert (module.stdout, module.stderr, module.returncode) == expected
