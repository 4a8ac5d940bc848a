"""A Hub in memory on the loopback interface, for tests: `python tests/hub/loopback.py SOCKET`.

It speaks the endpoints that the clients of huggingface_hub, datasets, transformers and evaluate use
to create repositories and collections, to upload, to list and to download. It answers at a bound
socket whose descriptor it is given, prints its address, and ends when its standard input is closed.
Of the real Hub it lacks Xet, pagination, multipart uploads, redirections to a content delivery
network and rate limits; a pull request is a branch.

Tests steer it through addresses of its own: `POST /test/reset` forgets everything;
`POST /test/faults` with `{"uploads_left": 2}` breaks the connection half-way through every large
file after the second, and with `{"requests_left": 5}` at every request after the fifth, before
anything is done or, with `{"loses_answers": true}`, after it (null: no more faults); others refuse
requests that match a pattern by a status and headers, so many times, or never answer them;
`POST /test/gate` and `POST /test/plant` make a repository gated, or hostile; and `GET /test/log`
returns the requests and the digests of the large files that were received.
"""

import hashlib
import json
import os
import re
import socket
import sys
import threading
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from handler import READ_ONLY, Handler, route
from store import Collection, File, Hub, Refusal, Repository, change, is_large, listing


@route("GET /api/whoami-v2")
def whoami(request: Handler) -> Any:
    """Name the user."""
    if not request.user:
        raise Refusal(401, "", "Invalid username or password.")
    token = {"displayName": "test", "role": "read" if request.token() in READ_ONLY else "write"}
    auth = {"type": "access_token", "accessToken": token}
    return {"name": request.user, "type": "user", "orgs": [], "auth": auth}


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
        card = f"---\ntitle: {wanted['name']}\nsdk: {made.sdk}\nsdk_version: 1.0.0\n---\n\n"
        card += "Check out the configuration reference at https://huggingface.co/docs/hub/spaces\n"
        files["README.md"] = File(card.encode())
    made.commit("main", files)
    request.hub.repositories[kind, name] = made
    return {"url": url, "name": name, "id": name}


@route("POST /api/validate-yaml")
def validate(request: Handler) -> Any:
    """Find licences that have no id, and nothing else, wrong with a card's metadata."""
    found = re.findall(r"^license: (.*)$", request.json()["content"], re.MULTILINE)
    wrong = [licence for licence in found if re.search("[ A-Z]", licence)]
    errors = [{"message": f'"license" must be one of [mit, ...], not {each}'} for each in wrong]
    if errors:
        raise Refusal(400, "", errors[0]["message"], errors=errors, warnings=[])
    return {"errors": [], "warnings": []}


@route("GET {repo}(?:/revision/([^/]+))?")
def info(request: Handler, kind: str, name: str, revision: str | None) -> Any:
    """Describe a repository."""
    found = request.repository(kind, name)
    commit = found.resolve(revision or "main")
    siblings = [{"rfilename": path} for path in found.commits[commit]]
    about = {"id": name, "sha": commit, "private": found.private, "siblings": siblings}
    return about | {"tags": [], "sdk": found.sdk, "gated": found.gated, "disabled": False}


@route("GET {repo}/auth-check")
def auth_check(request: Handler, kind: str, name: str) -> Any:
    """Whether the client may read the files."""
    request.gated(request.repository(kind, name), name)
    return {}


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
    """Return how each file is to be sent."""
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
    """Return where the large files that are not stored yet are to be sent."""
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
    if not (found.shows_card and path == "README.md"):
        request.gated(found, name)
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


@route("POST /api/collections")
def create_collection(request: Handler) -> Any:
    """Create a collection; the Hub adds a number of its own to the title."""
    wanted = request.json()
    request.may_write(wanted["namespace"])
    known = request.hub.collections
    slug = f"{wanted['namespace']}/{re.sub('[^a-z]+', '-', wanted['title'].lower())}-{'0' * 24}"
    if slug in known:
        raise Refusal(409, "", "This collection already exists", slug=slug)
    known[slug] = Collection(slug, wanted["title"], wanted.get("private", False))
    return known[slug].describe()


@route("GET /api/collections/([^/]+/[^/]+)")
def get_collection(request: Handler, slug: str) -> Any:
    """Describe a collection."""
    if slug not in request.hub.collections:
        raise Refusal(404, "", "There is no such collection")
    return request.hub.collections[slug].describe()


@route("POST /api/collections/([^/]+/[^/]+)/items")
def add_item(request: Handler, slug: str) -> Any:
    """Add an item to a collection."""
    request.may_write(slug.split("/")[0])
    found, item = request.hub.collections[slug], request.json()["item"]
    request.repository(item["type"], item["id"])
    if (item["type"], item["id"]) in found.items:
        raise Refusal(409, "", "This item is in the collection already")
    found.items.append((item["type"], item["id"]))
    return found.describe()


@route("POST /test/reset")
def reset(request: Handler) -> Any:
    """Forget everything."""
    Handler.hub = Hub()
    return {}


@route("POST /test/faults")
def faults(request: Handler) -> Any:
    """Set how many large files, or requests, are received before connections break."""
    for name, value in request.json().items():
        setattr(request.hub, name, value)
    return {}


@route("POST /test/gate")
def gate(request: Handler) -> Any:
    """Close a repository to all but its owner."""
    wanted = request.json()
    found = request.hub.repositories[wanted["kind"], wanted["name"]]
    found.gated, found.shows_card = "manual", not wanted["card"]
    return {}


@route("POST /test/plant")
def plant(request: Handler) -> Any:
    """Put a file into a repository, of a name or a content that no client would send."""
    wanted = request.json()
    found = request.hub.repositories[wanted["kind"], wanted["name"]]
    files = found.commits[found.branches["main"]]
    found.commit("main", {**files, wanted["path"]: File(bytes.fromhex(wanted["content"]))})
    return {}


@route("GET /test/log")
def log(request: Handler) -> Any:
    """Return what was asked, and which large files were received."""
    return {"requests": request.hub.requests, "uploads": request.hub.uploads}


def main() -> None:
    """Serve until standard input is closed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = socket.socket(fileno=int(sys.argv[1]))
    server.server_activate()
    server.daemon_threads = True
    server.url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
