"""How the rows of a file lie in the cache of datasets."""

import json
from pathlib import Path

import pytest

from fair_datasets.cli.exact.builder import TOGETHER
from fair_datasets.cli.inputs import load_input


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
def test_columns_have_few_parts(tmp_path: Path, name: str) -> None:
    """Each takes 600 bytes of memory, which would grow with the rows."""
    rows = [{"text": f"He ran {number}.", "id": number} for number in range(2 * TOGETHER + 5)]
    lines = map(json.dumps, rows)
    if name.endswith(".csv"):
        lines = iter(["text,id", *(f"{row['text']},{row['id']}" for row in rows)])
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    found = load_input(str(tmp_path / name), ["text"], None, cache=str(tmp_path / "cache"))["train"]
    assert found.data.column("text").num_chunks == 3
    assert found.to_list() == rows


def test_long_rows_are_not_kept_together(tmp_path: Path) -> None:
    """Nobody knows how many fit into memory."""
    file = tmp_path / "rows.jsonl"
    with file.open("w") as lines:
        for _ in range(3):
            lines.write(json.dumps({"text": "He ran. " * 10_000}) + "\n")
            lines.writelines(['{"text": ""}\n'] * 999)
        lines.writelines([json.dumps({"text": "He ran. " * 2_000_000}) + "\n"])
        lines.writelines(['{"text": ""}\n'] * 1000)
    found = load_input(str(file), ["text"], None, cache=str(tmp_path / "cache"))["train"]
    sizes = [len(part) for part in found.data.column("text").chunks]
    assert sizes == [4000, 1]
