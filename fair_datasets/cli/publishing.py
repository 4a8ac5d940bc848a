"""Publishing on the Hub what a command made."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards.croissant import NAME
from fair_datasets.hub import HubId, push_dataset
from fair_datasets.hub.dataset import check_push
from fair_datasets.hub.errors import told
from fair_datasets.hub.repositories import page, refuse_metadata
from fair_datasets.hub.splits import refuse_different_columns
from fair_datasets.system.checks import InputError
from fair_datasets.system.configurations import OWN_FILES
from fair_datasets.system.portable import is_published

if TYPE_CHECKING:
    from datasets import Features


class HubOutput(NamedTuple):
    """A configuration of a dataset of the Hub that is to be written.

    Attributes:
        target: The repository, and its branch.
        config_name: The configuration.
        private: Whether a new repository is private; None for what is usual for its owner.
        overwrite: Whether data that are there, and that these do not replace, may be lost.
    """

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
    features: "Mapping[str, Features] | None" = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Raise if the Hub would refuse what is to be published there, or data would be lost.

    Args:
        features: Split name to its features; None if they are not known yet.
        metadata: The metadata of its card, as far as they are known.

    Raises:
        InputError: It would be refused.
    """
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

    Raises:
        InputError: It is no Croissant file.

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
    """Push the splits, the card and the lexicons of a folder.

    Args:
        cache: A folder for what is read meanwhile.

    Raises:
        InputError: The Hub refused.
        UploadInterrupted: The upload was interrupted.
    """
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
