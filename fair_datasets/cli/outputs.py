"""Where a command writes to, and the folder of what is finished meanwhile."""

import json
import lzma
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from datasets import Dataset, DatasetDict, Features

from fair_datasets.cards.croissant import NAME
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.groups import Input
from fair_datasets.hub import HubId, push_dataset
from fair_datasets.hub.dataset import check_push, refuse_different_columns
from fair_datasets.hub.repositories import page, refuse_metadata, translate_hub_errors, writable_id
from fair_datasets.jobs.file_outputs import (
    FileOutput,
    atomic_replace,
    file_output,
    refuse_foreign_folder,
    refuse_rows,
    refuse_taken_file,
    refuse_taken_folder,
    take_place,
)
from fair_datasets.jobs.job import (
    Job,
    cleanup_finished,
    default_work_folder,
    discard,
    remove_notes,
)
from fair_datasets.rows import arrow
from fair_datasets.rows.exact import FORMATS, OPENERS, ending
from fair_datasets.rows.exact_csv import delimiter_of
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import temporary_folder
from fair_datasets.system.portable import OWN_FILES, is_published


class UploadInterrupted(KeyboardInterrupt):
    """An interrupt while something was sent to the Hub, a part of which may be there."""


@contextmanager
def uploading() -> Iterator[None]:
    """Distinguish an interrupt while something is sent from one before anything was."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise UploadInterrupted(*interrupt.args) from interrupt


def own_files_in(folder: Path) -> dict[str, Path]:
    """Find the lexicons and weights that were written beside the data.

    Returns:
        Path in the folder to the file; none that is a link or lies behind one.
    """
    files = {
        path.relative_to(folder).as_posix(): path
        for ending, place in OWN_FILES.items()
        for path in sorted(folder.glob(f"{place}/*/*{ending}"))
        if path.is_file() and not any(map(Path.is_symlink, (path, *path.parents[:2])))
    }
    return {name: path for name, path in files.items() if is_published(name)}


def croissant_in(folder: Path) -> dict[str, Any] | None:
    """Read the Croissant file that was written beside the data.

    Returns:
        What it says; None if there is none, or a link.

    Example:
        >>> croissant_in(Path("nowhere")) is None
        True
    """
    place = folder / NAME
    if not place.is_file() or place.is_symlink():
        return None
    try:
        croissant = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{place} cannot be read ({error}); repair or remove it.") from error
    if not isinstance(croissant, dict) or "@context" not in croissant:
        raise InputError(f"{place} is not a Croissant file, because it has no @context; remove it.")
    return croissant


def _usual_place(split: str) -> tuple[int, str]:
    """Return what sorts the names of splits as they are usually listed."""
    usual = ("train", "validation", "test")
    return (usual.index(split) if split in usual else len(usual), split)


_SHARD_BYTES = 500_000_000


@dataclass(frozen=True)
class Output:
    """Where a command writes to: a folder here, where it is none of the others.

    Attributes:
        path: The folder or the file that is written here; None for the standard output and the Hub.
        replace: Whether what an earlier run wrote there may be lost.
    """

    path: Path | None
    replace: bool = False

    def __str__(self) -> str:
        """Return what names it in a sentence."""
        return str(self.path)

    @property
    def file(self) -> FileOutput | None:
        """The one file that is written, if it is one."""
        return None

    @property
    def folder(self) -> Path | None:
        """The folder that is written here, if it is one."""
        return self.path

    @property
    def title(self) -> str:
        """The title of its card."""
        return Path(str(self)).absolute().name

    @property
    def work(self) -> Path:
        """The folder in which what is finished of it is kept.

        Example:
            >>> str(Output(Path("reviews-cda")).work)
            'reviews-cda.work'
        """
        return default_work_folder(Path(str(self)))

    def written(self) -> str:
        """Return where something was written, and how to load it.

        Example:
            >>> print(Output(Path("reviews-cda")).written())
            Written to reviews-cda. To load it:
            <BLANKLINE>
                from datasets import load_dataset
                dataset = load_dataset('reviews-cda')
        """
        return (
            f"Written to {self}. To load it:\n\n"
            "    from datasets import load_dataset\n"
            f"    dataset = load_dataset({', '.join(self._loaded())})"
        )

    def _loaded(self) -> list[str]:
        """Return what `load_dataset` takes."""
        return [repr(str(self))]

    def metadata(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of its card, by those that it takes over."""
        return dict(given)

    def refuse_taken(self) -> None:
        """Raise if it cannot be written, before any work is done for it."""
        (refuse_foreign_folder if self.replace else refuse_taken_folder)(Path(str(self)))

    def refuse_unwritable(
        self, features: Mapping[str, Features], source: str, metadata: Mapping[str, Any]
    ) -> None:
        """Raise if it cannot hold what is to be written, or data there would be lost."""

    def take(self, job: Job) -> None:
        """Let what a job has finished become it."""
        job.state()
        self.refuse_taken()
        atomic_replace(job.folder, Path(str(self)).resolve(), replace=self.replace)

    def tidy(self, work: Path, identity: Mapping[str, Any]) -> None:
        """Remove what a job has left that had finished it."""
        remove_notes(Path(str(self)))


