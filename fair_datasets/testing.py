"""Checking that a technique keeps the contract, for our own techniques and third parties'.

A technique that passes gives the same rows in `Dataset.map`, `DatasetDict.map`, with several
processes, in `IterableDataset.map` and in any other engine that calls it on batches.
"""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.checks import InputError
from fair_datasets.technique import Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features

Columns = dict[str, list[Any]]

_HASH_IN_ANOTHER_PROCESS = """
import importlib, json, sys
from datasets.fingerprint import Hasher
sys.path[:0] = json.loads(sys.argv[1])
module, name, config = sys.argv[2:]
print(Hasher.hash(getattr(importlib.import_module(module), name).from_config(json.loads(config))))
"""


def check_technique(
    technique: Technique,
    batch: Mapping[str, Sequence[Any]],
    features: "Features | None" = None,
) -> None:
    """Check every rule of the contract on one technique and one batch of rows.

    Args:
        technique: The technique; its class is importable from its module.
        batch: Column name to values: at least two rows on which the technique does its work, and
            whatever else it should cope with. Nulls and empty texts are added where the technique
            has text `columns`.
        features: The features of the batch; None to infer them.

    Raises:
        AssertionError: A rule is broken; the sentence says which.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> check_technique(CounterfactualSwap(columns="text"), {"text": ["He ran.", "Rain."]})
    """
    from datasets import Dataset

    batch = _with_nulls(technique, batch)
    _check_configuration(technique)
    expected = _check_call(technique, batch)
    _check_batching(technique, batch, expected)
    _check_refusals(technique, batch)
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "dataset"))
        Dataset.from_dict(dict(batch), features=features).save_to_disk(path)
        _check_engines(technique, path, expected)
    _check_fingerprint(technique)


def _with_nulls(technique: Technique, batch: Mapping[str, Sequence[Any]]) -> Columns:
    """Add a row whose texts are null and one whose texts are empty, where there are texts."""
    texts = getattr(technique, "columns", ())
    rows: Columns = {column: list(values) for column, values in batch.items()}
    for column, values in rows.items():
        values += [None, ""] if column in texts else [values[0], values[-1]]
    return rows


def _check_configuration(technique: Technique) -> None:
    """Check that the technique is a frozen dataclass that its JSON configuration rebuilds."""
    _require(is_dataclass(technique), "it is not a dataclass")
    name = fields(technique)[0].name
    try:
        setattr(technique, name, None)
    except AttributeError:
        pass
    else:
        raise AssertionError(f"The contract is broken: its field {name!r} can be changed.")
    rebuilt = type(technique).from_config(json.loads(json.dumps(technique.config())))
    _require(rebuilt == technique, "its configuration does not rebuild it")
    _require(copy.deepcopy(technique) == technique, "its copy differs from it")


def _check_call(technique: Technique, batch: Columns) -> Columns | list[bool]:
    """Check what one call returns, and that it leaves its argument alone."""
    before = copy.deepcopy(batch)
    result = technique(batch)
    _require(batch == before, "it changes the batch that it is given")
    _require(technique(batch) == result, "a second call gives another result")
    as_arrays: Any = {column: _array(values) for column, values in batch.items()}
    _require(technique(as_arrays) == result, "numpy columns give another result than lists")
    if isinstance(result, list):
        _require(
            len(result) == _length(batch) and all(type(keep) is bool for keep in result),
            "it does not return one bool per row",
        )
        return result
    missing = batch.keys() - result.keys()
    _require(not missing, f"it does not return the columns {sorted(missing)}")
    lengths = {len(values) for values in result.values()}
    _require(len(lengths) == 1, f"it returns columns of different lengths {sorted(lengths)}")
    lists = all(isinstance(values, list) for values in result.values())
    _require(lists, "it returns a column that is not a list")
    return result


def _check_batching(technique: Technique, batch: Columns, expected: Columns | list[bool]) -> None:
    """Check that the batch size and the order of the rows change no row's result."""
    rows = range(_length(batch))
    for size in (1, 7):
        parts = [_take(batch, rows[start : start + size]) for start in rows[::size]]
        _require(
            _joined([technique(part) for part in parts]) == expected,
            f"batches of {size} give another result than one batch",
        )
    single = [technique(_take(batch, [row])) for row in rows]
    backwards = technique(_take(batch, rows[::-1]))
    _require(backwards == _joined(single[::-1]), "the order of the rows changes a row's result")
    empty = technique({column: [] for column in batch})
    values = [empty] if isinstance(empty, list) else list(empty.values())
    _require(not any(values), "an empty batch gives rows")


