"""Reading from the Hub, and what the card takes over from a source."""

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, Value, load_dataset
from huggingface_hub import DatasetCard, HfApi

from fair_datasets.hub import push_dataset

TWINS = ["He left.", "She left.", "She left.", "He left.", None, "It rained."]
ND = "---\nlicense: cc-by-nd-4.0\nlanguage: en\nsize_categories: [1M<n<10M]\n---\n# By hand\n"
WARNING = "The licence of the source does not allow derivatives to be shared"


def texts(folder: Path, split: str = "train") -> list[Any]:
    """Return the texts of a split that was written."""
    return list(load_dataset(str(folder))[split]["text"])


@pytest.mark.parametrize(("private", "source", "options"), [
    (True, "ada/reviews", []), (True, "ada/reviews@main", []),
    (True, "ada/reviews", ["--config", "original", "--split", "train"]),
    (True, "hf://datasets/ada/reviews/original/train-00000-of-00001.parquet", []),
])  # fmt: skip
def test_each_kind_of_id(
    run: Any, hub: Any, splits: Any, tmp_path: Path, source: str, options: list[str], private: bool
) -> None:
    """A dataset of the Hub is rewritten as a file is, private or not, its features kept."""
    push_dataset(splits, "ada/reviews", config_name="original", private=private)
    outcome = run("augment", source, *options, "--text", "text", "--out", tmp_path / "out").done()
    is_whole = source.startswith("ada") and not options
    assert ("test is rewritten as well" in outcome.err) is is_whole
    assert texts(tmp_path / "out") == TWINS
    assert load_dataset(str(tmp_path / "out"))["train"].features == {
        **splits["train"].features, "family_id": Value("string"),
    }  # fmt: skip


def test_card_states_the_commit(run: Any, hub: Any, splits: Any, tmp_path: Path) -> None:
    """The command of the card makes the same again when the source has changed meanwhile."""
    push_dataset(splits, "ada/reviews", config_name="original", card=ND)
    commit = HfApi().repo_info("ada/reviews", repo_type="dataset").sha
    out = tmp_path / "out"
    assert run("augment", "ada/reviews", "--text", "text", "--out", out).code == 0
    card = DatasetCard.load(out / "README.md")
    assert f"Made from `ada/reviews@{commit}`" in card.text
    (command,) = (line for line in card.text.splitlines() if line.startswith("fair-datasets "))
    assert f"augment ada/reviews@{commit} --config original --text text " in command
    changed = splits.filter(lambda row: row["label"] == 1)
    push_dataset(changed, "ada/reviews", config_name="original")
    again = command.replace("--out out", f"--out {tmp_path / 'again'}").split()[1:]
    assert run(*again).code == 0
    assert texts(tmp_path / "again") == texts(out)


def test_licence_is_carried_over(run: Any, hub: Any, splits: Any, tmp_path: Path) -> None:
    """What is true of the source only stays behind; a licence without derivatives is warned of."""
    push_dataset(splits, "ada/reviews", card=ND)
    outcome = run("augment", "ada/reviews", "--text", "text", "--out", tmp_path / "out").done()
    assert WARNING in outcome.err
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert WARNING in card.text
    assert card.data["license"] == "cc-by-nd-4.0"
    assert card.data["language"] == "en"
    assert card.data["source_datasets"] == ["ada/reviews"]
    assert card.data["size_categories"] == ["n<1K"]
    wrong = ("--licence", "mit", "--out", tmp_path / "other")
    outcome = run("augment", "ada/reviews", "--text", "text", *wrong).refused()
    assert "states the licence 'cc-by-nd-4.0', and not 'mit'; leave out --licence." in outcome


def test_licence_of_a_folder(run: Any, hub: Any, splits: Any, tmp_path: Path) -> None:
    """On the way through a pulled folder, the licence is not lost either."""
    push_dataset(splits, "ada/reviews", card=ND)
    assert run("pull", "ada/reviews", tmp_path / "pulled").code == 0
    out = tmp_path / "out"
    words = ("augment", tmp_path / "pulled", "--text", "text", "--out", out)
    other = run(*words, "--licence", "mit")
    assert (other.code, out.exists()) == (2, False)
    assert "states the licence 'cc-by-nd-4.0', and not 'mit'" in other.err
    outcome = run(*words).done()
    assert WARNING in outcome.err
    card = DatasetCard.load(out / "README.md")
    assert (card.data["license"], card.data["language"]) == ("cc-by-nd-4.0", "en")
    assert WARNING in card.text


def test_licence_of_a_file(run: Any, reviews: Path, tmp_path: Path) -> None:
    """That of a file is what the user says."""
    options = ("--licence", "cc-by-4.0", "--out", tmp_path / "out")
    run("augment", reviews, "--text", "text", *options).quiet()
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert card.data["license"] == "cc-by-4.0"
    assert card.data.get("source_datasets") is None
    assert "--licence cc-by-4.0" in card.text


