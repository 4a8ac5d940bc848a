"""Repositories of the Hub: their ids, finding, creating and writing them, and what goes wrong."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.system.checks import InputError, format_first, iter_causes, one_line, typed
from fair_datasets.system.retry import answer_of, retry_after, retry_hub_requests

if TYPE_CHECKING:
    from huggingface_hub import CommitInfo, CommitOperationAdd, CommitOperationDelete, HfApi

    CommitOperation = CommitOperationAdd | CommitOperationDelete


KINDS = ("dataset", "model", "space")

# Also the old names without a user, such as "imdb"; a revision that holds slashes is one of these.
_NAME = r"(?P<name>[\w.-]+(?:/[\w.-]+)?)"
_REVISION = r"(?:@(?P<revision>refs/(?:pr|convert)/[^/@]+|[^/@]+))?"
_PLAIN = re.compile(_NAME + _REVISION, re.ASCII)
_ADDRESS = re.compile(
    r"hf://(?P<kind>(?:dataset|model|space)s/)?" + _NAME + _REVISION + r"(?:/(?P<path>.*))?",
    re.ASCII,
)


class HubId(NamedTuple):
    """The id or address of a repository of the Hub, or of something in it.

    Attributes:
        kind: "dataset", "model" or "space".
        path: A file or a folder in the repository; empty for all of it.
    """

    kind: str
    name: str
    revision: str | None = None
    path: str = ""


def hub_id(text: str, kind: str = "dataset") -> HubId:
    """Read the id or address of a repository of the Hub.

    Args:
        text: "user/name", "user/name@revision", or an address such as
            "hf://datasets/user/name@revision/folder/file.csv".
        kind: What is meant: "dataset", "model" or "space".

    Raises:
        InputError: The text names no repository, or one of another kind.

    Example:
        >>> hub_id("hf://datasets/ada/reviews@v2/test.csv")
        HubId(kind='dataset', name='ada/reviews', revision='v2', path='test.csv')
        >>> hub_id("ada/reviews").revision is None
        True
    """
    match = _ADDRESS.fullmatch(text) or _PLAIN.fullmatch(text)
    if match is None or not _is_allowed(match["name"]):
        raise InputError(
            f'{text!r} names no repository of the Hub; write "user/name" in letters, digits, '
            "'-', '_' and '.' (96 at most), without '--' or '..', or "
            f'"hf://{kind}s/user/name".'
        )
    parts = match.groupdict()
    # As everywhere on the Hub, an address that names no kind is that of a model.
    named = (parts["kind"] or "models/").removesuffix("s/") if text.startswith("hf://") else kind
    if named != kind:
        raise InputError(f"{text!r} names a {named}, but a {kind} is meant here.")
    return HubId(kind, parts["name"], parts["revision"], (parts.get("path") or "").strip("/"))


def writable_id(text: str, kind: str, revision: str | None) -> HubId:
    """Read what names a repository that is to be written."""
    target = hub_id(text, kind)
    if "/" not in target.name:
        raise InputError(
            f'{text!r} names no user; write "user/{target.name}", with your own name or that of '
            "your organisation."
        )
    if target.path:
        raise InputError(
            f"{text!r} names the file or folder {target.path!r}; a push takes the name of a "
            f'repository: "{target.name}".'
        )
    return target._replace(revision=revision or target.revision)


def _is_allowed(name: str) -> bool:
    """Apply the Hub's own rules."""
    return (
        len(name) <= 96
        and "--" not in name
        and ".." not in name
        and not any(part.strip("-.") != part or part.endswith(".git") for part in name.split("/"))
    )


_TOKENS = "https://huggingface.co/settings/tokens"


