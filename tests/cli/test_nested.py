"""Texts inside lists and objects, from the shell; all around them is kept bit for bit."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, load_dataset

CHAT = [
    {"role": "user", "content": "My name is Mary and she is my aunt."},
    {"role": "assistant", "content": "Her dog?", "tools": [{"x": 12345678901234567890, "y": 1.10}]},
]


@pytest.mark.parametrize("mode", ["augment", "pair"])
def test_conversations(run: Any, tmp_path: Path, mode: str) -> None:
    """Messages of the chosen role are rewritten in each mode; numbers of a tool call stay exact."""
    file = tmp_path / "chat.jsonl"
    file.write_text("".join(json.dumps({"id": k, "messages": CHAT}) + "\n" for k in range(4)))
    outcome = run(
        "augment", file, "--text", "messages[].content", "--role", "user", "--mode", mode,
        "--id-column", "id", "--out", tmp_path / "out",
    ).done()  # fmt: skip
    rows = load_dataset(str(tmp_path / "out"), split="train")
    column = "messages_counterfactual" if mode == "pair" else "messages"
    changed = [row for row in rows if row[column][0]["content"] != CHAT[0]["content"]]
    assert 0 < len(changed) <= 4
    for row in changed:
        assert row[column][0]["content"] == "My name is John and he is my uncle."
        assert row[column][1]["content"] == "Her dog?"
        assert row[column][1]["tools"][0]["x"] == 12345678901234567890
    assert "Counted in the texts of 'user' alone." in outcome.out
    card = (tmp_path / "out" / "README.md").read_text()
    assert "Only the texts of `user` are counted." in card
    assert "--role user" in card
    words = (
        "augment", file, "--text", "messages[].content", "--role", "user", "--axis", "religion",
    )  # fmt: skip
    told = run(*words, "--out", tmp_path / "other").done().err
    assert "no text of 'user' mentions anybody of the axis 'religion'; check --text, --role" in told


def test_a_column_that_is_named_like_a_path(run: Any, tmp_path: Path) -> None:
    """Its counterfactuals stand in a column of its whole name, which later commands find."""
    rows = Dataset.from_dict(
        {"meta.title": [f"He ran {n}." for n in range(4)], "label": [0, 1] * 2}
    )
    rows.to_parquet(str(tmp_path / "in.parquet"))
    words = ("--text", "meta.title", "--out")
    run("augment", tmp_path / "in.parquet", "--mode", "pair", *words, tmp_path / "out").quiet()
    pairs = load_dataset(str(tmp_path / "out"), split="train")
    assert pairs["meta.title_counterfactual"][0] == "She ran 0."
    run("score", tmp_path / "in.parquet", "--probes", 1, *words, tmp_path / "scored").done()
    run("select", tmp_path / "scored", "-a", 1, "-b", 1, *words, tmp_path / "chosen").done()
    chosen = load_dataset(str(tmp_path / "chosen"), split="train")
    assert "She ran 0." in chosen["meta.title"][:]


def test_provenance_and_preview_say_where(run: Any, tmp_path: Path) -> None:
    """An edit names the message; the preview shows its text."""
    file = tmp_path / "chat.jsonl"
    file.write_text(json.dumps({"messages": CHAT[::-1]}) + "\n")
    arguments = ("augment", file, "--text", "messages[].content", "--role", "user")
    shown = run(*arguments, "--dry-run")
    assert "train, row 0\nmessages[1].content\n- My name is Mary" in shown.out
    assert "+ My name is John and he is my uncle.\n" in shown.out
    assert "dog" not in shown.out
    assert run(*arguments, "--provenance", "--out", tmp_path / "out").code == 0
    rows = load_dataset(str(tmp_path / "out"), split="train")
    assert {edit["column"] for edit in rows[1]["edits"]} == {"messages[1].content"}


def test_what_is_beside_the_texts_is_kept(run: Any, tmp_path: Path) -> None:
    """Preference pairs, and times to the nanosecond inside the same objects."""
    at = pa.array([1_700_000_000_000_000_001], pa.timestamp("ns"))
    turn = pa.StructArray.from_arrays([pa.array(["He ran."]), at], ["text", "at"])
    pairs = pa.table({"turn": turn, "chosen": ["He ran."], "rejected": ["A queen."]})
    pq.write_table(pairs, tmp_path / "pairs.parquet")
    run(
        "augment", tmp_path / "pairs.parquet", "--text", "turn.text", "--text", "chosen",
        "--text", "rejected", "--mode", "replace", "--out", tmp_path / "out",
    ).done()  # fmt: skip
    (written,) = (tmp_path / "out").rglob("*.parquet")
    found = pq.read_table(written)
    assert found["turn"].combine_chunks().field("at").equals(at)
    assert found["turn"][0]["text"].as_py() == "She ran."
    assert (found["chosen"][0].as_py(), found["rejected"][0].as_py()) == ("She ran.", "A king.")
    assert isinstance(found["turn"][0]["at"].as_py(), datetime)


def test_a_dry_run_tells_what_the_run_would(run: Any, tmp_path: Path) -> None:
    """That nobody mentions an axis."""
    file = tmp_path / "chat.jsonl"
    file.write_text(json.dumps({"messages": CHAT}) + "\n")
    words = ("augment", file, "--text", "messages[].content", "--dry-run")
    assert "has a word to rewrite on the axis 'religion'" in run(*words, "--axis", "religion").err
    assert run(*words).err == ""
