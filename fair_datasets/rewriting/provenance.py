"""Tracing a rewritten text: its edits with offsets into both texts, and the way back."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fair_datasets.checks import InputError
from fair_datasets.rewriting.counterfactuals import Counterfactual
from fair_datasets.rewriting.edits import Edit
from fair_datasets.row_texts import RowTexts

PROVENANCE = ("counterfactual", "edits")
_STRINGS = ("before", "after", "axis", "attribute")
_OFFSETS = ("start", "end", "after_start", "after_end")


def trace(column: str, edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """State the edits of a text, with offsets into the text before and the text after.

    Args:
        column: The text's column.
        edits: The edits, in the order of the text.

    Returns:
        For each edit the column, `start` and `end` in the text before, `after_start` and
        `after_end` in the text after, all in characters, and `before`, `after`, `axis` (a lexicon
        of one's own by its name, as where it lies is nobody's business) and `attribute`.
    """
    stated: list[dict[str, Any]] = []
    shift = 0
    for start, end, before, after, axis, attribute in edits:
        begin = start + shift
        stop = begin + len(after)
        stated.append({
            "column": column, "start": start, "end": end, "before": before, "after": after,
            "axis": _axis_name(axis), "attribute": attribute, "after_start": begin,
            "after_end": stop,
        })  # fmt: skip
        shift = stop - end
    return stated


@lru_cache
def _axis_name(axis: str) -> str:
    """Return what an axis is called: a lexicon of one's own by the name of its file."""
    return Path(axis).name.removesuffix(".tsv")


def state_provenance(
    texts: RowTexts, origins: Sequence[int], changed: Mapping[int, Counterfactual]
) -> dict[str, list[Any]]:
    """Write the provenance columns for the rows of a result.

    Args:
        texts: The texts of the rows of the batch.
        origins: The number of the origin of each row of the result.
        changed: The rewritten rows, by their number in the result.

    Returns:
        The columns.

    Example:
        >>> texts = RowTexts.read({"t": ["He"]}, ["t"], owner="CounterfactualSwap")
        >>> new = Counterfactual(("She",), axis="gender", attribute="woman")
        >>> found = state_provenance(texts, [0, 0], {1: new})
        >>> found["counterfactual"], found["edits"][1][0]["after"]
        ([False, True], 'She')
    """
    edits: list[list[dict[str, Any]]] = [[] for _ in origins]
    for number, new in changed.items():
        origin = origins[number]
        found = new.edits_from(texts.rows[origin])
        for label, own in zip(texts.labels(origin), found, strict=True):
            edits[number] += trace(label, own)
    return {
        "counterfactual": [number in changed for number in range(len(origins))],
        "edits": edits,
    }


def provenance_features() -> dict[str, Any]:
    """Return the features of the provenance columns.

    Returns:
        Those of `counterfactual` and `edits`.
    """
    from datasets import List, Value

    edit = {"column": Value("string")}
    edit |= {name: Value("int64") for name in _OFFSETS}
    edit |= {name: Value("string") for name in _STRINGS}
    return {
        "counterfactual": Value("bool"),
        "edits": List(edit),
    }


def undo(text: str, edits: Sequence[Mapping[str, Any]], *, column: str | None = None) -> str:
    """Restore the text that a counterfactual was made from.

    Args:
        text: The text after.
        edits: What the provenance column `edits` holds for its row.
        column: The text's column, where the row has several; None for all edits.

    Returns:
        The text before, exactly.

    Raises:
        InputError: The edits are not those of this text.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
        >>> row = swap({"text": ["She is an actress."]})
        >>> row["text"][0], undo(row["text"][0], row["edits"][0])
        ('He is an actor.', 'She is an actress.')
    """
    _refuse_other_than_edits(text, edits)
    chosen = [edit for edit in edits if column is None or edit["column"] == column]
    if column is None and len({edit["column"] for edit in chosen}) > 1:
        columns = ", ".join(sorted({repr(edit["column"]) for edit in chosen}))
        raise InputError(f"undo: the edits are of several columns ({columns}); name the text's.")
    parts, done = [], 0
    # Of two at one place the first was of a word that is gone.
    for edit in sorted(chosen, key=_start_after):
        start, end = edit["after_start"], edit["after_end"]
        if start < done or text[start:end] != edit["after"]:
            raise InputError(
                f"undo: {edit['after']!r} does not stand at {start} to {end} of the text; give the "
                "edits of its own row, and the text as the technique wrote it."
            )
        parts += [text[done:start], edit["before"]]
        done = end
    return "".join([*parts, text[done:]])


def _refuse_other_than_edits(text: Any, edits: Any) -> None:
    """Raise unless a text and the edits of a row were given."""
    if not isinstance(text, str):
        raise InputError(
            f"undo: the text must be a string, but it is a {type(text).__name__}; give the text as "
            "the technique wrote it."
        )
    needed = ("column", "before", "after", "after_start", "after_end")
    is_list = isinstance(edits, Sequence) and all(isinstance(edit, Mapping) for edit in edits)
    if not is_list or any(name not in edit for edit in edits for name in needed):
        raise InputError(
            f"undo: the edits must be a list of mappings with {', '.join(needed)}, as the column "
            f"'edits' holds them, but they are {edits!r}."
        )


def _start_after(edit: Mapping[str, Any]) -> int:
    """Return where an edit begins in the text after."""
    return int(edit["after_start"])
