"""What can be wrong with a rewrite: how it is told, and how it is found where two texts differ."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import dropwhile, takewhile
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.reader.english.joined_verbs import verbs_of
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.numbers import NUMBER
from fair_datasets.reader.english.verbs import auxiliaries
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.swap.agreement import agree, available_pronoun_sets, pronoun_set
from fair_datasets.swap.verification.alignment import Change
from fair_datasets.swap.verification.forms import SENTENCE_ENDS, Units, in_case_of, is_word


class Fault(StrEnum):
    """What is wrong with a rewrite. Its value is the name that columns and tables show."""

    EMPTY = "empty"
    UNREAD = "unread"
    UNCHANGED = "unchanged"
    TRUNCATED = "truncated"
    REPEATED = "repeated"
    DROPPED = "dropped"
    INVENTED = "invented"
    NEGATION = "negation"
    NUMBER = "number"
    QUOTATION = "quotation"
    PLACE = "place"
    NAME = "name"
    WRONG_PERSON = "wrong person"
    WRONG_ATTRIBUTE = "wrong attribute"
    BROKEN_CHAIN = "broken chain"
    AGREEMENT = "agreement"
    REWORDED = "reworded"
    RETYPED = "retyped"


# {before} and {after} are the stretches of the two texts; each may be empty but where it is named.
_SENTENCES = {
    Fault.EMPTY: "The rewrite has no words.",
    Fault.UNREAD: "{before!r} is not read as a mention here, so nothing can be verified.",
    Fault.UNCHANGED: "{before!r} stays as it was, but should have changed.",
    Fault.TRUNCATED: "The rewrite ends before {before!r}.",
    Fault.REPEATED: "{after!r} is a repetition.",
    Fault.DROPPED: "{before!r} is left out.",
    Fault.INVENTED: "{after!r} is put in.",
    Fault.NEGATION: "A negation is lost or put in: {before!r} became {after!r}.",
    Fault.NUMBER: "A number changed: {before!r} became {after!r}.",
    Fault.QUOTATION: "A quotation changed: {before!r} became {after!r}.",
    Fault.PLACE: "A place changed: {before!r} became {after!r}.",
    Fault.NAME: "A name or nationality changed: {before!r} became {after!r}.",
    Fault.WRONG_PERSON: "{before!r} became {after!r}, but that is not who was asked for.",
    Fault.WRONG_ATTRIBUTE: "{before!r} became {after!r}, which is not what was asked for.",
    Fault.BROKEN_CHAIN: "{before!r} stays as it was, but is about the person who was rewritten.",
    Fault.AGREEMENT: "{before!r} stays as it was, but has to agree with its subject.",
    Fault.REWORDED: "{before!r} became {after!r}, which the requested change does not explain.",
    Fault.RETYPED: "{before!r} is typed {after!r}; restore() types it as it was.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a rewrite.

    Attributes:
        reason: The first fault in the order of the text; None where there is none.
        before: Where the fault lies in the original, in characters; (0, 0) where there is none.
        after: Where it lies in the rewrite.
        sentence: The fault in words; empty where there is none.
    """

    reason: Fault | None
    before: tuple[int, int]
    after: tuple[int, int]
    sentence: str

    @property
    def accepted(self) -> bool:
        """Whether no fault was found."""
        return self.reason is None


class Found(NamedTuple):
    """A fault, with the units of the original and of the rewrite where it lies."""

    first: int
    end: int
    after_first: int
    after_end: int
    fault: Fault


def told(fault: Fault, before: str, after: str) -> str:
    """Tell a fault in a sentence."""
    if fault is Fault.UNREAD and before == after:
        return f"Nobody is mentioned in {before!r}, so nothing can be verified."
    if fault is Fault.BROKEN_CHAIN and before != after:
        return f"{before!r} became {after!r}, but was rewritten differently elsewhere."
    if fault is Fault.RETYPED and not before:
        return "The spaces changed; restore() types them as they were."
    return _SENTENCES[fault].format(before=before, after=after)


