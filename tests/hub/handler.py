"""The part of the loopback Hub that answers a connection: who asks, and which route it is."""

import json
import re
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from store import Hub, Refusal, Repository

USERS = {
    "hf_ada": "ada", "hf_bob": "bob", "hf_reader": "ada", "hf_encoders": "sentence-transformers",
}  # fmt: skip
READ_ONLY = {"hf_reader"}


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    # The head and the body of an answer are two packets; else the second waits 40 ms for an answer.
    disable_nagle_algorithm = True
    hub = Hub()
    is_cut = False
    routes: ClassVar[list[tuple[re.Pattern[str], Callable[..., Any]]]] = []

    def handle_request(self) -> None:
        """Find the route and answer with what it returns."""
        address = urlsplit(self.path)
        self.query = parse_qs(address.query)
        if not address.path.startswith("/test/"):
            self.hub.requests.append(f"{self.command} {address.path}")
            self.is_cut = self.hub.is_cut()
            if self.is_cut and not self.hub.loses_answers:
                self.close_connection = True
                return None
            if self.hub.is_stalled(f"{self.command} {address.path}"):
                self.body()
                self.rfile.read(1)  # which comes back once the client has gone
                self.close_connection = True
                return None
            if self.hub.is_refused(f"{self.command} {address.path}"):
                status, headers = self.hub.refusal
                return self.reply(status, {"error": "not now"}, headers)
        try:
            self.user = self._user()
            for pattern, answer in self.routes:
                if match := pattern.fullmatch(f"{self.command} {address.path}"):
                    parts = [part and unquote(part) for part in match.groups()]
                    return self.reply(200, answer(self, *parts))
            raise Refusal(404, "", "there is no such endpoint")
        except Refusal as refusal:
            return self.reply(
                refusal.status,
                refusal.body,
                {"X-Error-Code": refusal.code, "X-Error-Message": str(refusal)},
            )

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_request  # noqa: N815

    def reply(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        """Send an answer: bytes as they are, None for one that was sent already, else JSON."""
        if body is None:
            return
        self.body()
        if self.is_cut:
            self.close_connection = True
            return
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def body(self) -> bytes:
        """Read what the client sends, once: an unread body would be taken for a request."""
        size = int(self.headers.get("Content-Length") or 0)
        self.headers.replace_header("Content-Length", "0") if size else None
        return self.rfile.read(size)

    def json(self) -> Any:
        """Read a body of JSON."""
        return json.loads(self.body() or b"{}")

    def repository(self, kind: str, name: str, *, write: bool = False) -> Repository:
        """Return a repository that the client may read, and write where it means to."""
        found = self.hub.repositories.get((kind, name))
        owner = name.split("/")[0]
        if found is None or (found.private and self.user != owner):
            status = HTTPStatus.NOT_FOUND if self.user else HTTPStatus.UNAUTHORIZED
            raise Refusal(status, "RepoNotFound", "Repository not found")
        if write:
            self.may_write(owner)
        return found

    def gated(self, found: Repository, name: str) -> None:
        """Raise if a repository is gated and somebody else asks for its files."""
        if found.gated and self.user != name.split("/")[0]:
            raise Refusal(403, "GatedRepo", f"Access to {name} is restricted.")

    def may_write(self, owner: str) -> None:
        """Raise unless the client may write to what a user owns."""
        if not self.user:
            raise Refusal(401, "", "Invalid username or password.")
        if self.user != owner or self.token() in READ_ONLY:
            raise Refusal(403, "", "You don't have the rights to write to this namespace")

    def _user(self) -> str | None:
        """Return the name of the user whose token was sent."""
        token = self.token()
        if token and token not in USERS:
            self.body()
            raise Refusal(401, "", "Invalid credentials in Authorization header")
        return USERS.get(token)

    def token(self) -> str:
        """Return the token that was sent."""
        return self.headers.get("Authorization", "").removeprefix("Bearer ")

    def log_message(self, *_: Any) -> None:
        """Keep the tests' output clean."""


def route(pattern: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Name the requests that a function answers; {repo} is a kind and an id."""
    pattern = pattern.replace("{repo}", "/api/(model|dataset|space)s/([^/]+/[^/]+)")
    pattern = pattern.replace("{prefix}", "/(datasets/|spaces/|)([^/]+/[^/]+?)")

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        Handler.routes.append((re.compile(pattern), function))
        return function

    return add
