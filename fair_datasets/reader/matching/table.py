"""Look-up tables: the readable forms of a lexicon (and of the names) by their words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import (
    Entry,
    Form,
    Lexicon,
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
    names_fit,
    stages_of_life,
)
from fair_datasets.lexicons.lexicon import exceptions_file
from fair_datasets.lexicons.shipped import is_people_list, read_people
from fair_datasets.reader.load import with_reader
from fair_datasets.reader.matching.language import Language, Verdict, language
from fair_datasets.reader.matching.mentions import Reason, TermColumns
from fair_datasets.reader.matching.pipeline import with_pipeline
from fair_datasets.reader.matching.predicates import ALWAYS, Predicate, Rule, fact, says
from fair_datasets.reader.matching.terms import (
    AGE_TAG,
    Phrase,
    Readings,
    Term,
    is_word,
    phrase_of,
    readings_of,
    terms_of,
)
from fair_datasets.reader.matching.token_batch import (
    Candidates,
    Mask,
    Places,
    TokenBatch,
    distinct,
    hashes_in,
)
from fair_datasets.reader.matching.token_refs import HERE, IS_ALONE, IS_HYPHENATED, is_protected
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.matching.vocabulary import Hashes
from fair_datasets.system.checks import InputError, one_of
from fair_datasets.system.collection import uncollected
from fair_datasets.system.portable import file_digest, file_digests, file_states

Digests = tuple[tuple[str, str], ...]

# Behind initials and the like, a full stop ends no sentence: "J. K. Rowling", "Martin Luther Jr.".
_SHORT = 2
_NO_WORD = np.uint64(0)
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_SLOT_BITS = 18
_SPACES = re.compile(r"\s+")
_STARTS_NAME = IS_ALONE & ~(~HERE.is_first & HERE.sign("-"))


class _Name(NamedTuple):
    """A name, by its words and what stands between them."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]


class KnownPeople:
    """Names of known people, to be found in many texts at once.

    A name is found as it is written, or all in capitals if it has several words. The hashes of its
    first two words give it away, so that the number of names costs nothing; how it is written is
    looked at where they do.

    Example:
        >>> people = KnownPeople(["Marie Curie", "J.K. Rowling"])
        >>> words = TokenBatch(["Marie Curie's laboratory", "Marie and a curie",
        ...     "by J. K. Rowling"])
        >>> people.texts(words).tolist()
        [0, 2]
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Put names into columns."""
        hashes, counts = hashes_in(names)
        named = counts.nonzero()[0]
        firsts = (np.cumsum(counts) - counts)[named]
        seconds = np.append(hashes, _NO_WORD)[firsts + 1]
        pairs = _pairs(hashes[firsts], np.where(counts[named] > 1, seconds, _NO_WORD))
        order = np.argsort(pairs, kind="stable")
        self._pairs, self._names = pairs[order], [names[name] for name in named[order].tolist()]
        is_large = np.array([name[0].isupper() for name in self._names], np.bool_)
        slots = _slots(hashes[firsts][order])
        # 1 for a word that a name begins with where it has a capital; 2 for any (bell hooks).
        self._first = np.zeros(1 << _SLOT_BITS, np.int8)
        self._first[slots[is_large]] = 1
        self._first[slots[~is_large]] = 2

    def _begins(self, words: TokenBatch, are_asked: Mask | None) -> Places:
        """Give the places of the words that a name may begin with."""
        kinds = self._first[_slots(words.hash)]
        kinds[words.is_end] = 0
        if are_asked is not None:
            kinds[~np.append(are_asked, False)[words.owner]] = 0
        places = kinds.nonzero()[0]
        held: Places = places[(kinds[places] == 2) | words.is_capital(places)]
        return held

    def texts(self, words: TokenBatch, are_asked: Mask | None = None) -> NDArray[np.int64]:
        """Return the numbers of the texts that name one of them, each once.

        Args:
            are_asked: Which texts are asked for; None for all. Shape (T,).

        Returns:
            The numbers, in order.
        """
        places = self._begins(words, are_asked)
        first, behind = words.hash[places], words.hash[places + 1]
        pairs = _pairs(np.tile(first, 2), np.append(np.full(len(places), _NO_WORD), behind))
        spans = [*self._find(words, np.tile(places, 2), pairs)]
        if not spans:
            return places[:0]
        firsts, lasts = np.array(spans, np.int64).T
        candidates = Candidates(words, firsts, {}, lasts)
        is_name = candidates.holds(_STARTS_NAME) & ~is_protected(candidates)
        return distinct(np.sort(words.owner[firsts[is_name]]))

    def _find(self, words: TokenBatch, places: Places, pairs: Hashes) -> Iterator[tuple[int, int]]:
        """Give the first and the last place of each name that two words give away."""
        begins = self._pairs.searchsorted(pairs)
        hits = (self._pairs.take(begins, mode="clip") == pairs).nonzero()[0]
        ends = self._pairs.searchsorted(pairs[hits], "right").tolist()
        for hit, end in zip(hits.tolist(), ends, strict=True):
            first = int(places[hit])
            for text in self._names[begins[hit] : end]:
                name = _read_name(text)
                if _stands(name, words, first):
                    yield first, first + len(name.words) - 1


