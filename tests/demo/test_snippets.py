"""The lines of Python that the page offers: run, they give what the page shows."""

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from datasets import load_dataset

Load = Callable[[str], ModuleType]
Printed = Callable[[str], str]
EXAMPLES = range(5)


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Printed:
    """Return a function that runs lines in an empty folder, and returns what they print."""

    def run(code: str) -> str:
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        exec(compile(code, "snippet", "exec"), {"__name__": "__main__"})
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("number", EXAMPLES)
def test_each_example_runs(load: Load, printed: Printed, number: int) -> None:
    """The lines of a text print its counterfactual."""
    text, *chosen = list(load("examples").EXAMPLES.values())[number]
    settings = load("settings").checked_settings(*chosen)
    found = load("counterfactuals").rewrite(text, settings)
    assert found.after != text
    assert printed(load("snippets").text_snippet(text, settings)) == f"{found.after}\n"


def test_there_are_no_more_examples(load: Load) -> None:
    """All are run above."""
    assert len(load("examples").EXAMPLES) == len(EXAMPLES)


@pytest.mark.parametrize(
    "text", ["She said \"hi\"\nand 'left' \\ {her} 🙂.", '"""She"""', "’s her"]
)
def test_any_text_is_written_as_it_is(load: Load, printed: Printed, text: str) -> None:
    """Quotes, braces, lines and backslashes are no part of the code."""
    settings = load("settings").Settings(("gender",), protect=('a "b"', "c'd"))
    found = load("counterfactuals").rewrite(text, settings)
    assert printed(load("snippets").text_snippet(text, settings)) == f"{found.after}\n"


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_the_lines_of_a_file_count_and_augment(
    load: Load, printed: Printed, tmp_path: Path, delimiter: str
) -> None:
    """The counts are those of the chart, and the rows those of the download."""
    content = load("examples").ROWS
    if delimiter == ";":
        content = "a text;label\nShe left, he stayed.;1\nIt rains.;0\n"
    table = load("csv_files").read_csv(content.encode())
    settings = load("settings").Settings(("gender", "age"), ("young",))
    augmented = load("csv_files").augment_csv(content.encode(), table.header[0], settings)
    (tmp_path / "texts.csv").write_text(content, encoding="utf-8")
    code = load("snippets").csv_snippet(table.header[0], delimiter, settings)
    before, after = map(ast.literal_eval, printed(code).splitlines())
    assert before == {count.attribute: count.before for count in augmented.counts}
    assert after == {count.attribute: count.after for count in augmented.counts}
    written = load_dataset(
        "parquet", data_files=str(tmp_path / "augmented.parquet"), split="train",
        cache_dir=str(tmp_path),
    )  # fmt: skip
    shown = load("csv_files").read_csv(augmented.text.encode())
    assert written[table.header[0]][:] == [row[0] for row in shown.rows]
