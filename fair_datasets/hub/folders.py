"""Pushing folders to the Hub and pulling them: models and Spaces."""

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError
from fair_datasets.hub import merging, repositories
from fair_datasets.hub.errors import told
from fair_datasets.hub.ids import HubId, hub_id, writable_id
from fair_datasets.hub.repositories import CARD, Repository, SentFile, Upload, listed

if TYPE_CHECKING:
    from transformers import PreTrainedModel
    from transformers.tokenization_utils_base import PreTrainedTokenizerBase

_LEFT_OUT = ("__pycache__",)


def push_model(
    model: "str | Path | PreTrainedModel",
    repo_id: str,
    *,
    tokenizer: "PreTrainedTokenizerBase | None" = None,
    card: str = "",
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push a model to the Hub.

    If the upload is interrupted, the same call goes on: files that the Hub has already are not
    sent again.

    Args:
        model: The folder that `save_pretrained` wrote, or the model itself.
        repo_id: "user/name" or "hf://user/name"; created if it is not there.
        tokenizer: The tokenizer, if the model is no folder.
        card: What to write in the card: Markdown, with or without metadata at the top; it stands
            in a section of its own. Empty for the folder's own README.md.
        private: Whether a new repository is private; None for what is usual for its owner. With
            True, an existing one has to be private.
        revision: The branch to write; created if it is not there. None for the main branch.
        create_pr: Whether to make a pull request instead of writing.
        commit_message: The message of the commit.
        overwrite: Whether files that this package did not put there may be replaced.
        dry_run: Whether to list what would be sent, without asking the Hub anything.

    Returns:
        The page and the files.

    Raises:
        InputError: The Hub refused, there is nothing to send, or files of others are there.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "config.json").write_text("{}")
        ...     [file.path for file in push_model(folder, "ada/fair-reviews", dry_run=True).files]
        ['README.md', 'config.json']
    """
    target = writable_id(repo_id, "model", revision)
    with ExitStack() as stack:
        if isinstance(model, str | Path):
            if tokenizer is not None:
                raise InputError("push_model: with a folder, save the tokenizer into it as well.")
            folder = Path(model)
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            model.save_pretrained(folder)
            if tokenizer is not None:
                tokenizer.save_pretrained(folder)
        return push_files(
            target, files_of(folder), card, overwrite=overwrite, dry_run=dry_run, private=private,
            create_pr=create_pr, message=commit_message or "Upload model with fair_datasets",
        )  # fmt: skip


def push_space(
    folder: str | Path,
    repo_id: str,
    *,
    card: str = "",
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push the folder of a Gradio app to the Hub as a Space.

    Args:
        folder: The folder, with the app, its requirements and a README.md with the Space's
            metadata.
        repo_id: "user/name" or "hf://spaces/user/name"; created if it is not there.
        card: As for `push_model`.
        private: As for `push_model`.
        revision: As for `push_model`; a Space runs its main branch.
        create_pr: As for `push_model`.
        commit_message: The message of the commit.
        overwrite: As for `push_model`.
        dry_run: As for `push_model`.

    Returns:
        The page and the files.

    Raises:
        InputError: The Hub refused, there is nothing to send, or files of others are there.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "app.py").write_text("{}")
        ...     [file.path for file in push_space(folder, "ada/demo", dry_run=True).files]
        ['README.md', 'app.py']
    """
    return push_files(
        writable_id(repo_id, "space", revision), files_of(Path(folder)), card, private=private,
        create_pr=create_pr, message=commit_message or "Upload Space with fair_datasets",
        overwrite=overwrite, dry_run=dry_run,
    )  # fmt: skip


def pull_model(repo_id: str, *, revision: str | None = None) -> Path:
    """Download a model of the Hub, or find it in the cache of huggingface_hub.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.

    Returns:
        The folder, which `from_pretrained` takes.

    Raises:
        InputError: There is no such model or revision, or it may not be read.

    Example:
        >>> pull_model("hf://datasets/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: 'hf://datasets/ada/reviews' names a dataset, but a model is
        meant here.
    """
    return _pull(repo_id, "model", revision)


