"""Rows of which no counterfactual reads true: their mentions are left alone, with the reason.

Whether a word is a mention is told by its neighbours; whether it can be rewritten, by all that the
row says. "Catholics and the Pope" mentions Christians, but there are no Hindus and the Pope.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons.lexicon import Form
from fair_datasets.reader.matching.language import TiedWord, never_people
from fair_datasets.reader.matching.mentions import (
    OF_ROW,
    Chunk,
    MentionTable,
    Reason,
    SkipCause,
    Terms,
)
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.token_batch import Candidates, Mask, among, distinct
from fair_datasets.swap.animals import skip_animals
from fair_datasets.swap.directions import AxisRows, DrawnTargets, RowTargets

Numbers = NDArray[np.int64]
Causes = Iterator[tuple[int, SkipCause]]


def skip_mentions(chunk: Chunk, skips: Mapping[int, SkipCause], axis: str) -> Chunk:
    """Leave the mentions of rows alone."""
    if not skips:
        return chunk
    mentions, row_of = chunk.mentions, chunk.row_of[chunk.mentions.texts]
    reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
    is_skipped = mentions.is_mention & mentions.is_on(axis) & among(row_of, list(skips))
    for mention in is_skipped.nonzero()[0].tolist():
        reason, detail, _ = skips[int(row_of[mention])]
        reasons[mention] = reason
        rules[mention] = f"{OF_ROW}{reason.name.lower()} {detail}".rstrip()
    return chunk._replace(mentions=replace(mentions, reasons=reasons, rules=rules))


def skip_rows(chunk: Chunk, targets: RowTargets, tables: Sequence[TermTable]) -> Chunk:
    """Leave the mentions alone of rows that cannot be rewritten, and rewrite things with groups.

    Args:
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number, and draws others where they do not fit.
    """
    for table in tables:
        chunk = _skip_beside_titles(chunk, targets, table)
        chunk = skip_animals(chunk, table)
        chunk = skip_staying_names(chunk, targets, table)
        if not _may_leave(table, targets):
            continue
        if table.axis in table.language.rows.groups:
            chunk = _with_things(chunk, table)
        rows = AxisRows.of(chunk, targets, table)
        drawn = targets if isinstance(targets, DrawnTargets) else None
        skips = _skipped(rows, drawn)
        if skips and drawn:
            mentioned = {row: {*own} for row, own in rows.written.items()}
            skips = drawn.redraw(skips, mentioned, table, partial(_skipped_of, chunk, drawn, table))
        chunk = skip_mentions(chunk, skips, table.axis)
    return chunk


def _skipped_of(
    chunk: Chunk, targets: DrawnTargets, table: TermTable, rows: Sequence[int]
) -> Mapping[int, SkipCause]:
    """Return which of some rows are left alone on an axis, and why."""
    own = chunk.mentions.take(among(chunk.row_of[chunk.mentions.texts], rows))
    return _skipped(AxisRows.of(chunk._replace(mentions=own), targets, table), targets)


def _may_leave(table: TermTable, targets: RowTargets) -> bool:
    """Whether an axis has groups or ages, or some people become neither gender."""
    neutral = table.neutral
    is_neutral = bool(neutral) and (callable(targets) or neutral in targets.values())
    return is_neutral or table.axis in table.language.rows.groups or table.reads_ages


def skipped_rows(
    rows: Sequence[Sequence[str | None]], targets: RowTargets, table: TermTable
) -> Mapping[int, Reason]:
    """Return which rows are left as a whole along an axis, and why."""
    return skipped_in(chunks(rows, [table]), targets, table)


def skipped_in(
    read: Iterable[Chunk], targets: RowTargets, table: TermTable
) -> Mapping[int, Reason]:
    """Return the same for rows that are read already."""
    reasons = (reasons_in(skip_rows(chunk, targets, [table])) for chunk in read)
    return dict(chain.from_iterable(reasons))


def reasons_in(chunk: Chunk, *, of_words: bool = False) -> Iterator[tuple[int, Reason]]:
    """Give the rows that are left as a whole, or those with words that are, as often as words."""
    mentions = chunk.mentions
    held = ~mentions.is_mention
    if not of_words:
        held = np.array([rule.startswith(OF_ROW) for rule in mentions.rules.tolist()], np.bool_)
    numbers = chunk.row_of[mentions.texts[held]].tolist()
    yield from zip(numbers, mentions.reasons[held].tolist(), strict=True)


def _skipped(rows: AxisRows, drawn: DrawnTargets | None) -> Mapping[int, SkipCause]:
    """Return which rows are left alone on an axis, and why."""
    table = rows.table
    causes: list[Causes] = []
    if table.axis in table.language.rows.contrasted:
        causes += _becoming_one(rows), _with_branches(rows)
    if table.axis in table.language.rows.groups:
        causes += _named(rows), _beside_others(rows)
    if table.neutral:
        causes.append(_without_gender(rows))
    if table.reads_ages:
        causes.append(_with_false_ages(rows))
        if drawn:
            causes.append(_at_odds(rows, drawn))
    causes += _written_twice(rows), _named_alike(rows), _tied(rows)
    skips: dict[int, SkipCause] = {}
    for row, cause in chain.from_iterable(causes):
        if row not in skips or cause.is_final:
            skips[row] = cause
    # What is tied is told rather than what has no form, as it is there for all to see.
    for row, cause in _without_form(rows):
        skips.setdefault(row, cause)
    return skips


# The kinds of the lexicon that say what somebody is to somebody else.
_RELATED = ("kinship", "relation")


def _without_gender(rows: AxisRows) -> Causes:
    """Give the rows in which what becomes neutral loses its sense without a gender."""
    mentions, language, neutral = rows.chunk.mentions, rows.table.language, rows.table.neutral
    becomes = [rows.written[row][term.attribute] for _, row, term in rows.each(rows.mentions)]
    several = rows.mentions[np.array([each == neutral for each in becomes], np.bool_)]
    for condition, reason in (
        (language.rows.called, Reason.CALL),
        (language.rows.of_gender, Reason.GENDER),
    ):
        for _, row, _ in rows.each(rows.holding(several, condition)):
            yield row, SkipCause(reason)
    kinds = mentions.terms.kind[mentions.readings]
    for mention, row, _ in rows.each(rows.holding(several, language.rows.compared)):
        before = several[(mentions.texts[several] == mentions.texts[mention]) & (several < mention)]
        if np.any(kinds[before] != kinds[mention]):
            yield row, SkipCause(Reason.CONTRAST)
    # Two relatives whom one word would mean: a father and a mother.
    attributes: dict[tuple[int, str], str] = {}
    for _, row, term in rows.each(several[mentions.of_kind(several, *_RELATED)]):
        for form in () if term.entry.is_plural else term.entry.forms.get(neutral, ())[:1]:
            if attributes.setdefault((row, form.text), term.attribute) != term.attribute:
                yield row, SkipCause(Reason.CONTRAST)


# What a group has, by the kinds of the lexicon, whose words are parts of names as well.
_HOUSE = "place of worship"
_NAMED = ("clergy", _HOUSE, "scripture")


def _named(rows: AxisRows) -> Causes:
    """Give the rows in which a group, or what it has, bears a name: "Trinity Church"."""
    spans, language, mentions = rows.chunk.mentions, rows.table.language, rows.mentions
    # "Rabbi Hillel", but "the Christian priest Paul Lee".
    asked = mentions[spans.words.is_capital(spans.lasts[mentions])]
    is_thing = spans.of_kind(asked, *_NAMED)
    for several, condition in (
        (mentions[spans.of_kind(mentions, _HOUSE)], language.rows.named_house),
        (asked[is_thing], language.rows.named),
        (asked[~is_thing], language.rows.named_group),
    ):
        yield from rows.tied_by(rows.holding(several, condition), "the name with ")


def _beside_others(rows: AxisRows) -> Causes:
    """Give the rows in which a group is told of that is not rewritten: "the Jewish Museum"."""
    mentions = rows.chunk.mentions
    is_other = (mentions.reasons == Reason.NOT_PEOPLE) | (mentions.reasons == Reason.TITLE)
    is_other |= mentions.reasons == Reason.LOWER_CASE
    is_other &= mentions.is_on(rows.table.axis) & (mentions.rules != "people.name")
    others = is_other.nonzero()[0]
    yield from rows.tied_by(rows.holding(others, rows.table.language.rows.means_group))


def _named_alike(rows: AxisRows) -> Causes:
    """Give the rows in which a word that becomes another stays: "Ed Black", "her child"."""
    mentions, table = rows.chunk.mentions, rows.table
    is_name = (mentions.reasons == Reason.NAME) | (mentions.rules == "people.name")
    is_name |= mentions.reasons == Reason.RELATIVE
    is_name &= ~mentions.is_mention & mentions.is_on(table.axis)
    if table.axis in table.language.rows.contrasted:
        # "The Danish Film Award" stays Danish, whoever wins it.
        is_name &= mentions.words.is_end[mentions.lasts + 1] | ~mentions.words.is_capital(
            mentions.lasts + 1
        )
    names = is_name.nonzero()[0]
    if len(names):
        alike = names[among(rows.keys(names), rows.keys(rows.mentions))]
        for name, row, term in rows.each(alike):
            if rows.changes(row, term.attribute):
                yield row, SkipCause(Reason.NAMED, repr(rows.text(name)), is_final=True)


def _tied(rows: AxisRows) -> Causes:
    """Give the rows that another word ties to a group."""
    chunk, table = rows.chunk, rows.table
    if table.language.rows.tied is None or not rows.written:
        return
    words = chunk.mentions.words
    steps = np.zeros(len(words) + 1, np.int64)
    np.add.at(steps, chunk.mentions.firsts[rows.mentions], 1)
    np.add.at(steps, chunk.mentions.lasts[rows.mentions] + 1, -1)
    is_asked = np.append(among(chunk.row_of, list(filter(rows.is_changed, rows.written))), False)
    is_free = (np.cumsum(steps[:-1]) == 0) & is_asked[words.owner]
    is_group = table.axis in table.language.rows.groups
    for word in table.language.rows.tied(words, table.axis, is_free):
        row = int(chunk.row_of[word.text])
        for old, new in rows.written.get(row, {}).items():
            if cause := _cause(word, old, new, is_group):
                yield row, cause


def _cause(word: TiedWord, old: str, new: str, is_group: bool) -> SkipCause | None:
    """Return why a word does not go with a change; None where it does."""
    if old == new:
        return None
    if old in word.groups and not (is_group and new in word.groups):
        is_final = not is_group or len(word.groups) == 1
        return SkipCause(Reason.TIED, f"tied to {old!r} by {word.words!r}", is_final)
    # Nobody joins a group to which a word of the row is tied.
    if new in word.never or (is_group and new in word.groups and old not in word.groups):
        return SkipCause(Reason.TIED, f"{word.words!r} does not go with becoming {new!r}")
    return None


def _skip_beside_titles(chunk: Chunk, targets: RowTargets, table: TermTable) -> Chunk:
    """Leave the mentions alone of rows that a title would contradict, which goes with its name."""
    mentions = chunk.mentions
    titles = ((mentions.reasons == Reason.UNREAD_NAME) & mentions.is_on(table.axis)).nonzero()[0]
    if not len(titles):
        return chunk
    rows = AxisRows.of(chunk, targets, table, chunk.row_of[mentions.texts[titles]])
    skips = {
        row: SkipCause(Reason.TITLED)
        for _, row, term in rows.each(titles)
        if rows.changes(row, term.attribute) and rows.written[row][term.attribute] != table.neutral
    }
    return skip_mentions(chunk, skips, table.axis)


def skip_staying_names(chunk: Chunk, targets: RowTargets, table: TermTable) -> Chunk:
    """Leave rows alone where a name would change that stays elsewhere: "Bill, says Bill Hale".

    It also stays in the messages of a conversation that are in another language.
    """
    mentions, words = chunk.mentions, chunk.mentions.words
    is_own = are_own_names(mentions, table)
    is_other = (mentions.reasons == Reason.NOT_A_NAME) | (is_own & ~mentions.is_mention)
    others = (is_other & mentions.is_on(table.axis)).nonzero()[0]
    # In a name of two words, but not in "Mark it", nor at "Wendy's".
    beside = np.stack([mentions.firsts[others] - 1, mentions.lasts[others] + 1])
    others = others[(words.is_capital(beside) & ~words.is_end[beside]).any(axis=0)]
    foreign = ((mentions.reasons == Reason.OTHER_LANGUAGE) & mentions.is_on(table.axis)).nonzero()[
        0
    ]
    others = np.concatenate((others, foreign))
    if not len(others):
        return chunk
    rows = AxisRows.of(chunk, targets, table)
    is_name = mentions.terms.is_name[mentions.readings[rows.mentions]] | is_own[rows.mentions]
    names = rows.mentions[is_name]
    skips = {
        row: SkipCause(Reason.NAMED, repr(rows.text(name)))
        for name, row, term in rows.each(others[np.isin(rows.keys(others), rows.keys(names))])
        if rows.changes(row, term.attribute)
        and term.entry.forms.get(rows.written[row][term.attribute])
    }
    return skip_mentions(chunk, skips, table.axis)


def are_own_names(mentions: MentionTable, table: TermTable) -> Mask:
    """Return which candidates are names of a lexicon of one's own. Shape (C,)."""
    columns = table.columns
    if not columns.is_own_name.any():
        return np.zeros(len(mentions.firsts), np.bool_)
    readings = columns.usual(mentions.words.number[mentions.firsts])
    held: Mask = (readings >= 0) & columns.is_own_name[np.maximum(readings, 0)]
    return held


