"""Judging one rewrite against what was asked for."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from operator import attrgetter
from typing import NamedTuple

from fair_datasets.lexicons import Lexicon
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.terms import Term
from fair_datasets.swap.agreement import pronoun_sets_with
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.verification.faults import (
    Aligner,
    Alignment,
    Change,
    Fault,
    FaultSpan,
    Verdict,
    agreeing_verbs,
    difference_at,
    format_fault,
    retyped_at,
)
from fair_datasets.swap.verification.forms import (
    LISTED,
    NO_PERSON,
    Forms,
    Slot,
    Units,
    are_joined,
    fold,
    genders_at,
    is_word,
    slots_of,
    split_units,
)
from fair_datasets.swap.verification.kin import ages_of_kin, are_in_order, years_of
from fair_datasets.swap.verification.people import People


@dataclass(frozen=True, slots=True)
class Request:
    """What a rewriter was asked for.

    Attributes:
        target: The attribute; None for any other than the one before.
        start: Where it stands in the original, in characters; None for the first of the word.
    """

    target: str | None
    word: str | None
    start: int | None
    everyone: bool


def places_of(word: str, text: str) -> list[int]:
    """Return where a word or phrase stands in a text, in any letter case.

    Example:
        >>> places_of("her", "Her mother saw her there.")
        [0, 15]
    """
    expression = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
    return [match.start() for match in re.finditer(expression, text, re.IGNORECASE)]


def read_asked(
    annotation: Annotation, units: Units, places: Iterable[tuple[int, int]], forms: Forms
) -> Annotation:
    """Read the word that was asked about as a mention where the reader leaves it alone.

    Who asks about a word knows that it is a person, where the reader only guesses. What the reader
    takes for the name of a firm, a place or a work stays one, whoever asks, and so do the words of
    listed phrases ("Mother Teresa", "bachelor's degree") and of addresses.
    """
    starts = annotation.tokens.starts
    options: list[Mention] = []
    for first, end in places:
        for place in range(first, end):
            for size, attribute, entry, is_name in forms.at(units, place):
                begin = bisect_left(starts, units.starts[place])
                last = bisect_left(starts, units.span(place, place + size)[1]) - 1
                if place + size <= end and begin <= last:
                    term = Term(attribute, entry, is_name=is_name)
                    options.append(Mention(begin, last, term))
        begin, behind = (bisect_left(starts, offset) for offset in units.span(first, end))
        if any(m.first < behind and begin <= m.last for m in annotation.mentions):
            return annotation
    asked = next((mention for mention in options if not _is_surely_none(mention, annotation)), None)
    if asked is None:
        return annotation
    skipped = [part for part in annotation.skipped if part[1] < asked.first or asked.last < part[0]]
    mentions = sorted([*annotation.mentions, asked], key=attrgetter("first"))
    return Annotation(annotation.tokens, mentions, skipped)


def _without_unchanged(annotation: Annotation, old: Units, new: Units, forms: Forms) -> Annotation:
    """Forget the names that no list has, but those for which the rewrite has a new one."""
    lower, words = annotation.tokens.lower, {*new.folded}
    gone = [
        mention
        for mention in annotation.mentions
        if mention.rule == RULE
        and words.isdisjoint(map(fold, lower[mention.first : mention.last + 1]))
    ]
    before = {*old.folded}
    has_new = bool(gone) and any(
        genders_at(new, place)
        or any(each.is_name and each.entry.forms for each in forms.at(new, place))
        for place, word in enumerate(new.folded)
        if word not in before
    )
    mentions = [
        each for each in annotation.mentions if each.rule != RULE or (has_new and each in gone)
    ]
    return annotation._replace(mentions=mentions)


def _is_surely_none(mention: Mention, annotation: Annotation) -> bool:
    """Whether a word is left alone by what is no mere guess."""
    sure = NO_PERSON if mention.term.is_name else LISTED
    return any(
        part.first <= mention.first <= part.last and part.reason in sure
        for part in annotation.skipped
    )


# Verbs that have to change: the unit of the original, or -1, and that of the rewrite, or -1.
_Verbs = AbstractSet[tuple[int, int]]
# From which probability on a model is believed that two mentions are of one person, or of two.
_SURE = 0.75


ACCEPTED = Verdict(None, (0, 0), (0, 0), "")


class Axis(NamedTuple):
    """What is known of an axis.

    Attributes:
        names_change: Whether a person's name has to change with the person's attribute.
    """

    lexicon: Lexicon
    forms: Forms
    names_change: bool

    def becomes(self, target: str | None) -> Mapping[str, str]:
        """Return what each attribute becomes, as was asked for; of none, its counterpart."""
        lexicon = self.lexicon
        return lexicon.counterparts if target is None else dict.fromkeys(lexicon.attributes, target)


class Judge:
    """Judges one rewrite.

    Attributes:
        shares: How likely it is by a model that a mention is of the person who was asked about, by
            its number.
    """

    def __init__(
        self,
        annotation: Annotation,
        after: str,
        later: Annotation | None,
        axis: Axis,
        request: Request,
        is_open: Container[int],
    ) -> None:
        """Set out to judge a rewrite.

        Args:
            annotation: The original.
            after: The rewrite.
            later: What is read in the rewrite, where that tells ages.
            is_open: The words of the original of which the case is open, by `open_cases`.
        """
        self._axis, self._request = axis, request
        self._old, self._new = split_units(annotation.tokens.text), split_units(after)
        if any(mention.rule == RULE for mention in annotation.mentions):
            annotation = _without_unchanged(annotation, self._old, self._new, axis.forms)
        if request.word is not None:
            annotation = read_asked(annotation, self._old, self._asked_places(), axis.forms)
        self._reading, self._mentions = annotation, annotation.mentions
        self._slots = slots_of(self._old, annotation, axis.forms, is_open)
        self._own = self._slots[: len(self._mentions)]
        ages = slots_of(self._new, later, axis.forms) if later else []
        self._ages = [slot for slot in ages if slot.mention.term.entry.kind == "age"]
        self.shares: Mapping[int, float] = {}
        self._asked = self._asked_mention()

    @cached_property
    def _people(self) -> People:
        """The persons of the original; of most rewrites nobody asks."""
        return People(self._reading)

    def verdict(self) -> Verdict:
        """Return the first fault, or none."""
        span = self._first_fault()
        if span is None:
            return ACCEPTED
        before = self._old.span(span.first, span.end)
        after = self._new.span(span.after_first, span.after_end)
        sentence = format_fault(
            span.fault, self._old.text[slice(*before)], self._new.text[slice(*after)]
        )
        return Verdict(span.fault, before, after, sentence)

    def asks(self) -> tuple[Annotation, Mention] | None:
        """Return the original and the mention that was asked about; None where none was."""
        asked = self._asked
        return None if asked is None or asked < 0 else (self._reading, self._mentions[asked])

    def _asked_mention(self) -> int | None:
        """Return which mention was asked about; None where none was, -1 where it is not read."""
        if self._request.word is None:
            return None
        for first, end in self._asked_places():
            for slot in self._own:
                if slot.first < end and first < slot.end:
                    return slot.number
        return -1

    def _asked_places(self) -> list[tuple[int, int]]:
        """Return the units where the word stands that was asked about."""
        word, start, old = self._request.word or "", self._request.start, self._old
        places = places_of(word, old.text) if start is None else [start]
        return [(old.at(place), old.until(place + len(word))) for place in places]

    def _first_fault(self) -> FaultSpan | None:
        """Return the first fault in the order of the text."""
        size, after_size = len(self._old.folded), len(self._new.folded)
        if not any(map(is_word, self._new.folded)) and any(map(is_word, self._old.folded)):
            return FaultSpan(0, size, 0, after_size, Fault.EMPTY)
        if self._asked == -1:
            return FaultSpan(*self._asked_places()[0], 0, 0, Fault.UNREAD)
        alignment = self._aligned()
        verbs = set(agreeing_verbs(self._old, self._new, alignment.changes))
        faults = [*self._wrong_changes(alignment.changes, verbs)]
        faults += self._merged_pairs(alignment.changes)
        if alignment.end < size or alignment.after_end < after_size:
            faults.append(difference_at(self._old, self._new, alignment.end, alignment.after_end))
        else:
            if not (self._request.target is None or self._mentions or alignment.changes):
                return FaultSpan(0, size, 0, after_size, Fault.UNREAD)
            faults += self._unchanged(alignment.changes)
            faults += self._not_agreeing(alignment.changes, verbs)
            faults += self._out_of_order(alignment.changes)
            retyped = retyped_at(self._old, self._new, alignment.changes)
            faults += (FaultSpan(*places, Fault.RETYPED) for places in retyped)
        return min(faults, default=None)

    def _aligned(self) -> Alignment:
        """Read the rewrite as its original."""
        preferred = self._axis.becomes(self._request.target)
        aligner = Aligner(self._old, self._new, self._slots, self._axis.forms, self._ages)
        if preferred:
            return aligner.read(preferred)
        # What nobody asked for is what the first mention became; "29" may be of an adult as well.
        pairs = [(change.slot, change) for change in aligner.read({}).changes]
        slots = [(slot.mention.term, change) for slot, change in reversed(pairs) if slot]
        slots.sort(key=lambda pair: pair[0].entry.kind != "age")
        first = {term.attribute: change.attribute for term, change in slots}
        return aligner.read(first)

    def _wrong_changes(self, changes: list[Change], verbs: _Verbs) -> Iterator[FaultSpan]:
        """Find what was rewritten and should not be, or should be otherwise."""
        becomes = self._becoming(changes)
        names: dict[str, str] = {}
        sets: dict[str, frozenset[str]] = {}
        for change in changes:
            fault: Fault | None = None
            if change.slot is None:
                places = {(change.first, -1), (-1, change.after_first)}
                fault = Fault.REWORDED if verbs.isdisjoint(places) else None
            elif self._is_somebody_else(change.slot):
                fault = Fault.WRONG_PERSON
            elif self._is_wrong(change, changes, becomes):
                fault = Fault.WRONG_ATTRIBUTE
            elif change.slot.mention.term.is_name:
                fault = self._wrong_name(change, names, changes)
            elif self._is_of_other_set(change, change.slot, sets):
                fault = Fault.BROKEN_CHAIN
            if fault is not None:
                yield FaultSpan(*change[:4], fault)

    def _becoming(self, changes: list[Change]) -> dict[str, str]:
        """Return what each attribute has to become: what was asked for, or what is told first.

        A word for everybody tells nothing where another word of the attribute tells more.
        """
        becomes: dict[str, str] = {}
        for is_telling in (True, False):
            for change in changes:
                if change.slot and change.attribute and is_telling is not self._is_general(change):
                    own = change.slot.mention.term.attribute
                    becomes.setdefault(own, self._request.target or change.attribute)
        return becomes

    def _is_general(self, change: Change) -> bool:
        """Whether a noun became one for everybody: "firefighter"."""
        if change.slot is None or change.attribute != self._axis.lexicon.neutral:
            return False
        term = change.slot.mention.term
        return not term.is_name and term.entry.kind not in ("pronoun", "title")

    def _is_wrong(self, change: Change, changes: list[Change], becomes: dict[str, str]) -> bool:
        """Whether an attribute is not the one asked for, or not the same for everyone.

        A word for everybody is right beside another word of the person that tells the attribute.
        """
        if change.slot is None or not change.attribute:
            return False
        wanted = becomes[change.slot.mention.term.attribute]
        if change.attribute == wanted:
            return False
        return not self._is_general(change) or not any(
            other.attribute == wanted and self._may_be_one(change.slot, other.slot)
            for other in changes
            if other.slot
        )

    def _may_be_one(self, slot: Slot, other: Slot) -> bool:
        """Whether two mentions are not surely of two persons."""
        pairs = product(slot.numbers, other.numbers)
        return any(not self._people.are_distinct(*pair) for pair in pairs)

    def _merged_pairs(self, changes: list[Change]) -> Iterator[FaultSpan]:
        """Find the pairs that named two kinds, and now name one twice: "women and women"."""
        pairs = [pair for pair in pairwise(self._own) if are_joined(self._old, *pair)]
        if not pairs:
            return
        becomes = {c.slot.number: c for c in changes if c.slot and c.slot.partner < 0}
        for one, other in pairs:
            ends = [becomes.get(slot.number) for slot in (one, other)]
            change = ends[0] or ends[1]
            if change is None or one.mention.term.is_name:
                continue
            kinds = {self._new_attribute(*end) for end in zip((one, other), ends, strict=True)}
            is_row = one.mention.term.entry is other.mention.term.entry
            if len({attribute for attribute, _ in kinds}) == 1 and (is_row or len(kinds) == 1):
                yield FaultSpan(*change[:4], Fault.WRONG_ATTRIBUTE)

    def _new_attribute(self, slot: Slot, change: Change | None) -> tuple[str, str]:
        """Return the attribute that stands in the place of a mention, and its last word."""
        if change is None:
            return slot.mention.term.attribute, self._old.folded[slot.end - 1]
        return change.attribute, self._new.folded[change.after_end - 1]

    def _is_somebody_else(self, slot: Slot) -> bool:
        """Whether somebody surely is not the person who was asked about."""
        asked = self._asked
        if asked is None:
            return False
        if not slot.numbers:
            own = slot.mention.term.attribute
            return own not in ("", self._mentions[asked].term.attribute)
        persons = self._people.persons
        return all(
            self._people.are_distinct(asked, number)
            or (persons[number] != persons[asked] and self.shares.get(number, 1) < 1 - _SURE)
            for number in slot.numbers
        )

    def _is_of_other_set(self, change: Change, slot: Slot, sets: dict[str, frozenset[str]]) -> bool:
        """Whether a pronoun is of another set than those before it: "ze" behind "xe"."""
        if slot.mention.term.entry.kind != "pronoun" or change.after_end != change.after_first + 1:
            return False
        candidates = pronoun_sets_with(self._new.folded[change.after_first])
        sets[change.attribute] = candidates & sets.get(change.attribute, candidates)
        return bool(candidates) and not sets[change.attribute]

    def _wrong_name(
        self, change: Change, names: dict[str, str], changes: list[Change]
    ) -> Fault | None:
        """Whether a name is not what it became elsewhere, or somebody else's."""
        before = self._old.folded[change.first]
        after = self._new.folded[change.after_first]
        if names.setdefault(before, after) != after:
            return Fault.BROKEN_CHAIN
        is_shared = list(names.values()).count(after) > 1 or self._stays(after, changes)
        return Fault.NAME if is_shared and self._axis.names_change else None

    def _stays(self, name: str, changes: list[Change]) -> bool:
        """Whether a word stands somewhere with a capital letter and is not rewritten."""
        old = self._old
        places = (unit for unit, word in enumerate(old.folded) if word == name)
        return name in old.folded and any(
            not any(change.first <= unit < change.end for change in changes)
            for unit in filter(old.is_capital, places)
        )

    def _not_agreeing(self, changes: list[Change], verbs: _Verbs) -> Iterator[FaultSpan]:
        """Find the verbs that stay, but whose subject became they, or was it."""
        if not verbs:
            return
        done = {(unit, -1) for c in changes for unit in range(c.first, c.end)}
        done |= {(-1, unit) for c in changes for unit in range(c.after_first, c.after_end)}
        for first, after_first in verbs - done:
            shift = _shift(changes, first - 1, after_first - 1)
            first, after_first = max(first, after_first - shift), max(after_first, first + shift)
            yield FaultSpan(first, first + 1, after_first, after_first + 1, Fault.AGREEMENT)

    def _out_of_order(self, changes: list[Change]) -> Iterator[FaultSpan]:
        """Find the ages of relatives of which the older became the younger."""
        pairs = [*ages_of_kin(self._reading)]
        if not pairs:
            return
        rewritten = {change.slot.number: change for change in changes if change.slot}
        for pair in pairs:
            moved = [rewritten[number] for number in pair if number in rewritten]
            if not moved:
                continue
            before, after = [], []
            for slot, change in ((self._own[n], rewritten.get(n)) for n in pair):
                own = years_of(self._old.folded[slot.first : slot.end], slot.mention.term.attribute)
                written = self._new.folded[change.after_first : change.after_end] if change else ()
                before.append(own)
                after.append(years_of(written, change.attribute) if change else own)
            if not are_in_order(before, after):
                yield FaultSpan(*moved[-1][:4], Fault.AGES)

    def _unchanged(self, changes: list[Change]) -> Iterator[FaultSpan]:
        """Find the mentions that stay, but were asked for or are of who was rewritten."""
        rewritten = [change for change in changes if change.slot is not None]
        # A wider form may cover another mention: "middle-aged adult" for "child".
        ends = {unit: c.end for c in rewritten for unit in range(c.first, c.end)}
        changed = {slot.number for slot in self._own if slot.end <= ends.get(slot.first, 0)}
        if len(changed) == len(self._own):
            return
        becomes = {c.slot.mention.term.attribute: c.attribute for c in rewritten if c.slot}
        for slot in self._own:
            fault: Fault | None = None
            if slot.number in changed:
                continue
            if slot.number == self._asked:
                fault = Fault.UNCHANGED
            elif self._has_to_follow(slot, becomes):
                if not rewritten and self._asked is None:
                    fault = Fault.UNCHANGED
                elif self._request.everyone or self._follows(slot, changed):
                    fault = Fault.BROKEN_CHAIN
            if fault is not None:
                shift = _shift(changes, slot.first)
                yield FaultSpan(slot.first, slot.end, slot.first + shift, slot.end + shift, fault)

    def _follows(self, slot: Slot, changed: AbstractSet[int]) -> bool:
        """Whether a mention is of the person who was asked about, or of one who changed."""
        people, asked = self._people, self._asked
        followed = {people.persons[number] for number in changed}
        if asked is not None:
            followed.add(people.persons[asked])
            followed |= {
                people.persons[number]
                for number, share in self.shares.items()
                if share > _SURE and not people.are_distinct(asked, number)
            }
        return people.persons[slot.number] in followed

    def _has_to_follow(self, slot: Slot, becomes: Mapping[str, str]) -> bool:
        """Whether a mention has to change with the person's attribute.

        Without a target it has to become what its attribute became elsewhere, or its counterpart;
        where nothing was rewritten and there is no counterpart, anything else.
        """
        term, lexicon = slot.mention.term, self._axis.lexicon
        if term.is_name and not self._axis.names_change:
            return False
        if any(slot.number in other.numbers for other in self._slots if other.partner >= 0):
            return False  # "he or she" is of everybody already
        wanted = self._request.target or becomes.get(term.attribute)
        wanted = wanted or lexicon.counterparts.get(term.attribute)
        is_open = not (wanted or becomes or lexicon.counterparts)
        others = lexicon.attributes if is_open else (wanted or term.attribute,)
        others = tuple(name for name in others if name != term.attribute)
        forms = [term.entry.forms.get(name) for name in others]
        # A host is a host, whether woman or not, and so is an actor who was not asked about.
        if (
            self._asked is None
            and term.attribute in becomes
            and any(self._axis.forms.says(slot.spelling, name, term.entry) for name in others)
        ):
            return False
        return any(cell and cell[0].text.lower() != slot.spelling for cell in forms)


def _shift(changes: list[Change], first: int, after_first: int = -1) -> int:
    """Return how many more units the rewrite has than the original up to one of either."""
    shifts = (
        change.after_end - change.end
        for change in reversed(changes)
        if (change.first <= first if first >= 0 else change.after_first <= after_first)
    )
    return next(shifts, 0)
