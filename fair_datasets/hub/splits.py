"""What is checked of a dataset before it is sent, and the Parquet files and metadata of it."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards.dataset import size_category
from fair_datasets.hub.repositories import CARD
from fair_datasets.rows.given import SPLIT_NAME
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import OWN_FILES

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features
    from datasets.info import DatasetInfosDict

# It names a folder, which datasets finds by a pattern.
_TAKEN = ("data", *OWN_FILES.values(), CARD)
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
        raise InputError(
            f"push_dataset: dataset must be a Dataset or a DatasetDict, but it is a "
            f"{type(dataset).__name__}; load it without streaming, or save it to Parquet first."
        )
    if not splits:
        raise InputError("push_dataset: dataset has no splits; there is nothing to push.")
    if wrong := [split for split in splits if not SPLIT_NAME.fullmatch(str(split))]:
        raise InputError(
            "push_dataset: a split's name may hold letters, digits, underscores and dots only, "
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
        raise InputError(
            "push_dataset: the splits have different columns; push them as configurations of "
            "their own."
        )


def refuse_config_name(config_name: str) -> None:
    """Raise unless a configuration may have a name."""
    if not _CONFIG_NAME.fullmatch(config_name) or config_name in _TAKEN:
        raise InputError(
            "push_dataset: config_name must be a plain word other than 'data', 'lexicons' and "
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
        raise InputError(
            "push_dataset: max_shard_size must be a number of bytes, or one with a unit such as "
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
    """Tell what `datasets` cannot read of somebody's metadata."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "The metadata at the top of the card on the Hub state configurations that cannot be "
            f"read ({' '.join(str(error).split())[:200]}); repair them there."
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
