"""Loading a model that fills slots, of whichever kind it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.error_correction.slots import (
    Fill,
    Filled,
    Infiller,
    Part,
    Slot,
    aligned_fills,
    replaced,
)
from fair_datasets.rewriters.generation.decoding import Decoded, Decoding, decode
from fair_datasets.rewriters.generation.loading import load_cached, load_config, load_writer
from fair_datasets.rewriters.generation.writing import (
    SIGN_WRITTEN,
    between_same_spaces,
    frame_tokens,
)
from fair_datasets.scores.models import ScoringModel, batches_by_length, halved
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.system import interrupts
from fair_datasets.system.checks import invalid

KINDS = ("auto", "seq2seq", "masked")


def load_infiller(
    name: str, kind: str, *, revision: str | None, max_length: int, tokens: int, decoding: Decoding
) -> Infiller:
    """Load a model that fills slots.

    Args:
        decoding: How an encoder-decoder decodes; a masked model takes its sizes alone.
    """
    if kind == "auto":
        config = load_config(name, what="model that fills masks", revision=revision)
        kind = "seq2seq" if config.is_encoder_decoder else "masked"
    refuse_other_settings(name, kind, beams=decoding.beams, tokens=tokens)
    if kind == "seq2seq":
        loaded = load_writer(name, revision=revision)
    else:
        loaded = load_cached(
            name, "AutoModelForMaskedLM", what="masked language", revision=revision
        )
    _refuse_without_mask(loaded, name)
    limit = min(max_length, loaded.limit or max_length)
    if kind == "seq2seq":
        return WritingInfiller(loaded, limit, decoding)
    return MaskedInfiller(loaded, limit, tokens, decoding.batch_size, decoding.precision)


def refuse_other_settings(name: str, kind: str, *, beams: int, tokens: int) -> None:
    """Raise where a setting is of models of the other kind.

    Example:
        >>> refuse_other_settings("ada/bert", "masked", beams=2, tokens=1)
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: refuse_other_settings: beams is for encoder-decoders, but
        'ada/bert' is read as a masked language model; leave it out.
    """
    if kind == "masked" and beams > 1:
        raise invalid(
            f"beams is for encoder-decoders, but {name!r} is read as a masked language "
            "model; leave it out."
        )
    if kind == "seq2seq" and tokens > 1:
        raise invalid(
            f"tokens is for masked language models, but {name!r} is read as an "
            "encoder-decoder, which decides itself how many tokens it writes; leave tokens out."
        )


def _refuse_without_mask(loaded: ScoringModel, name: str) -> None:
    tokenizer = loaded.tokenizer
    if tokenizer.mask_token_id in (None, tokenizer.unk_token_id):
        raise invalid(
            f"the tokenizer of {name!r} has no mask token, so the model cannot be asked "
            "to fill a gap; choose one that was trained to fill masks, such as facebook/bart-base "
            "or bert-base-cased."
        )


# How many tokens more than it is given a model may write at least.
ROOM = 16


@dataclass(frozen=True, slots=True)
class WritingInfiller(Infiller):
    """An encoder-decoder with the way in which it is asked."""

    decoding: Decoding

    def fits(self, text: str) -> bool:
        """Whether the model reads a text at once, and can write a few tokens more."""
        return len(self._ids([text])[0]) + ROOM <= self.limit

    def fill(self, parts: Sequence[Part]) -> list[Filled]:
        """Fill the slots of parts.

        Source:
            Lewis et al. (2020), "BART", text infilling.
        """
        if not parts:
            return []
        # What was masked is a good guess of what is written.
        guesses = [
            replaced(part.text, part.slots, [slot.before or "" for slot in part.slots])[0]
            for part in parts
        ]
        sources = self._ids([part.text for part in parts])
        outputs = decode(
            self.loaded,
            sources,
            drafts=self._ids(guesses),
            limits=[self._room(len(ids)) for ids in sources],
            settings=self.decoding,
        )
        return [self._filled(part, decoded) for part, decoded in zip(parts, outputs, strict=True)]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of texts, without the white space around them."""
        ids: list[list[int]] = self.loaded.tokenizer(
            [text.strip() for text in texts], verbose=False
        )["input_ids"]
        return ids

    def _room(self, length: int) -> int:
        """Return how many tokens may be written for so many: half as many again."""
        return min(self.limit - 1, length + max(ROOM, length // 2))

    def _filled(self, part: Part, decoded: Decoded) -> Filled:
        """Return what was written for a part."""
        tokenizer, frame = self.loaded.tokenizer, frame_tokens(self.loaded)
        ids = [token for token in decoded.ids if token not in frame]
        fault = decoded.fault
        if not fault and not frozenset(ids).isdisjoint(tokenizer.all_special_ids):
            fault = SIGN_WRITTEN
        if fault:
            return Filled([Fill(None, fault)] * len(part.slots))
        written = tokenizer.decode(ids, clean_up_tokenization_spaces=False).strip()
        fills = aligned_fills(part.text, part.slots, written)
        return Filled(fills, between_same_spaces(written, part.text))


# How the tokenizers mark a token that goes on with a word, and one that begins a word.
_GOES_ON = "##"
_BEGINS = ("Ġ", "▁")


@dataclass(frozen=True, slots=True)
class MaskedInfiller(Infiller):
    """A masked language model with the way in which it is asked."""

    tokens: int
    batch_size: int
    precision: str

    def fits(self, text: str) -> bool:
        """Whether the model reads a text at once, with as many tokens as it may write."""
        ids = self._ids([text])[0]
        more = ids.count(self.loaded.tokenizer.mask_token_id) * (self.tokens - 1)
        return len(ids) + more <= self.limit

    def fill(self, parts: Sequence[Part]) -> list[Filled]:
        """Fill the slots of parts, those of one part from left to right.

        For each slot the model is asked with as many masks as it has, with twice as many, and so
        on; of the fills the one is taken that is likeliest by the mean of its tokens.
        """
        mask = self.loaded.tokenizer.mask_token_id
        rows = [
            _split_by_slots(part.slots, ids, mask)
            for part, ids in zip(parts, self._ids([part.text for part in parts]), strict=True)
        ]
        for number in range(max((len(part.slots) for part in parts), default=0)):
            asked = [k for k, part in enumerate(parts) if number < len(part.slots)]
            tries = [self._tries(parts[k], rows[k], number) for k in asked]
            self._write([one for own in tries for one in own])
            for k, own in zip(asked, tries, strict=True):
                rows[k][2 * number + 1] = max(own, key=lambda one: one.score / one.count).chosen
        decode = self.loaded.tokenizer.decode
        return [Filled([Fill(decode(ids).strip()) for ids in row[1::2]]) for row in rows]

    def _tries(self, part: Part, row: Sequence[list[int]], number: int) -> list["_Try"]:
        """Ask for one slot with one token for each mask, with two, and so on."""
        slot, at = part.slots[number], 2 * number + 1
        first = _first_tokens(self.loaded.tokenizer, part.text[: slot.start])
        before, after = list(chain(*row[:at])), list(chain(*row[at + 1 :]))
        return [
            _Try(before, after, slot.masks * times, first) for times in range(1, self.tokens + 1)
        ]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of texts."""
        if not texts:
            return []
        ids: list[list[int]] = self.loaded.tokenizer(list(texts), verbose=False)["input_ids"]
        return ids

    def _write(self, tries: Sequence["_Try"]) -> None:
        """Choose the tokens of fills, all first ones, then all second ones, and so on."""
        following = _words(self.loaded.tokenizer)[0]
        active = list(tries)
        while active:
            for one, values in self._next_tokens(active):
                allowed = following if one.chosen else one.first
                values = np.where(allowed[: len(values)], values[: len(allowed)], -np.inf)
                token = int(values.argmax())
                one.chosen.append(token)
                one.score += float(values[token])
            active = [one for one in active if len(one.chosen) < one.count]

    def _next_tokens(self, tries: Sequence["_Try"]) -> Iterator[tuple["_Try", NDArray[np.float64]]]:
        """Yield fills with the log-probability of each token as the next. Shape (V,)."""
        rows = [one.ids(self.loaded.tokenizer.mask_token_id) for one in tries]
        places = [len(one.before) + len(one.chosen) for one in tries]

        def run(batch: list[int]) -> list[NDArray[np.float64]]:
            given = [rows[k] for k in batch]
            return list(self._log_probabilities(given, [places[k] for k in batch]))

        for batch in batches_by_length(list(map(len, rows)), self.batch_size, None):
            interrupts.raise_if_interrupted()
            for k, values in halved(run, batch.tolist(), self.loaded.refuse_no_memory):
                yield tries[k], values

    def _log_probabilities(self, rows: list[list[int]], places: list[int]) -> NDArray[np.float64]:
        """Return the log-probability of each token at one place of each row. Shape (B, V)."""
        import torch

        with self.loaded.scoring(), half_precision(self.loaded.model.device, self.precision):
            logits = self.loaded.run(rows)[0].logits[torch.arange(len(rows)), places]
        log_probabilities: NDArray[np.float64] = logits.double().log_softmax(-1).cpu().numpy()
        if not np.isfinite(log_probabilities.max(axis=-1)).all():
            raise invalid(
                "the outputs of the model for the texts are not finite; its "
                "training may have diverged, so choose another one."
            )
        return log_probabilities


@dataclass(slots=True)
class _Try:
    """A slot that is filled with so many tokens.

    Attributes:
        first: Which tokens may begin the fill. Shape (V,).
    """

    before: list[int]
    after: list[int]
    count: int
    first: NDArray[np.bool_]
    chosen: list[int] = field(default_factory=list)
    score: float = 0.0

    def ids(self, mask: int) -> list[int]:
        """Return what the model reads: what was chosen, and masks for the rest."""
        masks = [mask] * (self.count - len(self.chosen))
        return [*self.before, *self.chosen, *masks, *self.after]


def _split_by_slots(slots: Sequence[Slot], ids: list[int], mask: int) -> list[list[int]]:
    """Return the tokens before the first slot, in it, behind it, in the next one, and so on."""
    row: list[list[int]] = []
    start = 0
    for slot in slots:
        first = ids.index(mask, start)
        row += ids[start:first], [mask] * slot.masks
        start = first + slot.masks
    return [*row, ids[start:]]


def _first_tokens(tokenizer: Any, before: str) -> NDArray[np.bool_]:
    """Return which tokens may begin a fill behind a text. Shape (V,)."""
    words, begins, goes_on = _words(tokenizer)
    if not before.strip() or not begins.any():
        return words & ~goes_on
    return words & (begins if before[-1].isspace() else ~begins)


@lru_cache(maxsize=2)
def _words(tokenizer: Any) -> tuple[NDArray[np.bool_], ...]:
    """Return which tokens are letters and digits alone, begin a word, and go on with one."""
    names = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = frozenset(tokenizer.all_special_ids)
    bare = [name.removeprefix(_GOES_ON).lstrip("".join(_BEGINS)) for name in names]
    words = [word.isalnum() and number not in special for number, word in enumerate(bare)]
    begins, goes_on = ([name.startswith(signs) for name in names] for signs in (_BEGINS, _GOES_ON))
    return np.array(words), np.array(begins), np.array(goes_on)
