"""Run the tutorials as notebooks, with the loopback Hub, and keep them: a script.

    python tests/docs/write_notebooks.py [NAME ...]

It needs the extra `docs`. Run it after a tutorial has changed; a test compares.
"""

import os
import runpy
import sys
from pathlib import Path
from tempfile import TemporaryDirectory


def main() -> None:
    """Write the notebooks."""
    from nbformat import writes

    from fair_datasets.docs.notebooks import FOLDER, TUTORIALS, run_notebook

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
