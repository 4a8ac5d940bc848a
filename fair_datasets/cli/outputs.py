"""Where a command writes to, the draft of it, and the folder of what is finished meanwhile."""

import argparse
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

from datasets import Dataset, DatasetDict, Features

from fair_datasets.cards.croissant import NAME
from fair_datasets.cli.dialects import delimiter_kept
from fair_datasets.cli.errors import UnfinishedError
from fair_datasets.cli.parsers import option
from fair_datasets.hub import HubId, push_dataset
from fair_datasets.hub.dataset import check_push, refuse_different_columns
from fair_datasets.hub.repositories import page, refuse_metadata, told, writable_id
from fair_datasets.jobs.file_outputs import (
    FileOutput,
    file_output,
    refuse_foreign_folder,
    refuse_taken_file,
    refuse_taken_folder,
    write_file,
)
from fair_datasets.jobs.job import rows_of, work_beside
from fair_datasets.rows import arrow
from fair_datasets.rows.exact import FORMATS
from fair_datasets.rows.exact_lines import ROW_FORMATS
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.files import naming
from fair_datasets.system.portable import OWN_FILES, is_published


class HubOutput(NamedTuple):
    """A configuration of a dataset of the Hub that is to be written."""

    target: HubId
    config_name: str
    private: bool | None
    overwrite: bool = False

    def __str__(self) -> str:
        """Return the address of its page."""
        return page(self.target)


class UploadInterrupted(KeyboardInterrupt):
    """An interrupt while something was sent to the Hub, a part of which may be there."""