@dataclass(frozen=True, kw_only=True)
class OneFile(Output):
    """One file of rows, or the standard output."""

    rows: FileOutput

    def __str__(self) -> str:
        """Return what names it in a sentence."""
        return str(self.rows)

    @property
    def file(self) -> FileOutput:
        """The file."""
        return self.rows

    @property
    def folder(self) -> None:
        """None, as it is a file."""

    @property
    def title(self) -> str:
        """What names it."""
        return str(self)

    @property
    def work(self) -> Path:
        """The folder in which what is finished of it is kept."""
        return default_work_folder(self.path or Path("standard-output"))

    def written(self) -> str:
        """Return where something was written, and how to load it."""
        return super().written() if self.path else "Written to the standard output."

    def _loaded(self) -> list[str]:
        builder, settings = FORMATS[self.rows.kind]
        settings = {"sep": self.rows.delimiter} if self.rows.kind == ".csv" else settings
        given = [f"{name}={value!r}" for name, value in settings.items() if value != ","]
        return [repr(builder), f"data_files={str(self)!r}", "split='train'", *given]

    def refuse_taken(self) -> None:
        """Raise if it cannot be written."""
        refuse_taken_file(self.rows)

    def refuse_unwritable(
        self, features: Mapping[str, Features], source: str, metadata: Mapping[str, Any]
    ) -> None:
        """Raise if it has no place for a column, or for several splits."""
        refuse_rows(self.rows, features, source)

    def take(self, job: Job) -> None:
        """Let what a job has finished become it."""
        take_place(job.folder, self.rows, ready=job.state_file)
        discard(job.folder)

    def tidy(self, work: Path, identity: Mapping[str, Any]) -> None:
        """Remove what a job has left that had finished it."""
        cleanup_finished(work, identity)


