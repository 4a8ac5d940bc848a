"""Filling masks with what a model writes there, and nothing else.

Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias
Mitigation", section on error correction; the model is that of Lewis et al. (2020), "BART".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from fair_datasets.rewriters.error_correction.infillers import (
    KINDS,
    load_infiller,
    refuse_other_settings,
)
from fair_datasets.rewriters.error_correction.mask_erratic import MASK
from fair_datasets.rewriters.error_correction.slots import (
    Fill,
    Filled,
    Infiller,
    Part,
    Slot,
    bounded,
    filled,
    hidden_words,
    laid_out,
    parts_of,
    replaced,
    runs,
    spans_column,
    with_own_masks,
)
from fair_datasets.rewriters.generation.decoding import Decoding
from fair_datasets.rewriters.generation.loading import (
    check_mask,
    refuse_changed_model,
)
from fair_datasets.rewriters.generation.writing import LONG_SENTENCE, SIGN_READ
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.probes.probe import PRECISIONS
from fair_datasets.system.pretrained import folder_files
from fair_datasets.system.validate import (
    Count,
    OneOf,
    PathOrName,
    Revision,
    validate_fields,
)
from fair_datasets.technique.contract import Batch, TextTechnique

if TYPE_CHECKING:
    from datasets import Features

STATUS, FILLS = "infill_status", "infill_fills"


@dataclass(frozen=True, kw_only=True)
class Infill(TextTechnique):
    """Fill the masks of a text by a model, and change nothing else, for `datasets.map`.

    Masks with nothing but white space between them are one slot, and are filled together, with as
    many words as the model likes, or with none. A text without a mask is never shown to a model.
    A slot that cannot be filled gets back the words that were masked. Two columns say so:
    `infill_status` (`filled`; `partly`; `kept`, where every slot got its words back; `left`, where
    a mask is left because nothing says what it hid; null for a row without masks) and
    `infill_fills`, a list with `column`, `start` and `end` in the new text, `before`, `after` and
    `fault` of each slot.

    Attributes:
        columns: The text column or columns.
        roles: Whose texts of a conversation are read; none for everybody's.
        model: The folder or Hub id of an encoder-decoder that fills masks, such as BART, or of a
            masked language model, such as BERT.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        kind: `seq2seq` for an encoder-decoder, `masked` for a masked language model, `auto` for
            what the model says it is.
        strict: Whether only the masks may change; else an encoder-decoder's text is taken as it is.
        spans: The column that says what was masked, with offsets; None for `erratic_spans` where it
            is there. Without one all masks of a text are filled; with one those alone that it tells
            of, and a text with others is left.
        mask: What stands in the texts for a mask; the model is given its own.
        beams: How many beams an encoder-decoder has; 1 for greedy decoding.
        tokens: How many tokens a masked language model may write for a mask; it is asked for each
            number up to this, and the likeliest fill is taken, by token.
        words: How many words may be written for a mask at most, where `strict`; a slot for which
            the model writes more gets its words back.
        max_length: How many tokens the model reads, and writes, at most; fewer where it says so.
            Longer texts are split where sentences end.
        batch_size: How many texts the model reads at once at most.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.

    Raises:
        InputError: A parameter is not what it must be, or there is no such folder.

    Example:
        >>> fill = Infill(columns="text", model="facebook/bart-base")
        >>> fill({"text": ["It rains."]})  # Without a mask, so that no model is asked.
        {'text': ['It rains.'], 'infill_status': [None], 'infill_fills': [[]]}
    """

    model: PathOrName
    revision: Revision | None = None
    kind: Annotated[str, OneOf(KINDS)] = "auto"
    strict: bool = True
    spans: ColumnName | None = None
    mask: str = MASK
    beams: Count = 1
    tokens: Count = 1
    words: Count = 8
    max_length: Count = 512
    batch_size: Count = 16
    precision: Annotated[str, OneOf(PRECISIONS)] = "auto"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the model's files."""
        validate_fields(self)
        check_mask(self.mask)
        refuse_other_settings(str(self.model), self.kind, beams=self.beams, tokens=self.tokens)
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the files of a model that lies in a folder."""
        return folder_files(str(self.model))

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the features of the added columns, which tell what was done."""
        from datasets import List, Value

        names = {name: Value("string") for name in ("column", "before", "after", "fault")}
        places = {name: Value("int64") for name in ("start", "end")}
        return {STATUS: Value("string"), FILLS: List({**names, **places})}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Fill the masks of a batch.

        Raises:
            InputError: A column is missing, holds something else, or would be overwritten; the
                spans are of other texts or columns; or the model cannot be read, lacks a mask, or
                has changed.
        """
        texts = self.texts(batch)
        column_checks.free([STATUS, FILLS], batch)
        gaps = list(self._gaps(texts))
        new = [list(row) for row in texts.rows]
        logs: list[list[dict[str, Any]]] = [[] for _ in new]
        for gap, (text, log) in zip(gaps, self._closed(gaps), strict=True):
            new[gap.row][gap.place] = text
            label = texts.labels(gap.row)[gap.place]
            logs[gap.row] += [{"column": label, **slot} for slot in log]
        return {**laid_out(texts, new), STATUS: list(map(_status, logs)), FILLS: logs}

    def _gaps(self, texts: RowTexts) -> Iterator["_Gap"]:
        """Yield the texts that have masks, with their slots."""
        column = spans_column(texts, self.spans)
        known = hidden_words(texts, column, self.mask)
        for number, row in enumerate(texts.rows):
            for place, text in enumerate(row):
                masks = [] if text is None else known(number, place, text)
                if text and masks:
                    # Beside those that spans tell of, any other is a word of the text.
                    is_word = column is not None and any(word is None for _, word in masks)
                    yield _Gap(number, place, text, runs(text, masks), is_word)

    def _closed(self, gaps: Sequence["_Gap"]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield what becomes of texts with masks, and what is said of each slot."""
        if not gaps:
            return
        infiller = self._infiller()
        asked = [self._parts(gap, infiller) for gap in gaps]
        answers = iter(
            infiller.fill([part for row in asked if isinstance(row, list) for part in row])
        )
        for gap, row in zip(gaps, asked, strict=True):
            if isinstance(row, str):
                yield _written(gap, [Fill(None, row)] * len(gap.slots))
                continue
            answered = [next(answers) for _ in row]
            fills = [fill for answer in answered for fill in answer.fills]
            if self.strict or any(answer.written is None for answer in answered):
                pairs = zip(fills, gap.slots, strict=True)
                yield _written(gap, [bounded(fill, slot, self.words) for fill, slot in pairs])
            else:
                yield _rewritten(gap, with_own_masks(gap.text, gap.slots, infiller.mask).text,
                                 list(zip(row, answered, strict=True)), fills)  # fmt: skip

    def _infiller(self) -> Infiller:
        """Load the model, and raise where it does not fit."""
        name = str(self.model)
        refuse_changed_model(name, self.digests)
        decoding = Decoding(beams=self.beams, batch_size=self.batch_size, precision=self.precision)
        return load_infiller(
            name,
            self.kind,
            revision=self.revision,
            max_length=self.max_length,
            tokens=self.tokens,
            decoding=decoding,
        )

    def _parts(self, gap: "_Gap", infiller: Infiller) -> list[Part] | str:
        """Return what the model is given for a text; or why it is given nothing."""
        bare = replaced(gap.text, gap.slots, [""] * len(gap.slots))[0]
        if gap.has_sign or any(sign in bare for sign in (self.mask, *infiller.signs)):
            return SIGN_READ
        parts = parts_of(with_own_masks(gap.text, gap.slots, infiller.mask), infiller.fits)
        return LONG_SENTENCE if parts is None else parts


