"""Reading the rows of a batch: mentions, or words of a list.

The texts of a row are read together.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon, name_lexicons
from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.mentions import (
    Annotation,
    Chunk,
    Mention,
    Part,
    Skipped,
    merge_tables,
)
from fair_datasets.reader.matching.table import Digests, TermTable, read_lexicon
from fair_datasets.reader.matching.terms import Term, terms_of
from fair_datasets.reader.matching.token_batch import Asked, Mask, TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.matching.vocabulary import Numbers

#: Texts are read together up to about this many characters; a longer one is read in parts.
MAX_CHUNK_CHARS = 1 << 19

# Where a text is best divided: behind a paragraph, a line, a sentence, a word.
_SEAMS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[.!?] "), re.compile(r"\s"))


def parts_of(text: str, longest: int = MAX_CHUNK_CHARS) -> list[tuple[int, int]]:
    """Divide a long text behind paragraphs, or else behind lines, sentences or words.

    Returns:
        Where each part begins and ends; one for a text that is not too long.

    Example:
        >>> text = "He ran. She sat down."
        >>> [text[begin:end] for begin, end in parts_of(text, 12)]
        ['He ran. ', 'She sat ', 'down.']
    """
    parts, begin = [], 0
    while len(text) - begin > longest:
        end = _seam(text, begin + longest // 2, begin + longest)
        parts.append((begin, end))
        begin = end
    return [*parts, (begin, len(text))]


def _seam(text: str, first: int, last: int) -> int:
    """Return where a text is divided between two offsets; at the second if there is no seam."""
    for seam in _SEAMS:
        ends = [match.end() for match in seam.finditer(text, first, last)]
        if ends:
            return ends[-1]
    return last


def merge_annotations(text: str, parts: Sequence[tuple[int, Annotation]]) -> Annotation:
    """Put the readings of the parts of a text together.

    Args:
        parts: Where each part begins in which something is found, and what.

    Returns:
        The reading of the text.

    Example:
        >>> parts = [(8, Annotation(tokenize("She sat."), [], [Skipped(0, 0, None)]))]
        >>> merge_annotations("He ran. She sat.", parts).skipped
        [Skipped(first=2, last=2, reason=None, rule='', attribute='')]
    """
    begin, annotation = parts[0]
    if len(parts) == 1 and len(annotation.tokens.text) == len(text):
        return annotation
    tokens = tokenize(text)
    mentions: list[Mention] = []
    skipped: list[Skipped] = []
    for begin, annotation in parts:
        shift = bisect_left(tokens.starts, begin)
        mentions += [
            each._replace(first=each.first + shift, last=each.last + shift)
            for each in annotation.mentions
        ]
        skipped += [
            each._replace(first=each.first + shift, last=each.last + shift)
            for each in annotation.skipped
        ]
    return Annotation(tokens, mentions, skipped)


def annotate_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> Iterator[list[Annotation | None]]:
    """Find the mentions in many rows; the texts of a row are read together.

    Args:
        rows: The texts of each row, or nulls.
        tables: The terms to look for, by axis. A word that several of them read is a mention of
            the first.

    Yields:
        For each row an empty list if none of its texts has any word of the tables; else for each
        text its reading, or None.

    Example:
        >>> from fair_datasets.reader.matching.find import find_table
        >>> table = find_table("gender", names=False)
        >>> row, nothing = annotate_rows([["She saw her brother."], ["No one."]], [table])
        >>> [(mention.first, mention.term.attribute) for mention in row[0].mentions], nothing
        ([(0, 'woman'), (2, 'woman'), (3, 'man')], [])
    """
    following = 0
    for number, readings in mentions_in_rows(rows, tables):
        for _ in range(following, number):
            yield []
        yield readings
        following = number + 1
    for _ in range(following, len(rows)):
        yield []


def mentions_in_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> Iterator[tuple[int, list[Annotation | None]]]:
    """Find the mentions in those of many rows that have any word of the tables.

    Args:
        rows: As for `annotate_rows`.
        tables: As for `annotate_rows`.

    Yields:
        The number of each such row, and for each of its texts the reading, or None.
    """
    readings = (each for chunk in chunks(rows, tables) for each in chunk.by_text())
    for row, parts in groupby(readings, attrgetter("row")):
        yield row, annotations_of(rows[row], parts)


def annotations_of(row: Sequence[str | None], parts: Iterable[Part]) -> list[Annotation | None]:
    """Put what is found in the parts of a row's texts together.

    Args:
        row: The texts of the row, or nulls.
        parts: The parts in which something is found, in order.

    Returns:
        For each text the reading, or None.
    """
    readings: list[Annotation | None] = [None] * len(row)
    for which, several in groupby(parts, attrgetter("which")):
        readings[which] = merge_annotations(
            row[which] or "", [(part.begin, part.reading) for part in several]
        )
    return readings


def annotate_text(text: str, table: TermTable) -> Annotation | None:
    """Find the mentions along one axis in one text.

    Returns:
        The reading; None if the text has no word of the table.
    """
    for _, (reading,) in mentions_in_rows([[text]], [table]):
        return reading
    return None


def chunks(
    rows: Sequence[Sequence[str | None]],
    tables: Sequence[TermTable],
    *,
    whole: bool = False,
    every: bool = False,
) -> Iterator[Chunk]:
    """Find the mentions in many rows, some rows at a time; a very long text in several parts.

    Args:
        rows: As for `annotate_rows`.
        tables: As for `annotate_rows`.
        whole: Whether texts without any word of the tables are there too, where another text of
            their row has one.
        every: Whether all texts are there.

    Yields:
        What is found in some of them, in order.
    """
    widths = np.fromiter(map(len, rows), np.int64, len(rows))
    row_of = np.repeat(np.arange(len(rows)), widths)
    which = np.arange(len(row_of)) - np.repeat(np.cumsum(widths) - widths, widths)
    texts = [text or "" for row in rows for text in row]
    begins = np.zeros(len(texts), np.int64)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    if len(texts) and sizes.max() > MAX_CHUNK_CHARS:
        cuts = [parts_of(text) for text in texts]
        counts = np.fromiter(map(len, cuts), np.int64, len(cuts))
        texts = [text[a:b] for text, own in zip(texts, cuts, strict=True) for a, b in own]
        row_of, which = np.repeat(row_of, counts), np.repeat(which, counts)
        begins = np.array([a for own in cuts for a, _ in own], np.int64)
    for first, last in _chunk_texts(texts, row_of, begins):
        listed = [table.words for table in tables]
        # A known person may be named in a text without any word of the tables.
        is_whole = whole or any(table.known for table in tables)
        chunk_rows = row_of[first:last] if is_whole else None
        words = TokenBatch(
            texts[first:last], None if every else _asked_by(tables), listed, chunk_rows
        )
        if not words.texts:
            continue
        selected = words.text_numbers + first
        mentions = merge_tables(
            [annotate_batch(words, row_of[selected], table) for table in tables]
        )
        yield Chunk(mentions, row_of[selected], which[selected], begins[selected])


class Parts(list[Chunk]):
    """Chunks that share a row, or one by itself.

    Of several only the one that is looked at has the columns of its words: those of all of them
    would take some thirty times the row.
    """

    def __iter__(self) -> Iterator[Chunk]:
        """Give each, and forget the columns of its words afterwards."""
        for chunk in super().__iter__():
            yield chunk
            if len(self) > 1:
                chunk.mentions.words.forget()


def merge_split_rows(chunks: Iterable[Chunk]) -> Iterator[Parts]:
    """Put the chunks together over which a very long row is divided.

    Args:
        chunks: The chunks, in order.

    Yields:
        Those that share a row, or one by itself.
    """
    several = Parts()
    for chunk in chunks:
        if several and several[-1].row_of[-1] != chunk.row_of[0]:
            yield several
            several = Parts()
        elif several:
            several[-1].mentions.words.forget()
        several.append(chunk)
    if several:
        yield several


def _asked_by(tables: Sequence[TermTable]) -> Asked | None:
    """Return what tells the words that some tables look for; None where any text may have some."""
    if any(table.reads_ages for table in tables):
        return None

    several: list[Asked] = [table.columns.asks_for for table in tables]
    if len(several) == 1:
        return several[0]

    def asks_for(numbers: Numbers, is_capital: Mask) -> Mask:
        held: Mask = np.logical_or.reduce([asks(numbers, is_capital) for asks in several])
        return held

    return asks_for


def _chunk_texts(
    texts: Sequence[str], row_of: NDArray[np.int64], begins: NDArray[np.int64]
) -> Iterable[tuple[int, int]]:
    """Divide texts into those that are read together; no row is divided that has no long text."""
    sizes = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    if len(texts) and sizes[-1] < MAX_CHUNK_CHARS:
        return [(0, len(texts))]
    part = sizes // MAX_CHUNK_CHARS
    may_end = (np.diff(row_of, append=-1) != 0) | (np.append(begins[1:], 0) > 0) | (begins > 0)
    ends = may_end.nonzero()[0]
    cuts = ends[np.diff(part[ends], append=-1) != 0] + 1
    return pairwise([0, *cuts.tolist()])


CANDIDATES = ("mentions", "lexicon")


class _Listed(NamedTuple):
    """A form as the list has it: its words in lower case, the gaps between them, what it means."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]
    term: Term


