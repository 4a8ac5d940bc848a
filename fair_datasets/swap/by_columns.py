"""Rewriting the mentions of many texts at once.

Most mentions are one word that is written in another form, and nothing else has to agree with it:
they are written by columns. Where a row has others - pairs such as "he or she", verbs of "they",
names that somebody else in the row bears, possessive endings - its mentions are settled one by one,
as `swap_row` does.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import numpy as np

from fair_datasets.english.neighbours import BEFORE, HERE, IN_HEADLINE, NEXT, OPENS_SENTENCE
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Chunk, Found
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.tokens import APOSTROPHES
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places
from fair_datasets.rewriting.counterfactuals import Edit
from fair_datasets.swap.agreement import ARTICLES, takes_an
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.edit_columns import EditColumns, merged
from fair_datasets.swap.forms import Forms, Numbers
from fair_datasets.swap.rewrite import article_edits, other_names, swap_mentions

# How far apart the forms of a pair may stand, in words: "he or she".
_NEAR = 2
_AS_IT_IS, _CAPITALISED, _UPPER, _SMALL = range(4)
_OPENS = HERE.is_first_or_nowhere | OPENS_SENTENCE | IN_HEADLINE
_HAS_ARTICLE = ~HERE.is_first & BEFORE.is_word(*sorted(ARTICLES)) & HERE.sign_that(str.isspace)
_HAS_APOSTROPHE = NEXT.sign_that(lambda sign: sign[:1] in tuple(APOSTROPHES))

_needs_an = lru_cache(maxsize=1 << 14)(takes_an)


def swap_chunk(
    chunk: Chunk,
    targets: Callable[[int], Targets] | Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
) -> EditColumns:
    """Say how the mentions of many rows are written with their counterparts.

    Args:
        chunk: The rows with what is found in them.
        targets: As for `swap_row`; or what returns them for a row by its number.
        pronouns: As for `swap_row`.
        tables: As for `swap_row`.

    Returns:
        The edits.
    """
    found = chunk.found.take(chunk.found.is_mention)
    if not len(found.firsts):
        return EditColumns.of(found.words, {})
    rows, place = np.unique(chunk.row_of[found.texts], return_inverse=True)
    given = [targets(row) for row in rows.tolist()] if callable(targets) else [targets]
    which = place if callable(targets) else np.zeros(len(place), np.int64)
    forms = Forms.of(found.terms)
    written = forms.numbers(found.readings, given, which)
    shares_names = _share_names(chunk, place, forms.name[written])
    is_hard = shares_names | bool(tables)
    if not tables:
        is_hard[place[_are_hard(found, forms, written)]] = True
    # The dot of a title depends on the text, and on no other mention.
    has_dot = forms.changes_dot[written] & ~is_hard[place]
    plain = _plain(found, forms, written, ~is_hard[place] & ~has_dot & (written > 0))
    edits: dict[int, list[Edit]] = {}

    def whose(row: int) -> tuple[int, Targets]:
        number = int(np.searchsorted(rows, row))
        return number, given[number] if callable(targets) else given[0]

    for part in chunk._replace(found=found.take(has_dot)).by_text():
        edits[part.number] = swap_mentions(part.reading, whose(part.row)[1], pronouns)
    if not is_hard.any():
        return merged([*plain, EditColumns.of(found.words, edits)]) if edits else merged(plain)
    # Whoever bears a name in the row counts, in texts without any mention as well.
    in_hard_row = np.isin(chunk.row_of[chunk.found.texts], rows[is_hard])
    settled = chunk._replace(found=chunk.found.take(in_hard_row))
    for row, parts in groupby(settled.by_text(), attrgetter("row")):
        several, (number, own) = list(parts), whose(row)
        shared = [part.reading for part in several if shares_names[number]]
        names = other_names(shared, own)
        for part in several:
            edits[part.number] = swap_mentions(part.reading, own, pronouns, tables, names)
    return merged([*plain, EditColumns.of(found.words, edits)])


def _are_hard(found: Found, forms: Forms, written: Numbers) -> Mask:
    """Tell which mentions cannot be written by themselves."""
    held = forms.is_hard[written] | ((found.lasts > found.firsts) & (written > 0))
    entries, kinds = forms.entry[found.readings], found.terms.kind[found.readings]
    is_pair = (entries[1:] == entries[:-1]) & (kinds[1:] != kinds[:-1])
    is_pair &= found.firsts[1:] - found.lasts[:-1] <= _NEAR
    is_pair &= found.texts[1:] == found.texts[:-1]
    held[1:] |= is_pair & ((written[1:] > 0) | (written[:-1] > 0))
    candidates = Candidates(found.words, found.firsts)
    asked = np.flatnonzero(candidates.holds(_HAS_APOSTROPHE) & (written > 0))
    if not len(asked):
        return held
    last = found.words.written[found.words.end[found.lasts[asked]] - 1] | 32
    own_s, new_s = last == ord("s"), forms.ends_in_s[written[asked]]
    held[asked] |= (own_s & ~new_s) | (forms.is_plural[written[asked]] & new_s)
    return held


def _share_names(chunk: Chunk, place: Numbers, names: Numbers) -> Mask:
    """Tell in which rows a name that is written stands already."""
    held = np.zeros(int(place.max()) + 1, np.bool_)
    named = np.flatnonzero(names)
    if not len(named):
        return held
    is_written = np.zeros(len(vocabulary()), np.bool_)
    is_written[names[named]] = True
    words, many = chunk.found.words, len(vocabulary())
    there = np.flatnonzero(is_written[words.number])
    present = chunk.row_of[words.owner[there]] * many + words.number[there]
    texts = chunk.found.texts[chunk.found.is_mention][named]
    is_shared = np.isin(chunk.row_of[texts] * many + names[named], present)
    if words.twins:
        is_twin = np.isin(words.number, list(words.twins))
        is_shared |= np.isin(chunk.row_of[texts], chunk.row_of[words.owner[is_twin]])
    held[place[named[is_shared]]] = True
    return held


def _plain(found: Found, forms: Forms, written: Numbers, is_plain: Mask) -> list[EditColumns]:
    """Return the edits of the mentions that are written by themselves, and of their articles."""
    rows, words = np.flatnonzero(is_plain), found.words
    numbers, firsts = written[rows], found.firsts[rows]
    candidates = Candidates(words, firsts)
    after = forms.variants[numbers, _cases(candidates, forms, numbers)]
    edits = EditColumns(
        words, found.texts[rows], words.start[firsts], words.end[firsts], after,
        forms.axis[numbers], forms.target[numbers],
    )  # fmt: skip
    before = np.array(edits.before(), object)
    is_other: Mask = before != after
    asked = np.flatnonzero(candidates.holds(_HAS_ARTICLE) & is_other)
    pairs = zip(before[asked].tolist(), after[asked].tolist(), strict=True)
    changes = np.array([_needs_an(old) != _needs_an(new) for old, new in pairs], np.bool_)
    kept, beside = edits.take(is_other), asked[changes]
    if not len(beside):
        return [kept]
    return [kept, _articles(edits.take(beside), firsts[beside], kept)]


def _articles(edits: EditColumns, firsts: Places, taken: EditColumns) -> EditColumns:
    """Return the edits of the articles before some edits, which are no part of another one."""
    words, places = edits.words, iter(firsts.tolist())
    changed: dict[int, list[Edit]] = {}
    for text, several in edits.by_text():
        tokens, begin = words.tokens(text), int(words.first[text])
        own = [article_edits(tokens, next(places) - begin, edit, []) for edit in several]
        changed[text] = [edit for each in own for edit in each]
    found = EditColumns.of(words, changed)
    reach = np.concatenate(([0], taken.ends))
    return found.take(reach[np.searchsorted(taken.starts, found.starts, "right")] <= found.starts)


def _cases(candidates: Candidates, forms: Forms, numbers: Numbers) -> Numbers:
    """Return the letter case of each mention, as `match_case` and `swap_row` tell it."""
    words, at = candidates.words, candidates.places
    cases = np.full(len(at), _AS_IT_IS)
    is_title = words.is_capital(at) & words.is_title(at)
    # The capital of "Mary" or "Black" says nothing but where any word has one.
    asked = np.flatnonzero(is_title & forms.has_capital[numbers])
    if len(asked):
        keeps = ~forms.begins_small[numbers[asked]]
        small = asked[~keeps]
        is_title[asked] = False
        is_title[small] = candidates.part(small).holds(_OPENS)
    cases[is_title] = _CAPITALISED
    cases[words.is_upper(at) & (words.length(at) > 1)] = _UPPER
    # Names have capitals in lists, but not in texts without any.
    cases[words.is_lower(at) & (forms.name[numbers] > 0)] = _SMALL
    return cases
