"""Croissant files about what lies here, and was not written by a command."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.auditing import Audit
from fair_datasets.auditing.metadata import audit_croissant, synthetic_share
from fair_datasets.cards.croissant import NAME, DataFile, encoding_of, steps_of
from fair_datasets.cards.reproduction import stated_configs
from fair_datasets.cards.stated import fields_of_card
from fair_datasets.cli.files import data_files, is_saved
from fair_datasets.cli.sources import Source
from fair_datasets.hub.merging import card_parts
from fair_datasets.hub.repositories import page
from fair_datasets.technique.digests import file_digest

if TYPE_CHECKING:
    from datasets import Dataset


class Side(NamedTuple):
    """Rows that are audited.

    Attributes:
        options: The arguments that name them.
        settings: What `audit` is told of them.
        splits: Split name to its rows.
        source: What they were read from; None where they came by a pipe, or nobody asks.
    """

    options: argparse.Namespace
    settings: dict[str, Any]
    splits: "Mapping[str, Dataset]"
    source: Source | None


def sides_croissant(
    found: Audit, sides: Sequence[Side], folder: Path, stated: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe what was audited, with what was found.

    Args:
        sides: What was audited; where two are compared, that before and that after.
        stated: What people state of it, besides what its card does.

    Returns:
        The JSON-LD data. Without files where none lie here, or in a format that the reference
        reader does not read.
    """
    first, last = sides[0], sides[-1]
    options, source = last.options, last.source
    given: dict[str, Any] = {}
    if options.against is not None:
        # A row may come from one that was not read.
        columns, roles = last.settings["columns"], last.settings.get("roles", ())
        if columns and options.limit is None and options.split is None:
            given["synthetic_share"] = synthetic_share(first.splits, last.splits, columns, roles)
        given["sources"] = first.source.names if first.source else []
    if options.limit is not None:
        given["limits"] = [f"Of each split, the first {options.limit:,} rows alone were read."]
    if source is not None:
        given["steps"] = steps_of(stated_configs(source.card, options.config))
        stated = {**_stated_of(source), **stated}
    files = {} if source is None else files_of(source, options.config)
    read = {name: own for name, own in files.items() if name in last.splits}
    return audit_croissant(
        found,
        stated=stated,
        files=files_beside(read, folder),
        features=next(iter(last.splits.values())).features,
        **given,
    )


def _stated_of(source: Source) -> dict[str, Any]:
    """Return what the card of a source states, and its address."""
    address = {"url": page(source.target)} if source.target else {}
    return {**address, **fields_of_card(card_parts(source.card)[0])}


def files_of(source: Source, config: str | None) -> dict[str, list[Path]]:
    """Find the data files that a source consists of.

    Args:
        config: The configuration that was read; None for the default.

    Returns:
        Split name to its files; nothing where it is on the Hub, or saved by `save_to_disk`.
    """
    from datasets import load_dataset_builder

    paths = list(map(Path, source.files))
    if not paths or (paths[0].is_dir() and is_saved(paths[0])):
        return {}
    if paths[0].is_dir():
        found = load_dataset_builder(str(paths[0]), config).config.data_files or {}
        return {str(split): list(map(Path, files)) for split, files in found.items()}
    return {"train": [file for path in paths for file in data_files(path)]}


def files_beside(files: Mapping[str, Sequence[Path]], folder: Path) -> list[DataFile]:
    """Describe files by where they lie from a folder on.

    Args:
        folder: The folder; it need not be there.

    Returns:
        The files; one that does not lie in the folder is named by its name alone, as where it lies
        is nobody's business. None if two have one name, or one is in a format that the reference
        reader does not read.
    """
    if not all(encoding_of(file.name) for own in files.values() for file in own):
        return []
    found = [
        DataFile(_place(file, folder), split, file_digest(file), file.stat().st_size)
        for split, own in files.items()
        for file in own
    ]
    return found if len({file.path for file in found}) == len(found) else []


def _place(file: Path, folder: Path) -> str:
    """Return where a file lies in a folder; the name of one that lies elsewhere."""
    own, place = file.resolve(), folder.resolve()
    return own.relative_to(place).as_posix() if own.is_relative_to(place) else own.name


def write_croissant(data: Mapping[str, Any], folder: Path) -> None:
    """Write a Croissant file."""
    (folder / NAME).write_text(f"{json.dumps(data, indent=2)}\n", encoding="utf-8")
