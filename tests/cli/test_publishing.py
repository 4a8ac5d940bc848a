"""What becomes of a result that could not be published."""

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset
from huggingface_hub import DatasetCard, HfApi

from fair_datasets.cli.file_outputs import new_folder
from fair_datasets.cli.outputs import write_parquet
from fair_datasets.hub import pull_dataset, push_dataset
from fair_datasets.system import interrupts

HUB = "hf://datasets/ada/reviews"

pytestmark = pytest.mark.usefixtures("here")


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

    with pytest.raises(KeyboardInterrupt), interrupts.noted():
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
