"""A rewriter of somebody else's: one file, through the contract, the command, cards and the Hub."""

import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from huggingface_hub import DatasetCard, ModelCard

from fair_datasets import InputError, load_technique
from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.swap import undo
from fair_datasets.technique import Technique
from fair_datasets.testing import check_technique

FOLDER = Path(__file__).parent / "examples"
FILE = FOLDER / "titles.py"
NAMED = f"{FILE}:Titles"
TEXTS = ["Mr. Gray met Mrs Bell.", "It rains.", "", "Miss  Lake is an actor, 5."]
NEW = ["Mx. Gray met Mx. Bell.", "It rains.", "", "Mx.  Lake is an actor, 5."]

_OF_THE_COMMANDS = runpy.run_path(str(Path(__file__).parents[2] / "cli" / "conftest.py"))
hub, impatient, run = (_OF_THE_COMMANDS[name] for name in ("hub", "impatient", "run"))


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """Forget the module afterwards, and where it lies."""
    path = [*sys.path]
    yield
    sys.path[:] = path
    sys.modules.pop("titles", None)


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the class, as somebody imports it who has its file."""
    monkeypatch.syspath_prepend(FOLDER)
    from titles import Titles  # type: ignore[import-not-found]

    return Titles


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file of rows."""
    path = tmp_path / "in.jsonl"
    lines = [json.dumps({"text": text, "n": n}) for n, text in enumerate(TEXTS)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"mode": "pair", "keep": ["Gray"]},
        {"mode": "substitute", "provenance": True, "id_column": "n", "rate": 0.7},
    ],
    ids=["pair", "substitute"],
)
def test_the_contract_is_kept(titles: Any, options: dict[str, Any]) -> None:
    """What is inherited is all that the contract asks for."""
    check_technique(
        titles(columns=("text", "more"), **options),
        {"text": TEXTS, "more": [None, "Ms. Wood", "Mr Hill", "x"], "n": [4, 5, 6, 7]},
    )


def test_edits_are_found_and_undone(titles: Any) -> None:
    """A rewriter that states no edits gets those between the texts."""
    result = titles(columns="text", mode="replace", provenance=True)({"text": TEXTS})
    assert result["text"] == NEW
    assert result["title_status"] == ["written", "no title", "no title", "written"]
    first = result["edits"][0][0]
    assert (first["before"], first["after"], first["axis"]) == ("Mr", "Mx", "gender")
    assert list(map(undo, result["text"], result["edits"])) == TEXTS


@pytest.mark.slow
def test_the_command_runs_it(run: Any, source: Path, tmp_path: Path) -> None:
    """The rows are those of the library, its parameters are typed, and its log is counted."""
    options = ["--technique", NAMED, "--text", "text", "--mode", "replace", "--provenance",
               "--set", "keep=Gray", "--set", "keep=Bell", "--set", "title=M.",
               "--num-proc", 2]  # fmt: skip
    outcome = run("augment", source, *options, "--out", tmp_path / "out")
    assert (outcome.code, outcome.err) == (0, "")
    assert "train: 4 rows in, 4 rows out, 1 rewritten" in outcome.out
    assert "title_status written: 1\n" in outcome.out
    rows = load_dataset(str(tmp_path / "out"))["train"]
    assert rows["text"][:] == [*TEXTS[:3], "M.  Lake is an actor, 5."]
    assert rows["n"][:] == [0, 1, 2, 3]
    assert [edit["before"] for edit in rows["edits"][3]] == ["Miss"]


def test_a_dry_run_shows_its_changes(run: Any, source: Path) -> None:
    """The changes are shown, whatever made them."""
    outcome = run("augment", source, "--technique", NAMED, "--text", "text", "--dry-run")
    assert outcome.code == 0
    assert "train: 2 rows would change." in outcome.out
    assert "Mx" in outcome.out


def test_settings_are_read_from_a_file(run: Any, source: Path, tmp_path: Path) -> None:
    """A JSON file holds parameters; what stands in the command goes before it."""
    settings = tmp_path / "settings.json"
    settings.write_text('{"title": "Dr.", "keep": ["Gray"]}')
    out = tmp_path / "out"
    command = ["augment", source, "--technique", NAMED, "--text", "text", "--mode", "replace"]
    command += ["--settings", settings, "--set", "title=M.", "--out", out]
    assert run(*command).code == 0
    assert load_dataset(str(out))["train"]["text"][0] == "Mr. Gray met M. Bell."
    again = next(block.code for block in fenced_blocks((out / "README.md").read_text())
                 if block.language == "sh")  # fmt: skip
    assert "in.jsonl --text text" in again
    assert "--technique titles.py:Titles" in again
    assert "--set title=M. --set 'keep=[\"Gray\"]'" in again


@pytest.mark.slow
def test_a_card_makes_it_again(run: Any, hub: Any, source: Path, tmp_path: Path) -> None:
    """Who has the file runs the card's code; nobody's code is run because a card names it."""
    words = ["augment", source, "--technique", NAMED, "--text", "text"]
    outcome = run(*words, "--out", "hf://datasets/ada/titles")
    assert (outcome.code, outcome.err) == (0, "")
    here = tmp_path / "stranger"
    assert run("pull", "ada/titles", here).code == 0
    card = DatasetCard.load(here / "README.md").text
    assert "`Titles` is code of its own: the module `titles`" in card
    assert r"| train | title\_status | written | 2 |" in card
    (here / "in.jsonl").write_bytes(source.read_bytes())
    code = next(block.code for block in fenced_blocks(card)
                if block.language == "python" and "reproduce" in block.code)  # fmt: skip
    (here / "again.py").write_text(f"{code}\nprint(*dataset['train']['text'], sep='|')\n")
    command = [sys.executable, "again.py"]
    process = subprocess.run(command, cwd=here, capture_output=True, text=True)
    assert "No module named 'titles'" in process.stderr
    (here / "titles.py").write_bytes(FILE.read_bytes())
    process = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True)
    expected = load_dataset("parquet", data_files=str(here / "**/*.parquet"))["train"]["text"]
    assert process.stdout.splitlines()[-1].split("|") == list(expected)


def test_a_configuration_alone_runs_no_code(titles: Any, hub: Any, tmp_path: Path) -> None:
    """The class has to be given, by whoever rebuilds the technique; its own methods know it."""
    technique = titles(columns="text", keep=["Gray"])
    with pytest.raises(InputError, match=r"technique must be one of .*, but it is 'Titles'"):
        load_technique(technique.config())
    assert load_technique(technique.config(), techniques=[titles]) == technique
    with pytest.raises(InputError, match="techniques must list classes of techniques"):
        load_technique(technique.config(), techniques=[technique])
    technique.save_pretrained(tmp_path / "saved")
    assert titles.from_pretrained(tmp_path / "saved") == technique
    with pytest.raises(InputError, match="Titles"):
        Technique.from_pretrained(tmp_path / "saved")
    technique.push_to_hub("ada/titles")
    assert titles.from_pretrained("ada/titles") == technique
    card = ModelCard.load(tmp_path / "saved" / "README.md").text
    assert 'from titles import Titles\n\ntechnique = Titles.from_pretrained("saved")' in card