def _pairs(first: Hashes, second: Hashes) -> Hashes:
    """Return one hash for each two words."""
    return first * _MIXER + second


def _slots(hashes: Hashes) -> Places:
    """Return which of some slots words have by their hashes."""
    return (hashes >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)


@lru_cache
def known_people(names: tuple[str, ...]) -> KnownPeople:
    """Return names of known people, put into columns once per process."""
    return KnownPeople(names)


@lru_cache(maxsize=1 << 14)
def _read_name(text: str) -> _Name:
    """Read a name; most are words with a space between, for which nothing more is asked."""
    words = text.split(" ")
    if all(map(str.isalpha, words)):
        return _Name(tuple(words), (" ",) * (len(words) - 1))
    tokens = tokenize(text)
    gaps = zip(tokens.words, tokens.gaps[1:-1], strict=False)
    return _Name(tuple(tokens.words), tuple(_plain(*gap) for gap in gaps))


def _stands(name: _Name, words: TokenBatch, first: int) -> bool:
    """Whether a name stands in a text from a place on."""
    last = first + len(name.words) - 1
    if last >= len(words) or words.owner[first] != words.owner[last]:
        return False
    places = range(first, last + 1)
    written = tuple(words.joined[words.start[place] : words.end[place]] for place in places)
    if written != name.words and (last == first or written != tuple(map(str.upper, name.words))):
        return False
    signs = (words.signs.text(int(words.sign[place])) for place in places[1:])
    return tuple(map(_plain, written, signs)) == name.gaps


def _plain(word: str, gap: str) -> str:
    """Write what stands behind a word of a name in one way."""
    if len(word) <= _SHORT and gap.startswith("."):
        gap = f"{gap[1:]} "
    return _SPACES.sub(" ", gap.replace("’", "'"))


_PRONOUN, _CAPITALISED, _SURNAME = map(fact, ("pronoun", "capitalised", "surname"))
_TITLE, _VERB, _THING = map(fact, ("title", "verb", "thing"))
_AGE_TAG = fact("age tag")
_UNREAD_NAME = fact("before unread name")


def term_rules(language: Language) -> tuple[Rule[Reason | None], ...]:
    """Return the rules that decide of terms which are no names.

    Returns:
        The rules; their verdicts are why a term is left alone, or None where it is read.
    """
    surname, title, verb, person = language.surname, language.title, language.verb, language.person
    is_capital = HERE.is_capital
    return (
        Rule(
            "terms.hyphenated",
            Reason.HYPHENATED,
            _PRONOUN & IS_HYPHENATED,
            "a hyphen joins it to another word",
        ),
        Rule(
            "terms.age_tag",
            Reason.NOT_PEOPLE,
            _AGE_TAG & ~language.ages.tag,
            "nothing shows that it is somebody's age and gender",
        ),
        Rule("terms.deity", Reason.THING, _PRONOUN & language.of_deity, "it is about God"),
        Rule("terms.pronoun", None, _PRONOUN, "it is a pronoun"),
        Rule("terms.small", Reason.LOWER_CASE, _CAPITALISED & ~is_capital, "it is in lower case"),
        Rule("terms.surname", Reason.SURNAME, is_capital & says(surname), asks=surname),
        Rule(
            "terms.in_name",
            Reason.SURNAME,
            _SURNAME & is_capital & language.name_part,
            "it is joined to another word of a name",
        ),
        Rule(
            "terms.with_name",
            Reason.UNREAD_NAME,
            _UNREAD_NAME & language.goes_with_name,
            "its name is left alone",
        ),
        Rule("terms.no_title", Reason.NOT_A_TITLE, _TITLE & ~says(title), asks=title),
        Rule("terms.verb", Reason.VERB, _VERB & says(verb), asks=verb),
        Rule("terms.thing", Reason.THING, _THING & ~says(person), asks=person),
        # What is read is told by the last question about it.
        Rule("terms.person", None, _THING, asks=person),
        Rule("terms.no_verb", None, _VERB, asks=verb),
        Rule("terms.title", None, _TITLE, asks=title),
        Rule("terms.listed", None, ALWAYS, "the list has it"),
    )


