"""A Hub in memory on the loopback interface, for tests: `python tests/hub/loopback.py`.

It speaks the endpoints that the clients of huggingface_hub, datasets, transformers and evaluate use
to create repositories, to upload, to list and to download. It prints its address and ends when its
standard input is closed. Of the real Hub it lacks Xet, gating, pagination, multipart uploads,
redirections to a content delivery network and rate limits; a pull request is a branch.

Tests steer it through three addresses of its own: `POST /test/reset` forgets everything,
`POST /test/faults` with `{"uploads_left": 2}` breaks the connection half-way through every large
file after the second (null: no more faults), and `GET /test/log` returns the requests and the
digests of the large files that were received.
"""

import hashlib
import json
import os
import re
import sys
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from store import File, Hub, Refusal, Repository, change, is_large, listing

USERS = {"hf_ada": "ada", "hf_bob": "bob", "hf_reader": "ada"}
READ_ONLY = {"hf_reader"}


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    hub = Hub()
    routes: ClassVar[list[tuple[re.Pattern[str], Callable[..., Any]]]] = []

    def handle_request(self) -> None:
        """Find the route and answer with what it returns."""
        address = urlsplit(self.path)
        self.query = parse_qs(address.query)
        if not address.path.startswith("/test/"):
            self.hub.requests.append(f"{self.command} {address.path}")
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

    def may_write(self, owner: str) -> None:
        """Raise unless the client may write to what a user owns."""
        if not self.user:
            raise Refusal(401, "", "Invalid username or password.")
        if self.user != owner or self._token() in READ_ONLY:
            raise Refusal(403, "", "You don't have the rights to write to this namespace")

    def _user(self) -> str | None:
        """Return the name of the user whose token was sent."""
        token = self._token()
        if token and token not in USERS:
            self.body()
            raise Refusal(401, "", "Invalid credentials in Authorization header")
        return USERS.get(token)

    def _token(self) -> str:
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


@route("GET /api/whoami-v2")
def whoami(request: Handler) -> Any:
    """Name the user."""
    if not request.user:
        raise Refusal(401, "", "Invalid username or password.")
    return {"name": request.user, "type": "user", "orgs": [], "auth": {"type": "access_token"}}


