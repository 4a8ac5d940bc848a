"""What a command ends with on request: what it bought and cost, and the metadata that say so."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset
from huggingface_hub import snapshot_download

ROWS = [(f"{who} {what} {number}.", label) for number in range(60)
        for who, what, label in (("She", "won the race", "good"), ("He", "lost the race", "bad"),
                                 ("He", "won a medal", "good"))]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of rows."""
    monkeypatch.chdir(tmp_path)
    texts, labels = zip(*ROWS, strict=True)
    Dataset.from_dict({"text": texts, "label": labels}).to_csv("rows.csv")
    return tmp_path


def described(folder: Path) -> dict[str, Any]:
    """Return the Croissant file of a folder, whose digests are those of the files."""
    found: dict[str, Any] = json.loads((folder / "croissant.json").read_text("utf-8"))
    files = {path.relative_to(folder).as_posix() for path in folder.glob("data/*")}
    assert {each["contentUrl"] for each in found["distribution"]} == files
    for each in found["distribution"]:
        data = (folder / each["contentUrl"]).read_bytes()
        assert each["sha256"] == hashlib.sha256(data).hexdigest()
        assert each["contentSize"] == f"{len(data)} B"
    return found


def test_augment_ends_with_what_it_bought_and_cost(run: Callable[..., Any], place: Path) -> None:
    """In the terminal, as a page, in the card, and for machines."""
    arguments = ("augment", "rows.csv", "--text", "text", "--out", "twin", "--audit", "twin-audit",
                 "--audit-label", "label", "--licence", "mit")  # fmt: skip
    found = run(*arguments).done()
    assert "Compared with rows.csv: train 180 rows." in found.out
    assert "By construction: mention balance (gender, " in found.out
    assert (place / "twin-audit" / "audit.html").is_file()
    card = (place / "twin" / "README.md").read_text("utf-8")
    assert card.count("\n## Audit\n") == 1
    assert "- By construction: mention balance" in card
    data = described(place / "twin")
    # Each row speaks of a man or a woman, so that each has a counterfactual.
    assert data["variableMeasured"]["value"] == 0.5
    assert data["rai:hasSyntheticData"] is True
    assert any("mention an attribute of gender" in each for each in data["rai:dataBiases"])
    assert any(each.startswith("50.0% of the rows have") for each in data["rai:dataLimitations"])
    stated = [*data["rai:dataBiases"], *data["rai:dataLimitations"]]
    assert not [each for each in stated if "probe" in each or "before and is" in each]
    assert "\nOf a probe that was trained on rows, and not of the rows themselves:\n" in card
    assert data["prov:wasDerivedFrom"] == [{"@type": "prov:Entity", "prov:label": "rows.csv"}]
    assert data["license"] == "mit"
    rows = load_dataset("twin", split="train")
    assert rows.num_rows == 360
    columns = [field["source"]["extract"]["column"] for field in data["recordSet"][0]["field"]]
    assert columns == rows.column_names
    assert str(place) not in json.dumps(data)
    assert "train 360 rows" in run("audit", "twin", "--text", "text", "--axis", "age").out
    (place / "twin-audit").rename("first-audit")
    assert run(*arguments, "--overwrite").code == 0


def test_correct_ends_with_it_as_well(run: Callable[..., Any], place: Path) -> None:
    """Rows that are left out are no synthetic ones."""
    words = {"she": 1, "he": -1, "woman": 1, "man": -1, "her": 1, "his": -1, "won": 0,
             "lost": 0, "the": 0, "a": 0, "race": 0.5, "medal": 0.1}  # fmt: skip
    lines = [f"{word} {side} {number}" for number, (word, side) in enumerate(words.items())]
    Path("vectors.txt").write_text(f"{len(words)} 2\n" + "\n".join(lines) + "\n")
    found = run("correct", "rows.csv", "--text", "text", "--label", "label", "--correction",
                "Sub90", "--vectors", "vectors.txt", "--out", "less", "--audit",
                "less-audit").done()  # fmt: skip
    assert "What the change bought, and what it cost:" in found.out
    data = described(place / "less")
    assert data["variableMeasured"]["value"] == 0
    assert data["rai:hasSyntheticData"] is False


def test_one_file_has_an_audit_and_no_card(run: Callable[..., Any], place: Path) -> None:
    """The page and the Croissant file are in the folder of the audit."""
    run("augment", "rows.csv", "--text", "text", "--out", "twin.csv", "--audit", "a").done()
    assert sorted(path.name for path in (place / "a").iterdir()) == [
        "audit.html", "audit.json", "audit.parquet", "croissant.json",
    ]  # fmt: skip
    data = json.loads((place / "a" / "croissant.json").read_text("utf-8"))
    (file,) = data["distribution"]
    assert file["contentUrl"] == "twin.csv"
    assert file["sha256"] == hashlib.sha256((place / "twin.csv").read_bytes()).hexdigest()
    assert data["variableMeasured"]["value"] == 0.5


def test_what_is_published_has_its_audit_beside_the_data(run: Any, hub: Any, place: Path) -> None:
    """In the card, and for machines, with the digests of the files on the Hub."""
    run("augment", "rows.csv", "--text", "text", "--out", "hf://datasets/ada/twin",
        "--config-name", "cda", "--audit", "a", "--audit-label", "label").done()  # fmt: skip
    folder = Path(snapshot_download("ada/twin", repo_type="dataset", local_dir=place / "there"))
    data = json.loads((folder / "croissant-cda.json").read_text("utf-8"))
    (file,) = data["distribution"]
    assert file["contentUrl"].startswith("cda/train-")
    assert file["sha256"] == hashlib.sha256((folder / file["contentUrl"]).read_bytes()).hexdigest()
    assert data["name"] == "twin (cda)"
    assert any("mention an attribute of gender" in each for each in data["rai:dataBiases"])
    card = (folder / "README.md").read_text("utf-8")
    assert "## Audit" in card
    assert "By construction: mention balance" in card
    assert run("audit", "ada/twin", "--config", "cda", "--text", "text", "--out", "b").code == 0
    data = json.loads((place / "b" / "croissant.json").read_text("utf-8"))
    assert data["url"].endswith("/datasets/ada/twin")
    assert data["distribution"] == []


def test_the_croissant_file_of_an_audit_is_published_from_beside_the_data(
    run: Callable[..., Any], hub: Any, place: Path
) -> None:
    """With the files as they lie there."""
    (place / "mine" / "data").mkdir(parents=True)
    Dataset.from_csv("rows.csv").to_parquet("mine/data/train-00000-of-00001.parquet")
    assert run("audit", "mine", "--text", "text", "--out", "a").code == 0
    (place / "a" / "croissant.json").rename(place / "mine" / "croissant.json")
    refused = run("audit", "mine", "--text", "text").refused()
    assert "which datasets reads as rows if no card names the data files" in refused
    (place / "mine" / "README.md").write_text(
        "---\nconfigs:\n- config_name: default\n  data_files: data/*.parquet\n---\n"
    )
    assert "train 180 rows" in run("audit", "mine", "--text", "text").out
    assert run("push", "dataset", "mine", "ada/mine").code == 0
    folder = Path(snapshot_download("ada/mine", repo_type="dataset", local_dir=place / "there"))
    data = described(folder)
    assert any("mention an attribute of gender" in each for each in data["rai:dataBiases"])
