"""A text's counterfactual, and what was done with each of its terms."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from fair_datasets import CounterfactualSwap, InputError, find_terms, load_lexicon

MAX_CHARACTERS = 5_000


class Rewriting(NamedTuple):
    """A text's counterfactual.

    Attributes:
        pieces: Its pieces in order, each with what stood there before, or None where nothing
            changed.
        verdicts: For each term or candidate, the words and what was done with them.
    """

    pieces: list[tuple[str, str | None]]
    verdicts: list[list[str]]


def target_choices(axis: str) -> list[tuple[str, str]]:
    """List the targets of an axis.

    Args:
        axis: The demographic axis.

    Returns:
        Pairs of what is shown and of the target; the first leaves the choice to each term.
    """
    lexicon = load_lexicon(axis)
    free = "each term's counterpart" if lexicon.counterparts else "another group, drawn per text"
    return [(free, ""), *((name, name) for name in lexicon.attributes)]


def rewrite(text: str, axis: str, target: str) -> Rewriting:
    """Rewrite a text, and say what was done with each term.

    Args:
        text: The text.
        axis: The demographic axis.
        target: The attribute that its terms are rewritten to; empty for their counterparts.

    Returns:
        The counterfactual.

    Raises:
        InputError: The text is empty or too long, or there is no such axis or target.
    """
    if not text or not text.strip():
        raise InputError("There is no text yet; type or paste one.")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"The text has {len(text):,} characters, and this page takes {MAX_CHARACTERS:,}; "
            "shorten it, or install fair-datasets for texts of any length."
        )
    swap = CounterfactualSwap(
        columns="text", axis=axis, target=target or None, mode="replace", provenance=True
    )
    edits = swap({"text": [text]})["edits"][0]
    pieces: list[tuple[str, str | None]] = []
    position = 0
    for edit in edits:
        pieces.append((text[position : edit["start"]], None))
        # An edit that only removes or only adds has to be seen, too.
        pieces.append((edit["after"] or "∅", f"was “{edit['before']}”"))
        position = edit["end"]
    pieces.append((text[position:], None))
    return Rewriting([piece for piece in pieces if piece[0]], _verdicts(text, axis, target, edits))


def _verdicts(
    text: str, axis: str, target: str, edits: Sequence[dict[str, Any]]
) -> list[list[str]]:
    """Say of each term and each candidate what was done with it, or why it was left alone."""
    verdicts = []
    for term in find_terms(text, axis):
        new = [e["after"] for e in edits if e["start"] < term.end and term.start < e["end"]]
        if new:
            done = f"rewritten to “{' '.join(new)}”"
        elif term.reason:
            done = f"left alone: {term.reason}"
        elif term.attribute == target:
            done = "left alone: it says that already"
        else:
            done = "left alone: it has no counterpart for this target"
        verdicts.append([term.text, term.attribute or "–", done])
    return verdicts
