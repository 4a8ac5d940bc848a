"""The command `audit --evidence`, and what people state of a dataset in a pyproject.toml."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

AUDIT = ("audit", "rows.csv", "--text", "text")
STATED = """\
[tool.fair_datasets.card]
license = "mit"
version = "1.0.0"
datePublished = 2026-11-26
citeAs = "Rows, 2026."
dataUseCases = ["Teaching."]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of rows."""
    monkeypatch.chdir(tmp_path)
    Dataset.from_dict({"text": ["He ran.", "He won.", "She sat.", "Rain."]}).to_csv("rows.csv")
    return tmp_path


def croissant_in(folder: Path) -> dict[str, Any]:
    """Read the Croissant file of a folder."""
    found: dict[str, Any] = json.loads((folder / "croissant.json").read_text("utf-8"))
    return found


def filled(folder: Path) -> str:
    """Fill in the draft of a folder, and return it."""
    text = (folder / "scenarios.toml").read_text("utf-8")
    text = text.replace('threshold = ""', "threshold = 0.6").replace('= ""', '= "2027-01-31"')
    (folder / "scenarios.toml").write_text(text, "utf-8")
    return text


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_evidence_is_drafted_filled_in_and_written_anew(
    run: Callable[..., Any], place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What is stated is in its Croissant file; what is still empty is told at the end."""
    Path("pyproject.toml").write_text(STATED)
    found = run(*AUDIT, "--evidence", "evidence").done()
    assert "Still empty in croissant.json: rai:dataSocialImpact, " in found.out
    assert "State what is known in [tool.fair_datasets.card] of pyproject.toml." in found.out
    assert found.out.endswith(
        "evidence/scenarios.toml is a draft: fill it in, and run this again with --overwrite.\n"
    )
    text = filled(place / "evidence")
    refused = run(*AUDIT, "--evidence", "evidence").refused()
    assert "replace it with --overwrite, which keeps scenarios.toml" in refused
    assert run(*AUDIT, "--evidence", "evidence", "--overwrite").code == 0
    assert (place / "evidence" / "scenarios.toml").read_text("utf-8") == text
    assert (place / "evidence" / "tables" / "scenarios.csv").is_file()
    data = croissant_in(place / "evidence")
    assert data["rai:dataUseCases"] == ["Teaching."]
    assert data["distribution"][0]["contentUrl"] == "rows.csv"
    mlcroissant = pytest.importorskip("mlcroissant")
    read = mlcroissant.Dataset(jsonld=str(place / "evidence" / "croissant.json"))
    issues = read.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())


def test_scenarios_alone_may_lie_there(run: Callable[..., Any], place: Path) -> None:
    """A copy of those of another audit; the figures are those of this one."""
    assert run(*AUDIT, "--evidence", "one").code == 0
    text = filled(place / "one")
    (place / "two").mkdir()
    (place / "two" / "scenarios.toml").write_text(text, "utf-8")
    assert run(*AUDIT, "--evidence", "two").code == 0
    assert (place / "two" / "scenarios.toml").read_text("utf-8") == text


def test_the_folder_may_stand_in_the_project_file(run: Callable[..., Any], place: Path) -> None:
    """In place of that of the audit alone; what is given goes before it."""
    Path("pyproject.toml").write_text('[tool.fair_datasets.audit]\nevidence = "e"\n')
    assert run(*AUDIT).code == 0
    assert (place / "e" / "scenarios.toml").is_file()
    assert run(*AUDIT, "--out", "o").code == 0
    assert not (place / "o" / "scenarios.toml").exists()
    for table in ("audit", "card"):
        Path("pyproject.toml").write_text(f"[tool.fair_datasets.{table}]\nversion = \n")
        assert "pyproject.toml cannot be read (" in run(*AUDIT).refused()


def test_what_a_card_states_is_taken_over(run: Callable[..., Any], place: Path) -> None:
    """The steps that made the rows, and the metadata; those of the project go before them."""
    augmented = run("augment", "rows.csv", "--text", "text", "--licence", "mit", "--out", "twin",
                    "--audit", "a").done()  # fmt: skip
    assert "Still empty in croissant.json: " in augmented.out
    read, swapped = croissant_in(place / "twin")["prov:wasGeneratedBy"]
    assert read["prov:label"] == "rows read as they are (train 4)"
    assert read["prov:startedAtTime"] <= swapped["prov:endedAtTime"]
    card = (place / "twin" / "README.md").read_text("utf-8")
    stated = "---\ndataSocialImpact: Small.\nversion: new\nciteAs: Twin.\n"
    (place / "twin" / "README.md").write_text(card.replace("---\n", stated, 1), "utf-8")
    Path("pyproject.toml").write_text('[tool.fair_datasets.card]\nciteAs = "Mine."\n')
    assert run("audit", "twin", "--text", "text", "--out", "b").code == 0
    data = croissant_in(place / "b")
    assert (data["license"], data["rai:dataSocialImpact"]) == ("mit", "Small.")
    assert data["citeAs"] == "Mine."
    assert "version" not in data
    (step,) = data["prov:wasGeneratedBy"]
    assert step["prov:label"] == "CounterfactualSwap (mode augment, axis gender, seed 0)"
    assert data["rai:dataManipulationProtocol"] == step["prov:label"]
