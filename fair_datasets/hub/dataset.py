"""Pushing datasets to the Hub: Parquet files, lexicons and card in one commit."""

import hashlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from fair_datasets.cards.addresses import addressed_dataset
from fair_datasets.cards.croissant import NAME, DataFile, described
from fair_datasets.hub import merging, repositories
from fair_datasets.hub.errors import told
from fair_datasets.hub.ids import HubId, writable_id
from fair_datasets.hub.repositories import Content, Repository, SentFile, Upload, sizes
from fair_datasets.hub.splits import (
    Shard,
    checked_splits,
    folder_of,
    known_of,
    metadata_of,
    parquet_shards,
    refuse_config_name,
    shard_count,
)
from fair_datasets.system.checks import InputError, listed_few
from fair_datasets.system.files import indented
from fair_datasets.system.portable import is_published

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

SHARD_SIZE = "500MB"
_AT_ONCE = 4
"""How many files are sent at once."""

T = TypeVar("T")


def push_dataset(
    dataset: "Dataset | DatasetDict",
    repo_id: str,
    *,
    config_name: str = "default",
    card: str = "",
    files: Mapping[str, str | Path] | None = None,
    croissant: Mapping[str, Any] | None = None,
    private: bool | None = None,
    revision: str | None = None,
    create_pr: bool = False,
    commit_message: str | None = None,
    max_shard_size: int | str = SHARD_SIZE,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Upload:
    """Push a dataset to the Hub as one configuration of a dataset repository.

    The data are sent as Parquet files, then data and card become one commit: after a failure both
    are there or neither. If the upload is interrupted, the same call goes on: files that the Hub
    has already are not sent again. Other configurations of the repository stay, and so does what
    others wrote in its card.

    Args:
        dataset: The dataset, or its splits; a single dataset becomes the split "train".
        repo_id: "user/name" or "hf://datasets/user/name"; created if it is not there.
        config_name: The configuration, such as "original", "cda" or "cds".
        card: What to write in the card: Markdown, with or without metadata at the top. It stands
            in a section of its own, one for each configuration; where it says how to load the
            dataset, it then says so of the repository.
        files: The files of one's own that lie beside the data, as `technique.own_files()`
            returns them, so that `reproduce` finds them.
        croissant: What a Croissant file says of the dataset, as `croissant.json` beside it has it.
            What it says of files and columns is written anew for the files that are sent. Without
            one, that of an earlier push goes, as it describes files that are replaced.
        private: Whether a new repository is private; None for what is usual for its owner. With
            True, an existing one has to be private.
        revision: The branch to write; created if it is not there. None for the main branch.
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
    target = writable_id(repo_id, "dataset", revision)
    splits = checked_splits(dataset, config_name)
    merging.card_parts(card)
    beside = _beside(files or {})
    metadata_file = croissant_path(config_name)
    counts = {split: shard_count(rows, max_shard_size) for split, rows in splits.items()}
    card = addressed_dataset(card, target.name, config_name, target.revision)
    if dry_run:
        shards = [
            SentFile(shard.path, len(shard.content))
            for shard in parquet_shards(splits, counts, config_name)
        ]
        if croissant is not None:
            beside[metadata_file] = _croissant(croissant, splits, [])
        sent = (*shards, *sizes({**beside, repositories.CARD: card.encode()}))
        return Upload(repositories.page(target), sent, sent=False)
    features = next(iter(splits.values())).features
    with told(target, writes=True):
        found, existing = check_push(
            target, config_name, features=features, splits=list(splits), private=private,
            create_pr=create_pr, overwrite=overwrite,
        )  # fmt: skip
        if found is None:
            found = repositories.make(target, private=private)
        else:
            repositories.make_branch(target)
        added, files_sent = _uploaded(found, splits, counts, config_name, create_pr=create_pr)
        sent = tuple(SentFile(file.path, file.size) for file in files_sent)
        merged = merging.merge_card(existing, card, config_name, united=("license",))
        metadata, text = merging.card_parts(merged)
        metadata = metadata_of(metadata, splits, config_name, sum(file.size for file in sent))
        if croissant is not None:
            beside[metadata_file] = _croissant(croissant, splits, files_sent)
        others = {**beside, repositories.CARD: merging.card_of(metadata, text).encode()}
        commit = repositories.commit(
            found,
            [
                *added,
                *repositories.additions(others),
                *_deleted(found, [*sent, *sizes(others)], config_name),
            ],
            message=commit_message or f"Upload {config_name} with fair_datasets",
            create_pr=create_pr,
        )
    url = commit.pr_url or repositories.page(target)
    return Upload(url, (*sent, *sizes(others)), sent=True)


def check_push(
    target: HubId,
    config_name: str,
    *,
    features: "Features | None" = None,
    splits: Sequence[str] | None = None,
    private: bool | None = None,
    create_pr: bool = False,
    overwrite: bool = False,
) -> tuple[Repository | None, str]:
    """Refuse a push that would be refused, before there is anything to push.

    Returns:
        The repository, None if it is to be created; and its card, empty if there is none.
    """
    refuse_config_name(config_name)
    with told(target, writes=True):
        found = repositories.find_for_writing(target, private=private, create_pr=create_pr)
        if found is None:
            return None, ""
        card = found.card()
        if not overwrite:
            _refuse_loss(found, card, config_name, features=features, splits=splits)
        return found, card


def _beside(files: Mapping[str, str | Path]) -> dict[str, Content]:
    """Return the lexicons and weights that are sent, or raise."""
    for path, file in files.items():
        if not is_published(path):
            raise InputError(
                "push_dataset: files takes what `technique.own_files()` returns, the lexicons and "
                f"weights that lie beside the data, but it names {path!r}."
            )
        if not Path(file).is_file():
            raise InputError(f"push_dataset: there is no file {str(file)!r}; check the path.")
    return {path: Path(file).read_bytes() for path, file in files.items()}


def croissant_path(config_name: str) -> str:
    """Return where the Croissant file of a configuration lies.

    Example:
        >>> croissant_path("default"), croissant_path("cda")
        ('croissant.json', 'croissant-cda.json')
    """
    return NAME if config_name == "default" else f"croissant-{config_name}.json"


def _croissant(said: Mapping[str, Any], splits: "DatasetDict", files: Sequence[DataFile]) -> bytes:
    features = next(iter(splits.values())).features
    return indented({**said, **described(files, features)}).encode()


def _uploaded(
    repository: Repository,
    splits: "DatasetDict",
    counts: Mapping[str, int],
    config_name: str,
    *,
    create_pr: bool,
) -> "tuple[list[CommitOperationAdd], list[DataFile]]":
    """Send the files of the splits, which no commit names yet."""
    from datasets.utils import tqdm
    from huggingface_hub import CommitOperationAdd

    target = repository.target

    def send(shard: Shard) -> "tuple[CommitOperationAdd, DataFile]":
        operation = CommitOperationAdd(shard.path, shard.content)
        repositories.api().preupload_lfs_files(
            target.name,
            [operation],
            repo_type=target.kind,
            revision=target.revision,
            create_pr=create_pr,
        )
        digest = hashlib.sha256(shard.content).hexdigest()
        split = PurePosixPath(shard.path).name.rsplit("-", 3)[0]
        return operation, DataFile(shard.path, split, digest, len(shard.content))

    shards = parquet_shards(splits, counts, config_name)
    bar = tqdm(total=sum(counts.values()), desc="Uploading", unit="file")
    operations, sent = [], []
    with bar, closing(_side_by_side(send, shards)) as found:
        for operation, file in found:
            operations.append(operation)
            sent.append(file)
            bar.update()
    return operations, sent


def _side_by_side(send: Callable[[Shard], T], shards: Iterable[Shard]) -> Generator[T, None, None]:
    """Send files while the next ones are written, of which only a few are in memory at once."""
    waiting: deque[Future[T]] = deque()
    threads = ThreadPoolExecutor(_AT_ONCE)
    try:
        for shard in shards:
            waiting.append(threads.submit(send, shard))
            del shard
            if len(waiting) == _AT_ONCE:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(cancel_futures=True)


def _deleted(
    repository: Repository, sent: Iterable[SentFile], config_name: str
) -> "list[CommitOperationDelete]":
    """Delete what lies in the folder of the configuration, or describes it, and is not replaced."""
    from huggingface_hub import CommitOperationDelete

    old = {
        path
        for path in repository.paths
        if PurePosixPath(path).parent == PurePosixPath(folder_of(config_name))
        or path == croissant_path(config_name)
    }
    return [CommitOperationDelete(path) for path in sorted(old - {file.path for file in sent})]


_DATA = (".arrow", ".csv", ".json", ".jsonl", ".parquet", ".tsv", ".txt")


def _refuse_loss(
    repository: Repository,
    card: str,
    config_name: str,
    *,
    features: "Features | None" = None,
    splits: Sequence[str] | None = None,
) -> None:
    """Raise if readers of a repository would lose data that are not replaced."""
    where = f"The dataset {repository.target.name}"
    advice = "choose another config_name or repository, or pass overwrite=True to replace it."
    metadata, _ = merging.card_parts(card)
    known = known_of(metadata).get(config_name)
    if known is None:
        if hidden := _hidden(repository, config_name, is_named="configs" in metadata):
            raise InputError(
                f"{where} holds data ({listed_few(hidden)}), but its card names no configuration "
                f"{config_name!r}; {advice}"
            )
        return
    if features is not None and known.features is not None:
        if list(known.features) != list(features):
            raise InputError(
                f"{where} has a configuration {config_name!r} with other columns "
                f"({listed_few(known.features)}); {advice}"
            )
        for column, kind in known.features.items():
            if _plain(kind) != _plain(features[column]):
                raise InputError(
                    f"{where} has a configuration {config_name!r} whose column {column!r} has the "
                    f"type {kind}, not {features[column]}; {advice}"
                )
    if lost := sorted(map(str, set(known.splits or ()) - set(splits or known.splits or ()))):
        raise InputError(
            f"{where} has a configuration {config_name!r} with the split {listed_few(lost)}, which "
            f"would be lost; push all splits together, or {advice}"
        )


def _plain(kind: Any) -> Any:
    """Return a feature, and one name for texts, which pandas, Arrow and Polars keep differently."""
    from datasets import Value

    return "text" if kind in (Value("string"), Value("large_string")) else kind


def _hidden(repository: Repository, config_name: str, *, is_named: bool) -> list[str]:
    """List the data that readers find now and would not find any more."""
    inside = f"{folder_of(config_name)}/"
    loose = [
        path
        for path in sorted(repository.paths)
        if path.endswith(_DATA) and not path.startswith("lexicons/")
    ]
    # What a configuration names stays in it.
    return [path for path in loose if path.startswith(inside) or not is_named]
