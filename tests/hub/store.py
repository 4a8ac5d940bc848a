"""What the loopback Hub keeps: repositories, their commits and files, and a log."""

import base64
import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_numbers = itertools.count()


def is_large(path: str, size: int) -> bool:
    """Whether a file is stored beside git, under its digest."""
    return path.endswith((".parquet", ".safetensors", ".bin", ".arrow")) or size > 10_000_000


class Refusal(Exception):  # noqa: N818
    """An answer that is an error: its status, its code for clients, and its sentence."""

    def __init__(self, status: int, code: str, message: str, **body: Any) -> None:
        """Keep what the answer says."""
        super().__init__(message)
        self.status, self.code, self.body = status, code, {"error": message, **body}


@dataclass
class File:
    """A file of a commit."""

    content: bytes
    large: bool = False

    @property
    def oid(self) -> str:
        """The digest that git gives it."""
        return hashlib.sha1(b"blob %d\0" % len(self.content) + self.content).hexdigest()

    @property
    def sha256(self) -> str:
        """The digest under which a large file is stored."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def tag(self) -> str:
        """The digest that tells clients whether they have the file already."""
        return self.sha256 if self.large else self.oid

    def entry(self, path: str) -> dict[str, Any]:
        """Describe the file as a listing does."""
        entry = {"type": "file", "path": path, "size": len(self.content), "oid": self.oid}
        if self.large:
            entry["lfs"] = {"oid": self.sha256, "size": len(self.content), "pointerSize": 134}
        return entry


@dataclass
class Repository:
    """A repository: its branches point at commits, a commit holds all of its files."""

    private: bool
    sdk: str | None
    gated: str | bool = False
    shows_card: bool = False
    commits: dict[str, dict[str, File]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)

    def resolve(self, revision: str) -> str:
        """Return the commit that a branch, or a commit, names."""
        commit = self.branches.get(revision, revision)
        if commit not in self.commits:
            raise Refusal(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return commit

    def commit(self, branch: str, files: dict[str, File]) -> str:
        """Make a commit the head of a branch."""
        commit = hashlib.sha1(f"commit {next(_numbers)}".encode()).hexdigest()
        self.commits[commit], self.branches[branch] = files, commit
        return commit


@dataclass
class Collection:
    """A collection: a list of repositories under a title."""

    slug: str
    title: str
    private: bool
    items: list[tuple[str, str]] = field(default_factory=list)

    def describe(self) -> dict[str, Any]:
        """Describe it as the Hub does."""
        items = [
            {"_id": str(place), "type": kind, "id": name, "position": place}
            for place, (kind, name) in enumerate(self.items)
        ]
        about = {"slug": self.slug, "title": self.title, "owner": {"name": self.slug.split("/")[0]}}
        when = "2026-01-01T00:00:00.000Z"
        rest = {"position": 0, "private": self.private, "theme": "blue", "upvotes": 0}
        return {**about, **rest, "items": items, "lastUpdated": when}


@dataclass
class Hub:
    """Everything that is stored; repositories by kind and id."""

    repositories: dict[tuple[str, str], Repository] = field(default_factory=dict)
    stored: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    uploads_left: int | None = None
    collections: dict[str, Collection] = field(default_factory=dict)
    requests_left: int | None = None
    loses_answers: bool = False
    refusals_left: int = 0
    refused: str = ""
    refusal: tuple[int, dict[str, str]] = (503, {})
    stalled: str = ""

    def is_refused(self, request: str) -> bool:
        """Count a request that is to be refused, and tell whether it is one."""
        if not self.refusals_left or not re.search(self.refused, request):
            return False
        self.refusals_left -= 1
        return True

    def is_stalled(self, request: str) -> bool:
        """Whether a request is never answered."""
        return bool(self.stalled and re.search(self.stalled, request))

    def is_cut(self) -> bool:
        """Count a request, and tell whether its connection breaks."""
        if self.requests_left is None:
            return False
        self.requests_left -= 1
        return self.requests_left < 0


def listing(files: dict[str, File], start: str, recursive: bool) -> Iterator[dict[str, Any]]:
    """Walk what lies below a folder, or only what lies in it."""
    folders = set()
    for path, file in files.items():
        *parents, _ = path.removeprefix(start).split("/")
        depths = range(1, len(parents) + 1) if recursive else range(1, min(len(parents), 1) + 1)
        folders |= {start + "/".join(parents[:depth]) for depth in depths}
        if recursive or not parents:
            yield file.entry(path)
    for folder in sorted(folders):
        yield {"type": "directory", "path": folder, "oid": "0" * 40}


def change(files: dict[str, File], line: dict[str, Any], parent: str, hub: Hub) -> None:
    """Carry out one line of a commit."""
    what, path = line["value"], line["value"].get("path", "")
    match line["key"]:
        case "header" if what.get("parentCommit") not in (None, parent):
            raise Refusal(412, "", "A commit has happened since. Please refresh and try again.")
        case "file":
            files[path] = File(base64.b64decode(what["content"]))
        case "lfsFile" if what["oid"] not in hub.stored:
            raise Refusal(400, "", f"{path} was not uploaded")
        case "lfsFile":
            files[path] = File(hub.stored[what["oid"]], large=True)
        case "deletedFile":
            del files[path]
        case "deletedFolder":
            for inside in [name for name in files if name.startswith(path)]:
                del files[inside]
