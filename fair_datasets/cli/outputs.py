"""Where a command writes to."""

import argparse
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.cli.file_outputs import (
    FileOutput,
    file_output,
    refuse_taken_file,
)
from fair_datasets.cli.files import FORMATS
from fair_datasets.cli.folders import refuse_foreign_folder, refuse_taken_folder
from fair_datasets.cli.publishing import HubOutput, refuse_unpublishable
from fair_datasets.cli.row_files import ROW_FORMATS
from fair_datasets.hub.ids import writable_id
from fair_datasets.rows import parquet
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

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
    """Add the place that is written.

    Args:
        required: Whether it must be given.
    """
    file = (
        f"; one file without a card where it ends in {', '.join(ROW_FORMATS)} (also with .gz, .bz2 "
        "or .xz); - for the standard output, while messages go to the standard error"
    )
    parser.add_argument(
        "--out",
        metavar="PLACE" if files else "DIR",
        required=required,
        help=f"the folder to write{file if files else ''}; or hf://datasets/user/name to publish "
        "on the Hub instead (a plain user/name is always a folder here, so that nothing is "
        "published by accident)",
    )
    parser.add_argument(
        "--config-name",
        metavar="NAME",
        help="with --out hf://...: which configuration to write, such as cda or cds (default: "
        "default); the others stay",
    )
    parser.add_argument(
        "--private",
        action="store_true",
        default=None,
        help="with --out hf://...: make a new repository private; an existing one has to be "
        "private already",
    )
    if overwrite:
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="replace a folder that an earlier run wrote, or a file; on the Hub, also data of "
            "other columns or splits",
        )


def output(options: argparse.Namespace) -> Output:
    """Read where a command writes to.

    Args:
        options: The parsed arguments of `add_out`.

    Returns:
        The folder, the file, or the configuration of a dataset of the Hub.

    Raises:
        InputError: The address names no dataset of a user, the file has an ending that is not
            written, or an option of the Hub is given with a place here.

    Example:
        >>> parser = argparse.ArgumentParser()
        >>> add_out(parser)
        >>> output(parser.parse_args(["--out", "hf://datasets/ada/reviews"])).target.name
        'ada/reviews'
        >>> str(output(parser.parse_args(["--out", "ada/reviews"])))
        'ada/reviews'
        >>> output(parser.parse_args(["--out", "reviews.csv"])).kind
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
    return file_output(options.out, kind=kind, replace=overwrite) or Path(options.out)


def folder_output(options: argparse.Namespace) -> FolderOutput:
    """Read where a command writes to whose result is more than rows.

    Args:
        options: The parsed arguments of `add_out`.

    Returns:
        The folder, or the configuration of a dataset of the Hub.

    Raises:
        InputError: It is a file; or as for `output`.

    Example:
        >>> str(folder_output(argparse.Namespace(out="d", config_name=None, private=None)))
        'd'
    """
    out = output(options)
    if isinstance(out, FileOutput):
        raise InputError(
            f"{options.command}: a report, a picture and three splits are written, but --out "
            f"{options.out} is one file; name a folder."
        )
    return out


def refuse_taken(out: Output, *, replace: bool = False) -> None:
    """Raise if an output cannot be written, before any work is done for it.

    Args:
        replace: Whether a folder that an earlier run wrote is replaced.

    Raises:
        InputError: The folder is a file, lies in one, or is not empty; the file is there; or the
            Hub would refuse.
    """
    if isinstance(out, HubOutput):
        refuse_unpublishable(out)
    elif isinstance(out, FileOutput):
        refuse_taken_file(out)
    elif replace:
        refuse_foreign_folder(out)
    else:
        refuse_taken_folder(out)


def name_of(out: Output) -> str:
    """Return the name of an output, as the title of its card.

    Returns:
        The name of the folder or the file; or that of the dataset, with the configuration if it
        has a name.
    """
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


def write_parquet(dataset: "Dataset", folder: Path, split: str) -> None:
    """Write one split as Parquet files the way the Hub names them, with its features.

    Args:
        folder: The folder of the whole dataset; the files go to its `data` folder.
    """
    (folder / "data").mkdir(exist_ok=True)
    shards = max(1, ceil(dataset.data.nbytes / _SHARD_BYTES))
    for number in range(shards):
        shard = dataset.shard(shards, number, contiguous=True)
        parquet.write_parquet(
            shard, folder / "data" / f"{split}-{number:05d}-of-{shards:05d}.parquet"
        )
