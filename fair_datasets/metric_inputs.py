"""The inputs of the `evaluate` modules, which reach a measure as the user gave them."""

import json
import warnings
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import datasets
import pyarrow
from datasets.features.features import register_feature

from fair_datasets.measures.inputs import is_missing


@dataclass
class AsGiven(datasets.Json):  # type: ignore[misc]
    """A column of any values: numbers, texts, lists, or missing ones.

    `evaluate` writes its inputs to a file. A column of numbers would turn the text "1" into a
    number there, one of texts NaN into "nan", and `datasets.Json` the group "1" into the number 1
    and the group "null" into a missing one. Here every value comes back as it was, so that the
    measure can refuse it in its own words.

    Example:
        >>> labels = AsGiven()
        >>> [labels.decode_example(labels.encode_example(label)) for label in ("1", 1, "null", 0.7)]
        ['1', 1, 'null', 0.7]
    """

    _type: str = field(default="AsGiven", init=False, repr=False)

    def encode_example(self, example_data: Any) -> str | None:
        """Write a value as JSON.

        Args:
            example_data: The value.

        Returns:
            The value as JSON.
        """
        return None if example_data is None else _encoder().encode(example_data)

    def decode_example(self, example_data: str, token_per_repo_id: Any = None) -> Any:
        """Read a value from JSON.

        Args:
            example_data: The value as JSON.
            token_per_repo_id: Not used; `datasets` passes it to every feature.

        Returns:
            The value.
        """
        return json.loads(example_data)

    def cast_storage(self, storage: pyarrow.Array) -> pyarrow.Array:
        """Take what `encode_example` wrote as it is, where `datasets.Json` would look again.

        Args:
            storage: The values as JSON.

        Returns:
            The same, typed as JSON.
        """
        return storage if storage.type == self.pa_type else storage.cast(self.pa_type)


def as_given(*names: str) -> datasets.Features:
    """Describe the inputs of a module.

    Args:
        *names: The names of the inputs.

    Returns:
        The features, one per input.

    Example:
        >>> list(as_given("predictions", "groups"))
        ['predictions', 'groups']
    """
    _register()
    return datasets.Features({name: AsGiven() for name in names})


@cache
def _register() -> None:
    """Make the feature known by its name, which is all that `keep_in_memory` tells a reader."""
    with warnings.catch_warnings():
        # datasets warns that registering is experimental.
        warnings.simplefilter("ignore", UserWarning)
        register_feature(AsGiven, "AsGiven")


@cache
def _encoder() -> json.JSONEncoder:
    """Return one encoder for all values; `json.dumps` would make one for each."""
    return json.JSONEncoder(default=_plain)


def _plain(value: Any) -> Any:
    """Return what stands for a value that JSON lacks: a NumPy number, a set, a date."""
    if is_missing(value):
        return None
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, set | frozenset) else str(value)
