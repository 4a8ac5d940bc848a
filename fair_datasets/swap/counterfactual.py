"""Counterfactual data augmentation and substitution (CDA, CDS) by lexicon.

CDA: Lu et al. (2018), "Gender Bias in Neural Natural Language Processing". CDS and the names
intervention: Hall Maudslay et al. (2019), "It's All in the Name".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

from fair_datasets.reader.coreference import (
    CoreferenceModel,
    checked_coreference_model,
    load_coreference_model,
)
from fair_datasets.reader.matching.mentions import Annotation, Reason, SkipCause
from fair_datasets.reader.matching.rows import (
    MAX_CHUNK_CHARS,
    Parts,
    annotations_of,
    chunks,
    merge_split_rows,
)
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.draws import row_ids
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.agreement import check_pronoun_set
from fair_datasets.swap.by_columns import CONFIDENCE, Swapped, counterfactual_of, swap_chunk
from fair_datasets.swap.confidence import confidences, refuse_unranked
from fair_datasets.swap.directions import (
    Axis,
    DrawnTargets,
    RowTargets,
    Targets,
    check_directions,
    check_pronouns_written,
    plan_targets,
)
from fair_datasets.swap.half_changed import skip_repeated_names
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.swap.row_results import count_mentions_hook, count_skipped
from fair_datasets.swap.unlisted_names import UNLISTED, UnlistedNames
from fair_datasets.swap.whole_rows import (
    skip_mentions,
    skip_rows,
    skip_stated_facts,
    skip_staying_names,
)
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.collection import uncollected
from fair_datasets.system.pretrained import folder_files
from fair_datasets.system.validate import OneOf, Share
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LeavesKnownPeople, ReadAxis


@dataclass(frozen=True, kw_only=True)
class CoreferenceOptions(LeavesKnownPeople):
    """A technique that may ask a model whose the mentions of a row are.

    Attributes:
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote; None
            for what is sure without one.

    The others are those of `LeavesKnownPeople`.
    """

    coreference: Annotated[str | PathLike[str], checked_coreference_model] | None = None

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, the reader, and the files of a model that lies in a folder."""
        files = super().resources()
        if self.coreference is None:
            return files
        return {**files, **folder_files(str(self.coreference))}

    def persons(self) -> CoreferenceModel | None:
        """Return the model that tells whose mention it is; None where there is none."""
        if self.coreference is None:
            return None
        return load_coreference_model(str(self.coreference), self.digests)


class _Group(NamedTuple):
    """Axes that are rewritten in one counterfactual; `targets` is None where they are drawn."""

    axes: Sequence[Axis]
    tables: Sequence[TermTable]
    targets: Targets | None


class ReadRow(NamedTuple):
    """A row with a word of the axes.

    Attributes:
        confidence: How likely it is that this reads right, or would if it were trusted; None where
            it was not asked for, or nothing would change.
    """

    number: int
    readings: Sequence[Annotation | None]
    counterfactual: Counterfactual | None
    confidence: float | None


