"""What can be wrong with a rewrite: what it is read as, and what differs between two texts."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import dropwhile, takewhile
from operator import itemgetter
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from fair_datasets.reader.english.joined_verbs import verbs_of
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.numbers import NUMBER
from fair_datasets.reader.english.verbs import auxiliaries, guessed_plural_form
from fair_datasets.reader.matching.mentions import Mention
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.swap.agreement import (
    ARTICLES,
    agree,
    available_pronoun_sets,
    follows_article,
    pronoun_set,
    takes_an,
)
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.verification.forms import (
    BOTH,
    SENTENCE_ENDS,
    Forms,
    Slot,
    Units,
    WrittenForm,
    genders_at,
    in_case_of,
    is_word,
    split_units,
)

# What stands for "is" and "has" behind "they'".
_CONTRACTED = frozenset({"re", "ve"})


class Change(NamedTuple):
    """Units that stand otherwise in the rewrite, and are explained.

    Attributes:
        first: The first unit of the original.
        after_end: The unit behind the last.
        slot: What was rewritten; None for a verb that agrees.
        attribute: The attribute that stands there now; empty for a verb.
    """

    first: int
    end: int
    after_first: int
    after_end: int
    slot: Slot | None
    attribute: str


class Alignment(NamedTuple):
    """How far a rewrite can be read as its original."""

    changes: list[Change]
    end: int
    after_end: int


# Changes as a list that shares its beginning with others.
_Path = tuple["_Path", Change] | None
_State = tuple[int, int, _Path]
# States, the next one last, or what gives some: most texts are read without what is put off.
_Open = list[_State | Iterator[_State]]


class Aligner:
    """Reads one rewrite as its original."""

    def __init__(
        self, old: Units, new: Units, slots: Sequence[Slot], forms: Forms, ages: Sequence[Slot]
    ) -> None:
        """Set out to read a rewrite.

        Args:
            slots: Where other forms may stand.
        """
        self.old, self.new, self.forms = old, new, forms
        self._slots: Mapping[int, list[Slot]] = _by_first(slots)
        self._firsts = sorted(self._slots)
        self._ages: Mapping[int, list[Slot]] = _by_first(ages)

    def read(self, preferred: Mapping[str, str]) -> Alignment:
        """Read the rewrite; where there are several ways, that with the attributes asked for."""
        size, after_size = len(self.old.folded), len(self.new.folded)
        reached: _State = (0, 0, None)
        seen: set[tuple[int, int]] = set()
        open_states: _Open = [reached]
        while open_states:
            state = open_states.pop()
            if not isinstance(state, tuple):
                open_states += state
                continue
            state = self._same_from(open_states, state, seen, preferred)
            if state[0] + state[1] > reached[0] + reached[1]:
                reached = state
            if state[0] == size and state[1] == after_size:
                break
            if state[:2] not in seen:
                seen.add(state[:2])
                open_states.append(self._agreeing(*state))
                open_states.append(self._compound(*state))
                open_states.append(self._rewritten(*state, preferred))
        return Alignment(_listed(reached[2]), reached[0], reached[1])

    def _same_from(
        self,
        open_states: _Open,
        state: _State,
        seen: set[tuple[int, int]],
        preferred: Mapping[str, str],
    ) -> _State:
        """Go on while the units are the same, and note where a mention could be read otherwise."""
        i, j, path = state
        old, new = self.old.folded, self.new.folded
        place = bisect_left(self._firsts, i)
        while True:
            end = self._firsts[place] if place < len(self._firsts) else len(old)
            size = _size_of_same(old, new, i, j, end)
            i, j, place = i + size, j + size, place + 1
            if i < end or i == len(old) or j == len(new) or old[i] != new[j]:
                return i, j, path
            if (i, j) not in seen:
                seen.add((i, j))
                open_states.append(self._rewritten(i, j, path, preferred))

    def _rewritten(
        self, i: int, j: int, path: _Path, preferred: Mapping[str, str]
    ) -> Iterator[_State]:
        """Give the ways to read a mention in another form; the best last."""
        options: list[tuple[bool, int, _State]] = []
        for slot in self._slots.get(i, ()):
            own = slot.mention.term.attribute
            for size, attribute in self._written(slot, j):
                if attribute == own:
                    continue
                is_asked = attribute == preferred.get(own, attribute)
                for end, after_end in self._endings(slot, slot.end, j + size):
                    change = Change(i, end, j, after_end, slot, attribute)
                    state = (end, after_end, (path, change))
                    options.append((is_asked, end - i + after_end - j, state))
        if len(options) > 1:
            options.sort(key=itemgetter(0, 1))
        for *_, reached in options:
            yield reached

    def _written(self, slot: Slot, j: int) -> Iterator[tuple[int, str]]:
        """Give the size and the attribute of each form that may stand in a slot."""
        for written in self.forms.at(self.new, j):
            if self._fits(slot, written):
                yield written.size, written.attribute
        if j and self.forms.longest(self.new.folded[j - 1]) > 1:
            for written in self.forms.at(self.new, j - 1):
                # "Buddhist monk" for "Baptist pastor": what stands there already is not said again.
                if written.size > 1 and self._fits(slot, written):
                    yield written.size - 1, written.attribute
        if slot.mention.rule == RULE:
            genders = genders_at(self.new, j)
            # Two women's names are no partners, whatever the text told of whoever bears the first.
            if len(genders) > 1 or genders != genders_at(self.old, slot.first):
                yield from ((1, attribute) for attribute in genders)
        if slot.mention.term.entry.kind == "age":
            yield from self._written_ages(slot, j)

    def _written_ages(self, slot: Slot, j: int) -> Iterator[tuple[int, str]]:
        """Give the ages that stand in a slot, in numbers or in the words for them."""
        for age in self._ages.get(j, ()):
            attribute = age.mention.term.attribute
            yield age.end - age.first, attribute
            if slot.mention.term.attribute == "child" != attribute:
                yield age.end - age.first, "adult"
        for attribute, forms in slot.mention.term.entry.forms.items():
            folded = split_units(forms[0].text).folded
            if self.new.folded[j : j + len(folded)] == folded:
                yield len(folded), attribute

    def _fits(self, slot: Slot, written: WrittenForm) -> bool:
        """Whether a form says the same of a person, or of both of a pair."""
        if slot.partner >= 0:
            are_one = slot.mention.term.entry.kind == "pronoun" or written.entry.is_plural
            # "Chinese or Thai" may be "Greek", but "mother and father" are no "parent".
            if not (are_one or BOTH.isdisjoint(self.old.folded[slot.first : slot.end])):
                return False
        return self.forms.may_stand_for(slot.mention, slot.spelling, written)

    def _endings(self, slot: Slot, i: int, j: int) -> Sequence[tuple[int, int]]:
        """Return where both texts go on behind a mention, whose possessive or period may differ."""
        old, new, ends = self.old, self.new, [(i, j)]
        if slot.mention.term.entry.kind == "title":
            if old.folded[i : i + 1] == ["."]:
                ends.append((i + 1, j))
            if new.folded[j : j + 1] == ["."]:
                ends.append((i, j + 1))
        if i < len(old.folded) and old.folded[i] == "'" and new.folded[j : j + 1] == ["'"]:
            if not old.gap(i) and new.folded[j + 1 : j + 2] == ["s"]:
                ends.append((i + 1, j + 2))
            if not new.gap(j) and old.folded[i + 1 : i + 2] == ["s"]:
                ends.append((i + 2, j + 1))
        return ends

    def _compound(self, i: int, j: int, path: _Path) -> Iterator[_State]:
        """Give the way to read a compound as one with a counterpart in it."""
        if i < len(self.old.folded) and j < len(self.new.folded):
            word = self.old.written(i, i + 1)
            for own, written in self.forms.compounds(word, self.new.folded[j]):
                if own != written.attribute:
                    mention = Mention(-1, -1, Term(own, written.entry))
                    change = Change(
                        i, i + 1, j, j + 1, Slot(i, i + 1, -1, mention, word), written.attribute
                    )
                    yield i + 1, j + 1, (path, change)

    def _agreeing(self, i: int, j: int, path: _Path) -> Iterator[_State]:
        """Give the way to read an article or a verb that agrees with what was rewritten."""
        old, new = self.old.folded, self.new.folded
        if i == len(old) or j == len(new):
            return
        one, other = old[i], new[j]
        if one in ARTICLES and other in ARTICLES:
            # 'a "Syrian" critic'
            pairs = zip(old[i + 1 :], new[j + 1 :], strict=False)
            ahead = 1 + sum(1 for _ in takewhile(_is_quote_that_stays, pairs))
            following = self.new.written(j + ahead, min(j + ahead + 1, len(new)))
            if i + ahead in self._slots and takes_an(following) == (other == "an"):
                yield i + 1, j + 1, path
        elif agrees(one, other) or (i > 0 and old[i - 1] == "'" and (one, other) in _BOTH_WAYS):
            yield i + 1, j + 1, (path, Change(i, i + 1, j, j + 1, None, ""))


_BOTH_WAYS = frozenset(pair for plural in _CONTRACTED for pair in ((plural, "s"), ("s", plural)))


def _is_quote_that_stays(units: tuple[str, str]) -> bool:
    return units[0] == units[1] and follows_article(f" {units[0]}")


def agrees(one: str, other: str) -> bool:
    """Whether two words are the singular and the plural of one verb, in either order."""
    return one == guessed_plural_form(other) or other == guessed_plural_form(one)


def _size_of_same(old: list[str], new: list[str], i: int, j: int, end: int) -> int:
    """Return how many units are the same from two units on, up to one of the original."""
    size = min(end - i, len(new) - j)
    if old[i : i + size] == new[j : j + size]:
        return size
    return next(k for k in range(size) if old[i + k] != new[j + k])


def _by_first(slots: Sequence[Slot]) -> dict[int, list[Slot]]:
    """Look slots up by their first unit."""
    by_first: dict[int, list[Slot]] = {}
    for slot in slots:
        by_first.setdefault(slot.first, []).append(slot)
    return by_first


def _listed(path: _Path) -> list[Change]:
    """List the changes of a path in the order of the text."""
    changes = []
    while path is not None:
        path, change = path
        changes.append(change)
    return changes[::-1]


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
    AGES = "ages"
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
    Fault.AGES: "{before!r} became {after!r}, but the older relative has to stay older.",
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


class FaultSpan(NamedTuple):
    """A fault, with the units of the original and of the rewrite where it lies."""

    first: int
    end: int
    after_first: int
    after_end: int
    fault: Fault


def format_fault(fault: Fault, before: str, after: str) -> str:
    """Describe a fault in a sentence."""
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


def difference_at(old: Units, new: Units, first: int, after_first: int) -> FaultSpan:
    """Find where two texts that part at some units meet again, and say what differs between."""
    opcodes = Levenshtein.opcodes(old.folded[first:], new.folded[after_first:])
    changed = list(dropwhile(lambda opcode: opcode.tag == "equal", opcodes))
    block = list(takewhile(lambda opcode: opcode.tag != "equal", changed))
    begin, after_begin = block[0].src_start, block[0].dest_start
    end, after_end = block[-1].src_end, block[-1].dest_end
    span = (first + begin, first + end, after_first + after_begin, after_first + after_end)
    return FaultSpan(*span, _fault(old, new, *span))


def _fault(old: Units, new: Units, first: int, end: int, after_first: int, after_end: int) -> Fault:
    """Return the kind of fault that a difference is."""
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
    """Whether a stretch that was put in says again what stands before or behind it."""
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
    """Whether a unit stands between double quotes."""
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
        if old.between(place, change.first) != new.between(after_place, change.after_first):
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
    """Whether a unit is typed otherwise; an article that agrees has other letters."""
    if old.folded[unit] == new.folded[after_unit]:
        return old.written(unit, unit + 1) != new.written(after_unit, after_unit + 1)
    return old.is_capital(unit) is not new.is_capital(after_unit)


def _has_other_case(old: Units, new: Units, change: Change) -> bool:
    """Whether what was rewritten is not in the letter case of the word that stood there."""
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
    for first, end, after_first, after_end, *_ in changes:
        was_plural = _is_plural(old, first, end)
        if was_plural is _is_plural(new, after_first, after_end):
            continue
        if was_plural:
            they.append((first, end))
            were_they.append((after_first, after_end))
        else:
            subjects.append((first, end))
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
    verbs = (verb for verb in verbs_of(tokens, subject) if tokens.lower[verb] in plurals)
    return (tokens.starts[verb] for verb in verbs)


def _is_plural(units: Units, first: int, end: int) -> bool:
    """Whether a stretch is a subject whose verbs are in the plural."""
    return end - first == 1 and units.folded[first] in plural_subjects()


@cache
def plural_subjects() -> frozenset[str]:
    """Return the pronouns of one person whose verbs are in the plural.

    Example:
        >>> "they" in plural_subjects(), "he" in plural_subjects()
        (True, False)
    """
    sets = map(pronoun_set, available_pronoun_sets())
    return frozenset(chosen.forms["subject"] for chosen in sets if chosen.verbs_are_plural)
