"""The whole audit: what it takes, and what it makes of rows of which little can be said."""

import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import spacy
from datasets import ClassLabel, Dataset, Features, Value, load_dataset

from fair_datasets import audit
from fair_datasets.auditing.dataset import Audit
from fair_datasets.auditing.findings import MEASURES, ON_REQUEST, Figure, Finding, Part
from fair_datasets.models.load import load_word_vectors
from fair_datasets.system.checks import InputError

from .conftest import PEOPLE

POOR = {"one row": {"text": ["He ran."], "y": [1]},
    "one class": {"text": PEOPLE * 9, "y": [1] * 54},
    "no mention": {"text": ["Rain falls.", "Snow falls."] * 20, "y": [0, 1] * 20},
    "no text": {"text": [None, "", "  "] * 9, "y": [0, 1, 0] * 9},
    "no label": {"text": PEOPLE, "y": [None] * 6},
    "one word": {"text": ["he"] * 30, "y": [0, 1] * 15},
    "a row of each class": {"text": ["He ran.", "She ran."], "y": ["a", "b"]}}  # fmt: skip


@pytest.mark.parametrize("rows", POOR.values(), ids=POOR)
def test_little_can_be_said_of_poor_rows_and_is(rows: dict[str, Any]) -> None:
    """Everything is written, nothing is infinite, and nothing is put first for want of rows."""
    features = Features(
        text=Value("string"), y=Value("string" if isinstance(rows["y"][0], str) else "int64")
    )
    found = audit(Dataset.from_dict(rows, features), "text", label="y", groups=(), axis="gender")
    data = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert len(found.to_dataset()) == len(found.figures) == len(data["figures"])
    assert "</html>" in found.page()
    assert str(found)
    # Rows are counted that are there under two labels: no chance is in that.
    first = [each.figures[0].measure for each in found.findings if each.severity == "high"]
    assert set(first) <= {"contradiction_share"}
    assert all(figure.measure in MEASURES for figure in found.figures)
    assert all(figure.rows >= 0 for figure in found.figures)
    for figure in found.figures:
        assert math.isnan(figure.low) or figure.low <= figure.value <= figure.high, figure


def test_every_measure_is_taken_or_told() -> None:
    """None is missing in silence, whatever is given."""
    rows = Dataset.from_dict({"text": PEOPLE * 20, "y": [0, 1, 0, 1, 1, 0] * 20})
    for settings in ({}, {"label": "y"}, {"label": "y", "predictions": "y2"}):
        given = rows.add_column("y2", rows["y"][:]) if "predictions" in settings else rows
        found = audit(given, "text", **settings)
        measured = {figure.measure for figure in found.figures}
        lacking = set(MEASURES) - measured - set(found.unmeasured) - set(ON_REQUEST)
        # Of the bias score that is centred and the one that is not an audit has one.
        assert lacking <= {"accuracy", "bias_score_centred", "bias_score_centred_95"}, settings
        assert len(found.check([f"{name} > -9" for name in MEASURES])) == len(MEASURES)


def test_nested_texts_and_roles_are_read() -> None:
    """As the techniques read them."""
    talks = [[{"role": "user", "content": "Is he in?"}, {"role": "bot", "content": "She is."}]] * 3
    rows = Dataset.from_dict({"messages": talks, "y": [0, 1, 0]})
    found = audit(rows, "messages[].content", roles="user", label="y")
    shares = {figure.attribute: figure.value for figure in found.figures
              if figure.measure == "mention_share" and not figure.label}  # fmt: skip
    assert shares == {"man": 1, "woman": 0, "non-binary": 0}


def test_names_are_those_that_a_reader_or_a_pipeline_tells(nameless: str, tmp_path: Path) -> None:
    """In every part; the commands that are advised ask the same."""
    nlp = spacy.blank("en")
    ruler: Any = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "ORG", "pattern": "Mary"}])
    nlp.to_disk(tmp_path / "firms")
    words = {"he": [1, 0], "she": [0, 1], "man": [1, 0.5], "woman": [0.5, 1], "mary": [0, 1]}
    load_word_vectors(words).save(tmp_path / "v.npz")
    rows = Dataset.from_dict(
        {
            "text": [f"{who} ran {day} miles." for day in range(9) for who in ("Mary", "He")],
            "y": [0, 1] * 9,
        }
    )
    ask = partial(audit, rows, "text", label="y", vectors=str(tmp_path / "v.npz"), source="a.csv")
    scores = set()
    for asked, changed in (
        ({}, 1.0), ({"reader": nameless}, 0.5), ({"pipeline": str(tmp_path / "firms")}, 0.5),
    ):  # fmt: skip
        found = ask(**asked)
        named = {figure.measure: figure.value for figure in found.figures}
        assert named["changed_share"] == changed
        scores.add((bool(asked), named["bias_score"]))
        words = "".join(f" --{option} {value}" for option, value in asked.items())
        commands = {each.command for each in found.findings if each.command}
        assert all(f"a.csv --text text{words} --" in command for command in commands)
        assert {command.split()[1] for command in commands} == {"augment", "correct"}
    assert len(scores) == 2
    with pytest.raises(InputError, match="answer the same questions"):
        ask(reader=nameless, pipeline=str(tmp_path / "firms"))


