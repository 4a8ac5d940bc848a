"""The edits of a text: making them, and finding them between two texts."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

# A word, or any other sign by itself.
_TOKEN = re.compile(r"\w+|\W")


class Edit(NamedTuple):
    """One change of a text.

    Attributes:
        start: Where it begins in the text before, in characters.
        end: Where it ends in the text before.
        before: What stood there.
        after: What stands there now.
        axis: The demographic axis; empty where it is not known.
        attribute: The demographic attribute that is mentioned now; empty after a removal, or where
            it is not known.
    """

    start: int
    end: int
    before: str
    after: str
    axis: str
    attribute: str


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Make edits in a text.

    Args:
        text: The text before.
        edits: The edits, in the order of the text, without overlap.

    Returns:
        The text after.

    Example:
        >>> apply_edits("He ran.", [Edit(0, 2, "He", "She", "gender", "woman")])
        'She ran.'
    """
    pieces: list[str] = []
    position = 0
    for start, end, _, after, _, _ in edits:
        pieces += text[position:start], after
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def shifted(edits: Sequence[Edit], offset: int) -> list[Edit]:
    """Say where the edits of a part of a text are in the whole text.

    Args:
        edits: The edits of the part.
        offset: Where the part begins.

    Returns:
        The same edits, with offsets into the whole text.

    Example:
        >>> shifted([Edit(0, 2, "He", "She", "gender", "woman")], 5)[0].start
        5
    """
    return [edit._replace(start=edit.start + offset, end=edit.end + offset) for edit in edits]


def aligned_edits(before: str, after: str, *, axis: str = "", attribute: str = "") -> list[Edit]:
    """Find the edits that lead from one text to another, word by word.

    Args:
        before: The text before.
        after: The text after.
        axis: The demographic axis that the edits are stated with.
        attribute: The attribute that they are stated with.

    Returns:
        The edits, in the order of the text. What they leave out is the same in both texts.

    Example:
        >>> for edit in aligned_edits("He is a waiter.", "She is a waitress."):
        ...     print(edit.start, edit.end, edit.before, edit.after)
        0 2 He She
        8 14 waiter waitress
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    # The matcher compares by hashes; numbers have none that two of them share.
    numbers: dict[str, int] = {}
    steps = Levenshtein.opcodes(
        [numbers.setdefault(word, len(numbers)) for word in old],
        [numbers.setdefault(word, len(numbers)) for word in new],
    )
    edits = []
    position = 0
    for is_equal, group in groupby(steps, lambda step: step.tag == "equal"):
        block = list(group)
        removed = "".join(old[block[0].src_start : block[-1].src_end])
        added = "".join(new[block[0].dest_start : block[-1].dest_end])
        if not is_equal:
            end = position + len(removed)
            edits.append(Edit(position, end, removed, added, axis, attribute))
        position += len(removed)
    return edits
