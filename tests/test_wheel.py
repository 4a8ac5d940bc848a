"""Tests of the package as it is installed: the wheel, in a folder of its own, run from another."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
# Where the folders of the checkout lie in the wheel.
SHIPPED = {
    "fair_datasets": "fair_datasets", "metrics": "fair_datasets/metrics",
    "hub_scripts/demo": "fair_datasets/hub/demo",
}  # fmt: skip
# What is run by itself, besides the command line.
RUNS = {
    "__main__.py", "docs/build.py", "hub/demo/app.py", "hub/metric_app.py",
    "reader/english/classifier/train.py",
}  # fmt: skip


def pip(*arguments: object) -> None:
    """Run pip, without a network."""
    command = [sys.executable, "-m", "pip", *map(str, arguments), "--no-deps", "--no-index",
               "--quiet", "--disable-pip-version-check"]  # fmt: skip
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ROOT, "--no-build-isolation", "--wheel-dir", folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the wheel is installed in."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", wheel, "--target", folder)
    return folder


def run(installed: Path, folder: Path, *arguments: object) -> str:
    """Run the installed package's Python in a folder, and return what it prints."""
    process = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTHONWARNINGS": ""}, capture_output=True,
        text=True,
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def test_the_wheel_holds_all_that_the_checkout_does(wheel: Path) -> None:
    """Code, word lists, weights, metrics, the demo, the marker of types; and nothing else."""
    expected = {
        f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, place in SHIPPED.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = set(zipfile.ZipFile(wheel).namelist())
    about = {name for name in names if ".dist-info/" in name}
    assert names - about == expected
    assert not [name for name in names if "papers" in name]
    assert {"fair_datasets/py.typed", "fair_datasets/lexicons/data/gender.tsv"} <= names
    ends = {name.partition(".dist-info/")[2] for name in about}
    assert {
        "licenses/LICENSE", "licenses/fair_datasets/reader/LICENSE-CC-BY-SA-4.0", "licenses/NOTICE",
        "entry_points.txt", "METADATA",
    } <= ends  # fmt: skip


def test_no_script_that_makes_data_ships(wheel: Path) -> None:
    """They are in a checkout alone: no module imports them, and few others are run."""
    with zipfile.ZipFile(wheel) as files:
        names = [name for name in files.namelist() if name.endswith(".py")]
        code = {name: files.read(name).decode() for name in names}
    assert not [
        name for name in names if re.search("^ *(from|import) hub_scripts", code[name], re.M)
    ]
    runs = {name.removeprefix("fair_datasets/") for name in names if '__main__":' in code[name]}
    assert runs <= RUNS


def test_the_command_line_runs_from_any_folder(installed: Path, tmp_path: Path) -> None:
    """By `python -m` and by the script, with what ships for it."""
    script = installed / "bin" / "fair-datasets"
    assert run(installed, tmp_path, script, "--version").startswith("fair-datasets ")
    words = ("-m", "fair_datasets", "demo", "--out", "out")
    assert "347" in run(installed, tmp_path, *words)
    assert (tmp_path / "out" / "README.md").is_file()
    words = ("-m", "fair_datasets", "push", "demo", "ada/demo", "--dry-run")
    assert "app.py" in run(installed, tmp_path, *words)


@pytest.mark.parametrize("command", ["evaluate-encoders", "reproduce-paper"])
def test_what_a_checkout_has_is_told(installed: Path, tmp_path: Path, command: str) -> None:
    """The command is listed, and says where it runs."""
    code = f"""
import contextlib, sys
from fair_datasets.cli import main
sys.modules["hub_scripts"] = None  # that of a checkout which is installed as well
with contextlib.redirect_stderr(sys.stdout):
    print(main(["{command}", "panda"]))
    main(["--help"])
"""
    told = run(installed, tmp_path, "-c", code)
    assert "in a checkout of the project: clone the repository" in told.split("\n")[1]
    assert told.split("\n")[2] == "2"
    assert command in told.partition("usage")[2]


def test_the_package_runs_from_any_folder(installed: Path, tmp_path: Path) -> None:
    """It is the installed one; metrics load by their path, techniques by their entry points."""
    code = """
import pathlib, sys
import evaluate
import fair_datasets
from fair_datasets import CounterfactualSwap, load_metric, load_technique
from fair_datasets.measures import available_metrics
package = pathlib.Path(fair_datasets.__file__).parent
print(package)
module = evaluate.load(str(package / "metrics" / "demographic_parity"))
print(module.compute(predictions=[1, 0], groups=["a", "b"])["difference"])
print(*(load_metric(name).name for name in available_metrics()))
for axis in fair_datasets.lexicons.available_lexicons():
    CounterfactualSwap(columns="text", axis=axis)({"text": ["He is an old man."]})
print(load_technique(CounterfactualSwap(columns="text").config()).columns)
"""
    lines = run(installed, tmp_path, "-c", code).splitlines()
    names = sorted(path.name for path in (ROOT / "metrics").iterdir() if path.is_dir())
    assert lines == [str(installed / "fair_datasets"), "1.0", " ".join(names), "('text',)"]
