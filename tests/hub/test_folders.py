"""Round trips of models and Spaces through the loopback Hub."""

import inspect
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest
from huggingface_hub import HfApi, ModelCard, SpaceCard
from transformers import AutoModelForSequenceClassification

from fair_datasets import load_metric
from fair_datasets.cards import model_card
from fair_datasets.hub import (
    metric_app,
    pull_dataset,
    pull_metric,
    pull_model,
    pull_space,
    push_dataset,
    push_metric,
    push_metrics,
    push_model,
    push_space,
)
from fair_datasets.hub.folders import files_of, pinned
from fair_datasets.measures import available_metrics
from fair_datasets.scores.models import load_model
from fair_datasets.system.checks import InputError
from fair_datasets.version import __version__
from tests.small_models import small_model

CARD = "---\nlicense: apache-2.0\nmodel-index:\n- name: fair\n  results: []\n---\n# Measured\n"


@pytest.fixture(scope="module")
def model() -> Any:
    """Return a classifier of a few hundred weights."""
    return small_model("BertForSequenceClassification", 8, max_position_embeddings=16)


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
    from transformers import AutoTokenizer

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


def test_a_card_that_cannot_be_read_is_told_before_anything_is_sent(
    hub: Any, model: Any, tmp_path: Path
) -> None:
    """Also that of the folder, and also where nothing would be sent."""
    model.save_pretrained(tmp_path)
    (tmp_path / "README.md").write_text("---\n[a\n---\n", "utf-8")
    with pytest.raises(InputError, match="metadata at the top of the card cannot be read"):
        push_model(tmp_path, "ada/fair", dry_run=True)
    assert hub.requests() == []


def test_files_of_others_are_not_replaced(hub: Any, model: Any, tmp_path: Path) -> None:
    """A model that came from elsewhere needs overwrite; a private branch of it does, too."""
    model.push_to_hub("ada/theirs")
    model.save_pretrained(tmp_path)
    sentence = r"files that fair_datasets did not put there \('config.json', 'model.safetensors'\)"
    with pytest.raises(InputError, match=sentence):
        push_model(tmp_path, "ada/theirs")
    push_model(tmp_path, "ada/theirs", overwrite=True)
    push_model(tmp_path, "ada/theirs")


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


def test_a_space_whose_first_push_broke(hub: Any, space: Path, impatient: None) -> None:
    """What the Hub put into it when it was created does not stay beside what is sent."""
    for requests in range(4, 20):
        hub.reset()
        hub.cut_after(requests)
        with pytest.raises(InputError, match="connection broke off"):
            push_space(space, "ada/demo")
        hub.cut_after(None)
        if HfApi().repo_exists("ada/demo", repo_type="space"):
            break
    push_space(space, "ada/demo")
    card = SpaceCard.load("ada/demo")
    assert (card.data.title, card.data.sdk_version) == ("Demo", "6.0.0")
    assert "Check out" not in card.text


def test_a_card_that_is_no_text(hub: Any, trained: Path) -> None:
    """It is told, here and on the Hub, before anything is sent."""
    (trained / "README.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"The README\.md for ada/fair cannot be read"):
        push_model(trained, "ada/fair")
    HfApi().create_repo("ada/fair")
    hub.plant("model", "ada/fair", "README.md", b"\xff")
    (trained / "README.md").write_text("# Mine\n")
    sent = hub.uploads()
    with pytest.raises(InputError, match="The card of the model ada/fair is not text in UTF-8"):
        push_model(trained, "ada/fair")
    assert hub.uploads() == sent


def test_a_card_that_the_hub_does_not_accept(hub: Any, trained: Path) -> None:
    """Its own sentence is told."""
    with pytest.raises(InputError, match=r'metadata of the card .*"license" must be one of'):
        push_model(trained, "ada/fair", card="---\nlicense: CC BY 4.0\n---\n# Mine\n")


@pytest.fixture
def trained(model: Any, tokenizer: Any, tmp_path: Path) -> Path:
    """Return the folder of a model as training leaves it."""
    folder = tmp_path / "trained"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "README.md").write_text(
        model_card(title="trained", base_model="b", training_data="d")
    )
    for name in (
        "optimizer.pt", "scheduler.pt", "rng_state.pth", "training_args.bin", "trainer_state.json",
        "training_state.safetensors", "all_results.json", "train.log", "checkpoint-5/config.json",
        "checkpoint-5/model.safetensors", "runs/events.out.tfevents.1", "data/rows.csv",
    ):  # fmt: skip
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"secret")
    return folder


