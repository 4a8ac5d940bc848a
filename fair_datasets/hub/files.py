"""Pulling one file of a repository of the Hub."""

from collections.abc import Sequence
from pathlib import Path

from fair_datasets.hub import repositories
from fair_datasets.hub.errors import refuse_broken_token, told
from fair_datasets.hub.ids import hub_id
from fair_datasets.system.checks import InputError, listed_few
from fair_datasets.system.waiting import hub_answers


def pull_file(name: str, *, endings: Sequence[str], what: str) -> Path:
    """Download a file of the Hub, or find it in the cache of huggingface_hub.

    Args:
        name: "user/name" or "user/name@revision" for the one file of its kind; or
            "hf://user/name/file".
        what: What the file is, for errors.

    Returns:
        The file.

    Raises:
        InputError: There is no such file, or several are, or the Hub refuses.

    Example:
        >>> pull_file("no name", endings=[".txt"], what="word vectors")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'no name' names no repository of the Hub; write "user/name"
        in letters, digits, '-', '_' and '.' (96 at most), without '--' or '..', or
        "hf://models/user/name".
    """
    kind = "dataset" if name.startswith("hf://datasets/") else "model"
    target = hub_id(name, kind)
    refuse_broken_token()
    path = target.path
    if not path:
        # Without a network, a file of a known name is found that was downloaded before.
        path = endings[0] if len(endings) == 1 else _only(repositories.find(target), endings, what)
    with told(target):
        client = repositories.api()
        found = client.hf_hub_download(
            target.name, path, repo_type=target.kind, revision=target.revision,
            local_files_only=not hub_answers(),
        )  # fmt: skip
        return Path(found)


def _only(repository: repositories.Repository, endings: Sequence[str], what: str) -> str:
    """Return the one file of a repository whose name ends in a certain way."""
    found = sorted(path for path in repository.paths if path.lower().endswith(tuple(endings)))
    if len(found) == 1:
        return found[0]
    name = repository.target.name
    if not found:
        raise InputError(
            f"{name} holds no {what}: none of its files ends in {listed_few(endings)}; name "
            "another repository."
        )
    raise InputError(
        f"{name} holds several files that may be {what} ({listed_few(found)}); name one, such "
        f"as 'hf://{name}/{found[0]}'."
    )
