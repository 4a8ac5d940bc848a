"""Publishing on the Hub with --out."""

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, load_dataset
from huggingface_hub import DatasetCard, HfApi

from fair_datasets import CounterfactualSwap
from fair_datasets.cli.outputs import write_parquet
from fair_datasets.hub import pull_dataset, push_dataset
from fair_datasets.jobs.file_outputs import new_folder
from fair_datasets.system import interrupts
from fair_datasets.technique import reproduce

HUB = "hf://datasets/ada/reviews"

pytestmark = pytest.mark.usefixtures("here")


def test_a_file_is_published(run: Any, hub: Any, reviews: Path, here: Path, left: Any) -> None:
    """The result on the Hub is the one that a folder holds, and nothing stays here."""
    outcome = run("augment", reviews, "--text", "text", "--out", HUB, "--licence", "mit").quiet()
    assert f"Written to {hub.url}/datasets/ada/reviews. To load it:" in outcome.out
    assert "dataset = load_dataset('ada/reviews')" in outcome.out
    assert left() == []
    published = load_dataset("ada/reviews")
    assert run("augment", reviews, "--text", "text", "--out", "folder").code == 0
    folder = load_dataset("folder")
    assert {split: list(rows) for split, rows in published.items()} == {
        split: list(rows) for split, rows in folder.items()
    }
    assert published["train"].features == folder["train"].features
    card = DatasetCard.load("ada/reviews")
    assert card.data["license"] == "mit"
    assert vars(card.data)["pretty_name"] == "reviews"
    assert reproduce(card) == (CounterfactualSwap(columns="text"),)
    assert "| train | 2 | 3 | 1 |" in card.text
    assert "| train | man | 2 | 2 |" in card.text


@pytest.mark.slow
def test_three_configurations_in_one_repository(run: Any, hub: Any, splits: Any, left: Any) -> None:
    """The original and its CDA and CDS live side by side, each with its data and its section."""
    by_hand = "---\nlicense: mit\ntags: [reviews]\n---\n# Written by hand\n"
    push_dataset(splits, "ada/reviews", config_name="original", card=by_hand, private=True)
    for name, mode in {"cda": "augment", "cds": "substitute"}.items():
        outcome = run(
            "augment", "ada/reviews", "--config", "original", "--text", "text", "--mode", mode,
            "--out", HUB, "--config-name", name, "--private",
        ).done()  # fmt: skip
        assert f"load_dataset('ada/reviews', '{name}')" in outcome.out
    assert left() == []
    originals = pull_dataset("ada/reviews", "original")
    assert {split: list(rows) for split, rows in originals.items()} == {
        split: list(rows) for split, rows in splits.items()
    }
    card = DatasetCard.load("ada/reviews")
    assert [each["config_name"] for each in card.data["configs"]] == ["cda", "cds", "original"]
    assert card.text.count("# Written by hand") == 1
    assert card.data["license"] == "mit"
    assert "reviews" in card.data["tags"]
    # It is no source of itself.
    assert card.data.get("source_datasets") is None
    for name, mode in {"cda": "augment", "cds": "substitute"}.items():
        (technique,) = reproduce(card, config_name=name)
        assert technique == CounterfactualSwap(columns="text", mode=mode)
        made = originals["train"].map(technique, batched=True)
        assert list(made) == list(pull_dataset("ada/reviews", name, split="train"))


def test_a_branch(run: Any, hub: Any, reviews: Path, splits: Any) -> None:
    """An address may name a branch, which is created."""
    push_dataset(splits, "ada/reviews")
    outcome = run(
        "augment", reviews, "--text", "text", "--out", f"{HUB}@v2", "--split", "train"
    ).refused()
    assert "a configuration 'default' with other columns" in outcome
    options = ("--text", "text", "--config-name", "cda")
    outcome = run("augment", "ada/reviews", *options, "--out", f"{HUB}@v2").done()
    assert "load_dataset('ada/reviews', 'cda', revision='v2')" in outcome.out
    assert pull_dataset("ada/reviews", "cda", split="train", revision="v2").num_rows == 6
    assert "cda/" not in str(HfApi().list_repo_files("ada/reviews", repo_type="dataset"))


