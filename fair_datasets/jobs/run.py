"""Applying techniques to more rows than one would like to lose: by shards, into a folder."""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets import checks
from fair_datasets.cards import SplitCounts, dataset_card
from fair_datasets.checks import InputError
from fair_datasets.given import SPLIT_NAME, splits_of
from fair_datasets.jobs.engines import ENGINES, engine_named
from fair_datasets.jobs.job import is_written, remove_notes, work_beside, working_on
from fair_datasets.jobs.parquet import ParquetRows, parquet_splits
from fair_datasets.jobs.rewriting import RewriteShard, total_counts
from fair_datasets.jobs.shards import Finished, Progress, Rows, Work, default_rows
from fair_datasets.portable import without_folders
from fair_datasets.rewriting import Rewriter
from fair_datasets.technique import Technique, own_code, uninstalled_classes
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_OWNER = "run"
_BATCH = 1000


def run(
    techniques: Technique | Sequence[Technique],
    dataset: "Dataset | DatasetDict | str",
    out: str | Path,
    *,
    num_proc: int = 1,
    shard_rows: int | None = None,
    engine: str = "local",
) -> Path:
    """Apply techniques to a dataset and write the result, so that it goes on after any end.

    The rows are worked through in shards, each of which becomes a Parquet file. What is finished
    is kept in `<out>.work` until all is; the same call again does what is missing, and the files
    are those of a call that nobody disturbed.

    Args:
        techniques: A technique, or several that are applied one after the other.
        dataset: The rows: a Dataset, a DatasetDict of several splits, or the address or pattern
            of Parquet files, which are read where they lie, shard by shard:
            "hf://datasets/ada/reviews/**/*.parquet", "s3://reviews/*.parquet", "reviews/".
        out: The folder that is written; `load_dataset` opens it.
        num_proc: The number of processes; any gives the same files.
        shard_rows: How many rows are worked through and written at once; None for 10,000 to
            50,000, or fewer where rows are long.
        engine: "local" for processes here; "ray" for those of a Ray cluster: the one that this
            process is connected to, or that RAY_ADDRESS names, or else one that ends with the
            call. `num_proc` is then the number of its actors. Either writes the same files.

    Returns:
        The folder, which holds `data/*.parquet`, a card (`README.md`) and `.manifest.json`: what
        it was made from and by, and the rows and the SHA-256 of each file.

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
        ...     load_dataset(str(out), split="train")["text"][:]
        ['He ran.', 'She ran.', 'It rains.']
    """
    several = _techniques(techniques)
    splits = _splits(dataset)
    count = _number(num_proc, "num_proc")
    size = None if shard_rows is None else _number(shard_rows, "shard_rows")
    checks.one_of(engine, ENGINES, owner=_OWNER, parameter="engine")
    folder = _folder(out)
    identity = {
        "source": {split: content_of(rows) for split, rows in splits.items()},
        "technique": [{**technique.config(), **own_code(technique)} for technique in several],
        "shard size": size,
        "version of fair-datasets": __version__,
    }
    if is_written(folder, identity):
        return folder
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise InputError(
            f"{_OWNER}: {folder} holds something else already, and nothing is overwritten; name "
            "another folder, or remove it."
        )
    work = work_beside(folder)
    with working_on(work, identity) as job:
        finished = job.run(
            splits,
            {split: _work(several, rows) for split, rows in splits.items()},
            rows={name: size or default_rows(rows) for name, rows in splits.items()},
            engine=engine_named(engine, count, several, owner=_OWNER),
        )
        _write_beside(work, several, _card(folder, several, finished, _shown(dataset)))
        job.state()
        if folder.exists():
            folder.rmdir()
        work.rename(folder)
    remove_notes(folder)
    return folder


def rows_digest(rows: "Dataset") -> str:
    """Return the SHA-256 of the rows of a dataset and of their features.

    Args:
        rows: The rows.

    Returns:
        64 hexadecimal digits, the same wherever the rows lie.

    Example:
        >>> from datasets import Dataset
        >>> one = Dataset.from_dict({"text": ["a", "b", "c"]})
        >>> rows_digest(one) == rows_digest(one.select([0, 1, 2])) != rows_digest(one.select([0]))
        True
    """
    import pyarrow as pa

    found = hashlib.sha256(str(rows.features).encode())
    for table in rows.with_format("arrow").iter(batch_size=_BATCH):
        # Parts that were read at once or one by one are the same rows.
        for batch in table.combine_chunks().to_batches():
            found.update(pa.concat_batches([batch]).serialize())
    return found.hexdigest()


