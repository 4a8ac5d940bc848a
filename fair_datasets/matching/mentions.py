"""Finding the mentions of demographic attributes in the texts of one row."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from fair_datasets.lexicons import Entry, Form
from fair_datasets.matching.ages import AGE_TRIGGERS, numeric_ages
from fair_datasets.matching.context import Context
from fair_datasets.matching.names import Verdict
from fair_datasets.matching.pipeline_context import context_of
from fair_datasets.matching.protected import may_be_protected, protected_spans
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.scan import Candidates
from fair_datasets.matching.table import Phrase, Readings, Term, TermTable
from fair_datasets.matching.tokens import Tokens

# Signs behind a word that end it for sure where a space or the text's end follows.
_ENDS = frozenset(".,;:!?")


class Mention(NamedTuple):
    """A term in a text.

    Attributes:
        first: Its first word.
        last: Its last word.
        term: How it is read.
    """

    first: int
    last: int
    term: Term


class Left(NamedTuple):
    """A word or phrase that may be a term and is left alone.

    Attributes:
        first: Its first word.
        last: Its last word.
        reason: Why it is left alone.
    """

    first: int
    last: int
    reason: Reason


class Reading(NamedTuple):
    """A text with its mentions, in the order of the text.

    Attributes:
        tokens: The text.
        mentions: Its mentions.
        left: The candidates that are left alone, in no order.
    """

    tokens: Tokens
    mentions: list[Mention]
    left: list[Left]


def read_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> list[list[Reading | None]]:
    """Find the mentions in many rows; the texts of a row are read together.

    Args:
        rows: The texts of each row, or nulls; all rows have the same number of texts.
        tables: The terms to look for, by axis. A word that several of them read is a mention of
            the first.

    Returns:
        For each row an empty list if none of its texts has any word of the tables; else for each
        text its reading, or None.

    Example:
        >>> from fair_datasets.matching.table import build_table, table_files
        >>> from fair_datasets.technique import file_digests
        >>> digests = file_digests(table_files("gender", names=False))
        >>> table = build_table("gender", digests)
        >>> row, nothing = read_rows([["She saw her brother."], ["No one."]], [table])
        >>> [(mention.first, mention.term.attribute) for mention in row[0].mentions], nothing
        ([(0, 'woman'), (2, 'woman'), (3, 'man')], [])
    """
    if len(tables) == 1:
        return _read_rows(rows, tables[0])
    by_table = [_read_rows(rows, table) for table in tables]
    return [_merged_row(several) for several in zip(*by_table, strict=True)]


def read_text(text: str, table: TermTable, context: Context | None = None) -> Reading | None:
    """Find the mentions along one axis in one text.

    Args:
        text: Any text.
        table: The terms to look for.
        context: What answers the questions about neighbours; None for that of the table.

    Returns:
        The reading; None if the text has no word of the table.
    """
    (found,) = table.scanner.scan([text])
    return _read_row([found], table, context)[0]


def _read_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable
) -> list[list[Reading | None]]:
    """Find the mentions along one axis in many rows."""
    width = len(rows[0]) if rows else 0
    texts = [row[0] for row in rows] if width == 1 else [text for row in rows for text in row]
    scanned = table.scanner.scan(texts)
    if width == 1:
        return [[] if found is None else _read_row([found], table) for found in scanned]
    parts = [scanned[start : start + width] for start in range(0, len(scanned), width or 1)]
    return [_read_row(part, table) if any(part) else [] for part in parts]


def _read_row(
    row: Sequence[Candidates | None], table: TermTable, context: Context | None = None
) -> list[Reading | None]:
    """Find the mentions in the texts of one row."""
    names = NamesOfRow()
    readings = [
        None if found is None else _TextReader(found, table, names, context).read() for found in row
    ]
    if names.protected or not all(names.sure.values()):
        for reading in filter(None, readings):
            names.settle(reading)
    return readings


def _merged_row(several: Sequence[Sequence[Reading | None]]) -> list[Reading | None]:
    """Put the readings of one row along several axes together."""
    found = [readings for readings in several if readings]
    return [_merged(list(filter(None, texts))) for texts in zip(*found, strict=True)]


def _merged(readings: Sequence[Reading]) -> Reading | None:
    """Put the readings of one text together."""
    mentions: list[Mention] = []
    taken: set[int] = set()
    for reading in readings:
        free = [m for m in reading.mentions if taken.isdisjoint(range(m.first, m.last + 1))]
        mentions += free
        taken.update(index for m in free for index in range(m.first, m.last + 1))
    if not readings:
        return None
    left = [left for reading in readings for left in reading.left]
    return Reading(readings[0].tokens, sorted(mentions, key=_first), left)


class NamesOfRow:
    """What the texts of one row say about the names in it.

    Attributes:
        sure: Each name that may be one to whether an occurrence surely is.
        protected: The words of the protected names that occur.
    """

    __slots__ = ("protected", "sure")

    def __init__(self) -> None:
        """Know nothing yet."""
        self.sure: dict[str, bool] = {}
        self.protected: set[str] = set()

    def settle(self, reading: Reading) -> None:
        """Drop the unsure names of which no occurrence is sure, and the protected ones."""
        kept = []
        for mention in reading.mentions:
            name = reading.tokens.lower[mention.first]
            if mention.term.is_name and name in self.protected:
                reading.left.append(Left(mention.first, mention.last, Reason.PROTECTED_NAME))
            elif mention.term.is_name and not self.sure[name]:
                reading.left.append(Left(mention.first, mention.last, Reason.UNSURE_NAME))
            else:
                kept.append(mention)
        reading.mentions[:] = kept


class _TextReader:
    """Finds the mentions in one text."""

    __slots__ = ("context", "left", "mentions", "name_end", "names", "places", "protected",
                 "table", "tokens")  # fmt: skip

    def __init__(
        self, found: Candidates, table: TermTable, names: NamesOfRow, context: Context | None
    ) -> None:
        """Set out to read a text of a row."""
        self.tokens, self.places = found
        self.table = table
        self.names = names
        self.context = context or context_of(table.pipeline)
        self.mentions: list[Mention] = []
        self.left: list[Left] = []
        self.name_end = -1
        self.protected: list[tuple[int, int]] | None = None

    def read(self) -> Reading:
        """Read the text; only the words of the table are looked at."""
        if not self.table.reads_ages:
            self._read_words(self.places)
            return Reading(self.tokens, self.mentions, self.left)
        ages = self._ages()
        aged = {index for age in ages for index in range(age.first, age.last + 1)}
        self._read_words([index for index in self.places if index not in aged])
        mentions = [m for m in self.mentions if aged.isdisjoint(range(m.first, m.last + 1))]
        return Reading(self.tokens, sorted(mentions + ages, key=_first), self.left)

    def _read_words(self, places: Sequence[int]) -> None:
        """Read the words of the table at some places."""
        tokens, plain, anchors = self.tokens, self.table.plain, self.table.anchors
        text, lower, starts = tokens.text, tokens.lower, tokens.starts
        may_be_code = "`" in text or "<" in text or "~~~" in text
        end = -1
        for index in places:
            if index <= end:
                continue
            word, start = lower[index], starts[index]
            is_clear = _is_clear(text, start, start + len(word))
            # Of protected text only code and tags have spaces inside.
            if (may_be_code or not is_clear) and self._is_protected(start):
                self._leave(index, index, Reason.PROTECTED_TEXT)
                continue
            if not is_clear and not tokens.is_alone(index):
                self._leave(index, index, Reason.PART_OF_WORD)
                continue
            phrase = self._phrase_at(index, end) if word in anchors else None
            if phrase is not None:
                end = self._read_phrase(phrase, index - phrase.anchor)
                continue
            term = plain.get(word)
            if term and is_clear and (not text[start].isupper() or term.entry.kind == "pronoun"):
                self.mentions.append(Mention(index, index, term))
            else:
                self._read_word(index)

    def _read_phrase(self, phrase: Phrase, first: int) -> int:
        """Read a phrase in place of the words inside it, and return its last word."""
        last = first + len(phrase.words) - 1
        while self.mentions and self.mentions[-1].last >= first:
            self.mentions.pop()
        if phrase.is_protected:
            self.names.protected.update(phrase.words)
            self._leave(first, last, Reason.PROTECTED_NAME)
            return last
        if phrase.readings is None:
            self._leave(first, last, Reason.PHRASE)
            return last
        term = self._as_used(first, last, phrase.readings)
        if isinstance(term, Reason):
            self._leave(first, last, term)
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
            self._leave(index, index, verdict)
        else:
            self.mentions.append(Mention(index, index, verdict))

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
        term = self._choose(index, readings)
        if isinstance(term, Reason):
            return term
        if term.is_capitalised and not tokens.words[index][0].isupper():
            return Reason.LOWER_CASE
        if term.entry.kind == "pronoun":
            return Reason.HYPHENATED if tokens.is_hyphenated(index) else term
        if context.is_surname(tokens, index):
            return Reason.SURNAME
        flags = term.flags
        if "title" in flags and not context.is_title(tokens, index):
            return Reason.NOT_A_TITLE
        if "verb" in flags and context.is_verb(tokens, index):
            return Reason.VERB
        if "thing" in flags and not context.is_person(tokens, index):
            return Reason.THING
        return term

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
        if term.is_capitalised and not self.tokens.words[first][0].isupper():
            return Reason.LOWER_CASE
        used = self.context.how_used(self.tokens, first, last)
        if not used:
            return Reason.NOT_PEOPLE
        return readings.cases.get(used, term)

    def _ages(self) -> list[Mention]:
        """Return the ages in figures and number words, if the table reads them."""
        table = self.table
        if not table.reads_ages or AGE_TRIGGERS.isdisjoint(self.tokens.lower):
            return []
        found = []
        for age in numeric_ages(self.tokens):
            forms = {attribute: (Form(text),) for attribute, text in age.forms.items()}
            term = Term(age.attribute, Entry(forms, kind="age"), axis=table.axis)
            found.append(Mention(age.first, age.last, term))
        return found

    def _phrase_at(self, index: int, end: int) -> Phrase | None:
        """Return the longest phrase that a word gives away, behind the end of the last one."""
        around = self.tokens.lower[max(0, index - 1) : index + 2]
        if len(around) == 1:
            around.append("")
        for pair in pairwise(around):
            for phrase in self.table.phrases.get(pair, ()):
                first = index - phrase.anchor
                if first > end and phrase.matches(self.tokens, first):
                    return phrase
        return None

    def _is_protected(self, start: int) -> bool:
        """Tell whether an offset lies in an address, a handle, a tag, code or a path."""
        if self.protected is None:
            text = self.tokens.text
            self.protected = protected_spans(text) if may_be_protected(text) else []
        place = bisect_right(self.protected, start, key=itemgetter(0)) - 1
        return place >= 0 and start < self.protected[place][1]

    def _leave(self, first: int, last: int, reason: Reason) -> None:
        """Note why a candidate is left alone."""
        self.left.append(Left(first, last, reason))


def _first(mention: Mention) -> int:
    """Return a mention's first word."""
    return mention.first


def _is_clear(text: str, start: int, end: int) -> bool:
    """Tell whether the signs around a word leave no doubt that it stands alone."""
    if start and text[start - 1] != " ":
        return False
    if end == len(text) or text[end] == " ":
        return True
    return text[end] in _ENDS and (end + 1 == len(text) or text[end + 1] == " ")


def _follows_name(tokens: Tokens, index: int, given: frozenset[str]) -> bool:
    """Tell whether a first name stands directly before a surname."""
    return (
        index > 0
        and tokens.gaps[index] == " "
        and tokens.words[index - 1][0].isupper()
        and tokens.lower[index - 1] in given
    )
