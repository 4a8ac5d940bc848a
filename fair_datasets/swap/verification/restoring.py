"""Undoing what a model mends unasked: letter case, spelling, spacing, accents, quotes."""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.swap.verification.units import Units, in_case_of, is_misspelt, split_units
from fair_datasets.system import checks

# What may be written together, apart or with a hyphen: "dont", "a lot", "e-mail".
_JOINTS = frozenset({"'", "-"})
# How many units may be written as how many others, the fewest first.
_SIZES = sorted(product(range(1, 4), repeat=2), key=sum)


# A stretch with more pairs of units than these is another text.
_MOST_PAIRS = 1000
# The first unit and the one behind the last, before and after.
_Places = tuple[int, int, int, int]


class Restored(NamedTuple):
    """A rewrite without the corrections that nobody asked for.

    Attributes:
        mended: How many words, signs and spaces were restored.
    """

    text: str
    mended: int


# A stretch of a restored text, and what was given there.
_Piece = tuple[str, str]


class _Block(NamedTuple):
    """Units before and the units after that stand for them; `as_was` where those are restored."""

    first: int
    end: int
    after_first: int
    after_end: int
    as_was: bool

    @property
    def is_both(self) -> bool:
        """Whether there are units on both sides."""
        return self.first < self.end and self.after_first < self.after_end


def restore(before: str, after: str) -> Restored:
    """Write a rewrite with the letter case, spelling, spacing and quotes of its original.

    A model that was asked to change who is spoken of often mends what it was not asked to. Words
    that it changed otherwise stay as the model wrote them: only a word that no list knows, of which
    it made a known one by a letter or two, is taken for a mistake in spelling.

    Returns:
        The rewrite, and how many words, signs and spaces were restored in it.

    Raises:
        InputError: One of them is no text.

    Example:
        >>> restore("Why,  he “definately” left", 'Why, She "definitely" left')
        Restored(text='Why,  she “definately” left', mended=5)
    """
    for name, value in (("before", before), ("after", after)):
        refuse_no_text(value, owner="restore", name=name)
    restored = _restored(before, after)
    # Signs that come to stand together ("- -") may read as another one, which would be restored
    # otherwise the next time; then all is left as it was given.
    if restored.mended and _restored(before, restored.text).text != restored.text:
        return Restored(after, 0)
    return restored


def refuse_no_text(value: Any, *, owner: str, name: str) -> None:
    """Raise unless a value is a text."""
    if not isinstance(value, str):
        raise checks.InputError(
            f"{owner}: {name} must be a text, but it is {value!r} ({type(value).__name__})."
        )


def _restored(before: str, after: str) -> Restored:
    """Restore a rewrite once."""
    if before == after:
        return Restored(after, 0)
    old, new = split_units(before), split_units(after)
    is_uncased = after == after.lower() and before != before.lower()
    pieces: list[_Piece] = []
    previous: _Block | None = None
    for block in _blocks(old, new):
        pieces += _pieces_of(old, new, block, previous, is_uncased)
        previous = block
    ends_with_both = previous is None or previous.is_both
    last = new.ends[-1] if new.ends else 0
    tail = old.gap(len(old.folded)) if ends_with_both else after[last:]
    pieces.append((tail, after[last:]))
    mended = sum(text != given for text, given in pieces)
    return Restored("".join(text for text, _ in pieces), mended)


def _blocks(old: Units, new: Units) -> Iterator[_Block]:
    """Align two texts by their units."""
    place = after_place = 0
    for opcode in Levenshtein.opcodes(old.folded, new.folded):
        if opcode.tag == "equal":
            same = opcode.src_start, opcode.src_end, opcode.dest_start, opcode.dest_end
            yield from _changed_blocks(old, new, (place, same[0], after_place, same[2]))
            yield _Block(*same, True)
            place, after_place = same[1], same[3]
    rest = place, len(old.folded), after_place, len(new.folded)
    yield from _changed_blocks(old, new, rest)


