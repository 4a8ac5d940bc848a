"""The ways of applying a technique: each must give what a call gives."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Technique
from fair_datasets.testing.batches import Columns, keep, same
from fair_datasets.testing.rules import require

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features

_CALL_IN_ANOTHER_PROCESS = """
import importlib, json, operator, sys
paths, cases = json.load(sys.stdin)
sys.path[:0] = paths
from datasets import load_from_disk
from datasets.fingerprint import Hasher
for module, name, config, path in cases:
    technique_class = operator.attrgetter(name)(importlib.import_module(module))
    names = technique_class.external_names(config["parameters"])
    technique = technique_class.from_config(config, allow=names)
    result = technique(load_from_disk(path)[:])
    print()
    print(json.dumps([Hasher.hash(technique), result], default=repr))
"""

Case = tuple[Technique, str, Columns | list[bool]]


def check_engines(technique: Technique, path: str, expected: Columns | list[bool]) -> None:
    """Check the result in each way that `datasets` has of applying a technique."""
    from datasets import DatasetDict

    dataset = from_disk(path)
    features = technique.features(dataset.features)
    changed = [name for name, kind in dataset.features.items() if features.get(name) != kind]
    require(not changed, f"it does not keep the features of {changed}")
    rows = expected if isinstance(expected, dict) else keep(dataset[:], expected)
    apply = _apply_by("map" if isinstance(expected, dict) else "filter", technique, features)
    ways: dict[str, dict[str, int | None]] = {
        "map": {"batch_size": 3},
        "map on one batch": {"batch_size": None},
        "map with num_proc=2": {"num_proc": 2},
    }
    for name, options in ways.items():
        result = apply(from_disk(path), **options)
        require(same(result[:], rows), f"{name} gives another result than a call")
        require(result.features == features, f"{name} loses features: {result.features}")
    both = apply(DatasetDict({"train": dataset, "test": dataset}))
    require(same(both["test"][:], rows), "DatasetDict.map gives another result than a call")
    stream = apply(dataset.to_iterable_dataset(num_shards=2))
    streamed = list(stream)
    require(
        same({name: [row[name] for row in streamed] for name in rows}, rows),
        "IterableDataset.map gives another result than a call",
    )
    require(stream.features == features, "IterableDataset.map loses features")
    if isinstance(expected, dict):
        _check_is_no_filter(technique, dataset)
    result = technique.apply(from_disk(path), batch_size=3)
    require(same(result[:], rows), "apply gives another result than a call")
    require(result.features == features, "apply loses features")
    first, second = (_cache_files(apply(from_disk(path))) for _ in range(2))
    require(bool(first) and first == second, "a second run misses the cache of the first")


def check_another_process(*cases: Case) -> None:
    """Check that a process with another hash seed has the same fingerprints and results.

    Args:
        *cases: Techniques, each with where its rows are saved, and what it gives of them.
    """
    from datasets.fingerprint import Hasher

    told = [
        (type(each).__module__, type(each).__qualname__, each.config(), path)
        for each, path, _ in cases
    ]
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    process = subprocess.run(
        [sys.executable, "-c", _CALL_IN_ANOTHER_PROCESS],
        input=json.dumps([sys.path, told]),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    require(process.returncode == 0, f"another process cannot use it: {process.stderr}")
    lines = [line for line in process.stdout.splitlines() if line.startswith('["')]
    for (technique, _, expected), line in zip(cases, lines, strict=True):
        fingerprint, result = json.loads(line)
        require(
            fingerprint == Hasher.hash(technique),
            f"its fingerprint differs in a process with PYTHONHASHSEED={seed}",
        )
        require(
            same(result, json.loads(json.dumps(expected, default=repr))),
            f"its result differs in a process with PYTHONHASHSEED={seed}",
        )


def from_disk(path: str) -> "Dataset":
    """Load the saved dataset anew, so that nothing but the files is shared between runs."""
    from datasets import load_from_disk

    return load_from_disk(path)


def _check_is_no_filter(technique: Technique, dataset: "Dataset") -> None:
    """Check that `filter` fails, which would keep as many rows as there are columns."""
    try:
        dataset.filter(technique, batched=True, load_from_cache_file=False)
    except InputError:
        return
    require(False, "`filter` takes what it returns for a mask; override `process`, not `__call__`")


def _apply_by(method: str, technique: Technique, features: "Features") -> Callable[..., Any]:
    """Return a function that maps or filters a dataset by the technique."""

    def apply(dataset: "Dataset | DatasetDict", **options: Any) -> Any:
        if method == "map":
            options["features"] = features
        return getattr(dataset, method)(technique, batched=True, **options)

    return apply


def _cache_files(dataset: "Dataset") -> dict[str, int]:
    """Return the files of a dataset; a file that is written anew has another number."""
    return {
        name: os.stat(name).st_ino for name in (file["filename"] for file in dataset.cache_files)
    }
