"""Reading texts: which of their words are mentions, and why the others are left alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import Entry, Form
from fair_datasets.reader.load import ACCEPT, REJECT, SENSE, TAGGED, UNSURE
from fair_datasets.reader.matching.language import Age, Language, Verdict, never_people
from fair_datasets.reader.matching.mentions import (
    OF_ROW,
    CandidateTable,
    MentionTable,
    Reason,
    Rows,
)
from fair_datasets.reader.matching.predicates import Rule, first_matching_rule, in_columns
from fair_datasets.reader.matching.stated_gender import skip_contradicted_names
from fair_datasets.reader.matching.table import KnownPeople, TermTable
from fair_datasets.reader.matching.terms import Phrase, Term
from fair_datasets.reader.matching.token_batch import (
    Candidates,
    Mask,
    Places,
    TokenBatch,
    among,
    distinct,
)
from fair_datasets.reader.matching.token_refs import HERE, IS_ALONE, is_protected
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.system.collection import uncollected

Numbers = NDArray[np.int64]


def read_alike(mentions: MentionTable, rows: Numbers, table: TermTable) -> MentionTable:
    """Read some words alike wherever they stand in a row.

    Args:
        rows: The number of the row of each candidate. Shape (C,).

    Returns:
        The same: "guys" are left alone if some are addressed, chicks are read if some are people,
        and so is "bro" if a sis is.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace")
        >>> swap({"text": ["You guys saw the guys.", "The sexy chick saw a chick."]})
        {'text': ['You guys saw the guys.', 'The sexy dude saw a dude.']}
    """
    language = table.language
    for words, is_read in ((language.alike, False), (language.read_alike, True)):
        which = _numbers(mentions, words)[mentions.readings]
        if not which.any():
            continue
        keys = rows * len(mentions.terms.readings) + which
        is_other = (which > 0) & (mentions.reasons == Reason.THING)
        changed, telling = mentions.is_mention & (which > 0), is_other
        if is_read:
            changed, telling = telling, changed
        changed = changed & among(keys, keys[telling])
        if changed.any():
            reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
            reasons[changed], rules[changed] = None if is_read else Reason.THING, "terms.alike"
            mentions = replace(mentions, reasons=reasons, rules=rules)
    return _names_alike(mentions, rows)


def _names_alike(mentions: MentionTable, rows: Numbers) -> MentionTable:
    """Read a name wherever a row has it, if a reader's tag alone speaks against it at one place."""
    tagged = ((mentions.rules == TAGGED) & ~mentions.is_mention).nonzero()[0]
    if not len(tagged):
        return mentions
    keys = rows * len(mentions.terms.readings) + mentions.readings
    alike = tagged[among(keys[tagged], keys[mentions.is_mention])]
    reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
    reasons[alike], rules[alike] = None, "terms.alike"
    return replace(mentions, reasons=reasons, rules=rules)


def _numbers(mentions: MentionTable, words: Callable[[], frozenset[str]]) -> Numbers:
    """Return for each reading the number of its row of the list; 0 for other words."""
    terms = mentions.terms

    def numbers() -> Numbers:
        listed, rows = words(), dict[int, int]()
        spelt = terms.noted("spelt", lambda: [term.spelling.lower() for term in terms.readings])
        row_numbers = np.zeros(len(spelt), np.int64)
        for number in [number for number, word in enumerate(spelt) if word in listed]:
            entry = id(terms.readings[number].entry)
            row_numbers[number] = rows.setdefault(entry, len(rows) + 1)
        return row_numbers

    return terms.noted(("words", words), numbers)


Phrases = Mapping[tuple[str, str], Sequence[Phrase]]


