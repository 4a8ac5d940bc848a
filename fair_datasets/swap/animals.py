"""Pronouns of animals and gods, which are no people: they stay, whoever owns the animal.

"My mother's dog lost his bone" becomes "My father's dog lost his bone". A pronoun is the being's
where the being opens a clause before it, as its subject, and nobody of the pronoun's gender could
be meant; or where what is said can only be of an animal, as its tail. A row with an animal and no
people is left alone as a whole.
"""

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import shipped
from fair_datasets.reader.english.lists import SUBJECT_PRONOUNS, words
from fair_datasets.reader.english.verbs import ends_before
from fair_datasets.reader.matching.language import Language
from fair_datasets.reader.matching.mentions import OF_ROW, Chunk, Mention, MentionTable, Reason
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import Places
from fair_datasets.reader.matching.tokenizer import APOSTROPHES, Tokens
from fair_datasets.reader.matching.vocabulary import vocabulary

# The pronouns that are about what was told of before: "My cat lost his bell", but "without her".
_OF_SUBJECT = frozenset({"he", "his", "she"})
# Who may be anybody, and is not told of; "being" is a verb more often.
_ANYBODY = frozenset({"being", "he", "i", "she", "they", "we", "you"})
# How many words of a subject may stand before its last.
_REACH = 6
_AND = frozenset({"and", "or"})
_JOINERS = frozenset({"and", "but", "or", "so", "then", "yet"})
# Behind "God" they open a wish, or what God knows.
_WISHES = frozenset(
    {"bless", "damn", "forbid", "forgive", "grant", "help", "keep", "knows", "rest"}
)
_COMPARES = frozenset({"as", "like", "such", "than"})
_QUOTES = ('"', "”")
_OF_CLAUSE = frozenset({"determiner", "reflexive"})
_OF_GOD = frozenset({"himself", "his"})
_SUBJECTS = frozenset(SUBJECT_PRONOUNS)
RULE = "pronouns.animal"


class _Being(NamedTuple):
    """An animal or a god that opens a clause: the first and the last word of the subject."""

    first: int
    last: int
    is_god: bool


class _Person(NamedTuple):
    """A word for a person, and the attribute that is told; empty where none is."""

    place: int
    attribute: str


def skip_animals(chunk: Chunk, table: TermTable) -> Chunk:
    """Leave pronouns alone that are an animal's or a god's, and rows about animals alone."""
    spans, language = chunk.mentions, table.language
    words_ = spans.words
    those = vocabulary().is_listed(("beings", language.rows.beings), language.rows.beings)
    places = those[words_.number].nonzero()[0]
    mentions = (spans.is_mention & spans.is_on(table.axis)).nonzero()[0] if len(places) else places
    pronouns = mentions[spans.of_kind(mentions, "pronoun")]
    if not len(pronouns):
        return chunk
    # Only texts where a pronoun stands behind an animal or a god, which are few, are read.
    firsts, lasts = np.full((2, len(words_.first)), -1, np.int64)
    firsts[words_.owner[places[::-1]]] = places[::-1]
    np.maximum.at(lasts, spans.texts[pronouns], spans.firsts[pronouns])
    texts = spans.texts[mentions]
    skipped: dict[int, str] = {}
    for text in ((firsts >= 0) & (firsts < lasts)).nonzero()[0].tolist():
        own = mentions[texts == text]
        scene = _Scene.of(spans, text, own, places[words_.owner[places] == text], language)
        if _is_about_animal(scene):
            row = chunk.row_of[texts] == chunk.row_of[text]
            skipped |= dict.fromkeys(mentions[row].tolist(), f"{OF_ROW}animal")
        else:
            skipped |= dict.fromkeys(own[_of_beings(scene)].tolist(), RULE)
    return _skip(chunk, skipped)


def _skip(chunk: Chunk, skipped: Mapping[int, str]) -> Chunk:
    """Leave mentions alone, each by its rule."""
    if not skipped:
        return chunk
    reasons, rules = chunk.mentions.reasons.copy(), chunk.mentions.rules.copy()
    for mention, rule in skipped.items():
        reasons[mention], rules[mention] = Reason.ANIMAL, rule
    return chunk._replace(mentions=replace(chunk.mentions, reasons=reasons, rules=rules))