def test_splits_keep_their_columns_and_order(run: Any, hub: Any, here: Path) -> None:
    """Splits come as they are usually listed; where they differ, nothing is sent."""
    rows = Dataset.from_dict({"text": ["He ran."], "n": [1]})
    (here / "in").mkdir()
    folder = here / "in" / "saved"
    DatasetDict(test=rows, validation=rows, other=rows, train=rows).save_to_disk(str(folder))
    assert run("augment", folder, "--text", "text", "--out", HUB).code == 0
    assert list(pull_dataset("ada/reviews")) == ["train", "validation", "test", "other"]
    sent = hub.uploads()
    folder = here / "in" / "different"
    DatasetDict(train=rows, test=rows.remove_columns("n")).save_to_disk(str(folder))
    options = ("--text", "text", "--out", HUB, "--config-name", "cda")
    outcome = run("augment", folder, *options).refused()
    assert "the splits 'train' and 'test' differ in 'n', and load_dataset opens" in outcome
    assert hub.uploads() == sent


def test_private_rows_do_not_become_public(run: Any, hub: Any, splits: Any) -> None:
    """What is made from a private dataset is private too."""
    push_dataset(splits, "ada/secret", private=True)
    sent = hub.uploads()
    options = ("--text", "text", "--out", "hf://datasets/ada/twin")
    outcome = run("augment", "ada/secret", *options).refused()
    assert "The dataset ada/secret is private, and what is made from it would be" in outcome
    assert hub.uploads() == sent
    assert run("augment", "ada/secret", *options, "--private").code == 0
    assert HfApi().repo_info("ada/twin", repo_type="dataset").private
    assert DatasetCard.load("ada/twin").data["source_datasets"] == ["ada/secret"]


@pytest.mark.parametrize(("config", "source", "name"), [
    ("default", "ada/reviews", []), ("default", "ada/reviews@main", []),
    ("original", "ada/reviews", ["--config-name", "original"]),
    ("default", f"{HUB}/data/train-00000-of-00001.parquet", []),
])  # fmt: skip
def test_a_source_is_not_replaced(
    run: Any, hub: Any, splits: Any, config: str, source: str, name: list[str]
) -> None:
    """The rows that are read are never written over, also where their configuration is implied."""
    push_dataset(splits, "ada/reviews", config_name=config)
    sent = hub.uploads()
    outcome = run("augment", source, "--text", "text", "--out", HUB, *name).refused()
    assert f"The configuration {config!r} of ada/reviews would be replaced by" in outcome
    assert hub.uploads() == sent


def test_overwriting_a_folder(run: Any, hub: Any, reviews: Path, here: Path) -> None:
    """What an earlier run wrote is replaced as a whole; what somebody else wrote never is."""
    words = ("augment", reviews, "--text", "text", "--out", "out", "--overwrite")
    for mode, count in (("augment", 3), ("replace", 2)):
        assert run(*words, "--mode", mode).code == 0
        assert load_dataset("out")["train"].num_rows == count
    read = run("augment", "out", "--text", "text", "--out", "out", "--overwrite").refused()
    assert "augment: out would be replaced by what is made from it; give another" in read
    (here / "out" / "mine.txt").write_text("mine")
    outcome = run(*words).refused()
    assert "out/mine.txt was not written by fair-datasets and would be lost" in outcome
    assert load_dataset("out")["train"].num_rows == 2
    (here / "theirs" / "data").mkdir(parents=True)
    (here / "theirs" / "README.md").write_text("# By hand\n")
    outcome = run(*words[:-2], "theirs", "--overwrite")
    assert (outcome.code, "would be lost" in outcome.err) == (2, True)
    assert (here / "theirs" / "README.md").read_text() == "# By hand\n"


def test_a_broken_upload_goes_on(
    run: Any, hub: Any, splits: Any, here: Path, left: Any, impatient: None
) -> None:
    """What was made is kept, and the same command sends what is missing alone."""
    push_dataset(splits, "ada/original")
    known = len(hub.uploads())
    arguments = ("augment", "ada/original", "--text", "text", "--out", HUB, "--private")
    hub.break_after(1)
    outcome = run(*arguments).refused()
    assert "connection broke off" in outcome
    assert outcome.endswith(
        "(what is finished is kept in ada-reviews.work, and the same command goes on from there.)\n"
    )
    assert [path.name for path in left()] == ["ada-reviews.work"]
    hub.break_after(None)
    assert run(*arguments).code == 0
    sent = hub.uploads()[known:]
    assert len(sent) == len(set(sent)) == 2
    assert HfApi().repo_info("ada/reviews", repo_type="dataset").private
    assert left() == []
    before = load_dataset("ada/reviews")
    card = DatasetCard.load("ada/reviews").content
    assert run(*arguments, "--overwrite").code == 0
    assert {split: list(rows) for split, rows in load_dataset("ada/reviews").items()} == {
        split: list(rows) for split, rows in before.items()
    }
    assert DatasetCard.load("ada/reviews").content == card
    assert left() == []