_NEGATIONS = frozenset({
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without",
    "cannot", "t", "nt", "dont", "cant", "wont", "isnt", "doesnt", "didnt", "hardly", "scarcely",
})  # fmt: skip
_NUMBERS = frozenset(NUMBER) | frozenset({
    "hundred", "thousand", "million", "billion", "dozen", "half", "twice", "once", "hundreds",
    "thousands", "millions", "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
    "eighth", "ninth", "tenth",
})  # fmt: skip
# A stretch of more words than these is a statement, and no single word that turns one around.
_SHORT = 3


def difference_at(old: Units, new: Units, first: int, after_first: int) -> Found:
    """Find where two texts that part at some units meet again, and say what differs between."""
    opcodes = Levenshtein.opcodes(old.folded[first:], new.folded[after_first:])
    changed = list(dropwhile(lambda opcode: opcode.tag == "equal", opcodes))
    block = list(takewhile(lambda opcode: opcode.tag != "equal", changed))
    begin, after_begin = block[0].src_start, block[0].dest_start
    end, after_end = block[-1].src_end, block[-1].dest_end
    found = (first + begin, first + end, after_first + after_begin, after_first + after_end)
    return Found(*found, _fault(old, new, *found))


def _fault(old: Units, new: Units, first: int, end: int, after_first: int, after_end: int) -> Fault:
    """Say what kind of fault a difference is."""
    before, after = old.folded[first:end], new.folded[after_first:after_end]
    if _is_repeated(new.folded, after_first, after_end, is_added=len(after) > len(before)):
        return Fault.REPEATED
    if not after and end == len(old.folded) and any(map(is_word, before)):
        return Fault.TRUNCATED
    is_long = max(sum(map(is_word, before)), sum(map(is_word, after))) > _SHORT
    ends = [not SENTENCE_ENDS.isdisjoint(units) for units in (before, after)]
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
    return [unit for unit in units if unit[0].isdigit() or unit in _NUMBERS]


def _is_quoted(units: Units, index: int) -> bool:
    """Tell whether a unit stands between double quotes."""
    return units.folded[:index].count('"') % 2 == 1 and '"' in units.folded[index:]


def _first_capital(units: Units, first: int, end: int) -> int | None:
    """Return the first capitalised word of a stretch that opens no sentence, if there is one."""
    for index in range(first, end):
        opens = index == 0 or not is_word(units.folded[index - 1])
        if units.is_capital(index) and not opens:
            return index
    return None


_LINE_END = re.compile(r"[^\S\n]+(?=\n)")


def retyped_at(
    old: Units, new: Units, changes: Sequence[Change]
) -> Iterator[tuple[int, int, int, int]]:
    """Find what is typed otherwise, spaces at the ends of lines apart.

    Yields:
        The units of the original and of the rewrite: the first, and the one behind the last. No
        unit, where other spaces stand.

    Example:
        >>> from fair_datasets.swap.verification.forms import split_units
        >>> list(retyped_at(split_units("It  is the US. "), split_units("It is the us."), []))
        [(1, 1, 1, 1), (3, 4, 3, 4)]
    """
    place = after_place = 0
    size, after_size = len(old.folded), len(new.folded)
    for change in [*changes, Change(size, size, after_size, after_size, None, "")]:
        for unit in range(place, change.first):
            after_unit = after_place + unit - place
            yield from _other_gap(old, new, unit, after_unit)
            if _is_retyped(old, new, unit, after_unit):
                yield unit, unit + 1, after_unit, after_unit + 1
        yield from _other_gap(old, new, change.first, change.after_first)
        if _has_other_case(old, new, change):
            yield change[:4]
        place, after_place = change.end, change.after_end


def _is_retyped(old: Units, new: Units, unit: int, after_unit: int) -> bool:
    """Tell whether a unit is typed otherwise; an article that agrees has other letters."""
    if old.folded[unit] == new.folded[after_unit]:
        return old.written(unit, unit + 1) != new.written(after_unit, after_unit + 1)
    return old.is_capital(unit) is not new.is_capital(after_unit)


