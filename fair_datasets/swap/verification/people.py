"""Which mentions of a text surely speak of the same person, and which surely do not.

Without a model of coreference: a pronoun speaks of the one person of its attribute who was spoken
of in the same sentence or the one before, if nobody else stands between.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import is_person_noun
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.swap.verification.clauses import INDEFINITE, NAME_GAPS, OWNERS, Binding

# So many words lie at most between a subject and an object.
_CLAUSE = 4


@dataclass
class _Person:
    """Somebody who is spoken of.

    Attributes:
        is_unsure: Whether it may be one of those who were spoken of before.
        nouns: The names, and the nouns behind "the", that the person is called by.
        role: The line of the lexicon of an occupation or rank, of which most have one; else 0.
        sentence: The sentence of the last mention.
        last: The last word of it.
    """

    attribute: str
    is_plural: bool = False
    is_unsure: bool = False
    nouns: set[str] = field(default_factory=set)
    role: int = 0
    names: set[str] = field(default_factory=set)
    distinct: set[int] = field(default_factory=set)
    sentence: int = 0
    last: int = 0


class People:
    """The persons of a text, by its mentions along one axis."""

    def __init__(self, annotation: Annotation) -> None:
        """Find who the mentions of a text speak of."""
        self._tokens = annotation.tokens
        self._mentions = annotation.mentions
        self._covered = {index for m in annotation.mentions for index in range(m.first, m.last + 1)}
        self._clauses = Binding(annotation.tokens, annotation.mentions, self._is_stranger)
        self._ending = {mention.last: number for number, mention in enumerate(annotation.mentions)}
        self._people: list[_Person] = []
        self.persons: list[int] = []
        for number, mention in enumerate(annotation.mentions):
            head = self._head_of(mention)
            is_bound = head is not None
            person = self._person_at(head) if is_bound else self._known_person(number, mention)
            if person is None:
                person = self._new_person(number, mention, is_bound=is_bound)
            self.persons.append(person)
            self._note(self._people[person], mention)

    def are_distinct(self, one: int, other: int) -> bool:
        """Whether two mentions surely speak of two persons.

        Returns:
            Whether their attributes, or their names, differ, one is a relative of the other, or
            one sentence names them as two.
        """
        first, second = self.persons[one], self.persons[other]
        own, others = self._people[first], self._people[second]
        if own.attribute != others.attribute:
            return True
        if own.names and others.names and own.names.isdisjoint(others.names):
            return True
        if own.role and others.role and own.role != others.role:
            return True
        return second in own.distinct or first in others.distinct

    def called(self, person: int) -> set[str]:
        """Return the names of a person, and the nouns, in lower case."""
        return self._people[person].nouns

    def _alike(self, mention: Mention) -> list[tuple[int, _Person]]:
        """Return the persons of a mention's attribute, with their numbers."""
        attribute = mention.term.attribute
        return [(k, known) for k, known in enumerate(self._people) if known.attribute == attribute]

    def _note(self, person: _Person, mention: Mention) -> None:
        """Note where a person was spoken of last, and how."""
        person.sentence, person.last = self._clauses.sentence(mention.first), mention.last
        word = self._tokens.lower[mention.last]
        if mention.term.is_name:
            person.names.add(word)
            person.nouns.add(word)
        elif _is_noun(mention):
            person.nouns.add(word)
            person.role = _role(mention) or person.role

    def _new_person(self, number: int, mention: Mention, *, is_bound: bool) -> int:
        """Note somebody who was not spoken of, or may not have been."""
        tokens, term = self._tokens, mention.term
        person = _Person(term.attribute, term.entry.is_plural)
        here = self._clauses.sentence(mention.first)
        if is_bound:
            # Of somebody of whom the axis says nothing: "the manager blamed herself".
            person.distinct |= {k for k, known in enumerate(self._people) if known.sentence == here}
        elif term.entry.kind == "pronoun":
            person.is_unsure = bool(self._near(mention, within=1))
        else:
            opening = self._clauses.opening(mention)
            is_beside = any(sign in tokens.gap(opening) for sign in ",(-–—")
            is_new = tokens.lower[opening] in INDEFINITE
            owners = self._owners(number)
            is_called = term.is_name or opening < mention.first or bool(owners)
            person.distinct |= owners | self._contrasted(mention)
            if not is_beside:
                person.distinct |= {
                    earlier
                    for earlier, known in enumerate(self._people)
                    if known.nouns and (is_new or (is_called and known.sentence == here))
                }
        self._people.append(person)
        return len(self._people) - 1

    def _known_person(self, number: int, mention: Mention) -> int | None:
        """Return who was spoken of before; None for somebody new, or who may be."""
        tokens, term = self._tokens, mention.term
        if term.entry.kind == "age" and (person := self._aged(mention)) is not None:
            return person
        if term.is_name or self._clauses.opening(mention) < mention.first:
            word = tokens.lower[mention.last]
            here, is_definite = self._clauses.sentence(mention.first), self._is_definite(mention)
            for person, known in self._alike(mention) if is_definite else ():
                is_called = word in (known.names if term.is_name else known.nouns)
                # "The man saw the man": a noun comes back in another sentence.
                if is_called and (term.is_name or known.sentence != here):
                    return person
        if number and self._is_joined(self._mentions[number - 1], mention):
            return self.persons[number - 1]
        if term.entry.kind == "pronoun":
            return self._meant_by_pronoun(mention)
        if _is_noun(mention) and self._clauses.is_predicate(mention.first):
            near = self._near(mention, within=0)
            return near[0] if len(near) == 1 else None
        return None

    def _person_at(self, head: int | None) -> int | None:
        """Return the person whose mention ends with a word, if it is one."""
        number = None if head is None else self._ending.get(head)
        return None if number is None else self.persons[number]

    def _head_of(self, mention: Mention) -> int | None:
        """Return the last word of whom a mention is bound to; nobody of another attribute."""
        is_pronoun = mention.term.entry.kind == "pronoun"
        find = self._clauses.head_of if is_pronoun else self._clauses.apposed_to
        head = find(mention)
        if head is None or head not in self._ending:
            return head if is_pronoun else None
        bound_to = self._mentions[self._ending[head]]
        return head if bound_to.term.attribute == mention.term.attribute else None

    def _aged(self, mention: Mention) -> int | None:
        """Return whose age is told: the only one before in the sentence, "a child, aged 7"."""
        here = self._clauses.sentence(mention.first)
        before = [k for k, known in self._alike(mention) if known.sentence == here]
        if len(before) != 1 or self._has_stranger(self._people[before[0]].last + 1, mention.first):
            return None
        return before[0]

    def _meant_by_pronoun(self, mention: Mention) -> int | None:
        """Return who a pronoun speaks of: the only one, or the one of the last pronoun."""
        near = self._near(mention, within=1)
        if len(near) > 1 and mention.term.entry.inflection in ("determiner", "reflexive"):
            # "Then Mary took her bike", whoever was spoken of in the sentence before.
            near = self._near(mention, within=0) or near
        if len(near) > 1:
            last = self._follows_pronoun(mention)
            last = self._subject_before(mention) if last is None else last
            near = [] if last is None else [last]
        if not near or self._has_stranger(self._people[near[0]].last + 1, mention.first):
            return None
        # "She saw her": two persons, or so it seems.
        is_object = mention.term.entry.inflection == "object"
        last_word = self._people[near[0]].last
        if is_object and mention.first - last_word <= _CLAUSE and self._is_subject(last_word):
            return None
        return near[0]

    def _follows_pronoun(self, mention: Mention) -> int | None:
        """Return who was spoken of last, if by a pronoun: nobody knows who, but it is the same."""
        _, last = max((known.last, person) for person, known in self._alike(mention))
        return last if self._people[last].is_unsure else None

    def _subject_before(self, mention: Mention) -> int | None:
        """Return whom a pronoun that opens the sentence before speaks of, if that goes on here.

        "He saw Tom. Then he left": whoever is named behind a subject in its clause is none.
        """
        if mention.term.entry.inflection != "subject":
            return None
        behind: list[Mention] = []
        known = self._mentions[: len(self.persons)]
        for person, earlier in zip(reversed(self.persons), reversed(known), strict=True):
            if earlier.term.attribute != mention.term.attribute:
                continue
            if earlier.term.entry.inflection != "subject":
                behind.append(earlier)
                continue
            is_before = (
                self._clauses.sentence(mention.first) - self._clauses.sentence(earlier.first) == 1
            )
            is_before = is_before and self._clauses.is_at_start(earlier)
            is_only = all(self._clauses.is_within_clause(earlier, other) for other in behind)
            return person if is_before and is_only else None
        return None

    def _is_subject(self, index: int) -> bool:
        """Whether a word is the subject pronoun of a mention."""
        return any(m.last == index and m.term.entry.inflection == "subject" for m in self._mentions)

    def _is_definite(self, mention: Mention) -> bool:
        """Whether a noun stands behind "the", or is a name."""
        return mention.term.is_name or self._tokens.lower[self._clauses.opening(mention)] == "the"

    def _owners(self, number: int) -> set[int]:
        """Return the person whose relative a noun names: "her sister", "Mary's sister"."""
        mention = self._mentions[number]
        opening = self._clauses.opening(mention)
        if opening < mention.first and self._tokens.lower[opening] in OWNERS:
            owner: int | None = opening
        else:
            owner = None if mention.term.is_name else self._clauses.owner_of(mention)
        before = self._ending.get(-1 if owner is None else owner, number)
        return {self.persons[before]} if before < number else set()

    def _contrasted(self, mention: Mention) -> set[int]:
        """Return the person of the sentence before of whom the same is said, or is not.

        "Mary came. The queen did not."
        """
        if not self._clauses.is_elliptical(mention):
            return set()
        before = self._clauses.sentence(mention.first) - 1
        persons = {k for k, known in self._alike(mention) if known.sentence == before}
        return persons if len(persons) == 1 else set()

    def _is_joined(self, one: Mention, other: Mention) -> bool:
        """Whether two mentions are one phrase: "Mrs. Mary", "actress Mary"."""
        is_next = one.last + 1 == other.first and self._tokens.gap(other.first) in NAME_GAPS
        # "Female heirs": who is called so by an adjective may be called by any noun.
        is_phrase = _is_noun(one) and one.term.entry.inflection != "adjective"
        is_phrase = is_phrase or (one.term.is_name and other.term.is_name)
        is_phrase = is_phrase and other.term.entry.kind != "pronoun"
        return is_next and is_phrase and one.term.attribute == other.term.attribute

    def _near(self, mention: Mention, *, within: int) -> list[int]:
        """Return the persons of an attribute who were spoken of some sentences ago at most."""
        here = self._clauses.sentence(mention.first)
        return [
            person
            for person, known in self._alike(mention)
            if not (known.is_plural or known.is_unsure) and here - known.sentence <= within
        ]

    def _has_stranger(self, first: int, end: int) -> bool:
        """Whether somebody whom the axis says nothing about may stand between two words."""
        return any(self._is_stranger(index) for index in range(first, end))

    def _is_stranger(self, index: int) -> bool:
        """Whether a word may be somebody's name, or a noun for a person."""
        tokens = self._tokens
        if index in self._covered:
            return False
        word = tokens.lower[index]
        if tokens.is_capitalised(index) and len(word) > 1:
            if tokens.opens_sentence(index) and word in words("common_words"):
                return False
            return word not in words("never_in_names") and not self._continues_name(index)
        return (
            is_person_noun(word)
            and not word.endswith("s")
            and not self._clauses.is_predicate(index)
        )

    def _continues_name(self, index: int) -> bool:
        """Whether a capitalised word is a surname of someone who is read, or a place."""
        tokens, sentence = self._tokens, self._clauses.sentence(index)
        while index and tokens.gap(index) in NAME_GAPS and tokens.is_capitalised(index - 1):
            index -= 1
            if self._clauses.sentence(index) != sentence:
                return False
            if index in self._covered:
                return True
        return index > 0 and tokens.lower[index - 1] in words("before_location")


