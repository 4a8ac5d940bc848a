"""The commands `push` and `pull`."""

from pathlib import Path
from typing import Any

import evaluate
import pytest
from datasets import load_dataset
from huggingface_hub import DatasetCard, HfApi

from fair_datasets import CounterfactualSwap
from fair_datasets.technique import reproduce
from fair_datasets.version import __version__


@pytest.fixture
def folder(run: Any, reviews: Path, tmp_path: Path) -> Path:
    """Return the folder of an augmented dataset."""
    out = tmp_path / "reviews-cda"
    assert run("augment", reviews, "--text", "text", "--licence", "mit", "--out", out).code == 0
    return out


def test_a_dataset_there_and_back(run: Any, hub: Any, folder: Path, tmp_path: Path) -> None:
    """Rows, features and the card come back, so that the technique can be rebuilt from it."""
    words = ("push", "dataset", folder, "ada/reviews", "--config-name", "cda")
    planned = run(*words, "--dry-run").done()
    assert "cda/train-00000-of-00001.parquet" in planned.out
    assert "would be sent to" in planned.out
    assert hub.requests() == []
    pushed = run(*words, "--private").quiet()
    assert f"are at {hub.url}/datasets/ada/reviews" in pushed.out
    assert HfApi().repo_info("ada/reviews", repo_type="dataset").private
    pulled = run("pull", "ada/reviews", tmp_path / "back", "--config-name", "cda").quiet()
    assert pulled.out.startswith("           3  train\n\nWritten to ")
    back, there = load_dataset(str(tmp_path / "back")), load_dataset(str(folder))
    assert list(back["train"]) == list(there["train"])
    assert back["train"].features == there["train"].features
    assert reproduce(tmp_path / "back") == (CounterfactualSwap(columns="text"),)
    card = DatasetCard.load(tmp_path / "back" / "README.md")
    assert card.data["license"] == "mit"
    # They name files of the repository.
    assert not {"configs", "dataset_info"} & set(vars(card.data))


def test_a_pulled_folder_is_pushed_again(run: Any, hub: Any, folder: Path, tmp_path: Path) -> None:
    """Its card is not doubled on the way."""
    words = ("ada/reviews", "--config-name", "cda")
    assert run("push", "dataset", folder, *words).code == 0
    before = DatasetCard.load("ada/reviews").content
    assert run("pull", "ada/reviews", tmp_path / "back").code == 0
    assert run("push", "dataset", tmp_path / "back", *words).code == 0
    assert DatasetCard.load("ada/reviews").content == before


def test_any_metadata_are_pulled(run: Any, hub: Any, folder: Path, tmp_path: Path) -> None:
    """Keys and values that somebody else chose come back as they are."""
    theirs = '---\n"a: b": {x: 1}\n"# no": yes\nextra_gated_prompt: |\n  one\n  two\n---\nMine.\n'
    assert run("push", "dataset", folder, "ada/reviews").code == 0
    DatasetCard(theirs).push_to_hub("ada/reviews")
    assert run("pull", "ada/reviews", tmp_path / "back").code == 0
    assert load_dataset(str(tmp_path / "back"))["train"].num_rows == 3
    card = DatasetCard.load(tmp_path / "back" / "README.md")
    assert vars(card.data).items() >= vars(DatasetCard(theirs).data).items()
    assert card.text == "Mine.\n"


def test_a_card_of_its_own(run: Any, hub: Any, reviews: Path, tmp_path: Path) -> None:
    """A file's card is named."""
    (tmp_path / "card.md").write_text("# Ours\n")
    words = ("push", "dataset", reviews, "ada/reviews", "--card")
    assert run(*words, tmp_path / "card.md").code == 0
    assert "# Ours" in DatasetCard.load("ada/reviews").text


def test_a_model(run: Any, hub: Any, tmp_path: Path) -> None:
    """The folder's card is taken once, as it is."""
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (model / "README.md").write_text("# Mine\n")
    outcome = run("push", "model", model, "ada/fair", "--commit-message", "First").quiet()
    assert f"are at {hub.url}/ada/fair" in outcome.out
    path = HfApi().hf_hub_download("ada/fair", "README.md")
    assert Path(path).read_text().count("# Mine") == 1


def test_measures_and_the_demo(run: Any, hub: Any) -> None:
    """A measure loads from its Space, and the Space of the demo holds its app."""
    outcome = run("push", "metrics", "ada", "demographic_parity").quiet()
    assert f"They are collected at {hub.url}/collections/ada/" in outcome.out
    parity = evaluate.load("ada/demographic_parity", module_type="metric")
    found = parity.compute(predictions=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
    assert found["difference"] == 0.5
    run("push", "demo", "ada/counterfactuals").quiet()
    files = HfApi().list_repo_files("ada/counterfactuals", repo_type="space")
    assert {"app.py", "requirements.txt", "README.md"} <= set(files)
    needs = HfApi().hf_hub_download("ada/counterfactuals", "requirements.txt", repo_type="space")
    assert Path(needs).read_text().splitlines()[-1] == f"fair-datasets[models]=={__version__}"
