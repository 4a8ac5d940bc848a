"""What is refused before anything is asked of the Hub."""

import io
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from datasets import Dataset, Features, Image, Value
from PIL import Image as Picture

from fair_datasets.hub import pull_dataset, push_dataset
from fair_datasets.hub.splits import known_of, metadata_of, parquet_shards
from fair_datasets.system.checks import InputError


def test_splits_that_do_not_fit(splits: Any) -> None:
    """Streams, and splits of different columns, are refused before anything is asked."""
    with pytest.raises(InputError, match="it is a IterableDataset; load it without streaming"):
        push_dataset(splits["train"].to_iterable_dataset(), "ada/reviews")
    with pytest.raises(InputError, match="there is nothing to push"):
        push_dataset(type(splits)(), "ada/reviews")
    with pytest.raises(InputError, match=r"split's name may hold .* but one is 'a-b'; rename it"):
        push_dataset(type(splits)({"a-b": splits["train"]}), "ada/reviews")
    splits["test"] = splits["test"].remove_columns("label")
    with pytest.raises(InputError, match="the splits have different columns"):
        push_dataset(splits, "ada/reviews")


def test_images_travel_with_the_rows(hub: Any, tmp_path: Path) -> None:
    """A row that only names a file holds it afterwards, and not the folder where it lay."""
    Picture.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "red.png")
    features = Features({"text": Value("string"), "image": Image()})
    rows = Dataset.from_dict(
        {"text": ["red"], "image": [str(tmp_path / "red.png")]}, features=features
    )
    push_dataset(rows, "ada/pictures")
    (tmp_path / "red.png").unlink()
    pulled = pull_dataset("ada/pictures", split="train")
    assert pulled.features == features
    assert pulled[0]["image"].getpixel((0, 0)) == (255, 0, 0)
    (shard,) = parquet_shards(_splits(pulled), {"train": 1}, "default")
    assert str(tmp_path).encode() not in shard.content


def test_files_are_the_same_each_time(splits: Any) -> None:
    """So that what the Hub has is not sent again."""
    counts = {"train": 2, "test": 1}
    first, second = (list(parquet_shards(splits, counts, "cda")) for _ in range(2))
    assert [shard.path for shard in first] == [
        "cda/train-00000-of-00002.parquet",
        "cda/train-00001-of-00002.parquet",
        "cda/test-00000-of-00001.parquet",
    ]
    for one, other in zip(first, second, strict=True):
        assert one.content == other.content
        assert pq.read_table(io.BytesIO(one.content)).num_rows > 0


@pytest.mark.parametrize(
    "broken", [{"configs": "cda"}, {"configs": [3]}, {"configs": [{}]}, {"dataset_info": [3]}]
)
def test_metadata_that_datasets_does_not_read(splits: Any, broken: dict[str, Any]) -> None:
    """What somebody broke on the Hub is told in a sentence."""
    with pytest.raises(InputError, match="state configurations that cannot be read"):
        metadata_of(broken, splits, "cda", 0)
    with pytest.raises(InputError, match="state configurations that cannot be read"):
        known_of(broken)


def test_a_configuration_without_a_name_is_the_default(splits: Any) -> None:
    """As datasets reads it; it stays beside the new one."""
    stated = metadata_of({"dataset_info": [{"features": []}]}, splits, "cda", 0)
    assert [info["config_name"] for info in stated["dataset_info"]] == ["cda", "default"]


def test_the_size_is_of_all_configurations(splits: Any) -> None:
    """Whatever the card said before of one of them."""
    many = {"config_name": "more", "splits": [{"name": "train", "num_examples": 5000}]}
    told = {"dataset_info": [many], "size_categories": ["n<1K"]}
    assert metadata_of(told, splits, "cda", 0)["size_categories"] == ["1K<n<10K"]


def _splits(rows: Dataset) -> Any:
    """Return rows as the split train."""
    from datasets import DatasetDict

    return DatasetDict(train=rows)