@dataclass(frozen=True, kw_only=True)
class HubOutput(Output):
    """A configuration of a dataset of the Hub that is to be written."""

    target: HubId
    config_name: str
    private: bool | None

    def __str__(self) -> str:
        """Return the address of its page."""
        return page(self.target)

    @property
    def _name(self) -> str:
        return self.target.name.split("/")[-1]

    @property
    def title(self) -> str:
        """The name of the dataset, and of the configuration if it has one."""
        is_usual = self.config_name == "default"
        return self._name if is_usual else f"{self._name} ({self.config_name})"

    @property
    def work(self) -> Path:
        """The folder here in which what is finished of it is kept."""
        config = [] if self.config_name == "default" else self.config_name.split()
        place = Path() if os.access(".", os.W_OK) else Path(gettempdir())
        return default_work_folder(place / "-".join([*self.target.name.split("/"), *config]))

    def _loaded(self) -> list[str]:
        config = [] if self.config_name == "default" else [repr(self.config_name)]
        revision = [f"revision={self.target.revision!r}"] if self.target.revision else []
        return [repr(self.target.name), *config, *revision]

    def metadata(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of its card, which is that of all configurations."""
        selected = {name: value for name, value in given.items() if name != "source_datasets"}
        sources = [name for name in given.get("source_datasets", []) if name != self.target.name]
        named = {"source_datasets": sources} if sources else {}
        return {"pretty_name": self._name, **selected, **named}

    def refuse_taken(self) -> None:
        """Raise if the Hub would refuse what is published there."""
        check_push(
            self.target, self.config_name, features=None, splits=None, private=self.private,
            overwrite=self.replace,
        )  # fmt: skip

    def refuse_unwritable(
        self, features: Mapping[str, Features], source: str, metadata: Mapping[str, Any]
    ) -> None:
        """Raise if the Hub would refuse what is to be published, or data would be lost."""
        known = list(features.values())
        refuse_different_columns(known)
        check_push(
            self.target, self.config_name, features=known[0] if known else None,
            splits=list(features), private=self.private, overwrite=self.replace,
        )  # fmt: skip
        if metadata:
            with translate_hub_errors(self.target, writes=True):
                refuse_metadata(self.target, metadata)

    def take(self, job: Job) -> None:
        """Push the splits, the card and the lexicons of what a job has finished."""
        card = job.folder / "README.md"
        with temporary_folder() as cache, uploading():
            made = written_splits(job.folder, cache_dir=str(cache))
            splits = {split: made[split] for split in sorted(made, key=_usual_place)}
            push_dataset(
                DatasetDict(splits),
                self.target.name,
                config_name=self.config_name,
                card=card.read_text(encoding="utf-8") if card.exists() else "",
                files=own_files_in(job.folder),
                croissant=croissant_in(job.folder),
                private=self.private,
                revision=self.target.revision,
                overwrite=self.replace,
            )
        discard(job.folder)


def output(options: Any) -> Output:
    """Read where a command writes to."""
    if options.out is None:
        raise invalid("name the output with --out, or use --dry-run.")
    overwrite = getattr(options, "overwrite", False)
    if "://" in options.out:
        target = writable_id(options.out, "dataset", None)
        name, private = (getattr(options, each, None) for each in ("config_name", "private"))
        return HubOutput(
            path=None, replace=overwrite, target=target, config_name=name or "default",
            private=private or None,
        )  # fmt: skip
    if getattr(options, "config_name", None) or getattr(options, "private", False):
        raise InputError(
            f"--config-name and --private are for the Hub, but --out {options.out} is a place "
            "here; write hf://datasets/user/name to publish."
        )
    kind = f".{getattr(options, 'format', None) or 'jsonl'}"
    file = file_output(options.out, kind=kind, replace=overwrite)
    if file is None:
        return Output(Path(options.out), overwrite)
    if file.kind == ".csv":
        file = file._replace(delimiter=_output_delimiter(options))
    return OneFile(path=file.path, replace=overwrite, rows=file)


def _output_delimiter(options: Any) -> str:
    """Return what separates the cells of a CSV file that is written: what does in those read."""
    if not isinstance(options, Input):
        return ","
    if options.delimiter is not None:
        return options.delimiter
    for file in _files(options.inputs):
        opener: Any = OPENERS.get(file.suffix.lower(), open)
        # A file that cannot be read is told of when it is.
        with (
            suppress(OSError, EOFError, ValueError, zlib.error, lzma.LZMAError),
            opener(file, "rt", encoding=options.encoding or "utf-8-sig", newline="") as lines,
        ):
            return delimiter_of(lines)
    return ","


def _files(places: Any) -> Iterator[Path]:
    """Yield the CSV files that places here name."""
    for place in map(Path, places):
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if ending(file) == ".csv" and file.is_file() and file.suffix.lower() != ".zst":
                yield file


def written_splits(folder: Path, **how: Any) -> dict[str, Dataset]:
    """Read the Parquet files that a command wrote into a folder.

    Args:
        **how: What `Dataset.from_parquet` takes besides.
    """
    files: dict[str, list[str]] = {}
    for file in sorted((folder / "data").glob("*.parquet")):
        files.setdefault(file.name.rsplit("-", 3)[0], []).append(str(file))
    # Each for itself: load_dataset would give them the columns of one another.
    return {split: Dataset.from_parquet(own, split=split, **how) for split, own in files.items()}


def write_parquet(dataset: Dataset, folder: Path, split: str) -> None:
    """Write one split as Parquet files the way the Hub names them, with its features."""
    (folder / "data").mkdir(exist_ok=True)
    shards = max(1, ceil(dataset.data.nbytes / _SHARD_BYTES))
    for number in range(shards):
        shard = dataset.shard(shards, number, contiguous=True)
        arrow.write_parquet(
            shard, folder / "data" / f"{split}-{number:05d}-of-{shards:05d}.parquet"
        )


@contextmanager
def work_folder(given: Path | None, out: Output, source: str) -> Iterator[Path]:
    """Give the work folder; if the command ends early, tell that it is kept.

    Args:
        given: What the user named, if anything.
        source: What is read.

    Yields:
        `given`, or OUT.work; for a dataset of the Hub that is USER-NAME.work here, and for the
        standard output standard-output.work. It need not be there.
    """
    work = given or out.work
    place = work.resolve()
    if out.folder and place.is_relative_to(out.folder.resolve()):
        raise InputError(
            f"The work folder {work} lies in the output folder, which must be empty; choose "
            "another --work."
        )
    if place.exists() and not place.is_dir():
        raise InputError(f"The work folder {work} is a file; choose another --work.")
    if Path(source).is_dir() and place.is_relative_to(Path(source).resolve()):
        raise InputError(
            f"The work folder {work} lies in {source}, so that its files would be read as data; "
            "choose --out or --work elsewhere."
        )
    try:
        yield work
    except (InputError, UnfinishedError):
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not work.exists():
            raise
        raise UnfinishedError(goes_on(work)) from error


def goes_on(work: Path) -> str:
    """Return what a command that ended early leaves."""
    return f"what is finished is kept in {work}, and the same command goes on from there"
