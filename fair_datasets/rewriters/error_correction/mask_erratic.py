"""Masking the words that a detector of replaced tokens takes for wrong.

Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias
Mitigation", section on error correction; the detector is that of Clark et al. (2020), "ELECTRA".
"""

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.rows import candidates_in_rows
from fair_datasets.reader.matching.table import Digests, TermTable
from fair_datasets.rewriters.error_correction.slots import (
    SPANS,
    TRIGGERS,
    Span,
    Token,
    laid_out,
    overlaps,
    replaced,
    word_logits,
    word_spans,
)
from fair_datasets.rewriters.generation.loading import (
    check_mask,
    load_cached,
    load_config,
    refuse_changed_model,
)
from fair_datasets.rows import column_checks
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.models import ScoringModel, batches_by_length, halved
from fair_datasets.selection.thresholds import Threshold
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits, trace
from fair_datasets.system import interrupts
from fair_datasets.system.checks import counted, invalid, warn
from fair_datasets.system.pretrained import folder_files
from fair_datasets.system.validate import (
    Count,
    OneOf,
    PathOrName,
    Revision,
    validate_fields,
)
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LexicalTechnique

if TYPE_CHECKING:
    import torch
    from datasets import Features


MASK = "<mask>"
SPARED = ("inserted", "terms")
# How many words tell whether a tokenizer knows a language.
FEWEST = 20


EDITS = "edits"
"""The column in which a rewriter says what it did."""
Spans = list[list[list[Span]]]
"""Row by row and text by text, where the words are."""


