"""A text as words and signs, and what may be written for a mention: forms, names and pronouns."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from rapidfuzz.distance import OSA

from fair_datasets.lexicons import Entry, Lexicon, available_lexicons, load_lexicon, name_lexicons
from fair_datasets.reader.english import lists
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import is_person_noun
from fair_datasets.reader.english.verbs import auxiliaries, verbs
from fair_datasets.reader.matching.letters import capitalised, match_case, without_accents
from fair_datasets.reader.matching.mentions import Annotation, Mention, Reason, names_without_group
from fair_datasets.reader.matching.table import age_tags, read_lexicon, table_digests
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.tokenizer import GENDERED_TITLES
from fair_datasets.reader.names.given_names import genders_of
from fair_datasets.swap.agreement import THEY, available_pronoun_sets, pronoun_set
from fair_datasets.swap.drawn_names import RULE
from fair_datasets.swap.verification.clauses import OWNERS

# What lies between units: white space, and the spaces and joiners that are not seen.
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_UNIT = re.compile(
    # Most words are of ASCII; of the others, with the marks that belong to their letters.
    r"([A-Za-z0-9]++(?![^\x00-\x7f])|"
    rf"[^\W_]+(?:[\u0300-\u036f{_UNSEEN}](?=[^\W_{_UNSEEN}]|[\u0300-\u036f])[^\W_]*)*"
    rf"[\u0300-\u036f]*|\.\.+|--+|``|''|[^\s{_UNSEEN}])"
)
# Signs that are typed in several ways.
_SIGNS = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛`´′", "'") | dict.fromkeys("‐‑‒–—―−", "-")
)
_RUNS = {"``": '"', "''": '"', "…": "..."}
# The signs of ASCII that are folded; of its letters only the case is.
_FOLDED = re.compile(r"\.\.|--|`|''")


class Units(NamedTuple):
    """A text as words and signs.

    Attributes:
        folded: Each unit without its letter case, accents and kind of quote or dash.
    """

    text: str
    folded: list[str]
    starts: list[int]
    ends: list[int]

    def at(self, offset: int) -> int:
        """Return which unit an offset in the text lies in, or else the one behind it."""
        return bisect_right(self.ends, offset)

    def until(self, offset: int) -> int:
        """Return the number of units that begin before an offset in the text."""
        return bisect_left(self.starts, offset)

    def written(self, first: int, end: int) -> str:
        """Return what is written from a unit to before another."""
        return self.text[self.starts[first] : self.ends[end - 1]] if first < end else ""

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return where a stretch of units lies in the text; an empty one behind the last unit."""
        if first < end:
            return self.starts[first], self.ends[end - 1]
        place = self.ends[first - 1] if first else 0
        return place, place

    def is_capital(self, index: int) -> bool:
        """Whether a unit begins with a capital letter."""
        return self.text[self.starts[index]].isupper()

    def gap(self, index: int) -> str:
        """Return what lies before a unit, or behind the last one."""
        return self.between(index, index)

    def between(self, first: int, end: int) -> str:
        """Return some units with what lies before each, and behind the last."""
        begin = self.ends[first - 1] if first else 0
        return self.text[begin : self.starts[end] if end < len(self.starts) else None]


def split_units(text: str) -> Units:
    """Split a text into words and signs."""
    is_plain = text.isascii() and not _FOLDED.search(text)
    # What lies between, and each unit, in turns.
    parts = _UNIT.split(text.lower() if is_plain else text)
    edges = list(accumulate(map(len, parts)))
    units = parts[1::2]
    return Units(text, units if is_plain else [*map(fold, units)], edges[:-1:2], edges[1::2])


@lru_cache(maxsize=1 << 16)
def fold(unit: str) -> str:
    """Write a word or sign without its letter case, accents and kind of quote or dash."""
    if not unit[0].isalnum():
        unit = "..." if unit.startswith("..") else "-" if unit.startswith("--") else unit
        unit = _RUNS.get(unit, unit.translate(_SIGNS))
    plain = "".join(
        character
        for character in unicodedata.normalize("NFKD", unit)
        if unicodedata.category(character) not in ("Mn", "Cf")
    )
    return (plain or unit).casefold()


def is_word(folded: str) -> bool:
    """Whether a unit is a word or a number, and no sign."""
    return folded[0].isalnum()


def genders_at(units: Units, index: int) -> Sequence[str]:
    """Return who bears a capitalised word as a given name, by the tables of names of the world."""
    is_there = index < len(units.folded) and units.is_capital(index)
    return genders_of(without_accents(units.written(index, index + 1))) if is_there else ()