def candidates_in_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable, digests: Digests, candidates: str
) -> Iterator[tuple[int, list[Annotation | None]]]:
    """Find the candidates of an axis in those of many rows that have any.

    Args:
        rows: The texts of each row, or nulls.
        digests: Those of the lexicons, by which plain lists are read.
        candidates: `mentions` for what our reader takes for mentions of people; `lexicon` for each
            whole word that is in the list, whatever it means ("a white shirt"). A word that the
            list has for several attributes is then there for each of them; a name is capitalised.

    Yields:
        The number of each such row, and for each of its texts the candidates in their order, or
        None.
    """
    read = mentions_in_rows(rows, [table])
    if candidates == "mentions":
        for number, readings in read:
            if any(reading and reading.mentions for reading in readings):
                yield number, readings
        return
    readings_of = dict(read)
    forms = _forms_by_first_word(table.axis, digests)
    for number, row in enumerate(rows):
        own = readings_of.get(number) or [None] * len(row)
        annotations = [
            _in_list(text, reading, forms) if text else None
            for text, reading in zip(row, own, strict=True)
        ]
        if any(annotations):
            yield number, annotations


def _in_list(
    text: str, reading: Annotation | None, forms: Mapping[str, Sequence[_Listed]]
) -> Annotation | None:
    """Find the words of a list in a text."""
    tokens = tokenize(text) if reading is None else reading.tokens
    words = _looked_up(tokens, forms)
    if forms.keys().isdisjoint(words):
        return None
    # Where our reader sees the same word, it knows which of its forms ("her") it is.
    seen = {(m.first, m.last, m.term.attribute): m for m in (reading.mentions if reading else ())}
    mentions: list[Mention] = []
    following = 0
    for index, word in enumerate(words):
        if index < following or word not in forms:
            continue
        here = [form for form in forms[word] if _stands_at(form, tokens, words, index)]
        longest = max((len(form.words) for form in here), default=0)
        terms: dict[str, Term] = {}
        for form in here:
            if len(form.words) == longest:
                terms.setdefault(form.term.attribute, form.term)
        last = index + longest - 1
        mentions += [
            seen.get((index, last, attribute), Mention(index, last, term))
            for attribute, term in terms.items()
        ]
        following = last + 1
    return Annotation(tokens, mentions, []) if mentions else None


