"""Round trips of models and Spaces through the loopback Hub."""

from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi, ModelCard, SpaceCard

from fair_datasets.checks import InputError
from fair_datasets.hub import pull_model, pull_space, push_model, push_space

CARD = "---\nlicense: apache-2.0\nmodel-index:\n- name: fair\n  results: []\n---\n# Measured\n"


@pytest.fixture(scope="module")
def model() -> Any:
    """Return a classifier of a few hundred weights."""
    from transformers import BertConfig, BertForSequenceClassification

    sizes = {"hidden_size": 8, "intermediate_size": 8, "max_position_embeddings": 16}
    layers = {"num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 8}
    return BertForSequenceClassification(BertConfig(**sizes, **layers))


@pytest.fixture
def tokenizer(tmp_path: Path) -> Any:
    """Return a tokenizer of eight words."""
    from transformers import BertTokenizer

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "he", "she", "left"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    return BertTokenizer(str(tmp_path / "vocab.txt"))


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """Return the folder of a Space, with files that are nobody's business."""
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "assets").mkdir()
    (tmp_path / "__pycache__" / "app.pyc").write_bytes(b"0")
    (tmp_path / ".env").write_text("SECRET=1")
    (tmp_path / "assets" / "style.css").write_text("body {}")
    (tmp_path / "app.py").write_text("print()")
    (tmp_path / "README.md").write_text(
        "---\ntitle: Demo\nsdk: gradio\nsdk_version: 6.0.0\n---\nHi\n"
    )
    return tmp_path


def test_a_model_comes_back_equal(hub: Any, model: Any, tokenizer: Any) -> None:
    """Its weights and its tokenizer are the same, from our folder and from transformers."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    push_model(model, "ada/fair", tokenizer=tokenizer, card=CARD)
    for place in (pull_model("ada/fair"), "ada/fair"):
        pulled = AutoModelForSequenceClassification.from_pretrained(place).state_dict()
        assert pulled.keys() == model.state_dict().keys()
        assert all(torch.equal(pulled[name], own) for name, own in model.state_dict().items())
        words = AutoTokenizer.from_pretrained(place)("he left")["input_ids"]
        assert words == tokenizer("he left")["input_ids"]
    card = ModelCard.load("ada/fair")
    assert card.data.license == "apache-2.0"
    assert card.data.tags == ["fair_datasets"]
    assert "# Measured" in card.text


def test_a_folder_is_sent_once(hub: Any, model: Any, tmp_path: Path) -> None:
    """A second push sends no weights, keeps what others wrote, and renews our section."""
    model.save_pretrained(tmp_path)
    planned = push_model(tmp_path, "ada/fair", card=CARD, dry_run=True)
    assert hub.requests() == []
    push_model(tmp_path, "ada/fair", card=CARD)
    assert HfApi().file_exists("ada/fair", "model.safetensors")
    card = ModelCard.load("ada/fair")
    card.text += "\nBy hand.\n"
    card.push_to_hub("ada/fair")
    sent = push_model(tmp_path, "ada/fair", card="# Measured again\n")
    assert len(hub.uploads()) == 1
    assert [file.path for file in planned.files] == [file.path for file in sent.files]
    text = ModelCard.load("ada/fair").text
    assert "By hand." in text
    assert "# Measured again" in text
    assert "# Measured\n" not in text


def test_an_interrupted_upload_goes_on(
    hub: Any, model: Any, tmp_path: Path, impatient: None
) -> None:
    """Shards that were received before the connection broke are not sent again."""
    model.save_pretrained(tmp_path, max_shard_size="1KB")
    shards = len(list(tmp_path.glob("*.safetensors")))
    assert shards > 2
    hub.break_after(1)
    with pytest.raises(InputError, match="connection broke off"):
        push_model(tmp_path, "ada/fair")
    assert len(hub.uploads()) == 1
    assert not HfApi().file_exists("ada/fair", "config.json")
    hub.break_after(None)
    push_model(tmp_path, "ada/fair")
    assert len(hub.uploads()) == len(set(hub.uploads())) == shards
    assert HfApi().file_exists("ada/fair", "config.json")


def test_files_of_others_are_not_replaced(hub: Any, model: Any, tmp_path: Path) -> None:
    """A model that came from elsewhere needs overwrite; a private branch of it does, too."""
    model.push_to_hub("ada/theirs")
    model.save_pretrained(tmp_path)
    sentence = r"files that fair_datasets did not put there \('config.json', 'model.safetensors'\)"
    with pytest.raises(InputError, match=sentence):
        push_model(tmp_path, "ada/theirs")
    push_model(tmp_path, "ada/theirs", overwrite=True)
    push_model(tmp_path, "ada/theirs")


def test_what_cannot_be_pushed(hub: Any, model: Any, tokenizer: Any, tmp_path: Path) -> None:
    """Each mistake has its sentence."""
    empty = tmp_path / "empty"
    empty.mkdir()
    for folder, sentence in {
        tmp_path / "missing": "There is no folder",
        empty: "holds no files to send",
    }.items():
        with pytest.raises(InputError, match=sentence):
            push_model(folder, "ada/fair")
    with pytest.raises(InputError, match="save the tokenizer into it"):
        push_model(tmp_path, "ada/fair", tokenizer=tokenizer)
    with pytest.raises(InputError, match="names a dataset, but a model is meant here"):
        push_model(tmp_path, "hf://datasets/ada/fair")
    with pytest.raises(InputError, match="There is no model ada/fair on the Hub"):
        pull_model("ada/fair")


def test_a_space(hub: Any, space: Path) -> None:
    """Its files are sent but hidden ones, and its metadata replace those of the Hub."""
    sent = push_space(space, "ada/demo", private=True)
    assert [file.path for file in sent.files] == ["README.md", "app.py", "assets/style.css"]
    pulled = pull_space("ada/demo")
    assert (pulled / "assets" / "style.css").read_text() == "body {}"
    assert not (pulled / ".env").exists()
    card = SpaceCard.load("ada/demo")
    assert (card.data.title, card.data.sdk_version) == ("Demo", "6.0.0")
    request = push_space(space, "ada/demo", create_pr=True, card="# More\n")
    assert request.url == f"{hub.url}/spaces/ada/demo/discussions/1"
    assert "# More" in (pull_space("ada/demo", revision="refs/pr/1") / "README.md").read_text()
    assert "# More" not in (pull_space("ada/demo") / "README.md").read_text()
