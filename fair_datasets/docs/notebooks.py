"""The tutorials as notebooks: the cells are those of the page, the outputs those of a run.

`python tests/docs/write_notebooks.py` runs them and keeps them beside the pages.
"""

import doctest
import re
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from fair_datasets.system.extras import require

FOLDER = Path(__file__).parent
TUTORIALS = ("tutorial", "tutorial_chat", "tutorial_hub")
_BLOCK = re.compile(r"^```(python|sh|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"^save_picture\(.*\"(\w+\.png)\"\)$", re.MULTILINE)
_SHOW = r"""\g<0>
from IPython.display import Image, display
display(Image("\1"))"""
# Pictures of a page are what its cells show.
_SHOWN = re.compile(r"^!\[[^]]*\]\(\w+\.png\)\n\n?", re.MULTILINE)


def cells_of(page: str) -> list[tuple[str, str]]:
    r"""Divide a page into the cells of a notebook.

    Returns:
        The kind of each cell, "markdown" or "code", and its text.
    """
    cells = []
    for number, part in enumerate(_BLOCK.split(_SHOWN.sub("", page))):
        if number % 3 == 0:
            cells += [("markdown", part.strip())] if part.strip() else []
        elif number % 3 == 1:
            language = part
        else:
            cells.append(("code", _program(language, part)))
    return cells


def run_notebook(name: str, pictures: Path | None = None) -> Any:
    """Make the notebook of a page and run it in an empty folder.

    Args:
        pictures: Where the pictures are kept that it draws; None for nowhere.

    Returns:
        The notebook of `nbformat`, with its outputs.
    """
    require("docs", owner="run_notebook")
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    kinds = {"markdown": new_markdown_cell, "code": new_code_cell}
    page = (FOLDER / f"{name}.md").read_text("utf-8")
    cells = [
        kinds[kind](source, id=f"cell-{number}")
        for number, (kind, source) in enumerate(cells_of(page))
    ]
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    with TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=None, resources={"metadata": {"path": folder}}).execute()
        if pictures is not None:
            for picture in Path(folder).glob("*.png"):
                copyfile(picture, pictures / picture.name)
    for cell in notebook.cells:
        # When a cell ran says nothing, and would differ each time.
        cell.metadata.clear()
        if cell.cell_type == "code":
            # Progress bars and warnings of the machine are no result.
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]
    notebook.metadata.pop("language_info", None)
    return notebook


def _program(language: str, block: str) -> str:
    """Turn a block of a page into the program of a cell."""
    if language == "python":
        if ">>> " not in block:
            return block.strip()
        examples = doctest.DocTestParser().get_examples(block)
        program = "".join(each.source for each in examples).rstrip("\n")
        return _PICTURE.sub(_SHOW, program)
    if language == "console":
        block = "\n".join(re.findall(r"^\$ (.*)$", block, re.MULTILINE))
    return f"%%sh\n{block.strip()}"
