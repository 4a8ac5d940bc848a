"""Checking that a technique keeps the contract, for our own techniques and third parties'.

A technique that passes gives the same rows in `Dataset.map`, `DatasetDict.map`, with several
processes, in `IterableDataset.map` and in any other engine that calls it on batches.
"""

import copy
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.rows.arrow import python_values
from fair_datasets.rows.text_fields import field_columns, is_there
from fair_datasets.system.checks import InputError, error_context, invalid
from fair_datasets.system.files import temporary_folder
from fair_datasets.system.portable import file_digest
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, DatasetDict, Features

__all__ = ["check_technique"]


def require(is_met: bool, fault: str) -> None:
    """Raise unless a rule is kept."""
    if not is_met:
        raise AssertionError(f"The contract is broken: {fault}.")


@contextmanager
def working(situation: str) -> Iterator[None]:
    """Name in a failure the situation in which the technique should work."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(
            f"The contract is broken: it fails on {situation}: {error!r}."
        ) from error


Columns = dict[str, list[Any]]

TOLERANCE = 1e-5


def length(batch: Mapping[str, Sequence[Any]]) -> int:
    """Return the number of rows of a batch."""
    return len(next(iter(batch.values())))


def take(batch: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> Columns:
    """Return some rows of a batch."""
    return {column: [values[row] for row in rows] for column, values in batch.items()}


def keep(batch: Mapping[str, Sequence[Any]], wanted: Sequence[bool]) -> Columns:
    """Return the rows of a batch that a filter keeps."""
    return take(batch, [row for row, is_wanted in enumerate(wanted) if is_wanted])


def joined(parts: Sequence[Any]) -> Any:
    """Put the results of several calls of a technique together.

    Args:
        parts: Batches with the same columns, or lists of bools; at least one.

    Example:
        >>> joined([{"text": ["a"]}]), joined([[True], [False]])
        ({'text': ['a']}, [True, False])
    """
    if isinstance(parts[0], list):
        return [value for part in parts for value in part]
    return {column: [value for part in parts for value in part[column]] for column in parts[0]}


def as_arrays(batch: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return a batch with numpy columns, as Ray Data gives them.

    Returns:
        Column name to a one-dimensional array of the same objects.

    Example:
        >>> as_arrays({"text": ["a", None]})
        {'text': array(['a', None], dtype=object)}
    """
    arrays = {column: np.empty(len(values), dtype=object) for column, values in batch.items()}
    for column, values in batch.items():
        arrays[column][:] = values
    return arrays


