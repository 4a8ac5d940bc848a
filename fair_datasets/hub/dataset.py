"""Pushing datasets to the Hub: Parquet files, lexicons and card in one commit."""

import hashlib
import io
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fair_datasets.cards import markdown
from fair_datasets.cards.croissant import NAME, DataFile, describe_files
from fair_datasets.cards.dataset import size_category
from fair_datasets.cards.markdown import addressed_dataset
from fair_datasets.hub import repositories
from fair_datasets.hub.repositories import (
    CARD,
    Content,
    HubId,
    Repository,
    SentFile,
    Upload,
    sizes,
    translate_hub_errors,
    writable_id,
)
from fair_datasets.rows.given import SPLIT_NAME
from fair_datasets.system.checks import (
    InputError,
    format_first,
    in_error_context,
    invalid,
    is_offered,
    one_line,
    typed,
)
from fair_datasets.system.files import indented
from fair_datasets.system.portable import OWN_FILES, is_published

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features
    from datasets.info import DatasetInfosDict
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete


# It names a folder, which datasets finds by a pattern.
_TAKEN = ("data", *OWN_FILES.values(), CARD)
EVAL = "eval.yaml"
"""The file with the tasks by which a benchmark of the Hub is run."""
_CONFIG_NAME = re.compile(r"[^\W_](?:[\w+'(),=-]|\.(?!\.)){0,95}")


def checked_splits(dataset: "Dataset | DatasetDict", config_name: str) -> "DatasetDict":
    """Return the splits, or raise where datasets would, later and less plainly.

    Example:
        >>> from datasets import Dataset
        >>> list(checked_splits(Dataset.from_dict({"text": ["She left."]}), "cda"))
        ['train']
    """
    from datasets import Dataset, DatasetDict

    splits = DatasetDict({"train": dataset}) if isinstance(dataset, Dataset) else dataset
    if not isinstance(splits, DatasetDict):
        raise invalid(
            f"dataset must be a Dataset or a DatasetDict, but it is a "
            f"{type(dataset).__name__}; load it without streaming, or save it to Parquet first."
        )
    if not splits:
        raise invalid("dataset has no splits; there is nothing to push.")
    if wrong := [split for split in splits if not SPLIT_NAME.fullmatch(str(split))]:
        raise invalid(
            "a split's name may hold letters, digits, underscores and dots only, "
            f"but one is {wrong[0]!r}; rename it."
        )
    refuse_different_columns([rows.features for rows in splits.values()])
    refuse_config_name(config_name)
    return splits


def refuse_different_columns(features: "Sequence[Features]") -> None:
    """Raise unless splits can be one configuration.

    Example:
        >>> refuse_different_columns([])
    """
    if any(other != features[0] for other in features):
        raise invalid(
            "the splits have different columns; push them as configurations of their own."
        )


def refuse_config_name(config_name: str) -> None:
    """Raise unless a configuration may have a name."""
    if not _CONFIG_NAME.fullmatch(config_name) or config_name in _TAKEN:
        raise invalid(
            f"{typed('config_name')} must be a plain word other than 'data', 'lexicons' and "
            f"'weights', such as 'cda', but it is {config_name!r}."
        )


