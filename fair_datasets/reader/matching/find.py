"""Finding the terms of an axis in a text, and saying why a candidate was left alone."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import Entry, load_lexicon
from fair_datasets.lexicons.shipped import people_files, protected
from fair_datasets.reader.load import SENSE, TAGGED, checked_reader
from fair_datasets.reader.matching.language import Verdict
from fair_datasets.reader.matching.mentions import Chunk, Reason, name_reasons
from fair_datasets.reader.matching.pipeline import ask_first, checked_pipeline
from fair_datasets.reader.matching.predicates import Rule, first_matching_rule
from fair_datasets.reader.matching.rows import annotate_text, chunks
from fair_datasets.reader.matching.table import (
    TermTable,
    build_table,
    table_digests,
    table_files,
    table_of_terms,
)
from fair_datasets.reader.matching.terms import Term, terms_of
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.portable import file_digests

if TYPE_CHECKING:
    from spacy.tokens import Doc


# A name that no list marks may be a word or a place, and needs evidence: "Jordan", "Angel".
_UNMARKED = frozenset({"word", "place"})


def unlisted_names(text: str) -> Iterator[tuple[int, int, Reason]]:
    """Find the names of a text that no list of names by race holds.

    Yields:
        Where each begins and ends, in characters, and why it is not listed.

    Example:
        >>> for start, end, reason in unlisted_names("Ms. Smith thanked Emily."):
        ...     print(start, end, reason.name)
        18 23 NO_GROUP
        4 9 NO_GROUP
    """
    taken: set[int] = set()
    plain, places = _without_accents(text)
    for table, reasons in _tables():
        reading = annotate_text(plain, table)
        if reading is None:
            continue
        tokens = reading.tokens
        for first, last, _, _ in reading.mentions:
            if tokens.starts[first] not in taken:
                taken.add(tokens.starts[first])
                reason = reasons.get(tokens.lower[first], Reason.TOO_RARE)
                yield places[tokens.starts[first]], places[tokens.end(last)], reason


def _without_accents(text: str) -> tuple[str, Sequence[int]]:
    """Write each letter as the sources do, which have no accents, and say where it stands."""
    if text.isascii():
        return text, range(len(text) + 1)
    places = [place for place, letter in enumerate(text) if not unicodedata.combining(letter)]
    plain = "".join(unicodedata.normalize("NFD", text[place])[0] for place in places)
    return plain, [*places, len(text)]


@cache
def _tables() -> tuple[tuple[TermTable, Mapping[str, Reason]], ...]:
    """Return the first names and the surnames, each with the reasons that are known."""
    reasons = {kind: name_reasons(kind) for kind in ("first", "surnames")}
    first = dict.fromkeys(reasons["first"], Term("", Entry({}), _UNMARKED, True, True))
    first |= {name.lower(): term for name, term in terms_of(load_lexicon("first_names"), "")}
    surname = Term("", Entry({}), is_name=True, is_capitalised=True, is_surname=True)
    surnames = dict.fromkeys(reasons["surnames"], surname)
    return (_table(first), reasons["first"]), (_table(surnames), reasons["surnames"])


def _table(terms: dict[str, Term]) -> TermTable:
    """Return a table of names."""
    return table_of_terms("", (), {word: (term,) for word, term in terms.items()})


# What decides without a condition.
_OTHERS = {
    "terms.alike": "the same word is read so elsewhere in the row",
    "terms.exception": "it is listed among the exceptions of the axis",
    "rows.other_language": "few of its words are English",
    "text.other_language": "few of its words are English",
    "terms.phrase": "the list has these words together",
    "terms.other_sense": "nothing near it shows that it has the sense that is asked for",
}
_SETTLED = "; another one in the text is surely a name"


class Deciders:
    """The rules that decided of the terms of a text.

    Args:
        text: The text.
        table: The terms that are read.
    """

    def __init__(self, text: str, table: TermTable) -> None:
        """Set out to answer."""
        self._words = TokenBatch([text])
        self._rules = rules_of(table)
        self._tags = table.language.tags

    def rule_of(self, name: str, first: int, last: int, reason: str) -> tuple[str, str]:
        """Return what decided of a term.

        Where the rule asks another table, it is the rule that decides there.

        Args:
            reason: Why it is left alone; empty where it is read.

        Returns:
            The name of the rule, with the log odds if it is a model, and its reason.
        """
        if name in (TAGGED, SENSE) and self._tags is not None:
            tagged = self._tags.tagged(self._words, np.array([last]))
            return name, f"its tag: {tagged.describe(0, of_sense=name == SENSE)}"
        rule = self._rules.get(name)
        if rule is None:
            return name, _OTHERS.get(name, reason)
        candidates = Candidates(self._words, np.array([first]), lasts=np.array([last]))
        while rule.asks:
            rule = rule.asks[int(first_matching_rule(rule.asks, candidates)[0])]
        odds = "" if rule.log_odds is None else f" {rule.log_odds(candidates)[0]:+.1f}"
        detail = "" if rule.explain is None else f": {rule.explain(candidates)}"
        is_settled = rule.verdict is Verdict.UNSURE and not reason
        return rule.name + odds, rule.reason + detail + (_SETTLED if is_settled else "")


def rules_of(table: TermTable) -> Mapping[str, Rule[Any]]:
    """Return the rules that decide of the terms of a table, but for those that others ask.

    Returns:
        Name to rule; rules of one name have one reason.
    """
    language = table.language
    tables: Sequence[Sequence[Rule[Any]]] = (
        language.name,
        table.surname_rules,
        language.ages.stage,
        language.used,
        *language.cases.values(),
        language.ages.rules,
        table.rules,
    )
    return {rule.name: rule for rules in tables for rule in rules}


# The list of names that is read only where it is asked for; it does not hold the common names that
# several groups bear.
_NAMES_BY_GROUP = "race_first_names"


class FoundTerm(NamedTuple):
    """A word or phrase that is a term of an axis, or looks like one.

    Attributes:
        start: Where it begins in the text, in characters.
        end: Where it ends.
        text: What stands there.
        axis: The demographic axis.
        attribute: The demographic attribute that it mentions; empty where it is left alone.
        reason: Why it is left alone; empty where it is read.
        rule: The rule that decided, such as `names.full_name`; where the model did, its log odds
            stand behind the name: `model.her -1.8`.
        rule_reason: What the rule found.
    """

    start: int
    end: int
    text: str
    axis: str
    attribute: str
    reason: str
    rule: str
    rule_reason: str


def find_terms(
    text: str,
    axis: str = "gender",
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> list[FoundTerm]:
    """Find the terms of an axis in a text, as the techniques do.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names are read that have the axis's attributes; None for first names of men
            and women alone.
        protect: Names of people who are left alone.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `load_reader`, that tells names and pronouns; None for
            the network that ships.

    Returns:
        The terms, and the candidates that are left alone, in the order of the text. Where names
        are listed by group (race), the common ones that are not read are among these, unless
        `names` is False.

    Raises:
        InputError: The text is no string, or there is no such axis, pipeline or reader.

    Example:
        >>> for term in find_terms("She has a Bachelor's degree."):
        ...     print(term.start, term.end, term.text, term.attribute or term.reason)
        0 3 She woman
        10 27 Bachelor's degree it belongs to a phrase that is left alone
        >>> for term in find_terms("Will told me that they saw her."):
        ...     print(term.text, "-", term.rule, "-", term.rule_reason)
        Will - names.acts - it does what only people do
        her - model.her -11.1 - log odds, by its context, of "his" against "him"
        >>> for term in find_terms("Emily met Juan.", "race", names=True):
        ...     print(term.text, term.attribute or term.reason)
        Emily it is a name, but not typical enough of any one group for the lists
        Juan hispanic
    """
    if not isinstance(text, str):
        raise invalid(
            f"the text must be a string, but it is "
            f"{checks.with_article(type(text).__name__)}: {text!r}."
        )
    finder = finder_of(axis, names=names, protect=protect, pipeline=pipeline, reader=reader)
    return finder.find(text)


def find_table(
    axis: str,
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> TermTable:
    """Return the table of all terms of an axis, by its files as they are now.

    Args:
        axis: As for `find_terms`.
        names: As for `find_terms`.
        protect: As for `find_terms`.
        pipeline: As for `find_terms`.
        reader: As for `find_terms`.

    Raises:
        InputError: A parameter is not what it must be, or no such axis or reader is there.
    """
    axis = checks.axis_name(axis)
    if names is not None:
        names = checks.switch(names, parameter="names")
    protect = protected(protect)
    pipeline = checked_pipeline(pipeline)
    reader = checked_reader(reader, pipeline)
    digests = sorted((*table_digests(axis, names=names), *file_digests(people_files(protect))))
    return build_table(axis, tuple(digests), tuple(sorted(set(protect))), pipeline, reader)


class TermFinder(NamedTuple):
    """Finds the terms of an axis in texts.

    Attributes:
        table: The terms that are read.
        unasked: The same and the names that are read only where they are asked for; None where
            there are none, or nothing is to be said of them.
        tells_unlisted: Whether common names are told that no list of the axis holds.
    """

    table: TermTable
    unasked: TermTable | None
    tells_unlisted: bool

    def asking(self, parse: "Callable[[str], Doc]") -> "TermFinder":
        """Return a finder that asks the annotations of texts before our own rules."""

        def asked(table: TermTable) -> TermTable:
            return replace(table, language=ask_first(table.language, parse))

        unasked = None if self.unasked is None else asked(self.unasked)
        return self._replace(table=asked(self.table), unasked=unasked)

    def find(self, text: str) -> list[FoundTerm]:
        """Find the terms in a text.

        Returns:
            The terms, and the candidates that are left alone, in the order of the text.
        """
        terms = _find_terms(text, self.table)
        if self.unasked is not None:
            names = [term for term in _find_terms(text, self.unasked) if term.attribute]
            why = Reason.NAMES_NOT_ASKED
            terms = self._with_skipped(terms, text, [(term.start, term.end, why) for term in names])
        if self.tells_unlisted:
            terms = self._with_skipped(terms, text, unlisted_names(text))
        return terms

    def _with_skipped(
        self, terms: Sequence[FoundTerm], text: str, skipped: Iterable[tuple[int, int, Reason]]
    ) -> list[FoundTerm]:
        """Add what is left alone, where nothing was found yet."""
        added = list(terms)
        for start, end, reason in skipped:
            if all(end <= term.start or term.end <= start for term in terms):
                word, axis, rule = text[start:end], self.table.axis, f"lists.{reason.name.lower()}"
                added.append(
                    FoundTerm(start, end, word, axis, "", reason.value, rule, reason.value)
                )
        return sorted(added)


def finder_of(
    axis: str,
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> TermFinder:
    """Return what finds the terms of an axis, by its files as they are now.

    Args:
        axis: As for `find_terms`.
        names: As for `find_terms`.
        protect: As for `find_terms`.
        pipeline: As for `find_terms`.
        reader: As for `find_terms`.

    Raises:
        InputError: A parameter is not what it must be, or no such axis or reader is there.
    """
    table = find_table(axis, names=names, protect=protect, pipeline=pipeline, reader=reader)
    has_more = names is not False and _NAMES_BY_GROUP in table_files(axis, names=True)
    unasked = None
    if has_more and names is None:
        unasked = find_table(axis, names=True, protect=protect, pipeline=pipeline, reader=reader)
    return TermFinder(table, unasked, has_more)


def _find_terms(text: str, table: TermTable) -> list[FoundTerm]:
    """Find what a table reads in a text, and the candidates that it leaves alone."""
    reading = annotate_text(text, table)
    if reading is None:
        return []
    tokens, deciders, terms = reading.tokens, Deciders(text, table), []
    verdicts = [(m.first, m.last, m.term.attribute, "", m.rule) for m in reading.mentions]
    verdicts += [
        (first, last, "", reason.value, rule) for first, last, reason, rule, _ in reading.skipped
    ]
    for first, last, attribute, reason, rule in verdicts:
        start, end = tokens.starts[first], tokens.end(last)
        ruling = deciders.rule_of(rule, first, last, reason)
        terms.append(FoundTerm(start, end, text[start:end], table.axis, attribute, reason, *ruling))
    return sorted(terms)


_BATCH = 4000
"""How many texts are read at a time, so that few readings live at once."""


def count_terms(
    texts: Sequence[str],
    axis: str = "gender",
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Count the terms of an axis in each text, by the attribute that they mention.

    A neutral word that is too general to be a mention ("they", "parent") is not counted.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names count, where they have the axis's attributes; None for first names of
            men and women alone.
        protect: Names of people that do not count.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `find_terms`.

    Returns:
        The A attributes of the axis, and the number of mentions of each in each text, of shape
        (N, A).

    Raises:
        InputError: A text is missing or no text, or a parameter is not what it must be.

    Example:
        >>> attributes, counts = count_terms(["He saw Mary.", "She left.", "It rained."])
        >>> attributes
        ('man', 'woman', 'non-binary')
        >>> counts.tolist()
        [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise invalid(f"texts must be a list of texts, but it is {texts!r}.")
    table = find_table(axis, names=names, protect=protect, pipeline=pipeline, reader=reader)
    # A slice of a column of a dataset is a list; row by row it would be read a thousand times over.
    listed = list(texts[:] if isinstance(texts, Sequence) else texts)
    for row, text in enumerate(listed):
        if not isinstance(text, str):
            raise invalid(
                f"texts must be texts, but row {row} is {text!r} ({type(text).__name__})."
            )
    parts = [
        count_in_rows([(text,) for text in listed[start : start + _BATCH]], [table])
        for start in range(0, len(listed), _BATCH)
    ]
    attributes = attributes_of([table])
    return attributes, np.concatenate([np.empty((0, len(attributes)), np.int64), *parts])


def count_in_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable], *, known: bool = False
) -> NDArray[np.int64]:
    """Count the mentions in each row; the texts of a row are read together.

    Args:
        rows: The texts of each row, or nulls.
        known: Whether those count that are left alone as their row names a known person.

    Returns:
        The number of mentions of each attribute in each row; the columns are `attributes_of` the
        tables. Shape (N, A).
    """
    counts = np.zeros((len(rows), len(attributes_of(tables))), np.int64)
    for chunk in chunks(rows, tables):
        counts += count_in_chunk(chunk, len(rows), tables, known=known)
    return counts


def count_in_chunk(
    chunk: Chunk, size: int, tables: Sequence[TermTable], *, known: bool = False
) -> NDArray[np.int64]:
    """Count the mentions in the rows of a chunk.

    Args:
        tables: As for `count_in_rows`.
        known: As for `count_in_rows`.

    Returns:
        As `count_in_rows`; nothing is counted in the rows of other chunks.
    """
    columns = {attribute: column for column, attribute in enumerate(attributes_of(tables))}
    mentions = chunk.mentions.take(
        chunk.mentions.is_mention_or_known if known else chunk.mentions.is_mention
    )
    column = np.array([columns[attribute] for _, attribute in mentions.terms.kinds], np.int64)
    cells = (
        chunk.row_of[mentions.texts] * len(columns) + column[mentions.terms.kind[mentions.readings]]
    )
    return np.bincount(cells, minlength=size * len(columns)).reshape(size, len(columns))


def attributes_of(tables: Sequence[TermTable]) -> tuple[str, ...]:
    """Return the attributes of several axes, in order and each once."""
    return tuple(dict.fromkeys(attribute for table in tables for attribute in table.attributes))