@dataclass(frozen=True, kw_only=True)
class CounterfactualSwap(Rewriter, CoreferenceOptions):
    """Rewrite the terms of a demographic axis to their counterparts, for `datasets.map`.

    Map it with `batched=True`, or use `apply`, which passes the features of new columns on.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together. Texts inside
            lists and objects are named by a path, such as `messages[].content`.
        roles: Whose texts of a conversation are rewritten, by what `role` (or `from`) says, such as
            `user`; none for everybody's.
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        names: Whether names are read and swapped too, on the axes whose attributes they have.
            None for first names of men and women alone (the names intervention).
        protect: Names that stay ("Lily Allen"), with the rows in which a word would change that may
            be about their person; and `.tsv` files of your own with a column `name`, which leave
            alone all rows that name one of their people. The list
            that ships, `known_people`, is always among them, as a sentence about a known person
            becomes false; `()` for nobody.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse are
            asked in place of the package's own rules.
        reader: What tells names and pronouns: a token classifier, by its folder or Hub id, or
            weights that `fair-datasets train reader` wrote; None for the network that ships.
        source: The attribute or attributes whose terms are rewritten; None for all that have a
            counterpart. An axis of which none is named is rewritten as without a source.
        target: The attribute or attributes that terms are rewritten to, such as `woman`; None for
            each term's counterpart. Of several of one axis, and where attributes are not paired,
            one is drawn for each attribute that a row mentions.
        joint: Whether several axes are rewritten in one counterfactual. Otherwise each has its
            own; `substitute` and `replace` draw one of them per row.
        pronouns: Which pronouns are written for people who are neither men nor women (a `target`
            such as `non-binary`): `they` (themself), `they/themselves`, `xe`, `ze`, `ey` or `fae`.
        leave_facts: Whether a row is left alone that tells a bodily or legal fact ("she gave
            birth") of which most readers would take the counterfactual for a contradiction. It is
            no statement about people: trans men give birth.
        unlisted_names: What is done about people whose first name no list has, where a pronoun or
            a noun changes that may be theirs and names are read on the axis: `replace` draws them
            another name by the row, `leave` leaves the row alone, with the reason, and `keep`
            keeps the name. See `swap.unlisted_names`.
        coreference: The folder or Hub id of a model that `fair-datasets train person` wrote, which
            tells whose the pronouns are: a row is left, with the reason, in which a pronoun would
            change and its person's name stay, as the reader is not sure that it is one, or a name
            would change at one place only. None for what is sure without a model.
        consistent_by: A column that names what a row belongs to, such as a document or a
            conversation: all its rows draw the same, so that a group becomes the same one
            throughout. A row that the draw does not fit is left alone. None for draws of each
            row by itself.
        confidence: Whether to add the column `confidence` (float64): how likely it is, from 0 to 1,
            that the row is rewritten rightly, by how often the rules were right that decided. Null
            for rows that are not rewritten. See `swap.row_results`.
        min_confidence: The least confidence at which a row is rewritten, in [0, 1], such as 0.95;
            None for all. The others are left as a whole, with the reason. Refused on race and
            orientation, where the confidence does not rank rows.
        mode: `augment` (CDA): each row, then its counterfactual. `substitute` (CDS): each row
            is replaced by its counterfactual with probability `rate`. `replace`: every row is.
            `pair`: each row keeps its texts and gets its counterfactual's beside them, in the
            columns `<column>_counterfactual`; where nothing changes both are equal.
        rate: The probability of `substitute`, in [0, 1]; None for 0.5. One coin is thrown per row.
        seed: The seed of the draws, which are keyed by the row: see `fair_datasets.rows.draws`.
        id_column: A column that identifies the row; None for draws that are keyed by the texts, as
            where the id is null.
        provenance: Whether to add the columns `counterfactual` (bool) and `edits` (column, axis,
            attribute, before, after, and the offsets in both texts).
        family: Whether to add the column `family_id` (string), which a row shares with all that is
            made from it: its id, or a digest of its texts. None for in `augment` and with
            `provenance`. A column of that name that is there is kept, and copied with its row.
        keep_unchanged: Whether `augment` duplicates rows in which nothing changes, which gives
            the 2N rows of the papers.
        offsets: Columns that point into the texts by character, or paths into them, such as
            `entities[].start`: they move with the texts. See `Rewriter`.

    Raises:
        InputError: A parameter is not what it must be, or would do nothing beside the others.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> result = swap({"text": ["He is a waiter.", "It rains."], "label": [1, 0]})
        >>> result["text"], result["label"]
        (['He is a waiter.', 'She is a waitress.', 'It rains.'], [1, 1, 0])
        >>> waiter, waitress, rain = result["family_id"]
        >>> waiter == waitress != rain
        True
    """

    source: tuple[str, ...] | str | None = None
    target: tuple[str, ...] | str | None = None
    joint: bool = False
    pronouns: str = "they"
    leave_facts: bool = True
    unlisted_names: Annotated[str, OneOf(UNLISTED)] = "replace"
    consistent_by: ColumnName | None = None
    confidence: bool = False
    min_confidence: Share | None = None

    takes_several_axes: ClassVar[bool] = True
    # Whether the edits are asked for though no column states them.
    reads_edits: ClassVar[bool] = False
    # What is done for a batch and not for each row counts for less.
    default_batch_size: ClassVar[int] = 4000

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        check_pronoun_set(self.pronouns)
        if self.min_confidence is not None:
            refuse_unranked(self.axes)
        self._refuse_idle_coreference()
        for parameter in ("source", "target"):
            value = getattr(self, parameter)
            names = checks.strings(value, parameter=parameter)
            object.__setattr__(self, parameter, names if isinstance(value, list) else value)
        lexicons = [self.lexicon(axis) for axis in self.axes]
        check_directions(lexicons, self._sources, self._targets)
        if self.pronouns != "they":
            check_pronouns_written(self.pronouns, lexicons, self._sources, self._targets)

    def _refuse_idle_coreference(self) -> None:
        """Raise where a model of coreference would never be asked."""
        if self.coreference is None:
            return
        if self.unlisted_names == "keep" or self.names is False:
            other = "names=False" if self.names is False else 'unlisted_names="keep"'
            raise invalid(
                f"coreference tells which names go with the pronouns that change, but "
                f"{other} leaves names alone; leave one of them out."
            )
        if not any({"man", "woman"} <= {*self.lexicon(axis).attributes} for axis in self.axes):
            raise invalid(
                f"coreference is for an axis with men and women, but axis is "
                f"{self.axis!r}; leave it out."
            )

    @property
    def _sources(self) -> tuple[str, ...]:
        """The attributes whose terms are rewritten; none for all."""
        return checks.strings(self.source, parameter="source")

    @property
    def _targets(self) -> tuple[str, ...]:
        """The attributes that they are rewritten to; none for their counterparts."""
        return checks.strings(self.target, parameter="target")

    def plan(self, axis: str) -> dict[str, tuple[str, ...]]:
        """Return each attribute of an axis that is rewritten, with those that it may become.

        Example:
            >>> CounterfactualSwap(columns="text").plan("gender")
            {'man': ('woman',), 'woman': ('man',)}
        """
        return plan_targets(self.lexicon(axis), self._sources, self._targets)

    def other_columns(self) -> tuple[str, ...]:
        """Name the columns that are read besides the texts."""
        names = (*super().other_columns(), self.consistent_by)
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def rows(self, batch: Batch, texts: Sequence[Row]) -> Rows:
        """Return the rows of a batch, with what keys their draws.

        Example:
            >>> swap = CounterfactualSwap(columns="text", axis="religion", consistent_by="book",
            ...     mode="replace")
            >>> batch = {"text": ["A Hindu ran.", "Two Hindus met."], "book": ["a", "a"]}
            >>> swap(batch)["text"]
            ['A Christian ran.', 'Two Christians met.']
        """
        rows = super().rows(batch, texts)
        if self.consistent_by is None:
            return rows
        return rows._replace(groups=row_ids(batch, self.consistent_by))

    def log_columns(self) -> Mapping[str, Any]:
        """Name the column of confidences, if it is asked for."""
        return {CONFIDENCE: "float64"} if self.confidence else {}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write the mentions of rows with their counterparts.

        Yields:
            The number of each row in which something changes, with its counterfactual: one for each
            axis, or for all of them together.
        """
        states_edits = bool(self.provenance or self.reads_edits or self.offsets)
        is_plain = not states_edits and not self.confidence and _are_single(rows.texts)
        for group in self._groups:
            if is_plain:
                for chunk in self._swapped(rows, group):
                    row_of = chunk.chunk.row_of.tolist()
                    for number, text in chunk.edits.written():
                        yield row_of[number], Counterfactual((text,), None, log={})
                continue
            written = chain.from_iterable(
                chunk.by_text(states_edits=states_edits) for chunk in self._swapped(rows, group)
            )
            for number, parts in groupby(written, attrgetter("row")):
                new = counterfactual_of(rows.texts[number], parts, states_edits=states_edits)
                yield number, new

    def read(self, rows: Rows) -> Iterator[ReadRow]:
        """Do what `rewrite` does, and say of each row what was found in it.

        Yields:
            Each row that has a word of the axes: one for each axis, or for all of them together.

        Example:
            >>> swap = CounterfactualSwap(columns="text")
            >>> (row,) = swap.read(Rows([("Rain.",), ("He ran.",)], [None, None]))
            >>> row.number, len(row.readings[0].mentions), row.counterfactual.texts
            (1, 1, ('She ran.',))
        """
        for group in self._groups:
            entries = (each for chunk in self._swapped(rows, group) for each in chunk.readings())
            for number, several in groupby(entries, lambda each: each[0].row):
                parts, row = list(several), rows.texts[number]
                written = [each for _, each, _ in parts if each is not None]
                new = counterfactual_of(row, written, states_edits=True) if written else None
                readings = annotations_of(row, (part for part, _, _ in parts))
                yield ReadRow(number, readings, new, parts[0][2])

    def _swapped(self, rows: Rows, group: _Group) -> Iterator[Swapped]:
        """Read rows, and say how they are rewritten."""
        several = group.tables if len(group.tables) > 1 else ()

        targets = group.targets or DrawnTargets(group.axes, rows, self.seed)
        unlisted = self._unlisted(rows, group.axes, targets)
        stream = chunks(rows.texts, group.tables, whole=bool(unlisted))
        for parts in merge_split_rows(count_mentions_hook(rows.texts, group.tables, stream)):
            read, known = self._skipped(parts, group.tables, targets, unlisted)
            count_skipped(read, rows)
            for chunk in read:
                yield Swapped(chunk, swap_chunk(chunk, targets, self.pronouns, several), known)

    @uncollected()
    def _skipped(
        self, parts: Parts, tables: Sequence[TermTable], targets: RowTargets,
        unlisted: Sequence[UnlistedNames],
    ) -> tuple[Parts, Mapping[int, float]]:  # fmt: skip
        """Leave alone what cannot be rewritten, and say how likely the other rows are right."""
        read = Parts(skip_rows(chunk, targets, tables) for chunk in parts)
        if self.leave_facts:
            read = Parts(skip_stated_facts(chunk, targets, tables) for chunk in read)
        for names in unlisted:
            read = Parts(names.read(read))
            if self.coreference is not None:
                read = Parts(skip_staying_names(each, targets, names.table) for each in read)
        for table in tables:
            read = Parts(skip_repeated_names(each, targets, table) for each in read)
        return self._trusted(read, targets, tables)

    def _unlisted(
        self, rows: Rows, axes: Sequence[Axis], targets: RowTargets
    ) -> list[UnlistedNames]:
        """Return what reads the first names that no list has; nothing where they are kept."""
        if self.unlisted_names == "keep":
            return []
        persons = self.persons()
        several = (
            UnlistedNames(
                self.unlisted_names, table, targets, rows.key, self.seed, tuple(self.protect),
                lexicon.exceptions, lexicon.people, persons,
            )
            for lexicon, _, table in axes
        )  # fmt: skip
        return [names for names in several if names.is_asked]

    def _trusted(
        self, read: Parts, targets: RowTargets, tables: Sequence[TermTable]
    ) -> tuple[Parts, Mapping[int, float]]:
        """Leave the rows alone that are not trusted enough, and say how likely each is right."""
        least = self.min_confidence
        if least is None and not self.confidence:
            return read, {}
        known = confidences(read, targets, tables, self.pronouns)
        distrust = SkipCause(Reason.UNTRUSTED)
        skipped = {row: distrust for row, share in known.items() if least and share < least}
        for table in tables:
            read = Parts(skip_mentions(chunk, skipped, table.axis) for chunk in read)
        return read, known

    @property
    def _groups(self) -> Sequence[_Group]:
        """The axes by the counterfactual in which they are rewritten."""
        read = tuple(map(self.read_axis, self.axes))
        return _grouped(read, self._sources, self._targets, self.seed, joint=self.joint)


@lru_cache
def _grouped(
    read: Sequence[ReadAxis], sources: tuple[str, ...], targets: tuple[str, ...], seed: int, *,
    joint: bool,
) -> Sequence[_Group]:  # fmt: skip
    """Group axes; what is drawn of none of their rows is the same in every batch."""
    axes = [
        Axis(each.lexicon, plan_targets(each.lexicon, sources, targets), each.table)
        for each in read
    ]
    # What two axes list is read on the first, and a name has to be read with its pronoun.
    names = [axis.table.axis for axis in axes]
    if joint and {"gender", "race"} <= {*names} and names.index("race") < names.index("gender"):
        axes.insert(names.index("race"), axes.pop(names.index("gender")))
    groups = []
    for group in [axes] if joint else [[axis] for axis in axes]:
        is_drawn = any(len(options) > 1 for axis in group for options in axis.plan.values())
        fixed = chain.from_iterable(axis.targets(seed, "").items() for axis in group)
        tables = [axis.table for axis in group]
        groups.append(_Group(group, tables, None if is_drawn else dict(fixed)))
    return groups


def _are_single(rows: Sequence[Row]) -> bool:
    """Whether each row is one text, which is read at once."""
    texts = [row[0] for row in rows if len(row) == 1]
    return (
        len(texts) == len(rows) and max(map(len, filter(None, texts)), default=0) <= MAX_CHUNK_CHARS
    )
