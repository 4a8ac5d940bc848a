"""The base of the `evaluate` modules: what they say of themselves, and how rows reach them.

Rows that are given to `compute` reach the measure as they are. Those of `add` and `add_batch`, and
those of several processes, are written to a file and read back, as in every module of `evaluate`.
"""

import inspect
import json
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, TypeVar

import datasets
import evaluate
import numpy as np
import pyarrow
from datasets.naming import camelcase_to_snakecase
from datasets.utils.py_utils import temp_seed

from fair_datasets.measures.inputs import Column, as_list, column, is_missing, same_length, scalar
from fair_datasets.measures.load import metrics_folder
from fair_datasets.measures.results import plain, returned
from fair_datasets.system.checks import invalid, one_of, parse_docstring_params

# What the functions call the columns of a module.
_COLUMNS = {"y_true": "references", "y_pred": "predictions", "y_score": "predictions"}
# What docstrings say of arrays, and how they mark values.
_OF_ARRAYS = re.compile(r" (?:Shape \([^)]*\)|Length \w)\.|`(?=\")|(?<=\")`")

Kind = TypeVar("Kind", bound=type["Module"])


def computes(
    function: Callable[..., Any],
    *columns: str,
    write: Callable[..., dict[str, Any]] = plain,
    tables: tuple[str, ...] = (),
) -> Callable[[Kind], Kind]:
    """Make a class the `evaluate` module of a function: a decorator.

    Its inputs and its documentation come from the signature and the docstring of the function, from
    those of what writes the result, and from its card.

    Args:
        function: What computes the measure. `y_true` is the column "references", and `y_pred` or
            `y_score` the column "predictions".
        columns: The inputs that have one value per row and are needed, in their order; the other
            parameters are options, of which those of the type `Rows` have one value per row, too.
        write: What writes the result as a dictionary of plain values; what it can be told is an
            option, too. The module documents what it returns, or the attributes of the result.
        tables: The columns of which a row may be a vector.

    Example:
        >>> def share(data, *, undefined="nan"):
        ...     '''Return the share of ones.
        ...
        ...     Args:
        ...         data: Zeros and ones.
        ...
        ...     Returns:
        ...         share: The share of ones, in [0, 1].
        ...     '''
        ...     return {"share": sum(data) / len(data)}
        >>> @computes(share, "data")
        ... class Share(Measurement):
        ...     '''How many rows are 1.'''
        >>> Share().compute(data=[1, 0])
        {'share': 0.5}
    """
    own = {_COLUMNS.get(name, name): each for name, each in signature(function).parameters.items()}
    writing = {name: each for name, each in signature(write).parameters.items()
               if each.kind is each.KEYWORD_ONLY}  # fmt: skip
    options = {name: each.replace(name=name, kind=each.KEYWORD_ONLY)
               for name, each in {**own, **writing}.items() if name not in columns}  # fmt: skip
    needed = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in columns]

    def _compute(self: Module, **given: Any) -> dict[str, Any]:
        settings = {name: given.pop(name) for name in writing.keys() & given}
        return write(function(**{own[name].name: each for name, each in given.items()}), **settings)

    it = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    _compute.__signature__ = Signature([it, *needed, *options.values()])  # type: ignore[attr-defined]
    described = getattr(function, "func", function)
    texts = {
        _COLUMNS.get(name, name): text for name, text in parse_docstring_params(described).items()
    }
    texts = _common_parameters() | parse_docstring_params(write) | texts

    def decorated(module: Kind) -> Kind:
        module._compute = _compute
        module.TABLES = tables
        module.ARGUMENTS = {name: _describe(texts[name], options.get(name)) for name in
                            (*columns, *options)}  # fmt: skip
        module.RETURNS = {
            name: _describe(text)
            for name, text in (
                parse_docstring_params(write, "Returns") or returned(described)
            ).items()
        }
        return module

    return decorated


def _common_parameters() -> dict[str, str]:
    """Return what parameters are that several measures have, for docstrings that do not."""
    shared = tomllib.loads((Path(__file__).parent / "data" / "parameters.toml").read_text("utf-8"))
    return {name: " ".join(text.split()) for name, text in shared.items()}


def _describe(text: str, option: Parameter | None = None) -> str:
    """Return what a parameter or value is, without what is only of arrays; and its default."""
    text = _OF_ARRAYS.sub("", text)
    if option is None or option.default is None or option.default is False:
        return text
    return f"{text.removesuffix('.')} (default: {option.default!r})."


