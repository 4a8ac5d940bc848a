"""Perturbing a snippet by the swap: the rewriter of Algorithm 1 that needs no model."""

from collections.abc import Sequence

from fair_datasets.matching.found import Mention, Reading
from fair_datasets.perturber.pairs import Pair
from fair_datasets.perturber.rows import Drawn
from fair_datasets.rewriting import Edit
from fair_datasets.swap.rewrite import swap_row


def perturb_by_swap(drawn: Drawn, pronouns: str) -> list[list[Edit]]:
    """Write the chain of the drawn word for the drawn attribute, in its snippet alone.

    Without a model that tells people apart, the chain is taken to be all candidates of the snippet
    with the word's attribute: another person of that attribute moves along.

    Args:
        drawn: The snippet, and what was drawn.
        pronouns: The pronoun set that is written for people who are neither men nor women.

    Returns:
        For each text of the row its edits, in the order of the text; none where the drawn word
        itself has no form for the attribute.
    """
    pair = drawn.pair
    pieces = {piece.place: piece for piece in drawn.snippet}
    theirs = [
        reading
        and reading._replace(
            mentions=_of_one_attribute(drawn.mentions(pieces[place]), pair.source)
            if place in pieces
            else []
        )
        for place, reading in enumerate(drawn.readings)
    ]
    found = [m for reading in theirs if reading for m in reading.mentions]
    targets = {(m.term.axis, pair.source): pair.target for m in found}
    edits = swap_row(theirs, targets, pronouns)
    is_moved = any(
        _is_moved(mention, reading, own, pair)
        for reading, own in zip(theirs, edits, strict=True)
        if reading
        for mention in reading.mentions
    )
    return edits if is_moved else [[] for _ in drawn.row]


def _is_moved(mention: Mention, reading: Reading, edits: Sequence[Edit], pair: Pair) -> bool:
    """Tell whether a mention is by the drawn word, and rewritten."""
    tokens = reading.tokens
    first, last = tokens.starts[mention.first], tokens.end(mention.last)
    is_drawn = (
        mention.term.attribute == pair.source and tokens.text[first:last].lower() == pair.word
    )
    return is_drawn and any(edit.start <= first and last <= edit.end for edit in edits)


def _of_one_attribute(mentions: Sequence[Mention], attribute: str) -> list[Mention]:
    """Leave out what else a plain list says of the words that it has for an attribute."""
    taken = {mention.first for mention in mentions if mention.term.attribute == attribute}
    return [m for m in mentions if m.term.attribute == attribute or m.first not in taken]