@dataclass(frozen=True, kw_only=True)
class MaskErratic(LexicalTechnique):
    """Mask the words of a text that a detector of replaced tokens finds wrong, for `datasets.map`.

    The texts are masked where they stand, and the column `erratic_spans` says what was masked:
    a list with `column`, `start` and `end` in the text as it was, `word` and `logit`; null for a
    row without texts. `Infill` reads both.

    Attributes:
        columns: The text column or columns, such as `text_counterfactual`, which the swap adds in
            `mode="pair"`.
        roles: Whose texts of a conversation are read; none for everybody's.
        axis: The axis of `never_mask="terms"`: a shipped lexicon's name, or the path of a
            `.tsv` file.
        names: Whether names count as terms of the axis.
        protect: Names of people who do not count as terms of the axis.
        pipeline: A trained spaCy pipeline that is asked which words are terms of the axis.
        reader: A token classifier that is asked about names and pronouns.
        model: The folder or Hub id of a model that gives each token a logit: an ELECTRA
            discriminator, or a token classifier of one label or of two, whose last means
            "replaced". Its tokenizer must tell where a token stands.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        trigger: `any`: a word is masked if any of its tokens is above the threshold; `head`: if its
            first token is.
        threshold: The logit that has to be exceeded; of two labels their difference.
        never_mask: Words that are not masked: `inserted` for those that a swap put in, as
            `originals` or else the column `edits` tell; `terms` for those of the axis; None for
            none.
        originals: The columns with the texts before the swap, one for each of `columns`.
        mask: What is written in place of a word.
        max_length: How many tokens the model reads at once at most; fewer where it says so. Longer
            texts are read in windows that overlap.
        batch_size: How many windows the model reads at once at most.
        spare: `never_mask`, by its former name, for one release.

    Raises:
        InputError: A parameter is not what it must be, or there is no such folder.

    Example:
        >>> mask = MaskErratic(columns="text", model="google/electra-base-discriminator")
        >>> mask({"text": [None, "..."]})  # Without words, so that no model is asked.
        {'text': [None, '...'], 'erratic_spans': [None, []]}
    """

    model: PathOrName
    revision: Revision | None = None
    trigger: Annotated[str, OneOf(TRIGGERS)] = "any"
    threshold: Threshold = 0.0
    never_mask: Annotated[str, OneOf(SPARED)] | None = None
    originals: tuple[str, ...] | str = ()
    mask: str = MASK
    max_length: Count = 512
    batch_size: Count = 32
    spare: InitVar[str | None] = None

    former_names: ClassVar = {"spare": "never_mask"}

    def __post_init__(self, spare: str | None) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        if spare is not None:
            object.__setattr__(self, "never_mask", spare)
            warn("rename spare to never_mask.", FutureWarning)
        validate_fields(self)
        check_mask(self.mask)
        super().__post_init__()
        if self.originals:
            self._check_originals()

    def _check_originals(self) -> None:
        """Raise unless there is a column of originals for each of texts, and a use for them."""
        names = column_checks.one_for_each(self.originals, self.columns, parameter="originals")
        object.__setattr__(self, "originals", names)
        if self.never_mask != "inserted":
            raise invalid(
                f"originals are for never_mask='inserted', but never_mask is "
                f"{self.never_mask!r}; leave them out, or use never_mask='inserted'."
            )

    def resources(self) -> Mapping[str, Path]:
        """Name the files of a model that lies in a folder, and the lexicons where they are read."""
        files = folder_files(str(self.model))
        return {**(super().resources() if self.never_mask == "terms" else {}), **files}

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the feature of the added column of spans."""
        from datasets import List, Value

        span = {"column": "string", "start": "int64", "end": "int64", "word": "string"}
        kinds = {**span, "logit": "float64"}
        return {SPANS: List({name: Value(kind) for name, kind in kinds.items()})}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Mask the texts of a batch.

        Raises:
            InputError: A column is missing, holds something else, or would be overwritten; or the
                model cannot be read, is no detector, or has changed.
        """
        texts = self.texts(batch)
        column_checks.free([SPANS], batch)
        spared = self._never_masked(texts)
        places = [
            (number, place)
            for number, row in enumerate(texts.rows)
            for place, text in enumerate(row)
            if text and word_spans(text)
        ]
        words = self._erratic_words([texts.rows[number][place] or "" for number, place in places])
        new = [list(row) for row in texts.rows]
        logs: list[Any] = [[] if any(text is not None for text in row) else None for row in new]
        for (number, place), logits in zip(places, words, strict=True):
            text, label = texts.rows[number][place] or "", texts.labels(number)[place]
            chosen = {
                span: logit
                for span, logit in logits.items()
                if not overlaps(span, spared[number][place])
            }
            new[number][place] = replaced(text, list(chosen), [self.mask] * len(chosen))[0]
            logs[number] += [
                {"column": label, "start": start, "end": end, "word": text[start:end],
                 "logit": logit}
                for (start, end), logit in chosen.items()
            ]  # fmt: skip
        return {**laid_out(texts, new), SPANS: logs}

    def _never_masked(self, texts: RowTexts) -> Spans:
        """Find the words that are never masked."""
        if self.never_mask == "terms":
            (axis,) = self.axes
            return terms_of_axis(texts, self.table(axis), self.digests_of(axis))
        if self.never_mask is None:
            return mask_any_word(texts.rows)
        if not self.originals:
            return inserted_by_edits(texts)
        names, roles = tuple(self.originals), tuple(self.roles)
        return inserted_by_originals(texts, RowTexts.read(texts.batch, names, roles=roles))

    def _erratic_words(self, texts: Sequence[str]) -> list[dict[Span, float]]:
        """Find the words of some texts that are above the threshold, each with its logit."""
        if not texts:
            return []
        name = str(self.model)
        refuse_changed_model(name, self.digests)
        detector = Detector.load(
            name, revision=self.revision, max_length=self.max_length, batch_size=self.batch_size
        )
        words = list(map(word_spans, texts))
        logits = [
            word_logits(own, tokens, self.trigger)
            for own, tokens in zip(words, detector.tokens(texts), strict=True)
        ]
        _warn_of_unknown(logits, name)
        return [
            {
                span: logit
                for span, logit in zip(own, of_words, strict=True)
                if logit is not None and logit > self.threshold
            }
            for own, of_words in zip(words, logits, strict=True)
        ]


def _warn_of_unknown(logits: Sequence[Sequence[float | None]], name: str) -> None:
    """Warn where a tokenizer does not know most of the words that it is given."""
    values = [logit for row in logits for logit in row]
    unknown = values.count(None)
    if len(values) >= FEWEST and 2 * unknown > len(values):
        warn(
            f"the tokenizer of {name!r} does not know {unknown} of {len(values)} words, "
            "so the model cannot judge them; choose a detector for the language of the texts."
        )


