"""Votes: the places of a word propose its counterparts, and the majority wins."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Proposal(NamedTuple):
    """What one place of a word proposes.

    Attributes:
        original: The word.
        counterfactual: What its state became.
        side: The attribute of the place, 0 or 1.
        logit: What the classifier says of it.
    """

    original: str
    counterfactual: str
    side: int
    logit: float


class FoundPair(NamedTuple):
    """A word and what stands in for it where the attribute is exchanged.

    Attributes:
        original: The word.
        counterfactual: Its counterpart; the other way round is a pair of its own.
        side: The attribute of the word, 0 or 1.
        votes: How many places of the word propose it.
        margin: How many more they are than those of the next one.
        places: How many places of the word were asked.
        example: One of them in its text.
    """

    original: str
    counterfactual: str
    side: int
    votes: int
    margin: int
    places: int
    example: str = ""


def count_votes(proposals: Iterable[Proposal], *, mutual: bool = True) -> list[FoundPair]:
    """Choose the counterpart of each word by the majority of its places.

    A word that was kept on both sides is left out. A vote for itself does not count, nor one for a
    word of the same side: the attribute would stay as it is. Equal numbers of votes are decided by
    the sum of the logits without their sign, then by the alphabet.

    Args:
        mutual: Whether a counterpart has to propose the word at least once, too.

    Returns:
        The pairs, those with the most votes first.

    Source:
        Tokpo and Calders (2024), FairFlow, and its code, which asks for mutual proposals.

    Example:
        >>> given = [("king", "queen", 1), ("queen", "king", 0), ("king", "cook", 1)]
        >>> found = count_votes([Proposal(*each, logit=5.0) for each in given])
        >>> [(pair.original, pair.counterfactual, pair.votes, pair.margin) for pair in found]
        [('king', 'queen', 1, 1), ('queen', 'king', 1, 1)]
    """
    given = list(proposals)
    places: dict[str, dict[int, int]] = {}
    for each in given:
        sides = places.setdefault(each.original, {})
        sides[each.side] = sides.get(each.side, 0) + 1
    votes: dict[str, dict[str, tuple[int, float]]] = {}
    for each in given:
        if len(places[each.original]) == 1 and set(places.get(each.counterfactual, ())) != {
            each.side
        }:
            found = votes.setdefault(each.original, {})
            count, strength = found.get(each.counterfactual, (0, 0.0))
            found[each.counterfactual] = count + 1, strength + abs(each.logit)
    pairs = []
    for original, proposed in votes.items():
        allowed = [word for word in proposed if not mutual or original in votes.get(word, {})]
        ranked = sorted(allowed, key=lambda word: (*(-n for n in proposed[word]), word))
        counts = [proposed[word][0] for word in ranked[:2]]
        ((side, asked),) = places[original].items()
        if counts:
            margin = counts[0] - sum(counts[1:])
            pairs.append(FoundPair(original, ranked[0], side, counts[0], margin, asked))
    return sorted(pairs, key=lambda pair: (-pair.votes, -pair.margin, pair.original))


def two_way(pairs: Sequence[FoundPair]) -> list[tuple[FoundPair, FoundPair]]:
    """Return the pairs that hold in both directions, the first attribute's word first."""
    of = {pair.original: pair for pair in pairs}
    return [
        (pair, of[pair.counterfactual])
        for pair in pairs
        if pair.side == 0
        and pair.counterfactual in of
        and of[pair.counterfactual].counterfactual == pair.original
    ]
