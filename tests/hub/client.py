"""Starting the loopback Hub, and steering it from tests."""

import atexit
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

SERVER = Path(__file__).with_name("loopback.py")


class LoopbackHub:
    """A loopback Hub, whose address is known before the process that answers there is started."""

    def __init__(self) -> None:
        """Take a free port, at which nothing answers yet."""
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def start(self) -> None:
        """Start the process, unless it runs; it ends with this one."""
        if self._process is None:
            pipe, port = subprocess.PIPE, self._socket.fileno()
            command = [sys.executable, str(SERVER), str(port)]
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, pass_fds=[port])
            assert self._process.stdout is not None
            self._process.stdout.readline()

    def stop(self) -> None:
        """Give the port back, end the process and wait for it."""
        self._socket.close()
        if self._process is not None:
            with self._process:
                self._process.kill()

    def environment(self) -> dict[str, str]:
        """Return what points the Hugging Face clients at it; they read it when imported."""
        return {
            "HF_ENDPOINT": self.url,
            # With Xet, the client asks for an address that only the real Hub has.
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }

    def reset(self) -> None:
        """Forget every repository, every fault and the log."""
        self._ask("POST", "/test/reset")

    def break_after(self, uploads: int | None) -> None:
        """Break the connection half-way through every large file after so many; None for never."""
        self._ask("POST", "/test/faults", {"uploads_left": uploads})

    def cut_after(self, requests: int | None, *, loses_answers: bool = False) -> None:
        """Break every connection after so many requests, before or after they are carried out."""
        faults = {"requests_left": requests, "loses_answers": loses_answers}
        self._ask("POST", "/test/faults", faults)

    def refuse(self, requests: str, status: int, *, times: int = 10**6, **headers: str) -> None:
        """Answer requests that match a pattern by an error; `Retry_After="1"` is a header."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._ask(
            "POST", "/test/faults",
            {"refused": requests, "refusal": [status, named], "refusals_left": times},
        )  # fmt: skip

    def stall(self, requests: str) -> None:
        """Never answer requests that match a pattern; none where it is empty."""
        self._ask("POST", "/test/faults", {"stalled": requests})

    def gate(self, kind: str, name: str, *, card: bool = True) -> None:
        """Let only its owner download the files of a repository, with or without its card."""
        self._ask("POST", "/test/gate", {"kind": kind, "name": name, "card": card})

    def plant(self, kind: str, name: str, path: str, content: bytes = b"planted") -> None:
        """Put a file into a repository, of a name or a content that no client would send."""
        planted = {"kind": kind, "name": name, "path": path, "content": content.hex()}
        self._ask("POST", "/test/plant", planted)

    def requests(self) -> list[str]:
        """Return every request since the reset, as "METHOD /path"."""
        return list(self._ask("GET", "/test/log")["requests"])

    def uploads(self) -> list[str]:
        """Return the digests of the large files that were received, in order."""
        return list(self._ask("GET", "/test/log")["uploads"])

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        request = Request(self.url + path, json.dumps(body).encode(), method=method)
        with urlopen(request) as answer:
            return json.load(answer)


def direct() -> LoopbackHub:
    """Point the clients of this process, and of its children, at a loopback Hub."""
    hub = LoopbackHub()
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "TRANSFORMERS_OFFLINE"):
        os.environ.pop(name, None)
    os.environ.update(hub.environment())
    return hub
