"""A chat server whose answers are a script, for tests and benchmarks; and one over a model here."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets import CounterfactualSwap
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits

OTHER = {"man": "woman", "woman": "man"}
USAGE = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}


class Reply(NamedTuple):
    """What the server sends: a status, a body (text, or data for JSON), headers, and how.

    `seconds` are waited before; `cut` sends half of the body and hangs up.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})
    seconds: float = 0
    cut: bool = False


def completion(content: Any, finish: str = "stop", usage: Any = USAGE) -> dict[str, Any]:
    """Write what a server answers."""
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}


def edits(*several: tuple[str, str] | tuple[str, str, int]) -> str:
    """Write edits as a model does."""
    named = ("before", "after", "occurrence")
    return json.dumps({"edits": [dict(zip(named, (*edit, 1), strict=False)) for edit in several]})


def text_of(asked: dict[str, Any]) -> tuple[str, str]:
    """Read the text of a question, and who the person becomes."""
    content = asked["messages"][-1]["content"]
    attribute = re.search(r"becomes another: ([\w-]+)\.", content)
    assert attribute is not None
    return content.partition("\n\nText:\n")[2], attribute[1]


def right_edits(asked: dict[str, Any]) -> str:
    """Answer a question with the edits of the swap; right where there is one person."""
    text, attribute = text_of(asked)
    source = OTHER.get(attribute, "man")
    swap = CounterfactualSwap(columns="t", mode="replace", source=source, target=attribute)
    return edits(*edits_between(text, swap({"t": [text]})["t"][0]))


def edits_between(old: str, new: str) -> Iterator[tuple[str, str, int]]:
    """Give the edits that lead from one text to another."""
    for edit in aligned_edits(old, new):
        before = rf"(?<!\w){re.escape(edit.before)}(?!\w)"
        places = [match.start() for match in re.finditer(before, old)]
        yield edit.before, edit.after, 1 + places.index(edit.start)


class Chat(ThreadingHTTPServer):
    """A server on a free port; `asked` holds each body, `headers` each header."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer: Callable[[dict[str, Any]], Any]) -> None:
        """Serve what a function answers: a `Reply`, or the content of a completion."""
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *arguments: Any) -> None:
        """Say nothing where a client hangs up."""


class _Handler(BaseHTTPRequestHandler):
    server: Chat

    def do_POST(self) -> None:
        """Answer."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        reply = self.server.answer(asked)
        if not isinstance(reply, Reply):
            reply = Reply(body=completion(reply))
        time.sleep(reply.seconds)
        body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode()[: len(body) // 2] if reply.cut else body.encode())

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(answer: Callable[[dict[str, Any]], Any] = right_edits) -> Iterator[Chat]:
    """Run a server in a thread."""
    with Chat(answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
