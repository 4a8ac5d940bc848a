"""A text's counterfactual, and what was done with each of its terms."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from settings import Settings

from fair_datasets import InputError, find_terms
from fair_datasets.reader import FoundTerm

MAX_CHARACTERS = 5_000


class Verdict(NamedTuple):
    """What was done with a term or a candidate.

    Attributes:
        words: The words.
        place: Where they begin and end in the text, in characters.
        axis: The axis.
        attribute: What they were read as; empty where they were left alone.
        done: What was done with them, or why they were left alone.
        is_rewritten: Whether they were rewritten.
    """

    words: str
    place: tuple[int, int]
    axis: str
    attribute: str
    done: str
    is_rewritten: bool


class Rewriting(NamedTuple):
    """A text's counterfactual.

    Attributes:
        before: The text.
        after: The counterfactual, without any marks.
        pieces: Its pieces in order, each with what stood there before, or None where nothing
            changed.
        verdicts: What was done with each term and candidate, in the order of the text.
    """

    before: str
    after: str
    pieces: list[tuple[str, str | None]]
    verdicts: list[Verdict]


def rewrite(text: str, settings: Settings) -> Rewriting:
    """Rewrite a text, and say what was done with each term.

    Args:
        text: The text.
        settings: What is rewritten, and to what.

    Returns:
        The counterfactual.

    Raises:
        InputError: The text is empty or too long.
    """
    if not text or not text.strip():
        raise InputError("There is no text yet; type or paste one.")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"The text has {len(text):,} characters, and this page takes {MAX_CHARACTERS:,}; "
            "shorten it, or install fair-datasets for texts of any length."
        )
    # Half of a letter, which JSON can hold, is no text that could be sent back.
    text = text.encode("utf-8", "replace").decode("utf-8")
    swap = settings.swap("text", mode="replace", provenance=True)
    result = swap({"text": [text]})
    edits = result["edits"][0]
    verdicts = _verdicts(text, settings, swap.protect, edits)
    return Rewriting(text, result["text"][0], _pieces(text, edits), verdicts)


def _pieces(text: str, edits: Sequence[dict[str, Any]]) -> list[tuple[str, str | None]]:
    """Take the counterfactual apart into what changed and what did not."""
    pieces: list[tuple[str, str | None]] = []
    position = 0
    for edit in edits:
        pieces.append((text[position : edit["start"]], None))
        # An edit that only removes or only adds has to be seen, too.
        pieces.append((edit["after"] or "∅", f"was “{edit['before']}”"))
        position = edit["end"]
    pieces.append((text[position:], None))
    return [piece for piece in pieces if piece[0]]


def _verdicts(
    text: str, settings: Settings, protect: tuple[str, ...] | str, edits: Sequence[dict[str, Any]]
) -> list[Verdict]:
    """Return what was done with each term and each candidate, or why it was left alone."""
    verdicts = []
    for axis in settings.axes:
        terms = find_terms(text, axis, names=settings.names, protect=protect)
        verdicts += [_verdict(term, settings, edits) for term in terms]
    # An edit without a term of its own agrees with another: a verb, or "a" that became "an".
    spans = [verdict.place for verdict in verdicts]
    for edit in edits:
        if not any(start < edit["end"] and edit["start"] < end for start, end in spans):
            place = (edit["start"], edit["end"])
            done = f"rewritten to “{edit['after']}”, to agree with another word"
            verdicts.append(Verdict(edit["before"], place, edit["axis"], "", done, True))
    return sorted(verdicts, key=lambda verdict: verdict.place)


def _verdict(term: FoundTerm, settings: Settings, edits: Sequence[dict[str, Any]]) -> Verdict:
    """Return what was done with a term."""
    here = [e for e in edits if e["start"] < term.end and term.start < e["end"]]
    new = [edit["after"] for edit in here if edit["axis"] == term.axis]
    if new and not term.reason:
        done = f"rewritten to “{' '.join(new)}”"
    elif term.reason:
        done = f"left alone: {term.reason}"
    elif here:
        done = f"left alone: it was rewritten along {here[0]['axis']}"
    elif term.attribute in settings.targets:
        done = "left alone: it says that already"
    else:
        done = "left alone: it has no counterpart for this target"
    place = (term.start, term.end)
    is_rewritten = done.startswith("rewritten")
    return Verdict(term.text, place, term.axis, term.attribute, done, is_rewritten)
