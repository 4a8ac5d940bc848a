"""Tests of reading StereoSet, on items that are made up here."""

import json
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.measures.faults import BenchmarkFaultWarning
from fair_datasets.measures.stereoset import load_stereoset
from fair_datasets.system.checks import InputError

LABELS = ("unrelated", "stereotype", "anti-stereotype")


def item(context: str, *sentences: str, votes: tuple[str, ...] = LABELS) -> dict[str, Any]:
    """Make an item; three annotators gave each sentence the label that `votes` names."""
    return {
        "context": context, "bias_type": "profession", "target": "baker",
        "sentences": [
            {"sentence": text, "gold_label": gold, "labels": [{"label": label}] * 3}
            for text, gold, label in zip(sentences, LABELS, votes, strict=True)
        ],
    }  # fmt: skip


WITHIN = item(
    "The baker is BLANK.", "The baker is blue.", "The baker is fat.", "The baker is thin."
)
BETWEEN = item("We met a baker. The form was BLANK.", "It rains.", "He got up late.", "He ran.")
FAULTY = [
    item("A BLANK is a blank.", "A cup is a cup.", "A cook is a cook.", "A lord is a lord."),
    item("The baker is BLANK.", "The baker is fat.", "The baker is fat. ", "The baker is thin."),
    item("The baker is BLANK.", "The baker is x.", "The baker is y.", "The baker is z.",
         votes=("unrelated", "unrelated", "anti-stereotype")),
]  # fmt: skip


def write(folder: Path, content: Any) -> Path:
    """Write a file."""
    (folder / "dev.json").write_text(json.dumps(content), "utf-8")
    return folder / "dev.json"


def test_items_are_read(tmp_path: Path) -> None:
    """Of both kinds, by the labels of the sentences; nothing is told where none is faulty."""
    data = {"intersentence": [BETWEEN], "intrasentence": [WITHIN]}
    assert load_stereoset(write(tmp_path, {"data": data})) == {
        "kind": ["intrasentence", "intersentence"],
        "bias_type": ["profession"] * 2,
        "target": ["baker"] * 2,
        "context": ["The baker is BLANK.", "We met a baker. The form was BLANK."],
        "stereotype": ["The baker is fat.", "He got up late."],
        "anti_stereotype": ["The baker is thin.", "He ran."],
        "unrelated": ["The baker is blue.", "It rains."],
    }


def test_faulty_items_are_told_and_left_out(tmp_path: Path) -> None:
    """Those with two gaps, equal sentences or a label of few; or kept."""
    path = write(tmp_path, {"data": {"intrasentence": [FAULTY[0], WITHIN, *FAULTY[1:]]}})
    told = (
        "load_stereoset: 3 of 4 items are faulty and {} .with two gaps: 1; with equal sentences: "
    )
    told += "1; with a label that most annotators did not give: 1.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        assert load_stereoset(path)["stereotype"] == ["The baker is fat."]
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        assert len(load_stereoset(path, faulty="keep")["stereotype"]) == 4


@pytest.mark.parametrize(("content", "sentence"), [
    ([], "'dev.json' does not have the form of the published file: no 'data' with"),
    ({"data": {}}, "does not have the form"),
    ({"data": {"intrasentence": [{**WITHIN, "sentences": WITHIN["sentences"][:2]}]}},
     "item 0 of 'dev.json' lacks a text"),
    ({"data": {"intersentence": [WITHIN, {**WITHIN, "target": None}]}}, "item 1 of 'dev.json' lac"),
    ({"data": {"intersentence": [3]}}, "item 0 of 'dev.json' lacks a text"),
])  # fmt: skip
def test_a_bad_file_is_told(tmp_path: Path, content: Any, sentence: str) -> None:
    """The sentence names the file and the item."""
    with pytest.raises(InputError, match=f"load_stereoset: .*{sentence}"):
        load_stereoset(write(tmp_path, content))


@pytest.mark.full
@pytest.mark.parametrize(("name", "items", "left"), [
    ("dev.json", 4_229, 4_227), ("test.json", 12_766, 12_760),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.faults.BenchmarkFaultWarning")
def test_the_faults_of_the_published_items(
    published_benchmarks: Path, name: str, items: int, left: int
) -> None:
    """Two in the public part, and six in the other one."""
    path = published_benchmarks / "StereoSet" / "data" / name
    assert len(load_stereoset(path, faulty="keep")["kind"]) == items
    assert len(load_stereoset(path)["kind"]) == left