def inserted_by_originals(texts: RowTexts, originals: RowTexts) -> Spans:
    """Find what a swap put in, by the originals beside its texts.

    Example:
        >>> batch = {"text": ["He ran."], "new": ["She ran."]}
        >>> new, old = (RowTexts.read(batch, [name]) for name in ("new", "text"))
        >>> inserted_by_originals(new, old)
        [[[(0, 3)]]]
    """
    spans = []
    for number, (row, old) in enumerate(zip(texts.rows, originals.rows, strict=True)):
        if len(row) != len(old):
            raise invalid(
                f"row {number} of the batch (counted from 0) has "
                f"{counted(len(row), 'text')}, but {counted(len(old), 'original')}; name in "
                "originals the columns that the swap was given."
            )
        spans.append(list(map(_put_in, old, row)))
    return spans


def inserted_by_edits(texts: RowTexts) -> Spans:
    """Find what a swap put in, by its column `edits`.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
        >>> batch = swap({"text": ["He ran."]})
        >>> inserted_by_edits(RowTexts.read(batch, ["text"]))
        [[[(0, 3)]]]
    """
    if EDITS not in texts.batch:
        raise invalid(
            f"never_mask='inserted' needs the column {EDITS!r}, which a swap adds with "
            "provenance=True, or the texts before the swap, in columns that originals names."
        )
    edits = column_checks.values(texts.batch, EDITS)
    spans = []
    for number, row in enumerate(texts.rows):
        own: dict[str, list[Span]] = {label: [] for label in texts.labels(number)}
        row_edits = [] if column_checks.is_null(edits[number]) else edits[number]
        predicted = dict(zip(own, row, strict=True))
        for edit in row_edits:
            if _column(edit) in own:
                own[edit["column"]].append(_span(edit, predicted[edit["column"]], number))
        spans.append(list(own.values()))
    return spans


def terms_of_axis(texts: RowTexts, table: TermTable, digests: Digests) -> Spans:
    """Find the words of an axis: each that its lexicon lists, whatever it means."""
    spans = mask_any_word(texts.rows)
    for number, readings in candidates_in_rows(texts.rows, table, digests, "lexicon"):
        for place, reading in enumerate(readings):
            if reading is not None:
                tokens = reading.tokens
                spans[number][place] = [
                    (tokens.starts[one.first], tokens.end(one.last)) for one in reading.mentions
                ]
    return spans


def _put_in(before: str | None, after: str | None) -> list[Span]:
    """Find what a text has that the one before has not."""
    if before is None or after is None or before == after:
        return []
    edits = trace("", aligned_edits(before, after))
    return [(edit["after_start"], edit["after_end"]) for edit in edits]


def _column(edit: Any) -> Any:
    """Return the column that an edit names; None for what is no edit."""
    return edit.get("column") if isinstance(edit, Mapping) else None


def _span(edit: Mapping[str, Any], text: str | None, number: int) -> Span:
    """Return where an edit stands in the text after it, or raise."""
    start, end = edit.get("after_start"), edit.get("after_end")
    if text is None or start is None or end is None or text[start:end] != edit.get("after"):
        raise invalid(
            f"column {EDITS!r} does not belong to the text of row {number} of the batch "
            f"(counted from 0): {column_checks.shortened(edit.get('after'))} is not there; mask "
            "the texts as the swap wrote them."
        )
    return int(start), int(end)


def mask_any_word(rows: Sequence[Sequence[str | None]]) -> Spans:
    """Spare no word.

    Example:
        >>> mask_any_word([("a", None)])
        [[[], []]]
    """
    return [[[] for _ in row] for row in rows]


