"""The command `audit`: what it writes, the commands that it advises, and the rules of a check."""

import hashlib
import json
import lzma
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasets import Dataset, load_dataset

from fair_datasets.auditing.findings import MEASURES
from fair_datasets.auditing.rules import read_rules
from fair_datasets.cards.markdown import fenced_blocks
from fair_datasets.cli.docs import page_text
from fair_datasets.cli.main import read

# Women are praised and men are blamed, so that there is something to find.
ROWS = [(f"{who} {what} {number}.", label) for number in range(25)
        for who, what, label in (("She", "won the race", "good"), ("He", "lost the race", "bad"),
                                 ("A Black teacher", "sang", "good"))]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of rows."""
    monkeypatch.chdir(tmp_path)
    texts, labels = zip(*ROWS, strict=True)
    Dataset.from_dict({"text": texts, "label": labels}).to_csv("my rows.csv")
    return tmp_path


def project(table: str) -> None:
    """Write a pyproject.toml with a table for the audit."""
    Path("pyproject.toml").write_text(f"[tool.fair_datasets.audit]\n{table}\n")


def test_the_audit_is_written_shown_and_can_be_followed(run: Any, place: Path) -> None:
    """Each command that it advises runs as it is printed."""
    found = run("audit", "my rows.csv", "--text", "text", "--label", "label", "--axis", "gender",
                "--axis", "race", "--out", "out").done()  # fmt: skip
    assert "Look at this first:" in found.out
    assert "Written to out: open out/audit.html" in found.out
    assert sorted(path.name for path in (place / "out").iterdir()) == [
        "audit.html", "audit.json", "audit.parquet", "croissant.json",
    ]  # fmt: skip
    data = json.loads((place / "out" / "audit.json").read_text("utf-8"))
    commands = {each["command"] for each in data["findings"]} - {""}
    assert {shlex.split(command)[1] for command in commands} == {"audit", "augment"}
    for command in sorted(commands):
        assert f"$ {command}" in found.out
        assert run(*shlex.split(command)[1:]).code == 0, command
    assert load_dataset("my-rows-gender-cda", split="train").num_rows > len(ROWS)


def test_broken_rules_are_told_line_by_line(run: Callable[..., Any], place: Path) -> None:
    """After the audit was written, with an exit code of their own."""
    found = run(
        "audit", "my rows.csv", "--text", "text", "--label", "label", "--out", "out",
        "--fail-if", "odds_ratio > 2", "--fail-if", "mention_share > 1", "--fail-if",
        "leak_share > 0",
    )  # fmt: skip
    assert found.code == 3
    assert (place / "out" / "audit.html").is_file()
    lines = found.err.strip().split("\n")
    start = next(k for k, line in enumerate(lines) if line.startswith("fair-datasets: 2 of 3"))
    assert lines[start + 1].startswith("odds_ratio > 2: it is ")
    assert lines[start + 2].startswith("leak_share > 0: leak_share could not be measured: there is")
    assert len(lines) == start + 3


def test_an_audit_can_be_replaced(run: Callable[..., Any], place: Path) -> None:
    """By another one, where that is asked for."""
    for more in ([], ["--overwrite"]):
        assert run("audit", "my rows.csv", "--text", "text", "--out", "out", *more).code == 0
    assert run("audit", "my rows.csv", "--text", "text", "--out", "out").code == 2


def test_options_stand_in_the_project_file(run: Callable[..., Any], place: Path) -> None:
    """What is given goes before them; rules of both apply."""
    project('text = "text"\nlabel = "none"\naxis = ["race"]\nseed = 3\nout = "from-file"\n'
            'names = false\nfail-if = ["mention_share(black) > 0.1", "pmi > 99"]')  # fmt: skip
    found = run("audit", "my rows.csv", "--label", "label", "--fail-if", "odds_ratio > 1e9")
    assert found.code == 3
    assert "from pyproject.toml: text, axis, seed, out, names, fail-if." in found.err
    assert "1 of 3 rules broken:\nmention_share(black) > 0.1: it is 0.333" in found.err
    settings = json.loads((place / "from-file" / "audit.json").read_text("utf-8"))["settings"]
    assert (settings["axis"], settings["seed"], settings["names"]) == (["race"], 3, False)
    assert settings["label"] == "label"


@pytest.mark.slow
def test_what_comes_by_a_pipe_has_no_next_command(start: Callable[..., Any], place: Path) -> None:
    """As no command could read it again."""
    process = start("audit", "-", "--text", "text", "--out", "out", stdin=-1)
    lines = "".join(json.dumps({"text": text}) + "\n" for text, _ in ROWS if "He" in text)
    process.communicate(lines, timeout=120)
    assert process.returncode == 0
    data = json.loads((place / "out" / "audit.json").read_text("utf-8"))
    assert data["title"] == "standard input"
    assert any(each["advice"] for each in data["findings"])
    assert not any(each["command"] for each in data["findings"])


def test_the_help_tells_the_exit_code_and_the_measures(run: Callable[..., Any]) -> None:
    """So that a check can be written from it."""
    found = run("audit", "--help-all")
    assert "3  a rule is broken" in found.out
    assert all(name in found.out.replace("\n", " ") for name in MEASURES)


def test_the_workflow_of_the_page_is_one() -> None:
    """Its command has options that there are, and the page is kept where a rule is broken, too."""
    (block,) = (block for block in fenced_blocks(page_text("audit")) if "runs-on" in block.code)
    steps = yaml.safe_load(block.code)["jobs"]["audit"]["steps"]
    (command,) = (step["run"] for step in steps if "fair-datasets audit" in step.get("run", ""))
    options = read(shlex.split(command)[1:])
    assert read_rules(options.fail_if)
    (upload,) = (step for step in steps if "upload-artifact" in step.get("uses", ""))
    assert upload["if"] == "always()"
    assert upload["with"]["path"] == str(options.out)


def test_two_datasets_are_compared_and_rules_are_about_the_second(run: Any, place: Path) -> None:
    """Or about what differs."""
    texts, labels = zip(*ROWS, *[(text.replace("He ", "She "), label) for text, label in ROWS],
                        strict=True)  # fmt: skip
    Dataset.from_dict({"text": texts, "label": labels}).to_csv("after.csv")
    found = run(
        "audit", "my rows.csv", "--against", "after.csv", "--text", "text", "--label", "label",
        "--out", "out", "--fail-if", "mention_balance > 0.7", "--fail-if",
        "mention_balance_change(gender) > 0", "--fail-if", "mention_share_change(man) < 0",
    )  # fmt: skip
    assert found.code == 3
    assert "Audit of after: train 150 rows.\nCompared with my rows: train 75 rows." in found.out
    assert "What the change bought, and what it cost:" in found.out
    lines = found.err.strip().split("\n")
    start = next(k for k, line in enumerate(lines) if line.startswith("fair-datasets: 3 of 3"))
    assert lines[start + 2].startswith("mention_balance_change(gender) > 0: it is 0.25 [")
    data = json.loads((place / "out" / "audit.json").read_text("utf-8"))
    assert (data["title"], data["changes"]["before"]["title"]) == ("after", "my rows")
    assert "after.csv" in json.dumps(data["findings"])


def test_two_columns_of_predictions_are_compared(run: Callable[..., Any], place: Path) -> None:
    """On the same rows."""
    texts, labels = zip(*ROWS, strict=True)
    Dataset.from_dict(
        {"text": texts, "label": labels, "one": ["good"] * len(ROWS), "two": labels}
    ).to_csv("both.csv")
    found = run("audit", "both.csv", "--text", "text", "--label", "label", "--predictions", "one",
                "--against-predictions", "two").done()  # fmt: skip
    assert "Audit of both, two: train 75 rows." in found.out
    # Who says one thing of everybody is no classifier to be better than.
    assert "The classifier collapsed before: " in found.out
    assert "Different: accuracy was 66.7%" in found.out
    assert 'predictions "one" before and "two" after' in found.out.replace("\n  ", " ")


APPLICANTS = "sex,race,hired,score\n" + "m,a,1,0.50\nf,b,0,0.10\nm,b,1,0.70\nf,a,1,0.60\n" * 9


def test_impact_tables_and_shares_need_no_texts(run: Callable[..., Any], place: Path) -> None:
    """Several columns are separated by commas; numbers are read as they are written."""
    Path("people.csv").write_text(APPLICANTS)
    Path("shares.csv").write_text("sex,share\nf,0.5\nm,0.5\n")
    found = run("audit", "people.csv", "--table", "impact", "--groups", "sex,race", "--selected",
                "hired", "--reference", "shares.csv", "--out", "out").done()  # fmt: skip
    for title in ("Impact table by sex:", "Impact table by race:", "Impact table by sex × race:",
                  "Shares by sex compared with shares.csv:"):  # fmt: skip
        assert title in found.out
    data = json.loads((place / "out" / "audit.json").read_text("utf-8"))
    assert len(data["tables"]) == 4
    assert data["tables"][0]["rows"][0][:3] == ["f", 18, 9]
    scored = run("audit", "people.csv", "--table", "impact", "--groups", "sex", "--score", "score",
                 "--fail-if", "scoring_rate > 0.4")  # fmt: skip
    assert scored.code == 3
    assert "scoring_rate > 0.4: it is 0.5 " in scored.err


def test_whom_a_filter_dropped_is_told_with_its_reasons(run: Any, place: Path) -> None:
    """From the rows before and after, and the folder of what was dropped."""
    texts = [f"{('He', 'She')[k % 2]} ran {k}." for k in range(200)]
    groups = ["x" if k < 50 else "y" for k in range(200)]
    Dataset.from_dict({"text": texts, "who": groups}).to_json("before.jsonl")
    Dataset.from_dict({"text": texts[30:], "who": groups[30:]}).to_json("after.jsonl")
    (place / "removed" / "1_words").mkdir(parents=True)
    Dataset.from_dict({"text": texts[:30]}).to_json("removed/1_words/00000.jsonl")
    arguments = ("audit", "before.jsonl", "--text", "text", "--groups", "who")
    found = run(*arguments, "--against", "after.jsonl", "--dropped", "removed").done()
    assert "Rows of x were dropped 60% of the time, other rows 0%." in found.out
    assert "for “1_words”: 60.0%" in " ".join(found.out.split())


def croissant_of(folder: Path, *files: Path) -> dict[str, Any]:
    """Return the Croissant file of an audit, beside which the files are laid that it names."""
    found: dict[str, Any] = json.loads((folder / "croissant.json").read_text("utf-8"))
    for file in files:
        shutil.copy(file, folder)
    for each in found["distribution"]:
        data = (folder / each["contentUrl"]).read_bytes()
        assert each["sha256"] == hashlib.sha256(data).hexdigest()
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_croissant_file_describes_what_was_audited(run: Callable[..., Any], place: Path) -> None:
    """By the names of its files; what was compared is what it was made from."""
    after = load_dataset("csv", data_files="my rows.csv", split="train")
    after = after.map(lambda row: {"text": row["text"].replace("He ", "She ")})
    (place / "after").mkdir()
    after.select(range(60)).to_parquet("after/train-0.parquet")
    after.select(range(60, 75)).to_parquet("after/test-0.parquet")
    assert run("audit", "my rows.csv", "--text", "text", "--out", "in/out").code == 0
    alone = croissant_of(place / "in" / "out", place / "my rows.csv")
    assert [each["contentUrl"] for each in alone["distribution"]] == ["my rows.csv"]
    assert not any(key.startswith(("prov:", "variable")) for key in alone)
    assert any("mention an attribute of gender" in each for each in alone["rai:dataBiases"])
    against = ("audit", "my rows.csv", "--against", "after", "--text", "text", "--out")
    assert run(*against, "part", "--limit", "50").code == 0
    files = sorted((place / "after").iterdir())
    part = croissant_of(place / "part", *files)
    assert any("first 50 rows alone" in each for each in part["rai:dataLimitations"])
    # The rows of test come from rows that were not read.
    assert "variableMeasured" not in part
    assert run(*against, "two").code == 0
    both = croissant_of(place / "two", *files)
    assert {each["@id"] for each in both["recordSet"]} == {"train", "test"}
    assert both["prov:wasDerivedFrom"] == [{"@type": "prov:Entity", "prov:label": "my rows.csv"}]
    assert both["variableMeasured"]["value"] == pytest.approx(1 / 3)
    assert str(place) not in json.dumps([alone, both])
    mlcroissant = pytest.importorskip("mlcroissant")
    for folder, name, count in (("in/out", "train", 75), ("two", "test", 15)):
        read = mlcroissant.Dataset(jsonld=str(place / folder / "croissant.json"))
        assert not read.metadata.ctx.issues.errors
        assert len(list(read.records(name))) == count


@pytest.mark.parametrize("name", ["rows.txt", "saved", "rows.csv.xz"])
def test_what_croissant_cannot_read_has_no_files_there(run: Any, place: Path, name: str) -> None:
    """What was measured is told all the same."""
    if name == "saved":
        Dataset.from_dict({"text": ["He ran."]}).save_to_disk("saved")
    elif name == "rows.txt":
        Path(name).write_text("He ran.\n")
    else:
        Path(name).write_bytes(lzma.compress(Path("my rows.csv").read_bytes()))
    assert run("audit", name, "--text", "text", "--out", "out").code == 0
    found = croissant_of(place / "out")
    assert found["distribution"] == found["recordSet"] == []
    assert found["rai:dataBiases"]
