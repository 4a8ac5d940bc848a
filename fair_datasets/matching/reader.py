"""Reading one text: which of its words are mentions, and why the others are left alone."""

from operator import attrgetter

from fair_datasets.lexicons import Entry, Form
from fair_datasets.matching.context import Context
from fair_datasets.matching.mentions import (
    Left,
    Mention,
    NamesOfRow,
    Reading,
    as_mention,
    as_reading,
)
from fair_datasets.matching.names import Verdict
from fair_datasets.matching.people.ages import (
    AGE_TRIGGERS,
    is_of_other_age,
    may_tell_age,
    numeric_ages,
)
from fair_datasets.matching.pipeline_context import context_of
from fair_datasets.matching.protected import may_hold_code
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.scan import Candidates, Places
from fair_datasets.matching.surnames import is_in_name, may_end_name
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.terms import Phrase, Readings, Term
from fair_datasets.matching.titles import in_quoted_title, may_quote
from fair_datasets.matching.tokens import Tokens


class TextReader:
    """Finds the mentions in texts, one after the other."""

    __slots__ = ("context", "left", "mentions", "name_end", "names", "table", "tokens")

    tokens: Tokens
    mentions: list[Mention]
    left: list[Left]

    def __init__(self, table: TermTable, names: NamesOfRow, context: Context | None = None) -> None:
        """Set out to read the texts of rows."""
        self.table = table
        self.names = names
        self.context = context or context_of(table.pipeline)
        self.name_end = -1

    def read(self, found: Candidates) -> Reading:
        """Read a text; only the words of the table are looked at."""
        self.tokens, places = found
        self.mentions, self.left = [], []
        self.name_end = -1
        if self.table.reads_ages:
            self._read_with_ages(places)
        else:
            self._read_words(places)
        return as_reading((self.tokens, self.mentions, self.left))

    def _read_with_ages(self, places: Places) -> None:
        """Read ages in figures and number words, and the words that are no part of one."""
        ages = self._ages()
        aged = {index for age in ages for index in range(age.first, age.last + 1)}
        self._read_words([place for place in places if place[0] not in aged] if aged else places)
        if not aged and not may_tell_age(self.tokens):
            return
        for mention in self.mentions:
            first, last, _ = mention
            if is_of_other_age(self.tokens, first, last, aged):
                self.left.append((first, last, Reason.OTHER_AGE))
            elif aged.isdisjoint(range(first, last + 1)):
                ages.append(mention)
        self.mentions = sorted(ages, key=attrgetter("first"))

    def _read_words(self, places: Places) -> None:
        """Read the words of the table at some places, of which some clearly stand alone."""
        tokens, table = self.tokens, self.table
        plain, things, partners = table.plain, table.things, table.partners
        text, lower, starts = tokens.text, tokens.lower, tokens.starts
        may_be_code, has_quotes = may_hold_code(text), may_quote(text)
        end = -1
        for index, is_clear in places:
            if index <= end:
                continue
            is_large = text[starts[index]].isupper()
            if may_be_code or not is_clear or (has_quotes and is_large):
                reason = self._why_no_word(index, may_be_code, is_clear)
                if reason is not None:
                    self.left.append((index, index, reason))
                    continue
            word = lower[index]
            if word in partners and not partners[word].isdisjoint(
                lower[index - 1 if index else 0 : index + 2]
            ):
                phrase = self._phrase_at(index, end)
                if phrase is not None:
                    end = self._read_phrase(phrase, index - phrase.anchor)
                    continue
            term = plain.get(word)
            if term and is_clear and (not is_large or term.entry.kind == "pronoun"):
                self.mentions.append(as_mention((index, index, term)))
            elif not is_large and word in things:
                if self.context.is_person(tokens, index):
                    self.mentions.append(as_mention((index, index, things[word])))
                else:
                    self.left.append((index, index, Reason.THING))
            else:
                self._read_word(index)

    def _why_no_word(self, index: int, may_be_code: bool, is_clear: bool) -> Reason | None:
        """Return why a word is no word of prose, or stands in a title, if that is so."""
        tokens = self.tokens
        if (may_be_code or not is_clear) and tokens.is_protected(index):
            return Reason.PROTECTED_TEXT
        if not is_clear and not tokens.is_alone(index):
            return Reason.PART_OF_WORD
        if tokens.is_capitalised(index) and in_quoted_title(tokens, index):
            return Reason.TITLE
        return None

    def _read_phrase(self, phrase: Phrase, first: int) -> int:
        """Read a phrase in place of the words inside it, and return its last word."""
        last = first + len(phrase.words) - 1
        while self.mentions and self.mentions[-1].last >= first:
            self.mentions.pop()
        if phrase.is_protected:
            self.names.protected.update(phrase.words)
            self.left.append((first, last, Reason.PROTECTED_NAME))
            return last
        if phrase.readings is None:
            self.left.append((first, last, Reason.PHRASE))
            return last
        term = self._as_used(first, last, phrase.readings)
        if isinstance(term, Reason):
            self.left.append((first, last, term))
        else:
            self.mentions.append(Mention(first, last, term))
        return last

    def _read_word(self, index: int) -> None:
        """Read a single word by its neighbours."""
        readings = self.table.words.get(self.tokens.lower[index])
        if readings is None:
            return
        if readings.usual.is_name:
            verdict = self._read_name(index, readings.usual)
        else:
            verdict = self._term_at(index, readings)
        if isinstance(verdict, Reason):
            self.left.append((index, index, verdict))
        else:
            self.mentions.append(as_mention((index, index, verdict)))

    def _read_name(self, index: int, term: Term) -> Term | Reason:
        """Read a name, and remember whether it is sure."""
        tokens = self.tokens
        if term.is_surname:
            is_sure = self.context.is_surname(tokens, index) or _follows_name(
                tokens, index, self.table.given
            )
        else:
            follows = self.name_end == index - 1 >= 0
            verdict = self.context.judge_name(tokens, index, term, follows)
            if verdict is Verdict.REJECT:
                return Reason.NOT_A_NAME
            is_sure = verdict is Verdict.ACCEPT
            self.name_end = index
        name = tokens.lower[index]
        self.names.sure[name] = self.names.sure.get(name, False) or is_sure
        return term

    def _term_at(self, index: int, readings: Readings) -> Term | Reason:
        """Return how a single word is read, or why it is no term."""
        tokens, context = self.tokens, self.context
        term: Term | Reason = readings.usual
        if readings.title is not None or readings.cases or "person" in readings.usual.flags:
            term = self._choose(index, readings)
        if isinstance(term, Reason):
            return term
        if term.entry.kind == "pronoun":
            return Reason.HYPHENATED if tokens.is_hyphenated(index) else term
        is_capitalised = tokens.text[tokens.starts[index]].isupper()
        if term.is_capitalised and not is_capitalised:
            return Reason.LOWER_CASE
        if is_capitalised and (context.is_surname(tokens, index) or self._ends_name(index)):
            return Reason.SURNAME
        flags = term.flags
        if is_capitalised and "surname" in flags and is_in_name(tokens, index):
            return Reason.SURNAME
        if "title" in flags and not context.is_title(tokens, index):
            return Reason.NOT_A_TITLE
        if "verb" in flags and context.is_verb(tokens, index):
            return Reason.VERB
        if "thing" in flags and not context.is_person(tokens, index):
            return Reason.THING
        return term

    def _ends_name(self, index: int) -> bool:
        """Tell whether a term stands behind what is surely read as a first name: "Art Monk"."""
        tokens = self.tokens
        if not self.name_end == index - 1 >= 0 or tokens.is_headline(index):
            return False
        return self.names.sure[tokens.lower[index - 1]] and may_end_name(tokens, index)

    def _choose(self, index: int, readings: Readings) -> Term | Reason:
        """Choose among the readings of one spelling by the neighbours."""
        tokens, cases = self.tokens, readings.cases
        if readings.title is not None and self.context.is_title(tokens, index):
            return readings.title
        if "object" in cases and "determiner" in cases:
            is_determiner = self.context.her_is_determiner(tokens, index)
            return cases["determiner" if is_determiner else "object"]
        if "possessive" in cases and "determiner" in cases:
            is_possessive = self.context.his_is_possessive(tokens, index)
            return cases["possessive" if is_possessive else "determiner"]
        return self._as_used(index, index, readings)

    def _as_used(self, first: int, last: int, readings: Readings) -> Term | Reason:
        """Choose the reading that fits how a word for people is used."""
        term = readings.usual
        if "person" not in term.flags and not (readings.cases.keys() & {"adjective"}):
            return term
        if term.is_capitalised and not self.tokens.is_capitalised(first):
            return Reason.LOWER_CASE
        used = self.context.how_used(self.tokens, first, last)
        if not used:
            return Reason.NOT_PEOPLE
        return readings.cases.get(used, term)

    def _ages(self) -> list[Mention]:
        """Return the ages in figures and number words."""
        if AGE_TRIGGERS.isdisjoint(self.tokens.lower):
            return []
        found = []
        for age in numeric_ages(self.tokens):
            if not _is_prose(self.tokens, age.first, age.last):
                continue
            forms = {attribute: (Form(text),) for attribute, text in age.forms.items()}
            term = Term(age.attribute, Entry(forms, kind="age"), axis=self.table.axis)
            found.append(Mention(age.first, age.last, term))
        return found

    def _phrase_at(self, index: int, end: int) -> Phrase | None:
        """Return the longest phrase that a word gives away, behind the end of the last one."""
        lower, phrases = self.tokens.lower, self.table.phrases
        word = lower[index]
        before = lower[index - 1] if index else ""
        behind = lower[index + 1] if index + 1 < len(lower) else ""
        longest: Phrase | None = None
        for pair in ((before, word), (word, behind), (word, "")):
            for phrase in phrases.get(pair, ()):
                first = index - phrase.anchor
                if longest is not None and len(phrase.words) <= len(longest.words):
                    break
                if first <= end or not phrase.matches(self.tokens, first):
                    continue
                # An exception protects the words inside it, wherever it stands.
                last = first + len(phrase.words) - 1
                if phrase.readings is None or _stands_alone(self.tokens, first, last):
                    longest = phrase
        return longest


def _is_prose(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether none of some words stands in an address, a handle, a tag, code or a path."""
    return not any(map(tokens.is_protected, range(first, last + 1)))


def _stands_alone(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether a phrase is prose, and does not begin or end within a word."""
    # The last word may be joined to the one before it by the phrase itself: "O'Brien".
    is_end = tokens.gap(last) in ("'", "’") or tokens.is_alone(last)
    return is_end and tokens.is_alone(first) and _is_prose(tokens, first, last)


def _follows_name(tokens: Tokens, index: int, given: frozenset[str]) -> bool:
    """Tell whether a first name stands directly before a surname."""
    return (
        index > 0
        and tokens.gap(index) == " "
        and tokens.is_capitalised(index - 1)
        and tokens.lower[index - 1] in given
    )
