"""`augment --technique PreferenceTwins`."""

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, Json

from fair_datasets import PreferenceTwins
from fair_datasets.jobs.rewriting import rewritten


def message(role: str, text: str) -> dict[str, str]:
    """Write a message."""
    return {"role": role, "content": text}


ANSWERS = {"chosen": "A waiter.", "rejected": "Ask him."}
PLAIN = [{"prompt": prompt, **ANSWERS} for prompt in ("Who is he?", "Who?")]
TALKS = [
    {
        name: [message("user", row["prompt"]), message("assistant", row[name])]
        + ([message("user", "So?"), message("assistant", "So.")] if name == "chosen" else [])
        for name in ANSWERS
    }
    for row in PLAIN
]


@pytest.mark.parametrize(
    ("rows", "mode", "counterfactuals"), [(PLAIN, "augment", 2), (TALKS, "equal", 1)]
)
def test_it_writes_what_map_does(
    rows: list[dict[str, Any]], mode: str, counterfactuals: int, run: Any, tmp_path: Path
) -> None:
    """Of conversations too, and it counts the rows, and those that are left with the reason."""
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ending = "[].content" if rows is TALKS else ""
    outcome = run(
        "augment", tmp_path / "in.jsonl", "--technique", "PreferenceTwins", "--mode", mode,
        *(word for name in rows[0] for word in ("--text", name + ending)),
        "--out", tmp_path / "out.jsonl",
    ).done()  # fmt: skip
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    expected = PreferenceTwins(tuple(rows[0]), mode=mode).apply(Dataset.from_list(rows))
    assert written == list(expected)
    assert len(written) == {"augment": 4, "equal": 2}[mode]
    assert f", {counterfactuals} rewritten" in outcome.out


def test_it_shows_what_would_change(run: Any, tmp_path: Path) -> None:
    """A dry run shows the texts of whichever mode, and both it and `--left` say what is left."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in PLAIN))
    texts = [word for name in PLAIN[0] for word in ("--text", name)]
    outcome = run("augment", path, "--technique", "PreferenceTwins", "--mode", "equal", *texts,
                  "--dry-run").quiet()  # fmt: skip
    assert outcome.out.splitlines()[-5:-2] == [
        "train: 1 row would change.",
        "train: 1 row is left as a whole: the prompt changes too.",
        "In each row, the twin of 'chosen' would stand in the place of 'rejected'.",
    ]
    left = tmp_path / "left.jsonl"
    run("augment", path, "--technique", "PreferenceTwins", "--mode", "equal", *texts,
        "--out", tmp_path / "out.jsonl", "--left", left).done()  # fmt: skip
    (line,) = map(json.loads, left.read_text().splitlines())
    assert (line["row"], line["reason"]) == (0, "the prompt changes too")


@pytest.mark.parametrize("mode", ["augment", "equal"])
def test_messages_of_several_kinds(mode: str, tmp_path: Path) -> None:
    """What datasets reads as JSON, as beside messages of parts, is written as JSON."""
    parts = [{"role": "assistant", "content": [{"type": "text", "text": "She."}]}]
    rows = [TALKS[1], {name: [*TALKS[1][name][:-1], *parts] for name in ANSWERS}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = Dataset.from_json(str(tmp_path / "in.jsonl"), cache_dir=str(tmp_path / "cache"))
    assert source.features["chosen"].feature["content"] == Json(decode=True)
    twins = PreferenceTwins(tuple(ANSWERS), mode=mode)
    made = twins.apply(source)
    assert made.num_rows in (3, 4)
    assert list(rewritten(source, twins, twins.features(source.features))) == list(made)
