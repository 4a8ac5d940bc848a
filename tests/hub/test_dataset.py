"""Round trips of datasets through the loopback Hub, and what is refused on the way."""

import hashlib
import io
import json
from pathlib import Path
from threading import Barrier
from typing import Any

import pyarrow.parquet as pq
import pytest
from datasets import Dataset, DatasetDict, Features, Image, Value, load_dataset
from huggingface_hub import DatasetCard, HfApi, snapshot_download
from PIL import Image as Picture

from fair_datasets.hub import pull_dataset, push_dataset
from fair_datasets.hub.dataset import _side_by_side, known_of, metadata_of, parquet_shards
from fair_datasets.system.checks import InputError


def rows_of(splits: Any) -> dict[str, list[Any]]:
    """Return the rows of every split."""
    return {split: list(rows) for split, rows in splits.items()}


@pytest.mark.parametrize("streaming", [False, True])
def test_configurations_come_back_equal(hub: Any, splits: Any, streaming: bool) -> None:
    """Each configuration has its own rows; features, labels and nulls are the same."""
    cda = DatasetDict({name: rows.select([0]) for name, rows in splits.items()})
    push_dataset(splits, "ada/reviews", config_name="original")
    push_dataset(cda, "ada/reviews", config_name="cda")
    for name, pushed in {"original": splits, "cda": cda}.items():
        pulled = pull_dataset("ada/reviews", name, streaming=streaming)
        assert rows_of(pulled) == rows_of(pushed)
        assert {split: rows.features for split, rows in pulled.items()} == {
            split: rows.features for split, rows in pushed.items()
        }
    assert rows_of(load_dataset("ada/reviews", "cda")) == rows_of(cda)


