"""Run the tutorials as notebooks, with the loopback Hub, and keep them: a script.

    python tests/docs/write_notebooks.py [NAME ...]

The cells are those of the page, the outputs those of a run. It needs the extra `test`. Run it after
a tutorial has changed; a test compares.
"""

import doctest
import os
import re
import runpy
import sys
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

import fair_datasets.docs

FOLDER = Path(fair_datasets.docs.__file__).parent
TUTORIALS = ("tutorial", "tutorial_chat")
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


def main() -> None:
    """Write the notebooks."""
    from nbformat import writes

    # datasets and huggingface_hub read its address when a kernel imports them.
    hub = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "client.py"))["direct"]()
    hub.start()
    with TemporaryDirectory() as cache:
        os.environ |= {
            "HF_HOME": cache, "HF_TOKEN": "hf_ada", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
            "COLUMNS": "100", "TRANSFORMERS_VERBOSITY": "error",
        }  # fmt: skip
        for name in sys.argv[1:] or TUTORIALS:
            hub.reset()
            text = writes(run_notebook(name, FOLDER)).replace(hub.url, "https://huggingface.co")
            (FOLDER / f"{name}.ipynb").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
