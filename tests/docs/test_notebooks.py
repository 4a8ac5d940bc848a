"""The notebooks are those of the pages, hold what a run gave, and run."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.docs.write_notebooks import FOLDER, TUTORIALS, cells_of, run_notebook

hub = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))["hub"]


def saved(name: str) -> list[dict[str, Any]]:
    """Return the cells of a notebook that ships."""
    text = (FOLDER / f"{name}.ipynb").read_text("utf-8")
    cells: list[dict[str, Any]] = json.loads(text)["cells"]
    return cells


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_notebook_is_its_page(name: str) -> None:
    """`python tests/docs/write_notebooks.py` would change no cell."""
    page = (FOLDER / f"{name}.md").read_text("utf-8")
    kept = [(cell["cell_type"], "".join(cell["source"])) for cell in saved(name)]
    assert kept == cells_of(page), "run `python tests/docs/write_notebooks.py`"


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_notebook_holds_its_outputs(name: str) -> None:
    """None is an error, no path of a machine is told, and each picture of the page is there."""
    outputs = [each for cell in saved(name) for each in cell.get("outputs", [])]
    assert outputs
    assert not [each for each in outputs if each["output_type"] == "error"]
    assert not [place for place in ("/tmp/", "127.0.0.1") if place in json.dumps(outputs)]
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    assert len(pictures) == (FOLDER / f"{name}.md").read_text("utf-8").count(".png)")


def test_every_kind_of_block_becomes_a_cell() -> None:
    """Prompts and outputs go; commands are those of a shell."""
    python, console = ">>> x = [\n...     1]\n>>> x\n[1]\n", "$ ls\na\n$ ls b\n"
    page = f"# A\n\n```python\n{python}```\n\n```console\n{console}```\n"
    assert cells_of(page) == [
        ("markdown", "# A"), ("code", "x = [\n    1]\nx"), ("code", "%%sh\nls\nls b"),
    ]  # fmt: skip
    shown = cells_of('```python\n>>> save_picture(f(x), "a.png")\n```\n\n![A](a.png)\n')
    assert shown[0][1].endswith('display(Image("a.png"))')
    assert len(shown) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", TUTORIALS)
def test_a_notebook_runs(name: str, hub: Any) -> None:
    """From its first cell to its last."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = run_notebook(name)
    assert len(notebook.cells) == len(saved(name))