class Module(evaluate.EvaluationModule):  # type: ignore[misc]
    """What the modules share. One extends `Metric`, `Comparison` or `Measurement`; see `computes`.

    A module imports this file and not its classes, as `evaluate` takes the first class that it
    finds.

    Attributes:
        ARGUMENTS: What each parameter of `_compute` is.
        RETURNS: What each value of the result is.
        TABLES: The columns of which a row may be a vector.
    """

    ARGUMENTS: ClassVar[dict[str, str]] = {}
    RETURNS: ClassVar[dict[str, str]] = {}
    TABLES: ClassVar[tuple[str, ...]] = ()
    _INFO: ClassVar[Callable[..., evaluate.EvaluationModuleInfo]]
    _compute: Callable[..., dict[str, Any]]

    # What evaluate keeps of rows that were added.
    writer: Any
    buf_writer: Any
    data: Any
    cache_file_name: Any
    filelock: Any
    file_paths: Any
    filelocks: Any

    @property
    def called(self) -> str:
        """What errors say that was called."""
        return str(self.name)

    def compute(
        self, *unnamed: Any, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Compute the measure over all rows: those that are given, and those that were added.

        After an error there are no rows any more.

        """
        if unnamed:
            wanted = ", ".join(f"{name}=..." for name in self.features)
            raise invalid(f"name what you give, as in compute({wanted}).")
        with self._empty_after_errors():
            # As in evaluate, the two may be given to modules without them, as `combine` does.
            given = {"predictions": predictions, "references": references, **kwargs}
            columns = self._columns(given)
            options = {name: value for name, value in kwargs.items() if name not in self.features}
            self._refuse_unknown(options, signature(self._compute).parameters)
            if columns or self.writer is None:
                self._refuse_lacking(columns)
            rows: Mapping[str, Column] | None
            if self.num_process == 1 and self.writer is None:
                rows = self._read_columns(columns)
            else:
                rows = self._gather(columns)
            if rows is None:
                return None
            with temp_seed(self.seed):
                result: dict[str, Any] = self._compute(**rows, **options)
            return result

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add rows, which `compute` counts."""
        with self._empty_after_errors():
            self._refuse_unknown(kwargs, self.features)
            given = {"predictions": predictions, "references": references, **kwargs}
            columns = self._columns(given)
            self._refuse_lacking(columns)
            self._write(columns)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row, which `compute` counts."""
        with self._empty_after_errors():
            self._refuse_unknown(kwargs, self.features)
            given = {"predictions": prediction, "references": reference, **kwargs}
            self._refuse_lacking(given)
            row = len(self)
            super().add(**{name: encode_value(given[name], name, row) for name in self.features})

    def _info(self) -> evaluate.EvaluationModuleInfo:
        """Describe the module and its inputs."""
        needed = [
            name for name, each in signature(self._compute).parameters.items()
            if each.kind is not each.KEYWORD_ONLY
        ]  # fmt: skip
        card = metrics_folder() / camelcase_to_snakecase(type(self).__name__) / "README.md"
        text = card.read_text("utf-8") if card.is_file() else ""
        parts = {
            "Args": _wrapped(self.ARGUMENTS),
            "Returns": _wrapped(self.RETURNS),
            "Examples": _block("python", text),
        }
        return self._INFO(
            description=inspect.getdoc(type(self)),
            citation=_block("bibtex", text),
            inputs_description="\n".join(
                f"\n{title}:\n{textwrap.indent(text, '    ')}" for title, text in parts.items()
            ),
            features=WrittenColumns({name: AsGiven() for name in needed}),
        )

    def _columns(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns among what was given."""
        return {name: given[name] for name in self.features if given.get(name) is not None}

    def _refuse_unknown(self, given: Iterable[str], known: Iterable[str]) -> None:
        for name in given:
            one_of(name, known, parameter="the name of a parameter")

    def _refuse_lacking(self, columns: Mapping[str, Any]) -> None:
        """Raise unless every column is there."""
        lacking = [name for name in self.features if name not in columns]
        if lacking:
            raise invalid(
                f"{' and '.join(lacking)} {'are' if len(lacking) > 1 else 'is'} "
                f"missing. Give {' and '.join(self.features)}, or add rows first."
            )

    def _read_columns(self, columns: Mapping[str, Any]) -> dict[str, Column]:
        """Read columns of one length, as the measure itself would read them."""
        rows = {
            name: column(values, name, tables=name in self.TABLES)
            for name, values in columns.items()
        }
        same_length(rows)
        return rows

    def _write(self, columns: Mapping[str, Any]) -> None:
        """Write rows to the file of this process, or to memory."""
        rows = self._read_columns(columns)
        super().add_batch(**{name: encode_column(values, name) for name, values in rows.items()})

    def _gather(self, columns: Mapping[str, Any]) -> dict[str, Column] | None:
        """Write the last rows and read those of all processes; None in all but the first."""
        if columns:
            self._write(columns)
        self._finalize()
        if self.process_id:
            # The first process reads the file, and removes it.
            self.cache_file_name = self.filelock = None
            return None
        table = self.data.with_format("arrow")[:]
        rows: dict[str, Column] = {name: decode_column(table[name]) for name in self.features}
        self._forget()
        return rows

    @contextmanager
    def _empty_after_errors(self) -> Iterator[None]:
        """Forget the rows if something goes wrong, so that none is counted a second time."""
        before = len(self)
        try:
            yield
        except BaseException as error:
            self._forget()
            if before:
                error.add_note(f"{self.name}: the rows added before ({before:,}) are dropped.")
            raise

    def _forget(self) -> None:
        """Let go of all rows, and of the files and locks of this process."""
        if self.writer is not None:
            self.writer.close()
        self.writer = self.buf_writer = self.data = None
        paths = self.file_paths or [self.cache_file_name]
        locks = self.filelocks or [self.filelock]
        for path, lock in zip(paths, locks, strict=True):
            if lock is not None:
                Path(path).unlink(missing_ok=True)
                lock.release()
        self.file_paths = self.filelocks = self.cache_file_name = self.filelock = None
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release()


class Metric(Module, evaluate.Metric):  # type: ignore[misc]
    """The base of modules that compare predictions with what they should be."""

    _INFO = evaluate.MetricInfo


class Comparison(Module, evaluate.Comparison):  # type: ignore[misc]
    """The base of modules that compare two sets of predictions."""

    _INFO = evaluate.ComparisonInfo


class Measurement(Module, evaluate.Measurement):  # type: ignore[misc]
    """The base of modules that look at data or a model alone."""

    _INFO = evaluate.MeasurementInfo


def _wrapped(texts: Mapping[str, str]) -> str:
    """Write names and what they are as the section of a docstring."""
    lines = partial(textwrap.fill, width=96, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines(f"{name}: {text}") for name, text in texts.items())


def _block(language: str, card: str) -> str:
    """Return the first block of code of a language in a card."""
    return card.partition(f"```{language}\n")[2].partition("```")[0].strip()


_BY_LINE = json.JSONEncoder(separators=("\n", ":"))
"""Writes a list without lists in it as one value per line; within a text no line ends."""
_NESTED = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}


