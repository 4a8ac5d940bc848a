"""Where in a text other forms may stand: in the place of its mentions, and of a few more words."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from fair_datasets.lexicons import Entry
from fair_datasets.reader.english.pronouns import case_is_open
from fair_datasets.reader.matching.found import Mention, Reading, Reason
from fair_datasets.reader.matching.terms import Term
from fair_datasets.swap.verification.clauses import OWNERS
from fair_datasets.swap.verification.forms import Forms
from fair_datasets.swap.verification.units import Units

# Why a word is left alone that a person would often rewrite nonetheless: "the count", "King Lear".
_UNSURE = frozenset({Reason.THING, Reason.TITLE, Reason.NOT_A_TITLE})
#: What joins two persons who stay two.
BOTH = frozenset({"and", "&"})
_OPENERS = OWNERS | {"the"}
_CONNECTORS = BOTH | {"or", "nor", "/"}


class Slot(NamedTuple):
    """Units of the original in whose place another form may stand.

    Attributes:
        end: The unit behind the last.
        number: Which mention it is; of a pair ("he or she") the first; -1 for what may change, but
            is not read as a mention.
        spelling: The units that it is written with, parted by spaces; of a pair the first's.
        partner: The second mention of a pair; -1 where it is none.
    """

    first: int
    end: int
    number: int
    mention: Mention
    spelling: str
    partner: int = -1

    @property
    def numbers(self) -> tuple[int, ...]:
        """Which mentions are rewritten with it."""
        return tuple(number for number in (self.number, self.partner) if number >= 0)


def slots_of(units: Units, reading: Reading, forms: Forms) -> list[Slot]:
    """Return where other forms may stand.

    Returns:
        For each mention a slot; then those of pairs, those of a mention with more or fewer words,
        those of words that the reader leaves alone, but is not sure of, and those of names that
        no one group bears.
    """
    tokens = reading.tokens

    def slot_of(number: int, mention: Mention) -> Slot:
        first, end = units.at(tokens.starts[mention.first]), units.until(tokens.end(mention.last))
        return Slot(first, end, number, mention, " ".join(units.folded[first:end]))

    slots = [slot_of(number, mention) for number, mention in enumerate(reading.mentions)]
    others = []
    for one, other in pairwise(slots):
        if _are_pair(units, one, other):
            others.append(one._replace(end=other.end, partner=other.number))
    for slot in slots:
        is_open = case_is_open(tokens, slot.mention.last)
        others += _slots_of_size(units, slot, forms, is_open=is_open)
    for first, last, reason, *_ in reading.left:
        if reason in _UNSURE:
            left = slot_of(-1, Mention(first, last, Term("", Entry({}))))
            others += _slots_of_size(units, left, forms)
    for unit, word in enumerate(units.folded):
        if forms.is_shared_name(word) and units.text[units.starts[unit]].isupper():
            shared = Mention(-1, -1, Term("", Entry({}), is_name=True))
            others.append(Slot(unit, unit + 1, -1, shared, word))
    return slots + others


def _slots_of_size(
    units: Units, slot: Slot, forms: Forms, *, is_open: bool = False
) -> Iterator[Slot]:
    """Give what may be rewritten with more or fewer words than the mention that is read.

    For words that are read as none, and a pronoun whose case is open: what may be rewritten too.
    """
    own = slot.mention.term.attribute
    is_settled = slot.mention.term.entry.kind == "pronoun" and not is_open
    for written in forms.at(units, slot.first):
        size, end = slot.end - slot.first, slot.first + written.size
        if is_settled and end == slot.end:
            continue
        if written.attribute == own if own else not written.is_name and written.size == size:
            term = slot.mention.term._replace(attribute=written.attribute, entry=written.entry)
            yield slot._replace(
                end=end,
                mention=slot.mention._replace(term=term),
                spelling=" ".join(units.folded[slot.first : end]),
            )


def _are_pair(units: Units, one: Slot, other: Slot) -> bool:
    """Tell whether two mentions are forms of one row, with nothing but a connector between."""
    is_row = one.mention.term.entry is other.mention.term.entry
    return is_row and other.first == one.end + 1 and are_joined(units, one, other)


def are_joined(units: Units, one: Slot, other: Slot) -> bool:
    """Tell whether two mentions of different attributes are joined by or, and or a slash.

    Returns:
        Whether they are, be it with "the" or an owner before the second: "the men and the women".
    """
    if one.mention.term.attribute == other.mention.term.attribute:
        return False
    between = units.folded[one.end : other.first]
    return between[:1] != [] and between[0] in _CONNECTORS and set(between[1:]) <= _OPENERS
