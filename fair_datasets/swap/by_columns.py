"""Rewriting the mentions of many texts at once.

Most mentions are one word that is written in another form, and nothing else has to agree with it:
they are written by columns. Where a row has others - pairs such as "he or she", verbs of "they",
names that somebody else in the row bears, possessive endings - its mentions are settled one by one,
as `swap_row` does.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.neighbours import BEFORE, HERE, IN_HEADLINE, NEXT, OPENS_SENTENCE
from fair_datasets.reader.matching.letters import capitalised
from fair_datasets.reader.matching.mentions import Chunk, MentionTable, Part, Terms
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.token_batch import (
    Candidates,
    Mask,
    Places,
    TokenBatch,
    among,
    distinct,
    edges,
)
from fair_datasets.reader.matching.tokenizer import APOSTROPHES
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.agreement import ARTICLES, THEY, follows_article, takes_an
from fair_datasets.swap.directions import RowTargets, Targets
from fair_datasets.swap.rewrite import article_edits, changes_dot, other_names, swap_mentions
from fair_datasets.swap.rewriting import Counterfactual
from fair_datasets.swap.rewriting.counterfactuals import Edit, as_edit, shifted
from fair_datasets.system.collection import uncollected

_COLUMNS = ("texts", "starts", "ends", "after", "axes", "attributes")


@dataclass(frozen=True, eq=False)
class EditColumns:
    """Edits in the order of the texts.

    Attributes:
        starts: Where it begins in the joined texts. Shape (E,).

    Example:
        >>> words = TokenBatch(["He ran.", "Rain."])
        >>> edits = EditColumns.of(words, {0: [Edit(0, 2, "He", "She", "gender", "woman")]})
        >>> list(edits.written())
        [(0, 'She ran.')]
    """

    words: TokenBatch
    texts: NDArray[np.int64]
    starts: Places
    ends: Places
    after: NDArray[Any]
    axes: NDArray[Any]
    attributes: NDArray[Any]

    @classmethod
    def of(cls, words: TokenBatch, by_text: Mapping[int, Sequence[Edit]]) -> "EditColumns":
        """Put edits into columns."""
        counts = np.fromiter(map(len, by_text.values()), np.int64, len(by_text))
        texts = np.repeat(np.array(list(by_text), np.int64), counts)
        rows = [edit for edits in by_text.values() for edit in edits]
        offsets = words.offset[texts]
        starts = offsets + np.array([edit.start for edit in rows], np.int64)
        ends = offsets + np.array([edit.end for edit in rows], np.int64)
        forms = (
            np.array([getattr(edit, name) for edit in rows], object)
            for name in ("after", "axis", "attribute")
        )
        return cls(words, texts, starts, ends, *forms)

    def take(self, rows: Mask | NDArray[np.int64]) -> "EditColumns":
        """Return some of the edits, in the order that is given."""
        return EditColumns(self.words, *map(itemgetter(rows), attrgetter(*_COLUMNS)(self)))

    def before(self) -> list[str]:
        """Return what stood at each place before."""
        joined = self.words.joined
        places = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [joined[start:end] for start, end in places]

    def by_text(self) -> Iterator[tuple[int, list[Edit]]]:
        """Give the edits of each text that has any, with its number."""
        offsets = self.words.offset[self.texts]
        columns = (
            (self.starts - offsets).tolist(), (self.ends - offsets).tolist(), self.before(),
            self.after.tolist(), self.axes.tolist(), self.attributes.tolist(),
        )  # fmt: skip
        edits = list(map(as_edit, zip(*columns, strict=True)))
        for text, first, stop in self._texts():
            yield text, edits[first:stop]

    def written(self) -> Iterator[tuple[int, str]]:
        """Make the edits: give each text that has any, with its number."""
        words, joined = self.words, self.words.joined
        runs = edges(self.texts)
        begins = np.concatenate(([0], self.ends[:-1]))[: len(self.ends)]
        begins[runs[:-1]] = words.offset[self.texts[runs[:-1]]]
        pieces = [""] * (2 * len(begins))
        places = zip(begins.tolist(), self.starts.tolist(), strict=True)
        pieces[::2] = [joined[begin:start] for begin, start in places]
        pieces[1::2] = self.after.tolist()
        # What is behind the last edit of each.
        lasts = runs[1:] - 1
        stops = words.start[words.first[self.texts[lasts] + 1] - 1]
        rest = zip(self._texts(), self.ends[lasts].tolist(), stops.tolist(), strict=True)
        for (text, first, stop), end, close in rest:
            yield text, "".join(pieces[2 * first : 2 * stop]) + joined[end:close]

    def _texts(self) -> Iterator[tuple[int, int, int]]:
        """Give each text that has edits, with the numbers of its first and behind its last."""
        runs = edges(self.texts)
        texts = self.texts[runs[:-1]].tolist()
        yield from zip(texts, runs[:-1].tolist(), runs[1:].tolist(), strict=True)


def merged(several: Sequence[EditColumns]) -> EditColumns:
    """Put edits of the same texts together, in the order of the texts."""
    if len(several) == 1:
        return several[0]
    columns = (np.concatenate([getattr(each, name) for each in several]) for name in _COLUMNS)
    edits = EditColumns(several[0].words, *columns)
    return edits.take(np.argsort(edits.starts, kind="stable"))


Numbers = NDArray[np.int64]


# What is known of a reading that is written with another form, for one target.
_FORM = np.dtype([
    # As the lexicon writes it, capitalised, in capitals, and in small letters.
    ("variants", object, 4),
    ("axis", object),
    ("target", object),
    # The number of the name that is written, in the vocabulary; 0 if it is no name.
    ("name", np.int64),
    # Whether more than its own letters has to be settled: the verbs of "they", what is said already
    # before "Hindu priest", the capitals of "McDonald".
    ("is_hard", np.bool_),
    # Whether the dot of a title has to be settled: "Miss" becomes "Mr.".
    ("changes_dot", np.bool_),
    # Whether the lexicon writes the reading itself with a capital letter.
    ("has_capital", np.bool_),
    ("is_plural", np.bool_),
    ("begins_small", np.bool_),
    ("ends_in_s", np.bool_),
])  # fmt: skip


class Forms:
    """The forms of readings, of which each is looked up once.

    Attributes:
        table: What is known of each form; that of number 0 is written for what stays. Shape (F,).
        entry: The number of the row of the lexicon of each reading. Shape (R,).
    """

    def __init__(self, terms: Terms) -> None:
        """Know no form yet but that of what stays."""
        self._terms = terms
        self._numbers: dict[tuple[int, str], int] = {}
        self._new: list[tuple[Any, ...]] = []
        # What is told of the readings of the tables is the same in each batch.
        self._rows: dict[tuple[int, str], tuple[Any, ...]] = (
            Forms.of(terms.before)._rows if terms.before else {}
        )
        self.table: NDArray[Any] = np.array([(("",) * 4, "", "", 0, *[False] * 6)], _FORM)
        before = Forms.of(terms.before) if terms.before else None
        known: ChainMap[int, int] = before._entries if before else ChainMap()
        self._entries: ChainMap[int, int] = known.new_child()
        first = sum(map(len, known.maps))
        for term in terms.others:
            if id(term.entry) not in known:
                self._entries.setdefault(id(term.entry), first + len(self._entries.maps[0]))
        entry = np.array([self._entries[id(term.entry)] for term in terms.others], np.int64)
        self.entry: Numbers = np.concatenate((before.entry, entry)) if before else entry

    @classmethod
    def of(cls, terms: Terms) -> "Forms":
        """Return the forms of readings, which are kept with them."""
        return terms.noted(cls, lambda: cls(terms))

    def numbers(self, readings: Numbers, targets: "list[Targets]", which: Numbers) -> Numbers:
        """Return the number of the form that each reading is written as; 0 where it stays.

        Returns:
            The numbers. Shape (M,).
        """
        pairs, inverse = np.unique(readings * len(targets) + which, return_inverse=True)
        asked = np.transpose(np.divmod(pairs, len(targets))).tolist()
        indices = [self._number(reading, targets[k]) for reading, k in asked]
        if self._new:
            self.table = np.concatenate((self.table, np.array(self._new, _FORM)))
            self._new = []
        numbers: Numbers = np.array(indices, np.int64)[inverse]
        return numbers

    def _number(self, reading: int, targets: Targets) -> int:
        term = self._terms.readings[reading]
        target = targets.get((term.axis, term.attribute), "")
        if not target:
            return 0
        number = self._numbers.get((reading, target))
        if number is None:
            forms = term.entry.forms.get(target)
            number = len(self.table) + len(self._new) if forms else 0
            if forms:
                row = self._rows.get((reading, target)) or _form(term, target, forms[0].text)
                if reading < len(self._terms.of_tables.readings):
                    self._rows[reading, target] = row
                self._new.append(row)
            self._numbers[reading, target] = number
        return number


def _form(term: Term, target: str, text: str) -> tuple[Any, ...]:
    """Return what a reading is written as: a row of `_FORM`."""
    is_they, small = term.entry.kind == "pronoun" and text in THEY, term.spelling.lower()
    return (
        (text, capitalised(text), text.upper(), text.lower()),
        term.axis,
        target,
        # A name that no lexicon has stands nowhere in its row.
        vocabulary().number(text.lower()) if term.is_name else 0,
        is_they or " " in text or term.spelling not in (small, capitalised(small)),
        changes_dot(term, text),
        term.spelling != small,
        term.entry.is_plural,
        text[0].islower(),
        text[-1] in "sS",
    )


# How far apart the forms of a pair may stand, in words: "he or she".
_NEAR = 2
_AS_IT_IS, _CAPITALISED, _UPPER, _SMALL = range(4)
_OPENS = HERE.is_first_or_nowhere | OPENS_SENTENCE | IN_HEADLINE
_HAS_ARTICLE = ~HERE.is_first & BEFORE.is_word(*sorted(ARTICLES)) & HERE.sign_that(follows_article)
_HAS_APOSTROPHE = NEXT.sign_that(lambda sign: sign[:1] in tuple(APOSTROPHES))

_needs_an = lru_cache(maxsize=1 << 14)(takes_an)


@uncollected()
def swap_chunk(
    chunk: Chunk, targets: RowTargets, pronouns: str = "they", tables: Sequence[TermTable] = ()
) -> EditColumns:
    """Return the edits that write the mentions of many rows with their counterparts."""
    mentions = chunk.mentions.take(chunk.mentions.is_mention)
    if not len(mentions.firsts):
        return EditColumns.of(mentions.words, {})
    row_of = chunk.row_of[mentions.texts]
    rows, place = distinct(row_of), np.diff(row_of, prepend=row_of[0]).astype(np.bool_).cumsum()
    given = [targets(row) for row in rows.tolist()] if callable(targets) else [targets]
    which = place if callable(targets) else np.zeros(len(place), np.int64)
    forms = Forms.of(mentions.terms)
    written = forms.numbers(mentions.readings, given, which)
    shares_names = _share_names(chunk, place, forms.table["name"][written])
    is_hard = shares_names | bool(tables)
    if not tables:
        is_hard[place[_are_hard(mentions, forms, written)]] = True
    # The dot of a title depends on the text, and on no other mention.
    has_dot = forms.table["changes_dot"][written] & ~is_hard[place]
    plain = _plain(mentions, forms, written, ~is_hard[place] & ~has_dot & (written > 0))
    edits: dict[int, list[Edit]] = {}
    for part in chunk._replace(mentions=mentions.take(has_dot)).by_text():
        own = targets(part.row) if callable(targets) else targets
        edits[part.number] = swap_mentions(part.reading, own, pronouns)
    if is_hard.any():
        sharing = set(rows[shares_names].tolist())
        # Whoever bears a name in the row counts, in texts without any mention as well.
        in_hard_row = among(chunk.row_of[chunk.mentions.texts], rows[is_hard])
        settled = chunk._replace(mentions=chunk.mentions.take(in_hard_row))
        for row, parts in groupby(settled.by_text(), attrgetter("row")):
            several, own = list(parts), targets(row) if callable(targets) else targets
            names = other_names([part.reading for part in several if row in sharing], own)
            for part in several:
                edits[part.number] = swap_mentions(part.reading, own, pronouns, tables, names)
    return merged([*plain, EditColumns.of(mentions.words, edits)] if edits else plain)


def _are_hard(mentions: MentionTable, forms: Forms, written: Numbers) -> Mask:
    """Return which mentions cannot be written by themselves."""
    held = forms.table["is_hard"][written] | ((mentions.lasts > mentions.firsts) & (written > 0))
    entries, kinds = forms.entry[mentions.readings], mentions.terms.kind[mentions.readings]
    is_pair = (entries[1:] == entries[:-1]) & (kinds[1:] != kinds[:-1])
    is_pair &= mentions.firsts[1:] - mentions.lasts[:-1] <= _NEAR
    is_pair &= mentions.texts[1:] == mentions.texts[:-1]
    held[1:] |= is_pair & ((written[1:] > 0) | (written[:-1] > 0))
    candidates = Candidates(mentions.words, mentions.firsts)
    asked = (candidates.holds(_HAS_APOSTROPHE) & (written > 0)).nonzero()[0]
    if not len(asked):
        return held
    last = mentions.words.written[mentions.words.end[mentions.lasts[asked]] - 1] | 32
    own_s, new_s = last == ord("s"), forms.table["ends_in_s"][written[asked]]
    held[asked] |= (own_s & ~new_s) | (forms.table["is_plural"][written[asked]] & new_s)
    return held


def _share_names(chunk: Chunk, place: Numbers, names: Numbers) -> Mask:
    """Return in which rows a name that is written stands already."""
    held = np.zeros(int(place.max()) + 1, np.bool_)
    named = names.nonzero()[0]
    if not len(named):
        return held
    words, many = chunk.mentions.words, len(vocabulary())
    is_written = np.zeros(many, np.bool_)
    is_written[names[named]] = True
    there = is_written[words.number].nonzero()[0]
    present = chunk.row_of[words.owner[there]] * many + words.number[there]
    texts = chunk.mentions.texts[chunk.mentions.is_mention][named]
    is_shared = among(chunk.row_of[texts] * many + names[named], present)
    if words.twins:
        is_twin = among(words.number, list(words.twins))
        is_shared |= among(chunk.row_of[texts], chunk.row_of[words.owner[is_twin]])
    held[place[named[is_shared]]] = True
    return held


def _plain(
    mentions: MentionTable, forms: Forms, written: Numbers, is_plain: Mask
) -> list[EditColumns]:
    """Return the edits of the mentions that are written by themselves, and of their articles."""
    rows, words = is_plain.nonzero()[0], mentions.words
    numbers, firsts = written[rows], mentions.firsts[rows]
    candidates = Candidates(words, firsts)
    after = forms.table["variants"][numbers, _cases(candidates, forms, numbers)]
    edits = EditColumns(
        words, mentions.texts[rows], words.start[firsts], words.end[firsts], after,
        forms.table["axis"][numbers], forms.table["target"][numbers],
    )  # fmt: skip
    before = np.array(edits.before(), object)
    is_other: Mask = before != after
    asked = (candidates.holds(_HAS_ARTICLE) & is_other).nonzero()[0]
    pairs = zip(before[asked].tolist(), after[asked].tolist(), strict=True)
    changes = np.array([_needs_an(old) != _needs_an(new) for old, new in pairs], np.bool_)
    others, beside = edits.take(is_other), asked[changes]
    if not len(beside):
        return [others]
    return [others, _articles(edits.take(beside), firsts[beside], others)]


def _articles(edits: EditColumns, firsts: Places, taken: EditColumns) -> EditColumns:
    """Return the edits of the articles before some edits, which are no part of another one."""
    words, places = edits.words, iter(firsts.tolist())
    changed: dict[int, list[Edit]] = {}
    for text, several in edits.by_text():
        tokens, begin = words.tokens(text), int(words.first[text])
        own = [article_edits(tokens, next(places) - begin, edit, []) for edit in several]
        changed[text] = [edit for each in own for edit in each]
    fixes = EditColumns.of(words, changed)
    reach = np.concatenate(([0], taken.ends))
    return fixes.take(reach[np.searchsorted(taken.starts, fixes.starts, "right")] <= fixes.starts)


def _cases(candidates: Candidates, forms: Forms, numbers: Numbers) -> Numbers:
    """Return the letter case of each mention, as `match_case` and `swap_row` tell it."""
    words, at = candidates.words, candidates.places
    cases = np.full(len(at), _AS_IT_IS)
    is_title = words.is_capital(at) & words.is_title(at)
    # The capital of "Mary" or "Black" says nothing but where any word has one.
    asked = (is_title & forms.table["has_capital"][numbers]).nonzero()[0]
    if len(asked):
        keeps = ~forms.table["begins_small"][numbers[asked]]
        small = asked[~keeps]
        is_title[asked] = False
        is_title[small] = candidates.part(small).holds(_OPENS)
    cases[is_title] = _CAPITALISED
    cases[words.is_upper(at) & (words.length(at) > 1)] = _UPPER
    # Names have capitals in lists, but not in texts without any.
    cases[words.is_lower(at) & (forms.table["name"][numbers] > 0)] = _SMALL
    return cases


CONFIDENCE = "confidence"
"""The column that says how likely it is that a row is rewritten rightly."""


class WrittenText(NamedTuple):
    """A text of a row as it is written, or a part of it.

    Attributes:
        begin: Where the part begins in the text; 0 for a whole text.
        edits: The edits, with offsets into the part; empty where they are not asked for.
        confidence: How likely it is that the row is rewritten rightly; None where nobody asked.
    """

    number: int
    row: int
    which: int
    begin: int
    end: int
    text: str
    edits: list[Edit]
    confidence: float | None


class Swapped(NamedTuple):
    """Rows that are read together, and how they are rewritten."""

    chunk: Chunk
    edits: EditColumns
    confidences: Mapping[int, float]

    def by_text(self, *, states_edits: bool) -> Iterator[WrittenText]:
        """Give the texts in which something changes, in order."""
        chunk, texts = self.chunk, self.chunk.mentions.words.texts
        row_of, which = chunk.row_of.tolist(), chunk.which.tolist()
        begins, known = chunk.begins.tolist(), self.confidences
        edits = dict(self.edits.by_text()) if states_edits else {}
        for number, text in self.edits.written():
            begin, row = begins[number], row_of[number]
            end = begin + len(texts[number])
            own = edits.get(number, [])
            yield WrittenText(number, row, which[number], begin, end, text, own, known.get(row))

    def readings(self) -> Iterator[tuple[Part, WrittenText | None, float | None]]:
        """Give the texts in which something is found, with what is written and the confidence."""
        written = {each.number: each for each in self.by_text(states_edits=True)}
        for part in self.chunk.by_text():
            yield part, written.get(part.number), self.confidences.get(part.row)


def counterfactual_of(
    row: Row, parts: Iterable[WrittenText], *, states_edits: bool
) -> Counterfactual:
    """Put what is written into the texts of a row."""
    texts = list(row)
    edits: list[list[Edit]] = [[] for _ in row]
    log: dict[str, Any] = {}
    for which, several in groupby(parts, attrgetter("which")):
        text, written, position = row[which] or "", list[str](), 0
        for part in several:
            written += text[position : part.begin], part.text
            position = part.end
            if states_edits:
                edits[which] += shifted(part.edits, part.begin) if part.begin else part.edits
            if part.confidence is not None:
                log = {CONFIDENCE: part.confidence}
        texts[which] = "".join([*written, text[position:]])
    return Counterfactual(tuple(texts), edits if states_edits else None, log=log)
