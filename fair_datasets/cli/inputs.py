"""Reading what the command line is given: a file, a folder, a saved dataset or a Hub id."""

import argparse
import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError, listed, one_of
from fair_datasets.cli.exact import loaded
from fair_datasets.cli.faults import reading
from fair_datasets.cli.files import FORMATS, OPENERS, data_files, ending, is_saved
from fair_datasets.cli.nested import python_values
from fair_datasets.cli.texts import with_plain_texts
from fair_datasets.columns import instead_of, shortened
from fair_datasets.hub import hub_id
from fair_datasets.hub.errors import told
from fair_datasets.hub.reading import dataset_builder
from fair_datasets.hub.repositories import Repository, find
from fair_datasets.row_texts import RowTexts
from fair_datasets.text_fields import field_columns, text_field

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDatasetDict

_TEXT_KINDS = ("string", "large_string", "null")
# How a whole number is written; "007" is a text.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
# The name of a column that is surely no path.
_NAME = re.compile(r"[^.\[\]]+")
_BATCH = 1000


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the dataset that is read, and which of its configurations.

    Args:
        parser: The parser that gets the arguments.
    """
    parser.add_argument(
        "input",
        metavar="INPUT",
        help="a CSV, TSV, JSONL, Parquet or text file (also compressed), a folder of them, a "
        "save_to_disk folder, or a dataset of the Hub: user/name, user/name@revision, or "
        "hf://datasets/user/name/file.csv (a private one needs `hf auth login`)",
    )
    parser.add_argument(
        "--config",
        metavar="NAME",
        help="which configuration of INPUT to read, where it has several",
    )


def load_input(
    source: str,
    columns: Sequence[str],
    split: str | None,
    *,
    config: str | None = None,
    streaming: bool = False,
) -> "DatasetDict | IterableDatasetDict":
    """Load a file, a folder of files, a `save_to_disk` folder or a dataset of the Hub.

    Args:
        source: A path, or a Hub id; what lies here goes before a Hub id of the same name.
        columns: The text columns; a CSV or TSV file's are read as text whatever they hold, and its
            other columns as numbers only where each number reads back as it was written.
        split: The one split to load; None for all.
        config: The configuration of a dataset of the Hub, or of a folder whose card names some.
        streaming: Whether to read lazily, for a look at the first rows.

    Returns:
        Split name to dataset.

    Raises:
        InputError: There is nothing to read there, or not in a known format.
    """
    if is_on_hub(source):
        splits = _from_hub(source, columns, config, streaming=streaming)
    else:
        path = Path(source)
        if not path.exists():
            raise InputError(f"There is no file or folder {source!r}; check the path.")
        with reading(source):
            splits = _from_disk(path, columns, config, streaming=streaming)
    if split is not None:
        one_of(split, splits, owner=source, parameter="--split")
        splits = type(splits)({split: splits[split]})
    if streaming:
        return splits
    with reading(source):
        return with_plain_texts(splits)


def is_on_hub(source: str) -> bool:
    """Tell whether an input is meant as a Hub id.

    Args:
        source: A path, or a Hub id.

    Returns:
        Whether it is one, going by how it is written and by what lies here.

    Example:
        >>> is_on_hub("hf://datasets/ada/reviews/test.csv"), is_on_hub("reviews/test.csv")
        (True, False)
    """
    path = Path(source)
    is_path = path.suffix.lower() in {*FORMATS, *OPENERS} or source.startswith(("/", ".", "~"))
    return "://" in source or not (is_path or path.exists())


def find_on_hub(source: str) -> Repository:
    """Ask the Hub about a dataset.

    Args:
        source: Its Hub id.

    Returns:
        What the Hub says.

    Raises:
        InputError: There is no such dataset, it may not be read, or the Hub cannot be reached.
    """
    try:
        return find(hub_id(source))
    except InputError as error:
        if "://" in source:
            raise
        raise InputError(
            f"There is no file or folder {source!r} here, so it was looked for on the Hub: {error}"
        ) from error


def batches(rows: Any, names: Sequence[str], source: str) -> Iterator[Mapping[str, list[Any]]]:
    """Read the rows of a dataset or a stream in batches.

    Args:
        rows: The dataset or the stream.
        names: The text columns, or paths into columns.
        source: The path that it is read from, or its Hub id.

    Yields:
        Column name to values.

    Raises:
        InputError: The source cannot be read.
    """
    with reading(source), told(hub_id(source)) if is_on_hub(source) else nullcontext():
        if rows.features is not None or all(map(_NAME.fullmatch, names)):
            yield from rows.iter(batch_size=_BATCH)
            return
        # The stream does not know which columns are JSON, and parts of it may differ in that.
        for table in rows.with_format("arrow").iter(batch_size=1):
            yield {name: python_values(table[name]) for name in table.column_names}


def check_text_columns(
    dataset: "Dataset", names: Sequence[str], where: str, roles: Sequence[str] = ()
) -> list[str]:
    """Raise unless a dataset has rows and texts where they are said to be.

    Args:
        dataset: The dataset.
        names: The columns of texts, or paths to the texts inside columns.
        where: How the sentence names the dataset.
        roles: Whose texts of a conversation are read.

    Returns:
        The columns that the texts lie in.

    Raises:
        InputError: There are no rows, or a column is missing or holds something else.
    """
    if dataset.num_rows == 0:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    for name in names:
        if text_field(name, dataset.column_names, owner=where).steps:
            _check_inside(dataset, name, where, roles)
        else:
            _check_column(dataset, name, where)
    return field_columns(names, dataset.column_names, owner=where)


def _check_column(dataset: "Dataset", column: str, where: str) -> None:
    """Raise unless a column is one of texts."""
    from datasets import Value

    feature = dataset.features[column]
    kind = feature.dtype if isinstance(feature, Value) else type(feature).__name__
    if kind in _TEXT_KINDS:
        _refuse_numbers(dataset, column, where)
        return
    for start, batch in enumerate(dataset.select_columns([column]).iter(batch_size=_BATCH)):
        check_texts(batch[column], column, where, first_row=_BATCH * start)
    raise InputError(
        f"{where}: column {column!r} is of type {kind} and no text; name a text column with --text."
    )


def _check_inside(dataset: "Dataset", name: str, where: str, roles: Sequence[str]) -> None:
    """Raise unless there is a text where a path leads to."""
    column = text_field(name, dataset.column_names, owner=where).column
    for batch in dataset.select_columns([column]).iter(batch_size=_BATCH):
        if any(any(row) for row in RowTexts.read(batch, [name], roles=roles, owner=where).rows):
            return
    whose = f" of the roles {listed(roles)}" if roles else ""
    raise InputError(f"{where}: there is no text{whose} at {name!r}; look at the column's values.")


def check_texts(values: Sequence[Any], column: str, where: str, first_row: int = 0) -> None:
    """Raise unless all values are texts or nulls.

    Args:
        values: Values of a column.
        column: The column.
        where: How the sentence names the dataset.
        first_row: The number of the first value's row in the dataset.

    Raises:
        InputError: A value is something else; the sentence names its row.
    """
    for row, value in enumerate(values, start=first_row):
        if value is not None and not isinstance(value, str):
            raise InputError(
                f"{where}: column {column!r} must hold text, but row {row} (counted from 0) holds "
                f"{shortened(value)} ({type(value).__name__}); {instead_of(value, column)} with "
                "--text."
            )


def _refuse_numbers(dataset: "Dataset", column: str, where: str) -> None:
    """Raise if each text of a column is a whole number, as in a CSV file's column of labels."""
    number = None
    for batch in dataset.select_columns([column]).iter(batch_size=_BATCH):
        for value in batch[column]:
            if value is not None and not _NUMBER.fullmatch(value):
                return
            number = number or value
    if number is not None:
        raise InputError(
            f"{where}: column {column!r} holds whole numbers only (the first is {number}) and no "
            "text; name a text column with --text."
        )