@route("POST /api/repos/create")
def create(request: Handler) -> Any:
    """Create a repository, with the files that the Hub puts into a new one."""
    wanted = request.json()
    kind, owner = wanted.get("type", "model"), wanted.get("organization") or request.user
    request.may_write(owner)
    name = f"{owner}/{wanted['name']}"
    url = f"{request.server.url}/{'' if kind == 'model' else kind + 's/'}{name}"
    if (kind, name) in request.hub.repositories:
        raise Refusal(409, "", "You already created this repo", url=url)
    made = Repository(private=wanted.get("visibility") == "private", sdk=wanted.get("sdk"))
    files = {".gitattributes": File(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n")}
    if kind == "space":
        card = f"---\ntitle: {wanted['name']}\nsdk: {made.sdk}\nsdk_version: 1.0.0\n---\nNew.\n"
        files["README.md"] = File(card.encode())
    made.commit("main", files)
    request.hub.repositories[kind, name] = made
    return {"url": url, "name": name, "id": name}


@route("POST /api/validate-yaml")
def validate(request: Handler) -> Any:
    """Find nothing wrong with a card's metadata."""
    return {"errors": [], "warnings": []}


@route("GET {repo}(?:/revision/([^/]+))?")
def info(request: Handler, kind: str, name: str, revision: str | None) -> Any:
    """Describe a repository."""
    found = request.repository(kind, name)
    commit = found.resolve(revision or "main")
    siblings = [{"rfilename": path} for path in found.commits[commit]]
    about = {"id": name, "sha": commit, "private": found.private, "siblings": siblings}
    return about | {"tags": [], "sdk": found.sdk, "gated": False, "disabled": False}


@route("POST {repo}/branch/([^/]+)")
def branch(request: Handler, kind: str, name: str, wanted: str) -> Any:
    """Create a branch."""
    found = request.repository(kind, name, write=True)
    if wanted in found.branches:
        raise Refusal(409, "", "Reference already exists")
    found.branches[wanted] = found.resolve(request.json().get("startingPoint") or "main")
    return {}


@route("GET {repo}/tree/([^/]+)(?:/(.+))?")
def tree(request: Handler, kind: str, name: str, revision: str, folder: str | None) -> Any:
    """List a folder."""
    found = request.repository(kind, name)
    files = found.commits[found.resolve(revision)]
    start = f"{folder}/" if folder else ""
    inside = {path: file for path, file in files.items() if path.startswith(start)}
    if folder and not inside:
        raise Refusal(404, "EntryNotFound", f"{folder} does not exist")
    recursive = request.query.get("recursive") in (["true"], ["True"], ["1"])
    return list(listing(inside, start, recursive))


@route("POST {repo}/paths-info/([^/]+)")
def paths_info(request: Handler, kind: str, name: str, revision: str) -> Any:
    """Describe some files and folders."""
    found = request.repository(kind, name)
    files = found.commits[found.resolve(revision)]
    paths = parse_qs(request.body().decode()).get("paths", [])
    entries = [files[path].entry(path) for path in paths if path in files]
    folders = [path for path in paths if any(file.startswith(f"{path}/") for file in files)]
    return entries + [{"type": "directory", "path": path, "oid": "0" * 40} for path in folders]


@route("POST {repo}/preupload/([^/]+)")
def preupload(request: Handler, kind: str, name: str, revision: str) -> Any:
    """Tell how each file is to be sent."""
    found = request.repository(kind, name, write=True)
    files = found.commits[found.resolve(revision)]
    answers = []
    for wanted in request.json()["files"]:
        path = wanted["path"]
        large = is_large(path, wanted["size"])
        mode = {"uploadMode": "lfs" if large else "regular", "shouldIgnore": False}
        answers.append({"path": path, "oid": files[path].tag if path in files else None, **mode})
    return {"files": answers}


@route("POST {prefix}[.]git/info/lfs/objects/batch")
def lfs_batch(request: Handler, prefix: str, name: str) -> Any:
    """Tell where the large files that are not stored yet are to be sent."""
    request.repository(prefix.removesuffix("s/") or "model", name, write=True)
    answers = []
    for wanted in request.json()["objects"]:
        place = {"href": f"{request.server.url}/large/{wanted['oid']}"}
        known = wanted["oid"] in request.hub.stored
        answers.append(wanted if known else wanted | {"actions": {"upload": place}})
    return {"transfer": "basic", "objects": answers}


@route("PUT /large/([0-9a-f]{64})")
def upload(request: Handler, digest: str) -> Any:
    """Receive a large file, or break the connection half-way."""
    hub = request.hub
    if hub.uploads_left is not None:
        if hub.uploads_left == 0:
            request.rfile.read(int(request.headers["Content-Length"]) // 2)
            request.close_connection = True
            return None
        hub.uploads_left -= 1
    content = request.body()
    if hashlib.sha256(content).hexdigest() != digest:
        raise Refusal(400, "", "the file is not what its digest says")
    hub.stored[digest] = content
    hub.uploads.append(digest)
    return {}


@route("POST {repo}/commit/([^/]+)")
def commit(request: Handler, kind: str, name: str, revision: str) -> Any:
    """Make a commit, on the branch or as a pull request."""
    found = request.repository(kind, name, write=True)
    parent = found.resolve(revision)
    files = dict(found.commits[parent])
    for line in request.body().decode().splitlines():
        change(files, json.loads(line), parent, request.hub)
    url = f"{request.server.url}/{'' if kind == 'model' else kind + 's/'}{name}"
    request_url = {}
    if request.query.get("create_pr") == ["1"]:
        number = sum(name.startswith("refs/pr/") for name in found.branches) + 1
        revision, request_url = (
            f"refs/pr/{number}",
            {"pullRequestUrl": f"{url}/discussions/{number}"},
        )
    oid = found.commit(revision, files)
    return {"success": True, "commitOid": oid, "commitUrl": f"{url}/commit/{oid}", **request_url}


@route("(?:GET|HEAD) {prefix}/resolve/([^/]+)/(.+)")
def download(request: Handler, prefix: str, name: str, revision: str, path: str) -> None:
    """Send a file, or a part of it."""
    found = request.repository(prefix.removesuffix("s/") or "model", name)
    commit = found.resolve(revision)
    if path not in found.commits[commit]:
        raise Refusal(404, "EntryNotFound", "Entry not found")
    file = found.commits[commit][path]
    headers = {"X-Repo-Commit": commit, "ETag": f'"{file.tag}"', "Accept-Ranges": "bytes"}
    if file.large:
        headers |= {"X-Linked-ETag": f'"{file.tag}"', "X-Linked-Size": str(len(file.content))}
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range", ""))
    if not wanted:
        return request.reply(200, file.content, headers)
    size = len(file.content)
    first, last = int(wanted[1]), min(int(wanted[2] or size), size - 1)
    headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    return request.reply(206, file.content[first : last + 1], headers)


@route("POST /test/reset")
def reset(request: Handler) -> Any:
    """Forget everything."""
    Handler.hub = Hub()
    return {}


@route("POST /test/faults")
def faults(request: Handler) -> Any:
    """Set how many large files are received before connections break."""
    request.hub.uploads_left = request.json()["uploads_left"]
    return {}


@route("GET /test/log")
def log(request: Handler) -> Any:
    """Tell what was asked, and which large files were received."""
    return {"requests": request.hub.requests, "uploads": request.hub.uploads}


def main() -> None:
    """Serve until standard input is closed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.url = f"http://127.0.0.1:{server.server_port}"
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
