"""Reading what the command line is given: a file, a folder, a saved dataset or a Hub id."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError, one_of, present

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDatasetDict

OWNER = "fair-datasets"
# File ending to the builder of `datasets` that reads it, with its options.
_FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {"sep": ","}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
    ".txt": ("text", {}),
}
_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")


def load_input(
    source: str, columns: Sequence[str], split: str | None, *, streaming: bool = False
) -> "DatasetDict | IterableDatasetDict":
    """Load a file, a folder of files, a `save_to_disk` folder or a dataset of the Hub.

    Args:
        source: A path, or a Hub id.
        columns: The text columns; a CSV or TSV file's are read as text whatever they hold.
        split: The one split to load; None for all.
        streaming: Whether to read lazily, for a look at the first rows.

    Returns:
        Split name to dataset.

    Raises:
        InputError: There is nothing to read there, or not in a known format.
    """
    path = Path(source)
    if not path.exists():
        if path.suffix.lower() in {*_FORMATS, *_COMPRESSIONS} or source.startswith(("/", ".", "~")):
            raise InputError(f"There is no file or folder {source!r}; check the path.")
        splits = _from_hub(source, streaming=streaming)
    elif path.is_dir():
        splits = _from_folder(path, columns, streaming=streaming)
    else:
        splits = _from_files([path], columns, streaming=streaming)
    if split is not None:
        one_of(split, splits, owner=f"{OWNER}: {source}", parameter="--split")
        splits = type(splits)({split: splits[split]})
    return splits


def check_text_columns(dataset: "Dataset", columns: Sequence[str], where: str) -> None:
    """Raise unless a dataset has rows and its columns hold text.

    Args:
        dataset: The dataset.
        columns: The columns that must hold text.
        where: How the sentence names the dataset.

    Raises:
        InputError: There are no rows, or a column is missing or holds something else.
    """
    if dataset.num_rows == 0:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    present(columns, dataset.column_names, owner=where)
    for column in columns:
        kind = getattr(dataset.features[column], "dtype", type(dataset.features[column]).__name__)
        if kind not in ("string", "large_string", "null"):
            row, value = next(
                (row, value) for row, value in enumerate(dataset[column]) if value is not None
            )
            raise InputError(
                f"{where}: column {column!r} holds {kind} and no text (row {row}, counted from 0, "
                f"is {value!r}); name a text column with --text."
            )


def _from_hub(name: str, *, streaming: bool) -> Any:
    """Load a dataset of the Hub."""
    from datasets import load_dataset

    try:
        return load_dataset(name, streaming=streaming)
    except (OSError, ValueError, RuntimeError) as error:
        # datasets raises many kinds here: not found, offline, no access, several configurations.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"There is no file or folder {name!r}, and no such dataset could be loaded from the "
            f"Hub ({reason}); check the path, the name or the connection."
        ) from error


def _from_folder(path: Path, columns: Sequence[str], *, streaming: bool) -> Any:
    """Load a `save_to_disk` folder, or a folder of data files."""
    from datasets import Dataset, DatasetDict, load_dataset, load_from_disk

    if (path / "dataset_dict.json").exists() or (path / "state.json").exists():
        saved = load_from_disk(str(path))
        return DatasetDict({"train": saved}) if isinstance(saved, Dataset) else saved
    files = sorted(file for file in path.rglob("*") if file.is_file() and _ending(file) in _FORMATS)
    if not files:
        raise InputError(
            f"The folder {path} holds no {', '.join(_FORMATS)} file and no saved dataset; name a "
            "folder that does."
        )
    endings = {_ending(file) for file in files}
    if endings <= {".csv", ".tsv"} and len(endings) == 1 and not (path / "README.md").exists():
        return _from_files(files, columns, streaming=streaming)
    return load_dataset(str(path), streaming=streaming)


def _from_files(files: Sequence[Path], columns: Sequence[str], *, streaming: bool) -> Any:
    """Load files of one format."""
    from datasets import load_dataset

    for file in files:
        if file.stat().st_size == 0:
            raise InputError(f"The file {file} is empty; give one that has rows.")
    one_of(_ending(files[0]), _FORMATS, owner=f"{OWNER}: {files[0]}", parameter="the file's ending")
    builder, options = _FORMATS[_ending(files[0])]
    if builder == "csv":
        # Text stays as it is written: "NA" and "007" are texts, and only an empty cell is empty.
        options = {
            **options,
            "converters": dict.fromkeys(columns, str),
            "keep_default_na": False,
            "na_values": [""],
        }
    names = [str(file) for file in files]
    return load_dataset(builder, data_files=names, streaming=streaming, **options)


def _ending(file: Path) -> str:
    """Return a file's ending in lower case, without the one of its compression."""
    if file.suffix.lower() in _COMPRESSIONS:
        file = file.with_suffix("")
    return file.suffix.lower()