def surname_rules(language: Language) -> tuple[Rule[Verdict], ...]:
    """Return the rules that decide of words that are listed as surnames: by the tags of a reader.

    Without a reader it is one where a surname stands.
    """
    accept, unsure, tags = Verdict.ACCEPT, Verdict.UNSURE, language.tags
    where = Rule("surnames.where_one_stands", accept, says(language.surname), asks=language.surname)
    if tags is None:
        return where, Rule("surnames.unsure", unsure, ALWAYS, "no surname stands there")

    def is_family(candidates: Candidates) -> Mask:
        held: Mask = tags.family_at(candidates.words, candidates.places) >= tags.family
        return held

    def explain(candidates: Candidates) -> str:
        return tags.tagged(candidates.words, candidates.places).describe(0)

    return (
        Rule("surnames.tagged", accept, Predicate(is_family, True), "its tag", explain=explain),
        Rule("surnames.unsure", unsure, ALWAYS, "its tag", explain=explain),
    )


@dataclass(frozen=True, eq=False)
class TermTable:
    """The forms that are read in texts.

    Attributes:
        axis: The demographic axis.
        attributes: Its attributes.
        words: Word in lower case to its readings.
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.
        columns: What is known of the words, by their numbers.
        reads_ages: Whether ages in figures ("a 40-year-old") are read.
        language: What answers the questions about neighbours.
        known: The people whose rows are left alone; None for nobody.
        neutral: The attribute that is neither of two; empty where there is none.
    """

    axis: str
    attributes: tuple[str, ...]
    words: Mapping[str, Readings]
    phrases: Mapping[tuple[str, str], tuple[Phrase, ...]]
    columns: TermColumns
    reads_ages: bool
    language: Language = field(default_factory=language)
    known: KnownPeople | None = None
    neutral: str = ""

    @cached_property
    def rules(self) -> tuple[Rule[Reason | None], ...]:
        """The rules that decide of the terms which are no names."""
        return term_rules(self.language)

    @cached_property
    def surname_rules(self) -> tuple[Rule[Verdict], ...]:
        """The rules that decide of words that are listed as surnames."""
        return surname_rules(self.language)

    @cached_property
    def is_title(self) -> Predicate:
        """Whether a word is a title before a name."""
        return says(self.language.title)


def table_files(axis: str, *, names: bool | None = None) -> dict[str, Path]:
    """Name the lexicon files that a table is built from.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether the names are read that have the axis's attributes. None for first names of
            men and women alone, which are paired one to one.

    Raises:
        InputError: There is no such axis, or its lexicon is malformed.
    """
    if axis in name_lexicons():
        one_of(axis, available_lexicons(), parameter="axis")
    files = dict(lexicon_files(axis))
    if names is False:
        return files
    lexicon = load_lexicon(axis)
    for name in name_lexicons():
        if names_fit(name, lexicon, paired=names is None):
            files |= lexicon_files(name)
    return files


_MOST_KNOWN = 64
_known_digests: dict[tuple[str, bool | None], tuple[Sequence[str], object, Digests]] = {}


def table_digests(axis: str, *, names: bool | None = None) -> Digests:
    """Return the digests of the files that `table_files` names, as they are now."""
    # A call for one row would take as long to look for the files as to read it.
    paths, states, digests = _known_digests.get((axis, names), ((), None, ()))
    if states != file_states(paths):
        files = table_files(axis, names=names)
        paths = [str(path) for file in files.values() for path in (file, exceptions_file(file))]
        states, digests = file_states(paths), file_digests(files)
        if len(_known_digests) >= _MOST_KNOWN:
            _known_digests.clear()
        _known_digests[axis, names] = paths, states, digests
    return digests


