"""Reading a rewrite as its original with other forms of mentions, and naming what else differs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fair_datasets.reader.english.verbs import guessed_plural_form
from fair_datasets.reader.matching.found import Mention
from fair_datasets.reader.matching.terms import Term
from fair_datasets.swap.agreement import ARTICLES, takes_an
from fair_datasets.swap.verification.forms import BOTH, Forms, Slot, Units, Written, split_units

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
        self._ages: Mapping[int, list[Slot]] = _by_first(ages)

    def read(self, preferred: Mapping[str, str]) -> Alignment:
        """Read the rewrite; where there are several ways, that with the attributes asked for."""
        size, after_size = len(self.old.folded), len(self.new.folded)
        reached: _State = (0, 0, None)
        seen: set[tuple[int, int]] = set()
        open_states: list[_State] = [reached]
        while open_states:
            state = self._same_from(open_states, open_states.pop(), seen, preferred)
            if state[0] + state[1] > reached[0] + reached[1]:
                reached = state
            if state[0] == size and state[1] == after_size:
                break
            if state[:2] not in seen:
                seen.add(state[:2])
                open_states += self._agreeing(*state)
                open_states += self._compound(*state)
                open_states += self._rewritten(*state, preferred)
        return Alignment(_listed(reached[2]), reached[0], reached[1])

    def _same_from(
        self,
        open_states: list[_State],
        state: _State,
        seen: set[tuple[int, int]],
        preferred: Mapping[str, str],
    ) -> _State:
        """Go on while the units are the same, and note where a mention could be read otherwise."""
        i, j, path = state
        old, new, slots = self.old.folded, self.new.folded, self._slots
        while i < len(old) and j < len(new) and old[i] == new[j]:
            if i in slots and (i, j) not in seen:
                seen.add((i, j))
                open_states += self._rewritten(i, j, path, preferred)
            i, j = i + 1, j + 1
        return i, j, path

    def _rewritten(
        self, i: int, j: int, path: _Path, preferred: Mapping[str, str]
    ) -> Iterator[_State]:
        """Give the ways to read a mention in another form; the best last."""
        found: list[tuple[bool, int, _State]] = []
        for slot in self._slots.get(i, ()):
            own = slot.mention.term.attribute
            for size, attribute in self._written(slot, j):
                if attribute == own:
                    continue
                is_asked = attribute == preferred.get(own, attribute)
                for end, after_end in self._endings(slot, slot.end, j + size):
                    change = Change(i, end, j, after_end, slot, attribute)
                    state = (end, after_end, (path, change))
                    found.append((is_asked, end - i + after_end - j, state))
        yield from (state for *_, state in sorted(found, key=lambda option: option[:2]))

    def _written(self, slot: Slot, j: int) -> Iterator[tuple[int, str]]:
        """Give the size and the attribute of each form that may stand in a slot."""
        for written in self.forms.at(self.new, j):
            if self._fits(slot, written):
                yield written.size, written.attribute
        for written in self.forms.at(self.new, j - 1) if j else ():
            # "Buddhist monk" for "Baptist pastor": what stands there already is not said again.
            if written.size > 1 and self._fits(slot, written):
                yield written.size - 1, written.attribute
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

    def _fits(self, slot: Slot, written: Written) -> bool:
        """Tell whether a form says the same of a person, or of both of a pair."""
        are_one = slot.mention.term.entry.kind == "pronoun" or written.entry.is_plural
        if slot.partner >= 0 and not are_one:
            # "Chinese or Thai" may be "Greek", but "mother and father" are no "parent".
            are_one = BOTH.isdisjoint(self.old.folded[slot.first : slot.end])
        return (slot.partner < 0 or are_one) and self.forms.may_stand_for(
            slot.mention, slot.spelling, written
        )

    def _endings(self, slot: Slot, i: int, j: int) -> Iterator[tuple[int, int]]:
        """Give where both texts go on behind a mention, whose possessive or period may differ."""
        yield i, j
        old, new = self.old, self.new
        if slot.mention.term.entry.kind == "title":
            if old.folded[i : i + 1] == ["."]:
                yield i + 1, j
            if new.folded[j : j + 1] == ["."]:
                yield i, j + 1
        if old.folded[i : i + 1] == ["'"] == new.folded[j : j + 1]:
            if not old.gap(i) and new.folded[j + 1 : j + 2] == ["s"]:
                yield i + 1, j + 2
            if not new.gap(j) and old.folded[i + 1 : i + 2] == ["s"]:
                yield i + 2, j + 1

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
            following = self.new.written(j + 1, min(j + 2, len(new)))
            if i + 1 in self._slots and takes_an(following) == (other == "an"):
                yield i + 1, j + 1, path
        elif agrees(one, other) or (i > 0 and old[i - 1] == "'" and (one, other) in _BOTH_WAYS):
            yield i + 1, j + 1, (path, Change(i, i + 1, j, j + 1, None, ""))


_BOTH_WAYS = frozenset(pair for plural in _CONTRACTED for pair in ((plural, "s"), ("s", plural)))


def agrees(one: str, other: str) -> bool:
    """Tell whether two words are the singular and the plural of one verb, in either order."""
    return one == guessed_plural_form(other) or other == guessed_plural_form(one)


def _by_first(slots: Sequence[Slot]) -> dict[int, list[Slot]]:
    """Look slots up by their first unit."""
    found: dict[int, list[Slot]] = {}
    for slot in slots:
        found.setdefault(slot.first, []).append(slot)
    return found


def _listed(path: _Path) -> list[Change]:
    """List the changes of a path in the order of the text."""
    changes = []
    while path is not None:
        path, change = path
        changes.append(change)
    return changes[::-1]
