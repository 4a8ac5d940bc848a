"""Which faults that are planted in the source survive the tests.

    python tests/benchmarks/planted_faults.py --seed 1
    python tests/benchmarks/planted_faults.py --seed 1 --only 4 17 --until slow
    python tests/benchmarks/planted_faults.py --plant fair_datasets/diet/verdict.py '<= s' '< s'

A fault is one changed boundary, constant, operator or call. They are drawn by a seed, one of each
room (a folder, or the modules in none) in turn, and planted in a copy of the checkout. Of each
fault the doctests of its module and the tests that mirror it run first, then those of its room and
those that import the module, then the fast command and the slow one; the first failure ends it. A
test that fails without a fault, too, catches none: the tests that failed run once more in the end.

A fault that changes nothing that anybody can observe is told apart by hand: `--equivalent 4 17`.
"""

import argparse
import ast
import os
import random
import re
import shutil
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from importlib.util import cache_from_source
from itertools import chain, zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

# Threads would not outlive a fork; and each of these takes a second to import.
os.environ["OMP_NUM_THREADS"] = "1"
import pandas  # noqa: F401
import pytest
import sklearn.linear_model  # noqa: F401
import torch  # noqa: F401

ROOT = Path(__file__).parents[2]
COPIED = ["fair_datasets", "metrics", "hub_scripts", "tests", "pyproject.toml", "README.md",
          "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE", "constraints.txt"]  # fmt: skip
# What runs where the tests of a room caught nothing.
WHOLE = {"fast": [], "slow": ["-m", "slow and not full"]}
STAGES = ["mirror", "room", *WHOLE]
# What every operator and call becomes.
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPUTED = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "/", "%": "//", "and": "or", "or": "and"}
CALLED = {"floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "any": "all", "all": "any"}
# A mutant may never end.
HUNG = 1800


class Fault(NamedTuple):
    """What is written in place of what, from one character of a file to another."""

    file: str
    start: int
    end: int
    before: str
    after: str
    line: int

    def __str__(self) -> str:
        """Say where it is and what it is."""
        return f"{self.file}:{self.line} `{self.before}` to `{self.after}`"

    def planted(self, text: str) -> str:
        """Return a source with the fault."""
        return text[: self.start] + self.after + text[self.end :]


def between(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, dict[str, str]]]:
    """Give the two nodes around each operator, and what the operator may become."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield node.left, node.comparators[0], COMPARED
    elif isinstance(node, ast.BinOp):
        yield node.left, node.right, COMPUTED
    elif isinstance(node, ast.BoolOp):
        yield node.values[0], node.values[1], COMPUTED


def number(value: float) -> str:
    """Return another constant."""
    if isinstance(value, int):
        return str(value + 1 if value < 10 else value // 5)
    return repr(value * 10 if value else 0.1)


def faults_of(file: Path) -> list[Fault]:
    """Find every fault that a file can have."""
    text = file.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = []

    def add(start: int, end: int, after: str) -> None:
        line = bisect_right(starts, start)
        name = file.relative_to(ROOT).as_posix()
        found.append(Fault(name, start, end, text[start:end], after, line))

    tree = ast.parse(text)
    types = (each.annotation for each in ast.walk(tree) if hasattr(each, "annotation"))
    untyped = {id(part) for each in types if each is not None for part in ast.walk(each)}
    for node in ast.walk(tree):
        if id(node) in untyped:
            continue
        for left, right, others in between(node):
            start, end = (
                place(left.end_lineno, left.end_col_offset),
                place(right.lineno, right.col_offset),
            )
            operator = re.search(r"[<>=!]=?|//|[-+*/%]|\band\b|\bor\b", text[start:end])
            if operator and operator[0] in others:
                add(start + operator.start(), start + operator.end(), others[operator[0]])
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            start = place(node.lineno, node.col_offset)
            add(start, place(node.end_lineno or 0, node.end_col_offset or 0), number(node.value))
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in CALLED:
                end = place(node.func.end_lineno or 0, node.func.end_col_offset or 0)
                add(end - len(name), end, CALLED[name])
    return found


def drawn(seed: int, count: int) -> list[Fault]:
    """Draw faults, rooms in turn."""
    draws = random.Random(seed)
    rooms: dict[str, list[Fault]] = {}
    for file in sorted((ROOT / "fair_datasets").rglob("*.py")):
        room = file.relative_to(ROOT / "fair_datasets").parts[:-1][:1]
        rooms.setdefault("".join(room), []).extend(faults_of(file))
    shuffled = [draws.sample(found, len(found)) for _, found in sorted(rooms.items())]
    draws.shuffle(shuffled)
    in_turn = chain.from_iterable(zip_longest(*shuffled))
    return [fault for fault in in_turn if fault is not None][:count]


def tests_of(fault: Fault) -> dict[str, list[str]]:
    """Name what runs in the stages in which not all does."""
    module = Path(fault.file).relative_to("fair_datasets").with_suffix("")
    tests, folder = Path("tests"), Path("tests") / module.parent
    dotted = ".".join(["fair_datasets", *module.parts])
    own, _, name = dotted.rpartition(".")
    imports = re.compile(rf"\b{re.escape(dotted)}\b|from {re.escape(own)} import .*\b{name}\b")
    importers = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / tests).rglob("test_*.py"))
        if imports.search(path.read_text("utf-8"))
    ]
    mirror = [folder / f"test_{name}.py"]
    mirror += [Path(path) for path in importers if Path(path).parent == folder]
    first = [path.as_posix() for path in dict.fromkeys(mirror) if (ROOT / path).is_file()]
    rooms = [folder, tests / f"test_{module.parts[0]}.py"] if module.parts[1:] else []
    near = [path.as_posix() for path in rooms if (ROOT / path).exists()]
    return {"mirror": [fault.file, *first], "room": [*importers, *near]}


class Copy:
    """A copy of the checkout in which faults are planted."""

    def __init__(self, folder: Path) -> None:
        """Copy what the tests need."""
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__")
        for name in COPIED:
            source = ROOT / name
            copied = shutil.copytree if source.is_dir() else shutil.copy
            copied(source, folder / name, **({"ignore": ignored} if source.is_dir() else {}))
        data = os.environ.get("FAIR_DATASETS_DATA", ROOT.parent / "shared" / "data")
        self.environment = {
            **os.environ, "PYTHONPATH": str(folder), "FAIR_DATASETS_DATA": str(data),
            "HYPOTHESIS_PROFILE": "reproducible",
        }  # fmt: skip
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def write(self, file: str, text: str) -> None:
        """Write a module, and forget what was compiled of it."""
        path = self.folder / file
        path.write_text(text, "utf-8")
        Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def failed(self, arguments: list[str]) -> str:
        """Run some tests, and return the first that fails; empty where none does."""
        return next(iter(self.failing(["-x", *arguments])), "")

    def failing(self, arguments: list[str]) -> list[str]:
        """Run some tests, and return those that fail."""
        common = ["-q", "--tb=no", "-p", "no:cacheprovider"]
        with tempfile.TemporaryFile() as printed:
            # What the tests import, beside the package, is imported before: that takes longest.
            process = get_context("fork").Process(
                target=self._run, args=([*common, *arguments], printed.fileno())
            )
            process.start()
            process.join(HUNG)
            if process.exitcode is None:
                process.kill()
                process.join()
                return ["it never ended"]
            printed.seek(0)
            told = printed.read().decode()
        if process.exitcode in (0, 5):
            return []
        named = re.findall(r"^(?:FAILED|ERROR) (\S+(?: \S+)*?)(?: - .*)?$", told, re.MULTILINE)
        return named or [f"no test ran: {told.strip().splitlines()[-1]}"]

    def _run(self, arguments: list[str], printed: int) -> None:
        """Run pytest in this process, with the copy in place of the checkout."""
        for stream in (1, 2):
            os.dup2(printed, stream)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.path[:] = [str(self.folder), *(path for path in sys.path if path != str(ROOT))]
        sys.exit(pytest.main(arguments))

    def caught(self, fault: Fault, until: str) -> tuple[str, str]:
        """Return the stage and the test that catch a fault; empty where none does."""
        text = (ROOT / fault.file).read_text("utf-8")
        self.write(fault.file, fault.planted(text))
        try:
            for stage, tests in tests_of(fault).items():
                if tests and (test := self.failed(["-n0", *tests])):
                    return stage, test
                if stage == until:
                    return "", ""
            for stage, options in WHOLE.items():
                if test := self.failed(options):
                    return stage, test
                if stage == until:
                    break
        finally:
            self.write(fault.file, text)
        return "", ""


def given(file: str, before: str, after: str) -> Fault:
    """Return a fault of one's own."""
    text = (ROOT / file).read_text("utf-8")
    assert text.count(before) == 1, f"{file} has {before!r} {text.count(before)} times"
    start = text.index(before)
    line = text.count("\n", 0, start) + 1
    return Fault(file, start, start + len(before), before, after, line)