@dataclass
class _Scene:
    """A text with an animal or a god before a pronoun.

    Attributes:
        tokens: The text.
        mentions: The mentions of its people.
        places: Where words for animals and gods stand.
        language: Tells which words are people.
    """

    tokens: Tokens
    mentions: Sequence[Mention]
    places: Sequence[int]
    language: Language

    @classmethod
    def of(
        cls,
        spans: MentionTable,
        text: int,
        own: NDArray[np.int64],
        places: Places,
        language: Language,
    ) -> Self:
        """Look at a text of a chunk, with the numbers of its mentions."""
        shift = int(spans.words.first[text])
        columns = spans.firsts[own] - shift, spans.lasts[own] - shift, spans.readings[own]
        mentions = [
            Mention(first, last, spans.terms.readings[reading])
            for first, last, reading in np.stack(columns, axis=1).tolist()
        ]
        return cls(spans.words.tokens(text), mentions, (places - shift).tolist(), language)

    @cached_property
    def people(self) -> list[_Person]:
        """The people: mentions, other nouns for persons and what may be names."""
        tokens = self.tokens
        attributes = {
            place: each.term.attribute
            for each in self.mentions
            for place in range(each.first, each.last + 1)
        }
        return [
            _Person(place, attributes.get(place, ""))
            for place, word in enumerate(tokens.lower)
            if place in attributes or (word not in _ANYBODY and self._is_person(place, word))
        ]

    def _is_person(self, place: int, word: str) -> bool:
        """Whether a word is a noun for a person, or may be a name."""
        if word in words("gods"):
            return False
        written = self.tokens.words[place]
        may_be_name = written[0].isupper() and not written.isupper()
        if may_be_name and not self.tokens.opens_sentence(place):
            return True
        return self.language.is_person(word)


def _is_about_animal(scene: _Scene) -> bool:
    """Whether a text has only pronouns of one gender, an animal before them, and nobody."""
    tokens, mentions, first = scene.tokens, scene.mentions, scene.mentions[0]
    return (
        all(each.term.entry.kind == "pronoun" for each in mentions)
        and len({each.term.attribute for each in mentions}) == 1
        and first.term.spelling.lower() in _OF_SUBJECT
        and first.term.entry.inflection != "possessive"
        and any(_is_main_animal(tokens, place) for place in scene.places if place < first.first)
        and _is_unquoted(tokens, first.first)
        and len(scene.people) == sum(each.last + 1 - each.first for each in mentions)
    )


def _is_main_animal(tokens: Tokens, place: int) -> bool:
    """Whether a word is an animal that a text is about: "my old cat", but not "like a cat"."""
    before = tokens.lower[max(0, place - 3) : place]
    is_kind = tokens.words[place] in words("kinds_of_animals") and not tokens.is_hyphenated(place)
    return is_kind and _COMPARES.isdisjoint(before) and not words("determiners").isdisjoint(before)


def _of_beings(scene: _Scene) -> list[int]:
    """Return which mentions are pronouns of animals and gods."""
    mentions, beings = scene.mentions, list(_beings(scene.tokens, scene.places))
    own: list[int] = []
    people = deque(scene.people if beings else ())
    lasts = [being.last for being in beings]
    # The people so far by what is told of them, but for pronouns of animals and gods.
    before: dict[str, list[int]] = defaultdict(list)
    taken: set[int] = set()
    for number, each in enumerate(mentions if beings else ()):
        first, attribute = each.first, each.term.attribute
        while people and people[0].place < first:
            person = people.popleft()
            if person.place not in taken:
                before[person.attribute].append(person.place)
        is_other = any(mentions[k].term.attribute != attribute for k in own[:1])
        place = bisect_left(lasts, first) - 1
        if place < 0 or is_other or each.term.entry.kind != "pronoun":
            continue
        rival = max([_stranger(before[""], beings[place]), *before[attribute][-1:]])
        if _is_of(scene.tokens, each, beings[place], rival):
            own.append(number)
            taken.add(first)
    return own


