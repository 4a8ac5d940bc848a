"""Splits that `load_dataset` could not open again are told before any work is done."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


def refuse_unloadable(place: str, splits: "Mapping[str, Dataset]") -> None:
    """Raise if `load_dataset` could not open what is made of splits, as it opens them together.

    Raises:
        InputError: A split has no rows, or other columns than another.
    """
    names = list(splits)
    first = splits[names[0]].features
    for name, rows in splits.items():
        others = [each for each in names if each != name]
        if not len(rows):
            more = f" in it; give the others alone ({', '.join(others)})" if others else ""
            raise InputError(f"{place} (split {name}) has no rows; there is nothing to do{more}.")
        if rows.features != first:
            told = [each for each in {**first, **rows.features}
                    if first.get(each) != rows.features.get(each)]  # fmt: skip
            raise InputError(
                f"{place}: the splits {names[0]!r} and {name!r} differ in "
                f"{', '.join(map(repr, told)) or 'the order of their columns'}, and load_dataset "
                "opens splits of the same columns and types only; give them one by one, or make "
                "them alike."
            )


def refuse_empty_saved(folder: Path) -> None:
    """Raise if a split that `save_to_disk` wrote has no rows, which datasets cannot read.

    Raises:
        InputError: A split has no rows.
    """
    found = [folder / "state.json", *sorted(folder.glob("*/state.json"))]
    states = {state.parent: state for state in found if state.is_file()}
    empty = [place for place, state in states.items() if not _has_files(state)]
    for place in empty:
        others = [str(each) for each in states if each not in empty]
        where = f" (split {place.name})" if place != folder else ""
        more = f" in it; give the others alone ({', '.join(others)})" if others else ""
        raise InputError(f"{folder}{where} has no rows; there is nothing to do{more}.")


def _has_files(state: Path) -> bool:
    """Tell whether a saved split has rows, by what datasets says of it; it does if nobody knows."""
    try:
        found = json.loads(state.read_text("utf-8"))
    except (OSError, ValueError):
        return True
    return not isinstance(found, dict) or found.get("_data_files") != []