def main() -> None:
    """Draw the faults, plant each, and print what caught it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", type=int, nargs="+", help="their numbers")
    parser.add_argument("--equivalent", type=int, nargs="+", default=[], help="their numbers")
    parser.add_argument("--until", choices=STAGES, default="slow", help="the last stage")
    parser.add_argument("--plant", nargs=3, metavar=("FILE", "BEFORE", "AFTER"), action="append")
    options = parser.parse_args()
    faults = [given(*each) for each in options.plant or []] or drawn(options.seed, options.count)
    asked = options.only or range(1, len(faults) + 1)
    found: dict[int, tuple[str, str]] = {}
    print("| number | fault | caught by | test |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(prefix="fair-datasets-faults-") as folder:
        copy = Copy(Path(folder))
        for which in asked:
            fault = faults[which - 1]
            same = which in options.equivalent
            found[which] = ("equivalent", "") if same else copy.caught(fault, options.until)
            stage, test = found[which]
            print(f"| {which} | {fault} | {stage or 'nothing'} | {test} |", flush=True)
        catching = sorted({test for _, test in found.values() if ".py" in test})
        for wrong in copy.failing(["-n0", *catching]) if catching else []:
            print(f"\nThis fails without a fault, too, and catches none: {wrong}")
            found |= {which: ("", "") for which, (_, test) in found.items() if test == wrong}
    for stage in [*STAGES, "equivalent", ""]:
        print(f"{stage or 'nothing'}: {[each for each, _ in found.values()].count(stage)}")
    judged = [stage for stage, _ in found.values() if stage != "equivalent"]
    print(f"caught: {sum(map(bool, judged))} of {len(judged)}")


if __name__ == "__main__":
    main()
