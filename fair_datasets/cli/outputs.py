"""Writing a dataset, here or to the Hub, as Parquet files that are there whole or not at all."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from fair_datasets import interrupts
from fair_datasets.checks import InputError
from fair_datasets.cli.folders import new_folder, refuse_taken_folder
from fair_datasets.hub import HubId, push_dataset
from fair_datasets.hub.errors import require_token, told
from fair_datasets.hub.ids import writable_id
from fair_datasets.hub.repositories import api, page

if TYPE_CHECKING:
    from datasets import Dataset

_SHARD_BYTES = 500_000_000


class HubOutput(NamedTuple):
    """A configuration of a dataset of the Hub that is to be written.

    Attributes:
        target: The repository, and its branch.
        config_name: The configuration.
        private: Whether a new repository is private; None for what is usual for its owner.
    """

    target: HubId
    config_name: str
    private: bool | None

    def __str__(self) -> str:
        """Return the address of its page."""
        return page(self.target)


Output = Path | HubOutput


class UploadInterrupted(KeyboardInterrupt):
    """An interrupt while something was sent to the Hub, a part of which may be there."""


def add_out(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the place that is written.

    Args:
        parser: The parser that gets the arguments.
        required: Whether it must be given.
    """
    parser.add_argument(
        "--out",
        metavar="DIR",
        required=required,
        help="the folder to write; or hf://datasets/user/name to publish on the Hub instead (a "
        "plain user/name is always a folder here, so that nothing is published by accident)",
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


def output(options: argparse.Namespace) -> Output:
    """Read where a command writes to.

    Args:
        options: The parsed arguments of `add_out`.

    Returns:
        The folder, or the configuration of a dataset of the Hub.

    Raises:
        InputError: The address names no dataset of a user, or an option of the Hub is given with
            a folder.

    Example:
        >>> parser = argparse.ArgumentParser()
        >>> add_out(parser)
        >>> output(parser.parse_args(["--out", "hf://datasets/ada/reviews"])).target.name
        'ada/reviews'
        >>> str(output(parser.parse_args(["--out", "ada/reviews"])))
        'ada/reviews'
    """
    if "://" in options.out:
        target = writable_id(options.out, "dataset", None)
        return HubOutput(target, options.config_name or "default", options.private)
    if options.config_name or options.private:
        raise InputError(
            f"--config-name and --private are for the Hub, but --out {options.out} is a folder "
            "here; write hf://datasets/user/name to publish."
        )
    return Path(options.out)


def refuse_taken(out: Output) -> None:
    """Raise if an output cannot be written, before any work is done for it.

    Args:
        out: What is to be written.

    Raises:
        InputError: The folder is a file, lies in one, or is not empty; or the Hub does not accept
            the token or the names.
    """
    if isinstance(out, Path):
        refuse_taken_folder(out)
        return
    from datasets import Dataset

    require_token()
    with told(out.target):
        api().whoami()
    # It looks at the names before it sends anything.
    nothing = Dataset.from_dict({"text": []})
    push_dataset(nothing, out.target.name, config_name=out.config_name, dry_run=True)


@contextmanager
def whole_folder(out: Output, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder to write to, which becomes the output when all went well.

    Args:
        out: The output folder, or the configuration of a dataset of the Hub.
        replace: Whether a folder that lies there is replaced.

    Yields:
        A hidden folder beside the output folder, or a temporary one, from which its splits and
        its card are pushed. It is removed if anything fails, an interrupt included.

    Raises:
        InputError: Something lies there already and is not to be replaced, or the Hub refused.
    """
    if isinstance(out, Path):
        with new_folder(out, replace=replace) as folder:
            yield folder
            interrupts.obey()
        return
    with TemporaryDirectory(prefix="fair-datasets-") as place:
        folder = Path(place) / "dataset"
        folder.mkdir()
        yield folder
        interrupts.obey()
        _publish(folder, out, Path(place) / "cache")


def name_of(out: Output) -> str:
    """Return the name of an output, as the title of its card.

    Args:
        out: The output.

    Returns:
        The name of the folder; or that of the dataset, with the configuration if it has a name.
    """
    if isinstance(out, Path):
        return out.absolute().name
    name = out.target.name.split("/")[-1]
    return name if out.config_name == "default" else f"{name} ({out.config_name})"


def written(out: Output) -> str:
    """Say where something was written, and how to load it.

    Args:
        out: The output.

    Returns:
        Lines of text and of Python code.

    Example:
        >>> print(written(Path("reviews-cda")))
        Written to reviews-cda. To load it:
        <BLANKLINE>
            from datasets import load_dataset
            dataset = load_dataset('reviews-cda')
    """
    arguments = [repr(str(out))]
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
        dataset: The rows.
        folder: The folder of the whole dataset; the files go to its `data` folder.
        split: The split's name.
    """
    (folder / "data").mkdir(exist_ok=True)
    count = max(1, ceil(dataset.data.nbytes / _SHARD_BYTES))
    for number in range(count):
        shard = dataset.shard(count, number, contiguous=True)
        shard.to_parquet(str(folder / "data" / f"{split}-{number:05d}-of-{count:05d}.parquet"))


@contextmanager
def uploading() -> Iterator[None]:
    """Tell an interrupt while something is sent from one before anything was.

    Yields:
        Nothing.

    Raises:
        UploadInterrupted: The upload was interrupted.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise UploadInterrupted(*interrupt.args) from interrupt


def _publish(folder: Path, out: HubOutput, cache: Path) -> None:
    """Push the splits and the card of a folder."""
    from datasets import Dataset, DatasetDict

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
            private=out.private,
            revision=out.target.revision,
        )


def _usual_place(split: str) -> tuple[int, str]:
    """Return what sorts the names of splits as they are usually listed."""
    usual = ("train", "validation", "test")
    return (usual.index(split) if split in usual else len(usual), split)
