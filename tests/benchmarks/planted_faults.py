"""Which faults that are planted in the source survive the tests.

    python tests/benchmarks/planted_faults.py --seed 1
    python tests/benchmarks/planted_faults.py --seed 1 --only 4 17 --until slow
    python tests/benchmarks/planted_faults.py \
        --plant fair_datasets/selection/diet/report.py '<= s' '< s'

A fault is one changed boundary, constant, operator or call. They are drawn by a seed, one of each
room (a folder, or the modules in none) in turn, and planted in a copy of the checkout. Of each
fault the doctests of its module and the tests that mirror it run first, then those of its room and
those that import the module; the first failure ends it. A test that fails without the fault, too,
is left out from then on, with all that fails in its file: how many is printed. What survives is
planted all at once, and the fast command runs once; of what fails there, each test runs again with
each fault alone. The slow command does the same with what is left. A test catches only what it
fails with alone, and passes without. Where no test passes with all of them, each half of them is
planted at once.
Tests that do not end catch a fault only if they end without it in a third of the time; else the
stage is not judged, which is told beside a fault that nothing else catches.

A fault that changes nothing that anybody can observe is told apart by hand: `--equivalent 4 17`.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
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
          "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE", "constraints.txt",
          ".github"]  # fmt: skip
# What runs once, for all that the tests of their rooms did not catch.
WHOLE = {"fast": [], "slow": ["-m", "slow and not full"]}
STAGES = ["mirror", "room", *WHOLE]
# What every operator and call becomes.
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPUTED = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "/", "%": "//", "and": "or", "or": "and"}
CALLED = {"floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "any": "all", "all": "any"}
# With a fault, tests may never end: seconds until a run is given up, of all tests or of a few. A
# busy machine is slow, too: a run given up counts where it takes a third of them without the fault.
HUNG, HUNG_ALONE, SLOWER = 7200, 300, 3
# What is told in place of a test then, or where pytest itself cannot begin.
ENDED = "no test ended"

# The stage and the test; where nothing catches a fault, no stage, and the stages not judged.
Caught = tuple[str, str]


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
            operator = re.search(r"[<>=!]=?|//|\*\*|[-+*/%]|\band\b|\bor\b", text[start:end])
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
    sources = (ROOT / "fair_datasets", ROOT / "hub_scripts" / "papers")
    for file in sorted(chain.from_iterable(source.rglob("*.py") for source in sources)):
        room = file.relative_to(ROOT).parts[1:-1][:1]
        rooms.setdefault("".join(room), []).extend(faults_of(file))
    shuffled = [draws.sample(found, len(found)) for _, found in sorted(rooms.items())]
    draws.shuffle(shuffled)
    in_turn = chain.from_iterable(zip_longest(*shuffled))
    return [fault for fault in in_turn if fault is not None][:count]


def tests_of(fault: Fault) -> dict[str, list[str]]:
    """Name what runs in the stages in which not all does."""
    whole = Path(fault.file).with_suffix("")
    module = whole.relative_to(whole.parts[0])
    tests, folder = Path("tests"), Path("tests") / module.parent
    dotted = ".".join(whole.parts)
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
    # What is nearest fails most likely, and ends the run.
    importers.sort(key=lambda path: not Path(path).is_relative_to(folder))
    room = [*(ROOT / folder).rglob("test_*.py"), ROOT / tests / f"test_{module.parts[0]}.py"]
    near = [path.relative_to(ROOT).as_posix() for path in sorted(room) if path.is_file()]
    rest = dict.fromkeys([*importers, *(near if module.parts[1:] else [])])
    return {"mirror": [fault.file, *first], "room": [path for path in rest if path not in first]}


class Outcomes:
    """What pytest is given to run a choice of tests, and to write down which of them pass."""

    def __init__(self, only: Collection[str], left_out: Collection[str], path: Path) -> None:
        """Choose by the names of tests and files; without any, all run."""
        self.only, self.left_out, self.path = only, left_out, path
        self.passed: dict[str, bool] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what was not chosen."""
        items[:] = [
            item
            for item in items
            if item.nodeid not in self.left_out
            and not (
                self.only and {item.nodeid, item.nodeid.partition("::")[0]}.isdisjoint(self.only)
            )
        ]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Write down a file that cannot be read."""
        if report.failed:
            self.passed[report.nodeid] = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down a test."""
        if report.failed or (report.passed and report.when == "call"):
            self.passed[report.nodeid] = report.passed and self.passed.get(report.nodeid, True)

    def pytest_sessionfinish(self) -> None:
        """Hand it over."""
        self.path.write_text(json.dumps(self.passed), "utf-8")


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
        self.told = folder / "outcomes.json"
        # Tests that fail without a fault.
        self.left_out: set[str] = set()

    @contextmanager
    def planted(self, faults: Sequence[Fault]) -> Iterator[None]:
        """Plant faults, and take them back in the end."""
        sources = {fault.file: (self.folder / fault.file).read_text("utf-8") for fault in faults}
        changed = dict(sources)
        for fault in sorted(faults, key=lambda fault: fault.start, reverse=True):
            text = changed[fault.file]
            changed[fault.file] = text[: fault.start] + fault.after + text[fault.end :]
        try:
            self._write(changed)
            yield
        finally:
            self._write(sources)

    def _write(self, texts: dict[str, str]) -> None:
        """Write modules, and forget what was compiled of them."""
        for file, text in texts.items():
            path = self.folder / file
            path.write_text(text, "utf-8")
            Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def run(
        self, arguments: list[str], only: Collection[str] = (), limit: float = HUNG
    ) -> dict[str, bool]:
        """Run tests, and tell of each whether it passed."""
        self.told.unlink(missing_ok=True)
        # What the tests import, beside the package, is imported before: that takes longest.
        process = get_context("fork").Process(target=self._run, args=(arguments, only))
        process.start()
        process.join(limit)
        if process.exitcode is None:
            process.kill()
            process.join()
        passed = json.loads(self.told.read_text("utf-8")) if self.told.exists() else {}
        is_whole = process.exitcode in (
            pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED,
        )  # fmt: skip
        return passed if is_whole or not all(passed.values()) else {**passed, ENDED: False}

    def _run(self, arguments: list[str], only: Collection[str]) -> None:
        """Run pytest in this process, with the copy in place of the checkout."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.path[:] = [str(self.folder), *(path for path in sys.path if path != str(ROOT))]
        common = ["-q", "--tb=no", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
        sys.exit(pytest.main([*common, *arguments], [Outcomes(only, self.left_out, self.told)]))

    def again(
        self, tests: Collection[str], options: Sequence[str], limit: float = HUNG
    ) -> dict[str, bool]:
        """Run tests by their names, or files."""
        files = sorted({test.partition("::")[0] for test in tests})
        return self.run([*options, "-n0", *files], tests, limit) if files else {}

    def sound(self, tests: Collection[str], options: Sequence[str] = ()) -> set[str]:
        """Return the tests that pass without a fault, and the files that can be read."""
        passed = self.again(set(tests) - {ENDED}, options)
        return {test for test in tests if passed.get(test, "::" not in test)}

    def is_sound(self, test: str) -> bool:
        """Whether a test passes without a fault; else leave out what fails in its file."""
        if self.sound([test]):
            return True
        found = self.again([test.partition("::")[0]], [])
        self.left_out |= {test, *(each for each, is_right in found.items() if not is_right)}
        return False

    def caught_by(self, fault: Fault, tests: Sequence[str]) -> str | None:
        """Return which of the tests catches a fault, empty where none; None where none can tell."""
        while asked := [test for test in tests if test not in self.left_out]:
            arguments = ["-n0", "-x", *asked]
            with self.planted([fault]):
                passed = self.run(arguments, limit=HUNG_ALONE)
            wrong = next((test for test, is_right in passed.items() if not is_right), "")
            if wrong == ENDED:
                passed = self.run(arguments, limit=HUNG_ALONE / SLOWER)
                return None if ENDED in passed else ENDED
            if not wrong or self.is_sound(wrong):
                return wrong
        return ""

    def caught_near(self, fault: Fault, until: str) -> Caught:
        """Return the stage and the test, of its room, that catch a fault; empty where none does."""
        unjudged = []
        for stage, tests in tests_of(fault).items():
            if test := self.caught_by(fault, tests):
                return stage, test
            if test is None:
                unjudged.append(f"{stage} not judged")
            if stage == until:
                break
        return "", ", ".join(unjudged)

    def caught_together(
        self, faults: dict[int, Fault], options: Sequence[str], workers: str
    ) -> dict[int, str]:
        """Return the tests that catch some of the faults."""
        with self.planted([*faults.values()]):
            passed = self.run([*options, "-n", workers])
        if ENDED in passed or not any(passed.values()):
            if len(faults) == 1:
                return dict.fromkeys(faults, ENDED)
            numbers = [*faults]
            halves = ({each: faults[each] for each in numbers[first::2]} for first in (0, 1))
            first, second = (self.caught_together(half, options, workers) for half in halves)
            return first | second
        found = {}
        begun = time.monotonic()
        asked = self.sound([test for test, is_right in passed.items() if not is_right], options)
        limit = max(HUNG_ALONE, SLOWER * (time.monotonic() - begun))
        for which, fault in faults.items() if asked else ():
            with self.planted([fault]):
                alone = self.again(asked, [*options, "-x"], limit)
            if wrong := [test for test, is_right in alone.items() if not is_right]:
                found[which] = wrong[0]
        return found


def given(file: str, before: str, after: str) -> Fault:
    """Return a fault of one's own."""
    text = (ROOT / file).read_text("utf-8")
    assert text.count(before) == 1, f"{file} has {before!r} {text.count(before)} times"
    start = text.index(before)
    line = text.count("\n", 0, start) + 1
    return Fault(file, start, start + len(before), before, after, line)


