"""The lines of Python that the page offers: run, they give what the page shows."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from datasets import load_dataset

Load = Callable[[str], ModuleType]
EXAMPLES = range(5)


def printed(code: str, folder: Path) -> str:
    """Run lines in a folder, and return what they print."""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False,
        encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("number", EXAMPLES)
def test_each_example_runs(load: Load, tmp_path: Path, number: int) -> None:
    """The lines of a text print its counterfactual."""
    text, *chosen = list(load("examples").EXAMPLES.values())[number]
    settings = load("settings").checked_settings(*chosen)
    found = load("counterfactuals").rewrite(text, settings)
    assert found.after != text
    assert printed(load("snippets").text_snippet(text, settings), tmp_path) == f"{found.after}\n"


def test_there_are_no_more_examples(load: Load) -> None:
    """All are run above."""
    assert len(load("examples").EXAMPLES) == len(EXAMPLES)


@pytest.mark.parametrize(
    "text", ["She said \"hi\"\nand 'left' \\ {her} 🙂.", '"""She"""', "’s her"]
)
def test_any_text_is_written_as_it_is(load: Load, tmp_path: Path, text: str) -> None:
    """Quotes, braces, lines and backslashes are no part of the code."""
    settings = load("settings").Settings(("gender",), protect=('a "b"', "c'd"))
    found = load("counterfactuals").rewrite(text, settings)
    assert printed(load("snippets").text_snippet(text, settings), tmp_path) == f"{found.after}\n"


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_the_lines_of_a_file_count_and_augment(load: Load, tmp_path: Path, delimiter: str) -> None:
    """The counts are those of the chart, and the rows those of the download."""
    content = load("examples").ROWS
    if delimiter == ";":
        content = "a text;label\nShe left, he stayed.;1\nIt rains.;0\n"
    table = load("csv_files").read_csv(content.encode())
    settings = load("settings").Settings(("gender", "age"), ("young",))
    augmented = load("csv_files").augment_csv(content.encode(), table.header[0], settings)
    (tmp_path / "texts.csv").write_text(content, encoding="utf-8")
    code = load("snippets").csv_snippet(table.header[0], delimiter, settings)
    before, after = map(ast.literal_eval, printed(code, tmp_path).splitlines())
    assert before == {count.attribute: count.before for count in augmented.counts}
    assert after == {count.attribute: count.after for count in augmented.counts}
    written = load_dataset(
        "parquet", data_files=str(tmp_path / "augmented.parquet"), split="train",
        cache_dir=str(tmp_path),
    )  # fmt: skip
    shown = load("csv_files").read_csv(augmented.text.encode())
    assert written[table.header[0]][:] == [row[0] for row in shown.rows]
