"""First names that people of both genders bear, where the text states the other gender.

"My brother Andrea" is a man, whatever most people are who are called so in the USA.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.language import Language
from fair_datasets.reader.matching.mentions import CandidateTable, Reason, Rows
from fair_datasets.reader.matching.token_batch import Mask, TokenBatch, among

_GENDERS = ("man", "woman")
# What stands between a name and a noun that says who it is, and in how many words at most.
_SAYS_WHO, _REACH = frozenset({"became", "becomes", "is", "was"}), 4

# The cases of pronouns that go with the subject before them, and within how many words.
_OF_SUBJECT, _FAR = frozenset({"subject", "determiner", "reflexive"}), 20


class _GenderedMention(NamedTuple):
    """A mention of a row: its candidate, its first and last word, its gender and its kind."""

    row: int
    first: int
    last: int
    gender: str
    is_name: bool
    is_pronoun: bool
    is_title: bool


def skip_contradicted_names(
    decisions: CandidateTable, row_of: NDArray[np.int64], language: Language
) -> None:
    """Leave first names alone where a noun, a title or the pronouns state the other gender.

    Args:
        row_of: The row of each text. Shape (T,).
        language: What tells names that people of the other gender bear as well.
    """
    facts, terms = decisions.columns.facts, np.maximum(decisions.terms, 0)
    is_read = (decisions.reasons == None) & (decisions.terms >= 0)  # noqa: E711
    names = (is_read & facts["first name"][terms]).nonzero()[0]
    if not len(names) or not (is_read & ~facts["first name"][terms]).any():
        return
    candidates = decisions.candidates(names)
    often = {*names[candidates.holds(language.either_gender)].tolist()}
    names = names[candidates.holds(language.of_both_genders)]
    rows = row_of[decisions.words.owner[decisions.places]]
    for row in _contradicted(decisions, is_read, rows, names):
        begin, end = rows.searchsorted([row, row + 1]).tolist()
        mentions = [
            _gendered_mentions(decisions, each) for each in range(begin, end) if is_read[each]
        ]
        first, last = names.searchsorted([begin, end]).tolist()
        asked = {*names[first:last].tolist()}
        for rule, reason, skipped in _skipped_names(decisions, mentions, asked, often):
            decisions.leave(np.array(sorted(skipped), np.int64), reason, rule)


def _contradicted(
    decisions: CandidateTable, is_read: Mask, rows: Rows, names: Rows
) -> Iterator[int]:
    """Give the rows, in order, in which what is no name tells another gender than a name."""
    facts, terms = decisions.columns.facts, np.maximum(decisions.terms, 0)
    is_other = is_read & ~facts["name"][terms]
    held = np.zeros(len(names), np.bool_)
    for gender in _GENDERS:
        is_stated = facts[gender][terms]
        held |= among(rows[names], rows[is_other & is_stated]) & ~is_stated[names]
    yield from dict.fromkeys(rows[names[held]].tolist())


def _skipped_names(
    decisions: CandidateTable,
    mentions: Sequence[_GenderedMention],
    asked: set[int],
    often: set[int],
) -> Iterator[tuple[str, Reason, set[int]]]:
    """Give the names of a row that are left alone, by rules and reasons."""
    stated = _beside_others(decisions.words, mentions, asked)
    if stated:
        yield "names.other_noun", Reason.OTHER_GENDER, stated
        return
    others = _by_pronouns(decisions.words, mentions, asked)
    if others and _is_owner(decisions, mentions):
        yield "names.own_pronoun", Reason.OTHER_GENDER, others
    elif all(each.is_name or each.is_pronoun for each in mentions):
        yield "names.other_pronouns", Reason.OTHER_PRONOUNS, others & often


def _gendered_mentions(decisions: CandidateTable, row: int) -> _GenderedMention:
    facts, term = decisions.columns.facts, int(decisions.terms[row])
    gender = next((each for each in _GENDERS if facts[each][term]), "")
    first, last = int(decisions.places[row]), int(decisions.lasts[row])
    is_name, is_pronoun = bool(facts["name"][term]), bool(facts["pronoun"][term])
    is_title = decisions.columns.all.readings[term].entry.kind == "title"
    return _GenderedMention(row, first, last, gender, is_name, is_pronoun, is_title)


def _beside_others(
    words: TokenBatch, mentions: Sequence[_GenderedMention], asked: set[int]
) -> set[int]:
    """Return the names beside which a noun or a title of the other gender says who it is."""
    spelt = {
        words.lower(name.first)
        for place, name in enumerate(mentions)
        if name.row in asked
        for noun in mentions[max(0, place - 1) : place + _REACH]
        if noun.gender not in ("", name.gender)
        and not (noun.is_name or noun.is_pronoun)
        and _says_who(words, name.first, noun)
    }
    # Whoever is called so elsewhere in the row is the same person.
    return {name.row for name in mentions if name.row in asked and words.lower(name.first) in spelt}


def _says_who(words: TokenBatch, name: int, noun: _GenderedMention) -> bool:
    """Whether a noun says who somebody is: "my brother Andrea", "Andrea is a waiter"."""
    behind, end = noun.last + 1, name + 1
    sign = _sign(words, name)
    if name == behind and (sign == " " or (noun.is_title and sign == ". ")):
        return True
    while not words.is_end[end] and words.is_capital(np.array([end]))[0]:
        end += 1
    before, sign = sign, _sign(words, end)
    if name == behind:
        # "My brother, Andrea, left", but "my brother, Andrea, and I".
        is_list = words.lower(end) in ("and", "or") or sign[:1] not in (",", ".", ";", ")")
        return before == ", " and not is_list
    if not 0 < noun.first - end < _REACH:
        return False
    if sign == " ":
        return words.lower(end) in _SAYS_WHO
    # "Andrea, my brother, left", but "Andrea, my brother and I".
    return sign == ", " and _sign(words, behind)[:1] in (",", ".", ";", ")")


def _by_pronouns(
    words: TokenBatch, mentions: Sequence[_GenderedMention], asked: set[int]
) -> set[int]:
    """Return the mentions of the only name of a row whose pronouns are of the other gender."""
    names = [each for each in mentions if each.is_name]
    if len({words.lower(each.first) for each in names}) != 1 or names[0].row not in asked:
        return set()
    own, others = names[0].gender, [each for each in mentions if not each.is_name and each.gender]
    if not others or not others[0].is_pronoun or others[0].gender == own:
        return set()
    # "Andrea called his wife, and she came": she is not Andrea.
    is_other_stated = False
    for each in others:
        is_noun = not each.is_pronoun
        if is_noun and each.gender != own and not is_other_stated:
            return set()
        is_other_stated |= is_noun
        if each.is_pronoun and each.gender == own and not is_other_stated:
            return set()
    return {each.row for each in names}


def _is_owner(decisions: CandidateTable, mentions: Sequence[_GenderedMention]) -> bool:
    """Whether the first pronoun of a row goes with its first name: "Andrea lost his keys".

    It is no object, and nobody else is named between.
    """
    words, (name, pronoun, *_) = decisions.words, (*mentions, None)
    if pronoun is None or not name.is_name or not pronoun.is_pronoun:
        return False
    term = decisions.columns.all.readings[int(decisions.terms[pronoun.row])]
    between = np.arange(name.last + 1, pronoun.first)
    is_joined = np.logical_and.accumulate(words.is_capital(between))
    return (
        words.owner[name.first] == words.owner[pronoun.first]
        and term.entry.inflection in _OF_SUBJECT
        and len(between) < _FAR
        and not words.is_capital(between[~is_joined]).any()
    )


def _sign(words: TokenBatch, place: int) -> str:
    """Return what lies before a word."""
    return words.signs.text(int(words.sign[place]))
