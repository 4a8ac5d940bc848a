"""What kind of fault a difference is that no rewriting explains."""

from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.numbers import NUMBER
from fair_datasets.swap.verification.faults import Fault
from fair_datasets.swap.verification.units import Units, is_word

_NEGATIONS = frozenset({
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without",
    "cannot", "t", "nt", "dont", "cant", "wont", "isnt", "doesnt", "didnt", "hardly", "scarcely",
})  # fmt: skip
_NUMBERS = frozenset(NUMBER) | frozenset({
    "hundred", "thousand", "million", "billion", "dozen", "half", "twice", "once", "hundreds",
    "thousands", "millions", "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
    "eighth", "ninth", "tenth",
})  # fmt: skip
_SENTENCE_ENDS = frozenset({".", "!", "?", "..."})
# A stretch of more words than these is a statement, and no single word that turns one around.
_SHORT = 3


class Difference(NamedTuple):
    """Stretches of two texts that differ.

    Attributes:
        fault: What is wrong.
        first: The first unit of the original.
        end: The unit behind the last.
        after_first: The first unit of the rewrite.
        after_end: The unit behind the last.
    """

    fault: Fault
    first: int
    end: int
    after_first: int
    after_end: int


def difference_at(old: Units, new: Units, first: int, after_first: int) -> Difference:
    """Find where two texts that part at some units meet again, and say what differs between.

    Args:
        first: The unit of the original from which on it is not read.
    """
    opcodes = Levenshtein.opcodes(old.folded[first:], new.folded[after_first:])
    changed = list(dropwhile(lambda opcode: opcode.tag == "equal", opcodes))
    block = list(takewhile(lambda opcode: opcode.tag != "equal", changed))
    begin, after_begin = block[0].src_start, block[0].dest_start
    end, after_end = block[-1].src_end, block[-1].dest_end
    found = (first + begin, first + end, after_first + after_begin, after_first + after_end)
    return Difference(_fault(old, new, *found), *found)


def _fault(old: Units, new: Units, first: int, end: int, after_first: int, after_end: int) -> Fault:
    """Say what kind of fault a difference is."""
    before, after = old.folded[first:end], new.folded[after_first:after_end]
    if _is_repeated(new.folded, after_first, after_end, is_added=len(after) > len(before)):
        return Fault.REPEATED
    if not after and end == len(old.folded) and any(map(is_word, before)):
        return Fault.TRUNCATED
    is_long = max(sum(map(is_word, before)), sum(map(is_word, after))) > _SHORT
    ends = [not _SENTENCE_ENDS.isdisjoint(units) for units in (before, after)]
    if ends[0] != ends[1] or (is_long and not (before and after)):
        return Fault.DROPPED if len(before) > len(after) else Fault.INVENTED
    if _counts(before, _NEGATIONS) != _counts(after, _NEGATIONS):
        return Fault.NEGATION
    if _numbers(before) != _numbers(after):
        return Fault.NUMBER
    if _is_quoted(old, first) or '"' in before or '"' in after:
        return Fault.QUOTATION
    name = _first_capital(old, first, end)
    if name is not None:
        preposition = old.folded[name - 1] if name else ""
        is_place = preposition in words("before_location") or old.folded[name] in words("regions")
        return Fault.PLACE if is_place else Fault.NAME
    if not before:
        return Fault.INVENTED
    return Fault.REWORDED if after else Fault.DROPPED


def _is_repeated(folded: Sequence[str], first: int, end: int, *, is_added: bool) -> bool:
    """Tell whether a stretch that was put in says again what stands before or behind it."""
    size = end - first
    if not is_added or not any(map(is_word, folded[first:end])):
        return False
    if folded[first:end] == folded[end : end + size]:
        return True
    return any(
        all(folded[place] == folded[place - period] for place in range(first, end))
        for period in range(1, min(size, first) + 1)
    )


def _counts(units: Sequence[str], words: frozenset[str]) -> Counter[str]:
    """Count some words among units."""
    return Counter(unit for unit in units if unit in words)


def _numbers(units: Sequence[str]) -> list[str]:
    """List the numbers among units."""
    return [unit for unit in units if unit[0].isdigit() or unit in _NUMBERS]


def _is_quoted(units: Units, index: int) -> bool:
    """Tell whether a unit stands between double quotes."""
    return units.folded[:index].count('"') % 2 == 1 and '"' in units.folded[index:]


def _first_capital(units: Units, first: int, end: int) -> int | None:
    """Return the first capitalised word of a stretch that opens no sentence, if there is one."""
    for index in range(first, end):
        opens = index == 0 or not is_word(units.folded[index - 1])
        if units.text[units.starts[index]].isupper() and not opens:
            return index
    return None