def _looked_up(tokens: Tokens, forms: Container[str]) -> list[str]:
    """Return the words of a text in lower case, names without accents that no list has."""
    if tokens.text.isascii():
        return tokens.lower
    return [
        word if word in forms or not tokens.is_capitalised(index) else looked_up(word)
        for index, word in enumerate(tokens.lower)
    ]


def _stands_at(form: _Listed, tokens: Tokens, words: Sequence[str], index: int) -> bool:
    """Whether a form stands in a text from a word on, as words of their own."""
    end = index + len(form.words)
    if tuple(words[index:end]) != form.words:
        return False
    gaps = (" ".join(tokens.gap(k).split()) for k in range(index + 1, end))
    if any(one != other for one, other in zip(gaps, form.gaps, strict=True)):
        return False
    is_written = tokens.is_capitalised(index) or not form.term.is_name
    return is_written and tokens.is_alone(index) and tokens.is_alone(end - 1)


@lru_cache
def _forms_by_first_word(axis: str, digests: Digests) -> Mapping[str, Sequence[_Listed]]:
    """Return the forms of an axis, and of the names that are read on it, by their first words."""
    lexicons = [read_lexicon(axis, digests)]
    lexicons += [load_lexicon(name) for name in name_lexicons() if name in dict(digests)]
    forms: dict[str, list[_Listed]] = {}
    for lexicon in lexicons:
        for text, term in terms_of(lexicon, axis):
            tokens = tokenize(text)
            gaps = tuple(" ".join(gap.split()) for gap in tokens.gaps[1:-1])
            form = _Listed(tuple(tokens.lower), gaps, term)
            forms.setdefault(form.words[0], []).append(form)
    return forms
