"""The Parquet files of a dataset: what they hold, where they lie, what the card says of them."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards.dataset import size_category
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from datasets.info import DatasetInfosDict

# What `datasets` writes into the metadata of a card and reads from them.
_KEYS = ("configs", "dataset_info")


class Shard(NamedTuple):
    """A Parquet file of a split.

    Attributes:
        path: Where it lies in the repository.
        content: What is in it.
    """

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
    """Write the files of a configuration, one after the other, as `datasets` names them.

    Yields:
        Each file. Images and sounds lie in it, and not beside it.
    """
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
    """State a configuration in the metadata of a card, as `datasets` reads them.

    Args:
        metadata: The metadata; those of other configurations stay.

    Returns:
        The metadata with the configuration.

    Raises:
        InputError: What they state of other configurations cannot be read.
    """
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

    Raises:
        InputError: They cannot be read.

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

    Args:
        rows: The rows; a selection of a table counts as its share.

    Example:
        >>> from datasets import Dataset
        >>> bytes_of(Dataset.from_dict({"number": [1, 2]}))
        16
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