class AsGiven(datasets.Value):  # type: ignore[misc]
    """A column of any values, each kept as its JSON.

    Example:
        >>> AsGiven(), AsGiven().pa_type
        (AsGiven(), DataType(large_string))
    """

    def __init__(self) -> None:
        """Describe the column; of a `string`, evaluate would ask that each value is a text."""
        super().__init__("large_string")

    def __repr__(self) -> str:
        """Show it as what a user gives, who need not know how it is written."""
        return "AsGiven()"


class WrittenColumns(datasets.Features):  # type: ignore[misc]
    """Features of columns that `encode_column` wrote already.

    Example:
        >>> WrittenColumns({"groups": AsGiven()}).encode_batch({"groups": ["as it is"]})
        {'groups': ['as it is']}
    """

    def encode_batch(self, batch: dict[str, pyarrow.Array]) -> dict[str, pyarrow.Array]:
        """Leave columns as they are, which `datasets` would encode value by value."""
        return batch


def encode_column(values: Column, argument: str) -> pyarrow.Array:
    """Write a column as JSON; each distinct value is written once."""
    rows = as_list(values)
    try:
        return _encode_distinct(rows)
    except TypeError:
        # A value is a list, or none that can be written.
        texts = [encode_value(value, argument, row) for row, value in enumerate(rows)]
        return pyarrow.array(texts, pyarrow.large_string())


def encode_value(value: Any, argument: str, row: int) -> str:
    """Write one value as JSON."""
    try:
        return json.dumps(_marked(value))
    except TypeError:
        raise invalid(
            f"{argument} must be texts, numbers, or lists or tuples of them, but row {row}"
            f" is {value!r} ({type(value).__name__}). Turn it into a text first."
        ) from None


def decode_column(column: pyarrow.ChunkedArray) -> list[Any]:
    """Read a column from JSON; each distinct value is read once.

    Example:
        >>> decode_column(pyarrow.chunked_array([["1", '"1"'], ['{"tuple": [1]}']]))
        [1, '1', (1,)]
    """
    encoded = column.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    values = json.loads(f"[{','.join(texts)}]", object_hook=_unmarked)
    return list(map(values.__getitem__, encoded.indices.to_numpy().tolist()))


def _encode_distinct(rows: list[Any]) -> pyarrow.Array:
    """Write values that can be hashed."""
    code_of = {value: code for code, value in enumerate(dict.fromkeys(rows))}
    if {str, int, float, bool, NoneType}.issuperset(map(type, code_of)):
        texts = _BY_LINE.encode(list(code_of))[1:-1].split("\n")
    else:
        texts = [json.dumps(_marked(value)) for value in code_of]
    codes = np.fromiter(map(code_of.__getitem__, rows), np.int64, len(rows))
    return pyarrow.array(texts, pyarrow.large_string()).take(pyarrow.array(codes))


def _marked(value: Any) -> Any:
    """Return what JSON writes of a value; what it lacks stands under the name of its kind."""
    value = scalar(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return [_marked(part) for part in value]
    for name, kind in _NESTED.items():
        if isinstance(value, kind):
            parts = value.items() if isinstance(value, dict) else value
            return {name: [_marked(part) for part in parts]}
    if is_missing(value):
        return {"missing": type(value).__name__.removesuffix("Type")}
    raise TypeError(f"{type(value).__name__} is not written")


def _unmarked(marked: dict[str, Any]) -> Any:
    """Return the value of a kind that JSON lacks."""
    ((name, value),) = marked.items()
    if name == "missing":
        # Only pandas has such values, so that it is there.
        return getattr(import_module("pandas"), value)
    return _NESTED[name](value)
