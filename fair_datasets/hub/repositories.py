"""Finding, creating and writing repositories of the Hub."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets.checks import InputError
from fair_datasets.hub.errors import refuse_broken_token, require_token, told
from fair_datasets.hub.ids import KINDS, HubId

if TYPE_CHECKING:
    from huggingface_hub import CommitInfo, HfApi

CARD = "README.md"


class SentFile(NamedTuple):
    """A file of an upload.

    Attributes:
        path: Where it lies in the repository.
        size: Its size in bytes.
    """

    path: str
    size: int


class Upload(NamedTuple):
    """What was sent to the Hub, or would be.

    Attributes:
        url: The page of the repository, or of the pull request.
        files: The files; those that the Hub had already are among them.
        sent: Whether they were sent; False for a dry run.
    """

    url: str
    files: tuple[SentFile, ...]
    sent: bool

    def describe(self) -> str:
        """List the files in lines of text, with their sizes in bytes.

        Returns:
            The lines.

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
        return "\n".join([*lines, f"{files}, {total:,} bytes, {verb} {self.url}"])


class Repository(NamedTuple):
    """A repository, as it is at one commit.

    Attributes:
        target: Its name, and the revision that was asked for.
        commit: The commit.
        private: Whether it is private.
        paths: The paths of its files.
    """

    target: HubId
    commit: str
    private: bool
    paths: frozenset[str]

    def card(self) -> str:
        """Read the card.

        Returns:
            The text, with its metadata; empty if there is none.
        """
        if CARD not in self.paths:
            return ""
        name, kind = self.target.name, self.target.kind
        path = api().hf_hub_download(name, CARD, repo_type=kind, revision=self.commit)
        return Path(path).read_bytes().decode("utf-8")


def api() -> "HfApi":
    """Return the client; it takes the token from where huggingface_hub keeps it.

    Returns:
        The client, at the Hub that HF_ENDPOINT names.
    """
    from huggingface_hub import HfApi

    from fair_datasets.version import __version__

    return HfApi(library_name="fair_datasets", library_version=__version__)


def page(target: HubId) -> str:
    """Return the address of a repository's page.

    Args:
        target: The repository, and its branch if it is not the main one.

    Returns:
        The address.

    Example:
        >>> page(HubId("dataset", "ada/reviews", "v2")).endswith("/datasets/ada/reviews/tree/v2")
        True
    """
    kind = "" if target.kind == "model" else f"{target.kind}s/"
    branch = f"/tree/{target.revision}" if target.revision else ""
    return f"{api().endpoint}/{kind}{target.name}{branch}"


def look(target: HubId) -> Repository:
    """Ask the Hub about a repository.

    Args:
        target: The repository, and the revision.

    Returns:
        What the Hub says.
    """
    info = api().repo_info(target.name, repo_type=target.kind, revision=target.revision)
    paths = (sibling.rfilename for sibling in getattr(info, "siblings", None) or ())
    return Repository(target, str(info.sha), bool(info.private), frozenset(paths))


def find(target: HubId) -> Repository:
    """Ask the Hub about a repository that is to be read.

    Args:
        target: The repository, and the revision.

    Returns:
        What the Hub says.

    Raises:
        InputError: It is not there, may not be read, or is of another kind.
    """
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    refuse_broken_token()
    with told(target):
        try:
            return look(target)
        except GatedRepoError:
            raise
        except RepositoryNotFoundError:
            for kind in KINDS:
                if kind != target.kind and api().repo_exists(target.name, repo_type=kind):
                    raise InputError(
                        f"{target.name} is a {kind} on the Hub, and no {target.kind}; use "
                        f"pull_{kind}, or check the name."
                    ) from None
            raise


def open_for_writing(
    target: HubId, *, private: bool | None, create_pr: bool, sdk: str | None = None
) -> tuple[Repository, str]:
    """Return a repository that is to be written; create it, and its branch, if need be.

    Args:
        target: The repository, and the branch.
        private: Whether a new repository is private; None for what is usual for its owner.
        create_pr: Whether a pull request is to be made, for which the repository has to exist.
        sdk: What a new Space runs: "gradio", "docker" or "static".

    Returns:
        The repository, and its card; empty for a new one, where the Hub wrote what it holds.

    Raises:
        InputError: It may not be written, or it is public and a private one is meant.
    """
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    require_token()
    if create_pr and target.revision:
        raise InputError("A pull request goes to the main branch; give revision or create_pr.")
    client, kind = api(), target.kind
    try:
        is_new, is_private = False, look(target._replace(revision=None)).private
    except GatedRepoError:
        raise
    except RepositoryNotFoundError:
        if create_pr:
            raise
        client.create_repo(target.name, repo_type=kind, private=private, space_sdk=sdk)
        is_new, is_private = True, bool(private)
    if private and not is_private:
        raise InputError(
            f"The {kind} {target.name} exists and is public, but private is asked for; choose "
            "another name, or make it private on its settings page first."
        )
    if target.revision and not target.revision.startswith("refs/"):
        client.create_branch(target.name, branch=target.revision, repo_type=kind, exist_ok=True)
    repository = look(target)
    return repository, "" if is_new else repository.card()


def commit(
    repository: Repository,
    files: Mapping[str, Path | bytes],
    *,
    message: str,
    create_pr: bool = False,
) -> "CommitInfo":
    """Send files in one commit; those that the Hub has already are not sent again.

    Args:
        repository: Where they go.
        files: Path in the repository to a file or to its content.
        message: The message of the commit.
        create_pr: Whether to make a pull request of it.

    Returns:
        What the Hub says about the commit.
    """
    from huggingface_hub import CommitOperationAdd

    operations = [
        CommitOperationAdd(path, content if isinstance(content, bytes) else str(content))
        for path, content in files.items()
    ]
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


def listed(names: Sequence[str]) -> str:
    """Write some names for a sentence, the first few of many.

    Args:
        names: The names.

    Returns:
        The names in quotes, separated by commas.

    Example:
        >>> listed(["a", "b", "c", "d", "e"])
        "'a', 'b', 'c', ..."
    """
    return ", ".join([*map(repr, names[:3]), *(["..."] if len(names) > 3 else [])])