def _with_things(chunk: Chunk, table: TermTable) -> Chunk:
    """Read "the Jewish faith" as well where the row mentions Jews, and what may be people."""
    mentions = chunk.mentions
    keys = (
        chunk.row_of[mentions.texts] * len(mentions.terms.kinds)
        + mentions.terms.kind[mentions.readings]
    )
    is_skipped = (mentions.reasons == Reason.NOT_PEOPLE) & mentions.is_on(table.axis)
    is_skipped &= among(keys, keys[mentions.is_mention])
    asked = is_skipped.nonzero()[0]
    if not len(asked):
        return chunk
    candidates = Candidates(mentions.words, mentions.firsts[asked], {}, mentions.lasts[asked])
    is_thing = candidates.holds(table.language.rows.thing)
    if tags := table.language.tags:
        is_surely_people = tags.people(mentions.words, mentions.lasts[asked]) >= tags.least
        is_thing |= is_surely_people & candidates.holds(table.language.rows.may_describe)
    # "An Israeli obligation" is hardly anybody else's.
    is_thing &= ~never_people(mentions.words, mentions.lasts[asked], table.axis, table.language)
    things = asked[is_thing]
    adjectives = _adjectives(mentions)
    readings = mentions.readings.copy()
    reasons, rules = mentions.reasons.copy(), mentions.rules.copy()
    for thing in things.tolist():
        number = adjectives.get(mentions.terms.readings[readings[thing]].spelling.lower())
        if number is not None:
            readings[thing], reasons[thing], rules[thing] = number, None, "people.thing_of_group"
    return chunk._replace(
        mentions=replace(mentions, readings=readings, reasons=reasons, rules=rules)
    )


