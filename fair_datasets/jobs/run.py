"""Applying techniques to more rows than one would like to lose: by shards, into a folder."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cards import dataset_card
from fair_datasets.jobs.file_outputs import atomic_replace, refuse_taken_folder
from fair_datasets.jobs.job import (
    Job,
    default_work_folder,
    find_corrupt_file,
    is_written,
    lock_and_resume,
    refuse_empty,
    remove_notes,
)
from fair_datasets.jobs.parquet import ParquetRows, parquet_splits, refuse_inside
from fair_datasets.jobs.processes import ENGINES, Engine, engine_named
from fair_datasets.jobs.rewriting import ApplyToShard, RewriteShard, total_counts
from fair_datasets.jobs.shards import Finished, Rows, Work, default_rows
from fair_datasets.jobs.streaming import SHARD_ROWS, Stream, run_streams
from fair_datasets.rows.given import ROWS_AT_ONCE, SPLIT_NAME, splits_of
from fair_datasets.rows.parquet_columns import without_views
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system import checks
from fair_datasets.system.checks import caller_name, invalid
from fair_datasets.system.portable import strip_folders
from fair_datasets.technique.contract import Technique, own_code, uninstalled_classes
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features, IterableDataset, IterableDatasetDict


def run(
    techniques: Technique | Sequence[Technique],
    dataset: "Dataset | DatasetDict | IterableDataset | IterableDatasetDict | str",
    out: str | Path,
    *,
    num_proc: int = 1,
    shard_rows: int | None = None,
    engine: str = "local",
) -> str:
    """Apply techniques to a dataset and write the result; an interrupted job can resume.

    The rows are worked through in shards, each of which becomes a Parquet file. What is finished
    is kept in `<out>.work` until all is; the same call again does what is missing, and the files
    are those of a call that nobody disturbed.

    Args:
        techniques: A technique, or several that are applied one after the other.
        dataset: The rows: a Dataset, a DatasetDict of several splits, a stream of either kind, or
            the address or pattern of Parquet files, which are read where they lie, shard by shard:
            `"hf://datasets/ada/reviews/**/*.parquet"`, `"s3://reviews/*.parquet"`, `"reviews/"`.
            A stream is read from its beginning, in its order. A call that goes on reads it from the
            state behind what is finished; where the state does not hold all, as in a shuffle
            buffer, it reads the stream again up to there.
        out: The folder that is written.
        num_proc: The number of processes; any gives the same files.
        shard_rows: How many rows are worked through and written at once; None for 10,000 to
            50,000, or fewer where rows are long; for 10,000 of a stream.
        engine: "local" for processes here; "ray" for those of a Ray cluster: the one that this
            process is connected to, or that RAY_ADDRESS names, or else one that ends with the
            call. `num_proc` is then the number of its actors. Either writes the same files.
            Streams are worked through here.

    Returns:
        The path of the folder, which `load_dataset` takes. It holds `data/*.parquet`, a card
        (`README.md`) and `.manifest.json`: what it was made from and by, and the rows and the
        SHA-256 of each file.

    Raises:
        InputError: An argument is wrong, a technique refuses the rows, or the folder holds
            something else or the unfinished job of another call.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from datasets import Dataset, load_dataset
        >>> from fair_datasets import CounterfactualSwap, run
        >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains."]})
        >>> with TemporaryDirectory() as place:
        ...     out = run(CounterfactualSwap(columns="text"), rows, f"{place}/twin")
        ...     load_dataset(out, split="train")["text"][:]
        ['He ran.', 'She ran.', 'It rains.']
    """
    several = _techniques(techniques)
    splits = _splits(dataset)
    number = partial(checks.positive_whole_number)
    count = number(num_proc, parameter="num_proc")
    size = None if shard_rows is None else number(shard_rows, parameter="shard_rows")
    checks.one_of(engine, ENGINES, parameter="engine")
    if engine != "local" and any(isinstance(rows, Stream) for rows in splits.values()):
        raise invalid(
            f"a stream is read by this process alone, so engine={engine!r} would send every row to "
            "the cluster from here; give the addresses of the files, or leave engine out."
        )
    folder = _folder(out)
    if isinstance(dataset, str | Path):
        refuse_inside(str(dataset), folder)
    identity = {
        "source": {split: content_of(rows) for split, rows in splits.items()},
        "technique": [{**technique.config(), **own_code(technique)} for technique in several],
        "shard size": size,
        "version of fair-datasets": __version__,
    }
    if is_written(folder, identity):
        remove_notes(folder)  # It may have been ended once all was done.
        return str(folder)
    if (broken := find_corrupt_file(folder)) is not None:
        raise invalid(
            f"{folder} was finished, but {broken} is gone or was changed since; "
            "remove the folder to make it again, or name another one."
        )
    refuse_taken_folder(folder)
    work = default_work_folder(folder)
    with lock_and_resume(work, identity) as job:
        works_through = engine_named(engine, count, several)
        finished = _worked_through(job, splits, several, size, works_through)
        refuse_empty(job, finished)
        _write_beside(work, several, _card(folder, several, finished, _shown(dataset)))
        job.state()
        atomic_replace(work, folder)
    return str(folder)


def _worked_through(
    job: Job,
    splits: "Mapping[str, Dataset | ParquetRows | Stream]",
    techniques: tuple[Technique, ...],
    size: int | None,
    engine: Engine,
) -> dict[str, list[Finished]]:
    work = {split: _work(techniques, rows.features) for split, rows in splits.items()}
    if streams := {split: rows for split, rows in splits.items() if isinstance(rows, Stream)}:
        return run_streams(job, streams, work, size=size or SHARD_ROWS, engine=engine)
    row_splits = {split: rows for split, rows in splits.items() if not isinstance(rows, Stream)}
    sizes = {split: size or default_rows(rows) for split, rows in row_splits.items()}
    return job.run(row_splits, work, rows=sizes, engine=engine)


def rows_digest(rows: "Dataset") -> str:
    """Return the SHA-256 of the rows of a dataset and of their features."""
    import pyarrow as pa

    hasher = hashlib.sha256(str(rows.features).encode())
    for table in rows.with_format("arrow").iter(batch_size=ROWS_AT_ONCE):
        # Parts that were read at once or one by one are the same rows.
        for batch in table.combine_chunks().to_batches():
            hasher.update(pa.concat_batches([batch]).serialize())
    return hasher.hexdigest()


def content_of(rows: "Dataset | ParquetRows | Stream") -> Any:
    """Return what rows are, as JSON knows it."""
    if isinstance(rows, ParquetRows):
        return rows.digest()
    return rows.digest if isinstance(rows, Stream) else rows_digest(rows)


def _work(techniques: tuple[Technique, ...], features: "Features") -> Work:
    """Return what is done to the shards of a split."""
    first = techniques[0]
    if len(techniques) == 1 and isinstance(first, Rewriter):
        return RewriteShard(first, first.features(features))
    return ApplyToShard(techniques)


def _folder(out: Any) -> Path:
    if not isinstance(out, str | Path):
        raise invalid(f"out must be the path of a folder, but it is {out!r}.")
    if "://" in str(out):
        raise invalid(
            f"out must be the path of a folder, but {out} is an address; write to a folder that "
            "all machines see, such as a mounted bucket, or publish the result with push_dataset."
        )
    if "\0" in str(out):
        raise invalid(f"out holds a NUL character, which no path may hold: {str(out)!r}.")
    folder = Path(out)
    try:
        if folder.is_symlink() or folder.name in ("", ".."):
            folder = folder.resolve()
        default_work_folder(folder).exists()
    except OSError as error:
        raise invalid(f"{folder} cannot be a folder ({error.strerror}); name another.") from error
    return folder


def _write_beside(work: Path, techniques: tuple[Technique, ...], card: str) -> None:
    """Write the card and the techniques' own files beside the rows."""
    (work / "README.md").write_text(card, encoding="utf-8")
    for technique in techniques:
        for name, file in technique.own_files().items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, work / name)