def test_what_loading_needs_is_sent_alone(hub: Any, trained: Path) -> None:
    """Neither states of the optimizer nor arguments, logs or checkpoints leave the machine."""
    planned = push_model(trained, "ada/fair", dry_run=True)
    sent = push_model(trained, "ada/fair")
    assert [file.path for file in planned.files] == [file.path for file in sent.files]
    assert set(HfApi().list_repo_files("ada/fair")) - {".gitattributes"} == {
        "README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    assert {"optimizer.pt", "training_args.bin", "checkpoint-5/", "data/"} <= set(sent.left_out)
    assert "Left out: 'all_results.json', 'checkpoint-5/', 'data/'" in planned.describe()
    assert AutoModelForSequenceClassification.from_pretrained("ada/fair").num_labels == 2


def test_links_are_not_followed(hub: Any, trained: Path, tmp_path: Path) -> None:
    """What a link leads to lies elsewhere, and is not meant, whatever the link is named."""
    (tmp_path / "elsewhere").mkdir()
    for name in ("id_rsa", "elsewhere/config.json"):
        (tmp_path / name).write_text("secret")
    (trained / "merges.txt").symlink_to(tmp_path / "id_rsa")
    (trained / "vocab.json").symlink_to("config.json")
    (trained / "1_Pooling").symlink_to(tmp_path / "elsewhere")
    sent = push_model(trained, "ada/fair")
    assert {"merges.txt", "vocab.json", "1_Pooling"} <= set(sent.left_out)
    for path in HfApi().list_repo_files("ada/fair"):
        assert "secret" not in Path(HfApi().hf_hub_download("ada/fair", path)).read_text("latin-1")
    only = tmp_path / "only"
    only.mkdir()
    (only / "config.json").symlink_to(trained / "config.json")
    for push in (push_model, push_space):
        with pytest.raises(InputError, match=r"no files to send; 'config\.json' are links: copy"):
            push(only, "ada/links")


def test_a_pickle_is_not_sent(hub: Any, trained: Path) -> None:
    """Beside safetensors it is left out; alone, there is nothing that others could read safely."""
    (trained / "pytorch_model.bin").write_bytes(b"secret")
    assert "pytorch_model.bin" in push_model(trained, "ada/fair").left_out
    (trained / "model.safetensors").unlink()
    (trained / "training_state.safetensors").unlink()
    with pytest.raises(InputError, match=r"its weights as a pickle \('pytorch_model\.bin'\)"):
        push_model(trained, "ada/fair")
    for path in trained.glob("*.json"):
        path.unlink()
    (trained / "pytorch_model.bin").unlink()
    (trained / "README.md").unlink()
    with pytest.raises(InputError, match="holds no files that a model is loaded from, such as"):
        push_model(trained, "ada/fair")


def test_paths_of_this_machine_stay_here(hub: Any, trained: Path, tmp_path: Path) -> None:
    """Settings of older versions name the folder that a model was read from."""
    for name in ("config.json", "tokenizer_config.json"):
        settings = json.loads((trained / name).read_text())
        settings |= {"_name_or_path": str(tmp_path / "bert"), "name_or_path": "ada/base"}
        (trained / name).write_text(json.dumps(settings))
    push_model(trained, "ada/fair")
    folder = pull_model("ada/fair")
    for name in ("config.json", "tokenizer_config.json"):
        assert str(tmp_path) not in (folder / name).read_text()
        cut = {**json.loads((trained / name).read_text()), "_name_or_path": "bert"}
        assert (folder / name).read_text() == f"{json.dumps(cut, indent=2)}\n"


def test_the_card_says_how_to_load_it_from_the_hub(hub: Any, trained: Path) -> None:
    """The folder's own card, and one that is given, name the repository in their code."""
    push_model(trained, "ada/fair")
    line = 'model = pipeline("text-classification", model="ada/{}")  # this model'
    assert line.format("fair") in ModelCard.load("ada/fair").text
    card = model_card(title="m", base_model="b", training_data="d", task="text-classification")
    push_model(trained, "ada/fairer", card=card)
    assert line.format("fairer") in ModelCard.load("ada/fairer").text


@pytest.mark.parametrize("path", ["a/../../outside", "/outside", "..\\outside"])
def test_a_name_that_leads_out_of_a_repository(hub: Any, path: str, tmp_path: Path) -> None:
    """A hostile Hub has no file written outside of the cache, and the reader gets a sentence."""
    HfApi().create_repo("ada/hostile")
    HfApi().create_repo("ada/hostile", repo_type="space", space_sdk="gradio")
    for kind, pull in {"model": pull_model, "space": pull_space}.items():
        hub.plant(kind, "ada/hostile", path)
        with pytest.raises(InputError, match=f"The {kind} ada/hostile holds a file whose name"):
            pull("ada/hostile")
    cache = Path(os.environ["HF_HOME"])
    assert not [*cache.parent.glob("*outside*"), *cache.rglob("*outside*")]


@pytest.mark.parametrize("card", [True, False])
def test_a_gated_repository_is_called_so(
    hub: Any, trained: Path, splits: Any, monkeypatch: pytest.MonkeyPatch, card: bool
) -> None:
    """Not empty, not private, not absent: whoever may not read it is told how to."""
    push_model(trained, "ada/fair")
    push_dataset(splits, "ada/reviews")
    for kind, name in (("model", "ada/fair"), ("dataset", "ada/reviews")):
        hub.gate(kind, name, card=card)
    monkeypatch.setenv("HF_TOKEN", "hf_bob")
    calls: dict[str, Callable[[], object]] = {
        "The model ada/fair is gated; accept its terms": lambda: pull_model("ada/fair"),
        "The dataset ada/reviews is gated; accept its terms": lambda: pull_dataset("ada/reviews"),
        "cannot be loaded as a classifier model: it is gated; accept its": lambda: load_model(
            "ada/fair", "classifier"
        ),
    }
    for sentence, call in calls.items():
        with pytest.raises(InputError, match=sentence):
            call()


def made(folder: Path, *names: str) -> Path:
    """Write files into a folder."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return folder


def test_what_is_hidden_stays_and_links_are_told(tmp_path: Path) -> None:
    """Wherever it lies; a link is not followed, whether it leads to a file or to a folder."""
    folder = made(
        tmp_path / "sent", "a.txt", "b/c.txt", "b/d/e.txt", ".f", ".g/h.txt", "b/.i/j.txt",
        "b/.k", "__pycache__/l.pyc", "b/__pycache__/m.pyc",
    )  # fmt: skip
    other = made(tmp_path / "other", "n.txt")
    (folder / "b" / "file").symlink_to(other / "n.txt")
    (folder / "folder").symlink_to(other)
    (folder / ".hidden").symlink_to(other)
    found = files_of(folder)
    assert [*found.files] == ["a.txt", "b/c.txt", "b/d/e.txt"]
    assert found.left_out == ["b/file", "folder"]


@pytest.mark.parametrize(("given", "sent"), [
    ("fair-datasets\ntorch\n", f"fair-datasets=={__version__}\ntorch\n"),
    ("fair-datasets[models]\n", f"fair-datasets[models]=={__version__}\n"),
    ("fair-datasets==0.1\n", "fair-datasets==0.1\n"), ("torch\n", "torch\n"),
])  # fmt: skip
def test_a_space_installs_the_version_that_sends_it(given: str, sent: str, tmp_path: Path) -> None:
    """Unless its requirements name another."""
    path = tmp_path / "requirements.txt"
    path.write_text(given)
    for content in (given.encode(), path):
        assert pinned({"requirements.txt": content})["requirements.txt"] == sent.encode()
    assert pinned({"app.py": b""}) == {"app.py": b""}


@pytest.mark.slow
def test_every_measure_is_loaded_from_its_space(hub: Any) -> None:
    """evaluate.load gives the module of the package: its kind, inputs, documentation and name."""
    uploads = push_metrics("ada").uploads
    assert list(uploads) == available_metrics()
    for name in available_metrics():
        assert "app.py" in [file.path for file in uploads[name].files]
        loaded, own = evaluate.load(f"ada/{name}"), load_metric(name)
        assert type(loaded).__bases__ == type(own).__bases__
        assert loaded.features == own.features
        assert loaded.inputs_description == own.inputs_description


def test_a_result_from_the_hub(hub: Any) -> None:
    """The loaded measure computes."""
    push_metric("demographic_parity", "ada", private=True)
    assert SpaceCard.load("ada/demographic_parity").data["python_version"] == "3.11"
    parity = pull_metric("hf://spaces/ada/demographic_parity")
    inputs = {"predictions": [1, 0, 1, 1], "groups": ["a", "a", "b", "b"]}
    assert parity.compute(**inputs) == load_metric("demographic_parity").compute(**inputs)


def test_the_measures_are_a_collection(hub: Any) -> None:
    """They stand together under one title, each once, however often they are pushed."""
    names = ["demographic_parity", "weat"]
    for chosen in (names[:1], names, names):
        pushed = push_metrics("ada", chosen)
        assert list(pushed.uploads) == chosen
    found = HfApi().get_collection(pushed.collection.rpartition("/collections/")[2])
    assert [(item.item_type, item.item_id) for item in found.items] == [
        ("space", f"ada/{name}") for name in names
    ]
    assert pushed.collection.startswith(f"{hub.url}/collections/ada/")
    assert not found.private


def test_a_collection_of_what_is_seen_by_nobody_else(hub: Any) -> None:
    """Private Spaces make a private collection; a dry run and a pull request make none."""
    found = push_metrics("ada", ["weat"], private=True).collection
    assert HfApi().get_collection(found.rpartition("/collections/")[2]).private
    hub.reset()
    assert push_metrics("ada", ["weat"], dry_run=True).collection == ""
    push_metric("weat", "ada")
    assert push_metrics("ada", ["weat"], create_pr=True).collection == ""
    assert not [line for line in hub.requests() if "collections" in line]


@pytest.mark.parametrize("name", available_metrics())
def test_the_example_of_the_page_has_a_result(name: str, encoder: None) -> None:
    """What the page is filled in with is computed, also where a model reads texts."""
    module = load_metric(name)
    example = metric_app.example_of(module)
    assert set(metric_app.columns_of(module)) <= set(example)
    result = json.loads(metric_app.compute(module, json.dumps(example)))
    assert result
    assert "error" not in result


@pytest.mark.parametrize("name", available_metrics())
def test_every_parameter_is_offered_or_not_on_purpose(name: str) -> None:
    """A new one is taken by the page only when somebody has thought about it."""
    module = load_metric(name)
    refused = set(inspect.signature(module._compute).parameters)
    refused -= {*metric_app.offered(module), *metric_app.NOT_TAKEN}
    refused -= {*metric_app.COSTLY.get(name, ())}
    assert refused <= ({"model"} if name not in metric_app.MODELS else set())


def answer(name: str, **inputs: Any) -> dict[str, Any]:
    """Compute a measure as its page does."""
    result: dict[str, Any] = json.loads(metric_app.compute(load_metric(name), json.dumps(inputs)))
    return result


TEXTS = {"texts": ["a", "b", "c", "d"], "sets": ["X", "Y", "A", "B"]}
PARITY = {"predictions": [1, 0], "groups": ["a", "b"]}


@pytest.mark.parametrize(("name", "inputs"), [
    ("demographic_parity", {"predictions": [1] * 1000}), ("representation", {"data": ["h" * 2000]}),
    ("seat", {"texts": ["a"] * 100, "model": metric_app.MODELS["seat"][0]}),
    ("seat", {**TEXTS, "n_samples": 100_000}), ("seat", {**TEXTS, "batch_size": 64}),
    ("demographic_parity", {**PARITY, "n_resamples": 1000}), ("bias_score", {"bins": 1000}),
])  # fmt: skip
def test_as_much_as_a_visitor_may_ask_for(name: str, inputs: dict[str, Any]) -> None:
    """The limits themselves are taken, and one more is not."""
    module = load_metric(name)
    text = json.dumps(inputs)
    assert metric_app.checked(module, text + " " * (200_000 - len(text))) == inputs
    with pytest.raises(InputError, match="This page takes 200,000 letters at most"):
        metric_app.checked(module, text + " " * (200_001 - len(text)))


def test_what_is_not_defined_is_said() -> None:
    """The result is JSON that others read, with what the measure warned of."""
    found = answer("demographic_parity", predictions=[1], groups=["a"])
    assert found["difference"] == "not defined"
    assert found["warnings"] == [
        "demographic_parity: there is one group, 'a'; a comparison needs two groups. The value is "
        "NaN."
    ]
    assert "warnings" not in answer("demographic_parity", **PARITY)
    assert metric_app.shown([float("inf"), -float("inf"), 1]) == ["infinite", "minus infinite", 1]


@pytest.mark.parametrize("text", [
    "", "[1]", "[" * 100_000, '{"predictions": [1], "groups": []}', '{"groups": 3}', "1e999",
])  # fmt: skip
def test_the_page_answers_mistakes(text: str) -> None:
    """A mistake is an answer, and so is half of a letter in a name."""
    module = load_metric("demographic_parity")
    assert json.loads(metric_app.compute(module, text))["error"]
    system = answer("group_metric", **PARITY, references=[1, 0], metric="os.system")
    assert " names, but it is 'os.system'. " in system["error"]
    half = metric_app.compute(module, '{"predictions": [1, 0], "groups": ["\\ud800", "b"]}')
    assert "\\ud800" in half.encode("utf-8").decode("utf-8")