def _adjectives(mentions: MentionTable) -> Mapping[str, int]:
    """Return the number of each adjective by its spelling, in lower case."""
    readings = enumerate(mentions.terms.readings)
    return mentions.terms.noted(
        "adjectives",
        lambda: {
            term.spelling.lower(): number
            for number, term in readings
            if term.entry.inflection == "adjective"
        },
    )


def _becoming_one(rows: AxisRows) -> Causes:
    """Give the rows in which two groups would become one, or one another that is there."""
    for row, written in rows.written.items():
        if len({*written.values()}) < len(written):
            yield row, SkipCause(Reason.CONTRAST)


# How many words may lie between two words for people that are joined: "Hispanic or Latino".
_JOINED = 1
_OF_OTHERS = ("person", "clergy")


def _written_twice(rows: AxisRows) -> Causes:
    """Give the rows in which two joined words would become one: "infants and young children"."""
    spans, mentions = rows.chunk.mentions, rows.mentions
    gaps = spans.firsts[mentions[1:]] - spans.lasts[mentions[:-1]] - 1
    is_near = (spans.texts[mentions[1:]] == spans.texts[mentions[:-1]]) & (gaps <= _JOINED)
    pairs = zip(rows.each(mentions[:-1][is_near]), rows.each(mentions[1:][is_near]), strict=True)
    for (_, row, one), (_, _, other) in pairs:
        # "The Muslim priest" has no parish, and a Sikh one is no Buddhist monk.
        if one.attribute != other.attribute and (one.entry.kind, other.entry.kind) == _OF_OTHERS:
            yield row, SkipCause(Reason.CONTRAST, is_final=True)
        if one.attribute != other.attribute or not rows.changes(row, one.attribute):
            continue
        target = rows.written[row][one.attribute]
        forms = [each.entry.forms.get(target, ()) for each in (one, other)]
        was = one.spelling.lower(), other.spelling.lower()
        if was[0] != was[1] and all(forms) and forms[0][0].text == forms[1][0].text:
            yield row, SkipCause(Reason.TWICE, f"{was[0]!r} and {was[1]!r}")


# As many letters as tell Catholics from Protestants, and no Jew from the Jewish.
_STEM = 3
_WHOLE = "*"
_PEOPLE = frozenset({"person", "man", "woman", "faith"})


def _with_branches(rows: AxisRows) -> Causes:
    """Give the rows with two branches of one group, such as Catholics and Protestants."""
    terms, branches = rows.chunk.mentions.terms, dict[tuple[int, str], str]()
    for _, row, term in rows.each(rows.mentions):
        branch, attribute = _branch(terms, term), term.attribute
        is_other = branch and branches.setdefault((row, attribute), branch) != branch
        if is_other and rows.changes(row, attribute):
            yield row, SkipCause(Reason.CONTRAST, is_final=True)


def _branch(terms: Terms, term: Term) -> str:
    """Return the branch that a reading names by its first letters; empty where it is no people.

    The whole is what the lexicon writes: "Christian" and "Christianity", but not "Catholic".
    """
    stem = _stem(term.spelling) if term.entry.kind in _PEOPLE else ""
    return _WHOLE if stem and _is_whole(terms, (term.axis, term.attribute, stem)) else stem


def _is_whole(terms: Terms, branch: tuple[str, str, str]) -> bool:
    """Whether the lexicon writes a branch for the whole of an attribute."""

    def work_out() -> Set[tuple[str, str, str]]:
        return {
            (term.axis, term.attribute, _stem(form.text))
            for term in terms.others
            for form in term.entry.forms.get(term.attribute, ())[:1]
        }

    is_own = branch in terms.noted("wholes", work_out)
    return is_own or (terms.before is not None and _is_whole(terms.before, branch))


def _stem(text: str) -> str:
    """Return the letters that "Catholics" and "Catholicism" have in common."""
    return text.split(" ")[-1].lower()[:_STEM]


def _without_form(rows: AxisRows) -> Causes:
    """Give the rows in which words have no counterpart: one of a group's, or all of another's."""
    is_group = rows.table.axis in rows.table.language.rows.groups
    offices: Numbers = rows.mentions[:0]
    if is_group:
        offices = rows.holding(rows.mentions, rows.table.language.rows.office)
    bare, lacking, written = {*offices.tolist()}, dict[int, SkipCause](), set[int]()
    for mention, row, term in rows.each(rows.mentions):
        target = rows.written[row][term.attribute]
        if target == term.attribute:
            continue
        forms = term.entry.forms.get(target)
        if forms and not (mention in bare and _is_described(term, forms)):
            written.add(row)
        else:
            word = term.entry.forms[term.attribute][0].text
            lacking[row] = SkipCause(Reason.NO_FORM, f"{target!r} has no word for {word!r}")
    return ((row, cause) for row, cause in lacking.items() if is_group or row not in written)


def _is_described(term: Term, forms: Sequence[Form]) -> bool:
    """Whether an office is written in several words: nobody "was Buddhist monk"."""
    return term.entry.kind == "clergy" and not term.entry.is_plural and " " in forms[0].text


# The order of the stages of life; an adult is as old as the young at least.
_STAGES = {"child": 0, "young": 1, "adult": 1, "middle-aged": 2, "senior": 3}


def _with_false_ages(rows: AxisRows) -> Causes:
    """Give the rows whose ages would be in another order, or contradict what else they say."""
    mentions, words = rows.chunk.mentions, rows.chunk.mentions.words
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    in_figures: set[tuple[int, str]] = set()
    for age, row, term in rows.each(rows.mentions[mentions.of_kind(rows.mentions, "age")]):
        text = int(mentions.texts[age])
        start, end = words.start[mentions.firsts[age]], words.end[mentions.lasts[age]]
        spans[text].append((int(start - words.offset[text]), int(end - words.offset[text])))
        in_figures.add((row, term.attribute))
    for row, written in rows.written.items():
        stages = sorted(
            (_STAGES[old], _STAGES[new], (row, old) in in_figures)
            for old, new in written.items()
            if old in _STAGES and new in _STAGES
        )
        for (old, new, is_age), (older, newer, is_other) in combinations(stages, 2):
            are_one = newer == new and is_age and is_other
            if old < older and (are_one or (newer < new and (is_age or is_other))):
                yield row, SkipCause(Reason.AGES)
    for row in chain(_of_two_stages(rows), _of_young_teenagers(rows)):
        yield row, SkipCause(Reason.AGES)
    fits = rows.table.language.ages.fit
    for text in distinct(np.sort(mentions.texts[rows.mentions])).tolist():
        row = int(rows.chunk.row_of[text])
        if fits and rows.is_changed(row) and not fits(words.texts[text], spans[text]):
            yield row, SkipCause(Reason.AGES, is_final=True)


def _of_two_stages(rows: AxisRows) -> Iterator[int]:
    """Give the rows in which one person would be of two stages: "a 24-year-old kid"."""
    spans, mentions, noun_of = (
        rows.chunk.mentions,
        rows.mentions,
        rows.table.language.ages.described,
    )
    if noun_of is None:
        return
    candidates = Candidates(spans.words, spans.firsts[mentions], {}, spans.lasts[mentions])
    nouns = candidates.at(noun_of)
    terms = {int(spans.lasts[mention]): term for mention, _, term in rows.each(mentions)}
    for noun, (_, row, term) in zip(nouns.tolist(), rows.each(mentions), strict=True):
        written = rows.written[row]
        pair = {written[term.attribute], written[terms.get(noun, term).attribute]}
        is_one = term.entry.kind == "age" or term.entry.inflection == "adjective"
        if is_one and len(pair) > 1 and ("adult" not in pair or "child" in pair):
            yield row


# How words for a teenager begin, and the first age of one. Ages in letters count as younger.
_TEENAGE, _FIRST_TEEN = "teen", re.compile("1[3-9]")


def _of_young_teenagers(rows: AxisRows) -> Iterator[int]:
    """Give the rows in which a teenager would be too young: "a teenage driver, a 5-year-old"."""
    teenage, young = set[int](), set[int]()
    for _, row, term in rows.each(rows.mentions):
        new = rows.written[row][term.attribute]
        if new != term.attribute and (forms := term.entry.forms.get(new)):
            if new == "child" and term.entry.kind == "age":
                young.update(() if _FIRST_TEEN.search(forms[0].text) else (row,))
            elif forms[0].text.startswith(_TEENAGE):
                teenage.add(row)
    yield from sorted(teenage & young)


def _at_odds(rows: AxisRows, targets: DrawnTargets) -> Causes:
    """Give the rows in which a drawn stage of life is not the next, or a child's in figures."""
    for _, row, term in rows.each(rows.mentions):
        old, in_figures = term.attribute, term.entry.kind == "age"
        new = rows.written[row][old]
        # Little that is told of a child is true of a pensioner; nobody of forty who works is eight.
        is_odd = new == "child" != old and in_figures
        if not is_odd and _is_far(old, new):
            possible = targets.possible(row, term.axis, old)
            is_odd = in_figures or not all(_is_far(old, other) for other in possible)
        if is_odd:
            yield row, SkipCause(Reason.AGES)


def _is_far(old: str, new: str) -> bool:
    """Whether another stage of life lies between two."""
    return old in _STAGES and new in _STAGES and abs(_STAGES[new] - _STAGES[old]) > 1


# How many words behind the sentence that names a known person others may be about them.
_REACH_OF_NAME = 50


def skip_stated_facts(chunk: Chunk, targets: RowTargets, tables: Sequence[TermTable]) -> Chunk:
    """Leave the mentions alone of rows that tell a fact which would read as a contradiction.

    A row is left where the sentence that tells the fact mentions whom it would not be true of: it
    is then no sentence about somebody else in a long row. The other sentences are left as well, as
    they may be about the same person.
    """
    for table in tables:
        find, mentions = table.language.rows.facts, chunk.mentions
        facts = list(find(mentions.words, table.attributes)) if find else []
        if not facts:
            continue
        numbers = chunk.row_of[mentions.words.owner[[fact.begin for fact in facts]]]
        rows = AxisRows.of(chunk, targets, table, numbers)
        firsts = mentions.firsts[rows.mentions]
        skips: dict[int, SkipCause] = {}
        for row, fact in zip(numbers.tolist(), facts, strict=True):
            end = int(mentions.words.first[mentions.words.owner[fact.begin] + 1])
            stop = min(fact.stop + _REACH_OF_NAME, end) if fact.is_name else fact.stop
            own = rows.mentions[slice(*np.searchsorted(firsts, (fact.begin, stop)).tolist())]
            attributes = {term.attribute for *_, term in rows.each(own)}
            if fact.attribute in attributes and rows.written[row][fact.attribute] in fact.never:
                skips[row] = SkipCause(Reason.KNOWN_PERSON if fact.is_name else Reason.FACT)
        chunk = skip_mentions(chunk, skips, table.axis)
    return chunk
