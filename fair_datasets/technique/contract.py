"""The contract of a technique: a frozen configuration that is callable on a batch.

`datasets.map` (or `filter`) takes an instance as it is. See `fair_datasets.testing` for the checks
that every technique passes.
"""

import hashlib
import inspect
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar

from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import as_batch, refuse_one_row
from fair_datasets.rows.given import refuse_absent_roles, splits_of
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import check_path, field_columns, is_there
from fair_datasets.system import checks
from fair_datasets.system.checks import error_context, invalid, one_of, whole_number
from fair_datasets.system.portable import Allowed, refuse_malformed
from fair_datasets.technique.configured import Configured
from fair_datasets.technique.tables import arrow_table, process_table, record_batch

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features, IterableDataset, IterableDatasetDict

    AppliedTo = TypeVar("AppliedTo", Dataset, DatasetDict, IterableDataset, IterableDatasetDict)


class Applicable(Protocol):
    """What `apply` needs of a technique: see `fair_datasets.technique.contract.Technique`."""

    default_batch_size: ClassVar[int]

    @property
    def method(self) -> str:
        """The method of a dataset that takes it."""

    def features(self, features: "Features") -> "Features":
        """Return the features of the result."""

    def __call__(self, batch: Mapping[str, Any]) -> Any:
        """Process a batch."""


def refuse_other_than_batch(batch: Any, *, method: str) -> None:
    """Raise if a technique was called on something else than a batch of rows."""
    kind = type(batch).__name__
    if isinstance(batch, str):
        raise invalid(
            "it was called on a text, but takes a batch of rows; use "
            "`technique({'text': ['He ran.']})`, with your columns, for a few texts."
        )
    if _comes_from(batch, "datasets") and hasattr(batch, "map"):
        raise invalid(
            f"it was called on a {kind}, but takes a batch of rows; use "
            f"`technique.apply(dataset)` or `dataset.{method}(technique, batched=True)`."
        )
    if _comes_from(batch, "pandas"):
        raise invalid(
            f"it was called on a pandas {kind}, but takes a batch of rows by column name; "
            "give a DataFrame."
        )
    if isinstance(batch, list | tuple):
        raise invalid(
            f"it was called on a {kind}, but takes a batch of rows by column name; leave "
            f"out input_columns of `{method}`; rows make a dataset by `Dataset.from_list(rows)`."
        )
    if batch is None or isinstance(batch, bytes | int | float) or _comes_from(batch, "numpy"):
        raise invalid(
            f"it was called on {'nothing (None)' if batch is None else 'a ' + kind}, but "
            "takes a batch of rows by column name, such as `{'text': ['He ran.']}`."
        )
    if isinstance(batch, Mapping):
        for column in batch:
            refuse_one_row(batch[column], column, method=method)


_MASKS = ("get_indices_from_mask_function", "add_mask")
_DATASETS = ("datasets.arrow_dataset", "datasets.iterable_dataset")


def caller() -> str:
    """Name the function of `datasets` that calls a technique; empty if it is another one.

    `Dataset.map` takes tables as well as dictionaries. `Dataset.filter` walks over whatever it
    gets, and of a dictionary keeps as many rows as there are columns, without a word.
    """
    frame = sys._getframe(2)
    while frame.f_code.co_name == "__call__" and frame.f_back is not None:  # Of a subclass.
        frame = frame.f_back
    return frame.f_code.co_name if frame.f_globals.get("__name__") in _DATASETS else ""


def unread(batch: Any, *, is_theirs: bool) -> Any:
    """Return the table of a batch that `Dataset.map` passes, which it takes back as well.

    Args:
        is_theirs: Whether `datasets` itself has called with it.
    """
    kind = type(batch).__name__
    if kind == "LazyBatch" and is_theirs:
        return batch.pa_table
    return batch.pa_table.to_pylist()[0] if kind == "LazyRow" else batch


