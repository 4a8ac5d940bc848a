"""Perturbing a snippet by the swap: the rewriter of Algorithm 1 that needs no model."""

from collections.abc import Sequence

from fair_datasets.matching.mentions import Mention
from fair_datasets.perturber.rows import Drawn
from fair_datasets.rewriting import Edit
from fair_datasets.swap.rewrite import swap_mentions


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
    edits: list[list[Edit]] = [[] for _ in drawn.row]
    is_moved = False
    for piece in drawn.snippet:
        place = piece.place
        reading = drawn.readings[place]
        if reading is None:
            continue
        tokens = reading.tokens
        mentions = _of_one_attribute(drawn.mentions(piece), pair.source)
        axes = {mention.term.axis for mention in mentions}
        targets = {(axis, pair.source): pair.target for axis in axes}
        edits[place] = swap_mentions(reading._replace(mentions=mentions), targets, pronouns)
        spans = {
            (tokens.starts[m.first], tokens.end(m.last))
            for m in mentions
            if m.term.attribute == pair.source
            and tokens.text[tokens.starts[m.first] : tokens.end(m.last)].lower() == pair.word
        }
        is_moved = is_moved or any(
            edit.start <= first and last <= edit.end
            for edit in edits[place]
            for first, last in spans
        )
    return edits if is_moved else [[] for _ in drawn.row]


def _of_one_attribute(mentions: Sequence[Mention], attribute: str) -> list[Mention]:
    """Leave out what else a plain list says of the words that it has for an attribute."""
    taken = {mention.first for mention in mentions if mention.term.attribute == attribute}
    return [m for m in mentions if m.term.attribute == attribute or m.first not in taken]
