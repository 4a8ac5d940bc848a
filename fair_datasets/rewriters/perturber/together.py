"""Putting perturbed snippets together, with what is said of them and of their row."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from fair_datasets.cards.outcomes import FAULT, MENDED, REASON, STATUS
from fair_datasets.rewriters.perturber.pairs import Pair
from fair_datasets.rewriters.perturber.rows import Perturbed
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.rewriting import Counterfactual, Edit
from fair_datasets.swap.rewriting.counterfactuals import apply_edits

_DRAWN = {"word": "string", "axis": "string", "source_attribute": "string",
          "target_attribute": "string", "changed": "bool", "left": "string"}  # fmt: skip
_TOLD = (STATUS, FAULT, REASON)


def said_of_snippet(told: Mapping[str, str]) -> dict[str, str]:
    """Name what the column `perturbations` says of a snippet.

    Args:
        told: The columns that say what happened to a row, if there are any.
    """
    return {**_DRAWN, **{name: told[name] for name in _TOLD if told}}


def put_together(row: Row, found: Sequence[tuple[Pair, Perturbed]]) -> Counterfactual:
    """Put the snippets of a row together, and say what happened to them and to it.

    Args:
        found: For each snippet that has candidates what was drawn, and what it is rewritten to.

    Returns:
        The texts, with what the columns say; where nothing changes, the row's own texts.
    """
    is_null = any(new.edits is None for _, new in found)
    edits: list[list[Edit]] = [[] for _ in row]
    said = []
    for pair, new in found:
        changes = [] if is_null or new.edits is None else new.edits
        for own, more in zip(edits, changes, strict=False):
            own += more
        outcome = {name: new.outcome[name] for name in _TOLD if new.outcome}
        said.append({**_stated(pair), "changed": any(changes), "left": new.left, **outcome})
    made = list(map(_in_order, edits))
    texts = (text and apply_edits(text, own) for text, own in zip(row, made, strict=True))
    log = {"perturbed": any(made), "perturbations": said, **_outcome_of_row(found)}
    return Counterfactual((None,) * len(row) if is_null else tuple(texts), made, log=log)


def _outcome_of_row(found: Sequence[tuple[Pair, Perturbed]]) -> Mapping[str, Any]:
    """Say of a row what happened to the first of its snippets that fell back, if any did."""
    outcomes = [new.outcome for _, new in found if new.outcome]
    if not outcomes:
        return {}
    first = next((own for own in outcomes if own[FAULT] is not None), outcomes[0])
    return {**first, MENDED: sum(own[MENDED] for own in outcomes)}


def _stated(pair: Pair) -> dict[str, str]:
    """State what was drawn."""
    names = ("word", "axis", "source_attribute", "target_attribute")
    return dict(zip(names, pair, strict=True))


def _in_order(edits: Sequence[Edit]) -> list[Edit]:
    """Put the edits of several snippets in the order of the text, each place edited once.

    What agrees with a word (an article, a verb) may stand in the snippet beside its own.
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=attrgetter("start")):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept
