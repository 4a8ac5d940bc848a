"""Rows of which no counterfactual reads true: their mentions are left alone, with the reason.

Whether a word is a mention is told by its neighbours; whether it can be rewritten, by all that the
row says. "Catholics and the Pope" mentions Christians, but there are no Hindus and the Pope.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Cause, Chunk, Found, Reason
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.terms import Term
from fair_datasets.swap.directions import DrawnTargets, Targets
from fair_datasets.swap.neutral_rows import left_without_gender
from fair_datasets.swap.row_targets import WrittenRow, is_on, leave, rows_written
from fair_datasets.swap.tied_rows import beside_others, named, tied
from fair_datasets.swap.titled_rows import leave_beside_titles

Numbers = NDArray[np.int64]
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
            returns them for a row by its number, and draws others where they do not fit.
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
        chunk = chunk._replace(found=found)
        left = _left(chunk, targets, table)
        if left and isinstance(targets, DrawnTargets):
            _, rows = _written(chunk, targets, table)
            mentioned = {row: {*own.written} for row, own in rows.items()}
            again = partial(_left_of, chunk, targets, table)
            left = targets.redraw(left, mentioned, table, again)
        chunk = chunk._replace(found=leave(found, chunk.row_of, left, table.axis))
    return chunk


def _left_of(
    chunk: Chunk, targets: DrawnTargets, table: TermTable, rows: Sequence[int]
) -> Mapping[int, Cause]:
    """Say which of some rows are left alone on an axis, and why."""
    found = chunk.found
    own = found.take(np.isin(chunk.row_of[found.texts], rows))
    return _left(chunk._replace(found=own), targets, table)


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
) -> Mapping[int, Cause]:
    """Say which rows are left alone on an axis, and why."""
    mentions, rows = _written(chunk, targets, table)
    is_group = table.axis in table.language.groups
    causes: list[Iterable[tuple[int, Cause]]] = []
    if table.axis in table.language.contrasted:
        causes += _becoming_one(rows), _with_branches(chunk, mentions, rows)
    if is_group:
        causes += named(chunk, mentions, rows, table), beside_others(chunk, rows, table)
    if neutral := table.neutral:
        becomes = _becomes(chunk, mentions, rows)
        left = left_without_gender(chunk, mentions, becomes == neutral, table)
        causes.append((row, Cause(reason)) for row, reason in left.items())
    if table.reads_ages:
        causes.append(_with_false_ages(chunk, mentions, rows, table))
    causes.append(tied(chunk, mentions, rows, table))
    found_causes: dict[int, Cause] = {}
    for row, cause in chain.from_iterable(causes):
        if row not in found_causes or cause.is_final:
            found_causes[row] = cause
    # What is tied is told rather than what has no form, as it is there for all to see.
    for row, cause in _without_form(chunk, mentions, rows, is_group):
        found_causes.setdefault(row, cause)
    return found_causes


def _written(
    chunk: Chunk, targets: Callable[[int], Targets] | Targets, table: TermTable
) -> tuple[Numbers, Mapping[int, WrittenRow]]:
    """Return the mentions of an axis by which rows are left, and what becomes of each row's."""
    found = chunk.found
    mentions = np.flatnonzero(found.is_mention & is_on(found, table.axis))
    if table.axis in table.language.groups:
        # Nobody is tied to a group by a name.
        is_name = np.array([term.is_name for term in found.terms.readings], np.bool_)
        mentions = mentions[~is_name[found.readings[mentions]]]
    return mentions, rows_written(chunk, mentions, targets, table.axis)


def _becoming_one(rows: Mapping[int, WrittenRow]) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which two groups would become one, or one another that is there."""
    for number, row in rows.items():
        if len(set(row.written.values())) < len(row.written):
            yield number, Cause(Reason.CONTRAST)


def _becomes(chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]) -> NDArray[Any]:
    """Return what each mention becomes. Shape (M,)."""
    found = chunk.found
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    terms = [found.terms.readings[reading] for reading in found.readings[mentions].tolist()]
    written = [rows[row].written[term.attribute] for row, term in zip(numbers, terms, strict=True)]
    return np.array(written, object)


def _with_branches(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow]
) -> Iterator[tuple[int, Cause]]:
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
            yield number, Cause(Reason.CONTRAST, is_final=True)


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


def _without_form(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], is_group: bool
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which words have no counterpart: one of a group's, or all of another's."""
    found = chunk.found
    numbers = chunk.row_of[found.texts[mentions]].tolist()
    lacking: dict[int, Cause] = {}
    written: set[int] = set()
    for number, reading in zip(numbers, found.readings[mentions].tolist(), strict=True):
        term = found.terms.readings[reading]
        target = rows[number].written[term.attribute]
        if target == term.attribute:
            continue
        if term.entry.forms.get(target):
            written.add(number)
        else:
            word = term.entry.forms[term.attribute][0].text
            lacking[number] = Cause(Reason.NO_FORM, f"{target!r} has no word for {word!r}")
    return ((row, cause) for row, cause in lacking.items() if is_group or row not in written)


def _with_false_ages(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
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
            yield number, Cause(Reason.AGES)
    fits = table.language.ages_fit
    for text in np.unique(found.texts[mentions]).tolist():
        number = int(chunk.row_of[text])
        if fits and rows[number].changed and not fits(found.words.texts[text], spans[text]):
            yield number, Cause(Reason.AGES, is_final=True)
