"""Finding the mentions of demographic attributes in the texts of one row."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from fair_datasets.matching.names import Verdict, is_surname, judge_name
from fair_datasets.matching.pronouns import her_is_determiner, his_is_possessive
from fair_datasets.matching.senses import is_person, is_title, is_verb
from fair_datasets.matching.table import Phrase, Readings, Term, TermTable
from fair_datasets.matching.tokens import COMMON_GAPS, Tokens, addresses, lower_words, tokenize


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


class Reading(NamedTuple):
    """A text with its mentions, in the order of the text."""

    tokens: Tokens
    mentions: list[Mention]


def read_row(texts: Sequence[str | None], table: TermTable) -> list[Reading | None]:
    """Find the mentions in the texts of one row, read together.

    Args:
        texts: The row's texts, or nulls.
        table: The terms to look for.

    Returns:
        For each text its reading; None for a null or a text without any word of the table. An
        empty list if no text has any.

    Example:
        >>> from fair_datasets.matching.table import build_table, table_files
        >>> from fair_datasets.technique import file_digest
        >>> from pathlib import Path
        >>> files = table_files("gender", names=False)
        >>> digests = tuple((name, file_digest(Path(path))) for name, path in files.items())
        >>> table = build_table("gender", ("man", "woman"), digests)
        >>> reading, nothing = read_row(["She saw her brother.", "No one."], table)
        >>> [(mention.first, mention.term.attribute) for mention in reading.mentions], nothing
        ([(0, 'woman'), (2, 'woman'), (3, 'man')], None)
    """
    triggers = table.triggers
    readings: list[Reading | None] = []
    names: dict[str, bool] = {}
    for text in texts:
        lower = lower_words(text) if text else []
        if not text or triggers.isdisjoint(lower) or not _may_mention(text, lower, table):
            readings.append(None)
        else:
            readings.append(_read(tokenize(text, lower), table, names))
    if not any(readings):
        return []
    if not all(names.values()):
        _settle_names(readings, names)
    return readings


def _may_mention(text: str, lower: list[str], table: TermTable) -> bool:
    """Tell whether a text has a word of the table other than names in lower case ("will")."""
    triggers, names = table.triggers, table.names
    for word in lower:
        if word in triggers and (
            word not in names or word.capitalize() in text or word.upper() in text
        ):
            return True
    return False


def _read(tokens: Tokens, table: TermTable, names: dict[str, bool]) -> Reading:
    """Find the mentions in one text.

    Args:
        tokens: The text.
        table: The terms to look for.
        names: Collects, for each first name that may be one, whether an occurrence in the row
            surely is. The unsure occurrences are among the mentions.
    """
    mentions: list[Mention] = []
    words, lower, gaps, plain = tokens.words, tokens.lower, tokens.gaps, table.plain
    end = name_end = -1
    for index in _candidates(tokens, table):
        if index <= end:
            continue
        term = plain.get(lower[index])
        if (
            term
            and gaps[index] in COMMON_GAPS
            and gaps[index + 1] in COMMON_GAPS
            and (not words[index][0].isupper() or term.entry.kind == "pronoun")
        ):
            mentions.append(Mention(index, index, term))
            continue
        if not tokens.is_alone(index):
            continue
        phrase = _phrase_at(tokens, index, end, table)
        if phrase:
            first = index - phrase.anchor
            end = first + len(phrase.words) - 1
            while mentions and mentions[-1].first >= first:
                mentions.pop()
            if phrase.term is not None:
                mentions.append(Mention(first, end, phrase.term))
            continue
        term = _term_at(tokens, index, table)
        if term is None:
            continue
        if term.is_name:
            verdict = judge_name(tokens, index, term, name_end == index - 1 >= 0)
            if verdict is Verdict.REJECT:
                continue
            name_end = index
            name = lower[index]
            names[name] = names.get(name, False) or verdict is Verdict.ACCEPT
        mentions.append(Mention(index, index, term))
    return Reading(tokens, mentions)


def _candidates(tokens: Tokens, table: TermTable) -> list[int]:
    """Return the words at which a term may stand, in the order of the text."""
    triggers, names, words = table.triggers, table.names, tokens.words
    found = [
        index
        for index, word in enumerate(tokens.lower)
        if word in triggers and (word not in names or words[index][0].isupper())
    ]
    protected = addresses(tokens.text)
    if not protected:
        return found
    starts = tokens.starts
    first = [start for start, _ in protected]
    kept = []
    for index in found:
        span = bisect_right(first, starts[index]) - 1
        if span < 0 or starts[index] >= protected[span][1]:
            kept.append(index)
    return kept


def _phrase_at(tokens: Tokens, index: int, end: int, table: TermTable) -> Phrase | None:
    """Return the longest phrase that a word gives away, behind the end of the last one."""
    if tokens.lower[index] not in table.anchors:
        return None
    around = tokens.lower[max(0, index - 1) : index + 2]
    for pair in pairwise(around):
        for phrase in table.phrases.get(pair, ()):
            first = index - phrase.anchor
            if first > end and phrase.matches(tokens, first):
                return phrase
    return None


def _term_at(tokens: Tokens, index: int, table: TermTable) -> Term | None:
    """Return how a single word is read, or None where it is no term."""
    readings = table.words.get(tokens.lower[index])
    if readings is None:
        return None
    term = _choose(tokens, index, readings)
    if term.is_name:
        return term
    if term.is_capitalised and not tokens.words[index][0].isupper():
        return None
    is_pronoun = term.entry.kind == "pronoun"
    if tokens.is_hyphenated(index) if is_pronoun else is_surname(tokens, index):
        return None
    flags = term.flags
    if (
        ("title" in flags and not is_title(tokens, index))
        or ("verb" in flags and is_verb(tokens, index))
        or ("thing" in flags and not is_person(tokens, index))
    ):
        return None
    return term


def _choose(tokens: Tokens, index: int, readings: Readings) -> Term:
    """Choose among the readings of one spelling: cases of a pronoun, or a title and a noun."""
    if readings.title is not None and is_title(tokens, index):
        return readings.title
    cases = readings.cases
    if cases:
        if "object" in cases and "determiner" in cases:
            return cases["determiner" if her_is_determiner(tokens, index) else "object"]
        if "possessive" in cases and "determiner" in cases:
            return cases["possessive" if his_is_possessive(tokens, index) else "determiner"]
    return readings.usual


def _settle_names(readings: list[Reading | None], names: dict[str, bool]) -> None:
    """Drop the unsure names of which no occurrence in the row is sure."""
    for reading in filter(None, readings):
        lower = reading.tokens.lower
        reading.mentions[:] = [
            mention
            for mention in reading.mentions
            if not mention.term.is_name or names[lower[mention.first]]
        ]
