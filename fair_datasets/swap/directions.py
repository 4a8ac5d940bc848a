"""From which attribute to which: the targets of a swap, drawn where several are possible."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import Lexicon
from fair_datasets.reader.matching.mentions import Chunk, Reason, SkipCause
from fair_datasets.reader.matching.predicates import Predicate
from fair_datasets.reader.matching.rows import MAX_CHUNK_CHARS
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.token_batch import Candidates, among, distinct
from fair_datasets.rows import draws
from fair_datasets.swap.agreement import THEY
from fair_datasets.swap.rewriting import Rows
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, typed

Targets = Mapping[tuple[str, str], str]
"""Axis and attribute to the attribute that its terms are rewritten to."""
RowTargets = Callable[[int], Targets] | Targets
"""The targets of all rows, or what returns those of a row by its number."""


def plan_targets(
    lexicon: Lexicon, source: Sequence[str], target: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return each attribute of an axis that is rewritten, with the attributes it may become.

    Args:
        source: The attributes that are rewritten; those of other axes are passed over. None of
            this axis: all of them are.
        target: The attributes that they are rewritten to; none of this axis: each one's
            counterpart, or any other where the attributes are not paired.
    """
    sources = [name for name in lexicon.attributes if name in source] or lexicon.attributes
    wanted = tuple(name for name in lexicon.attributes if name in target)
    plan: dict[str, tuple[str, ...]] = {}
    for attribute in sources:
        if wanted:
            targets = wanted
        elif lexicon.counterparts:
            paired = lexicon.counterparts.get(attribute)
            targets = (paired,) if paired else ()
        else:
            targets = lexicon.drawn
        if others := tuple(name for name in targets if name != attribute):
            plan[attribute] = others
    return plan


def draw_targets(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], seed: int, key: str
) -> Targets:
    """Choose one target for each attribute of a row.

    Where all others are possible, the attributes are moved on by one drawn number of places, so
    that two groups of a row never become one. A lexicon draws the same wherever its file lies.
    """
    if steps := _steps(lexicon, plan):
        step = draws.choice(steps, seed, key, _purpose(lexicon))
        return _moved(axis, lexicon, plan, step)
    return {
        (axis, name): draws.choice(targets, seed, key, _purpose(lexicon, name))
        for name, targets in plan.items()
    }


def other_targets(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], seed: int, key: str
) -> list[Targets]:
    """Choose further targets for each attribute of a row, for those that do not fit it."""
    if steps := _steps(lexicon, plan):
        drawn = draws.order(steps, seed, key, _purpose(lexicon))
        return [_moved(axis, lexicon, plan, step) for step in drawn[1:]]
    orders = {
        (axis, name): draws.order(targets, seed, key, _purpose(lexicon, name))
        for name, targets in plan.items()
    }
    attempts = range(1, max(map(len, orders.values()), default=0))
    return [{name: own[k % len(own)] for name, own in orders.items()} for k in attempts]


def _steps(lexicon: Lexicon, plan: Mapping[str, Sequence[str]]) -> range:
    """Return by how many places attributes may be moved on; none where not all may become all."""
    many, drawn = len(lexicon.drawn), frozenset(lexicon.drawn)
    is_any = many > 2 and all(len(to) == many - (name in drawn) for name, to in plan.items())
    return range(1, many) if is_any else range(0)


def _moved(
    axis: str, lexicon: Lexicon, plan: Mapping[str, Sequence[str]], step: int
) -> dict[tuple[str, str], str]:
    """Move attributes on by some places."""
    names = lexicon.drawn
    others = set(lexicon.attributes).difference(names)
    several = (*names, *sorted(others))
    moved = {name: names[(k + step) % len(names)] for k, name in enumerate(several)}
    return {(axis, attribute): moved[attribute] for attribute in plan}


def _purpose(lexicon: Lexicon, attribute: str = "") -> str:
    """Name the draw of a target, of one attribute or of all together."""
    return f"target of {attribute} on {lexicon.name}" if attribute else f"target on {lexicon.name}"


def check_directions(
    lexicons: Sequence[Lexicon], source: Sequence[str], target: Sequence[str]
) -> None:
    """Raise unless source and target are attributes of the axes that lead somewhere."""
    names = [name for lexicon in lexicons for name in lexicon.attributes]
    for parameter, values in (("source", source), ("target", target)):
        for value in values:
            meant = _attribute_of(value, lexicons)
            checks.one_of(value, names, parameter=parameter, meant=meant)
    for lexicon in lexicons:
        if plan_targets(lexicon, source, target):
            continue
        same = [name for name in source if name in target]
        if same:
            raise invalid(
                f"source and target are both {same[0]!r}; choose two different attributes."
            )
        given = next(name for name in source if name in lexicon.attributes)
        raise invalid(
            f"{given!r} has no counterpart of its own on the axis {lexicon.name!r}; "
            f"give a target: {checks.format_choices(lexicon.counterparts)}."
        )


