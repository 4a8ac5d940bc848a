"""Reading the rows of a batch: all their candidates are decided at once."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching import name_rules, sense_rules, surname_rules, usage_rules
from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.pronoun_rules import HER, HIS
from fair_datasets.matching.protected import ProtectedText, may_hold_code
from fair_datasets.matching.quote_rules import IN_QUOTED_TITLE
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.rules import ALWAYS, HERE, NEXT, BEFORE, Candidates, Rule, deciding, fact
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.term_columns import TermColumns
from fair_datasets.matching.tokens import _BREAKS, _INSIDE, _SIGILS, _is_mark
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

_CHUNK = 1 << 19


def _is_clear_before(sign: str) -> bool:
    return sign == "" or sign[-1] in ' "'


def _is_clear_behind(sign: str) -> bool:
    return sign == "" or sign[0] in " \"'" or (sign[0] in ".,;:!" and sign[1:2] == " ")


def _is_clear_end(sign: str) -> bool:
    return sign == "" or sign[0] in " \"'" or (sign[0] in ".,;:!" and sign[1:2] in ("", " "))


def _is_blank(sign): return sign == " "
def _parts_before(sign): return sign in _INSIDE
def _divides(sign): return sign in _BREAKS
def _marks_before(sign): return sign[-1:] in _SIGILS or (sign != "" and _is_mark(sign[-1:]))
def _marks_behind(sign): return sign != "" and _is_mark(sign[:1])

IS_CLEAR = (
    HERE.sign_that(_is_clear_before)
    & (NEXT.sign_that(_is_clear_behind) | (~NEXT.is_there & NEXT.sign_that(_is_clear_end)))
)
_IS_PART = (
    (~HERE.is_first & HERE.sign_that(_parts_before) & (~HERE.sign("/") | BEFORE.is_word("s")))
    | (NEXT.is_there & NEXT.sign("_"))
    | HERE.sign_that(_divides) | NEXT.sign_that(_divides)
    | HERE.sign_that(_marks_before) | NEXT.sign_that(_marks_behind)
)
IS_ALONE = (HERE.sign(" ") & NEXT.sign(" ")) | ~_IS_PART

_SPAN_FACTS = ("ends name",)


def found_in(
    rows: Sequence[Sequence[str | None]], table: TermTable, columns: TermColumns
) -> Iterator[tuple[int, list[Reading | None]]]:
    """Find the mentions of one axis in those of many rows that have any word of the table."""
    sizes = [sum(len(text) for text in row if text) for row in rows]
    cuts = np.flatnonzero(np.diff(np.cumsum(np.array(sizes, np.int64)) // _CHUNK)) + 1
    for first, last in pairwise([0, *cuts.tolist(), len(rows)]):
        texts: list[str] = []
        owners: list[tuple[int, int]] = []
        for number in range(first, last):
            for which, text in enumerate(rows[number]):
                if text:
                    texts.append(text)
                    owners.append((number, which))
        if texts:
            yield from _read(texts, owners, rows, table, columns)


def _read(texts, owners, rows, table, columns):
    words = Words(texts)
    row_of = np.array([number for number, _ in owners], np.int64)
    places, terms, reasons, consumed = _decided(words, row_of, table, columns)
    by_text: dict[int, tuple[list[Mention], list]] = {}
    owner = words.owner[places]
    index = places - words.first[owner]
    found: dict[int, list[Reading | None]] = {}
    tokens = {}
    for text, at, term, reason in zip(owner.tolist(), index.tolist(), terms.tolist(), reasons, strict=True):
        mentions, left = by_text.setdefault(text, ([], []))
        if reason is None:
            mentions.append(Mention(at, at, columns.terms[term]))
        else:
            left.append((at, at, reason))
    for text, first, last, verdict in consumed:
        mentions, left = by_text.setdefault(text, ([], []))
        if isinstance(verdict, Reason):
            left.append((first, last, verdict))
        else:
            mentions.append(Mention(first, last, verdict))
            mentions.sort(key=lambda m: m.first)
    for text in sorted(by_text):
        number, which = owners[text]
        readings = found.setdefault(number, [None] * len(rows[number]))
        readings[which] = Reading(words.tokens(text), *by_text[text])
    yield from found.items()


NAME, LISTED_SURNAME, PRONOUN, CAPITALISED = map(fact, ("name", "listed surname", "pronoun", "capitalised"))
PERSON, SURNAME, TITLE, VERB, THING = map(fact, ("person", "surname", "title", "verb", "thing"))
ENDS_NAME = fact("ends name")
TERMS: tuple[Rule, ...] = (
    Rule("terms.hyphenated", Reason.HYPHENATED, PRONOUN & surname_rules.IS_HYPHENATED),
    Rule("terms.pronoun", None, PRONOUN),
    Rule("terms.small", Reason.LOWER_CASE, CAPITALISED & ~HERE.is_capital),
    Rule("terms.surname", Reason.SURNAME, HERE.is_capital & (surname_rules.IS_SURNAME | ENDS_NAME)),
    Rule("terms.in_name", Reason.SURNAME, SURNAME & HERE.is_capital & surname_rules.IS_IN_NAME),
    Rule("terms.no_title", Reason.NOT_A_TITLE, TITLE & ~sense_rules.IS_TITLE),
    Rule("terms.verb", Reason.VERB, VERB & sense_rules.said(sense_rules.VERB)),
    Rule("terms.thing", Reason.THING, THING & ~sense_rules.said(sense_rules.PERSON)),
    Rule("terms.read", None, ALWAYS),
)


def _hits(words: Words, table: TermTable, columns: TermColumns) -> Places:
    kinds = columns.kinds[words.number]
    hits = np.flatnonzero(kinds)
    return hits[(kinds[hits] == 2) | words.is_capital(hits)]


def _decided(words, row_of, table, columns):
    hits = _hits(words, table, columns)
    reasons = np.full(len(hits), None, object)
    near = Candidates(words, hits)
    is_clear = near.holds(IS_CLEAR)
    may_be_code = np.array([may_hold_code(text) for text in words.texts])[words.owner[hits]]
    asked = np.flatnonzero(~is_clear | may_be_code)
    protected: dict[int, ProtectedText] = {}
    for j, text, start in zip(asked.tolist(), words.owner[hits[asked]].tolist(), words.start[hits[asked]].tolist(), strict=True):
        if text not in protected:
            protected[text] = ProtectedText(words.texts[text])
        if protected[text].covers(start - int(words.offset[text])):
            reasons[j] = Reason.PROTECTED_TEXT
    is_open = np.equal(reasons, None)
    reasons[is_open & ~near.holds(IS_ALONE)] = Reason.PART_OF_WORD
    is_open = np.equal(reasons, None)
    reasons[is_open & near.holds(IN_QUOTED_TITLE)] = Reason.TITLE
    is_open = np.equal(reasons, None)
    # phrases
    consumed, covered, protected_names = _phrases(words, hits, is_open, table, columns)
    keep = ~covered
    usual = columns.usual[words.number[hits]]
    keep &= (usual >= 0) | ~is_open
    hits, reasons, is_open, usual = hits[keep], reasons[keep], is_open[keep], usual[keep]
    terms = usual.copy()
    is_name = is_open & (usual >= 0) & (columns.facts["name"][usual] | columns.facts["listed surname"][usual])
    sure, name_verdict = _names(words, hits, usual, is_name, columns, table)
    if is_name.any():
        _settle(words, row_of, hits, is_name, sure, name_verdict, reasons, protected_names)
    others = np.flatnonzero(is_open & ~is_name & (usual >= 0))
    _terms(words, hits, others, terms, reasons, columns, sure, name_verdict, is_name)
    return hits, terms, reasons, consumed


def _names(words, hits, usual, is_name, columns, table):
    """Return which names are sure, and the verdicts (0 none, 1 accept, 2 unsure, 3 reject)."""
    verdicts = np.zeros(len(hits), np.int8)
    firsts = np.flatnonzero(is_name & columns.facts["name"][usual])
    if len(firsts):
        facts = {name: column[usual[firsts]] for name, column in columns.facts.items()}
        code = {name_rules.ACCEPT: 1, name_rules.UNSURE: 2, name_rules.REJECT: 3}
        codes = np.array([code[rule.verdict] for rule in name_rules.RULES], np.int8)
        places = hits[firsts]
        follows = np.zeros(len(firsts), np.bool_)
        # The candidate before, if it is the word before.
        is_next = np.zeros(len(firsts), np.bool_)
        is_next[1:] = (places[1:] == places[:-1] + 1) & (words.owner[places[1:]] == words.owner[places[:-1]])
        found = Candidates(words, places, {**facts, "follows a name": follows})
        own = codes[deciding(name_rules.RULES, found)]
        chained = np.flatnonzero(is_next)
        if len(chained):
            behind = Candidates(words, places[chained], {**{n: c[chained] for n, c in facts.items()}, "follows a name": np.ones(len(chained), np.bool_)})
            other = codes[deciding(name_rules.RULES, behind)]
            for j, verdict in zip(chained.tolist(), other.tolist(), strict=True):
                if own[j - 1] != 3:
                    own[j] = verdict
        verdicts[firsts] = own
    surnames = np.flatnonzero(is_name & columns.facts["listed surname"][usual])
    if len(surnames):
        found = Candidates(words, hits[surnames])
        is_sure = found.holds(surname_rules.IS_SURNAME) | found.holds(columns.follows_given)
        verdicts[surnames] = np.where(is_sure, 1, 2)
    return verdicts == 1, verdicts


def _settle(words, row_of, hits, is_name, sure, verdicts, reasons, protected_names):
    asked = np.flatnonzero(is_name)
    rejected = asked[verdicts[asked] == 3]
    reasons[rejected] = Reason.NOT_A_NAME
    rows = row_of[words.owner[hits]]
    keys = rows * len(vocabulary()) + words.number[hits]
    sure_keys = np.unique(keys[sure])
    unsure = asked[verdicts[asked] == 2]
    if len(unsure):
        reasons[unsure[~np.isin(keys[unsure], sure_keys)]] = Reason.UNSURE_NAME
    if protected_names:
        for j in asked[verdicts[asked] < 3].tolist():
            if words.lower(hits[j]) in protected_names.get(int(rows[j]), ()):
                reasons[j] = Reason.PROTECTED_NAME


def _terms(words, hits, others, terms, reasons, columns, sure, verdicts, is_name):
    if not len(others):
        return
    from fair_datasets.matching.people.usage import how_used
    from fair_datasets.matching.pronouns import her_is_determiner, his_is_possessive

    places = hits[others]
    usual = terms[others]
    found = Candidates(words, places)
    numbers = words.number[places]
    chosen = usual.copy()
    is_chosen = np.zeros(len(others), np.bool_)
    has_title = columns.title[numbers] >= 0
    if has_title.any():
        is_title = has_title & found.holds(sense_rules.IS_TITLE)
        chosen[is_title] = columns.title[numbers[is_title]]
        is_chosen |= is_title
    tokens = {}
    def text(j):
        owner = int(words.owner[places[j]])
        if owner not in tokens: tokens[owner] = words.tokens(owner)
        return tokens[owner], int(places[j] - words.first[owner])
    none = np.full(len(columns.usual), -1)
    case = {name: columns.cases.get(name, none)[numbers] for name in ("object", "determiner", "possessive", "adjective")}
    her = (case["object"] >= 0) & (case["determiner"] >= 0) & ~is_chosen
    asked = np.flatnonzero(her)
    if len(asked):
        yes = np.array([r.verdict for r in HER])[deciding(HER, Candidates(words, places[asked]))]
        chosen[asked] = np.where(yes, case["determiner"][asked], case["object"][asked])
    is_chosen |= her
    his = (case["possessive"] >= 0) & (case["determiner"] >= 0) & ~is_chosen
    asked = np.flatnonzero(his)
    if len(asked):
        yes = np.array([r.verdict for r in HIS])[deciding(HIS, Candidates(words, places[asked]))]
        chosen[asked] = np.where(yes, case["possessive"][asked], case["determiner"][asked])
    is_chosen |= his
    used = ~is_chosen & (columns.facts["person"][usual] | (case["adjective"] >= 0))
    asked = np.flatnonzero(used)
    if len(asked):
        is_small = columns.facts["capitalised"][usual[asked]] & ~words.is_capital(places[asked])
        reasons[others[asked[is_small]]] = Reason.LOWER_CASE
        asked = asked[~is_small]
        reason, chosen[asked] = _used(words, places[asked], places[asked], usual[asked], numbers[asked], columns)
        reasons[others[asked]] = reason
    terms[others] = chosen
    open_ = np.equal(reasons[others], None)
    others, places, chosen = others[open_], places[open_], chosen[open_]
    ends = np.zeros(len(others), np.bool_)
    before = np.maximum(others - 1, 0)
    is_behind = (others > 0) & (hits[before] == places - 1) & is_name[before] & (verdicts[before] != 3)
    is_behind &= words.owner[hits[before]] == words.owner[places]
    facts = {name: column[chosen] for name, column in columns.facts.items()}
    found = Candidates(words, places, facts)
    if is_behind.any():
        # sure: that name, anywhere so far in the row
        is_behind &= sure[before] | columns_sure(words, hits, sure, before)
        ends = is_behind & ~found.holds(_HEADLINE) & found.holds(surname_rules.MAY_END_NAME)
    found.facts = {**facts, "ends name": ends}
    reasons[others] = _VERDICTS[deciding(TERMS, found)]


_USES = ("", "adjective", "singular", "plural")
_USE = np.array([_USES.index(rule.verdict) for rule in usage_rules.USED], np.int8)


def _used(words, firsts, lasts, usual, numbers, columns):
    found = Candidates(words, firsts, lasts=lasts)
    uses = _USE[deciding(usage_rules.USED, found)]
    chosen = usual.copy()
    for code, use in enumerate(_USES[1:], 1):
        if use in columns.cases:
            mine = uses == code
            of_use = columns.cases[use][numbers[mine]]
            chosen[mine] = np.where(of_use >= 0, of_use, usual[mine])
    reasons = np.full(len(firsts), None, object)
    reasons[uses == 0] = Reason.NOT_PEOPLE
    return reasons, chosen


def columns_sure(words, hits, sure, before):
    keys = words.owner[hits] * len(vocabulary()) + words.number[hits]
    return np.isin(keys[before], np.unique(keys[sure]))


_VERDICTS = np.array([rule.verdict for rule in TERMS], object)
from fair_datasets.matching.shapes import IN_HEADLINE as _HEADLINE  # noqa


def _phrases(words, hits, is_open, table, columns):
    """Return phrases read: (text, first, last, term or reason); and which hits they cover."""
    consumed = []
    covered = np.zeros(len(hits), np.bool_)
    protected: dict[int, set[str]] = {}
    numbers = words.number
    v = len(columns.usual)
    maybe = np.flatnonzero(is_open & columns.is_partner[numbers[hits]])
    if not len(maybe):
        return consumed, covered, protected
    at = hits[maybe]
    # a word before and one behind, within the text
    before = numbers[np.maximum(at - 1, 0)].astype(np.int64) * (at > words.first[words.owner[at]])
    behind = numbers[at + 1].astype(np.int64)
    here = numbers[at].astype(np.int64)
    is_pair = np.isin(before * v + here, columns.pairs) | np.isin(here * v + behind, columns.pairs) | columns.is_single[here]
    end = (-1, -1)
    tokens = {}
    from fair_datasets.matching.reader import _stands_alone
    for j in maybe[is_pair].tolist():
        place = int(hits[j]); text = int(words.owner[place]); index = place - int(words.first[text])
        if end[0] == text and index <= end[1]:
            continue
        if text not in tokens: tokens[text] = words.tokens(text)
        t = tokens[text]
        phrase = _phrase_at(t, index, end[1] if end[0] == text else -1, table)
        if phrase is None: continue
        first = index - phrase.anchor
        last = first + len(phrase.words) - 1
        end = (text, last)
        lo = np.searchsorted(hits, words.first[text] + first); hi = np.searchsorted(hits, words.first[text] + last, side="right")
        covered[lo:hi] = True
        if phrase.is_protected:
            verdict = Reason.PROTECTED_NAME
            protected.setdefault(int(text), set()).update(phrase.words)
        elif phrase.readings is None:
            verdict = Reason.PHRASE
        else:
            verdict = _as_used(t, first, last, phrase.readings)
        consumed.append((text, first, last, verdict))
    return consumed, covered, protected


def _as_used(tokens, first, last, readings):
    from fair_datasets.matching.people.usage import how_used
    term = readings.usual
    if "person" not in term.flags and not (readings.cases.keys() & {"adjective"}):
        return term
    if term.is_capitalised and not tokens.is_capitalised(first):
        return Reason.LOWER_CASE
    used = how_used(tokens, first, last)
    if not used:
        return Reason.NOT_PEOPLE
    return readings.cases.get(used, term)


def _phrase_at(tokens, index, end, table):
    from fair_datasets.matching.reader import _stands_alone
    lower, phrases = tokens.lower, table.phrases
    word = lower[index]
    before = lower[index - 1] if index else ""
    behind = lower[index + 1] if index + 1 < len(lower) else ""
    longest = None
    for pair in ((before, word), (word, behind), (word, "")):
        for phrase in phrases.get(pair, ()):
            first = index - phrase.anchor
            if longest is not None and len(phrase.words) <= len(longest.words):
                break
            if first <= end or not phrase.matches(tokens, first):
                continue
            last = first + len(phrase.words) - 1
            if phrase.readings is None or _stands_alone(tokens, first, last):
                longest = phrase
    return longest