def test_what_cannot_be_read(run: Any, hub: Any, splits: Any, tmp_path: Path) -> None:
    """What a library says of it stands in the sentence, and nothing is written."""
    push_dataset(splits, "ada/reviews", config_name="original")
    push_dataset(splits, "ada/reviews", config_name="cda")
    broken = b"PAR1 nonsense PAR1"
    HfApi().create_repo("ada/broken", repo_type="dataset")
    HfApi().upload_file(
        path_or_fileobj=broken, path_in_repo="a.parquet", repo_id="ada/broken", repo_type="dataset"
    )
    sentences = {
        ("ada/reviews",): "['cda', 'original']; name it with --config.",
        ("ada/reviews", "--config", "cdaa"): "'cdaa' not found. Available: ['cda', 'original']",
        ("ada/broken",): " cannot be read: ArrowInvalid: ",
    }
    for arguments, sentence in sentences.items():
        outcome = run("augment", *arguments, "--text", "text", "--out", tmp_path / "out").refused()
        assert sentence in outcome
        assert len(outcome.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_goes_before_the_hub(
    run: Any, hub: Any, splits: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain name is what lies here; an address is never taken for it."""
    push_dataset(splits, "ada/reviews")
    (tmp_path / "ada" / "reviews").mkdir(parents=True)
    (tmp_path / "ada" / "reviews" / "a.csv").write_text("text\nIt rains.\n")
    monkeypatch.chdir(tmp_path)
    assert run("augment", "ada/reviews", "--text", "text", "--out", "here").code == 0
    assert texts(tmp_path / "here") == ["It rains."]
    outcome = run(
        "augment", "hf://datasets/ada/reviews", "--text", "text", "--out", "there"
    ).refused()
    assert "There is a folder 'ada/reviews' here, which datasets would read" in outcome


def test_configuration_of_a_folder(run: Any, tmp_path: Path) -> None:
    """The card of a folder may name configurations as well."""
    names = ("one", "two")
    configs = [f'{{"config_name": "{name}", "data_files": "{name}.csv"}}' for name in names]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "README.md").write_text(f"---\nconfigs: [{', '.join(configs)}]\n---\n")
    for name in names:
        (tmp_path / "in" / f"{name}.csv").write_text(f"text\nPart {name}.\n")
    options = ("--text", "text", "--config", "two", "--out", tmp_path / "out")
    assert run("augment", tmp_path / "in", *options).code == 0
    assert texts(tmp_path / "out") == ["Part two."]


def test_samples_are_shown_on_request(run: Any, tmp_path: Path) -> None:
    """The card shows the edits of the first changed rows, as text, and none unasked."""
    rows = {"text": ["It rains.", "He <b>ran</b>.", "She ran.", "A king."], "by": ["his mum"] * 4}
    Dataset.from_dict(rows).to_parquet(str(tmp_path / "in.parquet"))
    for number in (0, 2):
        out = tmp_path / f"out{number}"
        options = ("--text", "text", "--text", "by", "--samples", number, "--out", out)
        assert run("augment", tmp_path / "in.parquet", *options).code == 0
    assert "## Sample edits" not in (tmp_path / "out0" / "README.md").read_text()
    card = (tmp_path / "out2" / "README.md").read_text()
    shown = [line for line in card.splitlines() if "<ins>" in line]
    assert shown == [
        "1. Text: <del>his</del> <ins>her</ins> <del>mum</del> <ins>dad</ins>",
        "2. Text: <del>He</del> <ins>She</ins> &lt;b>ran&lt;/b>.",
        "3. Text: <del>his</del> <ins>her</ins> <del>mum</del> <ins>dad</ins>",
    ]
    assert "--samples 2" in card


@pytest.mark.parametrize("place", ["ada/reviews", "folder"])
def test_a_hostile_card_does_not_hang(
    run: Any, hub: Any, splits: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """A licence that stands for more than any memory holds is told, before datasets reads it."""
    monkeypatch.chdir(tmp_path)
    names = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    card = "\n".join(["---", "a0: &a0 [ha]", *names, "license: *a29", "---", ""])
    push_dataset(splits, "ada/reviews")
    HfApi().upload_file(
        path_or_fileobj=card.encode(), path_in_repo="README.md", repo_id="ada/reviews",
        repo_type="dataset",
    )  # fmt: skip
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "README.md").write_text(card)
    splits["train"].to_parquet(tmp_path / "folder" / "train.parquet")
    outcome = run("augment", place, "--text", "text", "--out", "out").refused()
    assert "it stands for more than 1000000 values" in outcome
    pulled = run("pull", "ada/reviews", tmp_path / "pulled")
    assert "it stands for more than 1000000 values" in pulled.err
