"""The contract of a technique: a frozen configuration that is callable on a batch.

`datasets.map` (or `filter`) takes an instance as it is. See `fair_datasets.testing` for the checks
that every technique passes.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from fair_datasets.application import MappedColumns, apply, refuse_other_than_batch
from fair_datasets.checks import InputError, one_of
from fair_datasets.columns import as_batch
from fair_datasets.files import regular_file, unreadable
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features, IterableDataset, IterableDatasetDict

    AppliedTo = TypeVar("AppliedTo", Dataset, DatasetDict, IterableDataset, IterableDatasetDict)

Batch = Mapping[str, Sequence[Any]]
ENTRY_POINT_GROUP = "fair_datasets.techniques"
_CONFIG_KEYS = ("technique", "version", "parameters", "digests")


@dataclass(frozen=True, kw_only=True)
class Technique(ABC):
    """A frozen configuration that is callable on a batch of rows.

    A subclass is a frozen, keyword-only dataclass whose fields are strings, numbers, booleans,
    None or tuples of them. It says in `process` what becomes of a batch, and in `added_features`
    which columns it adds. A file that it refers to is named by `resources`; the file's digest is
    taken when the technique is made, so that an edited file gives another `datasets` fingerprint.

    Attributes:
        method: The method of a dataset that takes the technique: `map`, or `filter` where
            `process` says which rows to keep. The same for all techniques of a class.
        version: The version of the library that made the technique.
        digests: Pairs of (resource name, SHA-256 of the file), sorted.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Shout(Technique):
        ...     column: str
        ...     def process(self, batch):
        ...         result = {column: list(values) for column, values in batch.items()}
        ...         result[self.column] = [text and text.upper() for text in batch[self.column]]
        ...         return result
        >>> Shout(column="text")({"text": ["hello", None], "label": [1, 0]})
        {'text': ['HELLO', None], 'label': [1, 0]}
        >>> Shout(column="text").config()["parameters"]
        {'column': 'text'}
    """

    method: ClassVar[Literal["map", "filter"]] = "map"

    version: str = field(init=False, default_factory=lambda: __version__)
    digests: tuple[tuple[str, str], ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Take the digests of the files that the technique refers to."""
        object.__setattr__(self, "digests", file_digests(self.resources()))

    def __call__(self, batch: Batch) -> Any:
        """Process a batch, as `map` or `filter` asks for it with `batched=True`.

        Args:
            batch: Column name to values; or a table of pyarrow, Polars or pandas.

        Returns:
            What `process` returns.

        Raises:
            InputError: It is no batch, or `process` refuses it.
        """
        owner = type(self).__name__
        batch = as_batch(batch, owner=owner)
        refuse_other_than_batch(batch, owner=owner, method=self.method)
        result = self.process(batch)
        return MappedColumns(result, owner=owner) if isinstance(result, dict) else result

    @abstractmethod
    def process(self, batch: Batch) -> dict[str, list[Any]] | list[bool]:
        """Return every column of the batch, changed; or, for `filter`, which rows to keep.

        Args:
            batch: Column name to values; it must not be changed.
        """

    def apply(self, dataset: "AppliedTo", **options: Any) -> "AppliedTo":
        """Apply the technique to a dataset: by `map` or `filter`, in batches, with its features.

        Args:
            dataset: A Dataset, a DatasetDict, or a stream of either kind.
            **options: What `map` or `filter` takes besides, such as `num_proc` or `batch_size`.

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

    def resources(self) -> Mapping[str, Path]:
        """Name the files that the result depends on.

        Returns:
            Resource name (as it appears in `config`) to the file's path.
        """
        return {}

    def added_features(self, features: "Features") -> "Mapping[str, Any]":
        """Say which columns the technique adds.

        Args:
            features: The features of the dataset that the technique is mapped over.

        Returns:
            The name of each new column to its feature.
        """
        return {}

    def features(self, features: "Features") -> "Features":
        """Return the features of the result, for the `features` argument of `map`.

        Args:
            features: The features of the dataset that the technique is mapped over.

        Returns:
            The same features, and those of the columns that the technique adds.

        Raises:
            InputError: They are no features, or unknown, as those of some streams.
        """
        from datasets import Features

        if not isinstance(features, Features):
            raise InputError(
                f"{type(self).__name__}: features takes the features of a dataset, but it was "
                f"given {'None' if features is None else 'a ' + type(features).__name__}; use "
                "`technique.apply(dataset)`, which also copes with streams whose features are "
                "unknown, or pass `dataset.features`."
            )
        return Features({**features, **self.added_features(features)})

    def config(self) -> dict[str, Any]:
        """Return the configuration as JSON data, from which `from_config` rebuilds the technique.

        Returns:
            The keys `technique`, `version`, `parameters` and `digests`.
        """
        parameters = {
            item.name: _as_json(getattr(self, item.name)) for item in fields(self) if item.init
        }
        return {
            "technique": type(self).__name__,
            "version": self.version,
            "parameters": parameters,
            "digests": dict(self.digests),
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Rebuild a technique from what `config` returned.

        Args:
            config: The configuration.

        Returns:
            A technique that is equal to the one whose configuration it is.

        Raises:
            InputError: The configuration is none, is of another technique, has other parameters,
                was made by another version of the library, or a file that it refers to has
                changed.
        """
        _refuse_incomplete(config, cls.__name__)
        one_of(config["technique"], [cls.__name__], owner=cls.__name__, parameter="technique")
        if config["version"] != __version__:
            raise InputError(
                f"{cls.__name__}: the configuration was made by version {config['version']} of "
                f"fair_datasets, and this is {__version__}; install that version to repeat it."
            )
        names = [item.name for item in fields(cls) if item.init]
        _refuse_other_parameters(config["parameters"], names, cls.__name__)
        technique = cls(**{name: _as_tuples(item) for name, item in config["parameters"].items()})
        found, expected = dict(technique.digests), config["digests"]
        for name in sorted(found.keys() | expected.keys(), key=str):
            if found.get(name) != expected.get(name):
                raise InputError(
                    f"{cls.__name__}: {name!r} is not the file that the configuration was made "
                    f"with (its SHA-256 is {found.get(name)}, expected {expected.get(name)})."
                )
        return technique

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as one canonical string, so that equal techniques have equal fingerprints.

        `datasets` hashes the pickle of a technique; in a plain pickle a tuple that is shared by
        two fields and two equal tuples differ.
        """
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        return _restore, (type(self), json.dumps(state, sort_keys=True))


def load_technique(config: Mapping[str, Any]) -> Technique:
    """Rebuild any installed technique from its configuration.

    Args:
        config: What `Technique.config` returned, for instance read back from a dataset card.

    Returns:
        The technique.

    Raises:
        InputError: No installed package provides the technique, or `Technique.from_config` refuses.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text")
        >>> load_technique(swap.config()) == swap
        True
    """
    _refuse_incomplete(config, "load_technique")
    installed = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    one_of(config["technique"], sorted(installed), owner="load_technique", parameter="technique")
    technique_class: type[Technique] = installed[config["technique"]].load()
    return technique_class.from_config(config)


def file_digests(files: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of several files.

    Args:
        files: Resource name to path, as `Technique.resources` names them.

    Returns:
        Pairs of (resource name, 64 hexadecimal digits), sorted.

    Raises:
        InputError: A file cannot be read.
    """
    return tuple(sorted((name, file_digest(path)) for name, path in files.items()))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes.

    Args:
        path: The file.

    Returns:
        64 hexadecimal digits.

    Raises:
        InputError: The file cannot be read.
    """
    state = regular_file(path)
    try:
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from error


@lru_cache(maxsize=1024)
def _digest(path: Path, size: int, modified: int) -> str:
    """Return the SHA-256 of a file, read again only if its size or time has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _refuse_incomplete(config: Any, owner: str) -> None:
    """Raise unless a configuration has the form that `Technique.config` gives it."""
    if not isinstance(config, Mapping):
        raise InputError(
            f"{owner}: the configuration must be a mapping, but it is a {type(config).__name__}; "
            "give what `config()` of a technique returned, and JSON text after `json.loads`."
        )
    missing = [key for key in _CONFIG_KEYS if key not in config]
    if missing:
        raise InputError(
            f"{owner}: the configuration lacks {', '.join(map(repr, missing))}; give what "
            "`config()` of a technique returned."
        )
    for key in ("parameters", "digests"):
        if not isinstance(config[key], Mapping):
            raise InputError(
                f"{owner}: {key!r} of the configuration must be a mapping, but it is "
                f"{config[key]!r}; give what `config()` of a technique returned."
            )


def _refuse_other_parameters(given: Mapping[str, Any], names: list[str], owner: str) -> None:
    """Raise unless a configuration gives each parameter, and no other."""
    for name in given:
        one_of(name, names, owner=owner, parameter="a parameter of the configuration")
    missing = [name for name in names if name not in given]
    if missing:
        raise InputError(
            f"{owner}: the configuration lacks the parameters {', '.join(map(repr, missing))}; "
            "give what `config()` of a technique returned."
        )


def _restore(technique_class: type[Technique], state: str) -> Technique:
    """Rebuild a pickled technique with the digests that were taken when it was made."""
    technique = object.__new__(technique_class)
    for name, value in json.loads(state).items():
        object.__setattr__(technique, name, _as_tuples(value))
    return technique


def _as_json(value: Any) -> Any:
    """Turn tuples into lists, all the way down."""
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value


def _as_tuples(value: Any) -> Any:
    """Turn lists into tuples, all the way down."""
    return tuple(_as_tuples(item) for item in value) if isinstance(value, list) else value
