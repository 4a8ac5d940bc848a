"""People whose first name no list has: the name is written anew with the pronoun, or the row left.

"Xyla lost her final" would become "Xyla lost his final", half of a changed person. In rows in which
a pronoun or a noun changes, the reader that ships is asked which of the capitalised words that no
list has are first names, and what is known of the names of the world moves what it says. Words that
are names for sure are read as mentions, and a name is drawn for each: of the same cultures where a
source tells them, else of the list. Where a word may be the name of the person whose pronoun
changes, and is not written anew, the row is left alone.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from fair_datasets.lexicons.shipped import is_people_list
from fair_datasets.reader.coreference import (
    CoreferenceModel,
    Person,
    Scene,
    likeliest,
    people_of,
    pronouns_of,
    unread_names,
)
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import Chunk, MentionTable, Reason, SkipCause
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term, is_word
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch, among
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.names.given_names import GENDERS, is_even, names_like, share_of_women
from fair_datasets.swap.directions import RowTargets
from fair_datasets.swap.drawn_names import RULE, Draw
from fair_datasets.swap.half_changed import (
    beside_parts,
    half_changed,
    named_people,
    staying_names,
)
from fair_datasets.swap.possible_names import (
    IS_JOINED,
    PossibleNames,
    capitals_of,
    possible_names,
    rows_and_spellings,
    stand_alone,
    stand_behind,
)
from fair_datasets.swap.whole_rows import skip_mentions

UNLISTED = ("replace", "leave", "keep")
"""What may be done about such people."""
# From which probability on a word is the person's of whom a pronoun is, as a model of coreference
# says.
_OWNED = 0.25
# A word for a woman or a man says less of a person the further it stands from the name, in words.
# Below so many log odds, nothing tells whether a person is a woman or a man.
_NEAR, _FALL, _FAINT, _SURE = 3, 1.5, 1e-3, 1.0


class _GenderedWord(NamedTuple):
    """A word for a woman or a man: its chunk, its last word and its attribute.

    `is_before` says that it is a noun and that only a space lies behind it: "his wife Xyla".
    """

    chunk: int
    last: int
    attribute: str
    is_before: bool


class _Name(NamedTuple):
    """Where a name stands: its chunk, its first and its last word."""

    chunk: int
    first: int
    last: int


class _Stated(NamedTuple):
    """A listed name that somebody of the other gender bears in a row: who, and where it stands."""

    gender: str
    places: list[_Name]


class _Row(NamedTuple):
    """What a row says besides: its capitalised words in small letters, and who is told of.

    `written` has the counterparts of the listed names.
    """

    words: set[str]
    gendered_words: list[_GenderedWord]
    written: set[str]


@dataclass(frozen=True)
class UnlistedNames:
    """Reads the first names along an axis that no list has.

    Attributes:
        choice: `replace` to read them, `leave` to leave the rows alone that have any, `read` to
            read those of which it is clear whose they are, and leave nothing: also those that the
            tables alone tell, as something else says whether they are names.
        exceptions: The exceptions of the lexicon, of which the single words are no names.
        people: Those of them that name a person.
        persons: Tells whose a pronoun is: where a pronoun changes and its person bears a name of
            which the reader is in doubt, the row is left. None for no model.
    """

    choice: str
    table: TermTable
    targets: RowTargets
    key: Callable[[int], str]
    seed: int = 0
    protect: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    persons: CoreferenceModel | None = None

    @cached_property
    def is_asked(self) -> bool:
        """Whether first names of both genders are read along the axis, and a reader is asked."""
        # A list of names is read as a whole, or not at all.
        is_read = bool(self.table.columns.facts["first name"].any())
        is_read &= self.table.language.tags is not None
        return is_read and {"man", "woman"} <= {*self.table.attributes}

    def read(self, several: Sequence[Chunk]) -> list[Chunk]:
        """Read the names in rows, or leave the rows alone."""
        asked: dict[int, set[str]] = defaultdict(set)
        seen = [self._seen(chunk) for chunk in several]
        for words in seen:
            for row, word, _ in words.each(words.is_sure):
                asked[row].add(word)
        stated = self._stated(several)
        for row, words_of_row in stated.items():
            asked[row].update(words_of_row)
        rows = self._rows(several, asked) if asked else {}
        half = chain(
            self._doubtful(several, seen, asked), self._half_changed(several, seen, asked, rows)
        )
        doubted = (
            self._doubted(chunk, own.doubted) for chunk, own in zip(several, seen, strict=True)
        )
        skipped = dict(chain.from_iterable(doubted))
        skipped |= dict.fromkeys(half, SkipCause(Reason.HALF_CHANGED))
        if not asked and not skipped:
            return [*several]
        readings: list[list[tuple[_Name, Term]]] = [[] for _ in several]
        for row, names in self._standing(several, asked).items():
            genders = {word: each.gender for word, each in stated.get(row, {}).items()}
            names |= {word: each.places for word, each in stated.get(row, {}).items()}
            terms = self._decided(several, row, names, rows[row], genders)
            if terms is None:
                skipped[row] = SkipCause(Reason.UNLISTED_NAME)
            for word, term in (terms or {}).items():
                for name in names[word]:
                    readings[name.chunk].append((name, term))
        read = []
        for chunk, added in zip(several, readings, strict=True):
            if added:
                chunk = chunk._replace(mentions=_with(chunk.mentions, added))
            read.append(skip_mentions(chunk, skipped, self.table.axis))
        return read

    def _seen(self, chunk: Chunk) -> PossibleNames:
        """Return the words that may be first names, where another word changes or all are read."""
        if self.choice == "read":
            return possible_names(chunk, chunk.row_of, None, self.table)
        mentions = chunk.mentions
        spoken = self._speaks(mentions)
        if not callable(self.targets):
            changes = [self.targets.get(kind, kind[1]) != kind[1] for kind in mentions.terms.kinds]
            spoken &= np.array(changes, np.bool_)[mentions.terms.kind[mentions.readings]]
        rows = chunk.row_of[mentions.texts[mentions.is_mention]]
        return possible_names(chunk, rows, chunk.row_of[mentions.texts[spoken]], self.table)

    def _doubted(self, chunk: Chunk, names: Places) -> Iterator[tuple[int, SkipCause]]:
        """Give the rows with a listed name that is hardly a first name there, and why."""
        mentions, words = chunk.mentions, chunk.mentions.words
        readings, firsts = mentions.readings[names].tolist(), mentions.firsts[names].tolist()
        for reading, place in zip(readings, firsts, strict=True):
            row = int(chunk.row_of[words.owner[place]])
            attribute = mentions.terms.readings[reading].attribute
            if self._becomes(row, attribute) != attribute:
                name = words.joined[words.start[place] : words.end[place]]
                why = f"{name!r} may be a surname, or no person's name"
                yield row, SkipCause(Reason.DOUBTED_NAME, why)

    def _stated(self, several: Sequence[Chunk]) -> Mapping[int, Mapping[str, _Stated]]:
        """Return the listed names of rows that say that somebody of the other gender bears them."""
        rows: dict[int, dict[str, _Stated]] = defaultdict(dict)
        for number, chunk in enumerate(several):
            mentions = chunk.mentions
            is_other = (mentions.reasons == Reason.OTHER_GENDER) & mentions.is_on(self.table.axis)
            # In rows that are left alone as a whole nothing speaks of anybody.
            is_other &= among(mentions.texts, mentions.texts[self._speaks(mentions)])
            for name in is_other.nonzero()[0].tolist():
                first, last = int(mentions.firsts[name]), int(mentions.lasts[name])
                row, word = int(chunk.row_of[mentions.texts[name]]), mentions.words.lower(first)
                of = mentions.terms.readings[mentions.readings[name]].attribute
                gender = "man" if of == "woman" else "woman"
                stated = rows[row].setdefault(without_accents(word), _Stated(gender, []))
                stated.places.append(_Name(number, first, last))
        for chunk in several if rows else ():
            # "Eli Whitney ... Whitney" stays, as a part of it is read as no name.
            is_other = (chunk.mentions.reasons == Reason.NOT_A_NAME).nonzero()[0]
            for row, word, _ in rows_and_spellings(chunk, chunk.mentions.firsts[is_other]):
                if row in rows:
                    rows[row].pop(word, None)
        return rows

    def _doubtful(
        self, several: Sequence[Chunk], seen: Sequence[PossibleNames], asked: Mapping[int, Set[str]]
    ) -> Iterator[int]:
        """Give the rows where a pronoun changes whose person bears what may be a first name.

        The names that are asked about already are none of these; a model says whose pronouns are.
        """
        scenes: list[tuple[int, int, Scene]] = []
        for chunk, own_words in zip(several, seen, strict=True) if self.persons else ():
            words, names = chunk.mentions.words, defaultdict[int, dict[str, list[int]]](dict)
            for row, word, place in own_words.each(own_words.chances >= _OWNED):
                if word not in asked.get(row, ()):
                    text = int(words.owner[place])
                    names[text].setdefault(word, []).append(place - int(words.first[text]))
            for part in chunk.by_text() if names else ():
                own, annotation = names.get(part.number, {}), part.reading
                for attribute in self.table.attributes if own else ():
                    pronouns = pronouns_of(annotation, attribute)
                    if pronouns and self._becomes(part.row, attribute) != attribute:
                        others = [*people_of(annotation, attribute), *unread_names(annotation)]
                        people = [Person([], places) for places in own.values()]
                        people += [
                            each for each in others if not _is_of(each, own, annotation.tokens)
                        ]
                        scenes.append((part.row, len(own), Scene(annotation, people, pronouns)))
        likelihoods = self.persons.shares([scene for *_, scene in scenes]) if self.persons else ()
        for shares, (row, size, _) in zip(likelihoods, scenes, strict=False):
            if any(0 <= number < size for number in likeliest(shares)):
                yield row

    def _half_changed(
        self, several: Sequence[Chunk], seen: Sequence[PossibleNames],
        asked: Mapping[int, Set[str]], rows: Mapping[int, _Row],
    ) -> Iterator[int]:  # fmt: skip
        """Give the rows where a word changes that only what may be a first name goes with."""
        protected = _words_of(self.protect, ())
        stays = {
            row: _protected_words(protected, of.words) for row, of in rows.items() if protected
        }
        for chunk, own in zip(several, seen, strict=True) if self.choice != "read" else ():
            weak = (
                place
                for row, word, place in own.each(own.is_weak)
                if word not in asked.get(row, ()) or word in stays.get(row, ())
            )
            names = [*weak, *own.parts.tolist(), *named_people(chunk.mentions, self.people)]
            names += staying_names(chunk.mentions, self.table)
            yield from beside_parts(chunk, own.parts, self.table, self._becomes)
            yield from half_changed(
                chunk, np.sort(np.array(names, np.int64)), self.table, self._becomes
            )

    def _speaks(self, mentions: MentionTable) -> Mask:
        """Return which mentions may speak of somebody who is named: those that are no names."""
        is_name = mentions.terms.is_name[mentions.readings]
        return mentions.is_mention & mentions.is_on(self.table.axis) & ~is_name

    def _rows(self, several: Sequence[Chunk], asked: Iterable[int]) -> dict[int, _Row]:
        """Return what else some rows say."""
        rows = {row: _Row(set(), [], set()) for row in asked}
        for number, chunk in enumerate(several):
            spans, words = chunk.mentions, chunk.mentions.words
            for row, word, _ in rows_and_spellings(chunk, capitals_of(chunk, list(rows))):
                rows[row].words.add(word)
            row_of = chunk.row_of[spans.texts]
            mentions = (spans.is_mention & among(row_of, list(rows))).nonzero()[0]
            speaks = self._speaks(spans)[mentions].tolist()
            for mention, is_speaking in zip(mentions.tolist(), speaks, strict=True):
                term, own = spans.terms.readings[spans.readings[mention]], rows[row_of[mention]]
                if term.is_name:
                    own.written.update(
                        form.text.lower() for f in term.entry.forms.values() for form in f[:1]
                    )
                elif is_speaking:
                    last = int(spans.lasts[mention])
                    is_before = words.signs.text(int(words.sign[last + 1])) == " "
                    is_before &= term.entry.kind != "pronoun"
                    own.gendered_words.append(
                        _GenderedWord(number, last, term.attribute, is_before)
                    )
        return rows

    def _standing(
        self, several: Sequence[Chunk], asked: Mapping[int, set[str]]
    ) -> dict[int, dict[str, list[_Name]]]:
        """Find all places in the rows where some words are names.

        A word that is a surname somewhere in the row is no first name of the row.
        """
        names: dict[int, dict[str, list[_Name]]] = defaultdict(lambda: defaultdict(list))
        surnames: set[tuple[int, str]] = set()
        for number, chunk in enumerate(several):
            words = chunk.mentions.words
            capitals = rows_and_spellings(chunk, capitals_of(chunk, list(asked)))
            there = [each for each in capitals if each[1] in asked[each[0]]]
            places = np.array([place for *_, place in there], np.int64)
            is_alone = stand_alone(words, places)
            is_surname = stand_behind(words, places, self.table.language)
            candidates = Candidates(words, places)
            is_surname |= ~candidates.holds(self.table.language.unlisted_name)
            lasts = places + candidates.holds(IS_JOINED)
            columns = (is_alone.tolist(), is_surname.tolist(), lasts.tolist())
            for (row, word, place), alone, is_second, last in zip(there, *columns, strict=True):
                if alone and is_second:
                    surnames.add((row, word))
                elif alone:
                    names[row][word].append(_Name(number, place, last))
        for row, word in surnames:
            names[row].pop(word, None)
        return names

    def _decided(
        self, several: Sequence[Chunk], number: int, names: Mapping[str, Sequence[_Name]],
        row: _Row, genders: Mapping[str, str],
    ) -> dict[str, Term] | None:  # fmt: skip
        """Return how each name of a row is read that is rewritten; None if the row is left.

        Args:
            genders: The names of which the row states whether a woman or a man bears them.
        """
        names = _without(names, _words_of(self.protect, self.exceptions), row.words)
        taken = row.words | row.written
        terms: dict[str, Term] = {}
        for word, own in names.items():
            gender = genders.get(word) or _gender(word, own, row.gendered_words)
            target = self._becomes(number, gender)
            # A name of girls and boys alike may stay where nothing tells whose it is.
            if not gender and (self.choice == "read" or is_even(word)):
                continue
            if not gender or (self.choice == "leave" and target != gender):
                return None
            key = f"{self.key(number)} {word}"
            cultures = names_like(word, target) if target in GENDERS else None
            if word in genders and target in GENDERS:
                cultures = self._read_as(target, names_like(word, target, gender))
            draw = Draw(several[0].mentions, self.table.axis, self.seed, key, gender, target, taken)
            if cultures is None or self.choice == "read":
                drawn = draw.listed()
            elif cultures or target == gender:
                spelling = _spelling(several[own[0].chunk].mentions.words, own[0])
                drawn = draw.of_cultures(cultures, spelling)
            else:
                return None
            if drawn is not None:
                terms[word] = drawn
        return terms

    def _read_as(self, gender: str, names: Sequence[str] | None) -> Sequence[str] | None:
        """Return those of some names that are listed for a gender; all of them if none is."""
        readings = ((name, self.table.words.get(name.lower())) for name in names or ())
        listed = [name for name, own in readings if own and own.usual.attribute == gender]
        return listed or names

    def _becomes(self, row: int, attribute: str) -> str:
        targets = self.targets(row) if callable(self.targets) else self.targets
        return targets.get((self.table.axis, attribute), attribute)


def _is_of(person: Person, names: Mapping[str, Sequence[int]], tokens: Tokens) -> bool:
    """Whether a person who is not read bears one of some names: all between is capitalised."""
    return not person.mentions and any(
        first <= last and all(map(tokens.is_capitalised, range(first, last)))
        for first in chain.from_iterable(names.values())
        for last in person.places
    )


def _spelling(words: TokenBatch, name: _Name) -> str:
    """Return a name as it is written, with a capital."""
    return words.joined[words.start[name.first] : words.end[name.last]].capitalize()


@lru_cache
def _words_of(protect: tuple[str, ...], exceptions: tuple[str, ...]) -> Sequence[frozenset[str]]:
    """Return the words of each name that is left alone, in small letters without accents."""
    names = (*(name for name in protect if not is_people_list(name)), *filter(is_word, exceptions))
    return [frozenset(map(without_accents, tokenize(name).words)) for name in names]


def _protected_words(protected: Sequence[frozenset[str]], there: Set[str]) -> Set[str]:
    """Return the words of the protected names of which all words are there."""
    return set(chain.from_iterable(own for own in protected if own <= there))


def _without(
    names: Mapping[str, Sequence[_Name]], protected: Sequence[frozenset[str]], there: Set[str]
) -> Mapping[str, Sequence[_Name]]:
    """Return the names that are no word of a protected name of which all words are there."""
    protected_words = _protected_words(protected, there)
    return {word: own for word, own in names.items() if word not in protected_words}


def _with(mentions: MentionTable, names: Sequence[tuple[_Name, Term]]) -> MentionTable:
    """Add names to what is found, in place of the words in them that are left alone."""
    before = mentions.terms
    known_numbers = before.noted(
        "numbers", lambda: {id(t): n for n, t in enumerate(before.readings)}
    )
    others = {id(term): term for _, term in names if id(term) not in known_numbers}
    terms = before.with_others([*others.values()])
    added = dict(zip(others, range(len(before.readings), len(terms.readings)), strict=True))
    numbers = [added.get(id(term)) or known_numbers[id(term)] for _, term in names]
    firsts = np.array([name.first for name, _ in names], np.int64)
    lasts = np.array([name.last for name, _ in names], np.int64)
    mentions = mentions.take(~among(mentions.firsts, np.concatenate((firsts, lasts))))
    columns = (
        (mentions.firsts, firsts),
        (mentions.lasts, lasts),
        (mentions.readings, np.array(numbers, np.int64)),
        (mentions.reasons, np.full(len(names), None, object)),
        (mentions.rules, np.full(len(names), RULE, object)),
    )
    both = MentionTable(mentions.words, terms, *map(np.concatenate, columns))
    return both.take(np.argsort(both.firsts, kind="stable"))


def _gender(word: str, names: Sequence[_Name], gendered_words: Sequence[_GenderedWord]) -> str:
    """Whether somebody is a woman or a man, by what is told and the name; "" in doubt."""
    attributes = {each.attribute for each in gendered_words}
    if len(attributes) == 1:
        return attributes.pop()
    weights = dict.fromkeys(attributes | {"man", "woman"}, _FAINT)
    for name in names:
        for each in gendered_words:
            distance = name.first - each.last
            if each.chunk == name.chunk and each.is_before and distance == 1:
                return each.attribute
            if each.chunk == name.chunk:
                weights[each.attribute] += (_NEAR + abs(distance)) ** -_FALL
    share = share_of_women(word)
    odds = math.log(share / (1 - share)) + math.log(weights["woman"] / weights["man"]) / 2
    return "" if abs(odds) < _SURE else "woman" if odds > 0 else "man"
