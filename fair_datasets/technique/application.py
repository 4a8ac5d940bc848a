"""Applying a technique: to one batch, or to what `datasets` has."""

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from fair_datasets.rows.columns import refuse_one_row
from fair_datasets.rows.given import refuse_absent_roles, splits_of
from fair_datasets.rows.text_fields import check_path, is_there
from fair_datasets.system.checks import InputError, one_of, whole_number

if TYPE_CHECKING:
    from datasets import Features


class Applicable(Protocol):
    """What `apply` needs of a technique: see `fair_datasets.technique.contract.Technique`."""

    rows_together: ClassVar[int]

    @property
    def method(self) -> str:
        """The method of a dataset that takes it."""

    def features(self, features: "Features") -> "Features":
        """Return the features of the result."""

    def __call__(self, batch: Mapping[str, Any]) -> Any:
        """Process a batch."""


class MappedColumns(dict[str, list[Any]]):
    """The columns that a technique returns for `map`, which cannot be taken for a filter's mask.

    `Dataset.filter` walks over whatever the function returns and keeps a row for each true item.
    Of a dictionary it would keep as many rows as there are columns, without a word. Here the names
    that a walk gives refuse to be true or false. In every other use this is a plain dictionary.

    Example:
        >>> columns = MappedColumns({"text": ["He ran."]}, owner="CounterfactualSwap")
        >>> list(columns), columns == {"text": ["He ran."]}
        (['text'], True)
        >>> [row for row, is_kept in zip([0], columns) if is_kept]
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: CounterfactualSwap: it changes or adds columns and does not
        choose rows; use `dataset.map(technique, batched=True)` or `technique.apply(dataset)`, not
        `filter`.
    """

    def __init__(self, columns: Mapping[str, list[Any]], *, owner: str) -> None:
        """Take the columns, and the name of the technique that returns them."""
        super().__init__(columns)
        self._owner = owner

    def __iter__(self) -> Iterator[str]:
        """Walk over the names of the columns."""
        return (_ColumnName(name, self._owner) for name in self.keys())

    def __missing__(self, key: Any) -> Any:
        """Refuse a row number, by which `IterableDataset.filter` asks for the mask of a row."""
        if isinstance(key, int):
            raise _is_no_mask(self._owner)
        raise KeyError(key)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain dictionary, which is what another process needs."""
        return dict, (dict(self.items()),)


class _ColumnName(str):
    """The name of a column, which is neither true nor false."""

    _owner: str

    def __new__(cls, name: str, owner: str) -> "_ColumnName":
        """Take the name, and the technique that returned the column."""
        made = super().__new__(cls, name)
        made._owner = owner
        return made

    def __bool__(self) -> bool:
        """Refuse to say whether a row is kept."""
        raise _is_no_mask(self._owner)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Be copied as a plain text, as where it names a column of a dataset."""
        return str, (str.__str__(self),)


def _is_no_mask(owner: str) -> InputError:
    """Return the error for a technique that was given to `filter` and is for `map`."""
    return InputError(
        f"{owner}: it changes or adds columns and does not choose rows; use "
        "`dataset.map(technique, batched=True)` or `technique.apply(dataset)`, not `filter`."
    )


def refuse_other_than_batch(batch: Any, *, owner: str, method: str) -> None:
    """Raise if a technique was called on something else than a batch of rows."""
    kind = type(batch).__name__
    if isinstance(batch, str):
        raise InputError(
            f"{owner}: it was called on a text, but takes a batch of rows; use "
            "`technique({'text': ['He ran.']})`, with your columns, for a few texts."
        )
    if _comes_from(batch, "datasets") and hasattr(batch, "map"):
        raise InputError(
            f"{owner}: it was called on a {kind}, but takes a batch of rows; use "
            f"`technique.apply(dataset)` or `dataset.{method}(technique, batched=True)`."
        )
    if _comes_from(batch, "pandas"):
        raise InputError(
            f"{owner}: it was called on a pandas {kind}, but takes a batch of rows by column name; "
            "give a DataFrame."
        )
    if isinstance(batch, list | tuple):
        raise InputError(
            f"{owner}: it was called on a {kind}, but takes a batch of rows by column name; leave "
            f"out input_columns of `{method}`; rows make a dataset by `Dataset.from_list(rows)`."
        )
    if batch is None or isinstance(batch, bytes | int | float) or _comes_from(batch, "numpy"):
        raise InputError(
            f"{owner}: it was called on {'nothing (None)' if batch is None else 'a ' + kind}, but "
            "takes a batch of rows by column name, such as `{'text': ['He ran.']}`."
        )
    if isinstance(batch, Mapping):
        for column in batch:
            refuse_one_row(batch[column], column, owner=owner, method=method)