def pull_space(repo_id: str, *, revision: str | None = None) -> Path:
    """Download the files of a Space, or find them in the cache of huggingface_hub.

    Args:
        repo_id: "user/name", "user/name@revision" or "hf://spaces/user/name".
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.

    Returns:
        The folder.

    Raises:
        InputError: There is no such Space or revision, or it may not be read.

    Example:
        >>> pull_space("hf://datasets/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: 'hf://datasets/ada/reviews' names a dataset, but a space is
        meant here.
    """
    return _pull(repo_id, "space", revision)


def _pull(repo_id: str, kind: str, revision: str | None) -> Path:
    """Download a repository."""
    target = hub_id(repo_id, kind)
    target = target._replace(revision=revision or target.revision)
    commit = repositories.find(target).commit
    with told(target):
        return Path(
            repositories.api().snapshot_download(target.name, repo_type=kind, revision=commit)
        )


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a folder, by their paths in the repository.

    Hidden files are left out: they are settings of tools, or secrets.

    Args:
        folder: The folder.

    Returns:
        Path in the repository to file.

    Raises:
        InputError: There is no such folder, or no file in it.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {str(folder)!r}; check the path.")
    inside = ((path.relative_to(folder), path) for path in sorted(folder.rglob("*")))
    found = {
        relative.as_posix(): path
        for relative, path in inside
        if path.is_file()
        and not any(part.startswith(".") or part in _LEFT_OUT for part in relative.parts)
    }
    if not found:
        raise InputError(f"The folder {str(folder)!r} holds no files to send.")
    return found


def push_files(
    target: HubId,
    files: dict[str, Path],
    card: str = "",
    *,
    private: bool | None,
    create_pr: bool,
    message: str,
    overwrite: bool,
    dry_run: bool,
) -> Upload:
    """Send files and the card in one commit.

    Args:
        target: The repository, and the branch.
        files: Path in the repository to file.
        card: What to write in the card; empty for the README.md among the files.
        private: Whether a new repository is private.
        create_pr: Whether to make a pull request.
        message: The message of the commit.
        overwrite: Whether files that this package did not put there may be replaced.
        dry_run: Whether to list what would be sent, without asking the Hub anything.

    Returns:
        The page and the files.

    Raises:
        InputError: The Hub refused, or files of others are there.
    """
    own = files[CARD].read_text(encoding="utf-8") if CARD in files else ""
    merging.card_parts(card or own)
    sizes = {path: file.stat().st_size for path, file in files.items()}
    if dry_run:
        sizes[CARD] = len((card or own).encode())
        sent = tuple(SentFile(path, size) for path, size in sorted(sizes.items()))
        return Upload(repositories.page(target), sent, sent=False)
    sdk = "gradio" if target.kind == "space" else None
    with told(target):
        repository, existing = repositories.open_for_writing(
            target, private=private, create_pr=create_pr, sdk=sdk
        )
        if not overwrite and not merging.has_tag(existing):
            _refuse_foreign(repository, files)
        merged = merging.merge_card(existing or (own if card else ""), card or own, "card").encode()
        commit = repositories.commit(
            repository, {**files, CARD: merged}, message=message, create_pr=create_pr
        )
    sizes[CARD] = len(merged)
    sent = tuple(SentFile(path, size) for path, size in sorted(sizes.items()))
    return Upload(commit.pr_url or repositories.page(target), sent, sent=True)


def _refuse_foreign(repository: Repository, files: Iterable[str]) -> None:
    """Raise if files would be replaced, other than the card, into which ours is put."""
    foreign = sorted(repository.paths & set(files) - {CARD})
    if foreign:
        raise InputError(
            f"The {repository.target.kind} {repository.target.name} exists and holds files that "
            f"fair_datasets did not put there ({listed(foreign)}); choose another name, or pass "
            "overwrite=True to replace them."
        )