def _attribute_of(term: str, lexicons: Sequence[Lexicon]) -> str:
    """Return the attribute of a term, such as that of "female"; nothing where there is none."""
    entries = chain.from_iterable(lexicon.entries for lexicon in lexicons)
    forms = chain.from_iterable(entry.all_forms for entry in entries)
    return next((name for name, form in forms if form.text.casefold() == term.casefold()), "")


def check_pronouns_written(
    pronouns: str, lexicons: Sequence[Lexicon], source: Sequence[str], target: Sequence[str]
) -> None:
    """Raise if pronouns for people who are neither men nor women would never be written."""
    for lexicon in lexicons:
        plan = plan_targets(lexicon, source, target)
        written = {name for targets in plan.values() for name in targets}
        pronouns_of = (entry.all_forms for entry in lexicon.entries if entry.kind == "pronoun")
        if any(k in written and form.text in THEY for k, form in chain.from_iterable(pronouns_of)):
            return
    raise invalid(
        f"{typed('pronouns', pronouns)} would never be written, because nobody becomes "
        f"non-binary; add {typed('target', 'non-binary')}, or leave it out."
    )


# Of so few words it does not matter how many speak against becoming somebody.
_FEW = 10


class Axis(NamedTuple):
    """An axis as it is rewritten: where it leads, and the terms that are read."""

    lexicon: Lexicon
    plan: Mapping[str, Sequence[str]]
    table: TermTable

    def targets(self, seed: int, key: str) -> Targets:
        """Draw what each attribute becomes in a row."""
        return draw_targets(self.table.axis, self.lexicon, self.plan, seed, key)

    def others(self, seed: int, key: str, mentioned: Set[str]) -> list[Targets]:
        """Draw what else it may become, last those against whom many words speak."""
        against, axis = self.table.language.rows.speaking_against(self.table.axis), self.table.axis

        def doubt(targets: Targets) -> int:
            return sum(
                against.get(targets.get((axis, name), name), 0) // _FEW for name in mentioned
            )

        return sorted(other_targets(axis, self.lexicon, self.plan, seed, key), key=doubt)


class DrawnTargets:
    """What each attribute becomes, by the number of the row.

    Where what a row draws does not fit the rest of it, as "Buddhist" beside "the Lord", the row
    draws another target, and is left alone only if none fits. So it is changed in the same way in
    every batch, and a row whose first draw fits as if nothing were ever drawn anew.
    """

    def __init__(self, axes: Sequence[Axis], rows: Rows, seed: int) -> None:
        """Have drawn nothing yet."""
        self.axes = axes
        self.rows = rows
        self.seed = seed
        self._drawn: dict[int, Targets] = {}

    def __call__(self, row: int) -> Targets:
        """Return what each attribute becomes in a row."""
        drawn = self._drawn.get(row)
        if drawn is None:
            key, targets = self.rows.key(row), dict[tuple[str, str], str]()
            for axis in self.axes:
                targets.update(axis.targets(self.seed, key))
            drawn = self._drawn[row] = targets
        return drawn

    def redraw(
        self,
        skips: Mapping[int, SkipCause],
        mentioned: Mapping[int, Set[str]],
        table: TermTable,
        leaves: Callable[[Sequence[int]], Mapping[int, SkipCause]],
    ) -> Mapping[int, SkipCause]:
        """Draw other targets for the rows that are left, where others may fit.

        Returns:
            The rows for which nothing fits, with the causes of their first draws.
        """
        axis = next(axis for axis in self.axes if axis.table is table)
        tried = [row for row, cause in skips.items() if not cause.is_final and self._is_whole(row)]
        first, misfits = {row: self(row) for row in tried}, dict(skips)
        others = {row: axis.others(self.seed, self.rows.key(row), mentioned[row]) for row in tried}
        for attempt in range(max(map(len, others.values()), default=0)):
            for row in tried:
                self._drawn[row] = {**first[row], **others[row][attempt]}
            still = leaves(tried) if tried else {}
            for row in tried:
                if row not in still:
                    del misfits[row]
            tried = [row for row in tried if row in still]
        self._drawn.update((row, first[row]) for row in tried)
        return misfits

    def possible(self, row: int, axis: str, attribute: str) -> Sequence[str]:
        """Return what an attribute may become in a row: one thing where nothing is drawn anew."""
        if not self._is_whole(row):
            return (self(row)[axis, attribute],)
        return next(own.plan[attribute] for own in self.axes if own.table.axis == axis)

    def _is_whole(self, row: int) -> bool:
        """Whether a row is read at once and by itself, so that all of it can draw anew."""
        if self.rows.group(row) is not None:
            return False
        return all(text is None or len(text) <= MAX_CHUNK_CHARS for text in self.rows.texts[row])