@pytest.mark.parametrize(("requests", "status", "told"), [
    ("PUT /large/", 503, "The Hub answered with an error (503 of "),
    ("/commit/", 429, "The Hub asks to wait: too many requests"),
    ("/commit/", 500, "The Hub answered with an error (500 of "),
])  # fmt: skip
def test_a_refused_upload_computes_nothing_again(
    run: Any, hub: Any, reviews: Path, left: Any, impatient: None,
    monkeypatch: pytest.MonkeyPatch, requests: str, status: int, told: str,
) -> None:  # fmt: skip
    """Its shards are kept, and are what the same command sends."""

    def never(*anything: object) -> None:
        raise AssertionError("it was computed again")

    words = ("augment", reviews, "--text", "text", "--out", HUB)
    hub.refuse(requests, status)
    outcome = run(*words).refused()
    assert outcome.startswith(f"\nfair-datasets: {told}")
    assert "(what is finished is kept in ada-reviews.work, and the same" in outcome
    assert len(outcome.strip().splitlines()) == 1
    assert [path.name for path in left()] == ["ada-reviews.work"]
    hub.refuse("", status, times=0)
    with monkeypatch.context() as patch:
        patch.setattr("fair_datasets.jobs.rewriting.RewriteShard.__call__", never)
        assert run(*words).code == 0
    assert left() == []
    assert len(pull_dataset("ada/reviews", split="train")) == 3


def test_an_interrupt_that_was_lost_leaves_nothing(here: Path, left: Any) -> None:
    """It is looked for before anything appears where it is to be."""

    def work() -> None:
        with new_folder(here / "out") as folder:
            write_parquet(Dataset.from_dict({"text": ["He won."]}), folder, "train")
            with pytest.raises(KeyboardInterrupt):
                interrupts._note(signal.SIGINT, None)  # as in a destructor

    with pytest.raises(KeyboardInterrupt), interrupts.record_signals():
        work()
    assert left() == []


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("command", ["augment", "push"])
def test_an_interrupted_upload_is_told(
    run: Any, hub: Any, reviews: Path, here: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Ctrl-C while something is sent is told from one before, and costs no work."""

    def interrupt(*arguments: object, **options: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("huggingface_hub.HfApi.preupload_lfs_files", interrupt)
    words = {
        "augment": ("augment", reviews, "--text", "text", "--out", HUB),
        "push": ("push", "dataset", reviews, "ada/reviews"),
    }
    outcome = run(*words[command])
    assert outcome.code == 130
    assert outcome.err.endswith(
        "\nfair-datasets: interrupted; run the same again to go on: what the Hub has is not sent "
        "again.\n"
    )
    assert (here / "ada-reviews.work").exists() == (command == "augment")


OLD = ["It rained.", "It snowed."]
NEW = ["He left.", "She left.", "It rained."]


def state_of(name: str) -> tuple[list[str], bool]:
    """Return the rows of a dataset of the Hub, and whether its card speaks of the new ones."""
    rows = list(pull_dataset(name, split="train")["text"])
    text = DatasetCard.load(name, repo_type="dataset").content
    assert ("Yesterday." in text) != ("CounterfactualSwap" in text)
    return rows, "CounterfactualSwap" in text


@pytest.mark.slow
@pytest.mark.parametrize("loses_answers", [False, True])
def test_data_and_card_never_stand_apart(
    run: Any, hub: Any, here: Path, left: Any, impatient: None, loses_answers: bool
) -> None:
    """Wherever the connection breaks, both are old or both are new, and nothing made is lost."""
    (here.parent / "in.txt").write_text("He left.\nIt rained.\n")
    words = ("augment", here.parent / "in.txt", "--text", "text", "--out", HUB, "--overwrite")
    seen = set()
    for requests in itertools.count():
        hub.reset()
        old = Dataset.from_dict({"text": OLD, "label": [0, 1]})
        push_dataset(old, "ada/reviews", card="# Yesterday.\n")
        hub.cut_after(requests, loses_answers=loses_answers)
        outcome = run(*words)
        hub.cut_after(None)
        rows, is_new = state_of("ada/reviews")
        assert rows == (NEW if is_new else OLD)
        if outcome.code == 0:
            break
        assert "the connection broke off" in outcome.err
        kept = list(here.iterdir())
        if kept:
            assert [path.name for path in kept] == ["ada-reviews.work"]
            assert run(*words).code == 0
            assert state_of("ada/reviews") == (NEW, True)
        seen.add((is_new, bool(kept)))
        assert left() == []
    assert is_new
    # It broke before the work and after it; what an answer that is lost tells was done.
    assert seen == {(False, False), (False, True), *([(True, True)] if loses_answers else [])}
