"""The snippets of the page on engines make the rows that `datasets` makes, in each engine."""

from collections.abc import Callable
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "other_engines.py"


@pytest.mark.full
def test_the_snippets_run_as_they_stand(run_in: Callable[..., str], tmp_path: Path) -> None:
    """In one environment, which has all three engines."""
    said = run_in("engines", BENCHMARK, "--out", tmp_path / "out")
    assert said.splitlines()[-3:] == [
        f"{name}: 3 rows in, 4 out, the rows of datasets: True" for name in ("ray", "spark", "daft")
    ]