Numbers = NDArray[np.int64]


class AxisRows(NamedTuple):
    """Rows that are read together, along one axis.

    Attributes:
        mentions: Their mentions of the axis by which they may be left. Shape (M,).
        written: By row, what each attribute that it mentions becomes, or stays.
    """

    chunk: Chunk
    table: TermTable
    mentions: Numbers
    written: Mapping[int, Mapping[str, str]]

    @classmethod
    def of(
        cls, chunk: Chunk, targets: RowTargets, table: TermTable, rows: Numbers | None = None
    ) -> "AxisRows":
        """Look up what becomes of the mentions in all rows, or in some."""
        spans, axis = chunk.mentions, table.axis
        is_asked = spans.is_mention & spans.is_on(axis)
        if rows is not None:
            is_asked &= among(chunk.row_of[spans.texts], rows)
        elif axis in table.language.rows.groups:
            # Nobody is tied to a group by a name.
            is_asked &= ~spans.terms.is_name[spans.readings]
        mentions, many = is_asked.nonzero()[0], len(spans.terms.kinds)
        kinds = spans.terms.kind[spans.readings[mentions]]
        written: dict[int, dict[str, str]] = defaultdict(dict)
        pairs = distinct(np.sort(chunk.row_of[spans.texts[mentions]] * many + kinds))
        rows_of, kinds_of = (pairs // many).tolist(), (pairs % many).tolist()
        named = map(spans.terms.kinds.__getitem__, kinds_of)
        several = map(targets, rows_of) if callable(targets) else repeat(targets)
        for row, kind, own in zip(rows_of, named, several, strict=False):
            written[row][kind[1]] = own.get(kind, kind[1])
        return cls(chunk, table, mentions, written)

    def changes(self, row: int, attribute: str) -> bool:
        """Whether a row mentions an attribute that becomes another."""
        return self.written.get(row, {}).get(attribute, attribute) != attribute

    def is_changed(self, row: int) -> bool:
        """Whether anything in a row becomes something else."""
        return any(old != new for old, new in self.written.get(row, {}).items())

    def holding(self, several: Numbers, condition: Predicate) -> Numbers:
        """Return those of some candidates of which a condition holds."""
        mentions = self.chunk.mentions
        candidates = Candidates(
            mentions.words, mentions.firsts[several], {}, mentions.lasts[several]
        )
        return several[candidates.holds(condition)]

    def each(self, several: Numbers) -> Iterator[tuple[int, int, Term]]:
        """Give some candidates, each with its row and how it is read."""
        mentions = self.chunk.mentions
        rows = self.chunk.row_of[mentions.texts[several]].tolist()
        terms = map(mentions.terms.readings.__getitem__, mentions.readings[several].tolist())
        return zip(several.tolist(), rows, terms, strict=True)

    def keys(self, several: Numbers) -> Numbers:
        """Return numbers that tell candidates apart by their rows and last words."""
        mentions = self.chunk.mentions
        last: Numbers = mentions.words.number[mentions.lasts[several]]
        return (self.chunk.row_of[mentions.texts[several]] << 32) + last

    def text(self, candidate: int) -> str:
        """Return what is written at a candidate."""
        mentions, words = self.chunk.mentions, self.chunk.mentions.words
        return words.joined[
            words.start[mentions.firsts[candidate]] : words.end[mentions.lasts[candidate]]
        ]

    def tied_by(self, several: Numbers, what: str = "") -> Iterator[tuple[int, SkipCause]]:
        """Give the rows that some candidates tie to a group that would become another."""
        for candidate, row, term in self.each(several):
            if self.changes(row, term.attribute):
                detail = f"tied to {term.attribute!r} by {what}{self.text(candidate)!r}"
                yield row, SkipCause(Reason.TIED, detail, is_final=True)