def phrases_in(decisions: CandidateTable, phrases: Phrases) -> list[tuple[int, int, Phrase]]:
    """Find the phrases that candidates give away; where several stand, the longest.

    Args:
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.

    Returns:
        The places of the first and the last word of each, and the phrase; in the order of the
        texts, and no two overlap.
    """
    words = decisions.words
    places = decisions.places[decisions.is_open]
    asked = places[decisions.columns.may_anchor(words, places)].tolist()
    several = [(place, list(_given_away(words, place, phrases))) for place in asked]
    every = [each for _, those in several for each in those]
    if not every:
        return []
    are_prose = iter(_are_prose(words, every))
    spans: list[tuple[int, int, Phrase]] = []
    end = -1
    for place, those in several:
        there = [each for each, is_prose in zip(those, are_prose, strict=False) if is_prose]
        free = [each for each in there if each[0] > end]
        if place > end and free:
            spans.append(max(free, key=lambda each: each[1] - each[0]))
            end = spans[-1][1]
    return spans


def _given_away(
    words: TokenBatch, place: int, phrases: Phrases
) -> Iterator[tuple[int, int, Phrase]]:
    """Give the phrases that a word gives away, as `phrases_in` does."""
    text = int(words.owner[place])
    begin, stop = int(words.first[text]), int(words.first[text + 1]) - 1
    word = words.looked_up(place)
    before = words.looked_up(place - 1) if place > begin else ""
    behind = words.looked_up(place + 1)
    for pair in ((before, word), (word, behind), (word, "")):
        for phrase in phrases.get(pair, ()):
            first = place - phrase.anchor
            last = first + len(phrase.words) - 1
            if first >= begin and last < stop and phrase.matches(words, first):
                yield first, last, phrase


def _are_prose(words: TokenBatch, phrases: Sequence[tuple[int, int, Phrase]]) -> Sequence[bool]:
    """Return which phrases are prose, and neither begin nor end within a word."""
    lengths = np.array([last + 1 - first for first, last, _ in phrases], np.int64)
    behind = np.cumsum(lengths)
    first, last = behind - lengths, behind - 1
    places = np.array([k for a, b, _ in phrases for k in range(a, b + 1)], np.int64)
    candidates = Candidates(words, places)
    is_alone = candidates.holds(IS_ALONE)
    # The last word may be joined to the one before it by the phrase itself: "O'Brien".
    is_end = candidates.holds(HERE.sign("'", "’"))[last] | is_alone[last]
    protected = np.concatenate(([0], np.cumsum(is_protected(candidates))))
    is_prose = is_alone[first] & is_end & (protected[behind] == protected[first])
    # An exception protects the words inside it, wherever it stands.
    is_exception = np.array([phrase.readings is None for _, _, phrase in phrases], np.bool_)
    held: list[bool] = (is_prose | is_exception).tolist()
    return held


_CODES = {
    Verdict.SURE: ACCEPT, Verdict.ACCEPT: ACCEPT, Verdict.UNSURE: UNSURE, Verdict.REJECT: REJECT,
}  # fmt: skip


