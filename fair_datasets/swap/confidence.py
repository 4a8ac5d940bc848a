"""How likely a row is to be rewritten rightly, by its decisions and by what else is known of it."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from fair_datasets.reader.matching.language import Decision, Language, reliabilities
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import OF_ROW, Chunk, MentionTable, Reason
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.token_batch import Candidates, among
from fair_datasets.reader.names.given_names import log_odds
from fair_datasets.swap.agreement import THEY, pronoun_set
from fair_datasets.swap.directions import RowTargets
from fair_datasets.swap.half_changed import half_changed
from fair_datasets.swap.possible_names import capitals_of, stand_behind
from fair_datasets.system.checks import invalid

AGREEMENT = "swap.agreement"
"""The rule that finds the verbs of "they"."""
# Below which log odds a word is hardly ever a first name: a surname that many bear.
_SURNAME = -6.0
# The parts that a confidence is told in: no figure is known better.
_PARTS = 10_000
# What is left alone as it is no prose, or as the user wishes, says nothing of what is rewritten.
_ASIDE = frozenset({
    Reason.OTHER_LANGUAGE, Reason.PROTECTED_TEXT, Reason.PART_OF_WORD, Reason.PROTECTED_NAME,
})  # fmt: skip

# Axes of which the surest rows that were read are wrong as often as the others; see
# `tests/benchmarks/row_readings.py`.
_UNRANKED = frozenset({"orientation", "race"})
# Kinds of words of which a tag of people says nothing.
_NO_PEOPLE = frozenset({"pronoun", "faith", "place of worship", "scripture"})

# What was decided of which word, to how likely it is to be right.
Shares = dict[tuple[object, ...], float]


class _Asked(NamedTuple):
    """A candidate whose attribute is rewritten in its row, and what the attribute becomes."""

    number: int
    row: int
    term: Term
    target: str


def confidences(
    several: Sequence[Chunk],
    targets: RowTargets,
    tables: Sequence[TermTable],
    pronouns: str = "they",
) -> dict[int, float]:
    """Return how likely it is that each row is rewritten rightly.

    Args:
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number.

    Returns:
        The number of each row in which something is rewritten to its confidence, from 0 to 1.
    """
    parts: dict[int, list[float]] = defaultdict(list)
    capitals: Counter[int] = Counter()
    for chunk in several:
        capitals.update(_capitals(chunk))
    asked = [(chunk.mentions, list(_asked(chunk, targets))) for chunk in several]
    for table in tables:
        shares: dict[int, Shares] = defaultdict(dict)
        people: dict[int, float] = {}
        names: Counter[int] = Counter()
        becomes = partial(_becomes, targets, table.axis)
        for chunk, (mentions, every) in zip(several, asked, strict=True):
            own = [each for each in every if each.term.axis == table.axis]
            _add_shares(shares, mentions, own, table.language, pronouns)
            _add_people(people, mentions, own, table.language)
            names.update(_names_that_stay(chunk, own, table, becomes))
        for row, least in people.items():
            share = combined(shares[row].values())
            if table.language.reliability is not None:
                known = table.language.reliability()
                share = known.of_row(table.axis, share, least, capitals[row], names[row])
            parts[row].append(share)
    return {row: combined(own) for row, own in parts.items()}


def refuse_unranked(axes: Iterable[str]) -> None:
    """Raise where a threshold would leave rows alone that are wrong no more often than others."""
    for axis in axes:
        if axis in _UNRANKED:
            raise invalid(
                f"min_confidence does not help on {axis}, where rows with a high "
                f"confidence are wrong as often as other rows; leave min_confidence out, or leave "
                f"out the axis {axis!r}."
            )


def combined(shares: Iterable[float]) -> float:
    """Return how likely it is that all of several decisions are right.

    Returns:
        Their product, cut off behind four decimals, as none is certain; 1 where there are none.
    """
    # In one order, so that the same decisions have the same product.
    return math.floor(math.prod(sorted(shares)) * _PARTS) / _PARTS


def _becomes(targets: RowTargets, axis: str, row: int, attribute: str) -> str:
    """Return what an attribute becomes in a row."""
    own = targets(row) if callable(targets) else targets
    return own.get((axis, attribute), attribute)


def _asked(chunk: Chunk, targets: RowTargets) -> Iterator[_Asked]:
    """Give the candidates that a counterfactual rests on: of attributes that become others."""
    mentions = chunk.mentions
    columns = (
        chunk.row_of[mentions.texts].tolist(),
        mentions.readings.tolist(),
        mentions.reasons.tolist(),
        mentions.rules.tolist(),
    )
    for number, (row, reading, reason, rule) in enumerate(zip(*columns, strict=True)):
        if reason in _ASIDE or reading < 0 or rule.startswith(OF_ROW):
            continue
        term = mentions.terms.readings[reading]
        target = _becomes(targets, term.axis, row, term.attribute)
        if target != term.attribute and (reason or term.entry.forms.get(target)):
            yield _Asked(number, row, term, target)


def _add_shares(
    shares: dict[int, Shares],
    mentions: MentionTable,
    asked: Sequence[_Asked],
    language: Language,
    pronouns: str,
) -> None:
    """Add by row how likely the decisions on an axis are to be right."""
    numbers = np.array([each.number for each in asked], np.int64)
    likely = reliabilities(mentions, numbers, language).tolist()
    words = mentions.words
    starts = words.start[mentions.firsts[numbers]].tolist()
    ends = words.end[mentions.lasts[numbers]].tolist()
    is_read = mentions.is_mention[numbers].tolist()
    for each, share, start, end, held in zip(asked, likely, starts, ends, is_read, strict=True):
        word, rule = words.joined[start:end].lower(), mentions.rules[each.number]
        of_row = shares[each.row]
        key = (each.term.axis, rule, word, held)
        of_row[key] = min(share, of_row.get(key, share))
        if held:
            of_row |= _written(each, language, pronouns, len(of_row))


def _add_people(
    people: dict[int, float], mentions: MentionTable, asked: Sequence[_Asked], language: Language
) -> None:
    """Add by row how likely the least likely mention that changes is to name people."""
    own = [each for each in asked if mentions.is_mention[each.number]]
    shares = np.ones(len(own))
    asks = [place for place, each in enumerate(own) if each.term.entry.kind not in _NO_PEOPLE]
    if language.tags is not None and asks:
        lasts = mentions.lasts[[own[place].number for place in asks]]
        shares[asks] = language.tags.people(mentions.words, lasts)
    for each, share in zip(own, shares.tolist(), strict=True):
        people[each.row] = min(share, people.get(each.row, 1.0))


def _names_that_stay(
    chunk: Chunk, asked: Sequence[_Asked], table: TermTable, becomes: Callable[[int, str], str]
) -> Mapping[int, int]:
    """Count the rows of texts in which a pronoun changes that may go with a name which stays."""
    mentions = chunk.mentions
    changes = [each for each in asked if mentions.is_mention[each.number]]
    rows = {each.row for each in changes if each.term.entry.kind == "pronoun"}
    if not rows:
        return {}
    words, places = mentions.words, capitals_of(chunk, sorted(rows))
    places = places[Candidates(words, places).holds(table.language.unlisted_name)]
    places = places[~stand_behind(words, places, table.language)]
    numbers = [each.number for each in changes]
    spans = zip(mentions.firsts[numbers].tolist(), mentions.lasts[numbers].tolist(), strict=True)
    written = [place for first, last in spans for place in range(first, last + 1)]
    places = places[~among(places, written)]
    rare = [
        not log_odds(without_accents(words.lower(place))) < _SURNAME for place in places.tolist()
    ]
    return Counter(half_changed(chunk, places[np.array(rare, np.bool_)], table, becomes))


def _capitals(chunk: Chunk) -> Mapping[int, int]:
    """Count the capitalised words of each row."""
    words = chunk.mentions.words
    is_capital = words.is_capital(np.arange(len(words))) & ~words.is_end
    rows, counts = np.unique(chunk.row_of[words.owner[is_capital]], return_counts=True)
    return dict(zip(rows.tolist(), counts.tolist(), strict=True))


def _written(asked: _Asked, language: Language, pronouns: str, known_before: int) -> Shares:
    """Return how likely it is that what is written for a mention fits.

    Each subject has verbs of its own, which are told apart by how much was known before.
    """
    if language.reliability is None:
        return {}
    known, (_, _, term, target) = language.reliability(), asked
    form = Decision(term.axis, f"swap.{target}", term.entry.kind, True)
    shares: Shares = {form: known.of(form)} if known.knows(form) else {}
    is_they = term.entry.forms[target][0].text in THEY and term.entry.inflection == "subject"
    if is_they and term.entry.kind == "pronoun" and pronoun_set(pronouns).verbs_are_plural:
        verbs = Decision(term.axis, AGREEMENT, "", True)
        shares[(*verbs, known_before)] = known.of(verbs)
    return shares
