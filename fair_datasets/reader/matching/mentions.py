"""What is found in many texts, in columns and one by one: mentions, and what is left and why.

Beside it stand the candidates in columns while they are decided: the terms that they may be, how
each is read or why not, and the rule.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons.lexicon import NAME
from fair_datasets.reader.matching.terms import AGE_TAG, Phrase, Readings, Term
from fair_datasets.reader.matching.token_batch import (
    Candidates,
    Facts,
    Mask,
    Places,
    TokenBatch,
    edges,
)
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.matching.vocabulary import (
    Numbers,
    WordPairs,
    pair_of,
    pairs_of,
    vocabulary,
)


class Reason(Enum):
    """Why a candidate is left alone; the value says it in words."""

    OTHER_LANGUAGE = "its text is in another language"
    PROTECTED_TEXT = "it stands in an address, a handle, a tag, code or a path"
    PART_OF_WORD = "it is a part of a longer word"
    TITLE = "it stands in the title of a work"
    PHRASE = "it belongs to a phrase that is left alone"
    PROTECTED_NAME = "it belongs to a protected name"
    KNOWN_PERSON = "the row names a known person, and would become false"
    LOWER_CASE = "it is a term only where it is capitalised"
    HYPHENATED = "a hyphen joins it to another word"
    SURNAME = "it stands where a surname does"
    OTHER_PRONOUNS = "the name fits both genders, but is rarer for the gender of the row's pronouns"
    OTHER_GENDER = "its text says that somebody of the other gender bears the name"
    UNREAD_NAME = "it belongs to the name after it, which is left alone"
    NOT_A_TITLE = "it is a term only as a title before a name"
    VERB = "it is a verb here"
    THING = "it denotes no person here"
    NOT_PEOPLE = "it does not describe people here"
    OTHER_AGE = "the age beside it is not in whole years"
    NOT_A_NAME = "its neighbours speak against a person's name"
    UNSURE_NAME = "nothing in the row shows that it is a person's name"
    NAMES_NOT_ASKED = "names are read on this axis only with names=True"
    NO_GROUP = "it is a name, but not typical enough of any one group for the lists"
    LEFT_OUT = "it is a name, but too rare or doubtful for the lists by group"
    TOO_RARE = "it is a first name that too few people have in the statistics of names by group"
    NAME = "it is part of a name or a title"
    COMPOUND = "it says something else together with the words beside it"
    RELATIVE = "it says whose child someone is, of whatever age"
    TIED = "another word of the row is tied to the group"
    TITLED = "a title in the row is left alone, because its name is left alone"
    CALL = "it addresses someone, and there is no other word for that"
    CONTRAST = "two groups of the row would become one"
    GENDER = "the row is about a gender as such, and would make no sense without one"
    ANIMAL = "a pronoun of the row may refer to an animal or a god"
    NAMED = "the same word stays elsewhere in the row"
    TWICE = "two words of the row would become the same"
    NO_FORM = "the lexicon has no word for what it would become"
    FACT = "the row states a bodily or legal fact that would read as a contradiction"
    AGES = "the new ages would contradict each other or the years in the row"
    UNLISTED_NAME = "it names a person whose first name is on no list"
    DOUBTED_NAME = "a first name in it may be a surname, or no person's name"
    HALF_CHANGED = "a word would change that may be about somebody whose name stays"
    UNTRUSTED = "the confidence of the row is below min_confidence"


class SkipCause(NamedTuple):
    """Why a row is left alone as a whole.

    Attributes:
        reason: The reason.
        detail: The same in the words of the row, such as "tied to 'christian' by 'mass'"; empty
            where the reason says all.
        is_final: Whether it would be left whatever its groups became.
    """

    reason: Reason
    detail: str = ""
    is_final: bool = False


OF_ROW = "rows."
"""How the names of rules begin that leave all of a row alone."""


class Mention(NamedTuple):
    """A term in a text.

    Attributes:
        first: Its first word.
        last: Its last word.
        term: How it is read.
        rule: The rule that decided; empty where none did.
    """

    first: int
    last: int
    term: Term
    rule: str = ""


class Skipped(NamedTuple):
    """A word or phrase that may be a term and is left alone.

    Attributes:
        first: Its first word.
        last: Its last word.
        reason: Why.
        rule: The rule that decided; empty where none did. Of a row that is left as a whole, what
            is told of it stands behind the name.
        attribute: The attribute that it mentions all the same, where its row is left alone as a
            whole; else empty.
    """

    first: int
    last: int
    reason: Reason
    rule: str = ""
    attribute: str = ""

    @property
    def is_of_row(self) -> bool:
        """Whether all of its row is left alone, by a rule about rows."""
        return self.rule.startswith(OF_ROW)

    @property
    def explanation(self) -> str:
        """Why, in the words of the row where it is left alone as a whole."""
        explanation = self.rule.partition(" ")[2] if self.is_of_row else ""
        return explanation or self.reason.value


class Annotation(NamedTuple):
    """A text with its mentions, in the order of the text.

    Attributes:
        tokens: The text.
        mentions: Its mentions.
        skipped: The candidates that are left alone, in the order of the text.
    """

    tokens: Tokens
    mentions: list[Mention]
    skipped: list[Skipped]


# The same from a tuple of the attributes; for texts with many, as it takes half the time.
as_mention = partial(tuple.__new__, Mention)
as_skipped = partial(tuple.__new__, Skipped)


Note = TypeVar("Note")


class Terms:
    """Ways of reading, by number, and what they mention.

    Attributes:
        readings: The ways of reading.
        kinds: Axis and attribute of all that they mention, each once.
        kind: The number of each reading's axis and attribute. Shape (R,).
    """

    def __init__(self, readings: Sequence[Term], before: "Terms | None" = None) -> None:
        """Number what readings mention; `before` has numbered the first of them."""
        self.readings = readings
        self.before = before
        self._numbers: dict[tuple[str, str], int] = {**before._numbers} if before else {}
        numbers = [
            self._numbers.setdefault((term.axis, term.attribute), len(self._numbers))
            for term in self.others
        ]
        self.kinds = tuple(self._numbers)
        kind = np.array(numbers, np.int64)
        self.kind: NDArray[np.int64] = np.concatenate((before.kind, kind)) if before else kind
        self._notes: dict[object, Any] = {}

    @property
    def others(self) -> Sequence[Term]:
        """The readings that `before` does not have; all of them if there is none."""
        return self.readings[len(self.before.readings) :] if self.before else self.readings

    @cached_property
    def is_name(self) -> Mask:
        """Which readings are names. Shape (R,)."""
        own = np.array([term.is_name for term in self.others], np.bool_)
        return np.concatenate((self.before.is_name, own)) if self.before else own

    def of_kind(self, *kinds: str) -> Mask:
        """Return which readings are of some kinds of the lexicon. Shape (R,)."""

        def work_out() -> Mask:
            own = np.array([term.entry.kind in kinds for term in self.others], np.bool_)
            return np.concatenate((self.before.of_kind(*kinds), own)) if self.before else own

        return self.noted(kinds, work_out)

    def noted(self, key: object, work_out: Callable[[], Note]) -> Note:
        """Return what others work out about the readings once, for as long as these are kept."""
        if key not in self._notes:
            self._notes[key] = work_out()
        note: Note = self._notes[key]
        return note

    @property
    def of_tables(self) -> "Terms":
        """The readings that are the same in each batch: those of the tables alone."""
        return self.before.of_tables if self.before else self

    def with_others(self, others: Sequence[Term]) -> "Terms":
        """Return these and others, numbered from the last of these on."""
        return Terms([*self.readings, *others], self) if others else self


@dataclass(frozen=True, eq=False)
class MentionTable:
    """What is found in the texts of a chunk, in the order of the texts.

    Attributes:
        words: The words of the texts.
        terms: What the numbers of readings mean.
        firsts: The place of the first word of each candidate. Shape (C,).
        lasts: The place of its last word. Shape (C,).
        readings: The number of its reading; of no matter where it is left alone. Shape (C,).
        reasons: Why it is left alone; None where it is a mention. Shape (C,).
        rules: The name of the rule that decided; empty where none did. Shape (C,).
    """

    words: TokenBatch
    terms: Terms
    firsts: Places
    lasts: Places
    readings: NDArray[np.int64]
    reasons: NDArray[Any]
    rules: NDArray[Any]

    @cached_property
    def is_mention(self) -> Mask:
        """Whether each is a mention. Shape (C,)."""
        held: Mask = self.reasons == None  # noqa: E711
        return held

    @cached_property
    def is_mention_or_known(self) -> Mask:
        """Whether each is a mention, or would be but for a known person in its row. Shape (C,)."""
        held: Mask = self.is_mention | (self.reasons == Reason.KNOWN_PERSON)
        return held

    @cached_property
    def unsure(self) -> Places:
        """Where listed names stand that nothing shows to be names. Shape (U,)."""
        places: Places = self.firsts[self.reasons == Reason.UNSURE_NAME]
        return places

    @cached_property
    def texts(self) -> NDArray[np.int64]:
        """The text of each candidate. Shape (C,)."""
        texts: NDArray[np.int64] = self.words.owner[self.firsts]
        return texts

    def take(self, rows: Mask | NDArray[np.int64]) -> "MentionTable":
        """Return some of the candidates, in the order that is given."""
        return MentionTable(
            self.words, self.terms, self.firsts[rows], self.lasts[rows], self.readings[rows],
            self.reasons[rows], self.rules[rows],
        )  # fmt: skip

    def of_kind(self, rows: NDArray[np.int64], *kinds: str) -> Mask:
        """Return which of some candidates are of some kinds of the lexicon."""
        return self.terms.of_kind(*kinds)[self.readings[rows]]

    def is_on(self, axis: str) -> Mask:
        """Return which candidates are of an axis. Shape (C,)."""
        terms = self.terms
        kinds = terms.noted(
            ("axis", axis), lambda: np.array([own == axis for own, _ in terms.kinds], np.bool_)
        )
        held: Mask = kinds[terms.kind[self.readings]]
        return held

    def by_text(self) -> Iterator[tuple[int, Annotation]]:
        """Give what is found text by text, for those that have any candidate."""
        own = self.words.first[self.texts]
        columns = (
            (self.firsts - own).tolist(), (self.lasts - own).tolist(), self.readings.tolist(),
            self.reasons.tolist(), self.rules.tolist(),
        )  # fmt: skip
        terms = self.terms.readings
        for begin, stop in pairwise(edges(self.texts).tolist()):
            mentions, skipped = [], []
            for row in zip(*(column[begin:stop] for column in columns), strict=True):
                first, last, reading, reason, rule = row
                if reason is None:
                    mentions.append(as_mention((first, last, terms[reading], rule)))
                else:
                    is_of_row = rule.startswith(OF_ROW)
                    attribute = terms[reading].attribute if is_of_row else ""
                    skipped.append(as_skipped((first, last, reason, rule, attribute)))
            text = int(self.texts[begin])
            yield text, Annotation(self.words.tokens(text), mentions, skipped)


def merge_tables(several: Sequence[MentionTable]) -> MentionTable:
    """Put what is found along several axes in the same texts together.

    Args:
        several: What is found along each. A word that several of them read is a mention of the
            first.

    Returns:
        All of it.
    """
    if len(several) == 1:
        return several[0]
    words = several[0].words
    # How many mentions begin before each place less how many ended before.
    steps = np.zeros(len(words) + 1, np.int64)
    tables: list[MentionTable] = []
    numbers: list[NDArray[np.int64]] = []
    terms = _joined(*(mentions.terms.of_tables for mentions in several))
    first, others = 0, list[Term]()
    for mentions in several:
        taken = np.concatenate(([0], np.cumsum(np.cumsum(steps) > 0)))
        is_free = taken[mentions.lasts + 1] == taken[mentions.firsts]
        mentions = mentions.take(is_free | ~mentions.is_mention_or_known)
        np.add.at(steps, mentions.firsts[mentions.is_mention_or_known], 1)
        np.add.at(steps, mentions.lasts[mentions.is_mention_or_known] + 1, -1)
        tables.append(mentions)
        # What a batch adds is numbered behind the tables of all axes.
        size = len(mentions.terms.of_tables.readings)
        shift = len(terms.readings) + len(others) - size
        numbers.append(mentions.readings + np.where(mentions.readings < size, first, shift))
        first += size
        others += mentions.terms.readings[size:]
    order = np.argsort(np.concatenate([mentions.firsts for mentions in tables]), kind="stable")
    columns: Mapping[str, Any] = {
        name: np.concatenate([getattr(mentions, name) for mentions in tables])[order]
        for name in ("firsts", "lasts", "reasons", "rules")
    }
    readings = np.concatenate(numbers)[order]
    return MentionTable(words, terms.with_others(others), readings=readings, **columns)


@lru_cache(maxsize=8)
def _joined(*several: Terms) -> Terms:
    """Number the readings of several tables together, once for all batches."""
    return Terms([*chain.from_iterable(terms.readings for terms in several)])


class Part(NamedTuple):
    """A text in which something is found, or a part of a very long one.

    Attributes:
        row: The number of its row.
        which: Which text of the row it is.
        begin: Where the part begins in the text; 0 for a whole text.
        number: Its number in the chunk.
        reading: What is found.
    """

    row: int
    which: int
    begin: int
    number: int
    reading: Annotation


class Chunk(NamedTuple):
    """Rows that are read together.

    Attributes:
        mentions: The candidates in their texts, of which those without any may be left out.
        row_of: The row of each text. Shape (T,).
        which: Which text of its row each is. Shape (T,).
        begins: Where each begins in that text: not at 0 where it is a later part of a very long
            one. Shape (T,).
    """

    mentions: MentionTable
    row_of: NDArray[np.int64]
    which: NDArray[np.int64]
    begins: NDArray[np.int64]

    def by_text(self) -> Iterator[Part]:
        """Give the texts in which something is found, in order."""
        row_of, which, begins = self.row_of.tolist(), self.which.tolist(), self.begins.tolist()
        for number, annotation in self.mentions.by_text():
            yield Part(row_of[number], which[number], begins[number], number, annotation)


_FLAGS = ("person", "place", "proper", "surname", "thing", "title", "verb", "word")
_NONE = -1
# A word is looked at where it is capitalised, or wherever it stands.
_CAPITALISED, _ALWAYS = 1, 2


class TermColumns:
    """What is known of the words of an axis, by their numbers in the vocabulary.

    Attributes:
        terms: The readings of all words.
        all: The same, with what they mention.
        facts: What holds of each reading, by name. Shape (T,) each.
        is_anchor: Whether a word gives a phrase away. Shape (V,).
    """

    def __init__(
        self,
        words: Mapping[str, Readings],
        phrases: Mapping[tuple[str, str], Sequence[Phrase]],
        only_capitalised: Iterable[str],
    ) -> None:
        """Put the readings of words into columns.

        Args:
            phrases: The word that gives a phrase away, with the word beside it, to the phrases.
            only_capitalised: The words that are looked at only where they are capitalised.
        """
        self.terms: list[Term] = []
        self._places: dict[int, int] = {}
        anchors = {one.words[one.anchor] for several in phrases.values() for one in several}
        pairs = [pair for pair in phrases if pair[1]]
        vocabulary().add(word for pair in phrases for word in pair if word)
        self._numbers = vocabulary().add(words)
        vocabulary().add(_counterparts(words.values()))
        numbered = [*zip(self._numbers.tolist(), words.values(), strict=True)]
        cases = {case for _, of in numbered for case in of.cases}
        self._usual = self._column((number, of.usual) for number, of in numbered)
        self._title = self._column((number, of.title) for number, of in numbered if of.title)
        several = [(number, of.cases) for number, of in numbered if of.cases]
        self._cases = {
            case: self._column((number, of[case]) for number, of in several if case in of)
            for case in sorted(cases)
        }
        #: The bit of each case and use, and which of them each word has. Shape (V,).
        self.bits = {case: 1 << bit for bit, case in enumerate(self._cases)}
        self._held = np.zeros(len(self._usual), np.int64)
        for case, bit in self.bits.items():
            self._held |= np.where(self._cases[case] == _NONE, 0, bit)
        # The last cell of each column stands for the words that the vocabulary takes up later.
        size = len(vocabulary()) + 1
        self._kinds = np.zeros(size, np.int8)
        self._kinds[self._numbers] = self._kinds[vocabulary().add(anchors)] = _ALWAYS
        self._kinds[vocabulary().add(only_capitalised)] = _CAPITALISED
        self.is_anchor = np.zeros(size, np.bool_)
        self.is_anchor[vocabulary().add(anchors)] = True
        for phrase in (one for several in phrases.values() for one in several):
            for term in phrase.readings.all() if phrase.readings else ():
                self._place(term)
        numbers = (tuple(map(vocabulary().number, pair)) for pair in pairs)
        self._pairs = WordPairs({pair_of(*pair): None for pair in numbers})
        single = [first for first, second in phrases if not second]
        self._is_single = np.zeros(size, np.bool_)
        self._is_single[vocabulary().add(single)] = True
        self.all = Terms(self.terms)
        entries = [term.entry for term in self.terms]
        kinds = np.array([entry.kind for entry in entries], object)
        genders = np.array([term.attribute for term in self.terms], object)
        # Of a name by race its row says whose it is.
        genders = np.where((genders == "man") | (genders == "woman"), genders, kinds)
        is_name = np.array([term.is_name for term in self.terms], np.bool_)
        self.facts: Facts = {
            **self._flagged(),
            "age tag": kinds == AGE_TAG,
            "pronoun": kinds == "pronoun",
            "capitalised": np.array([term.is_capitalised for term in self.terms], np.bool_),
            "first name": is_name & ~np.array([term.is_surname for term in self.terms], np.bool_),
            "name": is_name,
            "man": genders == "man",
            "woman": genders == "woman",
            "work": np.array([entry.inflection for entry in entries], object) == "proper noun",
        }
        #: Whether each reading is a name of a lexicon of one's own. Shape (T,).
        self.is_own_name: Mask = kinds == NAME
        #: The same, one below the other. Shape (F, T).
        self.stacked = np.stack([*self.facts.values()])

    def usual(self, numbers: Numbers) -> Numbers:
        """Return the usual reading of words; -1 where they are no terms."""
        return self._usual.take(numbers, mode="clip")

    def title(self, numbers: Numbers) -> Numbers:
        """Return the reading of words before a name, if it is another one; else -1."""
        return self._title.take(numbers, mode="clip")

    def case(self, case: str, numbers: Numbers) -> Numbers:
        """Return the reading of words in a case or a use; -1 where they have none of its own."""
        return self._cases.get(case, self._usual[-1:]).take(numbers, mode="clip")

    def held(self, numbers: Numbers) -> Numbers:
        """Return the bits of the cases and uses in which words have readings of their own."""
        return self._held.take(numbers, mode="clip")

    def places(self, words: TokenBatch) -> Places:
        """Return the places of the words that are looked at."""
        kinds = self._kinds.take(words.number, mode="clip")
        places = kinds.nonzero()[0]
        candidates: Places = places[(kinds[places] == _ALWAYS) | words.is_capital(places)]
        return candidates

    def small_names(self, words: TokenBatch) -> Places:
        """Return the places of first names in texts in which no word has a capital."""
        if not words.is_small[:-1].any():
            return words.owner[:0]
        places = words.is_small[words.owner].nonzero()[0]
        terms = self.usual(words.number[places])
        names: Places = places[(terms >= 0) & self.facts["first name"][np.maximum(terms, 0)]]
        return names

    def asks_for(self, numbers: Numbers, is_capital: Mask) -> Mask:
        """Return which words are looked at, by whether each begins with a capital letter."""
        kinds = self._kinds.take(numbers, mode="clip")
        held: Mask = (kinds == _ALWAYS) | ((kinds == _CAPITALISED) & is_capital)
        return held

    def may_anchor(self, words: TokenBatch, places: Places) -> Mask:
        """Return which words may give a phrase away, by the words beside them."""
        numbers = words.number.astype(np.int64)
        here, behind = numbers[places], numbers[places + 1]
        is_first = places == words.first[words.owner[places]]
        before = np.where(is_first, 0, numbers[places - 1])
        is_pair = self._pairs.among(pairs_of(before, here))
        is_pair |= self._pairs.among(pairs_of(here, behind))
        is_pair |= self._is_single.take(here, mode="clip")
        held: Mask = is_pair & self.is_anchor.take(here, mode="clip")
        return held

    def _column(self, several: Iterable[tuple[int, Term]]) -> Numbers:
        """Put one reading of words into a column, by the numbers of the words."""
        column = np.full(len(vocabulary()) + 1, _NONE, np.int64)
        for number, term in several:
            column[number] = self._place(term)
        return column

    def number(self, term: Term) -> int:
        """Return the number of a reading."""
        return self._places[id(term)]

    def _place(self, term: Term) -> int:
        """Take a reading up, and return its number."""
        number = self._places.setdefault(id(term), len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number

    def _flagged(self) -> dict[str, Mask]:
        """Return for each reading which of some flags the list marks it with."""
        masks = {flag: np.zeros(len(self.terms), np.bool_) for flag in _FLAGS}
        for number, term in enumerate(self.terms):
            for flag in term.flags & masks.keys():
                masks[flag][number] = True
        return masks


def _counterparts(several: Iterable[Readings]) -> Iterator[str]:
    """Give the names that may be written for names, as somebody else in a text may bear them."""
    terms = (term for readings in several for term in readings.all() if term.is_name)
    for entry in {id(term.entry): term.entry for term in terms}.values():
        yield from (forms[0].text.lower() for forms in entry.forms.values() if forms)


Rows = NDArray[np.int64]


class CandidateTable:
    """Candidates in the order of the texts, and what is decided of each.

    Attributes:
        words: The words of the texts.
        places: The place of the first word of each. Shape (C,).
        lasts: The place of its last word. Shape (C,).
        terms: The number of its reading; -1 while there is none. Shape (C,).
        reasons: Why it is left alone; None where it is read. Shape (C,).
        rules: The name of the rule that decided; empty where none did. Shape (C,).
        is_open: Whether it is not decided yet. Shape (C,).
    """

    def __init__(self, words: TokenBatch, places: Places, columns: TermColumns) -> None:
        """Decide nothing yet."""
        self.words = words
        self.columns = columns
        self.places = places
        self.lasts = places.copy()
        self.terms = columns.usual(words.number[places]).astype(np.int64)
        self.reasons = np.full(len(places), None, object)
        self.rules = np.full(len(places), "", object)
        self.is_open = np.ones(len(places), np.bool_)

    def candidates(self, rows: Rows, more_facts: Facts = MappingProxyType({})) -> Candidates:
        """Return some candidates, with the facts of their readings and others."""
        columns, terms = self.columns, np.maximum(self.terms[rows], 0)
        facts = dict(zip(columns.facts, columns.stacked[:, terms], strict=True))
        return Candidates(self.words, self.places[rows], {**facts, **more_facts}, self.lasts[rows])

    def leave(self, rows: Rows | Mask, reason: Reason, rule: str) -> None:
        """Leave some candidates alone."""
        self.reasons[rows] = reason
        self.rules[rows] = rule
        self.is_open[rows] = False

    def read(self, rows: Rows, rules: Any) -> None:
        """Read some candidates as their terms."""
        self.rules[rows] = rules
        self.is_open[rows] = False

    def keep(self, held: Mask) -> None:
        """Forget the other candidates."""
        for name in ("places", "lasts", "terms", "reasons", "rules", "is_open"):
            setattr(self, name, getattr(self, name)[held])


_REASONS = {"left_out": Reason.LEFT_OUT, "without_group": Reason.NO_GROUP}


@cache
def name_reasons(kind: str) -> MappingProxyType[str, Reason]:
    """Return the names of a kind of which a reason is known.

    Args:
        kind: `first` or `surnames`.

    Returns:
        The names, in lower case, and why each is not listed.

    Example:
        >>> name_reasons("first")["emily"].name
        'NO_GROUP'
    """
    lists = tomllib.loads(Path(__file__).with_name("unlisted_names.toml").read_text("utf-8"))
    reasons = {
        name: reason
        for suffix, reason in _REASONS.items()
        for name in lists[f"{kind}_{suffix}"].split()
    }
    return MappingProxyType(reasons)


@cache
def names_without_group() -> frozenset[str]:
    """Return the common names, first names and surnames, that no one group bears often enough.

    Example:
        >>> "emily" in names_without_group(), "juan" in names_without_group()
        (True, False)
    """
    pairs = [*name_reasons("first").items(), *name_reasons("surnames").items()]
    return frozenset(name for name, why in pairs if why is Reason.NO_GROUP)
