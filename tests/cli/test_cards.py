"""The code in a card that a command wrote, run by a stranger."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from huggingface_hub import DatasetCard

from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.hub import push_dataset
from fair_datasets.technique import reproduce

TEXTS = ["He is a host, 9.", "It rains.", "NA", "A guest, a king and a local met."]


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Return a folder of somebody's own, with a lexicon and a file of rows."""
    folder = tmp_path / "home" / "ada"
    folder.mkdir(parents=True)
    (folder / "team.tsv").write_text("here\taway\thome\nhost\tguest\tlocal\n")
    (folder / "team.exceptions.tsv").write_text("phrase\treason\nhost of angels\tmany\n")
    lines = [f'{number},"{text}",{number % 2}' for number, text in enumerate(TEXTS)]
    (folder / "reviews.csv").write_text("\n".join(["id,text,label", *lines, ""]))
    return folder


def section(card: str, name: str) -> str:
    """Return what a card says of a configuration."""
    found = re.search(rf"(?s)begin {name} -->\n(.*?)\n<!-- fair_datasets: end {name}", card)
    assert found is not None
    return found[1]


def code_of(text: str, language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return [block.code for block in fenced_blocks(text) if block.language == language]


def rows_of(dataset: Any) -> dict[str, list[Any]]:
    """Return the rows of every split."""
    return {split: list(rows) for split, rows in dataset.items()}


def run_code(code: str) -> Any:
    """Run the code of a card, and return its dataset."""
    scope: dict[str, Any] = {}
    exec(code, scope)
    return scope["dataset"]


@pytest.mark.slow
@pytest.mark.parametrize("is_on_hub", [False, True])
def test_a_stranger_makes_it_again(
    run: Any, hub: Any, private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    is_on_hub: bool,
) -> None:  # fmt: skip
    """One configuration of several, with a lexicon of somebody's own, traced, from its source."""
    source = str(private / "reviews.csv")
    if is_on_hub:
        push_dataset(load_dataset("csv", data_files=source), "ada/raw", config_name="plain")
        source = "ada/raw"
    for name, mode in (("cda", "augment"), ("cds", "substitute")):
        run(
            "augment", source, "--text", "text", "--axis", private / "team.tsv", "--axis", "gender",
            "--joint", "--provenance", "--mode", mode, "--seed", 4,
            *(["--rate", 0.9] if mode == "substitute" else []),
            "--out", "hf://datasets/ada/reviews", "--config-name", name,
        ).quiet()  # fmt: skip
    (private / "team.tsv").rename(private / "gone.tsv")
    for name in ("cda", "cds"):
        stranger = tmp_path / f"stranger-{name}"
        assert run("pull", "ada/reviews", stranger, "--config-name", name).code == 0
        (stranger / "reviews.csv").write_bytes((private / "reviews.csv").read_bytes())
        monkeypatch.chdir(stranger)
        card = (stranger / "README.md").read_text()
        load, again = code_of(section(card, name), "python")
        published = run_code(load)
        made = run_code(again)
        assert rows_of(made) == rows_of(published)
        assert made["train"].features == published["train"].features
        (command,) = code_of(section(card, name), "sh")
        team, gender = stranger.glob("lexicons/*/team*.tsv")
        for file in (team, gender):
            (stranger / file.name).write_bytes(file.read_bytes())
        words = shlex.split(command.replace("hf://datasets/ada/reviews", "again"))[1:]
        words = words[: words.index("--config-name")] + words[words.index("--config-name") + 2 :]
        assert run(*words).code == 0
        assert rows_of(load_dataset(str(stranger / "again"))) == rows_of(published)


def test_nothing_says_where_files_lie(run: Any, hub: Any, private: Path, tmp_path: Path) -> None:
    """Neither the card nor the rows, here and on the Hub, name a folder of this machine."""
    words = (
        "augment", private / "reviews.csv", "--text", "text", "--axis", private / "team.tsv",
        "--provenance", "--samples", 2, "--target", "away",
    )  # fmt: skip
    assert run(*words, "--out", tmp_path / "out").code == 0
    assert run(*words, "--out", "hf://datasets/ada/reviews").code == 0
    said = [
        (tmp_path / "out" / "README.md").read_text(),
        DatasetCard.load("ada/reviews").content,
        json.dumps(rows_of(load_dataset(str(tmp_path / "out")))),
        *map(str, (tmp_path / "out").rglob("*")),
    ]
    for text in said:
        assert "home/ada" not in text
        assert str(tmp_path) not in text.replace(str(tmp_path / "out"), "")
    for command in ("score", "select"):
        scored = tmp_path / "score"
        words = {
            "score": (private / "reviews.csv", "--probes", 1, "--out", scored),
            "select": (scored, "-a", 1, "-b", 1, "--out", tmp_path / "select"),
        }[command]
        run(command, *words, "--text", "text").quiet()
        assert str(tmp_path) not in (tmp_path / command / "README.md").read_text()
        assert "dataset = load_dataset(" in (tmp_path / command / "README.md").read_text()


def test_the_files_of_a_folder_are_pushed_with_it(
    run: Any, hub: Any, private: Path, tmp_path: Path, nameless: str
) -> None:
    """Lexicons and the weights of a reader, as they were written here; links do not travel."""
    out = tmp_path / "out"
    words = ("augment", private / "reviews.csv", "--text", "text", "--axis", private / "team.tsv",
             "--reader", nameless)  # fmt: skip
    assert run(*words, "--out", out).code == 0
    assert run(*words, "--out", out, "--overwrite").code == 0
    assert len(list(out.glob("lexicons/*/*.tsv"))) == 2
    (out / "lexicons" / "12345678").mkdir()
    (out / "lexicons" / "12345678" / "secret.tsv").symlink_to(private / "reviews.csv")
    pushed = run("push", "dataset", out, "ada/reviews").quiet()
    assert "lexicons/12345678" not in pushed.out
    assert (pushed.out.count("lexicons/"), pushed.out.count("weights/")) == (2, 1)
    # A second push does not take the lexicons for data that nobody names.
    run("push", "dataset", out, "ada/reviews", "--config-name", "more").quiet()
    assert rows_of(load_dataset("ada/reviews", "default")) == rows_of(load_dataset(str(out)))
    Path(nameless).unlink()
    assert run("pull", "ada/reviews", tmp_path / "in", "--config-name", "default").code == 0
    (technique,) = reproduce(tmp_path / "in", config_name="default")
    assert technique.apply(load_dataset("csv", data_files=str(private / "reviews.csv")))


def test_the_card_of_the_demo(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code makes the rows of the demo again."""
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--out", "demo").code == 0
    monkeypatch.chdir(tmp_path / "demo")
    load, again = code_of((tmp_path / "demo" / "README.md").read_text(), "python")
    made = run_code(again)
    monkeypatch.chdir(tmp_path)
    assert rows_of(made) == rows_of(run_code(load))


@pytest.mark.parametrize(
    "name", ["we[1]rd *name? nul ", "two\nlines `code` $x", "<script> a--b", "-out ä ü"]
)
def test_a_lexicon_of_any_name(
    run: Any, hub: Any, private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It is published, pulled and found again, whatever its file is called."""
    own = private / f"{name}.tsv"
    (private / "team.tsv").rename(own)
    words = (
        "augment", private / "reviews.csv", "--text", "text", "--axis", own, "--target", "home",
    )  # fmt: skip
    run(*words, "--out", "hf://datasets/ada/reviews").quiet()
    stranger = tmp_path / "stranger"
    assert run("pull", "ada/reviews", stranger).code == 0
    (stranger / "reviews.csv").write_bytes((private / "reviews.csv").read_bytes())
    monkeypatch.chdir(stranger)
    card = (stranger / "README.md").read_text()
    load, again = code_of(section(card, "default"), "python")
    assert rows_of(run_code(again)) == rows_of(run_code(load))


def test_pairs(run: Any, private: Path, tmp_path: Path) -> None:
    """The counterfactual stands beside the text; what the counts say is said of it."""
    out = tmp_path / "out"
    words = ("augment", private / "reviews.csv", "--text", "text", "--mode", "pair")
    outcome = run(*words, "--out", out).quiet()
    assert "train: 4 rows in, 4 rows out, 2 rewritten" in outcome.out
    rows = load_dataset(str(out))["train"]
    assert rows["text"][:] == TEXTS
    assert rows["text_counterfactual"][0] == "She is a hostess, 9."
    card = (out / "README.md").read_text()
    assert "--mode pair" in card
    assert "| train | man | 3 | 0 |" in card
    assert "Each row keeps its texts; their counterfactuals stand beside them." in card
    shown = run(*words, "--dry-run")
    assert shown.out.count("\n+ ") == 2