def test_class_labels_are_told_by_their_names() -> None:
    """In their order; -1 is none."""
    features = Features(text=Value("string"), y=ClassLabel(names=["rude", "kind"]))
    rows = Dataset.from_dict({"text": PEOPLE, "y": [0, 1, -1, 0, 1, 1]}, features)
    figures = audit(rows, "text", label="y").figures
    assert {figure.label for figure in figures if figure.measure == "odds_ratio"} == {"kind"}
    (missing,) = (figure for figure in figures if figure.label == "column y")
    assert missing.value == 1 / 6


def test_an_axis_of_ones_own_is_called_by_its_file(tmp_path: Path) -> None:
    """Where the file lies is in commands alone."""
    file = tmp_path / "team.tsv"
    file.write_text("home\taway\nhosts\tguests\n")
    rows = Dataset.from_dict({"text": ["The hosts won."] * 9 + ["The guests won."]})
    found = audit(rows, "text", axis=str(file), source="r.csv", title="r")
    assert {figure.axis for figure in found.figures} == {"team", ""}
    assert str(tmp_path) not in "".join(finding.sentence for finding in found.findings)
    other = tmp_path / "other" / "team.tsv"
    other.parent.mkdir()
    other.write_text(file.read_text())
    with pytest.raises(InputError, match="two axes are called 'team'"):
        audit(rows, "text", axis=(str(file), str(other)))


def test_the_order_of_the_rows_changes_no_figure() -> None:
    """But for those of a probe, whose training it is."""
    rows = Dataset.from_dict({"text": PEOPLE * 5, "g": list("abcdef") * 5})
    found = [audit(each, "text", groups="g", axis=("gender", "age")).figures
             for each in (rows, rows.select(range(29, -1, -1)))]  # fmt: skip
    assert repr(found[0]) == repr(found[1])


@pytest.mark.parametrize(
    "settings", [{"vectors": "./none.txt"}, {"model": "./none"}, {"reference": "none.csv"}]
)
def test_files_are_refused_before_the_rows_are_read(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> None:
    """A million rows would be read for nothing."""
    monkeypatch.setattr("fair_datasets.auditing.dataset.read_audit_input", pytest.fail)
    with pytest.raises(InputError, match="none"):
        audit(Dataset.from_dict({"text": PEOPLE}), "text", **settings)


def test_findings_of_high_severity_come_first() -> None:
    """Within one severity they stay in the order of the analyses."""
    names = ["low", "high", "medium", "high", "low"]
    findings = [Finding(severity=name, sentence=f"{place}.")  # type: ignore[arg-type]
                for place, name in enumerate(names)]  # fmt: skip
    parts = (Part(topic="predictions", findings=tuple(findings[:3])),
             Part(topic="leaks", findings=tuple(findings[3:])))  # fmt: skip
    audit = Audit(title="t", rows={}, settings={}, parts=parts)
    assert [finding.sentence for finding in audit.findings] == ["1.", "3.", "2.", "0.", "4."]


def test_what_is_saved_says_the_same_thrice(tmp_path: Path) -> None:
    """The page, the data and the table."""
    rows = Dataset.from_dict({"text": PEOPLE * 20, "y": [0, 1, 0, 1, 1, 0] * 20})
    found = audit(rows, "text", label="y", title="people", source="p.csv")
    found.save(tmp_path / "out")
    data = json.loads((tmp_path / "out" / "audit.json").read_text("utf-8"))
    page = (tmp_path / "out" / "audit.html").read_text("utf-8")
    file = str(tmp_path / "out" / "audit.parquet")
    table = load_dataset("parquet", data_files=file, split="train", cache_dir=str(tmp_path / "c"))
    for row, figure, plain in zip(table, found.figures, data["figures"], strict=True):
        assert row["measure"] == figure.measure == plain["measure"]
        assert row["rows"] == figure.rows == plain["rows"]
        wanted = None if math.isnan(figure.value) else figure.value
        assert row["value"] == wanted == plain["value"]
    assert [each["sentence"] for each in data["findings"]] == [f.sentence for f in found.findings]
    told = [row for row in table if row["sentence"]]
    assert {row["sentence"] for row in told} <= {finding.sentence for finding in found.findings}
    assert all(finding.severity in page for finding in found.findings)
    assert data["rows"] == {"train": 120}
    assert data["settings"]["columns"] == ["text"]


def test_halves_of_letters_do_not_keep_an_audit_from_being_written(tmp_path: Path) -> None:
    """As in a title that was made of a path."""
    figure = Figure(measure="pmi", value=1, rows=1, axis="a\ud800")
    part = Part(topic="association", figures=(figure,))
    Audit(title="b\ud800", rows={"c": 1}, settings={}, parts=(part,)).save(tmp_path)
    assert json.loads((tmp_path / "audit.json").read_text("utf-8"))["title"] == "b\ud800"


def test_what_was_augmented_is_not_advised_again() -> None:
    """And whether a label survives the swap is asked before it is advised at all."""
    rows = Dataset.from_dict({
        "text": [f"{who} wrote {word}." for who in ("He", "She") for word in map(str, range(60))],
        "y": [1] * 60 + [0] * 60,
    })  # fmt: skip
    plain = audit(rows.select(range(70)), "text", label="y", source="rows.csv")
    advised = [each for each in plain.findings if "augment" in each.command]
    assert advised
    assert all("whose label changes" in each.advice for each in advised)
    again = audit(rows, "text", label="y", source="rows.csv")
    assert any("odds ratio" in each.sentence for each in again.findings)
    assert not [each for each in again.findings if "augment" in each.command]
