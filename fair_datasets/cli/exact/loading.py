"""Choosing how a source is read, and reading it."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.system.temporary import temporary_folder

if TYPE_CHECKING:
    from datasets import DatasetBuilder, DatasetDict, IterableDatasetDict

# Settings of a configuration that the builder itself is given, or that say nothing of the files.
_OF_THE_BUILDER = ("name", "version", "data_dir", "data_files", "description", "features")


def loaded(
    open_builder: Callable[..., "DatasetBuilder"],
    texts: Sequence[str],
    *,
    streaming: bool = False,
    download_mode: str | None = None,
    cache: str | None = None,
) -> "DatasetDict | IterableDatasetDict":
    """Read a source, CSV and JSON exactly, and anything else by `datasets`.

    Args:
        open_builder: Gives what `datasets` would read it with; takes the keyword `cache_dir`.
        texts: The columns of a CSV file that are text, whatever they hold.
        streaming: Whether to read lazily. Types are then those of the rows at hand, and the numbers
            of a CSV file are texts: nobody knows yet what the later rows hold.
        download_mode: Whether `datasets` may return what it has read before.
        cache: The folder in which it keeps what was read; None for its own.

    Returns:
        Split name to dataset.
    """
    # From the cache a builder takes the features that were found, or guessed, in an earlier run.
    with temporary_folder() as folder:
        empty = str(folder)
        cache = empty if streaming else cache
        builder = _exact(open_builder(cache_dir=empty), texts, cache)
        builder = builder or open_builder(cache_dir=cache)
    if streaming:
        return builder.as_streaming_dataset()
    builder.download_and_prepare(download_mode=download_mode)
    return builder.as_dataset()


def _exact(
    builder: "DatasetBuilder", texts: Sequence[str], cache_dir: str | None
) -> "DatasetBuilder | None":
    """Return what reads the same files exactly; None where their format states its types."""
    from datasets.packaged_modules.csv.csv import CsvConfig
    from datasets.packaged_modules.json.json import JsonConfig

    from fair_datasets.cli.exact.csv_files import ExactCsv
    from fair_datasets.cli.exact.json_files import ExactJson

    if isinstance(builder.config, CsvConfig):
        return _copied(builder, ExactCsv, cache_dir=cache_dir, texts=tuple(texts))
    if isinstance(builder.config, JsonConfig):
        return _copied(builder, ExactJson, cache_dir=cache_dir)
    return None


@functools.cache
def _code() -> list[str]:
    """Return the code that reads, so that nothing is taken from the cache of older code."""
    return [file.read_text("utf-8") for file in sorted(Path(__file__).parent.glob("*.py"))]


def _copied(builder: "DatasetBuilder", kind: type[Any], **settings: Any) -> "DatasetBuilder":
    """Return a builder of another kind for the same files, and with the same settings."""
    from datasets.fingerprint import Hasher

    from fair_datasets.cli.exact.builder import TOGETHER

    for field in fields(builder.config):
        default = None if field.default is MISSING else field.default
        value = getattr(builder.config, field.name)
        if field.name not in _OF_THE_BUILDER and value != default:
            settings[field.name] = value
    return kind(
        dataset_name=builder.dataset_name,
        config_name=builder.config.name,
        hash=Hasher.hash([builder.hash, _code()]),
        base_path=builder.base_path,
        info=builder.info,
        features=builder.config.features,
        token=builder.token,
        repo_id=builder.repo_id,
        data_files=builder.config.data_files,
        data_dir=builder.config.data_dir,
        storage_options=builder.storage_options,
        writer_batch_size=TOGETHER,
        **settings,
    )
