"""What is found in many texts, in columns and one by one: mentions, and what is left and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.tokens import Tokens
from fair_datasets.reader.matching.words import Mask, Places, Words, edges


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
    OTHER_PRONOUNS = (
        "the row has only pronouns of the other gender, and the name fits that gender too"
    )
    UNREAD_NAME = "it belongs to the name after it, which is left alone"
    NOT_A_TITLE = "it is a term only as a title before a name"
    VERB = "it is a verb here"
    THING = "it denotes no person here"
    NOT_PEOPLE = "it does not describe people here"
    OTHER_AGE = "the age beside it is not in whole years"
    NOT_A_NAME = "its neighbours speak against a person's name"
    UNSURE_NAME = "nothing in the row shows that it is a person's name"
    NAMES_NOT_ASKED = "names are read on this axis only with names=True"
    NO_GROUP = "it is a name, but no single group has it often enough for the lists"
    LEFT_OUT = "it is a name, but too rare or doubtful for the lists by group"
    TOO_RARE = "it is a first name, but the figures by group count too few people with it"
    NAME = "it is part of a name or a title"
    COMPOUND = "it says something else together with the words beside it"
    RELATIVE = "it says whose child someone is, of whatever age"
    TIED = "another word of the row is tied to the group"
    TITLED = "a title in the row is left alone, because its name is left alone"
    CALL = "it addresses someone, and there is no other word for that"
    CONTRAST = "two groups of the row would become one"
    GENDER = "the row is about a gender as such, and would make no sense without one"
    ANIMAL = "its pronouns may refer to an animal in it"
    NAMED = "the same word stays in a name of the row"
    TWICE = "two words of the row would become the same"
    NO_FORM = "the lexicon has no word for what it would become"
    FACT = "the row states a bodily or legal fact that would read as a contradiction"
    AGES = "the ages in the row would contradict each other or its years"
    UNLISTED_NAME = "it names a person whose first name is on no list"
    UNTRUSTED = "the confidence of the row is below min_confidence"


class Cause(NamedTuple):
    """Why a row is left alone as a whole.

    Attributes:
        reason: The reason.
        told: The same in the words of the row, such as "tied to 'christian' by 'mass'"; empty where
            the reason says all.
        is_final: Whether it would be left whatever its groups became.
    """

    reason: Reason
    told: str = ""
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


class Left(NamedTuple):
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
    def told(self) -> str:
        """Why, in the words of the row where it is left alone as a whole."""
        told = self.rule.partition(" ")[2] if self.is_of_row else ""
        return told or self.reason.value


class Reading(NamedTuple):
    """A text with its mentions, in the order of the text.

    Attributes:
        tokens: The text.
        mentions: Its mentions.
        left: The candidates that are left alone, in the order of the text.
    """

    tokens: Tokens
    mentions: list[Mention]
    left: list[Left]


# The same from a tuple of the attributes; for texts with many, as it takes half the time.
as_mention = partial(tuple.__new__, Mention)
as_left = partial(tuple.__new__, Left)


Note = TypeVar("Note")


class Terms:
    """Ways of reading, by number, and what they mention.

    Attributes:
        readings: The ways of reading.
        kinds: Axis and attribute of all that they mention, each once.
        kind: The number of each reading's axis and attribute. Shape (R,).
    """

    def __init__(self, readings: Sequence[Term]) -> None:
        """Number what readings mention."""
        self.readings = readings
        self._numbers: dict[tuple[str, str], int] = {}
        numbers = [
            self._numbers.setdefault((term.axis, term.attribute), len(self._numbers))
            for term in readings
        ]
        self.kinds = tuple(self._numbers)
        self.kind = np.array(numbers, np.int64)
        self._notes: dict[object, Any] = {}

    @cached_property
    def is_name(self) -> Mask:
        """Which readings are names. Shape (R,)."""
        return np.array([term.is_name for term in self.readings], np.bool_)

    def of_kind(self, *kinds: str) -> Mask:
        """Tell which readings are of some kinds of the lexicon. Shape (R,)."""
        return self.noted(
            kinds, lambda: np.array([term.entry.kind in kinds for term in self.readings], np.bool_)
        )

    def noted(self, key: object, work_out: Callable[[], Note]) -> Note:
        """Return what others work out about the readings once, for as long as these are kept."""
        if key not in self._notes:
            self._notes[key] = work_out()
        found: Note = self._notes[key]
        return found

    def with_others(self, others: Sequence[Term]) -> "Terms":
        """Return these and others, numbered from the last of these on."""
        return Terms([*self.readings, *others]) if others else self


@dataclass(frozen=True, eq=False)
class Found:
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

    words: Words
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
    def texts(self) -> NDArray[np.int64]:
        """The text of each candidate. Shape (C,)."""
        found: NDArray[np.int64] = self.words.owner[self.firsts]
        return found

    def take(self, rows: Mask | NDArray[np.int64]) -> "Found":
        """Return some of the candidates, in the order that is given."""
        return Found(
            self.words, self.terms, self.firsts[rows], self.lasts[rows], self.readings[rows],
            self.reasons[rows], self.rules[rows],
        )  # fmt: skip

    def of_kind(self, rows: NDArray[np.int64], *kinds: str) -> Mask:
        """Tell which of some candidates are of some kinds of the lexicon."""
        return self.terms.of_kind(*kinds)[self.readings[rows]]

    def by_text(self) -> Iterator[tuple[int, Reading]]:
        """Give what is found text by text, for those that have any candidate."""
        own = self.words.first[self.texts]
        columns = (
            (self.firsts - own).tolist(), (self.lasts - own).tolist(), self.readings.tolist(),
            self.reasons.tolist(), self.rules.tolist(),
        )  # fmt: skip
        terms = self.terms.readings
        for begin, stop in pairwise(edges(self.texts).tolist()):
            mentions, left = [], []
            for row in zip(*(column[begin:stop] for column in columns), strict=True):
                first, last, reading, reason, rule = row
                if reason is None:
                    mentions.append(as_mention((first, last, terms[reading], rule)))
                else:
                    is_of_row = rule.startswith(OF_ROW)
                    attribute = terms[reading].attribute if is_of_row else ""
                    left.append(as_left((first, last, reason, rule, attribute)))
            text = int(self.texts[begin])
            yield text, Reading(self.words.tokens(text), mentions, left)


def merged(several: Sequence[Found]) -> Found:
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
    kept: list[Found] = []
    readings: list[Term] = []
    for found in several:
        taken = np.concatenate(([0], np.cumsum(np.cumsum(steps) > 0)))
        is_free = taken[found.lasts + 1] == taken[found.firsts]
        found = found.take(is_free | ~found.is_mention)
        np.add.at(steps, found.firsts[found.is_mention], 1)
        np.add.at(steps, found.lasts[found.is_mention] + 1, -1)
        kept.append(found)
        readings += found.terms.readings
    shifts = np.cumsum([0, *(len(found.terms.readings) for found in kept)])
    order = np.argsort(np.concatenate([found.firsts for found in kept]), kind="stable")
    columns: Mapping[str, Any] = {
        name: np.concatenate([getattr(found, name) for found in kept])[order]
        for name in ("firsts", "lasts", "reasons", "rules")
    }
    numbers = [found.readings + shift for found, shift in zip(kept, shifts, strict=False)]
    return Found(words, Terms(readings), readings=np.concatenate(numbers)[order], **columns)


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
    reading: Reading


class Chunk(NamedTuple):
    """Rows that are read together.

    Attributes:
        found: What is found in their texts, of which those without any candidate may be left out.
        row_of: The row of each text. Shape (T,).
        which: Which text of its row each is. Shape (T,).
        begins: Where each begins in that text: not at 0 where it is a later part of a very long
            one. Shape (T,).
    """

    found: Found
    row_of: NDArray[np.int64]
    which: NDArray[np.int64]
    begins: NDArray[np.int64]

    def by_text(self) -> Iterator[Part]:
        """Give the texts in which something is found, in order."""
        row_of, which, begins = self.row_of.tolist(), self.which.tolist(), self.begins.tolist()
        for number, reading in self.found.by_text():
            yield Part(row_of[number], which[number], begins[number], number, reading)
