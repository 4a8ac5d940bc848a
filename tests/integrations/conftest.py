"""The tools run in environments of their own, each of which has the tool and this package."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = ROOT.parent / "envs"


@pytest.fixture(scope="session")
def run_in() -> Callable[..., str]:
    """Return what runs Python with arguments in a tool's environment, and returns what it prints.

    The environments lie in the folder that FAIR_DATASETS_ENVIRONMENTS names, as NAME/bin/python.
    """

    def run(name: str, *arguments: object, cwd: Path | None = None, fails: bool = False) -> str:
        folder = Path(os.environ.get("FAIR_DATASETS_ENVIRONMENTS", ENVIRONMENTS))
        python = folder / name / "bin" / "python"
        if not python.exists():
            pytest.skip(f"no environment of {name} at {python}; set FAIR_DATASETS_ENVIRONMENTS")
        done = subprocess.run(
            [python, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{python.parent}:/usr/bin:/bin"},
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    return run