def _has_other_case(old: Units, new: Units, change: Change) -> bool:
    """Tell whether what was rewritten is not in the letter case of the word that stood there."""
    if change.first == len(old.folded) or change.end > change.first + 1:
        return False
    if change.slot is None:
        return old.is_capital(change.first) is not new.is_capital(change.after_first)
    written = new.written(change.after_first, change.after_end)
    return in_case_of(old, change.first, written) != written


def _other_gap(
    old: Units, new: Units, unit: int, after_unit: int
) -> Iterator[tuple[int, int, int, int]]:
    """Give the place between two units where other spaces stand."""
    before, after = (_LINE_END.sub("", gap) for gap in (old.gap(unit), new.gap(after_unit)))
    if unit == len(old.folded):
        before, after = before.rstrip(), after.rstrip()
    if before != after:
        yield unit, unit, after_unit, after_unit


def agreeing_verbs(old: Units, new: Units, changes: Iterable[Change]) -> Iterator[tuple[int, int]]:
    """Give the verbs that have to change, each where it stands on one of the two sides.

    A subject in the singular tells which words are its verbs: they are read in the text where it
    stands, be it the original or the rewrite.

    Yields:
        The unit of the original, or -1, and that of the rewrite, or -1.

    Example:
        >>> from fair_datasets.swap.verification.forms import split_units
        >>> old, new = split_units("He reads the news."), split_units("They read the news.")
        >>> they = Change(0, 1, 0, 1, None, "non-binary")
        >>> list(agreeing_verbs(old, new, [they])), list(agreeing_verbs(new, old, [they]))
        ([(1, -1)], [(-1, 1)])
    """
    subjects, were_they, they = [], [], []
    for change in changes:
        before = old.folded[change.first : change.end]
        after = new.folded[change.after_first : change.after_end]
        if _is_plural(after) and not _is_plural(before):
            subjects.append((change.first, change.end))
        elif _is_plural(before) and not _is_plural(after):
            they.append((change.first, change.end))
            were_they.append((change.after_first, change.after_end))
    yield from ((verb, -1) for verb in _verbs(old, subjects, _in_singular))
    yield from ((verb, -1) for verb in _verbs(old, they, _in_plural))
    yield from ((-1, verb) for verb in _verbs(new, were_they, _in_singular))


def _verbs(
    units: Units, subjects: Iterable[tuple[int, int]], read: Callable[[Tokens, int], Iterator[int]]
) -> Iterator[int]:
    tokens = None
    for first, end in subjects:
        tokens = tokens or tokenize(units.text)
        start, behind = units.span(first, end)
        words = [k for k, place in enumerate(tokens.starts) if start <= place < behind]
        # "Is he or she": the verb stands before the pair.
        for word in {*words[:1], *words[-1:]}:
            yield from map(units.at, read(tokens, word))


def _in_singular(tokens: Tokens, subject: int) -> Iterator[int]:
    """Give where the verbs of a subject in the singular begin that the swap rewrites."""
    return (verb.start for verb in agree(tokens, subject))


def _in_plural(tokens: Tokens, subject: int) -> Iterator[int]:
    """Give where the verbs of a subject in the plural begin that surely are in the present."""
    plurals = auxiliaries().values()
    found = (verb for verb in verbs_of(tokens, subject) if tokens.lower[verb] in plurals)
    return (tokens.starts[verb] for verb in found)


def _is_plural(folded: list[str]) -> bool:
    """Tell whether units are a subject whose verbs are in the plural."""
    return len(folded) == 1 and folded[0] in plural_subjects()


@cache
def plural_subjects() -> frozenset[str]:
    """Return the pronouns of one person whose verbs are in the plural.

    Example:
        >>> "they" in plural_subjects(), "he" in plural_subjects()
        (True, False)
    """
    sets = map(pronoun_set, available_pronoun_sets())
    return frozenset(chosen.forms["subject"] for chosen in sets if chosen.verbs_are_plural)
