"""What a dataset is made from, as its card states it."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from datasets import Dataset

from fair_datasets.cards import carried_over
from fair_datasets.cards.markdown import card_parts
from fair_datasets.cards.statements import licence_lines
from fair_datasets.cli.groups import Input
from fair_datasets.cli.inputs import (
    find_on_hub,
    is_in_place,
    is_on_hub,
    load_given,
    refuse_unloadable,
    rows_in_place,
)
from fair_datasets.cli.outputs import HubOutput, Output
from fair_datasets.hub import HubId
from fair_datasets.hub.repositories import translate_hub_errors
from fair_datasets.jobs.parquet import parquet_splits, refuse_inside
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.portable import strip_folders

_WARNING = "> **Warning.** "


class Source(NamedTuple):
    """What a dataset is made from.

    Attributes:
        name: The path, or several; or the Hub id, with the commit that it is read at.
        metadata: What the card of the new dataset takes over: its licence above all.
        dialect: The delimiter and the encoding that were given.
    """

    name: str
    metadata: Mapping[str, Any]
    target: HubId | None = None
    private: bool = False
    files: tuple[str, ...] = ()
    card: str = ""
    dialect: Mapping[str, str | None] = MappingProxyType({})

    @property
    def shown(self) -> str:
        """The name as a card states it: without the folders of this machine."""
        return ", ".join(self.names)

    @property
    def names(self) -> list[str]:
        """What it consists of, as metadata state it: without the folders of this machine."""
        return [self.name] if self.target else list(map(strip_folders, self.files))

    @property
    def places(self) -> list[str]:
        """What `load_input` reads it from."""
        return [self.name] if self.target else list(self.files)

    def reading(
        self,
        columns: Sequence[str],
        split: str | None,
        config: str | None,
        limit: int | None = None,
    ) -> list[str]:
        """Write the code that reads it as the command did, for a card."""
        if is_in_place(self.files) and limit is None:
            files = self.names if len(self.names) > 1 else self.names[0]
            call = f"load_dataset('parquet', data_files={files!r})"
            call += f"[{split!r}]" if split else ""
            return ["from datasets import load_dataset", "", f"dataset = {call}"]
        if self.target is None or limit is not None:
            place = self.names if len(self.names) > 1 else self.names[0]
            call = f"load_input({place!r}, {list(columns)!r}, {split!r}"
            call += f", config={config!r}" if config else ""
            call += f", limit={limit}" if limit is not None else ""
            given = (f", {name}={value!r}" for name, value in self.dialect.items() if value)
            call += f"{''.join(given)})"
            return ["from fair_datasets.cli.inputs import load_input", "", f"dataset = {call}"]
        function, place = ("load_dataset", "datasets")
        named = [repr(self.target.name), *([repr(config)] if config else [])]
        named.append(f"revision={self.name.partition('@')[2]!r}")
        if self.target.path:
            function, place = ("pull_dataset", "fair_datasets.hub")
            named = [repr(self.name), *([repr(config)] if config else [])]
        named += [f"split={split!r}"] if split else []
        call = f"{function}({', '.join(named)})"
        return [f"from {place} import {function}", "", f"dataset = {call}"]


def source_of(*places: str, licence: str | None = None) -> Source:
    """Find out what a command reads.

    Example:
        >>> source_of("reviews.csv", licence="mit").metadata
        {'license': 'mit'}
    """
    stated = {} if licence is None else {"license": licence}
    place = ", ".join(places)
    if len(places) > 1 or not is_on_hub(place):
        beside = Path(place, "README.md")
        card = card_in(beside if len(places) == 1 and beside.is_file() else None)
        metadata = carried_over(card_parts(card)[0])
        _refuse_other_licence(metadata, place, licence)
        return Source(place, metadata | stated, files=places, card=card)
    repository = find_on_hub(place)
    target = repository.target
    with translate_hub_errors(target):
        card = repository.card()
        metadata = carried_over(card_parts(card)[0])
    _refuse_other_licence(metadata, target.name, licence)
    name = f"{target.name}@{repository.commit}"
    address = f"hf://datasets/{name}/{target.path}" if target.path else name
    metadata |= {**stated, "source_datasets": [target.name]}
    return Source(address, metadata, target, repository.private, card=card)


def card_in(file: Path | None) -> str:
    """Read the card of a folder here, such as a pulled one; nothing where there is none."""
    try:
        return file.read_text(encoding="utf-8") if file is not None else ""
    except (OSError, ValueError) as error:
        raise InputError(
            f"The card {file} cannot be read ({error}); repair it, or check the path."
        ) from error


def _refuse_other_licence(metadata: Mapping[str, Any], name: str, licence: str | None) -> None:
    """Raise if the user states another licence than the card does."""
    if licence and metadata.get("license", licence) != licence:
        raise InputError(
            f"The card of {name} states the licence {metadata['license']!r}, and not "
            f"{licence!r}; leave out --licence."
        )


def read_rows(
    options: Input,
    out: Output,
    columns: Sequence[str],
    *,
    split: str | None = None,
    in_place: bool = False,
) -> tuple[Source, str | None, Mapping[str, Dataset]]:
    """Read what a command is given, once it is sure that the result may go where it is to.

    Args:
        in_place: Whether the command can do with `ParquetRows`, where Parquet files are named by a
            pattern or an address, or one is that nothing reads as a whole.

    Returns:
        The source, the configuration that was read, and split name to rows.
    """
    refuse_same_place(options, out)
    licence = getattr(options, "licence", None)
    source = source_of(*options.inputs, licence=licence)._replace(dialect=options.dialect)
    _check_publishing(source, out)
    if in_place and is_in_place(options.inputs):
        if out.folder:
            refuse_inside(options.inputs, out.folder)
        parquet_rows: Any = rows_in_place(options, split)
        return source, None, parquet_rows
    if in_place and _is_read_by_shards(options):
        splits: Any = {"train": parquet_splits(options.input).popitem()[1]}
    else:
        splits = load_given(options, columns, split, places=source.places)
    refuse_unloadable(options.input, splits)
    if out.file:
        features = {name: rows.features for name, rows in splits.items()}
        out.refuse_unwritable(features, options.input, {})
    config = _configuration_of(source, options.config, splits)
    refuse_replacing(source, config, out)
    return source, config, splits


def _is_read_by_shards(options: Input) -> bool:
    """Whether a command reads one Parquet file, and never all of its rows at once."""
    place = Path(options.input)
    names = ("split", "config", "limit", "test_size", "audit")
    given = [getattr(options, name, None) for name in names]
    is_one = len(options.inputs) == 1 and place.suffix == ".parquet" and place.is_file()
    return is_one and not any(options.dialect.values()) and all(each is None for each in given)


def refuse_same_place(options: Input, out: Output) -> None:
    """Raise if something would be replaced by what is made from it, or become a part of it."""
    for source in options.inputs:
        if out.path is None or is_on_hub(source):
            continue
        read, written_to = Path(source).resolve(), out.path.resolve()
        is_same = read == written_to or (
            read.is_file() and written_to.is_file() and read.samefile(written_to)
        )
        if is_same or written_to in read.parents:
            raise invalid(
                f"{source} would be replaced by what is made from it; give another --out."
            )
        if out.file and read.is_dir() and read in written_to.parents:
            raise invalid(
                f"{out} lies in {source}, and would be read as a part of it "
                "the next time; give another --out."
            )


def _check_publishing(source: Source, out: Output) -> None:
    """Raise unless what is made from a source may go where it is to; warn of its licence."""
    for line in licence_lines(source.metadata, kind="dataset"):
        if line.startswith(_WARNING):
            print(f"fair-datasets: {line.removeprefix(_WARNING)}", file=sys.stderr)
    is_published = isinstance(out, HubOutput) and not out.private
    if source.target and source.private and is_published:
        raise InputError(
            f"The dataset {source.target.name} is private, and what is made from it would be "
            "public; add --private."
        )


def _configuration_of(
    source: Source, asked: str | None, splits: Mapping[str, Dataset]
) -> str | None:
    """Return the configuration that was read, also where it was the only one."""
    if source.target is None or source.target.path:
        return asked
    name = next(iter(splits.values())).config_name
    return None if name == "default" else name


def refuse_replacing(source: Source, config: str | None, out: Output) -> None:
    """Raise if a dataset would be replaced by what is made from it."""
    read = source.target
    if read is None or not isinstance(out, HubOutput) or out.target.name != read.name:
        return
    folder = read.path.split("/")[0]
    names = {"data": "default", "": config or "default"}
    is_same_branch = out.target.revision in (None, "main", read.revision)
    if is_same_branch and names.get(folder, folder) == out.config_name:
        raise InputError(
            f"The configuration {out.config_name!r} of {read.name} would be replaced by what is "
            "made from it; give another --config-name, such as cda."
        )