def test_a_single_dataset_in_shards(hub: Any, splits: Any) -> None:
    """A dataset becomes the split train, cut by the size of its rows."""
    size = splits["train"].data.nbytes
    upload = push_dataset(splits["train"], "ada/reviews", max_shard_size=size // 2 + 1)
    assert [file.path for file in upload.files] == [
        "data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet", "README.md",
    ]  # fmt: skip
    assert upload.sent
    assert upload.url == f"{hub.url}/datasets/ada/reviews"
    assert list(pull_dataset("ada/reviews", split="train")) == list(splits["train"])


def test_files_are_sent_side_by_side_and_committed_once(hub: Any, splits: Any) -> None:
    """Two of them at the same time at least; in the commit they are in order."""
    at_once = Barrier(2, timeout=30)
    found = list(_side_by_side(lambda number: (at_once.wait(), number)[1], range(8)))
    assert found == list(range(8))
    train = Dataset.from_dict({"text": [f"Row {index}." for index in range(40)]})
    push_dataset(train, "ada/reviews", max_shard_size=train.data.nbytes // 6 + 1)
    assert len(hub.uploads()) == 6
    commits = [each for each in hub.requests() if "/commit/" in str(each)]
    assert len(commits) == 1
    assert list(pull_dataset("ada/reviews", split="train")) == list(train)


def test_a_dry_run_asks_nothing(hub: Any, splits: Any) -> None:
    """It lists the files that the push sends then, with the same sizes."""
    single = push_dataset(splits, "ada/reviews", max_shard_size=1, dry_run=True)
    assert len(single.files) == sum(splits.num_rows.values()) + 1
    planned = push_dataset(splits, "ada/reviews", max_shard_size=100, dry_run=True)
    assert hub.requests() == []
    sent = push_dataset(splits, "ada/reviews", max_shard_size=100)
    assert not planned.sent
    assert planned.url == sent.url
    assert planned.files[-1].path == sent.files[-1].path == "README.md"
    assert sorted(planned.files[:-1]) == sorted(sent.files[:-1])
    assert len(planned.files) > 3
    assert "would be sent to" in planned.describe()


def test_an_interrupted_upload_goes_on(hub: Any, splits: Any, impatient: None) -> None:
    """When the connection broke after two files, the second try sends the others alone."""
    train = Dataset.from_dict({"text": [f"Row {index}." for index in range(40)]})
    size = train.data.nbytes // 5 + 1
    hub.break_after(2)
    with pytest.raises(InputError, match=r"connection broke off .*run the same again"):
        push_dataset(train, "ada/reviews", max_shard_size=size)
    assert len(hub.uploads()) == 2
    hub.break_after(None)
    push_dataset(train, "ada/reviews", max_shard_size=size)
    assert len(hub.uploads()) == len(set(hub.uploads())) == 5
    assert list(pull_dataset("ada/reviews", split="train")) == list(train)


def test_what_others_wrote_in_the_card_stays(hub: Any, splits: Any) -> None:
    """Text, metadata and configurations survive new sections, new data and a second push."""
    push_dataset(splits, "ada/reviews", config_name="original")
    card = DatasetCard.load("ada/reviews")
    card.data["license"], card.text = "cc-by-4.0", "# Written by hand\n"
    HfApi().upload_file(
        path_or_fileobj=str(card).encode(), path_in_repo="README.md", repo_id="ada/reviews",
        repo_type="dataset",
    )  # fmt: skip
    ours = "---\nlicense: mit\nlanguage: en\n---\n# Counts\n"
    push_dataset(splits, "ada/reviews", config_name="cda", card=ours)
    push_dataset(splits, "ada/reviews", config_name="cds", card="# Other counts\n")
    push_dataset(splits, "ada/reviews", config_name="cda", card="# New counts\n")
    card = DatasetCard.load("ada/reviews")
    # Each configuration may have its own; the section of each says which.
    assert card.data["license"] == ["cc-by-4.0", "mit"]
    assert card.data["language"] == "en"
    assert card.data["tags"] == ["fair_datasets"]
    assert [config["config_name"] for config in card.data["configs"]] == ["cda", "cds", "original"]
    assert card.text.startswith("# Written by hand\n")
    assert card.text.count("# New counts") == card.text.count("# Other counts") == 1
    assert "# Counts" not in card.text
    assert rows_of(pull_dataset("ada/reviews", "cds")) == rows_of(splits)


def test_a_private_dataset_needs_the_token(
    hub: Any, splits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner reads it; nobody and somebody else are told that it may be private."""
    push_dataset(splits, "ada/secret", private=True)
    assert rows_of(pull_dataset("ada/secret")) == rows_of(splits)
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    with pytest.raises(InputError, match="or it is private and your token may not read it"):
        pull_dataset("ada/secret")
    with pytest.raises(InputError, match="Your token may not write to the dataset ada/secret"):
        push_dataset(splits, "ada/secret")
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(InputError, match="or it is private and you are not logged in"):
        pull_dataset("ada/secret")


def test_branches_and_pull_requests(hub: Any, splits: Any) -> None:
    """Both leave the main branch as it is, and both are read by their revision."""
    push_dataset(splits, "ada/reviews")
    less = DatasetDict({name: rows.select([0]) for name, rows in splits.items()})
    push_dataset(less, "ada/reviews", revision="v2", card="# Branch\n")
    upload = push_dataset(less, "ada/reviews", config_name="cda", create_pr=True, card="# PR\n")
    assert upload.url == f"{hub.url}/datasets/ada/reviews/discussions/1"
    assert rows_of(pull_dataset("ada/reviews")) == rows_of(splits)
    assert rows_of(pull_dataset("ada/reviews@v2")) == rows_of(less)
    assert rows_of(pull_dataset("ada/reviews", "cda", revision="refs/pr/1")) == rows_of(less)
    path = HfApi().hf_hub_download(
        "ada/reviews", "README.md", repo_type="dataset", revision="refs/pr/1"
    )
    assert "# PR" in Path(path).read_text()


def test_files_and_folders_of_a_repository(hub: Any, splits: Any) -> None:
    """An address may name a file, or a folder."""
    push_dataset(splits, "ada/reviews", config_name="cda")
    address = "hf://datasets/ada/reviews@main/cda"
    assert rows_of(pull_dataset(address)) == rows_of(splits)
    file = pull_dataset(f"{address}/test-00000-of-00001.parquet", split="train")
    assert list(file) == list(splits["test"])


def test_what_cannot_be_pulled(hub: Any, splits: Any) -> None:
    """What a library says of it stands in the sentence."""
    push_dataset(splits, "ada/reviews", config_name="original")
    push_dataset(splits, "ada/reviews", config_name="cda")
    with pytest.raises(InputError, match=r"Config name is missing.*\['cda', 'original'\]"):
        pull_dataset("ada/reviews")
    with pytest.raises(InputError, match=r"'cdaa' not found. Available: \['cda', 'original'\]"):
        pull_dataset("ada/reviews", "cdaa")
    with pytest.raises(InputError, match=r'Unknown split "tran".*train'):
        pull_dataset("ada/reviews", "cda", split="tran")
    with pytest.raises(InputError, match="The metadata at the top of the card cannot be read"):
        push_dataset(splits, "ada/new", card="---\na: [\n---\n")


def test_neither_folders_nor_old_copies_are_taken(
    hub: Any, splits: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read is what the Hub has: `datasets` itself would take either."""
    push_dataset(splits, "ada/reviews")
    pull_dataset("ada/reviews")
    (tmp_path / "ada" / "reviews").mkdir(parents=True)
    with monkeypatch.context() as context:
        context.chdir(tmp_path)
        with pytest.raises(InputError, match="There is a folder 'ada/reviews' here"):
            pull_dataset("ada/reviews")
    HfApi().delete_folder("data", "ada/reviews", repo_type="dataset")
    HfApi().delete_file("README.md", "ada/reviews", repo_type="dataset")
    with pytest.raises(InputError, match="The dataset ada/reviews holds no data"):
        pull_dataset("ada/reviews")


def test_data_are_replaced_where_that_is_asked_for(hub: Any, splits: Any) -> None:
    """Another type of texts is no other column."""
    push_dataset(splits, "ada/reviews")
    other = Dataset.from_dict({"sentence": ["He left."]})
    push_dataset(splits.cast_column("text", Value("large_string")), "ada/reviews")
    push_dataset(other, "ada/reviews", overwrite=True)
    assert pull_dataset("ada/reviews", split="train").column_names == ["sentence"]


def test_a_croissant_file_describes_what_was_sent(hub: Any, splits: Any, tmp_path: Path) -> None:
    """With the digests of the files there; a push without one leaves none that is wrong."""
    said = {"@context": {"sc": "https://schema.org/"}, "name": "reviews", "distribution": ["old"],
            "rai:dataBiases": ["Rows mention man."]}  # fmt: skip
    for config, name in (("default", "croissant.json"), ("cda", "croissant-cda.json")):
        upload = push_dataset(splits, "ada/reviews", config_name=config, croissant=said)
        assert name in [file.path for file in upload.files]
        folder = Path(snapshot_download("ada/reviews", repo_type="dataset",
                                        local_dir=tmp_path / config))  # fmt: skip
        found = json.loads((folder / name).read_text("utf-8"))
        assert found["rai:dataBiases"] == said["rai:dataBiases"]
        assert len(found["distribution"]) == len(found["recordSet"]) == len(splits)
        for each in found["distribution"]:
            data = (folder / each["contentUrl"]).read_bytes()
            assert each["sha256"] == hashlib.sha256(data).hexdigest()
    assert rows_of(pull_dataset("ada/reviews", "cda")) == rows_of(splits)
    push_dataset(splits, "ada/reviews")
    paths = HfApi().list_repo_files("ada/reviews", repo_type="dataset")
    assert "croissant-cda.json" in paths
    assert "croissant.json" not in paths


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