def same(lhs: Any, rhs: Any) -> bool:
    """Whether two results are the same.

    NaN is the same as NaN. Two floats are the same if they differ by no more than `TOLERANCE`,
    absolutely or relatively: the last digits of what a model gives depend on the rows that share
    its batch.
    """
    if isinstance(lhs, float) and isinstance(rhs, float):
        is_close = math.isclose(lhs, rhs, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return is_close or (math.isnan(lhs) and math.isnan(rhs))
    if isinstance(lhs, dict) and isinstance(rhs, dict):
        return lhs.keys() == rhs.keys() and all(same(lhs[name], rhs[name]) for name in lhs)
    if isinstance(lhs, list) and isinstance(rhs, list):
        return len(lhs) == len(rhs) and all(map(same, lhs, rhs))
    return bool(lhs == rhs)


Result = Columns | list[bool]

COLUMNS = ("columns", "column")
"""The fields that name what is read, which alone may be given by position."""

# A whole number that no row number and no column name contains.
_NO_TEXT = 987654321
# What no integer of `datasets` holds that is made of Python's, and the column of such values.
_LARGEST, _BESIDE = 2**64 - 1, "beside the others"


def check_technique(
    technique: Technique,
    batch: Mapping[str, Sequence[Any]],
    features: "Features | None" = None,
) -> None:
    """Check every rule of the contract on one technique and one batch of rows.

    Args:
        batch: Column name to values: at least two rows on which the technique does its work, and
            whatever else it should cope with. Nulls and empty texts are added where the
            technique's `columns` (or its `column`) hold text.

    Raises:
        AssertionError: A rule is broken; the sentence says which.
        InputError: What was given is no batch.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> check_technique(CounterfactualSwap(columns="text"), {"text": ["He ran.", "Rain."]})
    """
    from datasets import Dataset
    from datasets.fingerprint import Hasher

    if not isinstance(batch, Mapping):
        raise invalid(
            "the batch must be a mapping of column names to values, but it is a "
            f"{type(batch).__name__}; of a dataset give some rows, such as dataset[:8]."
        )
    _check_configuration(technique)
    require(not technique.impurity(), technique.impurity())
    fingerprint = Hasher.hash(technique)
    read = _read_columns(technique, batch)
    texts = [name for name in read if any(isinstance(value, str) for value in batch[name])]
    _called(technique, {name: list(values) for name, values in batch.items()}, "the batch")
    with temporary_folder() as folder, error_context(type(technique).__name__):
        path = str(folder / "dataset")
        nullable = [name for name in texts if name not in technique.without_nulls]
        several = _with_nulls(batch, texts, nullable)
        Dataset.from_dict(several, features=features).save_to_disk(path)
        rows: Columns = from_disk(path)[:]
        expected = _check_call(technique, rows)
        _check_rows(technique, rows, expected, read)
        _check_refusals(technique, rows, texts)
        state = sorted(vars(technique).keys() - {item.name for item in fields(technique)})
        require(not state, f"it keeps {state} beside its fields")
        require(Hasher.hash(technique) == fingerprint, "its use changes its fingerprint")
        with working("datasets' map or filter"):
            check_engines(technique, path, expected)
        _check_table(technique, from_disk(path).with_format("arrow")[:], expected)
        check_another_process((technique, path, expected))


def _read_columns(technique: Technique, batch: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the columns of the batch in which the texts lie that the technique names."""
    named = next(filter(None, (getattr(technique, name, None) for name in COLUMNS)), ())
    names = [named] if isinstance(named, str) else named
    columns = [name for name in names if is_there(name, batch)]
    return field_columns(columns, batch)


def _with_nulls(
    batch: Mapping[str, Sequence[Any]], texts: Sequence[str], nullable: Sequence[str]
) -> Columns:
    """Add the first row with a null in each column that takes one; and one with empty texts."""
    rows: Columns = {column: list(values) for column, values in batch.items()}
    for column, values in rows.items():
        first = values[0]
        values += [None if column == text else first for text in nullable]
        values.append("" if column in texts else first)
    return rows


def _check_configuration(technique: Technique) -> None:
    """Check that the technique is a frozen dataclass that its JSON configuration rebuilds."""
    kind = type(technique)
    is_importable = "<locals>" not in kind.__qualname__ and kind.__module__ != "__main__"
    require(is_importable, "its class cannot be imported by name")
    for item in fields(technique):
        value = getattr(technique, item.name)
        require(
            item.kw_only is True or item.name in COLUMNS,
            f"its field {item.name!r} is not keyword-only, as all but columns and column are",
        )
        require(
            _is_plain(value),
            f"its field {item.name!r} holds a {type(value).__name__}, not strings, numbers, "
            "booleans, None or tuples of them",
        )
    try:
        copy.copy(technique).__setattr__("a_new_attribute", None)
    except AttributeError:
        pass
    else:
        raise AssertionError("The contract is broken: it is not frozen.")
    digests = {name: file_digest(path) for name, path in technique.resources().items()}
    require(dict(technique.digests) == digests, "it lacks the digests of its resources")
    with working("its own configuration"):
        config = json.loads(json.dumps(technique.config()))
        rebuilt = kind.from_config(config, allow=kind.external_names(config["parameters"]))
    require(rebuilt == technique, "its configuration does not rebuild it")
    require(copy.deepcopy(technique) == technique, "its copy differs from it")


def _is_plain(value: Any) -> bool:
    """Whether a field's value is one that every process writes in the same way."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float)


def _check_call(technique: Technique, batch: Columns) -> Result:
    """Check what one call returns, and that it leaves its argument alone."""
    before = copy.deepcopy(batch)
    result = _called(technique, batch, "nulls or empty texts")
    require(same(batch, before), "it changes the batch that it is given")
    require(
        same(_called(technique, batch, "a second call"), result),
        "a second call gives another result",
    )
    require(
        same(_called(technique, as_arrays(batch), "numpy columns"), result),
        "numpy columns give another result than lists",
    )
    return result


def _check_table(technique: Technique, table: "pa.Table", expected: Result) -> None:
    """Check that a table of Arrow becomes one, in which what is not read keeps its type."""
    import pyarrow as pa

    beside = pa.array([_LARGEST] * len(table), pa.uint64())
    with working("an Arrow table"):
        result = technique(table.append_column(_BESIDE, beside))
    if isinstance(expected, list):
        require(result == expected, "an Arrow table gives another result than a dictionary")
        return
    require(isinstance(result, pa.Table), "an Arrow table does not become one")
    read = {name: python_values(result[name]) for name in result.column_names}
    other_column = read.pop(_BESIDE, [])
    require(same(read, expected), "an Arrow table gives another result than a dictionary")
    is_met = other_column == [_LARGEST] * len(result) and result[_BESIDE].type == pa.uint64()
    require(is_met, "a column of an Arrow table that it does not read loses its type")


def _called(technique: Technique, batch: Any, situation: str) -> Result:
    """Call a technique and check the form of what it returns."""
    with working(situation), error_context(type(technique).__name__):
        result: Result = technique(batch)
    if isinstance(result, list):
        is_bool = all(type(wanted) is bool for wanted in result)
        require(len(result) == length(batch) and is_bool, "it does not return one bool per row")
        require(
            technique.method == "filter",
            f"it returns which rows to keep, but its method is {technique.method!r}",
        )
        return result
    require(
        technique.method == "map",
        f"it returns columns, but its method is {technique.method!r}",
    )
    missing = sorted(batch.keys() - result.keys())
    require(not missing, f"it does not return the columns {missing}")
    for column, values in result.items():
        require(isinstance(values, list), f"it returns column {column!r} not as a list")
    lengths = sorted({len(values) for values in result.values()})
    require(len(lengths) == 1, f"it returns columns of different lengths {lengths}")
    return result


def _check_rows(
    technique: Technique, batch: Columns, expected: Result, read: Sequence[str]
) -> None:
    """Check that a row's result depends on that row alone, and keeps what is to be kept."""
    rows = range(length(batch))
    single = [_called(technique, take(batch, [row]), "a batch of one row") for row in rows]
    require(same(joined(single), expected), "batches of 1 give another result than one batch")
    thirds = [_called(technique, take(batch, rows[k : k + 3]), "3 rows") for k in rows[::3]]
    require(same(joined(thirds), expected), "batches of 3 give another result than one batch")
    backwards = _called(technique, take(batch, rows[::-1]), "the rows in reverse order")
    require(same(backwards, joined(single[::-1])), "the order of the rows changes a row's result")
    empty = _called(technique, {column: [] for column in batch}, "an empty batch")
    require(
        not empty or (isinstance(empty, dict) and not length(empty)), "an empty batch gives rows"
    )
    for row, result in enumerate(single):
        if isinstance(result, dict):
            _check_row(take(batch, [row]), result, read)


def _check_row(row: Columns, result: Columns, read: Sequence[str]) -> None:
    """Check what one row becomes: nulls and labels are kept, and the row itself comes first."""
    count = length(result)
    for column, (value,) in row.items():
        if read and (column not in read or value is None):
            require(
                same(result[column], [value] * count),
                f"it does not keep column {column!r}: {value!r} becomes {result[column]!r}",
            )
        require(
            count < 2 or same(result[column][:1], [value]),
            f"an added row stands before its origin: {result[column]!r} for {value!r}",
        )


def _check_refusals(technique: Technique, batch: Columns, texts: Sequence[str]) -> None:
    """Check that a missing column, a value that is no text and a single row are refused."""
    for column in texts:
        wrong = {**batch, column: [*batch[column][:-1], _NO_TEXT]}
        row = str(length(batch) - 1)
        named = [repr(column), row, str(_NO_TEXT)]
        _require_refusal(technique, wrong, named, f"a number as column {column!r}")
        del wrong[column]
        _require_refusal(technique, wrong, [repr(column)], f"a batch without column {column!r}")
        if column in technique.without_nulls:
            wrong = {**batch, column: [*batch[column][:-1], None]}
            named = [repr(column), row, "None"]
            _require_refusal(technique, wrong, named, f"a null as column {column!r}")
    if texts:
        # What `map` gives without `batched=True`; the letters of the text would be taken for rows.
        single = {column: values[0] for column, values in batch.items()}
        _require_refusal(technique, single, ["batched=True"], "one row in place of a batch")


def _require_refusal(
    technique: Technique, batch: dict[str, Any], named: Sequence[str], wrong: str
) -> None:
    """Raise unless a batch is refused in a sentence that names what is wrong."""
    try:
        technique(batch)
    except InputError as error:
        missing = [word for word in named if word not in str(error)]
        require(not missing, f"its refusal of {wrong} does not name {missing}: {error}")
    except Exception as error:
        raise AssertionError(
            f"The contract is broken: it refuses {wrong} by {error!r}, not by an InputError."
        ) from error
    else:
        raise AssertionError(f"The contract is broken: it accepts {wrong}.")


_CALL_IN_ANOTHER_PROCESS = """
import dataclasses, importlib, json, operator, sys
paths, cases = json.load(sys.stdin)
sys.path[:0] = paths
from datasets import load_from_disk
from datasets.fingerprint import Hasher
for module, name, config, more, path in cases:
    technique_class = operator.attrgetter(name)(importlib.import_module(module))
    names = technique_class.external_names(config["parameters"])
    technique = dataclasses.replace(technique_class.from_config(config, allow=names), **more)
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
    }
    # A forked process cannot use a GPU that its parent has used.
    if "torch" not in sys.modules or not sys.modules["torch"].cuda.is_initialized():
        ways["map with num_proc=2"] = {"num_proc": 2}
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

    records = [
        (type(each).__module__, type(each).__qualname__, each.config(), _unstated(each), path)
        for each, path, _ in cases
    ]
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    process = subprocess.run(
        [sys.executable, "-c", _CALL_IN_ANOTHER_PROCESS],
        input=json.dumps([sys.path, records]),
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


def _unstated(technique: Technique) -> dict[str, Any]:
    """Return the settings that change no result, and so are no part of the configuration."""
    names = signature(type(technique)).parameters.keys() - technique.config()["parameters"].keys()
    return {name: getattr(technique, name) for name in names}


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
