"""Reading datasets of the Hub, by way of `datasets`, and pulling one file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards import markdown
from fair_datasets.hub import repositories
from fair_datasets.hub.repositories import (
    HubId,
    Repository,
    hub_id,
    refuse_broken_token,
    translate_hub_errors,
)
from fair_datasets.system.checks import InputError, format_first
from fair_datasets.system.retry import hub_answers

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


def pull_dataset(
    repo_id: str,
    config_name: str | None = None,
    *,
    split: str | None = None,
    revision: str | None = None,
    streaming: bool = False,
) -> "Dataset | DatasetDict | IterableDataset | IterableDatasetDict":
    """Load a dataset of the Hub.

    Args:
        repo_id: "user/name", or "hf://datasets/user/name@revision/path" for a file or a folder.
        config_name: The configuration; it may be left out where there is one or a default.
        split: The split, such as "train" or "train[:100]"; None for all.
        revision: The branch, tag or commit; None for the one in `repo_id`, or the main branch.
        streaming: Whether to read the rows when they are asked for, without downloading all.

    Returns:
        The split, or split name to dataset.

    Raises:
        InputError: There is no such dataset, configuration, split, revision or file, or it may
            not be read.

    Example:
        >>> pull_dataset("hf://models/ada/reviews")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: 'hf://models/ada/reviews' names a model, but a dataset is
        meant here.
    """
    target = hub_id(repo_id, "dataset")
    target = target._replace(revision=revision or target.revision)
    repository = repositories.find(target)
    with translate_hub_errors(target):
        builder = dataset_builder(repository, config_name)
        try:
            if streaming:
                return builder.as_streaming_dataset(split=split)
            builder.download_and_prepare()
            return builder.as_dataset(split=split)
        except ValueError as error:
            # datasets lists the splits in its own sentence.
            if str(error).startswith(("Unknown split", "Bad split")):
                raise InputError(f"{target.name}: {error}") from error
            raise


def dataset_builder(
    repository: Repository,
    config_name: str | None,
    *,
    cache_dir: str | None = None,
    **settings: Any,
) -> Any:
    """Return what loads a configuration, a file or a folder of a repository as it was found.

    Args:
        cache_dir: Where the data would be kept; None for the cache of `datasets`.
        **settings: What `load_dataset` takes besides, such as `encoding`.
    """
    from datasets import load_dataset_builder
    from huggingface_hub.errors import LocalEntryNotFoundError

    target = repository.target
    if Path(target.name).exists():
        raise InputError(
            f"There is a folder {target.name!r} here, which datasets would read instead of the "
            "Hub; work in another folder, or read that one by its path."
        )
    unreadable = InputError(
        f"The dataset {target.name} holds no data that can be loaded, such as Parquet, CSV or "
        f"JSON files{f' at {target.path!r}' if target.path else ''}."
    )
    place = _place(target, repository.paths)
    if repository.is_gated:
        # datasets would find nothing that it can load, or an older copy.
        repositories.api().auth_check(target.name, repo_type=target.kind)
    # datasets reads it too, and would not come back from some.
    markdown.card_parts(repository.card())
    try:
        builder = load_dataset_builder(
            target.name, config_name, revision=repository.commit, cache_dir=cache_dir, **place,
            **settings,
        )  # fmt: skip
    except LocalEntryNotFoundError:
        # The Hub could not be reached.
        raise
    except FileNotFoundError as error:
        raise unreadable from error
    except ValueError as error:
        if "find cache" in str(error):
            raise unreadable from error
        # datasets lists the configurations.
        message = " ".join(str(error).split("Example of usage")[0].split())
        raise InputError(f"{target.name}: {message}") from error
    # Where datasets cannot load a repository, it takes what its cache has of an older commit.
    if type(builder).__name__ == "Cache":
        raise unreadable
    return builder


def _place(target: HubId, paths: Iterable[str]) -> dict[str, Any]:
    """Return what tells load_dataset to read a file or a folder of the repository."""
    if not target.path:
        return {}
    if target.path in paths:
        return {"data_files": target.path}
    if any(path.startswith(f"{target.path}/") for path in paths):
        return {"data_dir": target.path}
    raise InputError(f"The dataset {target.name} has no file or folder {target.path!r}.")


def pull_file(name: str, *, endings: Sequence[str], what: str) -> Path:
    """Download a file of the Hub, or find it in the cache of huggingface_hub.

    Args:
        name: "user/name" or "user/name@revision" for the one file of its kind; or
            "hf://user/name/file".
    """
    kind = "dataset" if name.startswith("hf://datasets/") else "model"
    target = hub_id(name, kind)
    refuse_broken_token()
    path = target.path
    if not path:
        # Without a network, a file of a known name is found that was downloaded before.
        path = endings[0] if len(endings) == 1 else _only(repositories.find(target), endings, what)
    with translate_hub_errors(target):
        client = repositories.api()
        file = client.hf_hub_download(
            target.name, path, repo_type=target.kind, revision=target.revision,
            local_files_only=not hub_answers(),
        )  # fmt: skip
        return Path(file)


def _only(repository: repositories.Repository, endings: Sequence[str], what: str) -> str:
    """Return the one file of a repository whose name ends in a certain way."""
    paths = sorted(path for path in repository.paths if path.lower().endswith(tuple(endings)))
    if len(paths) == 1:
        return paths[0]
    name = repository.target.name
    if not paths:
        raise InputError(
            f"{name} holds no {what}: none of its files ends in {format_first(endings)}; name "
            "another repository."
        )
    raise InputError(
        f"{name} holds several files that may be {what} ({format_first(paths)}); name one, such "
        f"as 'hf://{name}/{paths[0]}'."
    )