@dataclass(frozen=True)
class ApplyToShard:
    """What techniques make of the rows of a shard, one after the other.

    Attributes:
        techniques: The techniques.
    """

    techniques: tuple[Technique, ...]

    def __call__(self, rows: "Dataset", progress: Progress) -> "tuple[Dataset, dict[str, Any]]":
        """Apply them.

        Args:
            rows: The rows.
            progress: What is told how many are done.

        Returns:
            What they became, and the fields of their `SplitCounts`.
        """
        result = rows
        for number, technique in enumerate(self.techniques):
            result = technique.apply(
                result, keep_in_memory=True, load_from_cache_file=False,
                new_fingerprint=f"shard-{number}",
            )  # fmt: skip
        progress(len(rows))
        return result, SplitCounts(len(rows), len(result), 0, {}, {}, {})._asdict()


def content_of(rows: "Dataset | ParquetRows") -> Any:
    """Say what rows are, as JSON knows it.

    Args:
        rows: The rows of a split.

    Returns:
        The digest of the rows, or those of the files that are read where they lie.
    """
    return rows.digest() if isinstance(rows, ParquetRows) else rows_digest(rows)


def _work(techniques: tuple[Technique, ...], rows: Rows) -> Work:
    """Return what is done to the shards of a split."""
    first = techniques[0]
    if len(techniques) == 1 and isinstance(first, Rewriter):
        return RewriteShard(first, first.features(rows.features))
    return ApplyToShard(techniques)


def _folder(out: Any) -> Path:
    """Return the folder that is written, or raise."""
    if not isinstance(out, str | Path):
        raise InputError(f"{_OWNER}: out must be the path of a folder, but it is {out!r}.")
    if "://" in str(out):
        raise InputError(
            f"{_OWNER}: out must be the path of a folder, but {out} is an address; write to a "
            "folder that all machines see, such as a mounted bucket, or publish the result with "
            "push_dataset."
        )
    folder = Path(out)
    return folder.resolve() if folder.is_symlink() or folder.name in ("", "..") else folder


def _write_beside(work: Path, techniques: tuple[Technique, ...], card: str) -> None:
    """Write the card and the techniques' own files beside the rows."""
    (work / "README.md").write_text(card, encoding="utf-8")
    for technique in techniques:
        for name, file in technique.own_files().items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, work / name)


def _number(value: Any, parameter: str) -> int:
    """Return a number of processes or rows, or raise."""
    number = checks.whole_number(value, owner=_OWNER, parameter=parameter)
    if number < 1:
        raise InputError(f"{_OWNER}: {parameter} must be at least 1, but it is {number}.")
    return number


def _techniques(given: Any) -> tuple[Technique, ...]:
    """Return the techniques, or raise."""
    several = tuple(given) if isinstance(given, list | tuple) else (given,)
    for technique in several:
        if not isinstance(technique, Technique):
            raise InputError(
                f"{_OWNER}: it applies techniques, but it was given a {type(technique).__name__}; "
                "give one such as CounterfactualSwap(columns=...), or a list of several."
            )
    if not several:
        raise InputError(f"{_OWNER}: the list of techniques is empty; give one at least.")
    return several


def _splits(given: Any) -> "Mapping[str, Dataset] | Mapping[str, ParquetRows]":
    """Return the splits by their names, or raise."""
    from datasets import IterableDataset

    if isinstance(given, str | Path):
        found = parquet_splits(str(given), owner=_OWNER)
        for name, part in found.items():
            _refuse_unloadable(name, part, next(iter(found.items())))
        return found
    splits = splits_of(given, owner=_OWNER)
    for split in splits:
        if isinstance(split, IterableDataset):
            raise InputError(
                f"{_OWNER}: it was given a stream, of which nobody knows where its shards begin; "
                "load it without streaming, or give its files one by one."
            )
    if not isinstance(given, Mapping):
        name = str(given.split)
        given = {name if given.split is not None and SPLIT_NAME.fullmatch(name) else "train": given}
    named = dict(zip(given, splits, strict=True))
    for name, rows in named.items():
        _refuse_unloadable(name, rows, next(iter(named.items())))
    return named


def _refuse_unloadable(name: str, rows: Rows, first: tuple[str, Rows]) -> None:
    """Raise if `load_dataset` could not open what is made of a split, beside the first one."""
    why = ""
    if not SPLIT_NAME.fullmatch(name):
        why = "may be named by letters, digits, underscores and dots only; rename it"
    elif not len(rows):
        why = "has no rows; leave it out"
    elif rows.features != first[1].features:
        why = f"has other columns than {first[0]!r}; write each to a folder of its own"
    if why:
        raise InputError(f"{_OWNER}: the split {name!r} {why}, or load_dataset cannot open it.")


def _shown(dataset: Any) -> str:
    """Say for a card what the rows were read from, without the folders of this machine."""
    if not isinstance(dataset, str | Path):
        return "a dataset in Python"
    # Behind a question mark there may be a key.
    address = str(dataset).partition("?")[0]
    return address if "://" in address else without_folders(address)


def _card(
    folder: Path,
    techniques: tuple[Technique, ...],
    finished: Mapping[str, Sequence[Finished]],
    source: str,
) -> str:
    """Write the card."""
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