_WORD = re.compile(r"[^\W_]+")
SENTENCE_ENDS = frozenset({".", "!", "?", "..."})
# A longer run of letters is no word.
# From this length on a word may have two mistakes.
_LONG = 8


def is_misspelt(old: Units, index: int, after: str) -> bool:
    """Whether a word is a mistake in spelling, of which another is the right spelling.

    Example:
        >>> is_misspelt(split_units("I recieve it"), 1, "receive")
        True
        >>> is_misspelt(split_units("It was now"), 2, "not")
        False
    """
    before = old.folded[index]
    if max(len(before), len(after)) > _LONGEST:
        return False
    if min(len(before), len(after)) < 3 or not (before.isalpha() and after.isalpha()):
        return False
    allowed = 2 if len(before) >= _LONG else 1
    if OSA.distance(before, after, score_cutoff=allowed) > allowed:
        return False
    # A capital letter within a sentence is that of a name, of which the lists know few.
    is_name = old.is_capital(index) and index and is_word(old.folded[index - 1])
    return not is_name and not is_known(before) and is_known(after)


def in_case_of(old: Units, index: int, written: str, *, is_uncased: bool = False) -> str:
    """Write what stands in the place of a word in that word's letter case.

    Returns:
        The same in the letter case of the word. A capital letter that either has in any place
        ("Asian", "Mary") says nothing. What no list knows, or what may be two words ("peter"),
        stays as it is where letter case is kept.

    Example:
        >>> old = split_units("HE saw him. Asian men saw Mary.")
        >>> [in_case_of(old, place, "She") for place in (0, 2)]
        ['SHE', 'she']
        >>> in_case_of(old, 4, "white"), in_case_of(old, 7, "JOHN")
        ('White', 'John')
    """
    before, own = old.written(index, index + 1), _spellings().get(old.folded[index])
    natural = _natural(written)
    if own is None or natural is None:
        is_one = is_uncased and len(split_units(written).folded) == 1
        return match_case(before, written) if is_one else written
    if before.isupper() and index and old.folded[index - 1] == "'":
        return natural.upper()  # "HE'S"
    if before not in own or before.islower():
        return match_case(before, natural)
    if not natural.islower():
        return natural
    return capitalised(natural) if _opens(old, index) else written


@lru_cache(maxsize=1 << 14)
def _natural(written: str) -> str | None:
    """Return words as they stand within a sentence; None where no list knows one, or two do."""
    forms: list[str] = []
    for unit in split_units(written).folded:
        known = _spellings().get(unit, frozenset())
        if len(known) != 1:
            return None
        forms += known
    following = iter(forms)
    return _WORD.sub(lambda match: next(following, match[0]), written)


def _opens(units: Units, index: int) -> bool:
    """Whether a word is the first of its sentence."""
    while index and not is_word(units.folded[index - 1]):
        index -= 1
        if units.folded[index] in SENTENCE_ENDS:
            return True
    return not index


@cache
def _spellings() -> Mapping[str, frozenset[str]]:
    """Return how the words of the shipped axes are written, and verbs, by what is compared."""
    spellings: dict[str, set[str]] = defaultdict(set)
    for text in _texts([*available_lexicons(), *name_lexicons()]):
        for word in _WORD.findall(text):
            spellings[fold(word)].add(word)
    for chosen in map(pronoun_set, available_pronoun_sets()):
        for word in chosen.forms.values():
            spellings[word].add(word)
    for word in {*_verbs(), *auxiliaries(), *auxiliaries().values(), "s", "re", "ve"}:
        spellings[word].add(word)
    return {word: frozenset(forms) for word, forms in spellings.items()}


def is_known(word: str) -> bool:
    """Whether a word is listed anywhere as an everyday word.

    Example:
        >>> is_known("house"), is_known("talis")
        (True, False)
    """
    return (
        word in words("common_words") or word in words("surname_words") or word in _listed_words()
    )


@cache
def _listed_words() -> frozenset[str]:
    """Return the verbs and the words of the shipped axes."""
    units = (unit for text in _texts(available_lexicons()) for unit in split_units(text).folded)
    return frozenset(units) | _verbs()


def _texts(lexicons: Iterable[str]) -> Iterator[str]:
    for lexicon in map(load_lexicon, lexicons):
        yield from (form.text for entry in lexicon.entries for _, form in entry.all_forms)


def _verbs() -> frozenset[str]:
    """Return the verbs in the third person, and their bases."""
    return frozenset({*verbs(), *(verb.base for verb in verbs().values())})


