"""The base of all rewriters: what becomes of the rows, whatever it is that rewrites their texts."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.column_checks import ColumnName, shortened
from fair_datasets.rows.draws import FAMILY, family_id, row_ids
from fair_datasets.rows.json_texts import JsonText
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.rows.text_fields import (
    counterfactual_column,
    field_columns,
    is_there,
    text_field,
)
from fair_datasets.swap.rewriting.counterfactuals import (
    PROVENANCE,
    Counterfactual,
    Rows,
    apply_edits,
    provenance_features,
    state_provenance,
)
from fair_datasets.swap.rewriting.offsets import (
    Offsets,
    checked_offsets,
    offset_paths,
    warn_of_stale,
)
from fair_datasets.swap.rewriting.skipped import count_other_skips
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, typed
from fair_datasets.system.validate import Whole, validate_fields
from fair_datasets.technique.contract import (
    Batch,
    TextTechnique,
    caller,
    refuse_transform,
    unread,
)

if TYPE_CHECKING:
    from datasets import Features


def pair_rows(
    batch: Batch,
    texts: RowTexts,
    rewritten: Mapping[int, Sequence[Counterfactual]],
    offsets: Offsets,
) -> dict[str, list[Any]]:
    """Put the counterfactual texts of each row beside its own.

    Example:
        >>> batch = {"t": ["He", "It"]}
        >>> texts = RowTexts.read(batch, ["t"])
        >>> pair_rows(batch, texts, {0: [Counterfactual(("She",))]}, Offsets((), texts))
        {'t': ['He', 'It'], 't_counterfactual': ['She', 'It']}
    """
    result = {column: list(values) for column, values in batch.items()}
    new = {name: list(batch[name]) for name in offsets.columns}
    new |= {column: list(values) for column, values in texts.columns.items()}
    for number, variants in rewritten.items():
        values = {name: new[name][number] for name in offsets.columns}
        values |= texts.written(number, variants[0].texts)
        for column, value in {**values, **offsets.moved(number, variants[0], values)}.items():
            new[column][number] = value
    return {**result, **{counterfactual_column(name): values for name, values in new.items()}}


def replaced_rows(
    rows: Sequence[Row], rewritten: Mapping[int, Sequence[Counterfactual]]
) -> tuple[Sequence[int], dict[int, Counterfactual]]:
    """Return which rows a result has if counterfactuals take the place of their origins.

    Returns:
        The number of each row's origin, and by the number in the result the rows that are
        rewritten.
    """
    return range(len(rows)), {number: variants[0] for number, variants in rewritten.items()}


def augmented_rows(
    rows: Sequence[Row],
    rewritten: Mapping[int, Sequence[Counterfactual]],
    *,
    keep_unchanged: bool = False,
) -> tuple[Sequence[int], dict[int, Counterfactual]]:
    """Return which rows a result has if each row is followed by its counterfactuals."""
    origins: list[int] = []
    changed: dict[int, Counterfactual] = {}
    for number, row in enumerate(rows):
        origins.append(number)
        variants = rewritten.get(number)
        if variants is None:
            variants = [Counterfactual(row)] if keep_unchanged else []
        for new in variants:
            changed[len(origins)] = new
            origins.append(number)
    return origins, changed


def lay_out(
    batch: Batch, texts: RowTexts, origins: Sequence[int], changed: Mapping[int, Counterfactual]
) -> dict[str, list[Any]]:
    """Write the columns of a batch for the rows of a result."""
    result: dict[str, list[Any]] = {}
    for column in batch:
        values = texts.columns.get(column)
        values = batch[column] if values is None else values
        result[column] = [values[k] for k in origins]
    if texts.is_flat:
        for place, field in enumerate(texts.fields):
            written = result[field.column]
            for number, new in changed.items():
                written[number] = new.texts[place]
        return result
    for number, new in changed.items():
        for column, value in texts.written(origins[number], new.texts).items():
            result[column][number] = value
    return result


TOKENS_CHANGE = "its tokens would become more or fewer, so that their tags would not fit"
"""Why a row stays whose texts are lists of tokens."""
JSON_CHANGES = "the JSON in it would no longer have the same form"
"""Why a conversation stays in which tools are called."""


def keep_forms(
    texts: RowTexts, rewrites: Mapping[int, Sequence[Counterfactual]]
) -> tuple[dict[int, list[Counterfactual]], dict[int, str]]:
    """Keep the number of tokens in lists of them, and the keys and the form of JSON.

    Returns:
        The counterfactuals that do so, without changes of keys; and the rows that have none then,
        with the reason.
    """
    if texts.is_flat:
        return {number: list(several) for number, several in rewrites.items()}, {}
    fitting: dict[int, list[Counterfactual]] = {}
    skipped: dict[int, str] = {}
    for number, several in rewrites.items():
        origins = texts.origins(number)
        if all(isinstance(origin, str | None) for origin in origins):
            fitting[number] = list(several)
            continue
        for new in several:
            in_form = _in_form(new, texts.rows[number], origins)
            if isinstance(in_form, str):
                skipped[number] = in_form
            elif in_form.texts != texts.rows[number]:
                fitting.setdefault(number, []).append(in_form)
    return fitting, {number: reason for number, reason in skipped.items() if number not in fitting}


def _in_form(new: Counterfactual, row: Row, origins: Sequence[Any]) -> Counterfactual | str:
    """Return a counterfactual without changes of keys; or why it does not keep a form."""
    written, edits = list(new.texts), list(new.edits_from(row))
    for place, (origin, before) in enumerate(zip(origins, row, strict=True)):
        if isinstance(origin, JsonText) and edits[place]:
            spans = origin.key_spans
            edits[place] = [
                edit
                for edit in edits[place]
                if not any(edit.start < end and start < edit.end for start, end in spans)
            ]
            written[place] = apply_edits(before or "", edits[place])
            if origin.strings_of(written[place] or "") is None:
                return JSON_CHANGES
        elif not isinstance(origin, JsonText | str | None) and any(
            edit.before.count(" ") != edit.after.count(" ") for edit in edits[place]
        ):
            return TOKENS_CHANGE
    return new._replace(texts=tuple(written), edits=edits)


ROW_BY_ROW = ("substitute", "replace", "pair")
"""The modes that give one row for each row."""
MODES = ("augment", *ROW_BY_ROW)
Logs = Mapping[int, Mapping[str, Any]]
_TEXT = {str}


@dataclass(frozen=True, kw_only=True)
class Rewriter(TextTechnique):
    """A technique that rewrites the texts of rows; a subclass defines `rewrite`.

    What becomes of the rows is the same for all of them, and is done here: modes, draws, nested
    texts, provenance, and columns of the subclass's own (`log_columns`).

    Attributes:
        columns: The text column or columns; those of one row are rewritten together. Texts inside
            lists and objects are named by a path, such as `messages[].content`.
        roles: Whose texts of a conversation are rewritten; none for everybody's.
        mode: `augment`: each row, then its counterfactuals. `substitute`: each row is replaced by
            its counterfactual with probability `rate`. `replace`: every row is. `pair`: each row
            keeps its texts and gets its counterfactual's beside them, in the columns
            `<column>_counterfactual`. Of several counterfactuals all but `augment` draw one.
        rate: The probability of `substitute`, in [0, 1], for which None is 0.5; one coin per row.
        seed: The seed of the draws, which are keyed by the row: see `fair_datasets.rows.draws`.
        id_column: A column that identifies the row; None to key the draws by the texts, as where
            the id is null.
        provenance: Whether to add the columns `counterfactual` (bool) and `edits` (column, axis,
            attribute, before, after, and the offsets in both texts).
        family: Whether to add the column `family_id` (string), which a row shares with all that is
            made from it: its id, or a digest of its texts. None for in `augment` and with
            `provenance`. A column of that name that is there is kept, and copied with its row.
        keep_unchanged: Whether `augment` duplicates rows in which nothing changes.
        offsets: Columns that point into the texts by character, or paths into them: starts, ends
            (behind the last character) or pairs of both, such as `entities[].start` or `spans[]`.
            They move with the texts; those of a span of which a border lies within a change are
            null. Of several columns of texts, `PATH=COLUMN` or a mapping says into which.
        counted: Those of the `log_columns` whose values a card counts. The same for all of a class.
        modes: Which modes there are. The same for all of a class.

    Example:
        >>> from dataclasses import dataclass, replace
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Formal(Rewriter):
        ...     def rewrite(self, rows):
        ...         for number, texts in enumerate(rows.texts):
        ...             new = tuple(text and text.replace("Hi", "Good day") for text in texts)
        ...             yield number, Counterfactual(new)
        >>> Formal(columns="text", family=False)({"text": ["Hi, Ada!", "Rain.", None]})
        {'text': ['Hi, Ada!', 'Good day, Ada!', 'Rain.', None]}
    """

    mode: str = "augment"
    rate: float | None = None
    seed: Whole = 0
    id_column: ColumnName | None = None
    provenance: bool = False
    family: bool | None = None
    keep_unchanged: bool = False
    offsets: tuple[str, ...] | str | Mapping[str, str] = ()

    reads: ClassVar[tuple[str, ...]] = ("columns",)
    counted: ClassVar[tuple[str, ...]] = ()
    modes: ClassVar[tuple[str, ...]] = MODES

    def __post_init__(self) -> None:
        """Check the parameters."""
        checks.one_of(self.mode, self.modes, parameter="mode")
        validate_fields(self)
        object.__setattr__(self, "rate", self._checked_rate())
        if self.keep_unchanged and self.mode != "augment":
            raise invalid(
                f"keep_unchanged is for mode='augment', because mode={self.mode!r} keeps "
                "every row; leave it out."
            )
        if self.provenance and self.mode == "pair":
            raise invalid(
                f"{typed('provenance')} tells what was done to a row, but {typed('mode', 'pair')} "
                f"leaves each as it is; use {typed('mode', 'replace')} for the edits."
            )
        super().__post_init__()
        offsets = checked_offsets(self.offsets, tuple(self.columns))
        object.__setattr__(self, "offsets", offsets)

    def _checked_rate(self) -> float | None:
        """Return the probability of `substitute`, and None for the other modes; or raise."""
        if self.rate is None:
            return 0.5 if self.mode == "substitute" else None
        rate = checks.fraction(self.rate, parameter="rate")
        if self.mode != "substitute":
            raise invalid(
                f"{typed('rate')} is the probability of {typed('mode', 'substitute')}, but "
                f"{typed('mode')} is {self.mode!r}; leave it out, or choose that mode."
            )
        return rate

    @abstractmethod
    def rewrite(self, rows: Rows) -> Iterable[tuple[int, Counterfactual]]:
        """Rewrite the texts of rows: those of a whole batch, of which `substitute` drew some.

        What a row becomes depends on its texts, its key and the configuration alone, not on the
        rows beside it.

        Returns:
            The numbers of the rows that have counterfactuals, each with one; a row that has several
            is there as often. A row that is left out, or whose texts all stay, has none.
        """

    def chosen(self, batch: Batch) -> Sequence[int] | None:
        """Choose the rows that may be rewritten at all, by their other columns.

        Returns:
            Their numbers, in order; None, as here, for all. The others stay as they are.
        """
        return None

    def fitting(
        self, texts: RowTexts, rows: Rows, rewrites: dict[int, list[Counterfactual]]
    ) -> dict[int, list[Counterfactual]]:
        """Choose the counterfactuals that may be written, by what the columns of the row become.

        Args:
            texts: The texts of the rows, and the way back into their columns.
        """
        return rewrites

    def added_rows(self, before: int, after: int) -> int:
        """Return how many counterfactuals a result has, in a mode that is not row by row.

        Returns:
            How many; here as many as there are more rows.
        """
        return after - before

    def other_columns(self) -> tuple[str, ...]:
        """Name the columns that are read besides the texts.

        Returns:
            The column of ids, if there is one; a rewriter that chooses rows adds what it goes by.
        """
        return () if self.id_column is None else (self.id_column,)

    def log_columns(self) -> Mapping[str, Any]:
        """Name the columns that the rewriter adds, to say what was done to each row.

        Returns:
            The name of each column to the type of its values, such as `string` or `bool`; a list of
            one type, or a mapping of names to types. The values are null for a row that was not to
            be rewritten, as the originals of `augment` whose counterfactual stands beside them.
        """
        return {}

    def added_columns(self, existing: Iterable[str]) -> list[str]:
        """Name all columns that are added.

        Raises:
            InputError: A column of texts is not there.
        """
        names = list(existing)
        family = [FAMILY] if self._adds_family(names) else []
        provenance = PROVENANCE if self.provenance else ()
        return [*self.twin_columns(names), *family, *provenance, *self.log_columns()]

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the features of the added columns: see `added_columns`."""
        from datasets import Value

        added = {new: features[column] for new, column in self.twin_columns(features).items()}
        added |= {FAMILY: Value("string")} if self._adds_family(features) else {}
        added |= provenance_features() if self.provenance else {}
        return {**added, **_feature(self.log_columns())}

    def twin_columns(self, existing: Iterable[str]) -> dict[str, str]:
        """Return the columns of counterfactuals that `pair` adds, each with that of the texts."""
        if self.mode != "pair":
            return {}
        names = list(existing)
        columns = [text_field(name, names).column for name in self.columns]
        columns += self._offset_columns(names)
        return {counterfactual_column(column): column for column in columns}

    def input_columns(self, existing: Sequence[str]) -> Sequence[str]:
        """Name the columns of the texts, those that are read besides, and that of families."""
        named = [name for name in (*self.other_columns(), FAMILY) if name in existing]
        return [*super().input_columns(existing), *named, *self._offset_columns(existing)]

    def _offset_columns(self, existing: Iterable[str]) -> list[str]:
        """Name the columns of offsets that are there."""
        known = list(existing)
        paths = [path for path in offset_paths(tuple(self.offsets)) if is_there(path, known)]
        return field_columns(paths, known)

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Rewrite a batch."""
        if self.mode not in ROW_BY_ROW:
            refuse_transform(self.mode)
        return self._processed(batch, None)

    def at_epoch(self, epoch: int) -> Self:
        """Return the technique with the draws of an epoch of a training.

        Ask the technique that you made, and not the one of another epoch.

        Returns:
            The same with another seed, which depends on the seed and the epoch; of epoch 0 itself.

        Raises:
            InputError: The number is no whole number, or below 0.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> swap = CounterfactualSwap(columns="text", mode="substitute")
            >>> [swap.at_epoch(epoch)({"text": ["He ran."]})["text"][0] for epoch in range(4)]
            ['He ran.', 'She ran.', 'He ran.', 'She ran.']
        """
        number = checks.whole_number(epoch, parameter="epoch", least=0)
        if not number:
            return self
        return replace(self, seed=int(draws.row_key([self.seed, "epoch", number])[:12], 16))

    def skip_reasons(self, batch: Batch) -> dict[int, str]:
        """Return why rows whose texts could be rewritten are left.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> swap = CounterfactualSwap(columns="tokens", target="non-binary")
            >>> tokens = [["She", "left", "."], ["The", "policeman", "left", "."]]
            >>> swap.skip_reasons({"tokens": tokens})
            {1: 'its tokens would become more or fewer, so that their tags would not fit'}
        """
        texts = self.texts(batch)
        if texts.is_flat:
            return {}
        rows = self.rows(batch, texts.rows)
        return keep_forms(texts, self._select_counterfactuals(rows, self.chosen(batch))[0])[1]

    def left(self, batch: Batch) -> dict[int, str]:
        """Return `skip_reasons`, by its former name, for one release."""
        checks.warn("rename left to skip_reasons.", FutureWarning)
        return self.skip_reasons(batch)

    def leave(self, batch: Batch) -> dict[str, list[Any]]:
        """Leave the rows of a batch as they are, beside others that are rewritten.

        Raises:
            InputError: As for `process`.

        Example:
            >>> from fair_datasets import CounterfactualSwap
            >>> CounterfactualSwap(columns="text", provenance=True).leave({"text": ["He ran."]})
            {'text': ['He ran.'], 'family_id': ['ed573d36d13a125ed076928f887166df'],
            'counterfactual': [False], 'edits': [[]]}
        """
        given = unread(batch, is_theirs=bool(caller()))
        table: dict[str, list[Any]] = self._processed_by(partial(self._processed, chosen=()), given)
        return table

    def _processed(self, batch: Batch, chosen: Sequence[int] | None) -> dict[str, list[Any]]:
        """Rewrite the chosen rows of a batch; where none are chosen yet, by `chosen`."""
        texts = self.texts(batch)
        rows = self.rows(batch, texts.rows)
        column_checks.free(self.added_columns(batch), batch)
        rewrites, logs = self._select_counterfactuals(
            rows, self.chosen(batch) if chosen is None else chosen
        )
        rewrites, skipped = keep_forms(texts, rewrites)
        count_other_skips(skipped, rows)
        rewrites = self.fitting(texts, rows, rewrites)
        offsets = Offsets(tuple(self.offsets), texts)
        warn_of_stale(texts, rewrites, offset_paths(tuple(self.offsets)))
        if self.mode == "pair":
            every = range(len(texts.rows))
            result = pair_rows(batch, texts, rewrites, offsets) | self._families(batch, rows, every)
            return result | self._log(every, {k: rewrites[k][0] for k in rewrites}, logs)
        if self.mode == "augment" and chosen is None:
            places = augmented_rows(texts.rows, rewrites, keep_unchanged=self.keep_unchanged)
        else:
            places = replaced_rows(texts.rows, rewrites)
        result = lay_out(batch, texts, *places)
        for number, new in places[1].items() if offsets.columns else ():
            values = {name: result[name][number] for name in offsets.columns}
            for name, value in offsets.moved(places[0][number], new, values).items():
                result[name][number] = value
        result |= self._families(batch, rows, places[0])
        if self.provenance:
            result |= state_provenance(texts, *places)
        return result | self._log(*places, logs)

    def rows(self, batch: Batch, texts: Sequence[Row]) -> Rows:
        """Return the rows of a batch, with what keys their draws.

        Raises:
            InputError: A column is missing, or its ids could not be told apart.
        """
        ids = row_ids(batch, self.id_column) if self.id_column else None
        return Rows(texts, ids or [None] * len(texts))

    def _adds_family(self, existing: Iterable[str]) -> bool:
        """Whether the column of families is asked for, and not there yet."""
        wanted = self.family
        if wanted is None:
            wanted = self.mode not in ROW_BY_ROW or self.provenance
        return wanted and FAMILY not in existing

    def _families(self, batch: Batch, rows: Rows, origins: Sequence[int]) -> dict[str, list[str]]:
        """Write the column of families for the rows of a result."""
        if not self._adds_family(batch):
            return {}
        names = [family_id(own, texts) for own, texts in zip(rows.ids, rows.texts, strict=True)]
        return {FAMILY: [names[origin] for origin in origins]}

    def _select_counterfactuals(
        self, rows: Rows, chosen: Sequence[int] | None
    ) -> tuple[dict[int, list[Counterfactual]], Logs]:
        """Return the counterfactuals that are written, and what is said of rows without any."""
        wanted: Sequence[int] = range(len(rows.texts)) if chosen is None else chosen
        if self.rate is not None:
            coin = partial(draws.uniform, self.seed, purpose="substitute")
            wanted = [number for number in wanted if coin(rows.key(number)) < self.rate]
        asked = rows if len(wanted) == len(rows.texts) else rows.take(wanted)
        rewrites: dict[int, list[Counterfactual]] = {}
        logs: dict[int, Mapping[str, Any]] = {}
        for place, new in self.rewrite(asked):
            if not (type(place) is int and 0 <= place < len(wanted)):
                raise self._wrong(
                    f"{place!r} as a row's number",
                    f"it was given {checks.counted(len(wanted), 'row')}",
                )
            number = wanted[place]
            self._refuse_other_texts(new, rows.texts[number])
            if new.texts != rows.texts[number]:
                rewrites.setdefault(number, []).append(new)
            elif new.log:
                logs.setdefault(number, new.log)
        if self.mode == "augment":
            return rewrites, logs
        for number, several in rewrites.items():
            if several[1:]:
                rewrites[number] = [draws.choice(several, self.seed, rows.key(number), "axis")]
        return rewrites, logs

    def _refuse_other_texts(self, new: Counterfactual, row: Row) -> None:
        """Raise unless a counterfactual has a text for each text of its row.

        Whoever writes a rewriter makes such mistakes, and rows would be doubled or lost by them.
        """
        texts = new.texts
        if type(texts) is not tuple:
            raise self._wrong(f"{shortened(texts)} as the texts of a row", "give a tuple of them")
        if len(texts) != len(row):
            advice = "give one for each, those that stay included"
            raise self._wrong(f"{len(texts)} texts for a row of {len(row)}", advice)
        if {*map(type, texts)} != _TEXT or None in row:
            for text, before in zip(texts, row, strict=True):
                if not isinstance(text, str | None):
                    advice = "give strings, and None to lose a text"
                    raise self._wrong(f"{shortened(text)} as a text", advice)
                if before is None and text is not None:
                    raise self._wrong(f"{shortened(text)} for a null", "give None for it")

    def _wrong(self, what: str, advice: str) -> checks.InputError:
        """Return the error for something that `rewrite` must not give."""
        return invalid(f"rewrite gave {what}; {advice}.")

    def _log(
        self, origins: Sequence[int], changed: Mapping[int, Counterfactual], logs: Logs
    ) -> dict[str, list[Any]]:
        """Write the rewriter's own columns for the rows of a result."""
        names = self.log_columns()
        if not names:
            return {}
        records = [
            (changed[number].log if number in changed else None) or logs.get(origin, {})
            for number, origin in enumerate(origins)
        ]
        return {name: [log.get(name) for log in records] for name in names}


def _feature(kind: Any) -> Any:
    """Return the feature of a type as `log_columns` states it."""
    from datasets import List, Value

    if isinstance(kind, str):
        return Value(kind)
    if isinstance(kind, Mapping):
        return {name: _feature(inner) for name, inner in kind.items()}
    return List(_feature(kind[0]))