def _check_refusals(technique: Technique, batch: Columns) -> None:
    """Check that a missing column and a value that is no text are refused by name."""
    for column in getattr(technique, "columns", ()):
        wrong = {**batch, column: [*batch[column][:-1], 5]}
        row = str(_length(batch) - 1)
        _require_refusal(technique, wrong, [column, row, "5"])
        del wrong[column]
        _require_refusal(technique, wrong, [column])


def _check_engines(technique: Technique, path: str, expected: Columns | list[bool]) -> None:
    """Check the result in each way that `datasets` has of applying a technique."""
    from datasets import DatasetDict

    dataset = _from_disk(path)
    features = technique.features(dataset.features)
    rows = expected if isinstance(expected, dict) else _keep(dataset[:], expected)
    apply = _apply_by("map" if isinstance(expected, dict) else "filter", technique, features)
    ways: dict[str, dict[str, int | None]] = {
        "map": {"batch_size": 7},
        "map on one batch": {"batch_size": None},
        "map with num_proc=2": {"num_proc": 2},
    }
    for name, options in ways.items():
        result = apply(_from_disk(path), **options)
        _require(result[:] == rows, f"{name} gives another result than a call")
        _require(result.features == features, f"{name} loses features: {result.features}")
    both = apply(DatasetDict({"train": dataset, "test": dataset}))
    _require(both["test"][:] == rows, "DatasetDict.map gives another result than a call")
    stream = apply(dataset.to_iterable_dataset(num_shards=2))
    _require(
        _joined([{k: [v] for k, v in row.items()} for row in stream]) == rows,
        "IterableDataset.map gives another result than a call",
    )
    _require(stream.features == features, "IterableDataset.map loses features")
    _require(
        apply(_from_disk(path)).cache_files == apply(_from_disk(path)).cache_files,
        "a second run misses the cache of the first",
    )


def _check_fingerprint(technique: Technique) -> None:
    """Check that the `datasets` fingerprint is the same in processes with other hash seeds."""
    from datasets.fingerprint import Hasher

    technique_class = type(technique)
    if "<locals>" in technique_class.__qualname__ or technique_class.__module__ == "__main__":
        raise AssertionError("The contract is broken: its class cannot be imported by name.")
    command = [
        sys.executable, "-c", _HASH_IN_ANOTHER_PROCESS, json.dumps(sys.path),
        technique_class.__module__, technique_class.__qualname__, json.dumps(technique.config()),
    ]  # fmt: skip
    for seed in ("0", "1"):
        process = subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        _require(process.returncode == 0, f"another process cannot make it: {process.stderr}")
        _require(
            process.stdout.strip() == Hasher.hash(technique),
            f"its fingerprint differs in a process with PYTHONHASHSEED={seed}",
        )


def _require(is_kept: bool, fault: str) -> None:
    """Raise unless a rule is kept."""
    if not is_kept:
        raise AssertionError(f"The contract is broken: {fault}.")


def _require_refusal(technique: Technique, batch: Columns, named: Sequence[str]) -> None:
    """Raise unless a batch is refused in a sentence that names what is wrong."""
    try:
        technique(batch)
    except InputError as error:
        missing = [word for word in named if word not in str(error)]
        _require(not missing, f"its refusal does not name {missing}: {error}")
    else:
        raise AssertionError(f"The contract is broken: it accepts a wrong column {named[0]!r}.")


def _apply_by(method: str, technique: Technique, features: "Features") -> Callable[..., Any]:
    """Return a function that maps or filters a dataset by the technique."""

    def apply(dataset: "Dataset | DatasetDict", **options: Any) -> Any:
        if method == "map":
            options["features"] = features
        return getattr(dataset, method)(technique, batched=True, **options)

    return apply


def _from_disk(path: str) -> "Dataset":
    """Load the saved dataset anew, so that nothing but the files is shared between runs."""
    from datasets import load_from_disk

    return load_from_disk(path)


def _array(values: list[Any]) -> np.ndarray[Any, Any]:
    """Return values as a numpy array of objects."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _length(batch: Mapping[str, Sequence[Any]]) -> int:
    """Return the number of rows of a batch."""
    return len(next(iter(batch.values())))


def _take(batch: Columns, rows: Sequence[int]) -> Columns:
    """Return some rows of a batch."""
    return {column: [values[row] for row in rows] for column, values in batch.items()}


def _keep(batch: Columns, keep: Sequence[bool]) -> Columns:
    """Return the rows of a batch that a filter keeps."""
    return _take(batch, [row for row, wanted in enumerate(keep) if wanted])


def _joined(parts: Sequence[Any]) -> Any:
    """Put the results of several calls together."""
    if isinstance(parts[0], list):
        return [keep for part in parts for keep in part]
    return {column: [value for part in parts for value in part[column]] for column in parts[0]}
