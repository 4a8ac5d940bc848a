"""Rows of which no counterfactual reads true: their mentions are left alone, with the reason.

Whether a word is a mention is told by its neighbours; whether it can be rewritten, by all that the
row says. "Catholics and the Pope" mentions Christians, but there are no Hindus and the Pope.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Chunk, Found
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.terms import Term
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.neutral_rows import left_without_gender
from fair_datasets.swap.row_targets import WrittenRow, is_on, leave, rows_written
from fair_datasets.swap.titled_rows import leave_beside_titles

Numbers = NDArray[np.int64]
# What a group has, by the kinds of the lexicon, whose words are parts of names as well.
_NAMED = frozenset({"clergy", "place of worship", "scripture"})
# As many letters as tell Catholics from Protestants, and no Jew from the Jewish.
_STEM = 3
_WHOLE = "*"
_PEOPLE = frozenset({"person", "man", "woman", "faith"})
# The order of the stages of life; an adult is as old as the young at least.
_STAGES = {"child": 0, "young": 1, "adult": 1, "middle-aged": 2, "senior": 3}


def leave_rows(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, tables: Sequence[TermTable]
) -> Chunk:
    """Leave the mentions alone of rows that cannot be rewritten, and rewrite things with groups.

    Args:
        chunk: The rows with what is found in them.
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number.
        tables: What was looked for.

    Returns:
        The same rows.
    """
    for table in tables:
        chunk = leave_beside_titles(chunk, targets, table)
        if not may_leave(table, targets):
            continue
        found = chunk.found
        if table.axis in table.language.groups:
            found = _with_things(found, chunk.row_of[found.texts], table)
        left = _left(chunk._replace(found=found), targets, table)
        chunk = chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
    return chunk


def may_leave(table: TermTable, targets: Callable[[int], Targets] | Targets) -> bool:
    """Tell whether rows are ever left as a whole along an axis.

    Args:
        table: What is looked for.
        targets: As for `leave_rows`.

    Returns:
        Whether its attributes are groups that are tied to words, or ages; or some people become
        neither of two genders.
    """
    neutral = table.neutral
    is_neutral = bool(neutral) and (callable(targets) or neutral in targets.values())
    return is_neutral or table.axis in table.language.groups or table.reads_ages


def _with_things(found: Found, rows: Numbers, table: TermTable) -> Found:
    """Read "the Jewish faith" as well where the row mentions Jews."""
    keys = rows * len(found.terms.kinds) + found.terms.kind[found.readings]
    is_left = (found.reasons == Reason.NOT_PEOPLE) & is_on(found, table.axis)
    is_left &= np.isin(keys, keys[found.is_mention])
    asked = np.flatnonzero(is_left)
    if not len(asked):
        return found
    candidates = Candidates(found.words, found.firsts[asked], {}, found.lasts[asked])
    things = asked[candidates.holds(table.language.thing)]
    adjectives = _adjectives(found)
    readings = found.readings.copy()
    reasons, rules = found.reasons.copy(), found.rules.copy()
    for thing in things.tolist():
        number = adjectives.get(found.terms.readings[readings[thing]].spelling.lower())
        if number is not None:
            readings[thing], reasons[thing], rules[thing] = number, None, "people.thing_of_group"
    return replace(found, readings=readings, reasons=reasons, rules=rules)


def _adjectives(found: Found) -> Mapping[str, int]:
    """Return the number of each adjective by its spelling, in lower case."""
    notes, key = found.terms.notes, "adjectives"
    if key not in notes:
        notes[key] = {
            term.spelling.lower(): number
            for number, term in enumerate(found.terms.readings)
            if term.entry.inflection == "adjective"
        }
    kept: Mapping[str, int] = notes[key]
    return kept


def _left(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Mapping[int, Reason]:
    """Say which rows are left alone on an axis, and why."""
    found = chunk.found
    of_axis = is_on(found, table.axis)
    mentions = np.flatnonzero(found.is_mention & of_axis)
    if table.axis in table.language.groups:
        # Nobody is tied to a group by a name.
        is_name = np.array([term.is_name for term in found.terms.readings], np.bool_)
        mentions = mentions[~is_name[found.readings[mentions]]]
    rows = rows_written(chunk, mentions, targets, table.axis)
    left: dict[int, Reason] = {}
    if table.axis in table.language.contrasted:
        left |= {
            number: Reason.CONTRAST
            for number, row in rows.items()
            if len(set(row.written.values())) < len(row.written)
        }
        left |= dict.fromkeys(_with_branches(chunk, mentions, rows), Reason.CONTRAST)
    if table.axis in table.language.groups:
        left |= dict.fromkeys(_without_form(chunk, mentions, rows), Reason.TIED)
        left |= dict.fromkeys(_named(chunk, mentions, rows, table), Reason.TIED)
        is_other = (found.reasons == Reason.NOT_PEOPLE) | (found.reasons == Reason.TITLE)
        others = np.flatnonzero(is_other & of_axis)
        others = others[found.rules[others] != "people.name"]
        candidates = Candidates(found.words, found.firsts[others], {}, found.lasts[others])
        for other in others[candidates.holds(table.language.means_group)].tolist():
            number = int(chunk.row_of[found.texts[other]])
            term = found.terms.readings[found.readings[other]]
            if number in rows and term.attribute in rows[number].changed:
                left[number] = Reason.TIED
    neutral = table.neutral
    if neutral:
        becomes = _becomes(chunk, mentions, rows)
        left |= left_without_gender(chunk, mentions, becomes == neutral, table)
    if table.reads_ages:
        left |= dict.fromkeys(_with_false_ages(chunk, mentions, rows, table), Reason.AGES)
    left |= dict.fromkeys(_tied(chunk, mentions, rows, table), Reason.TIED)
    return left


def _becomes(chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]) -> NDArray[Any]:
    """Return what each mention becomes. Shape (M,)."""
    found = chunk.found
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    terms = [found.terms.readings[reading] for reading in found.readings[mentions].tolist()]
    written = [rows[row].written[term.attribute] for row, term in zip(numbers, terms, strict=True)]
    return np.array(written, object)


def _with_branches(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]
) -> Iterator[int]:
    """Give the rows with two branches of one group, such as Catholics and Protestants."""
    found = chunk.found
    branches = _branches(found)
    told: dict[tuple[int, str], set[str]] = defaultdict(set)
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    for number, reading in zip(numbers, found.readings[mentions].tolist(), strict=True):
        if branches[reading]:
            told[number, found.terms.readings[reading].attribute].add(branches[reading])
    for (number, attribute), stems in told.items():
        if len(stems) > 1 and attribute in rows[number].changed:
            yield number


def _branches(found: Found) -> Sequence[str]:
    """Return the branch that each reading names by its first letters; empty where it is no people.

    The whole is what the lexicon writes: "Christian" and "Christianity", but not "Catholic".
    """
    notes, key = found.terms.notes, "branches"
    if key not in notes:
        whole = {
            (term.axis, term.attribute, _stem(form.text))
            for term in found.terms.readings
            for form in term.entry.forms.get(term.attribute, ())[:1]
        }
        notes[key] = [_branch(term, whole) for term in found.terms.readings]
    kept: Sequence[str] = notes[key]
    return kept


def _branch(term: Term, whole: Set[tuple[str, str, str]]) -> str:
    """Return the branch that a reading names."""
    if term.entry.kind not in _PEOPLE:
        return ""
    stem = _stem(term.spelling)
    return _WHOLE if (term.axis, term.attribute, stem) in whole else stem


def _stem(text: str) -> str:
    """Return the letters that "Catholics" and "Catholicism" have in common."""
    return text.split(" ")[-1].lower()[:_STEM]


def _without_form(chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]) -> Iterator[int]:
    """Give the rows in which a group has a word that its counterpart has none for."""
    found = chunk.found
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    for number, reading in zip(numbers, found.readings[mentions].tolist(), strict=True):
        term = found.terms.readings[reading]
        target = rows[number].written[term.attribute]
        if target != term.attribute and not term.entry.forms.get(target):
            yield number


def _named(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[int]:
    """Give the rows in which a group, or what it has, bears a name: "Trinity Church"."""
    found = chunk.found
    is_thing = np.array([term.entry.kind in _NAMED for term in found.terms.readings], np.bool_)
    asked = mentions[found.words.is_capital(found.firsts[mentions])]
    things = is_thing[found.readings[asked]]
    for several, condition in (
        (asked[things], table.language.named),
        (asked[~things], table.language.named_group),
    ):
        candidates = Candidates(found.words, found.firsts[several], {}, found.lasts[several])
        for mention in several[candidates.holds(condition)].tolist():
            number = int(chunk.row_of[found.texts[mention]])
            if found.terms.readings[found.readings[mention]].attribute in rows[number].changed:
                yield number


def _tied(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[int]:
    """Give the rows that another word ties to a group."""
    if table.language.tied is None or not rows:
        return
    words = chunk.found.words
    steps = np.zeros(len(words) + 1, np.int64)
    np.add.at(steps, chunk.found.firsts[mentions], 1)
    np.add.at(steps, chunk.found.lasts[mentions] + 1, -1)
    changed = [number for number, row in rows.items() if row.changed]
    is_asked = np.append(np.isin(chunk.row_of, changed), False)
    is_free = (np.cumsum(steps[:-1]) == 0) & is_asked[words.owner]
    is_group = table.axis in table.language.groups
    for text, attribute, where in table.language.tied(words, table.axis, is_free):
        row = rows.get(int(chunk.row_of[text]))
        if row and attribute in (row.targets if where == "to" else row.both(is_group)):
            yield int(chunk.row_of[text])


def _with_false_ages(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[int]:
    """Give the rows whose ages would be in another order, or contradict what else they say."""
    found = chunk.found
    is_age = np.array([term.entry.kind == "age" for term in found.terms.readings], np.bool_)
    ages = mentions[is_age[found.readings[mentions]]]
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    stages: dict[int, set[str]] = defaultdict(set)
    starts, ends = found.words.start[found.firsts[ages]], found.words.end[found.lasts[ages]]
    for k, age in enumerate(ages.tolist()):
        text = int(found.texts[age])
        begin = int(found.words.offset[text])
        spans[text].append((int(starts[k]) - begin, int(ends[k]) - begin))
        stages[int(chunk.row_of[text])].add(found.terms.readings[found.readings[age]].attribute)
    for number, own in stages.items():
        written = rows[number].written
        in_order = sorted(own, key=_STAGES.__getitem__)
        after = [_STAGES[written[stage]] for stage in in_order]
        if sorted(set(after)) != after:
            yield number
    fits = table.language.ages_fit
    for text in np.unique(found.texts[mentions]).tolist():
        number = int(chunk.row_of[text])
        if fits and rows[number].changed and not fits(found.words.texts[text], spans[text]):
            yield number
