"""The scripts, run as a user runs them."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

SCRIPTS = Path(__file__).parents[2] / "hub_scripts"


def run(script: str, *arguments: Any) -> "subprocess.CompletedProcess[str]":
    """Run a script in a process of its own."""
    command = [sys.executable, str(SCRIPTS / f"{script}.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("script", sorted(path.stem for path in SCRIPTS.glob("pu*.py")))
def test_help(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is that of the command, with an example."""
    monkeypatch.setattr(sys, "argv", [f"{script}.py", "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPTS / f"{script}.py"), run_name="__main__")
    assert ended.value.code == 0
    told = capsys.readouterr()
    words = script.split("_")[: 1 + script.startswith("push")]
    assert f"fair-datasets {' '.join(words)} " in told.out
    assert told.err == ""


@pytest.mark.slow
def test_a_dataset_there_and_back(hub: Any, splits: Any, tmp_path: Path) -> None:
    """A folder is pushed, and pulled into an equal folder, which is not overwritten."""
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    for split, rows in splits.items():
        rows.to_parquet(source / f"{split}.parquet")
    pushed = run("push_dataset", source, "ada/reviews", "--config-name", "cda")
    assert f"are at {hub.url}/datasets/ada/reviews" in pushed.stdout
    pulled = run("pull_dataset", "ada/reviews", out)
    assert pulled.stdout.startswith("           4  train\n           2  test\n\nWritten to ")
    back = load_dataset(str(out))
    assert {name: rows.to_list() for name, rows in back.items()} == {
        name: rows.to_list() for name, rows in splits.items()
    }
    again = run("pull_dataset", "ada/reviews", out)
    assert again.returncode == 2
    assert again.stderr.startswith(f"\nfair-datasets: The output folder {out} is not empty")


@pytest.mark.slow
def test_models_and_measures(hub: Any, tmp_path: Path) -> None:
    """Both are pushed, and a mistake is one sentence without a traceback."""
    (tmp_path / "config.json").write_text("{}")
    assert "config.json" in run("push_model", tmp_path, "ada/fair").stdout
    assert (
        "/spaces/ada/demographic_parity" in run("push_metrics", "ada", "demographic_parity").stdout
    )
    wrong = run("push_model", tmp_path, "fair")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("\nfair-datasets: 'fair' names no user")
    assert wrong.stderr.count("\n") == 2