def refuse_transform(mode: str, *, owner: str) -> None:
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
        raise InputError(
            f"{owner}: a transform gives one row for each row, but mode={mode!r} adds rows, which "
            "would be lost; use mode='substitute', and technique.at_epoch(n) to draw anew in each "
            "epoch, or apply the technique before."
        )


def apply(technique: Applicable, dataset: Any, **options: Any) -> Any:
    """Apply a technique to a dataset in the way that fits both; see `Technique.apply`."""
    owner = type(technique).__name__
    names, roles = (_strings(technique, name) for name in ("columns", "roles"))
    for split in splits_of(dataset, owner=owner):
        _refuse_other_options(options, split, method=technique.method, owner=owner)
        for name in names:
            if split.features is not None and is_there(name, split.features):
                check_path(name, split.features, owner=owner)
    refuse_absent_roles(dataset, names, roles, owner=owner)
    if isinstance(dataset, Mapping):
        desc = options.pop("desc", owner)
        parts = {
            split: _applied(technique, part, desc=f"{desc} ({split})", **options)
            for split, part in dataset.items()
        }
        made: Any = type(dataset)
        return made(parts)
    return _applied(technique, dataset, **{"desc": owner, **options})


def _refuse_other_options(
    options: Mapping[str, Any], dataset: Any, *, method: str, owner: str
) -> None:
    """Raise for an option that `map` or `filter` does not take, or that is given to it anyway."""
    from datasets import Dataset

    # A stream that lacks an option is told as such.
    known = inspect.signature(getattr(Dataset, method)).parameters
    taken = [name for name in known if name not in ("self", "function", "batched")]
    for name in options:
        one_of(name, taken, owner=owner, parameter="an option of apply")
    if options.get("num_proc") is not None and isinstance(dataset, Dataset):
        whole_number(options["num_proc"], owner=owner, parameter="num_proc")


def _applied(technique: Applicable, dataset: Any, *, desc: str, **options: Any) -> Any:
    """Map or filter one split; what the user's format shows of it is shown of the result."""
    from datasets import Dataset

    if technique.method == "map" and dataset.features is not None:
        options.setdefault("features", technique.features(dataset.features))
    if not isinstance(dataset, Dataset):
        if "num_proc" in options:
            raise InputError(
                f"{type(technique).__name__}: a stream is read by one process; leave out num_proc, "
                "or load the dataset without streaming."
            )
        return getattr(dataset, technique.method)(technique, batched=True, **options)
    if technique.method == "map" and not len(dataset):
        # `map` would return it as it is, without the columns that the other splits get.
        features = options["features"]
        return Dataset.from_dict({name: [] for name in features}, features, split=dataset.split)
    options.setdefault("batch_size", technique.rows_together)
    plain = dataset.with_format(None)
    result = getattr(plain, technique.method)(technique, batched=True, desc=desc, **options)
    shown = dataset.format
    hidden = set(dataset.column_names) - set(shown["columns"])
    if shown["type"] is None and not hidden:
        return result
    shown["columns"] = [name for name in result.column_names if name not in hidden]
    return result.with_format(shown.pop("type"), **shown.pop("format_kwargs"), **shown)


def _strings(technique: Applicable, name: str) -> tuple[str, ...]:
    """Return the strings of a field that the technique may have."""
    found = getattr(technique, name, ())
    return (found,) if isinstance(found, str) else tuple(found)


def _comes_from(value: Any, library: str) -> bool:
    """Tell whether a value is of a class of a library, without importing the library."""
    return type(value).__module__.partition(".")[0] == library
