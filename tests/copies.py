"""The command line in a copy of this process, which has imported much already."""

import os
import signal
import stat
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from fair_datasets.cli import main


def copied(
    words: Sequence[str], environment: Mapping[str, str], begin: Callable[[], None] = lambda: None
) -> Callable[[], None]:
    """Return a `preexec_fn` that does the work, so that no program is started after it.

    All else is as `subprocess` makes it: streams, signals, limits, the working directory.
    """
    return partial(_run, words, dict(environment), begin)


def heed_signals() -> None:
    """Give a process the signals' defaults, also where the tests themselves ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def _run(words: Sequence[str], environment: Mapping[str, str], begin: Callable[[], None]) -> None:
    """Be like a process that has just begun, run the command line, and end."""
    code: Any = 1
    try:
        _let_pipes_go()
        heed_signals()
        begin()
        if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        os.environ.clear()
        os.environ |= {**environment, "TOKENIZERS_PARALLELISM": "false"}
        sys.dont_write_bytecode, tempfile.tempdir = True, None
        sys.stdin, sys.stdout, sys.stderr = (_stream(number) for number in range(3))
        code = main(words)
    except SystemExit as leave:
        code = leave.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError):
                stream.flush()
        os._exit(code)


def _let_pipes_go() -> None:
    """Let go of the pipes of others: at one of them `subprocess` waits for the program to start."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # of which one is that of the folder itself
            if number > 2 and stat.S_ISFIFO(os.fstat(number).st_mode):
                os.dup2(nothing, number)


def _stream(number: int) -> Any:
    """Open a standard stream; None stands for one that is closed."""
    is_told_at_once = number == 2 or "PYTHONUNBUFFERED" in os.environ
    options: dict[str, Any] = {"closefd": False, "buffering": 1 if is_told_at_once else -1}
    with suppress(OSError):
        encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
        return open(number, "w" if number else "r", encoding=encoding, **options)
    return None
