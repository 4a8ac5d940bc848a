"""Pushing datasets to the Hub and pulling them, by way of `datasets`."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError
from fair_datasets.hub import merging, repositories
from fair_datasets.hub.errors import told
from fair_datasets.hub.ids import HubId, hub_id, writable_id
from fair_datasets.hub.repositories import Repository, SentFile, Upload, listed
from fair_datasets.hub.splits import checked_splits, shard_count

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

SHARD_SIZE = "500MB"
_DATA = (".arrow", ".csv", ".json", ".jsonl", ".parquet", ".tsv", ".txt")


def push_dataset(
    dataset: "Dataset | DatasetDict",
    repo_id: str,
    *,
    config_name: str = "default",
    card: str = "",
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    max_shard_size: int | str = SHARD_SIZE,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push a dataset to the Hub as one configuration of a dataset repository.

    The data are sent as Parquet files by `datasets`, shard by shard. If the upload is interrupted,
    the same call goes on: shards that the Hub has already are not sent again. Other configurations
    of the repository stay, and so does what others wrote in its card.

    Args:
        dataset: The dataset, or its splits; a single dataset becomes the split "train".
        repo_id: "user/name" or "hf://datasets/user/name"; created if it is not there.
        config_name: The configuration, such as "original", "cda" or "cds".
        card: What to write in the card: Markdown, with or without metadata at the top. It stands
            in a section of its own, one for each configuration.
        private: Whether a new repository is private; None for what is usual for its owner. With
            True, an existing one has to be private.
        revision: The branch to write; created if it is not there. None for the main branch.
        create_pr: Whether to make a pull request instead of writing.
        commit_message: The message of the commit.
        max_shard_size: The size in memory of the data of one file, in bytes or such as "500MB".
        overwrite: Whether data that the repository has, and that these do not replace row for row
            of the same columns, may be lost to its readers.
        dry_run: Whether to list what would be sent, without asking the Hub anything.

    Returns:
        The page and the files. In a dry run, the sizes are those of Parquet files as they would
        be written now, and of the card as it was given.

    Raises:
        InputError: The Hub refused, or the repository has other data under that name.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["She left."]})
        >>> upload = push_dataset(rows, "ada/reviews", config_name="cda", dry_run=True)
        >>> [file.path for file in upload.files]
        ['cda/train-00000-of-00001.parquet', 'README.md']
    """
    from datasets import config

    target = writable_id(repo_id, "dataset", revision)
    splits = checked_splits(dataset, config_name)
    merging.card_parts(card)
    shards = {split: shard_count(rows, max_shard_size) for split, rows in splits.items()}
    if create_pr and sum(shards.values()) > config.UPLOADS_MAX_NUMBER_PER_COMMIT:
        raise InputError(
            f"A pull request takes {config.UPLOADS_MAX_NUMBER_PER_COMMIT} files at most, and this "
            f"one has {sum(shards.values())}; raise max_shard_size, or push to a branch (revision)."
        )
    if dry_run:
        files = (*_would_be_sent(splits, shards, config_name), _card_file(card))
        return Upload(repositories.page(target), files, sent=False)
    message = commit_message or f"Upload {config_name} with fair_datasets"
    with told(target):
        found, text = repositories.open_for_writing(target, private=private, create_pr=create_pr)
        if not overwrite:
            _refuse_loss(found, text, splits, config_name)
        commit = splits.push_to_hub(
            target.name,
            config_name,
            revision=target.revision,
            create_pr=create_pr,
            commit_message=message,
            num_shards=shards,
        )
        written = target._replace(revision=commit.pr_revision or target.revision)
        return Upload(
            commit.pr_url or repositories.page(target),
            _push_card(written, config_name, card, message),
            sent=True,
        )


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
        fair_datasets.checks.InputError: 'hf://models/ada/reviews' names a model, but a dataset is
        meant here.
    """
    target = hub_id(repo_id, "dataset")
    target = target._replace(revision=revision or target.revision)
    found = repositories.find(target)
    with told(target):
        builder = dataset_builder(found, config_name)
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


def _would_be_sent(
    splits: "DatasetDict", shards: dict[str, int], config_name: str
) -> Iterator[SentFile]:
    """Write each file to a temporary place and measure it."""
    folder = _folder(config_name)
    for split, rows in splits.items():
        for index in range(shards[split]):
            shard = rows.shard(shards[split], index, contiguous=True)
            with tempfile.TemporaryFile() as file:
                shard.to_parquet(file)
                size = file.tell()
            yield SentFile(f"{folder}/{split}-{index:05d}-of-{shards[split]:05d}.parquet", size)


def _card_file(card: str) -> SentFile:
    """Describe the card as it was given."""
    return SentFile(repositories.CARD, len(card.encode()))


def _folder(config_name: str) -> str:
    """Return the folder that datasets gives a configuration."""
    return "data" if config_name == "default" else config_name


def _refuse_loss(
    repository: Repository, text: str, splits: "DatasetDict", config_name: str
) -> None:
    """Raise if readers of the repository would lose data that these do not replace."""
    from datasets.info import DatasetInfosDict
    from huggingface_hub import DatasetCardData

    where = f"The dataset {repository.target.name}"
    advice = "choose another config_name or repository, or pass overwrite=True to replace it."
    metadata, _ = merging.card_parts(text)
    card = DatasetCardData(**metadata, ignore_metadata_errors=True)
    known = DatasetInfosDict.from_dataset_card_data(card).get(config_name)
    inside = f"{_folder(config_name)}/"
    if known is None:
        loose = [path for path in sorted(repository.paths) if path.endswith(_DATA)]
        # What a configuration names stays in it.
        named = "configs" in metadata
        hidden = [path for path in loose if path.startswith(inside) or not named]
        if hidden:
            raise InputError(
                f"{where} holds data of which its card names no configuration {config_name!r} "
                f"({listed(hidden)}); {advice}"
            )
        return
    if known.features is not None and known.features != next(iter(splits.values())).features:
        raise InputError(
            f"{where} has a configuration {config_name!r} of other columns "
            f"({listed(list(known.features))}); {advice}"
        )
    lost = sorted(map(str, set(known.splits or ()) - set(splits)))
    if lost:
        raise InputError(
            f"{where} has a configuration {config_name!r} with the split {listed(lost)}, which "
            f"would be lost; push all splits together, or {advice}"
        )


def _push_card(target: HubId, config_name: str, card: str, message: str) -> tuple[SentFile, ...]:
    """Write the section of a configuration into the card, and return all of its files."""
    repository = repositories.look(target)
    existing = repository.card()
    merged = merging.merge_card(existing, card, config_name)
    if merged != existing:
        repositories.commit(
            repository,
            {repositories.CARD: merged.encode()},
            message=f"{message} (card)",
        )
    entries = repositories.api().list_repo_tree(
        target.name, _folder(config_name), repo_type="dataset", revision=target.revision
    )
    sent = tuple(SentFile(entry.path, entry.size) for entry in entries if hasattr(entry, "size"))
    return (*sent, _card_file(merged))


def dataset_builder(
    found: Repository, config_name: str | None, *, cache_dir: str | None = None
) -> Any:
    """Return what loads a configuration, a file or a folder of a repository as it was found.

    Args:
        found: The repository.
        config_name: The configuration; None for the one that there is, or the default.
        cache_dir: Where the data would be kept; None for the cache of `datasets`.

    Returns:
        The builder of `datasets`.

    Raises:
        InputError: There is no such configuration, file or folder, or no data.
    """
    from datasets import load_dataset_builder
    from huggingface_hub.errors import LocalEntryNotFoundError

    target = found.target
    if Path(target.name).exists():
        raise InputError(
            f"There is a folder {target.name!r} here, which datasets would read instead of the "
            "Hub; work in another folder, or read that one by its path."
        )
    unreadable = InputError(
        f"The dataset {target.name} holds no data that can be loaded, such as Parquet, CSV or "
        f"JSON files{f' at {target.path!r}' if target.path else ''}."
    )
    place = _place(target, found.paths)
    try:
        builder = load_dataset_builder(
            target.name, config_name, revision=found.commit, cache_dir=cache_dir, **place
        )
    except LocalEntryNotFoundError:
        # The Hub could not be reached.
        raise
    except FileNotFoundError as error:
        raise unreadable from error
    except ValueError as error:
        if "find cache" in str(error):
            raise unreadable from error
        # datasets lists the configurations.
        said = " ".join(str(error).split("Example of usage")[0].split())
        raise InputError(f"{target.name}: {said}") from error
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