# Kinds of terms of which some say no more of a person than the attribute, so that one may stand for
# another: "gentlemen" for "women". A waiter is no hostess, and a mother no aunt.
_GENERAL = frozenset({"person", "title"})
# What such a term is without its attribute.
_ANYBODY = frozenset({"person", "people", "folks", "nonbinary", "mx"})

# What people are by what they do, where the form for men is said of everybody.
_DOERS = frozenset({"occupation", "role", "sport"})
_OF_WOMEN = ("woman", "women", "girl", "girls", "lady", "ladies")
# The fewest letters of a part of a compound, and the most of a compound.
_PART = 3
_LONGEST = 60


class WrittenForm(NamedTuple):
    """A form of an attribute as it stands in a rewrite.

    Attributes:
        attribute: The attribute; empty of a name that every group bears.
    """

    size: int
    attribute: str
    entry: Entry
    is_name: bool


class Forms:
    """The forms of an axis by their first unit, those that are only written included.

    Attributes:
        neutral: The attribute that says nothing about the axis, if there is one.
    """

    def __init__(self, lexicon: Lexicon, names: Sequence[Lexicon]) -> None:
        """Look the forms of a lexicon, and of lists of names, up by their first units."""
        self.neutral = lexicon.neutral
        # The numbers by which Python tells the rows apart, which are kept.
        self._entries: dict[tuple[str, str], set[int]] = {}
        self._by_first: dict[str, list[tuple[tuple[str, ...], WrittenForm]]] = {}
        self._longest: dict[str, int] = {}
        self._before: dict[str, set[str]] = {}
        # Most texts ask the same.
        self._standing = lru_cache(maxsize=1 << 16)(self._standing_at)
        for entry in (*lexicon.entries, *age_tags(lexicon.attributes, lexicon.language)):
            for attribute, form in entry.all_forms:
                self._add(form.text, attribute, entry)
                title, _, office = form.text.partition(" ")
                if office and title in GENDERED_TITLES:
                    self._add(f"{title}. {office}", attribute, entry)
            if entry.kind == "pronoun":
                self._add_pronouns(entry)
            elif lexicon.neutral and entry.kind in _DOERS:
                self._add_general(entry, lexicon)
        are_by_group = any(listed.names == "surnames" for listed in names)
        self._shared_names = names_without_group() if are_by_group else frozenset()
        for entry in chain.from_iterable(listed.entries for listed in names):
            for attribute, form in entry.all_forms:
                self._add(form.text, attribute, entry, is_name=True)

    def _add(self, text: str, attribute: str, entry: Entry, *, is_name: bool = False) -> None:
        folded = tuple(split_units(text).folded)
        written = WrittenForm(len(folded), attribute, entry, is_name)
        self._by_first.setdefault(folded[0], []).append((folded, written))
        for second in folded[1:2]:
            self._before.setdefault(second, set()).add(folded[0])
        self._longest[folded[0]] = max(len(folded), self.longest(folded[0]))
        self._entries.setdefault((" ".join(folded), attribute), set()).add(id(entry))

    def _add_pronouns(self, entry: Entry) -> None:
        """Add the neopronouns where the lexicon writes they."""
        for attribute in dict.fromkeys(k for k, form in entry.all_forms if form.text in THEY):
            for chosen in map(pronoun_set, available_pronoun_sets()):
                self._add(chosen.forms[entry.inflection], attribute, entry)

    def _add_general(self, entry: Entry, lexicon: Lexicon) -> None:
        """Add the form from which that of a counterpart is made: an actor may be anybody."""
        for own, other in lexicon.counterparts.items():
            for form in entry.forms.get(own, ()):
                if any(_is_made_of(made.text, form.text) for made in entry.forms.get(other, ())):
                    self._add(form.text, lexicon.neutral, entry)

    def at(self, units: Units, index: int) -> Sequence[WrittenForm]:
        """Return the forms that stand in a text from a unit on, a name only with a capital."""
        folded = units.folded
        if index >= len(folded):
            return ()
        end = index + self._longest.get(folded[index], 1)
        return self._standing(tuple(folded[index:end]), units.is_capital(index))

    def before(self, second: str) -> AbstractSet[str]:
        """Return the words with which forms begin that have a word or sign as their second."""
        return self._before.get(second, frozenset())

    def longest(self, word: str) -> int:
        """Return how many units the longest form has that begins with a word, and 1 of none."""
        return self._longest.get(word, 1)

    def _standing_at(self, words: tuple[str, ...], is_capitalised: bool) -> Sequence[WrittenForm]:
        """Return the forms that some words begin with."""
        forms = [
            written
            for spelling, written in self._by_first.get(words[0], ())
            if words[: len(spelling)] == spelling and (is_capitalised or not written.is_name)
        ]
        if is_capitalised and words[0].isalpha():
            forms += self._any_name(words[0])
            if self.is_shared_name(words[0]):
                forms.append(WrittenForm(1, "", Entry({}), True))
        return forms

    def _any_name(self, word: str) -> Iterator[WrittenForm]:
        """Give the readings of a capitalised word as a name that says nothing about the axis.

        A name that no list has may be one, unless the tables tell that one gender bears it.
        """
        if self.neutral and word not in lists.words("common_words"):
            is_listed = any(written.is_name for _, written in self._by_first.get(word, ()))
            is_open = not is_listed and len(genders_of(word)) != 1
            if is_open or word in lists.words("unisex_names"):
                yield WrittenForm(1, self.neutral, Entry({}), True)

    def shares_any(self, folded: Iterable[str]) -> bool:
        """Whether any of some words is a name that no one group bears."""
        return not self._shared_names.isdisjoint(folded)

    def is_shared_name(self, word: str) -> bool:
        """Whether a word is a name that no one group bears, where names have groups."""
        return word in self._shared_names

    def says(self, spelling: str, attribute: str, entry: Entry) -> bool:
        """Whether a spelling is a form of an attribute in a row as it stands."""
        return id(entry) in self._entries.get((spelling, attribute), ())

    def compounds(self, before: str, after: str) -> Iterator[tuple[str, WrittenForm]]:
        """Give how a noun for a person becomes another by a term at its end: "houseboy".

        Yields:
            The attribute of the term before, and the form that stands in its place.
        """
        # Whatever has a capital letter is a name: "Newman", "German".
        if max(len(before), len(after)) > _LONGEST or not is_person_noun(before):
            return
        for cut in range(_PART, len(before) - _PART + 1):
            head = before[:cut]
            if after.startswith(head) and (is_known(head) or is_known(head.removesuffix("s"))):
                yield from self._counterparts(before[cut:], after[cut:])

    def _counterparts(self, before: str, after: str) -> Iterator[tuple[str, WrittenForm]]:
        """Give the rows that two nouns are forms of."""
        for spelling, written in self._by_first.get(after, ()):
            is_noun = written.entry.inflection in ("singular", "plural", "adjective")
            if is_noun and len(spelling) == 1 and not written.is_name:
                for attribute, form in written.entry.all_forms:
                    if form.text == before:
                        yield attribute, written

    def may_stand_for(self, mention: Mention, spelling: str, written: WrittenForm) -> bool:
        """Whether a form of another attribute says the same of a person as a mention.

        Returns:
            Whether it is a counterpart: a form of a row with the mention's spelling (of a pronoun,
            in the mention's case), a name for a name, or another general word for people.
        """
        own, other = mention.term.entry, written.entry
        if mention.term.is_name or written.is_name:
            is_same_kind = not (own.kind and other.kind) or own.kind == other.kind
            return mention.term.is_name and written.is_name and is_same_kind
        if self.says(spelling, mention.term.attribute, other):
            # "Her" is "him" or "his", but never both in one place.
            return own.kind != "pronoun" or own.inflection == other.inflection
        is_general = own.kind in _GENERAL and other.kind in _GENERAL
        return (
            is_general
            and own.inflection == other.inflection
            and self._says_besides(own) == self._says_besides(other)
        )

    def _says_besides(self, entry: Entry) -> str:
        """Return what a general term says besides its attribute: of children, "child".

        A term that says more than a stage of life says what no other row does: "countryman".
        """
        neutral = entry.forms.get(self.neutral, ())
        if not self.neutral or (entry.kind == "title" and not neutral):
            return ""
        if neutral and neutral[0].text in _ANYBODY:
            return ""
        stage = _stages().get(neutral[0].text) if neutral else None
        return stage or f"line {entry.line}"


