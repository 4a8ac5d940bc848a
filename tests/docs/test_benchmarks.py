"""The benchmarks that their README names run to their end; their figures are for people to read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Those that need a model, a folder or another checkout of one's own are left out.
COMMANDS = [
    command.split()
    for command in re.findall(
        r"^python (tests/benchmarks/.*?)(?:\s+#.*)?$",
        (ROOT / "tests" / "benchmarks" / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    if not re.search(r"\b[A-Z]{2,}\b|--write", command)
]


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_benchmark_runs(command: list[str], data_directory: Path) -> None:
    """On the real data; some take an hour."""
    ran = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
