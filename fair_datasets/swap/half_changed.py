"""Rows in which half of a person would change: a pronoun moves, and the name of its person stays.

Whose a pronoun is, is not read. Where a name stands before it, and nobody else of its gender is
told of before, the pronoun may be that person's.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import numpy as np

from fair_datasets.reader.english.lists import words as class_words
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import Chunk, MentionTable, Reason, SkipCause
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import (
    Candidates,
    Places,
    TokenBatch,
    among,
    distinct,
)
from fair_datasets.reader.matching.token_refs import HERE
from fair_datasets.reader.names.given_names import known, share_of_women
from fair_datasets.swap.directions import AxisRows, RowTargets
from fair_datasets.swap.whole_rows import are_own_names, skip_mentions

# Within how many words behind a name a pronoun may be its person's.
_FAR = 50
# At which share of women or men a pronoun is hardly about somebody of that name.
_UNLIKELY = 0.03
# How far from a name a part of it may be.
_BEHIND = 3
# What stands before the name of a place or a thing rather than of somebody.
_IS_PLACED = ~HERE.is_first & (HERE - 1).is_word(
    "a", "across", "an", "at", "between", "from", "her", "his", "in", "inside", "into", "its",
    "near", "of", "on", "our", "outside", "that", "the", "their", "this", "via", "your",
)  # fmt: skip
# What stands between a name and a noun that says who it is, and in how many words; and within how
# many words of somebody who is addressed such a noun stands.
_SAYS_WHO = frozenset({"are", "as", "became", "becomes", "is", "s", "was", "were"})
_NAMES, _REACH, _CALL = frozenset({"are", "called", "is", "named", "was", "were"}), 4, 12
# Letters of other alphabets than the Latin one, with the marks of vowels; and within how many signs
# of such a word a noun says who it is.
_FOREIGN = re.compile(
    r"[^\W\d_\u0041-\u024f\u1e00-\u1eff][^\s\u0000-\u024f\u1e00-\u1eff\u2000-\u206f]+"
)
_AROUND = 16
# What repeats a name: an address, a handle, a tag, a path or the name of a file.
_SIGNS = frozenset("@#/\\_")
_MAY_REPEAT = HERE.sign_that(lambda sign: not _SIGNS.isdisjoint(sign)) | (
    HERE.sign(".") & (HERE.is_word(*class_words("file_names")) | (HERE - 1).is_word("www"))
)
_ENDINGS = "|".join(sorted(class_words("file_names")))
_REPEATS = re.compile(rf"\S*[@#/\\_]\S*|\bwww\.\S+|[\w.-]+\.(?:{_ENDINGS})\b", re.IGNORECASE)
_SHORTEST = 3


def named_people(mentions: MentionTable, people: Sequence[str]) -> Iterator[int]:
    """Give the places of names that stay: of protected people, and phrases as "Mother Teresa"."""
    yield from mentions.firsts[mentions.reasons == Reason.PROTECTED_NAME].tolist()
    rows, words = (mentions.reasons == Reason.PHRASE).nonzero()[0], mentions.words
    names = _in_small_letters(tuple(people)) if len(rows) else frozenset()
    for first, last in zip(
        mentions.firsts[rows].tolist(), mentions.lasts[rows].tolist(), strict=True
    ):
        if words.joined[words.start[first] : words.end[last]].lower() in names:
            yield first


@lru_cache
def _in_small_letters(names: tuple[str, ...]) -> frozenset[str]:
    """Return names in small letters."""
    return frozenset(map(str.lower, names))


def staying_names(mentions: MentionTable, table: TermTable) -> list[int]:
    """Give the places where a name of one's own lexicon is left alone."""
    places: list[int] = mentions.firsts[
        are_own_names(mentions, table) & ~mentions.is_mention
    ].tolist()
    return places