def refuse_transform(mode: str) -> None:
    """Raise if a technique that adds rows was called for a transform of a dataset.

    A transform gives one row for each row: of `dataset[0]` datasets would show the first that it
    gets, which is the original, without a word. It calls the transform with a plain batch, as
    anybody may; that it is the one who calls is seen in the calls that lead here.
    """
    formatting = sys.modules.get("datasets.formatting.formatting")
    if formatting is None:
        return
    code, frame = formatting.CustomFormatter.format_batch.__code__, sys._getframe(1)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back  # type: ignore[assignment]
    if frame is not None:
        raise invalid(
            f"a transform gives one row for each row, but mode={mode!r} adds rows, which "
            "would be lost; use mode='substitute', and technique.at_epoch(n) to draw anew in each "
            "epoch, or apply the technique before."
        )


def apply(technique: Applicable, dataset: Any, **options: Any) -> Any:
    """Apply a technique to a dataset in the way that fits both; see `Technique.apply`."""
    chosen = _chosen_splits(technique, dataset, options.pop("splits", None))
    names, roles = (_strings(technique, name) for name in ("columns", "roles"))
    for split in splits_of(dataset):
        _refuse_other_options(options, split, method=technique.method)
        for name in names:
            if split.features is not None and is_there(name, split.features):
                check_path(name, split.features)
    refuse_absent_roles(dataset, names, roles)
    if isinstance(dataset, Mapping):
        desc = options.pop("desc", type(technique).__name__)
        parts = {
            split: _applied(
                technique,
                part,
                desc=f"{desc} ({split})",
                is_unchanged=split not in chosen,
                **options,
            )
            for split, part in dataset.items()
        }
        made: Any = type(dataset)
        return made(parts)
    return _applied(technique, dataset, **{"desc": type(technique).__name__, **options})


def _chosen_splits(technique: Any, dataset: Any, splits: Any) -> Sequence[str]:
    """Return the splits that a technique works on, all if none are named; or raise."""
    existing = list(dataset) if isinstance(dataset, Mapping) else []
    if splits is None:
        return existing
    if not existing:
        raise invalid(
            f"splits={splits!r} chooses splits of a DatasetDict, but it was given a "
            f"{type(dataset).__name__}; leave splits out."
        )
    chosen = checks.strings(splits, parameter="splits")
    for split in chosen:
        one_of(split, existing, parameter="splits")
    if technique.method == "map" and not hasattr(technique, "leave"):
        raise invalid(
            "splits leaves the others as they are, but they would lack the columns that "
            "it adds; leave splits out."
        )
    return chosen


def _refuse_other_options(options: Mapping[str, Any], dataset: Any, *, method: str) -> None:
    """Raise for an option that `map` or `filter` does not take, or that is given to it anyway."""
    from datasets import Dataset

    # A stream that lacks an option is told as such.
    known = inspect.signature(getattr(Dataset, method)).parameters
    taken = [name for name in known if name not in ("self", "function", "batched")]
    for name in options:
        listing = f"help(datasets.Dataset.{method})"
        one_of(name, taken, parameter="an option of apply", listing=listing)
    if options.get("num_proc") is not None and isinstance(dataset, Dataset):
        whole_number(options["num_proc"], parameter="num_proc")


def _applied(
    technique: Applicable, dataset: Any, *, desc: str, is_unchanged: bool = False, **options: Any
) -> Any:
    """Map or filter one split; what the user's format shows of it is shown of the result.

    Args:
        is_unchanged: Whether the rows stay, and only get the columns that others get.
    """
    from datasets import Dataset

    function: Any = technique
    if is_unchanged:
        if technique.method == "filter":
            return dataset
        function = technique.leave  # type: ignore[attr-defined]
    if technique.method == "map" and dataset.features is not None:
        options.setdefault("features", technique.features(dataset.features))
    if not isinstance(dataset, Dataset):
        if "num_proc" in options:
            raise invalid(
                "a stream is read by one process; leave out num_proc, "
                "or load the dataset without streaming."
            )
        return getattr(dataset, technique.method)(function, batched=True, **options)
    if technique.method == "map" and not len(dataset):
        # `map` would return it as it is, without the columns that the other splits get.
        features = options["features"]
        return Dataset.from_dict({name: [] for name in features}, features, split=dataset.split)
    options.setdefault("batch_size", technique.default_batch_size)
    plain = dataset.with_format(None)
    result = getattr(plain, technique.method)(function, batched=True, desc=desc, **options)
    shown = dataset.format
    hidden = set(dataset.column_names) - set(shown["columns"])
    if shown["type"] is None and not hidden:
        return result
    shown["columns"] = [name for name in result.column_names if name not in hidden]
    return result.with_format(shown.pop("type"), **shown.pop("format_kwargs"), **shown)