class _Gap(NamedTuple):
    """A text with slots.

    Attributes:
        has_sign: Whether one of its masks was there before, so that it is none to be filled.
    """

    row: int
    place: int
    text: str
    slots: Sequence[Slot]
    has_sign: bool


def _written(gap: _Gap, fills: Sequence[Fill]) -> tuple[str, list[dict[str, Any]]]:
    """Write fills in the slots of a text; where there is a fault, the words that were masked."""
    words = [
        fill.text if fill.text is not None else slot.before
        for slot, fill in zip(gap.slots, fills, strict=True)
    ]
    masks = [gap.text[slot.start : slot.end] for slot in gap.slots]
    text, places = filled(
        gap.text,
        gap.slots,
        [mask if word is None else word for word, mask in zip(words, masks, strict=True)],
    )
    return text, [
        {"start": start, "end": end, "before": slot.before, "after": word and text[start:end],
         "fault": fill.fault or None}
        for slot, fill, word, (start, end) in zip(gap.slots, fills, words, places, strict=True)
    ]  # fmt: skip


def _rewritten(
    gap: _Gap, given: str, parts: Sequence[tuple[Part, Filled]], fills: Sequence[Fill]
) -> tuple[str, list[dict[str, Any]]]:
    """Write what the model wrote in the place of the parts that it was given."""
    pieces: list[str] = []
    position = 0
    for part, answer in parts:
        pieces += given[position : part.start], answer.written or ""
        position = part.start + len(part.text)
    return "".join([*pieces, given[position:]]), [
        {"start": None, "end": None, "before": slot.before, "after": fill.text, "fault": None}
        for slot, fill in zip(gap.slots, fills, strict=True)
    ]


def _status(log: Sequence[Mapping[str, Any]]) -> str | None:
    """Return in a word what became of the masks of a row."""
    if not log:
        return None
    if any(slot["after"] is None and slot["start"] is not None for slot in log):
        return "left"
    has_fault = [bool(slot["fault"]) for slot in log]
    return "kept" if all(has_fault) else "partly" if any(has_fault) else "filled"