class NamesInRows:
    """What is decided of the names in a chunk of texts.

    Attributes:
        verdicts: The verdict on each candidate: 0 where it is no name. Shape (C,).
    """

    def __init__(
        self,
        decisions: CandidateTable,
        language: Language,
        surnames: Sequence[Rule[Verdict]],
        small_names: Places,
    ) -> None:
        """Judge the names.

        Args:
            surnames: The rules that judge surnames, as `surname_rules` returns them.
            small_names: What a reader takes for first names in texts without capitals.
        """
        self._small_names = small_names
        self.decisions = decisions
        self.verdicts = np.zeros(len(decisions.places), np.int8)
        facts = decisions.columns.facts
        is_term = decisions.is_open & (decisions.terms >= 0)
        terms = np.maximum(decisions.terms, 0)
        names = (is_term & facts["name"][terms]).nonzero()[0]
        is_first = facts["first name"][terms[names]]
        self._judge_first(names[is_first], language)
        self._judge_last(names[~is_first], surnames)

    def _judge_first(self, rows: Rows, language: Language) -> None:
        """Judge first names, of which one may stand behind another one."""
        if not len(rows):
            return
        columns, places = in_columns(language.name), self.decisions.places[rows]
        # A word behind another candidate is judged as if that were a name, and as if it were none.
        behind = (places[1:] - places[:-1] == 1).nonzero()[0] + 1
        follows = np.zeros(len(rows) + len(behind), np.bool_)
        follows[len(rows) :] = True
        asked = np.concatenate((rows, rows[behind]))
        is_small = np.zeros(len(asked), np.bool_)
        if len(self._small_names):
            is_small = among(self.decisions.places[asked], self._small_names)
        beside = {"follows a name": follows, "without capitals": is_small}
        candidates = self.decisions.candidates(asked, beside)
        decided = first_matching_rule(language.name, candidates)
        rules, as_second = decided[: len(rows)], decided[len(rows) :]
        for row, rule in zip(behind.tolist(), as_second.tolist(), strict=True):
            if columns.verdicts[rules[row - 1]] is not Verdict.REJECT:
                rules[row] = rule
        verdicts = columns.verdicts[rules]
        self.verdicts[rows] = _codes(verdicts)
        self.decisions.read(rows, columns.names[rules])
        self._ask_reader(rows[verdicts != Verdict.SURE], language)
        rejected = rows[self.verdicts[rows] == REJECT]
        self.decisions.reasons[rejected] = Reason.NOT_A_NAME

    def _ask_reader(self, rows: Rows, language: Language) -> None:
        """Let a reader overrule the rules about first names where it is sure."""
        if language.tags is None:
            return
        verdicts, places = self.verdicts[rows], self.decisions.places[rows]
        answers = language.tags.verdicts(self.decisions.words, places, verdicts)
        self.verdicts[rows] = answers
        self.decisions.rules[rows[answers != verdicts]] = TAGGED

    def _judge_last(self, rows: Rows, rules: Sequence[Rule[Verdict]]) -> None:
        """Judge surnames, which are sure where they stand behind a title or a first name."""
        if not len(rows):
            return
        matches = first_matching_rule(rules, self.decisions.candidates(rows))
        self.verdicts[rows] = _codes(in_columns(rules).verdicts[matches])
        self.decisions.read(rows, in_columns(rules).names[matches])

    def unread_behind(self, rows: Rows) -> Mask:
        """Return which candidates stand before what is read as no name, where names are read."""
        facts, decisions = self.decisions.columns.facts, self.decisions
        if not facts["first name"].any():
            return np.zeros(len(rows), np.bool_)
        is_name = (self.verdicts > 0) & (decisions.reasons == None)  # noqa: E711
        names = np.zeros(len(decisions.words) + 1, np.bool_)
        names[decisions.places[is_name]] = True
        held: Mask = ~names[decisions.lasts[rows] + 1]
        return held

    def skip_unsure(self, row_of: NDArray[np.int64], protected: Mapping[int, set[str]]) -> None:
        """Leave the unsure names alone of which no occurrence in the row is sure.

        Args:
            row_of: The row of each text. Shape (T,).
            protected: Row to the words of the protected names that occur in it.
        """
        decisions, words = self.decisions, self.decisions.words
        rows = row_of[words.owner[decisions.places]]
        unsure, sure = (
            (self.verdicts == UNSURE).nonzero()[0],
            (self.verdicts == ACCEPT).nonzero()[0],
        )
        if len(unsure) and len(sure):
            keys = rows * len(vocabulary()) + words.number[decisions.places]
            unsure = unsure[~among(keys[unsure], keys[sure])]
        decisions.reasons[unsure] = Reason.UNSURE_NAME
        if protected:
            for row in ((self.verdicts > 0) & (self.verdicts < REJECT)).nonzero()[0].tolist():
                place = int(decisions.places[row])
                if words.looked_up(place) in protected.get(int(rows[row]), ()):
                    decisions.leave(np.array([row]), Reason.PROTECTED_NAME, "names.protected")


def _codes(verdicts: NDArray[Any]) -> list[int]:
    """Return the verdicts of rules about names as numbers."""
    return [_CODES[verdict] for verdict in verdicts.tolist()]