ELECTRA = "ElectraForPreTraining"
_CLASSIFIER = "AutoModelForTokenClassification"


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector with the way in which it is asked."""

    loaded: ScoringModel
    limit: int
    batch_size: int

    @classmethod
    def load(
        cls, name: str, *, revision: str | None, max_length: int, batch_size: int
    ) -> "Detector":
        """Load a detector."""
        config = load_config(name, what="detector", revision=revision)
        is_electra = ELECTRA in (config.architectures or ())
        kind = ELECTRA if is_electra else _CLASSIFIER
        loaded = load_cached(name, kind, what="detector", revision=revision)
        if not is_electra and loaded.model.num_labels > 2:
            raise invalid(
                f"{name!r} has {loaded.model.num_labels} labels for a token, but a "
                "detector has one or two, the last of which means that the token was replaced; "
                "choose another model."
            )
        if not loaded.tokenizer.is_fast:
            raise invalid(
                f"the tokenizer of {name!r} does not say where a token stands in a text; "
                "save it with a fast tokenizer (tokenizer.json)."
            )
        detector = cls(loaded, min(max_length, loaded.limit or max_length), batch_size)
        if detector.limit <= loaded.tokenizer.num_special_tokens_to_add():
            raise invalid(
                f"max_length is {max_length}, which leaves no room for a word beside the "
                f"tokens that the tokenizer of {name!r} adds; give a larger one."
            )
        return detector

    def tokens(self, texts: Sequence[str]) -> list[list[Token]]:
        """Return the tokens of some texts, each with whether it was replaced.

        A text that is longer than the model reads is read in windows that overlap by half; a
        token's logit is that of the window in whose middle it is most.

        Returns:
            The tokens of each text, without those that the tokenizer adds.
        """
        if not texts:
            return []
        room = self.limit - self.loaded.tokenizer.num_special_tokens_to_add()
        step = max(1, room // 2)
        windows = self.loaded.tokenizer(
            list(texts), return_offsets_mapping=True, return_special_tokens_mask=True,
            truncation=True, max_length=self.limit, stride=room - step,
            return_overflowing_tokens=True, verbose=False,
        )  # fmt: skip
        # Of these the model can say nothing: special tokens, that of unknown words among them.
        unknown = frozenset(self.loaded.tokenizer.all_special_ids)
        # Of each text the tokens, and how far each is from the borders of its window.
        deepest: list[dict[int, tuple[int, Token]]] = [{} for _ in texts]
        numbers = [-1, *windows["overflow_to_sample_mapping"], -1]
        first = 0
        for place, logits in enumerate(self._of_windows(windows["input_ids"])):
            before, number, behind = numbers[place : place + 3]
            first = first + step if number == before else 0
            ids, offsets = windows["input_ids"][place], windows["offset_mapping"][place]
            own = [k for k, added in enumerate(windows["special_tokens_mask"][place]) if not added]
            for inside, k in enumerate(own):
                to_start = inside if number == before else len(ids)
                to_end = len(own) - 1 - inside if number == behind else len(ids)
                depth = min(to_start, to_end)
                if depth > deepest[number].get(first + inside, (-1,))[0]:
                    logit = None if ids[k] in unknown else float(logits[k])
                    deepest[number][first + inside] = (
                        depth,
                        Token(offsets[k][0], offsets[k][1], logit),
                    )
        return [[token for _, token in own.values() if token.end > token.start] for own in deepest]

    def _of_windows(self, given: Sequence[list[int]]) -> list[NDArray[np.float64]]:
        """Return the logits of each window's tokens, with those of the padding behind."""
        read: list[tuple[int, NDArray[np.float64]]] = []

        def run(places: list[int]) -> list[NDArray[np.float64]]:
            output, _, _ = self.loaded.run([given[place] for place in places])
            return list(_of_tokens(output.logits).double().cpu().numpy())

        with self.loaded.scoring():
            for batch in batches_by_length(list(map(len, given)), self.batch_size, None):
                interrupts.raise_if_interrupted()
                read += halved(run, batch.tolist(), self.loaded.refuse_no_memory)
        if not all(np.isfinite(values).all() for _, values in read):
            raise invalid(
                "the outputs of the model for the texts are not finite; its "
                "training may have diverged, so choose another one."
            )
        return [values for _, values in sorted(read, key=itemgetter(0))]


def _of_tokens(logits: "torch.Tensor") -> "torch.Tensor":
    """Return one logit for each token: of two labels the difference. Shape (B, T)."""
    if logits.dim() == 2:
        return logits
    return logits[..., 0] if logits.shape[-1] == 1 else logits[..., 1] - logits[..., 0]