def judged(faults: dict[int, Fault], until: str, workers: str) -> dict[int, Caught]:
    """Return what catches each fault, and print it as it is found."""
    found: dict[int, Caught] = {}

    def tell(which: int) -> None:
        stage, test = found[which]
        print(f"| {which} | {faults[which]} | {stage or 'nothing'} | {test} |", flush=True)

    with tempfile.TemporaryDirectory(prefix="fair-datasets-faults-") as folder:
        copy = Copy(Path(folder))
        for which, fault in faults.items():
            found[which] = copy.caught_near(fault, until)
            tell(which)
        print(f"left out, as they fail without a fault: {len(copy.left_out)}", *copy.left_out)
        for stage, options in WHOLE.items():
            left = {which: faults[which] for which in faults if not found[which][0]}
            if until in STAGES[: STAGES.index(stage)] or not left:
                break
            for which, test in copy.caught_together(left, options, workers).items():
                found[which] = stage, test
                tell(which)
    return found


def main() -> None:
    """Draw the faults, plant them, and print what caught each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", type=int, nargs="+", help="their numbers")
    parser.add_argument("--equivalent", type=int, nargs="+", default=[], help="their numbers")
    parser.add_argument("--until", choices=STAGES, default="slow", help="the last stage")
    parser.add_argument("--workers", default="auto", help="of the whole commands, as pytest's -n")
    parser.add_argument("--plant", nargs=3, metavar=("FILE", "BEFORE", "AFTER"), action="append")
    options = parser.parse_args()
    faults = [given(*each) for each in options.plant or []] or drawn(options.seed, options.count)
    asked = options.only or range(1, len(faults) + 1)
    print("| number | fault | caught by | test |\n|---|---|---|---|", flush=True)
    wanted = {which: faults[which - 1] for which in asked if which not in options.equivalent}
    found = judged(wanted, options.until, options.workers)
    stages = [stage for stage, _ in found.values()]
    print("nothing:", *(which for which, (stage, _) in found.items() if not stage))
    print(*(f"{stage}: {stages.count(stage)}" for stage in STAGES), sep="\n")
    print(f"caught: {sum(map(bool, stages))} of {len(stages)}")


if __name__ == "__main__":
    main()