def half_changed(
    chunk: Chunk, names: Places, table: TermTable, becomes: Callable[[int, str], str]
) -> Iterator[int]:
    """Give the rows where a word changes that goes with a name which stays.

    Nobody else of its gender is told of before the word, or it stands beside the name: "my sister
    Xyla", "Xyla was a waitress".

    Args:
        names: The places of words that may be somebody's name, and stay. Shape (N,).
        becomes: Says what an attribute becomes in a row, by its number.

    Yields:
        The number of each such row.
    """
    spans, words = chunk.mentions, chunk.mentions.words
    names = names[~Candidates(words, names).holds(_IS_PLACED)] if len(names) else names
    owner, foreign = words.owner[names], _foreign_letters(words) if len(words.beyond) else {}
    if not (len(names) or foreign):
        return
    mentions = (spans.is_mention & spans.is_on(table.axis)).nonzero()[0]
    texts = np.array(sorted({*owner.tolist(), *foreign}), np.int64)
    bounds = [
        several.searchsorted(texts, side).tolist()
        for several in (spans.texts[mentions], owner)
        for side in ("left", "right")
    ]
    for text, begin, end, first, last in zip(texts.tolist(), *bounds, strict=True):
        row, own = int(chunk.row_of[text]), names[first:last].tolist()
        gendered = _first_gendered(spans, mentions[begin:end].tolist(), partial(becomes, row))
        if any(_goes_with(spans, each, own, foreign.get(text, ())) for each in gendered):
            yield row


def beside_parts(
    chunk: Chunk, parts: Places, table: TermTable, becomes: Callable[[int, str], str]
) -> Iterator[int]:
    """Give the rows where a name changes, and a part that tells the gender stays: "Maria Ivanova".

    Args:
        parts: The places of such parts. Shape (N,).
        becomes: Says what an attribute becomes in a row, by its number.

    Yields:
        The number of each such row.
    """
    mentions = chunk.mentions
    is_name = (
        mentions.is_mention & mentions.is_on(table.axis) & mentions.terms.is_name[mentions.readings]
    )
    names = is_name.nonzero()[0]
    for part in parts.tolist():
        near = slice(*np.searchsorted(mentions.firsts[names], [part - _BEHIND, part + _BEHIND + 1]))
        for name in names[near].tolist():
            text = int(mentions.texts[name])
            row = int(chunk.row_of[text])
            attribute = mentions.terms.readings[mentions.readings[name]].attribute
            first, last = int(mentions.firsts[name]), int(mentions.lasts[name])
            is_one = mentions.words.owner[part] == text
            is_one = is_one and _is_one_name(mentions.words, part, first, last)
            if is_one and becomes(row, attribute) != attribute:
                yield row


def _is_one_name(words: TokenBatch, part: int, first: int, last: int) -> bool:
    """Whether a name and a part are of one person: "Maria Sharapova", "Ali bin Hassan"."""
    begin, end = min(part, last), max(part, first)
    is_joined = all(_sign(words, place) in (" ", ". ") for place in range(begin + 1, end + 1))
    between = [place for place in range(begin + 1, end) if place != part - 1]
    return is_joined and bool(words.is_capital(np.array(between, np.int64)).all())


def _first_gendered(
    spans: MentionTable, mentions: Sequence[int], becomes: Callable[[str], str]
) -> Iterator[int]:
    """Give the first mention of each gender in a text, where it is no name and changes."""
    met: set[str] = set()
    for mention in mentions:
        term = spans.terms.readings[spans.readings[mention]]
        is_first = term.attribute not in met and not term.is_name
        if is_first and becomes(term.attribute) != term.attribute:
            yield mention
        met.add(term.attribute)


def _goes_with(
    mentions: MentionTable, mention: int, names: Sequence[int], foreign: Sequence[tuple[int, int]]
) -> bool:
    """Whether a mention may be about somebody who bears one of some names."""
    words, first, last = mentions.words, int(mentions.firsts[mention]), int(mentions.lasts[mention])
    term = mentions.terms.readings[mentions.readings[mention]]
    start, end = int(words.start[first]), int(words.end[last])
    if term.entry.kind != "pronoun":
        return any(_is_beside(words, first, last, name) for name in names) or any(
            before - end == 1 or 0 < start - behind < _AROUND for before, behind in foreign
        )
    if any(before < start for before, _ in foreign):
        return True
    return any(
        (name < first < name + _FAR or _is_named(words, last, name) or _opens(words, last, name))
        and _may_be(without_accents(words.lower(name)), term.attribute)
        for name in names
    )


def _may_be(name: str, gender: str) -> bool:
    """Whether somebody of a name may be a woman or a man, by what is known of it."""
    share, figures = share_of_women(name), known(name)
    if figures is None or not figures.counts[1]:
        return True
    return (share if gender == "woman" else 1 - share) > _UNLIKELY