def _strings(technique: Applicable, name: str) -> tuple[str, ...]:
    """Return the strings of a field that the technique may have."""
    value = getattr(technique, name, None)
    return (value,) if isinstance(value, str) else tuple(value or ())


def _comes_from(value: Any, library: str) -> bool:
    """Whether a value is of a class of a library, without importing the library."""
    return type(value).__module__.partition(".")[0] == library


Batch = Mapping[str, Sequence[Any]]
ENTRY_POINT_GROUP = "fair_datasets.techniques"


@dataclass(frozen=True, kw_only=True)
class Technique(Configured, ABC):
    """A frozen configuration that is callable on a batch of rows.

    A subclass is a frozen, keyword-only dataclass whose fields are strings, numbers, booleans,
    None or tuples of them; `columns` (or `column`) alone may be declared by
    `field(kw_only=False)`, so that `Shout("text")` works. It says in `process` what becomes of a
    batch, and in `added_features` which columns it adds. A file that it refers to is named by
    `resources`; the file's digest is taken when the technique is made, so that an edited file gives
    another `datasets` fingerprint.

    Attributes:
        method: The method of a dataset that takes the technique: `map`, or `filter` where
            `process` says which rows to keep. The same for all techniques of a class.
        rows_together: How many rows a batch has where nobody says. The same for all of a class.
        reads: The fields that name the columns that `process` reads; none if it may read any, which
            is so of a class that overrides `process` alone. The same for all of a class.
        without_nulls: The columns in which a null is refused. The same for all of a class.
        external: The parameters that may name a file, a folder, a model or a pipeline, which a
            configuration from elsewhere uses only with leave. The same for all of a class, too.
        version: The version of the library that made the technique.
        digests: Pairs of (resource name, SHA-256 of the file), sorted.

    Example:
        >>> from dataclasses import dataclass, field
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Shout(Technique):
        ...     column: str = field(kw_only=False)
        ...     def process(self, batch):
        ...         result = {column: list(values) for column, values in batch.items()}
        ...         result[self.column] = [text and text.upper() for text in batch[self.column]]
        ...         return result
        >>> Shout("text")({"text": ["hello", None], "label": [1, 0]})
        {'text': ['HELLO', None], 'label': [1, 0]}
        >>> Shout("text").config()["parameters"]
        {'column': 'text'}
    """

    method: ClassVar[Literal["map", "filter"]] = "map"
    default_batch_size: ClassVar[int] = 1000
    reads: ClassVar[tuple[str, ...]] = ()
    without_nulls: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Take `default_batch_size` by its former name, for one release."""
        super().__init_subclass__()
        if "rows_together" in vars(cls):
            checks.warn(
                f"{cls.__name__}: rename rows_together to default_batch_size.", FutureWarning
            )
            cls.default_batch_size = vars(cls)["rows_together"]

    def __call__(self, batch: Any, *more: Any, **named: Any) -> Any:
        """Process a batch, as `map` or `filter` asks for it with `batched=True`.

        Args:
            batch: Column name to values; or a table of pyarrow, Polars or pandas.
            *more: What `map` gives besides, such as row numbers, which is refused.
            **named: What it gives by name, which is refused as well.

        Returns:
            What `process` returns; of a table or a record batch of pyarrow one of the same kind,
            in which all stays bit for bit that `process` did not change.

        Raises:
            InputError: It is no batch, there is more than a batch, or `process` refuses it.
        """
        if more or named:
            raise invalid(
                f"it takes a batch and nothing else; leave out with_indices, "
                f"with_rank, input_columns and fn_kwargs of `{self.method}`."
            )
        called_by = caller()
        if called_by in _MASKS and self.method == "map":
            raise invalid(
                "it changes or adds columns and does not choose rows; use `dataset.map(technique, "
                "batched=True)` or `technique.apply(dataset)`, not `filter`."
            )
        # Whoever else passes on what `map` gave expects a dictionary.
        is_theirs = bool(called_by) and type(self).__call__ is Technique.__call__
        return self._processed_by(self.process, unread(batch, is_theirs=is_theirs))

    def _processed_by(self, process: Callable[[Batch], Any], batch: Any) -> Any:
        """Process a batch: a table of Arrow becomes a table, anything else columns."""
        table = arrow_table(batch)
        if table is None:
            columns = as_batch(batch)
            refuse_other_than_batch(columns, method=self.method)
            return process(columns)
        result = process_table(self, table, process)
        is_batch = type(batch).__name__ == "RecordBatch" and not isinstance(result, list)
        return record_batch(result) if is_batch else result

    @abstractmethod
    def process(self, batch: Batch) -> dict[str, list[Any]] | list[bool]:
        """Return every column of the batch, changed; or, for `filter`, which rows to keep.

        Args:
            batch: Column name to values; it must not be changed.
        """

    def input_columns(self, existing: Sequence[str]) -> Sequence[str]:
        """Name the columns that `process` reads or changes, where `reads` declares them.

        The values of the others are not decoded where a dataset or an Arrow table is processed.

        Args:
            existing: The columns of the batch.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> swap = CounterfactualSwap(columns="messages[].content", id_column="id")
            >>> swap.input_columns(["id", "messages", "picture"])
            ['messages', 'id']
        """
        named = [name for parameter in self.reads for name in _strings(self, parameter)]
        columns = [name for name in named if is_there(name, existing)]
        return field_columns(columns, existing)

    def twin_columns(self, existing: Sequence[str]) -> Mapping[str, str]:
        """Name the columns that are added with the values of another one, changed.

        Returns:
            The new column to the one that it is made from; none, as here, in most techniques.
        """
        return {}

    def impurity(self) -> str:
        """Return what a result depends on besides the rows and the configuration.

        Returns:
            A sentence without its end, with what to do; nothing, as here, where there is nothing.
        """
        return ""

    def apply(self, dataset: "AppliedTo", **options: Any) -> "AppliedTo":
        """Apply the technique to a dataset: by `map` or `filter`, in batches, with its features.

        Args:
            **options: What `map` or `filter` takes besides, such as `num_proc` or `batch_size`; and
                `splits`, the one split or several of a DatasetDict that it works on. The others
                stay, with the same columns, so that all can be pushed together.

        Returns:
            A dataset of the same kind. Its format is that of the dataset; where the features of a
            stream are unknown, so are those of the result.

        Raises:
            InputError: The dataset is something else, or the technique refuses its rows.

        Example:
            >>> from datasets import Dataset
            >>> from fair_datasets import CounterfactualSwap, MentionedAttribute
            >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains."]})
            >>> CounterfactualSwap(columns="text").apply(rows)["text"][:]
            ['He ran.', 'She ran.', 'It rains.']
            >>> MentionedAttribute(columns="text").apply(rows)["group"][:]
            ['man', None]
        """
        return apply(self, dataset, **options)

    def added_features(self, features: "Features") -> "Mapping[str, Any]":
        """Return the features of the columns that the technique adds."""
        return {}

    def features(self, features: "Features") -> "Features":
        """Return the features of the result, for the `features` argument of `map`.

        Raises:
            InputError: They are no features, or unknown, as those of some streams.
        """
        from datasets import Features

        if not isinstance(features, Features):
            raise invalid(
                f"features takes the features of a dataset, but it was "
                f"given {'None' if features is None else 'a ' + type(features).__name__}; use "
                "`technique.apply(dataset)`, which also copes with streams whose features are "
                "unknown, or pass `dataset.features`."
            )
        return Features({**features, **self.added_features(features)})


def installed_techniques() -> dict[str, EntryPoint]:
    """Return the techniques of all installed packages.

    Example:
        >>> installed_techniques()["Blindness"].value
        'fair_datasets.swap.balancing:Blindness'
    """
    return dict(_installed(tuple((place, _changed(place)) for place in sys.path)))


@lru_cache(maxsize=1)
def _installed(places: tuple[tuple[str, float], ...]) -> dict[str, EntryPoint]:
    """Look through all packages, which takes long where they are many, once for their folders."""
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _changed(place: str) -> float:
    """Return when something was last installed into a folder, or removed from it."""
    try:
        return os.stat(place or ".").st_mtime
    except OSError:
        return 0.0


def uninstalled_classes(*techniques: Configured) -> dict[str, str]:
    """Return where the classes of techniques are that no installed package registers.

    Returns:
        Class to module, of those which `load_technique` rebuilds only if it is given the class.

    Example:
        >>> from fair_datasets import Blindness
        >>> uninstalled_classes(Blindness(columns="text"))
        {}
    """
    installed = installed_techniques()
    modules = {}
    for kind in map(type, techniques):
        point = installed.get(kind.__name__)
        if point is None or point.load() is not kind:
            modules[kind.__name__] = kind.__module__
    return modules


def own_code(*techniques: Configured) -> dict[str, dict[str, str]]:
    """Return the digests of the code of techniques that no installed package registers.

    Returns:
        Under "code", each class to the SHA-256 of its module's file; in a script or a notebook,
        to that of the class. Nothing where all are installed.
    """
    names = uninstalled_classes(*techniques)
    digests = {}
    for kind in {type(each) for each in techniques if type(each).__name__ in names}:
        try:
            has_file = kind.__module__ != "__main__"
            code = inspect.getsource(sys.modules[kind.__module__] if has_file else kind)
        except (OSError, TypeError):  # typed in where nobody keeps it
            continue
        digests[kind.__name__] = hashlib.sha256(code.encode()).hexdigest()
    return {"code": digests} if digests else {}


def load_technique(
    config: Mapping[str, Any],
    *,
    allow: Allowed = (),
    folder: str | Path | None = None,
    techniques: Iterable[type[Technique]] = (),
) -> Technique:
    """Rebuild any installed technique from its configuration.

    Args:
        config: What `Technique.config` returned, for instance read back from a dataset card.
        allow, folder: As for `Technique.from_config`.
        techniques: Classes that no installed package registers, such as your own.

    Raises:
        InputError: No installed package provides the technique, or `Technique.from_config` refuses.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text")
        >>> load_technique(swap.config()) == swap
        True
    """
    refuse_malformed(config)
    given = {kind.__name__: kind for kind in map(_class_of_technique, techniques)}
    name, installed = config["technique"], installed_techniques()
    one_of(
        name, sorted({**installed, **given}), parameter="technique",
        listing="fair_datasets.technique.contract.installed_techniques()")  # fmt: skip
    technique_class: type[Technique] = given[name] if name in given else installed[name].load()
    with error_context(technique_class.__name__):
        return technique_class.from_config(config, allow=allow, folder=folder)


def _class_of_technique(kind: Any) -> type[Technique]:
    if isinstance(kind, type) and issubclass(kind, Technique):
        return kind
    raise invalid(f"techniques must list classes of techniques, but it holds {kind!r}.")


@dataclass(frozen=True, kw_only=True)
class TextTechnique(Technique):
    """A technique that reads the texts of a row together.

    Attributes:
        columns: The text column or columns. Texts inside lists and objects are named by a path,
            such as `messages[].content`.
        roles: Whose texts of a conversation are read, by what `role` (or `from`) says; none for
            everybody's.
    """

    columns: tuple[str, ...] | str = field(kw_only=False)
    roles: tuple[str, ...] | str = ()

    def __post_init__(self) -> None:
        """Check the columns and the roles."""
        object.__setattr__(self, "columns", column_checks.column_names(self.columns))
        roles = checks.strings(self.roles, parameter="roles")
        object.__setattr__(self, "roles", roles)
        super().__post_init__()

    def texts(self, batch: Batch) -> RowTexts:
        """Return the texts of the rows of a batch, or raise a sentence about the column."""
        roles = tuple(self.roles)
        return RowTexts.read(batch, self.columns, roles=roles)
