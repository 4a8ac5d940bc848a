"""Rewriting the mentions of many texts at once.

Most mentions are one word that is written in another form, and nothing else has to agree with it:
they are written by columns. Where a row has others - pairs such as "he or she", verbs of "they",
names that somebody else in the row bears, possessive endings - its mentions are settled one by one,
by `swap_row`.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter

import numpy as np

from fair_datasets.english.neighbours import IN_HEADLINE, OPENS_SENTENCE
from fair_datasets.english.places import BEFORE, HERE, NEXT
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Chunk, Found
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.tokens import APOSTROPHES
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask
from fair_datasets.rewriting.edits import Edit
from fair_datasets.swap.agreement import ARTICLES, takes_an
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.forms import Forms, Numbers
from fair_datasets.swap.rewrite import article_edits, swap_row

# How far apart the forms of a pair may stand, in words: "he or she".
_NEAR = 2
_AS_IT_IS, _CAPITALISED, _UPPER = range(3)
_OPENS = HERE.is_first_or_nowhere | OPENS_SENTENCE | IN_HEADLINE
_HAS_ARTICLE = ~HERE.is_first & BEFORE.is_word(*sorted(ARTICLES)) & HERE.sign_that(str.isspace)
_HAS_APOSTROPHE = NEXT.sign_that(lambda sign: sign[:1] in tuple(APOSTROPHES))

_needs_an = lru_cache(maxsize=1 << 14)(takes_an)
# An edit from a tuple of its attributes, which takes half the time.
_as_edit = partial(tuple.__new__, Edit)


def swap_chunk(
    chunk: Chunk,
    targets: Callable[[int], Targets] | Targets,
    pronouns: str = "they",
    tables: Sequence[TermTable] = (),
) -> dict[int, list[Edit]]:
    """Say how the mentions of many rows are written with their counterparts.

    Args:
        chunk: The rows with what is found in them.
        targets: As for `swap_row`; or what returns them for a row by its number.
        pronouns: As for `swap_row`.
        tables: As for `swap_row`.

    Returns:
        The number of each text of the chunk in which something changes to its edits, in the order
        of the text.
    """
    found = chunk.found.take(chunk.found.is_mention)
    if not len(found.firsts):
        return {}
    rows, place = np.unique(chunk.row_of[found.texts], return_inverse=True)
    given = [targets(row) for row in rows.tolist()] if callable(targets) else [targets]
    which = place if callable(targets) else np.zeros(len(place), np.int64)
    forms = Forms.of(found.terms)
    written = forms.numbers(found.readings, given, which)
    is_hard = np.zeros(len(rows), np.bool_)
    if tables:
        is_hard[:] = True
    else:
        is_hard[place[_are_hard(found, forms, written)]] = True
        _share_names(chunk, place, forms.name[written], is_hard)
    edits = _plain(found, forms, written, ~is_hard[place] & (written > 0))
    # With what is left alone, which may be the name of somebody who keeps it.
    is_settled = np.isin(chunk.row_of[chunk.found.texts], rows[is_hard])
    settled = chunk._replace(found=chunk.found.take(is_settled))
    for row, parts in groupby(settled.by_text(), attrgetter("row")):
        whose = given[np.searchsorted(rows, row)] if callable(targets) else given[0]
        several = list(parts)
        own = swap_row([part.reading for part in several], whose, pronouns, tables)
        edits |= {part.number: each for part, each in zip(several, own, strict=True)}
    return {text: own for text, own in edits.items() if own}


def _are_hard(found: Found, forms: Forms, written: Numbers) -> Mask:
    """Tell which mentions cannot be written by themselves."""
    held = forms.is_hard[written] | ((found.lasts > found.firsts) & (written > 0))
    entries = forms.entry[found.readings]
    is_pair = (entries[1:] == entries[:-1]) & (found.firsts[1:] - found.lasts[:-1] <= _NEAR)
    is_pair &= found.texts[1:] == found.texts[:-1]
    held[1:] |= is_pair & ((written[1:] > 0) | (written[:-1] > 0))
    candidates = Candidates(found.words, found.firsts)
    asked = np.flatnonzero(candidates.holds(_HAS_APOSTROPHE) & (written > 0))
    last = found.words.written[found.words.end[found.lasts[asked]] - 1] | 32
    own_s, new_s = last == ord("s"), forms.ends_in_s[written[asked]]
    held[asked] |= (own_s & ~new_s) | (forms.is_plural[written[asked]] & new_s)
    return held


def _share_names(chunk: Chunk, place: Numbers, names: Numbers, is_hard: Mask) -> None:
    """Mark the rows in which a name that is written stands already."""
    named = np.flatnonzero(names)
    if not len(named):
        return
    is_written = np.zeros(len(vocabulary()), np.bool_)
    is_written[names[named]] = True
    words, many = chunk.found.words, len(vocabulary())
    there = np.flatnonzero(is_written[words.number])
    present = chunk.row_of[words.owner[there]] * many + words.number[there]
    texts = chunk.found.texts[chunk.found.is_mention][named]
    is_shared = np.isin(chunk.row_of[texts] * many + names[named], present)
    is_hard[place[named[is_shared]]] = True


def _plain(found: Found, forms: Forms, written: Numbers, is_plain: Mask) -> dict[int, list[Edit]]:
    """Return the edits of the mentions that are written by themselves, by text."""
    rows = np.flatnonzero(is_plain)
    numbers, words = written[rows], found.words
    candidates = Candidates(words, found.firsts[rows])
    begins = words.offset[found.texts[rows]]
    columns = (
        found.texts[rows].tolist(),
        begins.tolist(),
        words.start[found.firsts[rows]].tolist(),
        words.end[found.firsts[rows]].tolist(),
        forms.variants[numbers, _cases(candidates, forms, numbers)].tolist(),
        forms.axis[numbers].tolist(),
        forms.target[numbers].tolist(),
        candidates.holds(_HAS_ARTICLE).tolist(),
        found.firsts[rows].tolist(),
    )
    edits: dict[int, list[Edit]] = {}
    current, own, joined = -1, list[Edit](), words.joined
    for text, offset, start, end, after, axis, target, has_article, place in zip(
        *columns, strict=True
    ):
        before = joined[start:end]
        if after == before:
            continue
        if text != current:
            current, own = text, []
            edits[text] = own
        edit = _as_edit((start - offset, end - offset, before, after, axis, target))
        if has_article and _needs_an(before) != _needs_an(after):
            own += article_edits(words.tokens(text), place - int(words.first[text]), edit, own)
        own.append(edit)
    return edits


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
    return cases