def _is_beside(words: TokenBatch, first: int, last: int, name: int) -> bool:
    """Whether a noun says who somebody is: "my sister Xyla", "Xyla is a waitress"."""
    if name > last:
        return _is_named(words, last, name)
    if first < name + _CALL and _is_called(words, name):
        end = min(last + _REACH, int(words.first[words.owner[name] + 1]))
        if any(words.lower(place) == "you" for place in range(name + 1, end)):
            return True
    behind = name + 1
    while behind < first and (words.is_capital(np.array([behind]))[0] or _goes_on(words, behind)):
        behind += 1
    sign = _sign(words, behind)
    is_speaker = sign == ", " or (sign == " " and words.lower(behind) in _SAYS_WHO)
    return is_speaker and 0 < first - behind < _REACH


def _goes_on(words: TokenBatch, place: int) -> bool:
    """Whether a list of names goes on: "Xyla and Ylvie are sisters"."""
    return words.lower(place) == "and" and bool(words.is_capital(np.array([place + 1]))[0])


def _is_named(words: TokenBatch, last: int, name: int) -> bool:
    """Whether somebody's name follows: "my sister Xyla", "the waiter, Xyla," "a girl is Xyla"."""
    if name <= last:
        return False
    if name == last + 1:
        sign = _sign(words, name)
        return sign == " " or (sign == ", " and _sign(words, name + 1).startswith(","))
    return name - last <= _REACH and words.lower(name - 1) in _NAMES


def _opens(words: TokenBatch, last: int, name: int) -> bool:
    """Whether a pronoun stands in a phrase before its subject: "In her youth, Xyla sang"."""
    place = last
    if not last < name < last + _CALL or _sign(words, name) != ", ":
        return False
    while _sign(words, place) == " ":
        place -= 1
    between = range(last + 1, name)
    return words.lower(place) in class_words("before_insertion") and all(
        _sign(words, k) == " " for k in between
    )


def _is_called(words: TokenBatch, name: int) -> bool:
    """Whether somebody is addressed by a name: "Thanks, Xyla!", "Xyla, you are ..."."""
    before, behind = _sign(words, name), _sign(words, name + 1)
    is_first = name == words.first[words.owner[name]] or before.endswith("\n")
    return (is_first or before.startswith(",")) and behind[:1] in ("!", ",", "?", ".", "")


def _sign(words: TokenBatch, place: int) -> str:
    """Return what lies before a word."""
    return words.signs.text(int(words.sign[place]))


def _foreign_letters(words: TokenBatch) -> dict[int, list[tuple[int, int]]]:
    """Return the texts with words in letters of other alphabets, and where these stand."""
    foreign: dict[int, list[tuple[int, int]]] = {}
    texts = distinct(words.offset.searchsorted(words.beyond, side="right") - 1)
    for text in texts.tolist():
        start, written = int(words.offset[text]), words.texts[text]
        for word in _FOREIGN.finditer(written):
            if not word[0][0].islower():
                foreign.setdefault(text, []).append((start + word.start(), start + word.end()))
    return foreign


def skip_repeated_names(chunk: Chunk, targets: RowTargets, table: TermTable) -> Chunk:
    """Leave rows alone where a name would change that an address, a handle or a path repeats."""
    mentions, words = chunk.mentions, chunk.mentions.words
    is_name = (
        mentions.is_mention & mentions.is_on(table.axis) & mentions.terms.is_name[mentions.readings]
    )
    if not is_name.any():
        return chunk
    row_of = chunk.row_of[mentions.texts]
    is_asked = np.append(among(chunk.row_of, row_of[is_name]), False)
    places = (is_asked[words.owner] & ~words.is_end).nonzero()[0]
    places = places[Candidates(words, places).holds(_MAY_REPEAT)]
    repeating = distinct(words.owner[places]).tolist()
    is_name &= among(row_of, chunk.row_of[repeating])
    if not is_name.any():
        return chunk
    rows = AxisRows.of(chunk, targets, table)
    names: dict[int, dict[str, None]] = {}
    for mention, row, term in rows.each(is_name.nonzero()[0]):
        if rows.changes(row, term.attribute):
            names.setdefault(row, {})[rows.text(mention).lower()] = None
    skipped = {}
    for number in repeating:
        row = int(chunk.row_of[number])
        for repeat in _REPEATS.finditer(words.texts[number]) if row in names else ():
            for name in names[row]:
                if len(name) >= _SHORTEST and name in repeat[0].lower():
                    skipped[row] = SkipCause(Reason.NAMED, f"{name!r} in {repeat[0]!r}")
    return skip_mentions(chunk, skipped, table.axis)
