"""How far a training is told to be: in lines, in a note, and where its loss is no number."""

import io
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from fair_datasets.system import resume
from fair_datasets.system.resume import ProgressTracker, progress_lines


class Terminal(io.StringIO):
    """A standard error that somebody watches."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def told(monkeypatch: pytest.MonkeyPatch, error: io.StringIO) -> str:
    """Return what a training of three steps writes to a standard error."""
    monkeypatch.setattr(sys, "stderr", error)
    with ProgressTracker("Training the generator", 3) as counted:
        for loss in (0.75, 0.5, 0.25):
            counted.step(loss)
    return error.getvalue()


def test_lines_stand_in_for_the_bar_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the step, the loss and the time left; at most one a minute, and none in a terminal."""
    assert told(monkeypatch, io.StringIO()) == ""
    monkeypatch.setattr(resume, "_LINE_EVERY", 0.0)
    first, second, third = told(monkeypatch, io.StringIO()).splitlines()
    assert first.endswith("Training the generator: step 1 of 3, loss 0.750, about 0:00:00 left")
    assert second.endswith("step 2 of 3, loss 0.500, about 0:00:00 left")
    assert third.endswith("step 3 of 3, loss 0.250")
    assert "loss 0.750, about" not in told(monkeypatch, Terminal())


def test_a_training_is_told_to_who_asks(tmp_path: Path) -> None:
    """While it runs, by the first of two that train the same, and after it ended early."""
    work = tmp_path / "deep"
    assert progress_lines(tmp_path) == []
    with (
        suppress(KeyboardInterrupt),
        ProgressTracker("Training", 1000, unit="batch", work=work) as counted,
    ):
        counted.step(1.5, number=400)
        counted._note()
        (running,) = progress_lines(tmp_path)
        assert running.startswith(f"{tmp_path}: running. Training: batch 400 of 1,000, loss 1.500")
        with ProgressTracker("Training", 1000, work=work) as other:
            other.step(number=1000)
            assert progress_lines(tmp_path) == [running]
        raise KeyboardInterrupt
    ended, hint = progress_lines(tmp_path)
    assert ended.startswith(f"{tmp_path}: not running. Training: batch 400 of 1,000")
    assert "goes on" in hint
    with ProgressTracker("Training", 1000, done=1000, work=work):
        pass
    assert progress_lines(tmp_path) == [*work.iterdir()] == []
