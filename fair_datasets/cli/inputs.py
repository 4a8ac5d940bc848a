"""Reading what the command line is given: files, folders, saved datasets, Hub ids, or a pipe."""

import glob
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from datasets import (
    Dataset,
    DatasetDict,
    Features,
    IterableDatasetDict,
    load_dataset_builder,
    load_from_disk,
)

from fair_datasets.cards.croissant import NAME
from fair_datasets.cli.errors import reading
from fair_datasets.cli.groups import Input
from fair_datasets.cli.options import Options
from fair_datasets.hub import hub_id
from fair_datasets.hub.reading import dataset_builder
from fair_datasets.hub.repositories import Repository, find, translate_hub_errors
from fair_datasets.jobs.parquet import ParquetRows, is_address, parquet_splits
from fair_datasets.rows.arrow import python_values
from fair_datasets.rows.exact import FORMATS, OPENERS, data_files, ending, is_saved, loaded
from fair_datasets.rows.exact_csv import delimiter_of, header_of
from fair_datasets.rows.exact_json import rows as json_rows
from fair_datasets.rows.exact_lines import SEPARATORS
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.parquet_columns import joined_feature, parquet_columns, without_views
from fair_datasets.rows.table_folders import refuse_tables
from fair_datasets.system import interrupts
from fair_datasets.system.checks import FEW, InputError, error_context, format_choices, one_of
from fair_datasets.system.files import temporary_folder

# The name of a column that is surely no path.
_NAME = re.compile(r"[^.\[\]]+")
# What datasets says of a saved split without rows.
_NO_FILES = re.compile(r'"_data_files":\s*\[\s*\]')


