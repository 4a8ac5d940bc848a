"""The tools run in environments of their own, each of which has the tool and this package.

Here their names are stood in for by small classes: `recorded` puts them where an adapter imports
them from, and `same_calls` asks the tool whether it takes the same parameters.
"""

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.json as paj
import pyarrow.parquet as pq
import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.cards.markdown import fenced_blocks

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = ROOT.parent / "envs"
TEXTS = ["He ran.", "It rains.", "The Virgin Mary.", "She met her aunt.", "The waiter saw him."]
# Prints the names of the parameters of what `MODULE:NAME` names.
SIGNATURES = """
import importlib, inspect, json, operator, sys
print(json.dumps({
    name: [*inspect.signature(
        operator.attrgetter(name.partition(":")[2])(importlib.import_module(name.partition(":")[0]))
    ).parameters]
    for name in sys.argv[1:]
}))
"""


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
            env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{python.parent}:/usr/bin:/bin",
                 "RAY_USAGE_STATS_ENABLED": "0"},
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr if fails else done.stdout

    return run


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Return what imports an adapter over what was recorded of its tool."""

    def imported(adapter: str, tool: Mapping[str, Mapping[str, Any]]) -> ModuleType:
        for module, names in tool.items():
            parts = module.split(".")
            for end in range(1, len(parts) + 1):
                name = ".".join(parts[:end])
                if name not in tool:
                    monkeypatch.setitem(sys.modules, name, ModuleType(name))
            made = ModuleType(module)
            made.__dict__.update(names)
            monkeypatch.setitem(sys.modules, module, made)
        name = f"fair_datasets.integrations.{adapter}"
        monkeypatch.delitem(sys.modules, name, raising=False)
        found = importlib.import_module(name)
        # It knows what stands in, so that nobody after this test may find it.
        monkeypatch.setitem(sys.modules, name, found)
        return found

    return imported


@pytest.fixture
def same_calls(run_in: Callable[..., str]) -> Callable[..., None]:
    """Return what compares the parameters of what was recorded with those of the tool."""

    def compare(environment: str, tool: Mapping[str, Mapping[str, Any]]) -> None:
        ours = {
            f"{module}:{path}": [*inspect.signature(function).parameters]
            for module, names in tool.items()
            for name, value in names.items()
            for path, function in called(name, value)
        }
        assert json.loads(run_in(environment, "-c", SIGNATURES, *ours).splitlines()[-1]) == ours

    return compare


@pytest.fixture
def on_the_page() -> Callable[[str], str]:
    """Return what gives the block of the page on engines in a language."""
    page = (ROOT / "fair_datasets" / "docs" / "engines.md").read_text("utf-8")
    blocks = {block.language: block.code for block in fenced_blocks(page)}
    return blocks.__getitem__


@pytest.fixture
def reviews(tmp_path: Path) -> Callable[[Path], list[tuple[str, str]]]:
    """Write two files of JSON lines, and return what reads the rows of a result in order.

    A row is its id, which two rows of a pair share, and its text.
    """
    (tmp_path / "reviews-jsonl").mkdir()
    for number in range(2):
        lines = [json.dumps({"id": f"{number}-{k}", "text": text}) for k, text in enumerate(TEXTS)]
        text = "\n".join(lines) + "\n"
        (tmp_path / "reviews-jsonl" / f"{number}.jsonl").write_text(text)
        with (tmp_path / "reviews.jsonl").open("a") as file:
            file.write(text)

    def read(folder: Path) -> list[tuple[str, str]]:
        tables = [pq.read_table(file) for file in folder.glob("*.parquet")]
        tables += [paj.read_json(file) for file in folder.glob("*.json*")]
        rows = [row for table in tables for row in table.select(["id", "text"]).to_pylist()]
        return sorted((row["id"].partition("/")[0], row["text"]) for row in rows)

    return read


@pytest.fixture
def rows_of_map(tmp_path: Path, reviews: Any) -> list[tuple[str, str]]:
    """Return the rows that `datasets.map` makes of those files."""
    rows = Dataset.from_json(str(tmp_path / "reviews.jsonl"), cache_dir=str(tmp_path / "cache"))
    made = rows.map(CounterfactualSwap(columns="text"), batched=True)
    return sorted(zip(made["id"], made["text"], strict=True))


def called(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return what is called of a name: a function, or the methods that its class has here."""
    if inspect.isfunction(value):
        return [(name, value)]
    if not inspect.isclass(value) or value.__name__ != name:
        return []
    methods = [key for key in vars(value) if key == "__init__" or not key.startswith("__")]
    found = [(f"{name}.{key}", getattr(value, key)) for key in methods]
    return [(path, method) for path, method in found if callable(method)]