@cache
def _stages() -> Mapping[str, str]:
    """Return the stages of life that nouns tell, as the axis of age has them: a kid is a child."""
    entries = (entry for entry in load_lexicon("age").entries if entry.kind == "person")
    nouns = (entry for entry in entries if entry.inflection in ("singular", "plural"))
    return {form.text: stage for entry in nouns for stage, form in entry.all_forms}


def _is_made_of(form: str, other: str) -> bool:
    """Whether a form is another one with an ending: "actress" of "actor"."""
    stem = other[: max(len(other) - 2, _PART)]
    return form.startswith(stem) and form != other and not form.endswith(_OF_WOMEN)


def forms_of(axis: str, *, names: bool) -> Forms:
    """Return the forms of an axis."""
    return _built(axis, table_digests(axis, names=names))


@lru_cache
def _built(axis: str, digests: tuple[tuple[str, str], ...]) -> Forms:
    """Build the forms of files with these digests, once per process."""
    lexicon = read_lexicon(axis, digests)
    stated = dict(digests)
    return Forms(lexicon, [load_lexicon(name) for name in name_lexicons() if name in stated])


#: Why a word is left alone that is surely none of a person, whoever asks: "Mother Teresa".
LISTED = frozenset({Reason.PHRASE, Reason.PROTECTED_NAME, Reason.PROTECTED_TEXT})
#: The same of a name.
NO_PERSON = LISTED | {Reason.NOT_A_NAME, Reason.TITLE}
#: What joins two persons who stay two.
BOTH = frozenset({"and", "&"})
_OPENERS = OWNERS | {"the"}
CONNECTORS = BOTH | {"or", "nor", "/"}


