"""Rows of which no counterfactual reads true: their mentions are left alone, with the reason.

Whether a word is a mention is told by its neighbours; whether it can be rewritten, by all that the
row says. "Catholics and the Pope" mentions Christians, but there are no Hindus and the Pope.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons.lexicon import Form
from fair_datasets.reader.english.neighbours import OPENS_SENTENCE
from fair_datasets.reader.matching.conditions import Candidates
from fair_datasets.reader.matching.found import OF_ROW, Cause, Chunk, Found, Reason
from fair_datasets.reader.matching.language import Language, TiedWord
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.reader.matching.words import Mask, Words, among
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.directions import DrawnTargets, Targets
from fair_datasets.swap.rewriting import Rows

Numbers = NDArray[np.int64]
# The kinds of the lexicon that say what somebody is to somebody else.
_RELATED = ("kinship", "relation")


def left_without_gender(
    chunk: Chunk, mentions: Numbers, is_neutral: Mask, table: TermTable
) -> dict[int, Reason]:
    """Say which rows are left alone as some mentions lose their sense without a gender, and why.

    Args:
        mentions: The mentions of the axis among what is found. Shape (M,).
        is_neutral: Which of them become neutral. Shape (M,).
    """
    found, several = chunk.found, mentions[is_neutral]
    candidates = Candidates(found.words, found.firsts[several], {}, found.lasts[several])
    rows = chunk.row_of[found.texts]
    left: dict[int, Reason] = {}
    kinds = found.terms.kind[found.readings]
    for mention in several[candidates.holds(table.language.compared)].tolist():
        before = several[(found.texts[several] == found.texts[mention]) & (several < mention)]
        if np.any(kinds[before] != kinds[mention]):
            left[int(rows[mention])] = Reason.CONTRAST
    left |= dict.fromkeys(_told_apart(found, several, rows, table), Reason.CONTRAST)
    for condition, reason in (
        (table.language.of_gender, Reason.GENDER),
        (table.language.called, Reason.CALL),
        (table.language.of_animals, Reason.THING),
    ):
        left |= dict.fromkeys(rows[several[candidates.holds(condition)]].tolist(), reason)
    return left


def _told_apart(found: Found, several: Numbers, rows: Numbers, table: TermTable) -> Iterator[int]:
    """Give the rows with two relatives whom one word would mean: a father and a mother."""
    related = several[found.of_kind(several, *_RELATED)]
    neutral = table.neutral
    attributes: dict[tuple[int, str], set[str]] = defaultdict(set)
    for mention in related.tolist():
        term = found.terms.readings[found.readings[mention]]
        for form in () if term.entry.is_plural else term.entry.forms.get(neutral, ())[:1]:
            key = int(rows[mention]), form.text
            attributes[key].add(term.attribute)
            if len(attributes[key]) > 1:
                yield key[0]


class WrittenRow(NamedTuple):
    """What the attributes that a row mentions along an axis become, or stay."""

    written: Mapping[str, str]

    @property
    def changed(self) -> set[str]:
        """The attributes that become others."""
        return {old for old, new in self.written.items() if old != new}


def rows_written(
    chunk: Chunk, mentions: Numbers, targets: Callable[[int], Targets] | Targets, axis: str
) -> dict[int, WrittenRow]:
    """Return what the attributes that each row mentions become.

    Args:
        mentions: The mentions of an axis, by their numbers. Shape (M,).
    """
    found, many = chunk.found, len(chunk.found.terms.kinds)
    kinds = found.terms.kind[found.readings[mentions]]
    written: dict[int, dict[str, str]] = defaultdict(dict)
    for pair in np.unique(chunk.row_of[found.texts[mentions]] * many + kinds).tolist():
        row, kind = divmod(pair, many)
        attribute = found.terms.kinds[kind][1]
        own = targets(row) if callable(targets) else targets
        written[row][attribute] = own.get((axis, attribute), attribute)
    return {row: WrittenRow(own) for row, own in written.items()}


def is_on(found: Found, axis: str) -> NDArray[np.bool_]:
    """Tell which candidates are of an axis. Shape (C,)."""
    kinds = np.array([own == axis for own, _ in found.terms.kinds], np.bool_)
    return kinds[found.terms.kind[found.readings]]


def leave(found: Found, row_of: Numbers, left: Mapping[int, Cause], axis: str) -> Found:
    """Leave the mentions of rows alone.

    Args:
        row_of: The row of each text. Shape (T,).
    """
    if not left:
        return found
    reasons, rules = found.reasons.copy(), found.rules.copy()
    several = np.flatnonzero(found.is_mention & among(row_of[found.texts], list(left)))
    for mention in several[is_on(found.take(several), axis)].tolist():
        reason, told, _ = left[int(row_of[found.texts[mention]])]
        reasons[mention] = reason
        rules[mention] = f"{OF_ROW}{reason.name.lower()} {told}".rstrip()
    return replace(found, reasons=reasons, rules=rules)


# What a group has, by the kinds of the lexicon, whose words are parts of names as well.
_HOUSE = "place of worship"
_NAMED = ("clergy", _HOUSE, "scripture")


def named(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a group, or what it has, bears a name: "Trinity Church".

    Args:
        mentions: The mentions of an axis, by their numbers. Shape (M,).
    """
    found = chunk.found
    asked = mentions[found.words.is_capital(found.firsts[mentions])]
    things = found.of_kind(asked, *_NAMED)
    for several, condition in (
        (mentions[found.of_kind(mentions, _HOUSE)], table.language.named_house),
        (asked[things], table.language.named),
        (asked[~things], table.language.named_group),
    ):
        candidates = Candidates(found.words, found.firsts[several], {}, found.lasts[several])
        yield from _tied_by(chunk, several[candidates.holds(condition)], rows, "the name with ")


