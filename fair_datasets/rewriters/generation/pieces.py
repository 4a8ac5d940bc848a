"""Texts that are longer than a model reads: split at sentence borders, and put together again.

Nothing is cut: the pieces of a text, one behind the other, are the text.
"""

from collections.abc import Callable

from fair_datasets.swap.rewriting.sentences import sentence_starts


def pieces(text: str, fits: Callable[[str], bool]) -> list[str] | None:
    """Split a text at sentence borders into pieces that a model reads whole.

    Returns:
        The pieces, which joined are the text, each as long as fits; None where a sentence alone
        is too long.

    Example:
        >>> pieces("She left. He stayed. It rained.", lambda piece: len(piece) <= 21)
        ['She left. He stayed. ', 'It rained.']
    """
    found: list[str] = []
    start = 0
    borders = [*sentence_starts(text)[1:], len(text)]
    while start < len(text):
        ahead = [border for border in borders if border > start]
        # What fits is longest before a border where it no longer does; found by halving.
        low, high = 0, len(ahead)
        while low < high:
            middle = (low + high + 1) // 2
            if fits(text[start : ahead[middle - 1]]):
                low = middle
            else:
                high = middle - 1
        if not low:
            return None
        found.append(text[start : ahead[low - 1]])
        start = ahead[low - 1]
    return found