# The least probability at which a word without a capital is read as a first name.
_LEAST = 0.5
# How far behind an age a person may be told of, in words.
_REACH = 9


@uncollected()
def annotate_batch(words: TokenBatch, row_of: NDArray[np.int64], table: TermTable) -> MentionTable:
    """Find the mentions along one axis in texts.

    Args:
        row_of: The row of each text. Shape (T,).
    """
    return _Reader(words, row_of, table).annotate()


class _Reader:
    """Reads the texts of a chunk."""

    def __init__(self, words: TokenBatch, row_of: NDArray[np.int64], table: TermTable) -> None:
        """Find the candidates."""
        self.words, self.row_of, self.table = words, row_of, table
        self.language: Language = table.language
        self.columns = table.columns
        read = self.language.ages.read
        self.ages = list(read(words)) if table.reads_ages and read else []
        self.small_names = self._small_names()
        places = self.columns.places(words)
        if len(self.small_names):
            places = np.union1d(places, self.small_names)
        self.is_aged = self._aged()
        self.decisions = CandidateTable(words, places[~self.is_aged[places]], self.columns)

    def annotate(self) -> MentionTable:
        """Decide of all candidates."""
        decisions = self.decisions
        if len(decisions.places):
            self._leave_what_is_no_prose()
            protected = self._read_phrases()
            decisions.keep((decisions.terms >= 0) | ~decisions.is_open)
            names = NamesInRows(
                decisions, self.language, self.table.surname_rules, self.small_names
            )
            names.skip_unsure(self.row_of, protected)
            self._read_terms(names)
            self._ask_senses()
            skip_contradicted_names(self.decisions, self.row_of, self.language)
            if self.table.reads_ages:
                self._leave_without_age()
        return self._to_table()

    def _small_names(self) -> Places:
        """Return the first names in texts without capitals, where a reader takes them for names."""
        tags, places = self.language.tags, self.columns.small_names(self.words)
        if tags is None or not len(places):
            return places[:0]
        return places[tags.given(self.words, places) >= _LEAST]

    def _aged(self) -> Mask:
        """Return which places are part of an age that is read, which stands in prose."""
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
        candidates = decisions.candidates(np.arange(len(decisions.places)))
        for reason, rule, held in (
            (Reason.PROTECTED_TEXT, "text.protected", is_protected(candidates)),
            (Reason.PART_OF_WORD, "text.part_of_word", ~candidates.holds(IS_ALONE)),
            (Reason.TITLE, "text.quoted_title", candidates.holds(self.language.quoted)),
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
        if not phrases:
            return
        decisions = self.decisions
        for row, phrase in phrases:
            assert phrase.readings is not None
            decisions.terms[row] = self.columns.number(phrase.readings.usual)
        rows = np.array([row for row, _ in phrases], np.int64)
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
        """Return how words for people are used, and leave those alone that are not."""
        decisions = self.decisions
        if not len(rows):
            return []
        candidates = decisions.candidates(rows)
        is_small = candidates.fact("capitalised") & ~candidates.holds(HERE.is_capital)
        rules = first_matching_rule(self.language.used, candidates)
        columns = in_columns(self.language.used)
        uses, names = np.where(is_small, "", columns.verdicts[rules]), columns.names[rules]
        decisions.read(rows, names)
        is_none = uses == ""
        decisions.reasons[rows[is_none]] = Reason.NOT_PEOPLE
        decisions.leave(rows[is_small], Reason.LOWER_CASE, "terms.small")
        read = (uses != "").nonzero()[0]
        is_none = never_people(
            self.words, decisions.lasts[rows[read]], self.table.axis, self.language, names[read]
        )
        decisions.leave(rows[read[is_none]], Reason.NOT_PEOPLE, SENSE)
        uses[read[is_none]] = ""
        return self._finer(rows, [str(use) for use in uses])

    def _finer(self, rows: Rows, uses: Sequence[str]) -> list[str]:
        """Read "she is old", "they are old" and "the old" apart where a lexicon's row does."""
        decisions, bits = self.decisions, self.columns.bits
        several, finer = list(uses), self.language.finer
        if finer.keys() <= bits.keys():
            for use, (coarse, condition) in finer.items():
                held = decisions.candidates(rows).holds(condition)
                for k in held.nonzero()[0].tolist():
                    several[k] = use if several[k] == coarse else several[k]
        return several

    def _read_terms(self, names: NamesInRows) -> None:
        """Read words that are no names, by their neighbours."""
        decisions, columns = self.decisions, self.columns
        rows = decisions.is_open.nonzero()[0]
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
                matches = first_matching_rule(rules, decisions.candidates(rows[asked]))
                is_first = in_columns(rules).verdicts[matches] == cases[0]
                first = columns.case(cases[0], numbers[asked])
                second = columns.case(cases[1], numbers[asked])
                decisions.terms[rows[asked]] = np.where(is_first, first, second)
                decisions.rules[rows[asked]] = in_columns(rules).names[matches]
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
        rows = decisions.is_open.nonzero()[0]
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
        rows = (is_read & is_asked[terms]).nonzero()[0]
        rows = rows[words.is_title(decisions.places[rows])]
        if len(rows):
            shares = language.tags.titles_of(words, decisions.places[rows])
            rows = rows[shares >= language.tags.titles]
            rows = rows[~decisions.candidates(rows).holds(language.for_them)]
            decisions.leave(rows, Reason.THING, SENSE)

    def _leave_without_age(self) -> None:
        """Leave words alone that tell no stage of life, or one that could be no other."""
        decisions, rules = self.decisions, self.language.ages.stage
        rows = ((decisions.reasons == None) & (decisions.terms >= 0)).nonzero()[0]  # noqa: E711
        if len(rows):
            matches = first_matching_rule(rules, decisions.candidates(rows))
            columns = in_columns(rules)
            skipped = columns.verdicts[matches] != None  # noqa: E711
            decisions.reasons[rows[skipped]] = columns.verdicts[matches[skipped]]
            decisions.rules[rows[skipped]] = columns.names[matches[skipped]]

    def _choose_titles(self, rows: Rows, titles: NDArray[np.int64]) -> Mask:
        """Read words before names as titles, where that is another reading."""
        decisions = self.decisions
        is_chosen = titles >= 0
        if is_chosen.any():
            asked = is_chosen.nonzero()[0]
            candidates = decisions.candidates(rows[asked])
            is_chosen[asked] = candidates.holds(self.table.is_title)
            decisions.terms[rows[is_chosen]] = titles[is_chosen]
        return is_chosen

    def _decide_terms(self, rows: Rows, names: NamesInRows) -> None:
        """Decide of the terms whose reading is chosen."""
        if not len(rows):
            return
        decisions, rules = self.decisions, self.table.rules
        candidates = decisions.candidates(rows, {"before unread name": names.unread_behind(rows)})
        decided = first_matching_rule(rules, candidates)
        decisions.reasons[rows] = in_columns(rules).verdicts[decided]
        is_read = decisions.reasons[rows] == None  # noqa: E711
        # What chose among several readings is the rule that is told.
        keeps = is_read & (decisions.rules[rows] != "")
        decisions.rules[rows[~keeps]] = in_columns(rules).names[decided[~keeps]]

    def _to_table(self) -> MentionTable:
        """Return what is decided."""
        decisions = self.decisions
        mentions = MentionTable(
            self.words, self.columns.all, decisions.places, decisions.lasts, decisions.terms,
            decisions.reasons, decisions.rules,
        )  # fmt: skip
        mentions = self._with_ages(mentions) if self.table.reads_ages else mentions
        mentions = read_alike(mentions, self.row_of[mentions.texts], self.table)
        mentions = self._without_other_languages(mentions)
        return (
            mentions
            if self.table.known is None
            else self._without_known(mentions, self.table.known)
        )

    def _without_other_languages(self, mentions: MentionTable) -> MentionTable:
        """Leave the texts alone that are in another language, of those with a mention.

        The rule tells whether anything is left of the row: a message of a conversation is judged by
        itself.
        """
        asked = distinct(mentions.texts[mentions.is_mention])
        if self.language.foreign is None or not len(asked):
            return mentions
        foreign = self.language.foreign(self.words, asked)
        if not len(foreign):
            return mentions
        held = among(mentions.texts, foreign)
        rows = self.row_of[mentions.texts]
        is_whole = held & ~among(rows, rows[mentions.is_mention & ~held])
        reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
        reasons[held], rules[held] = Reason.OTHER_LANGUAGE, "text.other_language"
        rules[is_whole] = f"{OF_ROW}other_language"
        return replace(mentions, reasons=reasons, rules=rules)

    def _without_known(self, mentions: MentionTable, known: KnownPeople) -> MentionTable:
        """Leave the rows alone that name known people."""
        if not mentions.is_mention.any():
            return mentions
        rows = self.row_of[mentions.texts[mentions.is_mention]]
        texts = known.texts(self.words, among(self.row_of, rows))
        if not len(texts):
            return mentions
        held = mentions.is_mention & among(self.row_of[mentions.texts], self.row_of[texts])
        reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
        reasons[held], rules[held] = Reason.KNOWN_PERSON, "rows.known_person"
        return replace(mentions, reasons=reasons, rules=rules)

    def _with_ages(self, mentions: MentionTable) -> MentionTable:
        """Add the ages, and leave people alone of whom an age is told that is not read."""
        others = self.language.ages.others
        if others is not None:
            for place, noun in others(self.words, self.is_aged):
                near = _near(mentions, place, noun)
                is_aged = near[mentions.is_mention[near]]
                mentions.reasons[is_aged], mentions.rules[is_aged] = Reason.OTHER_AGE, "ages.other"
        ages = self.ages
        # Many ages are alike, and then they have one reading.
        alike = {id(age.forms): age for age in ages}
        terms = [
            Term(age.attribute, Entry(_forms(age), kind="age"), axis=self.table.axis)
            for age in alike.values()
        ]
        begin = self.words.first[[age.text for age in ages]] if ages else np.zeros(0, np.int64)
        which = dict(zip(alike, count(len(mentions.terms.readings)), strict=False))
        numbers = np.array([which[id(age.forms)] for age in ages], np.int64)
        rules, none = np.array([age.rule for age in ages], object), np.full(len(ages), None, object)
        columns = (
            (mentions.firsts, begin + np.array([age.first for age in ages], np.int64)),
            (mentions.lasts, begin + np.array([age.last for age in ages], np.int64)),
            (mentions.readings, numbers), (mentions.reasons, none), (mentions.rules, rules),
        )  # fmt: skip
        both = MentionTable(
            self.words, mentions.terms.with_others(terms), *map(np.concatenate, columns)
        )
        return both.take(np.argsort(both.firsts, kind="stable"))


def _forms(age: Age) -> dict[str, tuple[Form, ...]]:
    """Return what an age becomes."""
    return {attribute: (Form(text),) for attribute, text in age.forms.items()}


def _near(mentions: MentionTable, place: int, noun: int) -> NDArray[np.int64]:
    """Return the candidates that an age which is not read may say the age of.

    They stand around its last word, or up to a few words behind it; no further back than the noun.
    """
    firsts = mentions.firsts
    begin = max(0, int(np.searchsorted(firsts, place, "right")) - 1)
    rows = np.arange(begin, np.searchsorted(firsts, place + _REACH, "right"))
    firsts, lasts = firsts[rows], mentions.lasts[rows]
    held = (mentions.texts[rows] == mentions.words.owner[place]) & (place <= lasts)
    held &= (place >= firsts) | ((firsts <= noun) & (noun <= lasts))
    near: NDArray[np.int64] = rows[held]
    return near