def _role(mention: Mention) -> int:
    """Return the line of the lexicon that names an occupation or rank; 0 for other words."""
    entry = mention.term.entry
    return entry.line if entry.kind in ("occupation", "royalty") else 0


def _is_noun(mention: Mention) -> bool:
    """Whether a mention is neither a pronoun nor a name."""
    return mention.term.entry.kind != "pronoun" and not mention.term.is_name


def mentions_of_person(
    readings: Sequence[Annotation | None], place: int, asked: Mention
) -> list[list[Mention]]:
    """Return the mentions in the texts of a row that surely speak of the same person.

    Returns:
        For each text its mentions of the person: those that no one else can be meant by, and in
        the other texts those by the same name or noun.
    """
    reading = readings[place]
    if reading is None:
        return [[] for _ in readings]
    people = People(reading)
    person = people.persons[reading.mentions.index(asked)]
    words = people.called(person) | {reading.tokens.lower[asked.last]}
    mentions = [
        [
            mention
            for mention in other.mentions
            if mention.term.attribute == asked.term.attribute
            and other.tokens.lower[mention.last] in words
        ]
        if other
        else []
        for other in readings
    ]
    pairs = zip(reading.mentions, people.persons, strict=True)
    mentions[place] = [mention for mention, who in pairs if who == person]
    return mentions