def _from_hub(source: str, columns: Sequence[str], config: str | None, *, streaming: bool) -> Any:
    """Load a dataset of the Hub as it is now."""
    found = find_on_hub(source)
    try:
        with reading(source), told(found.target):
            opened = partial(dataset_builder, found, config)
            return loaded(opened, columns, streaming=streaming)
    except InputError as error:
        if config is None and "Config name is missing" in str(error):
            raise InputError(f"{error}; name it with --config.") from error
        raise


def _from_disk(path: Path, columns: Sequence[str], config: str | None, *, streaming: bool) -> Any:
    """Load a `save_to_disk` folder, a folder of data files, or a file."""
    from datasets import Dataset, DatasetDict, load_dataset_builder, load_from_disk

    if config is not None and (is_saved(path) or not (path / "README.md").exists()):
        raise InputError(
            f"{path} has no card that names configurations, of which --config would choose one; "
            "leave it out."
        )
    if path.is_dir() and is_saved(path):
        # A saved dataset may carry a format, such as NumPy's, that would change its values.
        saved = load_from_disk(str(path)).with_format(None)
        return DatasetDict({"train": saved}) if isinstance(saved, Dataset) else saved
    files = data_files(path)
    endings = sorted({ending(file) for file in files})
    if path.is_dir():
        has_card = (path / "README.md").exists()
        builders = {FORMATS[each][0] for each in endings}
        if not has_card and (len(builders) > 1 or endings == [".csv", ".tsv"]):
            raise InputError(
                f"The folder {path} holds files of several formats ({', '.join(endings)}), of "
                "which only one can be read; name a file, or keep the others elsewhere."
            )
        # Where a card lists the files, datasets would return from its cache what lay in another
        # folder of the same name.
        mode = "force_redownload" if has_card else None
        opened = partial(load_dataset_builder, str(path), config, download_mode=mode)
        return loaded(opened, columns, streaming=streaming, download_mode=mode)
    builder, separator = FORMATS[ending(path)]
    # datasets takes a name with brackets for a pattern.
    opened = partial(load_dataset_builder, builder, data_files=glob.escape(str(path)), **separator)
    return loaded(opened, columns, streaming=streaming)
