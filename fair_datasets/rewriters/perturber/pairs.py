"""The pairs of a word and a target attribute of which one is drawn: K of Algorithm 1."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from fair_datasets.rows import draws


class Candidate(NamedTuple):
    """A word of a snippet that names an attribute.

    Attributes:
        word: The word, as it is written.
        axis: The axis.
        attribute: The attribute that it mentions.
        targets: The attributes that its person may become.
    """

    word: str
    axis: str
    attribute: str
    targets: Sequence[str]


class Pair(NamedTuple):
    """A word of a snippet, and what its person may become.

    Attributes:
        word: The word, in lower case.
        axis: The axis.
        source: The attribute that the word mentions.
        target: The attribute that it may become.
    """

    word: str
    axis: str
    source: str
    target: str


def candidate_pairs(candidates: Iterable[Candidate]) -> list[Pair]:
    """List the pairs of a snippet, each once however often its word occurs.

    Returns:
        Each word with each of its targets, in the order of the words. A word with several
        attributes has the targets of all of them.

    Example:
        >>> targets = ("man", "non-binary")
        >>> words = [Candidate(word, "gender", "woman", targets) for word in ("she", "She")]
        >>> for pair in candidate_pairs(words):
        ...     print(*pair)
        she gender woman man
        she gender woman non-binary
    """
    found: dict[tuple[str, str, str], Pair] = {}
    for word, axis, source, targets in candidates:
        for target in targets:
            pair = Pair(word.lower(), axis, source, target)
            found.setdefault((pair.word, axis, target), pair)
    return list(found.values())


def draw_pair(
    pairs: Sequence[Pair], seed: int, key: str, purpose: str, weights: Mapping[str, float]
) -> Pair:
    """Draw one pair, each with a probability that is proportional to the weight of its axis.

    Args:
        pairs: What to draw from; at least one.
        weights: Axis to weight; all the same for a uniform draw.

    Returns:
        The pair, the same for the same arguments on every machine.

    Example:
        >>> pairs = candidate_pairs([Candidate("he", "gender", "man", ["woman"])])
        >>> draw_pair(pairs, 0, "", "snippet 0", {"gender": 1.0}).target
        'woman'
    """
    sums = list(accumulate(weights[pair.axis] for pair in pairs))
    point = draws.uniform(seed, key, purpose) * sums[-1]
    return next((pair for pair, top in zip(pairs, sums, strict=True) if point < top), pairs[-1])