def _techniques(given: Any) -> tuple[Technique, ...]:
    several = tuple(given) if isinstance(given, list | tuple) else (given,)
    for technique in several:
        if not isinstance(technique, Technique):
            raise invalid(
                f"it applies techniques, but it was given a {type(technique).__name__}; "
                "give one such as CounterfactualSwap(columns=...), or a list of several."
            )
    if not several:
        raise invalid("the list of techniques is empty; give one at least.")
    return several


def _splits(given: Any) -> "Mapping[str, Dataset | ParquetRows | Stream]":
    from datasets import IterableDataset

    if isinstance(given, str | Path):
        parts = parquet_splits(str(given))
        for name, part in parts.items():
            _refuse_unloadable(name, part, next(iter(parts.items())))
        return parts
    splits = splits_of(given)
    if not isinstance(given, Mapping):
        name = str(given.split)
        given = {name if given.split is not None and SPLIT_NAME.fullmatch(name) else "train": given}
    named: dict[str, Dataset | Stream] = {}
    for name, rows in zip(given, splits, strict=True):
        is_stream = isinstance(rows, IterableDataset)
        where = f"{caller_name()}: the split {name!r}"
        named[name] = Stream.of(rows, where) if is_stream else without_views(rows)
        _refuse_unloadable(name, named[name], next(iter(named.items())))
    return named


def _refuse_unloadable(
    name: str, rows: "Rows | Stream", first: "tuple[str, Rows | Stream]"
) -> None:
    """Raise if `load_dataset` could not open what is made of a split, beside the first one."""
    why = ""
    if not SPLIT_NAME.fullmatch(name):
        why = "may be named by letters, digits, underscores and dots only; rename it"
    elif not isinstance(rows, Stream) and not len(rows):
        why = "has no rows; leave it out"
    elif rows.features != first[1].features:
        why = f"has other columns than {first[0]!r}; write each to a folder of its own"
    if why:
        raise invalid(f"the split {name!r} {why}, or load_dataset cannot open it.")


def _shown(dataset: Any) -> str:
    """Return for a card what the rows were read from, without the folders of this machine."""
    if not isinstance(dataset, str | Path):
        return "a dataset in Python"
    # Behind a question mark there may be a key.
    address = str(dataset).partition("?")[0]
    return address if "://" in address else strip_folders(address)


def _card(
    folder: Path,
    techniques: tuple[Technique, ...],
    finished: Mapping[str, Sequence[Finished]],
    source: str,
) -> str:
    counts = {
        split: total_counts(each.tally for each in shards) for split, shards in finished.items()
    }
    return dataset_card(
        title=folder.absolute().name,
        source=source,
        config=[technique.config() for technique in techniques],
        counts=counts,
        command=(),
        classes=uninstalled_classes(*techniques),
    )