def load_input(
    source: str | Sequence[str],
    columns: Sequence[str],
    split: str | None,
    *,
    config: str | None = None,
    limit: int | None = None,
    streaming: bool = False,
    cache: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> DatasetDict | IterableDatasetDict:
    """Load a file, a folder of files, a `save_to_disk` folder or a dataset of the Hub.

    Args:
        source: A path, or a Hub id; what lies here goes before a Hub id of the same name. Or
            several files of one format, with the same columns, which are read as one.
        columns: The text columns; a CSV or TSV file's are read as text whatever they hold, and its
            other columns as numbers only where each number reads back as it was written.
        config: The configuration of a dataset of the Hub, or of a folder whose card names some.
        limit: How many rows of each split to keep, the first ones; None for all. The types are
            those of all rows.
        delimiter: What separates the cells of a CSV file; None for what its first lines show.
        encoding: How a file of text is encoded, such as "cp1252"; None for UTF-8.

    Returns:
        Split name to dataset.
    """
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, but it is {limit}.")
    places = [source] if isinstance(source, str) else list(source)
    source = ", ".join(places)
    if any(map(is_address, places)):
        raise InputError(
            f"{source} names Parquet files to be read in place, which only augment does; give a "
            "file, a folder or a Hub id."
        )
    dialect = {"delimiter": delimiter, "encoding": encoding}
    how: dict[str, Any] = {"streaming": streaming, **dialect}
    if len(places) > 1:
        if config is not None:
            raise InputError(
                "--config applies to one dataset, but there are several inputs; leave it out."
            )
        with reading(*places):
            splits = _from_files(shards(places, **dialect), columns, **how, cache=cache)
    elif is_on_hub(source):
        splits = _from_hub(source, columns, config, **how)
    else:
        path = Path(source)
        if not path.exists():
            raise InputError(f"There is no file or folder {source!r}; check the path.")
        with reading(source):
            splits = _from_disk(path, columns, config, cache=cache, **how)
    splits = chosen_split(splits, split, source)
    if not streaming:
        with reading(*places):
            splits = _checked(splits)
    if limit is None:
        return splits
    return type(splits)({name: _first(rows, limit) for name, rows in splits.items()})


def chosen_split(splits: Any, split: str | None, source: str) -> Any:
    """Return the one split that is named, or all, of what was read."""
    if split is None:
        return splits
    with error_context(source):
        one_of(split, splits, parameter="--split")
    return type(splits)({split: splits[split]})


def load_given(
    options: Input,
    columns: Sequence[str],
    split: str | None,
    *,
    places: Sequence[str] = (),
    streaming: bool = False,
) -> Any:
    """Load what a command is given, as `load_input` does."""
    return load_input(
        places or options.inputs, columns, split, config=options.config, limit=options.limit,
        streaming=streaming, cache=options.cache, **options.dialect,
    )  # fmt: skip


def is_on_hub(source: str) -> bool:
    """Whether an input is meant as a Hub id.

    Example:
        >>> is_on_hub("hf://datasets/ada/reviews/test.csv"), is_on_hub("reviews/test.csv")
        (True, False)
    """
    if is_address(source):
        return False
    path = Path(source)
    is_path = path.suffix.lower() in {*FORMATS, *OPENERS} or source.startswith(("/", ".", "~"))
    return "://" in source or not (is_path or path.exists())


def find_on_hub(source: str) -> Repository:
    """Ask the Hub about a dataset."""
    try:
        return find(hub_id(source))
    except InputError as error:
        if "://" in source:
            raise
        raise InputError(
            f"There is no file or folder {source!r} here, so it was looked for on the Hub: {error}"
        ) from error


def batches(rows: Any, names: Sequence[str], source: str) -> Iterator[Mapping[str, list[Any]]]:
    """Read the rows of a dataset or a stream in batches."""
    with (
        reading(source),
        translate_hub_errors(hub_id(source)) if is_on_hub(source) else nullcontext(),
    ):
        if rows.features is not None or all(map(_NAME.fullmatch, names)):
            yield from rows.iter(batch_size=ROWS_AT_ONCE)
            return
        # The stream does not know which columns are JSON, and parts of it may differ in that.
        for table in rows.with_format("arrow").iter(batch_size=1):
            yield {name: python_values(table[name]) for name in table.column_names}


def _from_hub(source: str, columns: Sequence[str], config: str | None, **how: Any) -> Any:
    """Load a dataset of the Hub as it is now."""
    repository = find_on_hub(source)
    try:
        with reading(source), translate_hub_errors(repository.target):
            opened = partial(dataset_builder, repository, config)
            return loaded(opened, columns, **how)
    except InputError as error:
        if config is None and "Config name is missing" in str(error):
            raise InputError(f"{error}; name it with --config.") from error
        raise


def _from_disk(
    path: Path, columns: Sequence[str], config: str | None, *, cache: str | None, **how: Any
) -> Any:
    """Load a `save_to_disk` folder, a folder of data files, or a file.

    Args:
        **how: What `loaded` takes besides.
    """
    if config is not None and (is_saved(path) or not (path / "README.md").exists()):
        raise InputError(
            f"{path} has no card that names configurations, so --config has none to choose from; "
            "leave it out."
        )
    if path.is_dir() and is_saved(path):
        _refuse_empty_saved(path)
        refuse_dialect(how, str(path))
        # A saved dataset may carry a format, such as NumPy's, that would change its values.
        saved = load_from_disk(str(path)).with_format(None)
        return DatasetDict({"train": saved}) if isinstance(saved, Dataset) else saved
    if path.is_dir():
        refuse_tables(map(str, path.rglob("*.parquet")), str(path), _names_in)
    files = data_files(path)
    endings = sorted({ending(file) for file in files})
    if path.is_dir():
        has_card = (path / "README.md").exists()
        if not has_card and any(file.name == NAME for file in files):
            raise InputError(
                f"The folder {path} holds {NAME}, which datasets reads as rows if no card names "
                "the data files; name the files themselves, or add a README.md with configs that "
                "each have data_files."
            )
        builders = {FORMATS[each][0] for each in endings}
        if not has_card and (len(builders) > 1 or endings == [".csv", ".tsv"]):
            raise InputError(
                f"The folder {path} holds files of several formats ({', '.join(endings)}), "
                "but only one format can be read; name a file, or keep the files of other formats "
                "elsewhere."
            )
        # Where a card lists the files, datasets would return from its cache what lay in another
        # folder of the same name.
        mode = "force_redownload" if has_card else None
        features = {} if has_card else _declared(files)
        place = os.path.abspath(path)  # datasets calls a dataset by it, and "." has no name.
        opened = partial(load_dataset_builder, place, config, download_mode=mode, **features)
        return loaded(opened, columns, download_mode=mode, **how)
    return _from_files(files, columns, cache=cache, **how)


def refuse_dialect(given: Mapping[str, Any], place: str) -> None:
    """Raise if it is said how files of text are read where there are none."""
    for name in ("delimiter", "encoding"):
        if given[name] is not None:
            raise InputError(
                f"--{name} is for CSV and other files of text, but {place} has none; leave it out."
            )


def _from_files(files: Sequence[Path], columns: Sequence[str], **how: Any) -> Any:
    """Load files of one format as one split.

    Args:
        **how: What `loaded` takes besides.
    """
    for file in files:
        refuse_tables((), str(file.absolute().parent), _names_in)
    builder, separator = FORMATS[ending(files[0])]
    # datasets takes a name with brackets for a pattern.
    paths = [glob.escape(str(file)) for file in files]
    settings = {**separator, **_declared(files)}
    opened = partial(load_dataset_builder, builder, data_files=paths, **settings)
    return loaded(opened, columns, **how)


def _declared(files: Sequence[Path]) -> dict[str, Features]:
    """Return the columns of Parquet files, as an option of `load_dataset`, if they go together.

    Raises:
        InputError: A dataset cannot hold a column.
    """
    types: list[dict[str, Any]] = []
    for file in files:
        if ending(file) == ".parquet" and (opener := OPENERS.get(file.suffix.lower(), open)):
            with opener(file, "rb") as opened:
                types.append(parquet_columns(opened, str(file))[1])
    joined = types[0] if types else {}
    for other in types[1:]:
        joined = {name: joined_feature(joined[name], other.get(name)) for name in joined}
    is_whole = all(joined.keys() == other.keys() for other in types) and None not in joined.values()
    return {"features": Features(joined)} if joined and is_whole else {}


def _names_in(folder: str) -> list[str]:
    """Return the names of what lies in a folder; none where there is none."""
    return os.listdir(folder) if os.path.isdir(folder) else []


def _first(rows: Any, limit: int) -> Any:
    """Return the first rows of a dataset or a stream."""
    if hasattr(rows, "__len__"):
        return rows.select(range(min(limit, len(rows))))
    return rows.take(limit)


def _checked(splits: DatasetDict) -> DatasetDict:
    """Return a dataset without string views, once its values are what their types say."""
    for rows in splits.values():
        rows.data.validate(full=True)
    return type(splits)({split: without_views(rows) for split, rows in splits.items()})


def shards(
    places: Sequence[str], *, delimiter: str | None = None, encoding: str | None = None
) -> list[Path]:
    """Return files that can be read as one."""
    files = [_file(place) for place in places]
    for number, file in enumerate(files):
        if file.resolve() in [other.resolve() for other in files[:number]]:
            raise InputError(f"{file} is given twice; give each file once.")
    first = files[0]
    for other in files[1:]:
        if ending(other) != ending(first):
            raise InputError(
                f"{first} and {other} are of different formats, and several inputs are read as "
                "one; give files of one format."
            )
    columns = {file: _columns(file, delimiter, encoding) for file in files}
    for other in files[1:]:
        if differ := {*columns[first]} ^ {*columns[other]}:
            raise InputError(
                f"{first} and {other} do not both have {format_choices(sorted(differ), FEW)}; "
                "several inputs are read as one and need the same columns."
            )
    return files


def _file(place: str) -> Path:
    """Return the one file that a path names."""
    path = Path(place)
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no file here"
        raise InputError(
            f"{place} is {kind}, but several inputs must all be files, which are read as one; "
            "give only files, or one input."
        )
    return data_files(path)[0]


def _columns(file: Path, delimiter: str | None, encoding: str | None) -> list[str]:
    """Return the names of the columns of a file; none where Python cannot open it."""
    opener = OPENERS.get(file.suffix.lower(), open)
    kind = ending(file)
    if opener is None or kind == ".txt":
        return []
    if kind == ".parquet":
        from pyarrow.parquet import read_schema

        with opener(file, "rb") as parquet:
            return list(read_schema(parquet).names)
    with opener(file, "rt", encoding=encoding or "utf-8-sig", newline="") as lines:
        if kind in SEPARATORS:
            sep = delimiter or ("\t" if kind == ".tsv" else delimiter_of(lines))
            lines.seek(0)
            return header_of(lines, sep, str(file))
        return list(dict.fromkeys(key for _, row in json_rows(lines) for key in row))


def refuse_unloadable(place: str, splits: Mapping[str, Dataset]) -> None:
    """Raise if `load_dataset` could not open what is made of splits, as it opens them together."""
    names = list(splits)
    first = splits[names[0]].features
    for name, rows in splits.items():
        others = [each for each in names if each != name]
        if not len(rows):
            more = f" in it; give the others alone ({', '.join(others)})" if others else ""
            raise InputError(f"{place} (split {name}) has no rows; there is nothing to do{more}.")
        if rows.features != first:
            fields = [each for each in {**first, **rows.features}
                    if first.get(each) != rows.features.get(each)]  # fmt: skip
            raise InputError(
                f"{place}: the splits {names[0]!r} and {name!r} differ in "
                f"{', '.join(map(repr, fields)) or 'the order of their columns'}, and load_dataset "
                "opens splits of the same columns and types only; give them one by one, or make "
                "them alike."
            )


def _refuse_empty_saved(folder: Path) -> None:
    """Raise if a split that `save_to_disk` wrote has no rows, which datasets cannot read."""
    for state in [folder / "state.json", *sorted(folder.glob("*/state.json"))]:
        if state.is_file() and _NO_FILES.search(state.read_text("utf-8", "replace")):
            split = state.parent.relative_to(folder).name
            where = f"{folder} (split {split})" if split else folder
            more = " in it; give the others alone, each by its folder" if split else ""
            raise InputError(f"{where} has no rows; there is nothing to do{more}.")


_HEAD = 1000


def is_in_place(places: Sequence[str]) -> bool:
    """Whether what a command is given is read where it lies."""
    return any(map(is_address, places))


def rows_in_place(options: Input, split: str | None) -> Mapping[str, Dataset | ParquetRows]:
    """Find the rows of Parquet files that a command is given, of which none is read yet."""
    places, limit = options.inputs, options.limit
    shown = ", ".join(places)
    if options.config is not None:
        raise InputError(
            f"--config applies to one dataset, but {shown} names files; put the configuration's "
            "folder into the address."
        )
    refuse_dialect(options.dialect, shown)
    splits: dict[str, Any] = chosen_split(parquet_splits(places), split, shown)
    if limit is None:
        return splits
    return {name: _first(rows, limit) for name, rows in splits.items()}


def head(rows: Dataset | ParquetRows) -> Dataset:
    """Return what columns are checked by: all rows, or the first of those read in place."""
    return _first(rows, _HEAD) if isinstance(rows, ParquetRows) else rows


_CHUNK_BYTES = 1 << 20
STANDARD_INPUT = "the standard input"


@contextmanager
def standard_input(options: Options) -> Iterator[None]:
    """Put a temporary file in the place of the input `-` for the time of a command."""
    if not isinstance(options, Input):
        yield
        return
    if options.format and "-" not in (*options.inputs, getattr(options, "out", None)):
        raise InputError(
            f"--format {options.format} says what - is, but neither INPUT nor --out is -; leave it "
            "out: the ending of a file tells its format."
        )
    if "-" not in options.inputs:
        yield
        return
    if len(options.inputs) > 1:
        raise InputError(
            f"- is {STANDARD_INPUT}, which cannot be read together with other inputs; leave "
            "those out."
        )
    with temporary_folder() as folder:
        kind = options.format or "jsonl"
        file = folder / f"standard-input.{kind}"
        _keep(file)
        options.inputs, options.cache = (str(file),), f"{folder}/cache"
        try:
            yield
        except InputError as error:
            text = str(error).replace(str(file), STANDARD_INPUT).replace(file.name, STANDARD_INPUT)
            if "JSON" in text and kind == "jsonl":
                text += " Where it is a table, say so: --format csv, or tsv."
            raise InputError(text) from error


def _keep(file: Path) -> None:
    """Copy the standard input to a file."""
    if sys.stdin is None:
        raise InputError(f"{STANDARD_INPUT} is closed, so that - cannot be read; name a file.")
    if sys.stdin.isatty():
        print("fair-datasets: reading what is typed, until Ctrl-D.", file=sys.stderr)
    with file.open("wb") as copy:
        while part := sys.stdin.buffer.read(_CHUNK_BYTES):
            copy.write(part)
            interrupts.raise_if_interrupted()