def refuse_unpublishable(
    out: HubOutput,
    features: Mapping[str, Features] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Raise if the Hub would refuse what is to be published there, or data would be lost."""
    known = list((features or {}).values())
    refuse_different_columns(known)
    check_push(
        out.target, out.config_name, features=known[0] if known else None,
        splits=None if features is None else list(features), private=out.private,
        overwrite=out.overwrite,
    )  # fmt: skip
    if metadata:
        with told(out.target, writes=True):
            refuse_metadata(out.target, metadata)


@contextmanager
def uploading() -> Iterator[None]:
    """Tell an interrupt while something is sent from one before anything was."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise UploadInterrupted(*interrupt.args) from interrupt


def own_files_in(folder: Path) -> dict[str, Path]:
    """Find the lexicons and weights that were written beside the data.

    Returns:
        Path in the folder to the file; none that is a link or lies behind one.
    """
    found = {
        path.relative_to(folder).as_posix(): path
        for ending, place in OWN_FILES.items()
        for path in sorted(folder.glob(f"{place}/*/*{ending}"))
        if path.is_file() and not any(map(Path.is_symlink, (path, *path.parents[:2])))
    }
    return {name: path for name, path in found.items() if is_published(name)}


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
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{place} cannot be read ({error}); repair or remove it.") from error
    if not isinstance(found, dict) or "@context" not in found:
        raise InputError(f"{place} is not a Croissant file, because it has no @context; remove it.")
    return found


def publish(folder: Path, out: HubOutput, cache: Path) -> None:
    """Push the splits, the card and the lexicons of a folder."""
    files: dict[str, list[str]] = {}
    for file in sorted((folder / "data").glob("*.parquet")):
        split, *_ = file.name.rsplit("-", 3)
        files.setdefault(split, []).append(str(file))
    # Each for itself: load_dataset would give them the columns of one another.
    splits = DatasetDict(
        {
            split: Dataset.from_parquet(files[split], split=split, cache_dir=str(cache))
            for split in sorted(files, key=_usual_place)
        }
    )
    card = folder / "README.md"
    with uploading():
        push_dataset(
            splits,
            out.target.name,
            config_name=out.config_name,
            card=card.read_text(encoding="utf-8") if card.exists() else "",
            files=own_files_in(folder),
            croissant=croissant_in(folder),
            private=out.private,
            revision=out.target.revision,
            overwrite=out.overwrite,
        )


def _usual_place(split: str) -> tuple[int, str]:
    """Return what sorts the names of splits as they are usually listed."""
    usual = ("train", "validation", "test")
    return (usual.index(split) if split in usual else len(usual), split)


_SHARD_BYTES = 500_000_000

FolderOutput = Path | HubOutput
Output = FolderOutput | FileOutput


def add_out(
    parser: argparse.ArgumentParser,
    *,
    required: bool = True,
    overwrite: bool = False,
    files: bool = True,
) -> None:
    """Add the place that is written."""
    file = (
        f"; or one file without a card, if its name ends in {', '.join(ROW_FORMATS)} (also with "
        ".gz, .bz2 or .xz); - for the standard output, while messages go to the standard error"
    )
    option(parser, "--out -o", f"the folder to write{file if files else ''}; or "
           "hf://datasets/user/name to publish on the Hub instead (a plain user/name is always a "
           "folder here, so that nothing is published by accident)",
           metavar="PLACE" if files else "DIR", required=required)  # fmt: skip
    option(parser, "--config-name NAME", "with --out hf://...: which configuration to write, such "
           "as cda or cds (default: default); the others stay")  # fmt: skip
    option(parser, "--private", "with --out hf://...: make a new repository private; an existing "
           "one has to be private already", bool, default=None)  # fmt: skip
    if overwrite:
        option(parser, "--overwrite", "replace a folder that an earlier run wrote, or a file; on "
               "the Hub, also data of other columns or splits", bool)  # fmt: skip


def output(options: argparse.Namespace) -> Output:
    """Read where a command writes to.

    Example:
        >>> parser = argparse.ArgumentParser()
        >>> add_out(parser)
        >>> output(parser.parse_args(["--out", "hf://datasets/ada/reviews"])).target.name
        'ada/reviews'
        >>> str(output(parser.parse_args(["--out", "ada/reviews"])))
        'ada/reviews'
        >>> output(parser.parse_args(["-o", "reviews.csv"])).kind
        '.csv'
    """
    overwrite = getattr(options, "overwrite", False)
    if "://" in options.out:
        target = writable_id(options.out, "dataset", None)
        return HubOutput(target, options.config_name or "default", options.private, overwrite)
    if options.config_name or options.private:
        raise InputError(
            f"--config-name and --private are for the Hub, but --out {options.out} is a place "
            "here; write hf://datasets/user/name to publish."
        )
    kind = f".{getattr(options, 'format', 'jsonl')}"
    found = file_output(options.out, kind=kind, replace=overwrite)
    if found is None:
        return Path(options.out)
    return found._replace(delimiter=delimiter_kept(options)) if found.kind == ".csv" else found


def folder_output(options: argparse.Namespace) -> FolderOutput:
    """Read where a command writes to whose result is more than rows.

    Example:
        >>> str(folder_output(argparse.Namespace(out="d", config_name=None, private=None)))
        'd'
    """
    out = output(options)
    if isinstance(out, FileOutput):
        raise invalid(
            f"a report, a picture and three splits are written, but --out "
            f"{options.out} is one file; name a folder."
        )
    return out


def refuse_taken(out: Output, *, replace: bool = False) -> None:
    """Raise if an output cannot be written, before any work is done for it."""
    if isinstance(out, HubOutput):
        refuse_unpublishable(out)
    elif isinstance(out, FileOutput):
        refuse_taken_file(out)
    elif replace:
        refuse_foreign_folder(out)
    else:
        refuse_taken_folder(out)


def name_of(out: Output) -> str:
    """Return the name of an output, as the title of its card."""
    if isinstance(out, FileOutput):
        return str(out)
    if isinstance(out, Path):
        return out.absolute().name
    name = out.target.name.split("/")[-1]
    return name if out.config_name == "default" else f"{name} ({out.config_name})"


def written(out: Output) -> str:
    """Say where something was written, and how to load it.

    Example:
        >>> print(written(Path("reviews-cda")))
        Written to reviews-cda. To load it:
        <BLANKLINE>
            from datasets import load_dataset
            dataset = load_dataset('reviews-cda')
    """
    arguments = [repr(str(out))]
    if isinstance(out, FileOutput):
        if out.path is None:
            return "Written to the standard output."
        builder, settings = FORMATS[out.kind]
        arguments = [repr(builder), f"data_files={str(out)!r}", "split='train'"]
        settings = {"sep": out.delimiter} if out.kind == ".csv" else settings
        arguments += [f"{name}={value!r}" for name, value in settings.items() if value != ","]
    if isinstance(out, HubOutput):
        arguments = [repr(out.target.name)]
        arguments += [] if out.config_name == "default" else [repr(out.config_name)]
        arguments += [f"revision={out.target.revision!r}"] if out.target.revision else []
    return (
        f"Written to {out}. To load it:\n\n"
        "    from datasets import load_dataset\n"
        f"    dataset = load_dataset({', '.join(arguments)})"
    )


def write_parquet(dataset: Dataset, folder: Path, split: str) -> None:
    """Write one split as Parquet files the way the Hub names them, with its features."""
    (folder / "data").mkdir(exist_ok=True)
    shards = max(1, ceil(dataset.data.nbytes / _SHARD_BYTES))
    for number in range(shards):
        shard = dataset.shard(shards, number, contiguous=True)
        arrow.write_parquet(
            shard, folder / "data" / f"{split}-{number:05d}-of-{shards:05d}.parquet"
        )


@dataclass(frozen=True)
class Draft:
    """What is written, until all went well."""

    folder: Path
    file: FileOutput | None = None

    def gather(self, features: Mapping[str, Features]) -> None:
        """Write the one file, if there is one, from the Parquet files of its one split."""
        for split, columns in features.items():
            if self.file is not None:
                write_file(rows_of(self.folder, split, columns), self.file, self.folder)

    def write_files(self, files: Mapping[str, Path]) -> None:
        """Write what lies beside the rows, such as lexicons; a single file has nothing beside."""
        for name, file in files.items() if self.file is None else ():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, self.folder / name)

    def write_card(self, text: str) -> None:
        """Write the card; a single file has none."""
        if self.file is None:
            # A name that is not UTF-8 on the disk is written with its bytes escaped.
            card = self.folder / "README.md"
            with naming(card):
                card.write_text(text, encoding="utf-8", errors="backslashreplace")