def _changed_blocks(old: Units, new: Units, places: _Places) -> Iterator[_Block]:
    """Find what is only spelt otherwise: at both ends of what differs, then word by word."""
    first, end, after_first, after_end = places
    while sizes := _mended(old, new, (first, end, after_first, after_end)):
        yield _Block(first, first + sizes[0], after_first, after_first + sizes[1], True)
        first, after_first = first + sizes[0], after_first + sizes[1]
    behind = []
    while sizes := _mended(old, new, (first, end, after_first, after_end), from_end=True):
        behind.append(_Block(end - sizes[0], end, after_end - sizes[1], after_end, True))
        end, after_end = end - sizes[0], after_end - sizes[1]
    if end - first == after_end - after_first:
        for index, after_index in zip(
            range(first, end), range(after_first, after_end), strict=True
        ):
            as_was = is_misspelt(old, index, new.folded[after_index])
            yield _Block(index, index + 1, after_index, after_index + 1, as_was)
    elif pair := _misspelt_pair(old, new, (first, end, after_first, after_end)):
        yield from _changed_blocks(old, new, (first, pair[0], after_first, pair[1]))
        yield from _changed_blocks(old, new, (pair[0], end, pair[1], after_end))
    else:
        yield _Block(first, end, after_first, after_end, False)
    yield from reversed(behind)


def _misspelt_pair(old: Units, new: Units, places: _Places) -> tuple[int, int] | None:
    """Return the first misspelt word with its right spelling, where there are any."""
    first, end, after_first, after_end = places
    if (end - first) * (after_end - after_first) > _MOST_PAIRS:
        return None
    for index, after_index in product(range(first, end), range(after_first, after_end)):
        if is_misspelt(old, index, new.folded[after_index]):
            return index, after_index
    return None


def _mended(
    old: Units, new: Units, places: _Places, *, from_end: bool = False
) -> tuple[int, int] | None:
    """Return how many units at an end are only spelt otherwise, before and after; or None."""
    first, end, after_first, after_end = places
    for size, after_size in _SIZES:
        if size > end - first or after_size > after_end - after_first:
            continue
        at, after_at = (end - size, after_end - after_size) if from_end else (first, after_first)
        found = new.folded[after_at : after_at + after_size]
        if _letters(old.folded[at : at + size]) == _letters(found):
            return size, after_size
    if first == end or after_first == after_end:
        return None
    at, after_at = (end - 1, after_end - 1) if from_end else (first, after_first)
    return (1, 1) if is_misspelt(old, at, new.folded[after_at]) else None


def _letters(folded: list[str]) -> str:
    """Write units together, without apostrophes and hyphens; signs alone are never the same."""
    return "".join(unit for unit in folded if unit not in _JOINTS) or " ".join(folded)


def _pieces_of(
    old: Units, new: Units, block: _Block, previous: _Block | None, is_uncased: bool
) -> Iterator[_Piece]:
    """Restore one block, with the gap before each of its units."""
    follows = (previous is None or previous.is_both) and block.is_both
    first, end, after_first, after_end, as_was = block
    if after_first == after_end:
        return
    gap = old.gap(first) if follows else new.gap(after_first)
    if not gap and after_first and new.gap(after_first):
        # "Native American" for "African-American", or ". ." would be read as one.
        beside = "".join(new.folded[after_first - 1 : after_first + 1])
        gap = new.gap(after_first) if len(split_units(beside).folded) == 1 else gap
    yield (gap, new.gap(after_first))
    if as_was and end - first == after_end - after_first:
        for index, after_index in zip(
            range(first, end), range(after_first, after_end), strict=True
        ):
            if index > first:
                yield (old.gap(index), new.gap(after_index))
            # Behind what was put in or left out, a capital letter may have become right.
            keeps_case = index > first or follows
            units = old if keeps_case else new
            place = index if keeps_case else after_index
            given = new.written(after_index, after_index + 1)
            yield (units.written(place, place + 1), given)
        return
    given = text = new.written(after_first, after_end)
    if as_was:
        text = old.written(first, end)
    elif end - first == 1:
        text = in_case_of(old, first, text, is_uncased=is_uncased)
    yield (text, given)
