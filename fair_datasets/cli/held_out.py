"""Splits that are not rewritten: those beside the one that is, and test rows that are held out."""

import argparse
import sys
from collections.abc import Mapping, Sequence

from datasets import Dataset, DatasetDict

from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.inputs import is_in_place
from fair_datasets.cli.outputs import Output
from fair_datasets.cli.parsers import option
from fair_datasets.rows.families import family_ids, joined, text_digests
from fair_datasets.selection.splits import divided
from fair_datasets.system.checks import InputError, one_of

TEST = "test"


def add_splits(parser: argparse.ArgumentParser) -> None:
    """Add which rows are rewritten, and which go along as they are."""
    option(
        parser, "--split", "the one split to rewrite; the others are copied, or left out if --out "
        "is one file (default: all are rewritten)",
    )  # fmt: skip
    option(
        parser, "--test-size", "first hold out this share of the rows as the split test, which is "
        "not rewritten; rows with the same id, text or family_id stay together", float,
        metavar="SHARE",
    )  # fmt: skip


def check_splits(options: argparse.Namespace, out: Output | None) -> None:
    """Refuse a share that cannot be held out, and tell of splits that a file does not hold."""
    share = options.test_size
    if share is None:
        if isinstance(out, FileOutput) and options.split is not None:
            print(
                f"fair-datasets: {out} gets the split {options.split!r} alone, because one file "
                "holds one split; a folder named with --out also gets the others, as they are.",
                file=sys.stderr,
            )
        return
    if not 0 < share < 1:
        raise InputError(
            f"{options.command}: --test-size must be a share between 0 and 1, such as 0.2, but it "
            f"is {share:g}."
        )
    if isinstance(out, FileOutput):
        raise InputError(
            f"{options.command}: --test-size makes two splits, which one file cannot hold; name a "
            "folder with --out."
        )
    if is_in_place(options.inputs):
        raise InputError(
            f"{options.command}: --test-size divides all rows at once, but these are read in "
            "place, shard by shard; leave it out, or name files that are here."
        )


def rewritten_splits(
    splits: Mapping[str, Dataset], split: str | None, test_size: float | None, *, source: str
) -> list[str]:
    """Say which splits are rewritten, of those that are read."""
    if split is not None:
        one_of(split, splits, owner=source, parameter="--split")
    names = list(splits) if split is None else [split]
    if test_size is not None:
        if len(names) > 1:
            raise InputError(
                f"{source} has the splits {', '.join(splits)}, but --test-size divides one split; "
                "leave it out, and name the split to rewrite with --split."
            )
        if TEST in splits:
            raise InputError(
                f"{source} has a split {TEST!r} already; leave out --test-size, and name the split "
                "to rewrite with --split."
            )
    return names


def held_out(
    splits: Mapping[str, Dataset],
    split: str,
    share: float,
    *,
    columns: Sequence[str],
    roles: Sequence[str] = (),
    id_column: str | None = None,
    seed: int = 0,
    source: str = "the dataset",
) -> DatasetDict:
    """Hold test rows out of a split, so that rows that belong together stay together.

    Args:
        columns: The text columns: rows of one text are on one side.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains.", "He ran."]})
        >>> found = held_out({"train": rows}, "train", 0.5, columns=["text"])
        >>> sorted(part["text"][:] for part in found.values())
        [['He ran.', 'He ran.'], ['It rains.']]
    """
    rows = splits[split]
    families = family_ids(rows, columns, roles=roles, id_column=id_column, owner=source)
    groups = joined(families, text_digests(rows, columns, roles=roles, owner=source))
    parts = divided(rows, groups.tolist(), {split: 1 - share, TEST: share}, seed=seed)
    for name, part in parts.items():
        if not len(part):
            raise InputError(
                f"{source}: with --test-size {share:g}, {len(rows):,} "
                f"row{'' if len(rows) == 1 else 's'} of {len(set(groups.tolist())):,} families "
                f"leave nothing for {name!r}; change the share, or give more rows."
            )
    return DatasetDict({**splits, **parts})