@contextmanager
def work_folder(options: argparse.Namespace, out: Output) -> Iterator[Path]:
    """Give the work folder; if the command ends early, tell that it is kept.

    Yields:
        `work`, or OUT.work; for a dataset of the Hub that is USER-NAME.work here, and for the
        standard output standard-output.work. It need not be there.
    """
    work: Path = options.work or work_of(out)
    place = work.resolve()
    if isinstance(out, Path) and place.is_relative_to(out.resolve()):
        raise InputError(
            f"The work folder {work} lies in the output folder, which must be empty; choose "
            "another --work."
        )
    if place.exists() and not place.is_dir():
        raise InputError(f"The work folder {work} is a file; choose another --work.")
    source = Path(options.input)
    if source.is_dir() and place.is_relative_to(source.resolve()):
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
    """Say what a command that ended early leaves."""
    return f"what is finished is kept in {work}, and the same command goes on from there"


def work_of(out: Output) -> Path:
    """Return the work folder of an output: what is finished of it is kept there.

    Example:
        >>> str(work_of(Path("reviews-cda")))
        'reviews-cda.work'
    """
    if isinstance(out, HubOutput):
        config = [] if out.config_name == "default" else out.config_name.split()
        name = "-".join([*out.target.name.split("/"), *config])
        place = (Path() if os.access(".", os.W_OK) else Path(gettempdir())) / name
    elif isinstance(out, FileOutput):
        place = out.path or Path("standard-output")
    else:
        place = out
    return work_beside(place)