@contextmanager
def translate_hub_errors(target: HubId, *, writes: bool = False, hint: str = "") -> Iterator[None]:
    """Raise the failures of the Hub and of the network as an `InputError`."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        for cause in iter_causes(error):
            if isinstance(cause, InputError):
                raise cause from error
            if sentence := _sentence(cause, target, writes, hint):
                raise InputError(sentence) from error
        raise


def not_accepted(message: str) -> str:
    """Return the sentence that the Hub does not accept the metadata of a card.

    Example:
        >>> not_accepted('"license" must be one of [mit]')
        'The Hub does not accept the metadata of the card ("license" must be one of [mit]); state
        the licence by its id (--licence), or repair the card.'
    """
    return (
        f"The Hub does not accept the metadata of the card ({one_line(message)}); state the "
        "licence by its id (--licence), or repair the card."
    )


def require_token() -> None:
    """Raise unless huggingface_hub has a token that can be sent."""
    from huggingface_hub import get_token

    if not get_token():
        raise InputError(
            "You are not logged in to the Hub; run `hf auth login`, or set HF_TOKEN to a token "
            f"that may write (make one at {_TOKENS})."
        )
    refuse_broken_token()


def refuse_broken_token() -> None:
    """Raise if huggingface_hub has a token that cannot be sent."""
    from huggingface_hub import get_token

    token = get_token() or ""
    # A header that cannot be sent is quoted in the error of the library that sends it.
    if not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            "The token of the Hub holds characters that no token has; run `hf auth login` again, "
            "or set HF_TOKEN again."
        )


# What a failure means, by its class or by the status of the answer; "w" is of what writes.
_MEANT = {
    "GatedRepoError": "The {where} is gated; accept its terms on its page on the Hub, and log in "
    "with `hf auth login`{answered}.",
    "RepositoryNotFoundError": "There is no {where} on the Hub, or it is private and "
    "{access}{answered}.",
    "RevisionNotFoundError": "The {where} has no revision {revision!r}; name a branch, a tag or a "
    "commit that it has{answered}.",
    "401": "The Hub does not accept your token{answered}; run `hf auth login` again, or set "
    f"HF_TOKEN to one of {_TOKENS}.",
    "403w": "Your token may not write to the {where}{answered}; use one that may write, and a name "
    "of your own or of an organisation that you belong to.",
    "403": "You may not read the {where}{answered}; log in as somebody who may (see `hf auth "
    "whoami`).",
    "404": "The Hub does not find what was asked for of the {where}{answered}; check the names, "
    "and HF_ENDPOINT if it is set.",
    "409": "The {where} was changed by someone else meanwhile{answered}; run the same again.",
    "412": "The {where} was changed by someone else meanwhile{answered}; run the same again.",
    "429": "The Hub asks to wait{seconds}: too many requests{answered}; run the same again {then}.",
    "HfHubHTTPError": "The Hub answered with an error{answered} for the {where}; run the same "
    "again later{rest}",
    # huggingface_hub writes no file whose name leads out of the folder that it is to lie in.
    "Invalid filename": "The {where} holds a file whose name leads out of it, and is not "
    "downloaded; tell its owner.",
    "OfflineModeIsEnabled": "HF_HUB_OFFLINE is set, so the {where} cannot be reached; unset it to "
    "go online.{hint}",
    "ConnectionError": "The Hub could not be reached, or the connection broke off ({kind}{at}); "
    "check the network and run the same again{rest}{hint}",
}
# httpx is the client below huggingface_hub 1, httpx2 below 2.
_MEANT["TransportError"] = _MEANT["ConnectionError"]


def _sentence(cause: BaseException, target: HubId, writes: bool, hint: str) -> str:
    """Return what an exception means; empty if it is not about the Hub."""
    from huggingface_hub import constants, get_token

    if isinstance(cause, ValueError) and str(cause).startswith("Invalid metadata in README.md"):
        return not_accepted(str(cause))
    answer, response = answer_of(cause), getattr(cause, "response", None)
    keys = [kind.__name__ for kind in type(cause).__mro__]
    if keys[0] == "LocalEntryNotFoundError" and cause.__cause__ is None:
        keys, answer = ["ConnectionError"], constants.ENDPOINT
    elif isinstance(cause, ValueError) and str(cause).startswith("Invalid filename"):
        keys = ["Invalid filename"]
    elif "HfHubHTTPError" in keys:
        status = str(getattr(response, "status_code", ""))
        place = keys.index("HfHubHTTPError")
        keys[place:place] = [f"{status}w"] * writes + [status]
    meant = next((_MEANT[key] for key in keys if key in _MEANT), "")
    seconds = retry_after(response) if "429" in keys else 0
    return meant.format(
        where=f"{target.kind} {target.name}", revision=target.revision or "main",
        answered=f" ({answer})" if answer else "", at=f" at {answer}" if answer else "",
        access="your token may not read it (see `hf auth whoami`)" if get_token() else
        "you are not logged in (run `hf auth login`, or set HF_TOKEN)",
        rest=": what is stored already is not sent again." if writes else ".",
        hint=f" {hint}" if hint else "", kind=type(cause).__name__,
        seconds=f" {seconds:,} s" if seconds else "", then="then" if seconds else "later",
    )  # fmt: skip


Content = Path | bytes
"""A file that is sent, or what is in it."""


class SentFile(NamedTuple):
    """A file of an upload."""

    path: str
    size: int


class Upload(NamedTuple):
    """What was sent to the Hub, or would be.

    Attributes:
        sent: Whether they were sent; False for a dry run.
        left_out: The paths of files that lie beside them and are not sent.
    """

    url: str
    files: tuple[SentFile, ...]
    sent: bool
    left_out: tuple[str, ...] = ()

    def describe(self) -> str:
        """List the files in lines of text, with their sizes in bytes.

        Example:
            >>> upload = Upload("https://hf.co/ada/m", (SentFile("config.json", 12),), sent=False)
            >>> print(upload.describe())
                      12  config.json
            1 file, 12 bytes, would be sent to https://hf.co/ada/m
        """
        lines = [f"{file.size:>12,}  {file.path}" for file in self.files]
        files = "1 file" if len(lines) == 1 else f"{len(lines)} files"
        total = sum(file.size for file in self.files)
        verb = "are at" if self.sent else "would be sent to"
        left_out = [f"Left out: {format_first(self.left_out)}"] if self.left_out else []
        return "\n".join([*lines, f"{files}, {total:,} bytes, {verb} {self.url}", *left_out])


def sizes(files: Mapping[str, Content]) -> tuple[SentFile, ...]:
    """Describe files that are sent.

    Example:
        >>> sizes({"config.json": b"{}"})
        (SentFile(path='config.json', size=2),)
    """
    return tuple(
        SentFile(path, len(content) if isinstance(content, bytes) else content.stat().st_size)
        for path, content in sorted(files.items())
    )


CARD = "README.md"


class Repository(NamedTuple):
    """A repository, as it is at one commit."""

    target: HubId
    commit: str
    private: bool
    paths: frozenset[str]
    is_gated: bool = False

    def card(self) -> str:
        """Read the card; empty if there is none."""
        if CARD not in self.paths:
            return ""
        try:
            return self.download(CARD).read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"The card of the {self.target.kind} {self.target.name} is not text in UTF-8; "
                "repair it on the Hub."
            ) from error

    def download(self, path: str) -> Path:
        """Download a file, or find it in the cache of huggingface_hub."""
        name, kind = self.target.name, self.target.kind
        return Path(api().hf_hub_download(name, path, repo_type=kind, revision=self.commit))


def api() -> "HfApi":
    """Return the client; it takes the token from where huggingface_hub keeps it."""
    from huggingface_hub import HfApi

    from fair_datasets.version import __version__

    retry_hub_requests()
    return HfApi(library_name="fair_datasets", library_version=__version__)


def page(target: HubId) -> str:
    """Return the address of a repository's page."""
    kind = "" if target.kind == "model" else f"{target.kind}s/"
    branch = f"/tree/{target.revision}" if target.revision else ""
    return f"{api().endpoint}/{kind}{target.name}{branch}"


