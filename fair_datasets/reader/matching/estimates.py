"""How often decisions of a kind are right, by what was seen of it and of wider kinds."""

from collections.abc import Iterable

STRENGTH = 4.0
"""How many cases of its own outweigh what is known of the kind above."""


def estimated(counts: Iterable[tuple[int, int]], strength: float = STRENGTH) -> float:
    """Estimate how often decisions are right, from what was seen of their kind and of wider ones.

    Each kind has the mean of a Beta distribution whose prior is worth so many cases and has the
    mean of the next wider kind; the widest is drawn to one half.

    Args:
        counts: How many decisions were right, and how many there were, of the widest kind first.
        strength: How many cases the prior is worth.

    Returns:
        The probability that such a decision is right, above 0 and below 1.

    Example:
        >>> round(estimated([(90, 100), (1, 5)]), 2)
        0.5
    """
    share = 0.5
    for right, seen in counts:
        share = (right + strength * share) / (seen + strength)
    return share