def _stranger(places: Sequence[int], being: _Being) -> int:
    """Return the last of whom no gender is told, but for who owns the animal; -1 for nobody."""
    others = (place for place in reversed(places) if not being.first <= place <= being.last)
    return next(others, -1)


def _beings(tokens: Tokens, places: Sequence[int]) -> Iterator[_Being]:
    """Find the animals and gods that open a clause."""
    for place in places:
        word = tokens.lower[place]
        is_god = word in words("gods")
        is_animal = not (is_god or word.endswith("s")) and tokens.words[place].islower()
        if not (is_god or is_animal) or tokens.is_hyphenated(place):
            continue
        behind = tokens.lower[place + 1 : place + 2]
        if not behind or tokens.gaps[place + 1] in APOSTROPHES:
            continue
        if is_god and (tokens.gaps[place + 1] != " " or behind[0] in _WISHES):
            continue
        first = _first_of_subject(tokens, place)
        if first is not None:
            yield _Being(first, place, is_god)


def _first_of_subject(tokens: Tokens, last: int) -> int | None:
    """Find where the noun phrase of a word begins, if it opens its clause."""
    for first in range(last, max(-1, last - _REACH), -1):
        gap, before = tokens.gaps[first], tokens.lower[first - 1] if first else ""
        if first == 0 or not (gap.isspace() or gap in APOSTROPHES) or ends_before(tokens, first):
            return first
        if before in _AND:
            # "a dog and his bone", but "she called, and the dog lost his bone"
            return first if "," in tokens.gaps[first - 1] else None
        if before in _JOINERS or before in words("before_clause") | words("clause_openers"):
            return first
        if not _is_in_phrase(tokens, first - 1):
            return None
    return None


def _is_in_phrase(tokens: Tokens, place: int) -> bool:
    """Whether a word may stand in a noun phrase before its noun: "my mother's old dog"."""
    word, behind = tokens.lower[place], tokens.gaps[place + 1]
    if word in words("determiners") or behind in APOSTROPHES or tokens.gaps[place] in APOSTROPHES:
        return True
    is_name = tokens.words[place].istitle()
    return is_name or shipped().class_of(word) in ("J", "N", "C")


def _is_of(tokens: Tokens, pronoun: Mention, being: _Being, rival: int) -> bool:
    """Whether a pronoun is a being's.

    Args:
        rival: Where the last person before it stands whom it may mean as well; -1 for nobody.
    """
    term, first = pronoun.term, pronoun.first
    inflection = term.entry.inflection
    between = range(being.last + 1, first + 1)
    end = next((place for place in between if ends_before(tokens, place)), None)
    if being.is_god and (inflection not in _OF_CLAUSE or term.spelling.lower() not in _OF_GOD):
        return False  # "God said that he may go."
    if end is not None:
        # "My dog is old. He sleeps all day."
        opens = being.first == 0 or ends_before(tokens, being.first)
        return opens and rival < 0 and end == first and _is_unquoted(tokens, first)
    if inflection == "subject":
        before = tokens.lower[first - 1]
        is_clause = before in _JOINERS or before in words("clause_openers") | words("before_clause")
        return is_clause and rival < 0 and _is_unquoted(tokens, first)
    behind = tokens.lower[pronoun.last + 1 : pronoun.last + 3]
    if inflection not in _OF_CLAUSE or behind[:1] == ["home"]:
        return False  # "The dog followed her home."
    if tokens.lower[first - 1] == "without":
        return False  # "The dog slipped out without her even noticing."
    if any(sign in tokens.gaps[place] for place in between for sign in _QUOTES):
        return False  # "The chicken," said his wife.
    if rival < 0:
        return True
    if rival > being.last or not _SUBJECTS.isdisjoint(tokens.lower[being.last : first]):
        return False
    own = words("things_of_gods" if being.is_god else "parts_of_animals")
    return inflection == "reflexive" or not own.isdisjoint(behind)


def _is_unquoted(tokens: Tokens, place: int) -> bool:
    """Whether no quotation ends before a word: no '"The dog!" she cried.'."""
    return not any(sign in tokens.gaps[place] for sign in (*_QUOTES, "’", "'"))
