"""Running the command line, as its own tests do."""

import runpy
from pathlib import Path

run = runpy.run_path(str(Path(__file__).parents[1] / "cli" / "conftest.py"))["run"]