def shard_count(rows: "Dataset", max_shard_size: int | str) -> int:
    """Return the number of files of a split, by the size of its rows in memory.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["She left.", "He did too."]})
        >>> shard_count(rows, "500MB"), shard_count(rows, 1)
        (1, 2)
    """
    from datasets.utils.py_utils import convert_file_size_to_int

    try:
        most = convert_file_size_to_int(max_shard_size)
    except (AttributeError, ValueError):
        most = 0
    if most < 1:
        raise invalid(
            "max_shard_size must be a number of bytes, or one with a unit such as "
            f"'500MB', but it is {max_shard_size!r}."
        )
    return max(1, min(len(rows), int(bytes_of(rows) // most) + 1))


# What `datasets` writes into the metadata of a card and reads from them.
_KEYS = ("configs", "dataset_info")


class Shard(NamedTuple):
    """A Parquet file of a split."""

    path: str
    content: bytes


def folder_of(config_name: str) -> str:
    """Return the folder that `datasets` gives a configuration.

    Example:
        >>> folder_of("default"), folder_of("cda")
        ('data', 'cda')
    """
    return "data" if config_name == "default" else config_name


def parquet_shards(
    splits: "DatasetDict", counts: Mapping[str, int], config_name: str
) -> Iterator[Shard]:
    """Write the files of a configuration, one after the other, as `datasets` names them."""
    folder = folder_of(config_name)
    for split, rows in splits.items():
        for index in range(counts[split]):
            part = _embedded(rows.shard(counts[split], index, contiguous=True))
            with io.BytesIO() as buffer:
                part.to_parquet(buffer)
                content = buffer.getvalue()
            name = f"{split}-{index:05d}-of-{counts[split]:05d}.parquet"
            yield Shard(f"{folder}/{name}", content)


def metadata_of(
    metadata: Mapping[str, Any], splits: "DatasetDict", config_name: str, size: int
) -> dict[str, Any]:
    """State a configuration in the metadata of a card, as `datasets` reads them."""
    from datasets.info import DatasetInfo, DatasetInfosDict
    from datasets.splits import SplitDict, SplitInfo
    from datasets.utils.metadata import MetadataConfigs

    known = SplitDict()
    for split, rows in splits.items():
        known.add(SplitInfo(str(split), num_bytes=bytes_of(rows), num_examples=len(rows)))
    info = DatasetInfo(
        features=next(iter(splits.values())).features,
        splits=known,
        download_size=size,
        dataset_size=sum(map(bytes_of, splits.values())),
    )
    folder = folder_of(config_name)
    files = [{"split": str(split), "path": f"{folder}/{split}-*"} for split in splits]
    card = _of_datasets(metadata)
    with _readable():
        DatasetInfosDict({config_name: info}).to_dataset_card_data(card)
        MetadataConfigs({config_name: {"data_files": files}}).to_dataset_card_data(card)
        infos = DatasetInfosDict.from_dataset_card_data(card).values()
    rows = sum(part.num_examples for each in infos for part in (each.splits or {}).values())
    counted = {"size_categories": [size_category(rows)]}
    return {**metadata, **counted, **{key: card[key] for key in _KEYS}}


def known_of(metadata: Mapping[str, Any]) -> "DatasetInfosDict":
    """Read what the metadata of a card state of its configurations.

    Example:
        >>> list(known_of({"dataset_info": {"config_name": "cda"}}))
        ['cda']
    """
    from datasets.info import DatasetInfosDict
    from datasets.utils.metadata import MetadataConfigs

    card = _of_datasets(metadata)
    with _readable():
        MetadataConfigs.from_dataset_card_data(card)
        return DatasetInfosDict.from_dataset_card_data(card)


def _of_datasets(metadata: Mapping[str, Any]) -> Any:
    """Return what `datasets` reads of the metadata of a card."""
    from huggingface_hub import CardData

    stated = {key: metadata[key] for key in _KEYS if metadata.get(key)}
    if isinstance(stated.get("dataset_info"), list):
        # Where it reads one without a name, it takes it for the default; to write, it wants a name.
        stated["dataset_info"] = [
            {"config_name": "default", **info} if isinstance(info, dict) else info
            for info in stated["dataset_info"]
        ]
    return CardData(**stated)


@contextmanager
def _readable() -> Iterator[None]:
    """Raise what `datasets` cannot read of somebody's metadata."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "The metadata at the top of the card on the Hub state configurations that cannot be "
            f"read ({one_line(error)}); repair them there."
        ) from error


def bytes_of(rows: "Dataset") -> int:
    """Return about how many bytes rows take in memory.

    Example:
        >>> from datasets import Dataset
        >>> [bytes_of(Dataset.from_dict({"number": numbers})) for numbers in ([1], [1, 2])]
        [8, 16]
    """
    return int(rows.data.nbytes * len(rows) // max(rows.data.num_rows, 1))


def _embedded(rows: "Dataset") -> "Dataset":
    """Put files that the rows only name, such as images, into the rows."""
    from datasets.features.features import require_decoding
    from datasets.table import embed_table_storage

    features = rows.features.values()
    if not any(require_decoding(feature, ignore_decode_attribute=True) for feature in features):
        return rows
    arrow = rows.with_format("arrow")
    return arrow.map(embed_table_storage, batched=True, keep_in_memory=True).with_format(None)


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
            returns them, so that `reproduce` finds them; or an `eval.yaml`, by which the Hub and
            inspect-ai run a benchmark.
        croissant: What a Croissant file says of the dataset, as `croissant.json` beside it has it.
            What it says of files and columns is written anew for the files that are sent. Without
            one, that of an earlier push goes, as it describes files that are replaced.
        private: Whether a new repository is private, and an existing one has to be; None for what
            is usual for its owner.
        revision: The branch to write, which is created if it is not there; None for main.
        create_pr: Whether to make a pull request instead of writing to the main branch.
        commit_message: What the history says about this push.
        max_shard_size: The size in memory of the data of one file, in bytes or such as "500MB".
        overwrite: Whether data that the repository has, and that these do not replace row for row
            of the same columns, may be lost to its readers.
        dry_run: Whether to list what would be sent, with sizes in bytes, and send nothing; the Hub
            is not asked.

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
    markdown.card_parts(card)
    beside = _attachments(files or {})
    metadata_file = croissant_path(config_name)
    counts = {split: shard_count(rows, max_shard_size) for split, rows in splits.items()}
    card = addressed_dataset(card, target.name, config_name, target.revision)
    if dry_run:
        if croissant is not None:
            beside[metadata_file] = _croissant(croissant, splits, [])
        shards = parquet_shards(splits, counts, config_name)
        of_shards = [SentFile(shard.path, len(shard.content)) for shard in shards]
        sent = (*of_shards, *sizes({**beside, repositories.CARD: card.encode()}))
        return Upload(repositories.page(target), sent, sent=False)
    features = next(iter(splits.values())).features
    with translate_hub_errors(target, writes=True):
        repository, existing = check_push(
            target, config_name, features=features, splits=list(splits), private=private,
            create_pr=create_pr, overwrite=overwrite,
        )  # fmt: skip
        if repository is None:
            repository = repositories.make(target, private=private)
        else:
            repositories.make_branch(target)
        added, files_sent = _uploaded(repository, splits, counts, config_name, create_pr=create_pr)
        sent = tuple(SentFile(file.path, file.size) for file in files_sent)
        merged = markdown.merge_card(existing, card, config_name, united=("license",))
        metadata, text = markdown.card_parts(merged)
        metadata = metadata_of(metadata, splits, config_name, sum(file.size for file in sent))
        if croissant is not None:
            beside[metadata_file] = _croissant(croissant, splits, files_sent)
        others = {**beside, repositories.CARD: markdown.card_of(metadata, text).encode()}
        commit = repositories.commit(
            repository,
            [
                *added,
                *repositories.additions(others),
                *_deleted(repository, [*sent, *sizes(others)], config_name),
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
    with translate_hub_errors(target, writes=True):
        repository = repositories.find_for_writing(target, private=private, create_pr=create_pr)
        if repository is None:
            return None, ""
        card = repository.card()
        if not overwrite:
            _refuse_loss(repository, card, config_name, features=features, splits=splits)
        return repository, card


def _attachments(files: Mapping[str, str | Path]) -> dict[str, Content]:
    """Return the lexicons and weights that are sent, or raise."""
    for path, file in files.items():
        if not is_published(path) and path != EVAL:
            raise invalid(
                "files takes what `technique.own_files()` returns, the lexicons and weights that "
                f"lie beside the data, or an {EVAL}, but it names {path!r}."
            )
        if not Path(file).is_file():
            raise invalid(f"there is no file {str(file)!r}; check the path.")
    return {path: Path(file).read_bytes() for path, file in files.items()}


def croissant_path(config_name: str) -> str:
    """Return where the Croissant file of a configuration lies.

    Example:
        >>> croissant_path("default"), croissant_path("cda")
        ('croissant.json', 'croissant-cda.json')
    """
    return NAME if config_name == "default" else f"croissant-{config_name}.json"


def _croissant(
    stated: Mapping[str, Any], splits: "DatasetDict", files: Sequence[DataFile]
) -> bytes:
    features = next(iter(splits.values())).features
    return indented({**stated, **describe_files(files, features)}).encode()


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
    with bar, closing(_side_by_side(send, shards)) as uploads:
        for operation, file in uploads:
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
            waiting.append(threads.submit(in_error_context(send), shard))
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
    other = f"{typed('config_name')} or repository" if is_offered("config_name") else "repository"
    advice = f"choose another {other}, or pass "
    advice += f"{typed('overwrite', True)} to replace it."
    metadata, _ = markdown.card_parts(card)
    known = known_of(metadata).get(config_name)
    if known is None:
        if hidden := _hidden(repository, config_name, is_named="configs" in metadata):
            raise InputError(
                f"{where} holds data ({format_first(hidden)}), but its card names no configuration "
                f"{config_name!r}; {advice}"
            )
        return
    if features is not None and known.features is not None:
        if list(known.features) != list(features):
            raise InputError(
                f"{where} has a configuration {config_name!r} with other columns "
                f"({format_first(known.features)}); {advice}"
            )
        for column, kind in known.features.items():
            if _plain(kind) != _plain(features[column]):
                raise InputError(
                    f"{where} has a configuration {config_name!r} whose column {column!r} has the "
                    f"type {kind}, not {features[column]}; {advice}"
                )
    if lost := sorted(map(str, set(known.splits or ()) - set(splits or known.splits or ()))):
        raise InputError(
            f"{where} has a configuration {config_name!r} with the split {format_first(lost)}, "
            f"which would be lost; push all splits together, or {advice}"
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