def read_lexicon(axis: str, digests: Digests) -> Lexicon:
    """Return the lexicon that a technique was made with.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        digests: Resource name to SHA-256 of its files, as the technique took them. The names are
            read whose files are among them.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    stated = dict(digests)
    files = dict(lexicon_files(axis))
    for name in name_lexicons():
        files |= lexicon_files(name) if name in stated else {}
    for name, path in sorted(files.items()):
        if file_digest(path) != stated.get(name):
            raise InputError(
                f"The lexicon {name!r} has changed since the technique was made; create the "
                "technique again to work with the lexicon as it is."
            )
    return load_lexicon(axis)


@cache
def age_tags(attributes: tuple[str, ...], code: str) -> tuple[Entry, ...]:
    """List what tells an age and a gender in one word: "31m" and "31f", "f31" and "m31".

    Returns:
        Rows as those of a lexicon; none unless the axis has two genders at least.
    """
    ages = language(code).ages
    gendered, years = ages.gendered, ages.years
    own = {name: gendered[name] for name in attributes if name in gendered}
    return tuple(
        Entry({name: (Form(pattern.format(age, own[name])),) for name in own}, AGE_TAG)
        for age in (years if len(own) > 1 else ())
        for pattern in ("{0}{1}", "{1}{0}")
    )


@lru_cache
def build_table(
    axis: str,
    digests: Digests,
    protect: tuple[str, ...] = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> TermTable:
    """Build the table of the terms of an axis, once per process.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        digests: As for `read_lexicon`, and those of the lists of known people.
        protect: Names of people who are left alone, and lists of known people.
        reader: The token classifier that is asked about names and pronouns.

    Returns:
        The table.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    table = _table_without(axis, digests, protect)
    if pipeline is None:
        if reader is None:
            return table
        return replace(table, language=with_reader(table.language, reader))
    # A pipeline may take a word in lower case for a name.
    table = replace(table, columns=TermColumns(table.words, table.phrases, ()))
    return replace(table, language=with_pipeline(table.language, pipeline))


@lru_cache
@uncollected(stays=True)
def _table_without(axis: str, digests: Digests, protect: tuple[str, ...]) -> TermTable:
    """Build the table of an axis that asks neither a pipeline nor a reader of one's own."""
    lexicon = read_lexicon(axis, digests)
    words: dict[str, tuple[Term, ...]] = {}
    several: dict[str, tuple[Term, ...]] = {
        text: () for text in lexicon.exceptions if not is_word(text)
    }
    for text, term in terms_of(lexicon, axis):
        target = words if is_word(text) else several
        key = text.lower() if is_word(text) else text
        target[key] = (*target.get(key, ()), term)
    names = [load_lexicon(name) for name in name_lexicons() if name in dict(digests)]
    for lists in names:
        for text, term in terms_of(lists, axis):
            words.setdefault(text.lower(), (term,))
    for entry in age_tags(lexicon.attributes, lexicon.language):
        for attribute, (form,) in entry.forms.items():
            words.setdefault(form.text, (Term(attribute, entry, axis=axis, spelling=form.text),))
    for text in filter(is_word, lexicon.exceptions):
        words.pop(text.lower(), None)
    one_by_one = [name for name in protect if not is_people_list(name)]
    phrases = [phrase_of(text, terms, words) for text, terms in several.items()]
    phrases += [phrase_of(text, (), words, is_protected=True) for text in one_by_one]
    # An exception without any term has nothing to protect.
    phrases = [
        phrase for phrase in phrases if phrase.readings or phrase.words[phrase.anchor] in words
    ]
    reads_ages = set(lexicon.attributes) >= stages_of_life().keys()
    table = table_of_terms(axis, lexicon.attributes, words, phrases, reads_ages=reads_ages)
    people = read_people(protect, dict(digests))
    known = known_people(people) if people else None
    return replace(
        table,
        language=_language_of(axis, lexicon),
        known=known,
        neutral=lexicon.neutral,
    )


def _language_of(axis: str, lexicon: Lexicon) -> Language:
    """Return the language of a lexicon; a user's list in another one leaves no text for its own."""
    own = language(lexicon.language)
    if own.foreign is None or axis in available_lexicons():
        return own
    listed = TokenBatch([" ".join(form.text for form in lexicon.forms())])
    return own._replace(foreign=None) if len(own.foreign(listed, np.array([0]))) else own


def table_of_terms(
    axis: str,
    attributes: tuple[str, ...],
    words: Mapping[str, tuple[Term, ...]],
    phrases: Sequence[Phrase] = (),
    *,
    reads_ages: bool = False,
) -> TermTable:
    """Put a table together.

    Args:
        words: Word in lower case to the terms that are spelt so.

    Returns:
        The table.
    """
    grouped: dict[tuple[str, str], tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        first = max(0, phrase.anchor - 1)
        pair = (*phrase.words, "")[first : first + 2]
        grouped[pair[0], pair[1]] = (*grouped.get((pair[0], pair[1]), ()), phrase)
    # Names count where they are capitalised, but where they give a phrase away in lower case.
    anchors = {phrase.words[phrase.anchor] for phrase in phrases}
    names = {word for word, terms in words.items() if terms[0].is_name}
    small = {word for word in names & anchors if words[word][0].is_surname}
    small |= {phrase.words[phrase.anchor] for phrase in phrases if phrase.may_be_small}
    readings = {word: readings_of(terms) for word, terms in words.items()}
    return TermTable(
        axis=axis,
        attributes=attributes,
        words=readings,
        phrases=grouped,
        columns=TermColumns(readings, grouped, names - small),
        reads_ages=reads_ages,
    )