def beside_others(
    chunk: Chunk, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a group is told of that is not rewritten: "the Jewish Museum"."""
    found = chunk.found
    is_other = (found.reasons == Reason.NOT_PEOPLE) | (found.reasons == Reason.TITLE)
    is_other |= found.reasons == Reason.LOWER_CASE
    others = np.flatnonzero(is_other & is_on(found, table.axis))
    others = others[found.rules[others] != "people.name"]
    candidates = Candidates(found.words, found.firsts[others], {}, found.lasts[others])
    yield from _tied_by(chunk, others[candidates.holds(table.language.means_group)], rows)


def _named_alike(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a word that becomes another stays in a name: "Ed Black"."""
    found = chunk.found
    is_name = (found.reasons == Reason.NAME) | (found.rules == "people.name")
    is_name &= ~found.is_mention & is_on(found, table.axis)
    if table.axis in table.language.contrasted:
        # "The Danish Film Award" stays Danish, whoever wins it.
        is_name &= found.words.is_end[found.lasts + 1] | ~found.words.is_capital(found.lasts + 1)
    names = np.flatnonzero(is_name)
    if not len(names):
        return
    keys = chunk.row_of[found.texts] * len(vocabulary()) + found.words.number[found.lasts]
    for name in names[among(keys[names], keys[mentions])].tolist():
        number = int(chunk.row_of[found.texts[name]])
        if found.terms.readings[found.readings[name]].attribute in rows[number].changed:
            start, end = found.words.start[found.firsts[name]], found.words.end[found.lasts[name]]
            yield number, Cause(Reason.NAMED, f"{found.words.joined[start:end]!r}", is_final=True)


def leave_names_that_stay(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Chunk:
    """Leave rows alone in which a name would change that stays elsewhere: "Bill, says Bill Hale".

    Returns:
        The same rows.
    """
    found = chunk.found
    mentions, rows = _written(chunk, targets, table)
    is_name = np.array([term.is_name for term in found.terms.readings], np.bool_)
    names = mentions[is_name[found.readings[mentions]]]
    others = np.flatnonzero((found.reasons == Reason.NOT_A_NAME) & is_on(found, table.axis))
    keys = chunk.row_of[found.texts] * len(vocabulary()) + found.words.number[found.lasts]
    left: dict[int, Cause] = {}
    for name in others[np.isin(keys[others], keys[names])].tolist():
        number = int(chunk.row_of[found.texts[name]])
        if rows[number].changed:
            start, end = found.words.start[found.firsts[name]], found.words.end[found.lasts[name]]
            left[number] = Cause(Reason.NAMED, f"{found.words.joined[start:end]!r}")
    return chunk._replace(found=leave(found, chunk.row_of, left, table.axis))


def _tied_by(
    chunk: Chunk, several: Numbers, rows: Mapping[int, WrittenRow], what: str = ""
) -> Iterator[tuple[int, Cause]]:
    """Give the rows that some candidates tie to a group that would become another."""
    found, words = chunk.found, chunk.found.words
    for number in several.tolist():
        row = int(chunk.row_of[found.texts[number]])
        attribute = found.terms.readings[found.readings[number]].attribute
        if row in rows and attribute in rows[row].changed:
            start, end = words.start[found.firsts[number]], words.end[found.lasts[number]]
            told = f"tied to {attribute!r} by {what}{words.joined[start:end]!r}"
            yield row, Cause(Reason.TIED, told, is_final=True)


def tied(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows that another word ties to a group.

    Args:
        mentions: The mentions of an axis, by their numbers. Shape (M,).
    """
    if table.language.tied is None or not rows:
        return
    words = chunk.found.words
    steps = np.zeros(len(words) + 1, np.int64)
    np.add.at(steps, chunk.found.firsts[mentions], 1)
    np.add.at(steps, chunk.found.lasts[mentions] + 1, -1)
    changed = [number for number, row in rows.items() if row.changed]
    is_asked = np.append(among(chunk.row_of, changed), False)
    is_free = (np.cumsum(steps[:-1]) == 0) & is_asked[words.owner]
    is_group = table.axis in table.language.groups
    for word in table.language.tied(words, table.axis, is_free):
        number = int(chunk.row_of[word.text])
        for old, new in rows[number].written.items() if number in rows else ():
            if cause := _cause(word, old, new, is_group):
                yield number, cause


def _cause(word: TiedWord, old: str, new: str, is_group: bool) -> Cause | None:
    """Say why a word does not go with a change; None where it does."""
    if old == new:
        return None
    if old in word.groups and not (is_group and new in word.groups):
        is_final = not is_group or len(word.groups) == 1
        return Cause(Reason.TIED, f"tied to {old!r} by {word.words!r}", is_final)
    # Nobody joins a group to which a word of the row is tied.
    if new in word.never or (is_group and new in word.groups and old not in word.groups):
        return Cause(Reason.TIED, f"{word.words!r} does not go with becoming {new!r}")
    return None


def leave_beside_titles(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Chunk:
    """Leave the mentions alone of rows that a title would contradict, which goes with its name.

    Returns:
        The same rows.
    """
    found = chunk.found
    titles = np.flatnonzero(found.reasons == Reason.UNREAD_NAME)
    titles = titles[is_on(found.take(titles), table.axis)]
    if not len(titles):
        return chunk
    numbers = chunk.row_of[found.texts[titles]]
    mentions = np.flatnonzero(found.is_mention & among(chunk.row_of[found.texts], numbers))
    mentions = mentions[is_on(found.take(mentions), table.axis)]
    rows = rows_written(chunk, mentions, targets, table.axis)
    neutral = table.neutral
    left: dict[int, Cause] = {}
    for number, reading in zip(numbers.tolist(), found.readings[titles].tolist(), strict=True):
        attribute = found.terms.readings[reading].attribute
        row = rows.get(number)
        if row and attribute in row.changed and row.written[attribute] != neutral:
            left[number] = Cause(Reason.TITLED)
    return chunk._replace(found=leave(found, chunk.row_of, left, table.axis))


# As many letters as tell Catholics from Protestants, and no Jew from the Jewish.
_STEM = 3
_WHOLE = "*"
_PEOPLE = frozenset({"person", "man", "woman", "faith"})
# The order of the stages of life; an adult is as old as the young at least.
_STAGES = {"child": 0, "young": 1, "adult": 1, "middle-aged": 2, "senior": 3}


def leave_rows(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, tables: Sequence[TermTable]
) -> Chunk:
    """Leave the mentions alone of rows that cannot be rewritten, and rewrite things with groups.

    Args:
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number, and draws others where they do not fit.

    Returns:
        The same rows.
    """
    for table in tables:
        chunk = leave_beside_titles(chunk, targets, table)
        chunk = _leave_animals(chunk, table)
        if not may_leave(table, targets):
            continue
        found = chunk.found
        if table.axis in table.language.groups:
            found = _with_things(found, chunk.row_of[found.texts], table)
        chunk = chunk._replace(found=found)
        left = _left(chunk, targets, table)
        if left and isinstance(targets, DrawnTargets):
            _, rows = _written(chunk, targets, table)
            mentioned = {row: {*own.written} for row, own in rows.items()}
            again = partial(_left_of, chunk, targets, table)
            left = targets.redraw(left, mentioned, table, again)
        chunk = chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
    return chunk


# The pronouns that are about what was told of before: "My cat lost his bell", but "without her".
_OF_SUBJECT = frozenset({"he", "his", "she"})
# Who may be anybody, and is not told of.
_ANYBODY = frozenset({"he", "i", "she", "they", "we", "you"})


def _leave_animals(chunk: Chunk, table: TermTable) -> Chunk:
    """Leave rows alone whose only pronouns may be an animal's: "My cat lost his bell"."""
    found, words, language = chunk.found, chunk.found.words, table.language
    those = vocabulary().listed(("animals", language.animals), language.animals)
    animals = np.flatnonzero(those[words.number])
    if not len(animals):
        return chunk
    mentions = np.flatnonzero(found.is_mention & is_on(found, table.axis))
    texts = found.texts[mentions]
    is_asked = np.zeros(len(words.first), np.bool_)
    is_asked[words.owner[animals]] = True
    is_asked[texts[~found.of_kind(mentions, "pronoun")]] = False
    left: dict[int, Cause] = {}
    for text in np.unique(texts[is_asked[texts]]).tolist():
        number = int(chunk.row_of[text])
        own = mentions[chunk.row_of[texts] == number]
        first = int(animals[np.searchsorted(words.owner[animals], text)])
        terms = [found.terms.readings[each] for each in found.readings[own].tolist()]
        is_one = len({term.attribute for term in terms}) == 1
        is_one &= terms[0].spelling.lower() in _OF_SUBJECT and first < found.firsts[own[0]]
        if is_one and not _tells_of_people(words, text, language):
            left[number] = Cause(Reason.ANIMAL)
    return chunk._replace(found=leave(found, chunk.row_of, left, table.axis))


def _tells_of_people(words: Words, text: int, language: Language) -> bool:
    """Tell whether a text has a noun for a person, or a word with a capital that may be a name."""
    places = np.arange(words.first[text], words.first[text + 1] - 1)
    lower = [words.lower(place) for place in places.tolist()]
    candidates = Candidates(words, places)
    is_name = words.is_capital(places) & ~candidates.holds(OPENS_SENTENCE)
    pairs = zip(lower, is_name.tolist(), strict=True)
    return any(
        word not in _ANYBODY and (is_name or language.is_person(word)) for word, is_name in pairs
    )


def _left_of(
    chunk: Chunk, targets: DrawnTargets, table: TermTable, rows: Sequence[int]
) -> Mapping[int, Cause]:
    """Say which of some rows are left alone on an axis, and why."""
    found = chunk.found
    own = found.take(among(chunk.row_of[found.texts], rows))
    return _left(chunk._replace(found=own), targets, table)


def may_leave(table: TermTable, targets: Callable[[int], Targets] | Targets) -> bool:
    """Tell whether rows are ever left as a whole along an axis.

    Returns:
        Whether its attributes are groups that are tied to words, or ages; or some people become
        neither of two genders.
    """
    neutral = table.neutral
    is_neutral = bool(neutral) and (callable(targets) or neutral in targets.values())
    return is_neutral or table.axis in table.language.groups or table.reads_ages


def _with_things(found: Found, rows: Numbers, table: TermTable) -> Found:
    """Read "the Jewish faith" as well where the row mentions Jews."""
    keys = rows * len(found.terms.kinds) + found.terms.kind[found.readings]
    is_left = (found.reasons == Reason.NOT_PEOPLE) & is_on(found, table.axis)
    is_left &= among(keys, keys[found.is_mention])
    asked = np.flatnonzero(is_left)
    if not len(asked):
        return found
    candidates = Candidates(found.words, found.firsts[asked], {}, found.lasts[asked])
    things = asked[candidates.holds(table.language.thing)]
    adjectives = _adjectives(found)
    readings = found.readings.copy()
    reasons, rules = found.reasons.copy(), found.rules.copy()
    for thing in things.tolist():
        number = adjectives.get(found.terms.readings[readings[thing]].spelling.lower())
        if number is not None:
            readings[thing], reasons[thing], rules[thing] = number, None, "people.thing_of_group"
    return replace(found, readings=readings, reasons=reasons, rules=rules)


def _adjectives(found: Found) -> Mapping[str, int]:
    """Return the number of each adjective by its spelling, in lower case."""
    notes, key = found.terms.notes, "adjectives"
    if key not in notes:
        notes[key] = {
            term.spelling.lower(): number
            for number, term in enumerate(found.terms.readings)
            if term.entry.inflection == "adjective"
        }
    kept: Mapping[str, int] = notes[key]
    return kept


def _left(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Mapping[int, Cause]:
    """Say which rows are left alone on an axis, and why."""
    mentions, rows = _written(chunk, targets, table)
    is_group = table.axis in table.language.groups
    causes: list[Iterable[tuple[int, Cause]]] = []
    if table.axis in table.language.contrasted:
        causes += _becoming_one(rows), _with_branches(chunk, mentions, rows)
    if is_group:
        causes += named(chunk, mentions, rows, table), beside_others(chunk, rows, table)
    if neutral := table.neutral:
        becomes = _becomes(chunk, mentions, rows)
        left = left_without_gender(chunk, mentions, becomes == neutral, table)
        causes.append((row, Cause(reason)) for row, reason in left.items())
    if table.reads_ages:
        causes.append(_with_false_ages(chunk, mentions, rows, table))
        if isinstance(targets, DrawnTargets):
            causes.append(_at_odds(chunk, mentions, rows))
    causes.append(_written_twice(chunk, mentions, rows))
    causes.append(_named_alike(chunk, mentions, rows, table))
    causes.append(tied(chunk, mentions, rows, table))
    found_causes: dict[int, Cause] = {}
    for row, cause in chain.from_iterable(causes):
        if row not in found_causes or cause.is_final:
            found_causes[row] = cause
    # What is tied is told rather than what has no form, as it is there for all to see.
    for row, cause in _without_form(chunk, mentions, rows, table):
        found_causes.setdefault(row, cause)
    return found_causes


def _written(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> tuple[Numbers, Mapping[int, WrittenRow]]:
    """Return the mentions of an axis by which rows are left, and what becomes of each row's."""
    found = chunk.found
    mentions = np.flatnonzero(found.is_mention & is_on(found, table.axis))
    if table.axis in table.language.groups:
        # Nobody is tied to a group by a name.
        mentions = mentions[~found.terms.is_name[found.readings[mentions]]]
    return mentions, rows_written(chunk, mentions, targets, table.axis)


def _becoming_one(rows: Mapping[int, WrittenRow]) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which two groups would become one, or one another that is there."""
    for number, row in rows.items():
        if len(set(row.written.values())) < len(row.written):
            yield number, Cause(Reason.CONTRAST)


# How many words may lie between two words for people that are joined: "Hispanic or Latino".
_JOINED = 1
_OF_OTHERS = ("person", "clergy")


def _written_twice(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which two joined words would become one: "infants and young children"."""
    found = chunk.found
    gaps = found.firsts[mentions[1:]] - found.lasts[mentions[:-1]] - 1
    is_near = (found.texts[mentions[1:]] == found.texts[mentions[:-1]]) & (gaps <= _JOINED)
    for k in np.flatnonzero(is_near).tolist():
        pair = mentions[k : k + 2]
        one, other = (found.terms.readings[reading] for reading in found.readings[pair].tolist())
        number = int(chunk.row_of[found.texts[pair[0]]])
        # "The Muslim priest" has no parish, and a Sikh one is no Buddhist monk.
        if one.attribute != other.attribute and (one.entry.kind, other.entry.kind) == _OF_OTHERS:
            yield number, Cause(Reason.CONTRAST, is_final=True)
        if one.attribute != other.attribute or one.attribute not in rows[number].changed:
            continue
        forms = [
            term.entry.forms.get(rows[number].written[term.attribute]) for term in (one, other)
        ]
        was = one.spelling.lower(), other.spelling.lower()
        first, second = (several[0].text if several else "" for several in forms)
        if was[0] != was[1] and first and first == second:
            yield number, Cause(Reason.TWICE, f"{was[0]!r} and {was[1]!r}")


def _becomes(chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]) -> NDArray[Any]:
    """Return what each mention becomes. Shape (M,)."""
    found = chunk.found
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    terms = [found.terms.readings[reading] for reading in found.readings[mentions].tolist()]
    written = [rows[row].written[term.attribute] for row, term in zip(numbers, terms, strict=True)]
    return np.array(written, object)


def _with_branches(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]
) -> Iterator[tuple[int, Cause]]:
    """Give the rows with two branches of one group, such as Catholics and Protestants."""
    found = chunk.found
    branches = _branches(found)
    told: dict[tuple[int, str], set[str]] = defaultdict(set)
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    for number, reading in zip(numbers, found.readings[mentions].tolist(), strict=True):
        if branches[reading]:
            told[number, found.terms.readings[reading].attribute].add(branches[reading])
    for (number, attribute), stems in told.items():
        if len(stems) > 1 and attribute in rows[number].changed:
            yield number, Cause(Reason.CONTRAST, is_final=True)


def _branches(found: Found) -> Sequence[str]:
    """Return the branch that each reading names by its first letters; empty where it is no people.

    The whole is what the lexicon writes: "Christian" and "Christianity", but not "Catholic".
    """
    notes, key = found.terms.notes, "branches"
    if key not in notes:
        whole = {
            (term.axis, term.attribute, _stem(form.text))
            for term in found.terms.readings
            for form in term.entry.forms.get(term.attribute, ())[:1]
        }
        notes[key] = [_branch(term, whole) for term in found.terms.readings]
    kept: Sequence[str] = notes[key]
    return kept


def _branch(term: Term, whole: Set[tuple[str, str, str]]) -> str:
    """Return the branch that a reading names."""
    if term.entry.kind not in _PEOPLE:
        return ""
    stem = _stem(term.spelling)
    return _WHOLE if (term.axis, term.attribute, stem) in whole else stem


def _stem(text: str) -> str:
    """Return the letters that "Catholics" and "Catholicism" have in common."""
    return text.split(" ")[-1].lower()[:_STEM]


def _without_form(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which words have no counterpart: one of a group's, or all of another's."""
    found, is_group = chunk.found, table.axis in table.language.groups
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    candidates = Candidates(found.words, found.firsts[mentions], {}, found.lasts[mentions])
    is_office = candidates.holds(table.language.office) if is_group else mentions < 0
    lacking: dict[int, Cause] = {}
    written: set[int] = set()
    several = zip(numbers, found.readings[mentions].tolist(), is_office.tolist(), strict=True)
    for number, reading, is_bare in several:
        term = found.terms.readings[reading]
        target = rows[number].written[term.attribute]
        if target == term.attribute:
            continue
        forms = term.entry.forms.get(target)
        if forms and not (is_bare and _is_described(term, forms)):
            written.add(number)
        else:
            word = term.entry.forms[term.attribute][0].text
            lacking[number] = Cause(Reason.NO_FORM, f"{target!r} has no word for {word!r}")
    return ((row, cause) for row, cause in lacking.items() if is_group or row not in written)


def _is_described(term: Term, forms: Sequence[Form]) -> bool:
    """Tell whether an office is written in several words: nobody "was Buddhist monk"."""
    return term.entry.kind == "clergy" and not term.entry.is_plural and " " in forms[0].text


def _with_false_ages(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows whose ages would be in another order, or contradict what else they say."""
    found = chunk.found
    ages = mentions[found.of_kind(mentions, "age")]
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    stages: dict[int, set[str]] = defaultdict(set)
    starts, ends = found.words.start[found.firsts[ages]], found.words.end[found.lasts[ages]]
    for k, age in enumerate(ages.tolist()):
        text = int(found.texts[age])
        begin = int(found.words.offset[text])
        spans[text].append((int(starts[k]) - begin, int(ends[k]) - begin))
        stages[int(chunk.row_of[text])].add(found.terms.readings[found.readings[age]].attribute)
    for number, own in stages.items():
        written = rows[number].written
        in_order = sorted(own, key=_STAGES.__getitem__)
        after = [_STAGES[written[stage]] for stage in in_order]
        if sorted(set(after)) != after:
            yield number, Cause(Reason.AGES)
    fits = table.language.ages_fit
    for text in np.unique(found.texts[mentions]).tolist():
        number = int(chunk.row_of[text])
        if fits and rows[number].changed and not fits(found.words.texts[text], spans[text]):
            yield number, Cause(Reason.AGES, is_final=True)


# Of whom an age in figures is drawn: nobody of forty who works is eight, and who sang at the age of
# eight had a life to come.
_FAR = frozenset({("child", "middle-aged"), ("child", "senior")})


def _at_odds(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a drawn age in figures is a child's, or a child's much higher."""
    found = chunk.found
    for age in mentions[found.of_kind(mentions, "age")].tolist():
        number = int(chunk.row_of[found.texts[age]])
        old = found.terms.readings[found.readings[age]].attribute
        new = rows[number].written[old]
        if new != old and (new == "child" or (old, new) in _FAR):
            yield number, Cause(Reason.AGES)


# How many words behind the sentence that names a known person others may be about them.
_REACH_OF_NAME = 50


def leave_told_facts(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, tables: Sequence[TermTable]
) -> Chunk:
    """Leave the mentions alone of rows that tell a fact which would read as a contradiction.

    A row is left where the sentence that tells the fact mentions whom it would not be true of: it
    is then no sentence about somebody else in a long row. The other sentences are left as well, as
    they may be about the same person.

    Returns:
        The same rows.
    """
    for table in tables:
        find, found = table.language.facts, chunk.found
        told = list(find(found.words, table.attributes)) if find else []
        if not told:
            continue
        numbers = chunk.row_of[found.words.owner[[fact.begin for fact in told]]]
        in_row = among(chunk.row_of[found.texts], numbers)
        mentions = np.flatnonzero(found.is_mention & in_row)
        mentions = mentions[is_on(found.take(mentions), table.axis)]
        rows = rows_written(chunk, mentions, targets, table.axis)
        firsts = found.firsts[mentions]
        left: dict[int, Cause] = {}
        for row, fact in zip(numbers.tolist(), told, strict=True):
            end = int(found.words.first[found.words.owner[fact.begin] + 1])
            stop = min(fact.stop + _REACH_OF_NAME, end) if fact.is_name else fact.stop
            own = mentions[slice(*np.searchsorted(firsts, (fact.begin, stop)).tolist())]
            attributes = {found.terms.readings[each].attribute for each in found.readings[own]}
            if fact.attribute in attributes and rows[row].written[fact.attribute] in fact.never:
                left[row] = Cause(Reason.KNOWN_PERSON if fact.is_name else Reason.FACT)
        chunk = chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
    return chunk


def left_rows(
    rows: Sequence[Sequence[str | None]],
    targets: Callable[[int], Targets] | Targets,
    table: TermTable,
) -> Mapping[int, Reason]:
    """Say which rows are left as a whole along an axis, and why.

    Args:
        rows: The texts of each row, or nulls.
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number.
    """
    return left_in(chunks(rows, [table]), targets, table) if may_leave(table, targets) else {}


def left_in(
    read: Iterable[Chunk], targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Mapping[int, Reason]:
    """Say the same of rows that are read already.

    Returns:
        As `left_rows` does.
    """
    left: dict[int, Reason] = {}
    for chunk in read:
        left.update(_reasons(leave_rows(chunk, targets, [table])))
    return left


def _reasons(chunk: Chunk, *, of_words: bool = False) -> Iterator[tuple[int, Reason]]:
    """Give the rows that are left as a whole, or those with words that are, as often as words."""
    found = chunk.found
    held = ~found.is_mention
    if not of_words:
        held = np.array([rule.startswith(OF_ROW) for rule in found.rules.tolist()], np.bool_)
    numbers = chunk.row_of[found.texts[held]].tolist()
    yield from zip(numbers, found.reasons[held].tolist(), strict=True)


_counts: ContextVar[Counter[str] | None] = ContextVar("left", default=None)


@contextmanager
def counting_left(counts: Counter[str]) -> Iterator[None]:
    """Count the rows that swaps leave as a whole meanwhile."""
    token = _counts.set(counts)
    try:
        yield
    finally:
        _counts.reset(token)


Notes = dict[tuple[str | None, Row], str]
"""Why rows are left, by the id and the texts of each."""
_notes: ContextVar[Notes | None] = ContextVar("notes", default=None)


@contextmanager
def noting_left(notes: Notes) -> Iterator[None]:
    """Note why swaps leave words of rows alone meanwhile.

    Args:
        notes: What takes the reason for each row with such a word: what leaves all of the row, or
            else what leaves its first such word.
    """
    token = _notes.set(notes)
    try:
        yield
    finally:
        _notes.reset(token)


def count_others(reasons: Mapping[int, str], rows: Rows) -> None:
    """Count and note rows that are left for another reason than their words, if anybody asks."""
    counts, notes = _counts.get(), _notes.get()
    if notes is not None:
        for number, reason in reasons.items():
            notes.setdefault((rows.ids[number], rows.texts[number]), reason)
    if counts is not None:
        counts.update(reasons.values())


def count_left(read: Sequence[Chunk], rows: Rows) -> None:
    """Count and note the rows of a swap that are left, if anybody asks for it.

    Args:
        read: Rows with what is found in them, each of them as a whole.
    """
    counts, notes = _counts.get(), _notes.get()
    if notes is not None:
        of_rows = chain.from_iterable(map(_reasons, read))
        of_words = (each for chunk in read for each in _reasons(chunk, of_words=True))
        for number, reason in chain(of_rows, of_words):
            notes.setdefault((rows.ids[number], rows.texts[number]), reason.value)
    if counts is not None:
        left = {each for chunk in read for each in _reasons(chunk)}
        counts.update(reason.value for _, reason in left)
