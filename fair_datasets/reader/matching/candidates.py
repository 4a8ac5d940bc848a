"""Candidates: what a method takes for the words of an axis, our reading or the plain list."""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from fair_datasets.lexicons import load_lexicon, name_lexicons
from fair_datasets.reader.matching.found import Mention, Reading
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.rows import found_in_rows
from fair_datasets.reader.matching.table import TermTable, read_lexicon
from fair_datasets.reader.matching.terms import Term, terms_of
from fair_datasets.reader.matching.tokens import Tokens, tokenize

CANDIDATES = ("mentions", "lexicon")

Digests = tuple[tuple[str, str], ...]


class _Listed(NamedTuple):
    """A form as the list has it: its words in lower case, the gaps between them, what it means."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]
    term: Term


def candidates_in_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable, digests: Digests, candidates: str
) -> Iterator[tuple[int, list[Reading | None]]]:
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
    read = found_in_rows(rows, [table])
    if candidates == "mentions":
        for number, readings in read:
            if any(reading and reading.mentions for reading in readings):
                yield number, readings
        return
    readings_of = dict(read)
    listed = _listed(table.axis, digests)
    for number, row in enumerate(rows):
        own = readings_of.get(number) or [None] * len(row)
        found = [
            _in_list(text, reading, listed) if text else None
            for text, reading in zip(row, own, strict=True)
        ]
        if any(found):
            yield number, found


def _in_list(
    text: str, reading: Reading | None, listed: Mapping[str, Sequence[_Listed]]
) -> Reading | None:
    """Find the words of a list in a text."""
    tokens = tokenize(text) if reading is None else reading.tokens
    words = _looked_up(tokens, listed)
    if listed.keys().isdisjoint(words):
        return None
    # Where our reader sees the same word, it knows which of its forms ("her") it is.
    seen = {(m.first, m.last, m.term.attribute): m for m in (reading.mentions if reading else ())}
    found: list[Mention] = []
    following = 0
    for index, word in enumerate(words):
        if index < following or word not in listed:
            continue
        here = [form for form in listed[word] if _stands_at(form, tokens, words, index)]
        longest = max((len(form.words) for form in here), default=0)
        terms: dict[str, Term] = {}
        for form in here:
            if len(form.words) == longest:
                terms.setdefault(form.term.attribute, form.term)
        last = index + longest - 1
        found += [
            seen.get((index, last, attribute), Mention(index, last, term))
            for attribute, term in terms.items()
        ]
        following = last + 1
    return Reading(tokens, found, []) if found else None


def _looked_up(tokens: Tokens, listed: Container[str]) -> list[str]:
    """Return the words of a text in lower case, names without accents that no list has."""
    if tokens.text.isascii():
        return tokens.lower
    return [
        word if word in listed or not tokens.is_capitalised(index) else looked_up(word)
        for index, word in enumerate(tokens.lower)
    ]


def _stands_at(form: _Listed, tokens: Tokens, words: Sequence[str], index: int) -> bool:
    """Tell whether a form stands in a text from a word on, as words of their own."""
    end = index + len(form.words)
    if tuple(words[index:end]) != form.words:
        return False
    gaps = (" ".join(tokens.gap(k).split()) for k in range(index + 1, end))
    if any(one != other for one, other in zip(gaps, form.gaps, strict=True)):
        return False
    is_written = tokens.is_capitalised(index) or not form.term.is_name
    return is_written and tokens.is_alone(index) and tokens.is_alone(end - 1)


@lru_cache(maxsize=32)
def _listed(axis: str, digests: Digests) -> Mapping[str, Sequence[_Listed]]:
    """Return the forms of an axis, and of the names that are read on it, by their first words."""
    lexicons = [read_lexicon(axis, digests)]
    lexicons += [load_lexicon(name) for name in name_lexicons() if name in dict(digests)]
    found: dict[str, list[_Listed]] = {}
    for lexicon in lexicons:
        for text, term in terms_of(lexicon, axis):
            tokens = tokenize(text)
            gaps = tuple(" ".join(gap.split()) for gap in tokens.gaps[1:-1])
            form = _Listed(tuple(tokens.lower), gaps, term)
            found.setdefault(form.words[0], []).append(form)
    return found