def look(target: HubId) -> Repository:
    """Ask the Hub about a repository."""
    info = api().repo_info(target.name, repo_type=target.kind, revision=target.revision)
    paths = (sibling.rfilename for sibling in getattr(info, "siblings", None) or ())
    is_gated = bool(getattr(info, "gated", False))
    return Repository(target, str(info.sha), bool(info.private), frozenset(paths), is_gated)


def find(target: HubId) -> Repository:
    """Ask the Hub about a repository that is to be read."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    refuse_broken_token()
    with translate_hub_errors(target):
        try:
            return look(target)
        except GatedRepoError:
            raise
        except RepositoryNotFoundError:
            for kind in KINDS:
                if kind != target.kind and api().repo_exists(target.name, repo_type=kind):
                    raise InputError(
                        f"{target.name} is a {kind} on the Hub, not a {target.kind}; use "
                        f"pull_{kind}, or check the name."
                    ) from None
            raise


def find_for_writing(target: HubId, *, private: bool | None, create_pr: bool) -> Repository | None:
    """Ask the Hub about a repository that is to be written, and refuse what it would refuse.

    Nothing is written.

    Returns:
        The repository; where the branch is not there, as the main branch is. None if there is no
        repository.
    """
    from huggingface_hub.errors import (
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    require_token()
    if create_pr and target.revision:
        raise InputError(
            "A pull request goes to the main branch; give revision or create_pr, but not both."
        )
    refuse_owner(target, api().whoami(cache=True), create_pr=create_pr)
    try:
        repository = look(target._replace(revision=None))._replace(target=target)
    except GatedRepoError:
        raise
    except RepositoryNotFoundError:
        if create_pr:
            raise
        return None
    if private and not repository.private:
        raise InputError(
            f"The {target.kind} {target.name} exists and is public, but {typed('private')} is "
            "asked for; choose another name, or make it private on its settings page first."
        )
    if target.revision is None:
        return repository
    try:
        return look(target)
    except RevisionNotFoundError:
        return repository


def refuse_metadata(target: HubId, metadata: Mapping[str, Any]) -> None:
    """Raise if the Hub does not accept the metadata of a card, such as an unknown licence."""
    from huggingface_hub import CardData, RepoCard

    card = RepoCard(f"---\n{CardData(**metadata).to_yaml()}\n---\n")
    try:
        card.validate(repo_type=target.kind)
    except ValueError as error:
        raise InputError(not_accepted(str(error))) from error


def make(target: HubId, *, private: bool | None, sdk: str | None = None) -> Repository:
    """Create a repository and its branch, if need be."""
    client, kind = api(), target.kind
    client.create_repo(target.name, repo_type=kind, private=private, space_sdk=sdk, exist_ok=True)
    make_branch(target)
    return look(target)


def make_branch(target: HubId) -> None:
    """Create the branch that is to be written, if it is not there."""
    if target.revision and not target.revision.startswith("refs/"):
        api().create_branch(
            target.name, branch=target.revision, repo_type=target.kind, exist_ok=True
        )


def commit(
    repository: Repository,
    operations: "Sequence[CommitOperation]",
    *,
    message: str,
    create_pr: bool = False,
) -> "CommitInfo":
    """Change a repository in one commit, which is there whole or not at all.

    Args:
        repository: The repository, as it was when the change was planned; if it has changed
            since, the Hub refuses.
        operations: What is added and deleted. Large files that the Hub has already are not sent
            again.
    """
    target = repository.target
    return api().create_commit(
        target.name,
        operations,
        commit_message=message,
        repo_type=target.kind,
        revision=target.revision,
        create_pr=create_pr,
        parent_commit=repository.commit,
    )


def additions(files: Mapping[str, Content]) -> "list[CommitOperation]":
    """Return the operations that add files."""
    from huggingface_hub import CommitOperationAdd

    return [
        CommitOperationAdd(path, content if isinstance(content, bytes) else str(content))
        for path, content in files.items()
    ]


def refuse_owner(target: HubId, user: Mapping[str, Any], *, create_pr: bool = False) -> None:
    """Raise if the user may not write to what an owner has, or the token to anything."""
    where = f"Your token may not write to the {target.kind} {target.name}"
    role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
    if role == "read":
        raise InputError(
            f"{where}: it may only read; make one that may write at "
            "https://huggingface.co/settings/tokens."
        )
    owner = target.name.split("/")[0]
    roles = {org.get("name"): org.get("roleInOrg") for org in user.get("orgs") or ()}
    may_write = owner == user.get("name") or roles.get(owner, "read") != "read"
    # What a token of another kind may, such as a fine-grained one, shows when it is used.
    if role == "write" and not (may_write or create_pr):
        raise InputError(
            f"{where}: it belongs to {user.get('name')}; use a name of your own, or of an "
            "organisation that you belong to."
        )
