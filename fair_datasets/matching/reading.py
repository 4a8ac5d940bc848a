"""Reading texts: which of their words are mentions, and why the others are left alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import Entry, Form
from fair_datasets.matching.alike import read_alike
from fair_datasets.matching.conditions import Candidates, deciding
from fair_datasets.matching.decisions import Decisions, Rows, names_of, verdicts_of
from fair_datasets.matching.found import Found, Reason
from fair_datasets.matching.known_people import KnownPeople
from fair_datasets.matching.language import Age, Language
from fair_datasets.matching.lexicon_phrases import phrases_in
from fair_datasets.matching.names_in_rows import NamesInRows
from fair_datasets.matching.places import HERE, IS_ALONE, is_protected
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.tagged import SENSE
from fair_datasets.matching.terms import Phrase, Term
from fair_datasets.matching.words import Mask, Places, Words

# The least probability at which a word without a capital is read as a first name.
_LEAST = 0.5
# How far behind an age a person may be told of, in words.
_REACH = 9


def read_words(words: Words, row_of: NDArray[np.int64], table: TermTable) -> Found:
    """Find the mentions along one axis in texts.

    Args:
        words: The words of the texts.
        row_of: The row of each text. Shape (T,).
        table: The terms to look for.

    Returns:
        The mentions, and what is left alone.
    """
    return _Reader(words, row_of, table).found()


class _Reader:
    """Reads the texts of a chunk."""

    def __init__(self, words: Words, row_of: NDArray[np.int64], table: TermTable) -> None:
        """Find the candidates."""
        self.words, self.row_of, self.table = words, row_of, table
        self.language: Language = table.language
        self.columns = table.columns
        self.ages = (
            list(self.language.ages(words)) if table.reads_ages and self.language.ages else []
        )
        self.small_names = self._small_names()
        places = self.columns.places(words)
        if len(self.small_names):
            places = np.union1d(places, self.small_names)
        self.is_aged = self._aged()
        self.decisions = Decisions(words, places[~self.is_aged[places]], self.columns)

    def found(self) -> Found:
        """Decide of all candidates."""
        decisions = self.decisions
        if len(decisions.places):
            self._leave_what_is_no_prose()
            protected = self._read_phrases()
            decisions.keep((decisions.terms >= 0) | ~decisions.is_open)
            names = NamesInRows(
                decisions, self.language, self.table.surname_rules, self.small_names
            )
            names.settle(self.row_of, protected)
            self._read_terms(names)
            self._ask_senses()
            names.leave_against_pronouns(self.row_of, self.language)
            if self.table.reads_ages:
                self._leave_without_age()
        return self._found()

    def _small_names(self) -> Places:
        """Return the first names in texts without capitals, where a reader takes them for names."""
        tags, places = self.language.tags, self.columns.small_names(self.words)
        if tags is None or not len(places):
            return places[:0]
        return places[tags.given(self.words, places) >= _LEAST]

    def _aged(self) -> Mask:
        """Tell which places are part of an age that is read, which stands in prose."""
        held = np.zeros(len(self.words), np.bool_)
        if not self.ages:
            return held
        begins = self.words.first[[age.text for age in self.ages]].tolist()
        spans = [
            np.arange(begin + age.first, begin + age.last + 1)
            for begin, age in zip(begins, self.ages, strict=True)
        ]
        places = np.concatenate(spans)
        whose = np.repeat(np.arange(len(spans)), [len(span) for span in spans])
        is_prose = np.ones(len(spans), np.bool_)
        is_prose[whose[is_protected(Candidates(self.words, places))]] = False
        held[places[is_prose[whose]]] = True
        self.ages = [age for age, held in zip(self.ages, is_prose.tolist(), strict=True) if held]
        return held

    def _leave_what_is_no_prose(self) -> None:
        """Leave alone what is no word of prose, or stands in a title."""
        decisions = self.decisions
        found = decisions.candidates(np.arange(len(decisions.places)))
        is_foreign = self.language.foreign(self.words) if self.language.foreign else None
        if is_foreign is not None and is_foreign.any():
            held = is_foreign[self.words.owner[decisions.places]]
            decisions.leave(held, Reason.OTHER_LANGUAGE, "text.other_language")
        for reason, rule, held in (
            (Reason.PROTECTED_TEXT, "text.protected", is_protected(found)),
            (Reason.PART_OF_WORD, "text.part_of_word", ~found.holds(IS_ALONE)),
            (Reason.TITLE, "text.quoted_title", found.holds(self.language.quoted)),
        ):
            decisions.leave(decisions.is_open & held, reason, rule)

    def _read_phrases(self) -> dict[int, set[str]]:
        """Read phrases in place of the words inside them; return the protected names by row."""
        decisions = self.decisions
        protected: dict[int, set[str]] = {}
        dropped = np.zeros(len(decisions.places), np.bool_)
        phrases: list[tuple[int, Phrase]] = []
        for first, last, phrase in phrases_in(decisions, self.table.phrases):
            if self.is_aged[first : last + 1].any():
                # "9 year old girls" are no old girls.
                continue
            anchor = int(np.searchsorted(decisions.places, first + phrase.anchor))
            inside = slice(*np.searchsorted(decisions.places, [first, last + 1]).tolist())
            dropped[inside] = True
            dropped[anchor] = False
            decisions.places[anchor], decisions.lasts[anchor] = first, last
            phrases.append((anchor, phrase))
            if phrase.is_protected:
                row = int(self.row_of[self.words.owner[first]])
                protected.setdefault(row, set()).update(phrase.words)
                decisions.leave(np.array([anchor]), Reason.PROTECTED_NAME, "names.protected")
            elif phrase.readings is None:
                decisions.leave(np.array([anchor]), Reason.PHRASE, "terms.exception")
        self._use_phrases([(row, each) for row, each in phrases if each.readings is not None])
        decisions.keep(~dropped)
        return protected

    def _use_phrases(self, phrases: Sequence[tuple[int, Phrase]]) -> None:
        """Choose the readings of phrases."""
        decisions = self.decisions
        for row, phrase in phrases:
            assert phrase.readings is not None
            decisions.terms[row] = self.columns.number(phrase.readings.usual)
        rows = np.array([row for row, _ in phrases], np.int64)
        if not len(rows):
            return
        decisions.read(rows, "terms.phrase")
        is_other = decisions.candidates(rows).holds(self.language.other_sense)
        decisions.leave(rows[is_other], Reason.NOT_PEOPLE, "terms.other_sense")
        terms = decisions.terms[rows]
        facts = self.columns.facts
        has_uses = np.array(
            [bool(p.readings and "adjective" in p.readings.cases) for _, p in phrases]
        )
        used = rows[facts["person"][terms] | has_uses]
        by_row = dict(phrases)
        for row, use in zip(used.tolist(), self._uses(used), strict=True):
            readings = by_row[row].readings
            if use and readings is not None and use in readings.cases:
                decisions.terms[row] = self.columns.number(readings.cases[use])

    def _uses(self, rows: Rows) -> list[str]:
        """Say how words for people are used, and leave those alone that are not."""
        decisions = self.decisions
        if not len(rows):
            return []
        found = decisions.candidates(rows)
        is_small = found.fact("capitalised") & ~found.holds(HERE.is_capital)
        rules = deciding(self.language.used, found)
        uses = np.where(is_small, "", verdicts_of(self.language.used)[rules])
        names = names_of(self.language.used)[rules]
        decisions.read(rows, names)
        is_none = uses == ""
        decisions.reasons[rows[is_none]] = Reason.NOT_PEOPLE
        decisions.leave(rows[is_small], Reason.LOWER_CASE, "terms.small")
        return [str(use) for use in uses]

    def _read_terms(self, names: NamesInRows) -> None:
        """Read words that are no names, by their neighbours."""
        decisions, columns = self.decisions, self.columns
        rows = np.flatnonzero(decisions.is_open)
        if not len(rows):
            return
        numbers = self.words.number[decisions.places[rows]]
        is_chosen = self._choose_titles(rows, columns.title(numbers))
        held, bits = columns.held(numbers), columns.bits
        for cases, rules in self.language.cases.items():
            both = bits.get(cases[0], 0) | bits.get(cases[1], 0)
            is_asked = (held & both == both) & ~is_chosen
            asked = is_asked.nonzero()[0] if {*cases} <= bits.keys() else rows[:0]
            if len(asked):
                found = deciding(rules, decisions.candidates(rows[asked]))
                is_first = verdicts_of(rules)[found] == cases[0]
                first, second = (columns.case(case, numbers[asked]) for case in cases)
                decisions.terms[rows[asked]] = np.where(is_first, first, second)
                decisions.rules[rows[asked]] = names_of(rules)[found]
                is_chosen[asked] = True
        is_used = columns.facts["person"][decisions.terms[rows]]
        is_used |= held & bits.get("adjective", 0) > 0
        used = rows[is_used & ~is_chosen]
        uses = self._uses(used)
        for row, use in zip(used.tolist(), uses, strict=True):
            if use:
                number = self.words.number[decisions.places[row : row + 1]]
                term = int(columns.case(use, number)[0])
                decisions.terms[row] = term if term >= 0 else decisions.terms[row]
                decisions.is_open[row] = True
        rows = np.flatnonzero(decisions.is_open)
        self._decide_terms(rows, names)

    def _ask_senses(self) -> None:
        """Leave capitalised words alone that are of a title, as far as a reader can tell."""
        decisions, language, words = self.decisions, self.language, self.words
        if language.tags is None:
            return
        facts, terms = self.columns.facts, np.maximum(decisions.terms, 0)
        is_asked = ~(facts["name"] | facts["pronoun"] | facts["age tag"] | facts["work"])
        is_read = (decisions.reasons == None) & (decisions.terms >= 0)  # noqa: E711
        is_read &= decisions.places == decisions.lasts
        rows = np.flatnonzero(is_read & is_asked[terms])
        rows = rows[words.is_title(decisions.places[rows])]
        if len(rows):
            shares = language.tags.titles_of(words, decisions.places[rows])
            rows = rows[shares >= language.tags.titles]
            rows = rows[~decisions.candidates(rows).holds(language.for_them)]
            decisions.leave(rows, Reason.THING, SENSE)

    def _leave_without_age(self) -> None:
        """Leave words alone that tell no stage of life, or one that could be no other."""
        decisions, rules = self.decisions, self.language.stage
        rows = np.flatnonzero((decisions.reasons == None) & (decisions.terms >= 0))  # noqa: E711
        if len(rows):
            found = deciding(rules, decisions.candidates(rows))
            left = verdicts_of(rules)[found] != None  # noqa: E711
            decisions.reasons[rows[left]] = verdicts_of(rules)[found[left]]
            decisions.rules[rows[left]] = names_of(rules)[found[left]]

    def _choose_titles(self, rows: Rows, titles: NDArray[np.int64]) -> Mask:
        """Read words before names as titles, where that is another reading."""
        decisions = self.decisions
        is_chosen = titles >= 0
        if is_chosen.any():
            asked = np.flatnonzero(is_chosen)
            found = decisions.candidates(rows[asked])
            is_chosen[asked] = found.holds(self.table.is_title)
            decisions.terms[rows[is_chosen]] = titles[is_chosen]
        return is_chosen

    def _decide_terms(self, rows: Rows, names: NamesInRows) -> None:
        """Decide of the terms whose reading is chosen."""
        if not len(rows):
            return
        decisions, rules = self.decisions, self.table.rules
        beside = {
            "behind name": names.stand_before(rows),
            "before unread name": names.unread_behind(rows),
        }
        found = decisions.candidates(rows, beside)
        decided = deciding(rules, found)
        decisions.reasons[rows] = verdicts_of(rules)[decided]
        is_read = decisions.reasons[rows] == None  # noqa: E711
        # What chose among several readings is the rule that is told.
        keeps = is_read & (decisions.rules[rows] != "")
        decisions.rules[rows[~keeps]] = names_of(rules)[decided[~keeps]]

    def _found(self) -> Found:
        """Return what is decided."""
        decisions = self.decisions
        found = Found(
            self.words, self.columns.all, decisions.places, decisions.lasts, decisions.terms,
            decisions.reasons, decisions.rules,
        )  # fmt: skip
        found = self._with_ages(found) if self.table.reads_ages else found
        found = read_alike(found, self.row_of[found.texts], self.table)
        return found if self.table.known is None else self._without_known(found, self.table.known)

    def _without_known(self, found: Found, known: KnownPeople) -> Found:
        """Leave the rows alone that name known people."""
        rows = self.row_of[known.texts(self.words)]
        held = found.is_mention & np.isin(self.row_of[found.texts], rows)
        reasons, rules = found.reasons.copy(), found.rules.copy()
        reasons[held], rules[held] = Reason.KNOWN_PERSON, "rows.known_person"
        return replace(found, reasons=reasons, rules=rules)

    def _with_ages(self, found: Found) -> Found:
        """Add the ages, and leave people alone of whom an age is told that is not read."""
        if self.language.other_ages is not None:
            for place, noun in self.language.other_ages(self.words, self.is_aged):
                near = _near(found, place, noun)
                is_aged = near[found.is_mention[near]]
                found.reasons[is_aged], found.rules[is_aged] = Reason.OTHER_AGE, "ages.other"
        ages = self.ages
        terms = [
            Term(age.attribute, Entry(_forms(age), kind="age"), axis=self.table.axis)
            for age in ages
        ]
        begin = self.words.first[[age.text for age in ages]] if ages else np.zeros(0, np.int64)
        numbers = np.arange(len(ages)) + len(found.terms.readings)
        rules, none = np.array([age.rule for age in ages], object), np.full(len(ages), None, object)
        columns = (
            (found.firsts, begin + np.array([age.first for age in ages], np.int64)),
            (found.lasts, begin + np.array([age.last for age in ages], np.int64)),
            (found.readings, numbers), (found.reasons, none), (found.rules, rules),
        )  # fmt: skip
        both = Found(self.words, found.terms.with_others(terms), *map(np.concatenate, columns))
        return both.take(np.argsort(both.firsts, kind="stable"))


def _forms(age: Age) -> dict[str, tuple[Form, ...]]:
    """Return what an age becomes."""
    return {attribute: (Form(text),) for attribute, text in age.forms.items()}


def _near(found: Found, place: int, noun: int) -> NDArray[np.int64]:
    """Return the candidates that an age which is not read may say the age of.

    They stand around its last word, or up to a few words behind it; no further back than the noun.
    """
    firsts = found.firsts
    begin = max(0, int(np.searchsorted(firsts, place, "right")) - 1)
    rows = np.arange(begin, np.searchsorted(firsts, place + _REACH, "right"))
    firsts, lasts = firsts[rows], found.lasts[rows]
    held = (found.texts[rows] == found.words.owner[place]) & (place <= lasts)
    held &= (place >= firsts) | ((firsts <= noun) & (noun <= lasts))
    near: NDArray[np.int64] = rows[held]
    return near
