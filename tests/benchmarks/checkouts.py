"""Asking the code of this checkout and of another one the same, in turns."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Where this checkout is.
HERE = Path(__file__).resolve().parents[2]


class Checkout:
    """A process that runs a script with the code of one checkout.

    Args:
        folder: Where the checkout is.
        script: The script, which answers by `serve`.
        arguments: What it is called with.
        python: What runs it.
    """

    def __init__(
        self, folder: Path, script: str, *arguments: str, python: str = sys.executable
    ) -> None:
        """Start the process."""
        self._process = subprocess.Popen(
            [python, script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": str(folder)},
        )  # fmt: skip

    def ask(self, *asked: Any) -> None:
        """Ask something, without waiting for the answer."""
        assert self._process.stdin is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)

    def answer(self) -> Any:
        """Wait for the answer."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def serve(answer: Callable[..., Any]) -> None:
    """Answer what is asked, line by line.

    Args:
        answer: Takes what was asked, and returns what JSON can write.
    """
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)