class Slot(NamedTuple):
    """Units of the original in whose place another form may stand.

    Attributes:
        number: Which mention it is; of a pair ("he or she") the first; -1 for what may change, but
            is not read as a mention.
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


def slots_of(
    units: Units, annotation: Annotation, forms: Forms, is_open: Container[int] = ()
) -> list[Slot]:
    """Return where other forms may stand.

    Args:
        is_open: The words of which the case is open, by `open_cases`.

    Returns:
        For each mention a slot; then those of pairs, those of a mention with more or fewer words,
        those of names that no list has and both genders may bear, and those of names that no one
        group bears. What the reader leaves alone has none.
    """
    tokens = annotation.tokens

    def units_of(first: int, last: int) -> tuple[int, int]:
        return units.at(tokens.starts[first]), units.until(tokens.end(last))

    slots = []
    for number, mention in enumerate(annotation.mentions):
        first, end = units_of(mention.first, mention.last)
        slots.append(Slot(first, end, number, mention, " ".join(units.folded[first:end])))
    others = [
        one._replace(end=other.end, partner=other.number)
        for one, other in pairwise(slots)
        if _are_pair(units, one, other)
    ]
    for slot in slots:
        if slot.mention.rule == RULE:
            others += _slots_of_gender(units, slot)
        others += _slots_of_size(units, slot, forms, is_open=slot.mention.last in is_open)
    if not forms.shares_any(units.folded):
        return slots + others
    no_person = {
        unit
        for first, last, reason, *_ in annotation.skipped
        if reason in NO_PERSON
        for unit in range(*units_of(first, last))
    }
    for unit, word in enumerate(units.folded):
        if forms.is_shared_name(word) and units.is_capital(unit) and unit not in no_person:
            shared = Mention(-1, -1, Term("", Entry({}), is_name=True))
            others.append(Slot(unit, unit + 1, -1, shared, word))
    return slots + others


def _slots_of_gender(units: Units, slot: Slot) -> Iterator[Slot]:
    """Give a name that no list has as a name of whoever else bears it by the tables."""
    term = slot.mention.term
    for attribute in genders_at(units, slot.first):
        if attribute != term.attribute:
            other = slot.mention._replace(term=term._replace(attribute=attribute))
            yield slot._replace(mention=other)


def _slots_of_size(
    units: Units, slot: Slot, forms: Forms, *, is_open: bool = False
) -> Iterator[Slot]:
    """Give what may be rewritten with more or fewer words than the mention that is read.

    For a pronoun whose case is open: what it may be as well.
    """
    own = slot.mention.term.attribute
    is_settled = slot.mention.term.entry.kind == "pronoun" and not is_open
    for written in forms.at(units, slot.first):
        end = slot.first + written.size
        is_own = is_settled or written.entry is slot.mention.term.entry
        if is_own and end == slot.end:
            continue
        if written.attribute == own:
            term = slot.mention.term._replace(attribute=written.attribute, entry=written.entry)
            yield slot._replace(
                end=end,
                mention=slot.mention._replace(term=term),
                spelling=" ".join(units.folded[slot.first : end]),
            )


def _are_pair(units: Units, one: Slot, other: Slot) -> bool:
    """Whether two mentions are forms of one row, with nothing but a connector between."""
    is_row = one.mention.term.entry is other.mention.term.entry
    return is_row and other.first == one.end + 1 and are_joined(units, one, other)


def are_joined(units: Units, one: Slot, other: Slot) -> bool:
    """Whether two mentions of different attributes are joined by or, and or a slash.

    Returns:
        Whether they are, be it with "the" or an owner before the second: "the men and the women".
    """
    if one.mention.term.attribute == other.mention.term.attribute:
        return False
    between = units.folded[one.end : other.first]
    return between[:1] != [] and between[0] in CONNECTORS and set(between[1:]) <= _OPENERS
