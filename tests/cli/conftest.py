"""Running the command line in this process or, for signals and streams, in one of its own."""

import os
import resource
import runpy
import signal
import subprocess
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from fair_datasets.cli import main
from tests.copies import copied, heed_signals

# The loopback Hub, as the tests of fair_datasets.hub have it.
_OF_THE_HUB = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))
hub, impatient, splits = (_OF_THE_HUB[name] for name in ("hub", "impatient", "splits"))

SCRIPT = Path(sysconfig.get_path("scripts")) / "fair-datasets"


class Outcome(NamedTuple):
    """How a run ended: the exit code, the standard output and the standard error."""

    code: int
    out: str
    err: str

    def done(self) -> Self:
        """Return it if all went well."""
        assert self.code == 0, self.err
        return self

    def quiet(self) -> Self:
        """Return it if all went well and no warning was told."""
        assert (self.code, self.err) == (0, "")
        return self

    def refused(self) -> str:
        """Return why it was refused, in sentences and not with a traceback."""
        assert self.code == 2
        assert "Traceback" not in self.err
        return self.err


Run = Callable[..., Outcome]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command line in this process."""

    def run_here(*arguments: object) -> Outcome:
        capfd.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as leave:  # argparse leaves by itself
            code = int(str(leave.code))
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run_here


@pytest.fixture
def start() -> Start:
    """Return a function that runs the command line in a process of its own, a copy of this one.

    With `room`, it may write files of so many bytes, as on a disk that is full then. With `anew`,
    the console script is started, which imports everything: for what is decided by then.
    """

    def start_copy(
        *arguments: object, room: int | None = None, anew: bool = False,
        env: Mapping[str, str] = os.environ, preexec_fn: Callable[[], None] = heed_signals,
        **options: Any,
    ) -> "subprocess.Popen[str]":  # fmt: skip
        environment = {
            name: value for name, value in env.items()
            if name != "HF_DATASETS_DISABLE_PROGRESS_BARS"
        }  # fmt: skip
        if room is not None:
            # A module that is compiled then would be cut short, and stay so for whoever comes next.
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
            preexec_fn = partial(limit_files, room)
        words = list(map(str, arguments))
        defaults: dict[str, Any] = {
            "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment, "text": True,
            "preexec_fn": preexec_fn if anew else copied(words, environment, preexec_fn),
        }  # fmt: skip
        return subprocess.Popen([str(SCRIPT), *words], **{**defaults, **options})

    return start_copy


def limit_files(room: int) -> None:
    """Let the process write files of so many bytes, with an error and not a signal."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@pytest.fixture
def heeded() -> Iterator[None]:
    """Let this process heed Ctrl-C, also where whoever started the tests lets them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    """Return a CSV file of two rows, of which one changes."""
    file = tmp_path / "reviews.csv"
    file.write_text("id,text,label\n1,He is a waiter.,1\n2,It rains.,0\n", encoding="utf-8")
    return file


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """Return a CSV file that takes seconds to rewrite."""
    file = tmp_path / "in" / "long.csv"
    file.parent.mkdir()
    lines = (f"He saw her mother and the waiter {number} said so.\n" for number in range(60_000))
    file.write_text("text\n" + "".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with temporary files in another, and return it."""
    for name in ("here", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def left(here: Path) -> Callable[[], list[Path]]:
    """Return what lists the working folder, and the temporary folders of ours."""
    return lambda: [*here.iterdir(), *(here.parent / "temporary").glob("fair-datasets-*")]


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write nothing in place of the picture of a diet, which takes as long as all else to draw."""
    monkeypatch.setattr("fair_datasets.cli.diet.save_picture", lambda _, path: path.touch())
