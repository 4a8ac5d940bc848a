"""The names that a swap writes: never that of somebody who keeps it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fair_datasets.lexicons import Entry, load_lexicon, name_lexicons
from fair_datasets.matching.accents import without_accents
from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.tokens import Tokens
from fair_datasets.swap.directions import Targets

# A name in lower case, and the attribute that it is written for, to what is written; empty where
# the name has to stay.
Names = Mapping[tuple[str, str], str]


class _Partner(NamedTuple):
    """A name's counterpart, and the row of the list that both stand in."""

    name: str
    entry: Entry


def other_names(readings: Sequence[Reading | None], targets: Targets) -> Names:
    """Choose other names for those whose counterpart is a name that stays in the row.

    "John met Mary", of whom Mary alone is rewritten, would become "John met John". What is written
    then is the next name of the list that the row has not.

    Args:
        readings: The texts of a row, with the mentions that are rewritten.
        targets: Axis and attribute to the attribute that its terms are rewritten to.

    Returns:
        What is written for these names; nothing is said of the others.

    Example:
        >>> from fair_datasets.matching.find import table_of
        >>> from fair_datasets.matching.rows import read_text
        >>> reading = read_text("John met Mary.", table_of("gender", owner="other_names"))
        >>> other_names([reading], {("gender", "woman"): "man"})
        {('mary', 'man'): 'James'}
        >>> other_names([reading], {("gender", "woman"): "man", ("gender", "man"): "woman"})
        {}
    """
    found = [reading for reading in readings if reading is not None]
    partners: dict[tuple[str, str], _Partner] = {}
    rewritten: list[set[int]] = []
    for _, mentions, _ in found:
        named = [(m, pair) for m in mentions if m.term.is_name and (pair := _pair(m, targets))]
        rewritten.append({mention.first for mention, _ in named})
        for mention, (target, partner) in named:
            partners.setdefault((mention.term.spelling.lower(), target), partner)
    written = {without_accents(partner.name) for partner in partners.values()}
    words = [_plain(reading.tokens) for reading in found]
    if all(map(written.isdisjoint, words)):
        return {}
    staying, taken = set[str](), set(written)
    for reading, plain, own in zip(found, words, rewritten, strict=True):
        capitalised = set(_capitalised(reading.tokens))
        taken.update(plain[index] for index in capitalised)
        staying.update(plain[index] for index in capitalised - own)
    names: dict[tuple[str, str], str] = {}
    for (name, target), partner in partners.items():
        if without_accents(partner.name) in staying:
            others = _next_names(partner.entry, target)
            free = (each for each in others if without_accents(each) not in taken)
            names[name, target] = next(free, "")
            taken.add(without_accents(names[name, target]))
    return names


def _pair(mention: Mention, targets: Targets) -> tuple[str, _Partner] | None:
    """Return the attribute that a name is written for and its counterpart, if there is one."""
    term = mention.term
    target = targets.get((term.axis, term.attribute), "")
    forms = term.entry.forms.get(target) if target else None
    return (target, _Partner(forms[0].text, term.entry)) if forms else None


def _plain(tokens: Tokens) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    return tokens.lower if tokens.text.isascii() else [*map(without_accents, tokens.lower)]


def _capitalised(tokens: Tokens) -> Sequence[int]:
    """Return the words that may be names: all of them where none has a capital."""
    places = range(len(tokens.lower))
    return list(filter(tokens.is_capitalised, places)) or places


def _next_names(entry: Entry, target: str) -> Iterator[str]:
    """Give the names of an attribute behind a row of a list, and then those before it.

    A name that is a word or a place as well is passed over.
    """
    for lexicon in map(load_lexicon, name_lexicons()):
        if entry in lexicon.entries:
            place = lexicon.entries.index(entry)
            for row in (*lexicon.entries[place + 1 :], *lexicon.entries[:place]):
                forms = row.forms.get(target, ()) if row.kind == entry.kind else ()
                yield from (form.text for form in forms[:1] if not form.flags)
