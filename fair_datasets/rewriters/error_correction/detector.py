"""Detectors of replaced tokens: a model that says of each token whether it is the right one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.error_correction.hidden import Token
from fair_datasets.rewriters.generation.loading import load_config, load_kept
from fair_datasets.scores.batching import batches_by_length, halved
from fair_datasets.scores.models import ScoringModel
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    import torch

ELECTRA = "ElectraForPreTraining"
_CLASSIFIER = "AutoModelForTokenClassification"


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector with the way in which it is asked.

    Attributes:
        limit: How many tokens it reads at once at most, with those that the tokenizer adds.
        batch_size: How many windows it reads at once at most.
    """

    loaded: ScoringModel
    limit: int
    batch_size: int

    @classmethod
    def load(
        cls, name: str, *, revision: str | None, max_length: int, batch_size: int, owner: str
    ) -> "Detector":
        """Load a detector.

        Args:
            max_length: How many tokens it reads at once at most; fewer where it says so.
        """
        config = load_config(name, what="detector", revision=revision, owner=owner)
        is_electra = ELECTRA in (config.architectures or ())
        kind = ELECTRA if is_electra else _CLASSIFIER
        loaded = load_kept(name, kind, what="detector", revision=revision, owner=owner)
        if not is_electra and loaded.model.num_labels > 2:
            raise InputError(
                f"{owner}: {name!r} has {loaded.model.num_labels} labels for a token, but a "
                "detector has one or two, the last of which means that the token was replaced; "
                "choose another model."
            )
        if not loaded.tokenizer.is_fast:
            raise InputError(
                f"{owner}: the tokenizer of {name!r} does not say where a token stands in a text; "
                "save it with a fast tokenizer (tokenizer.json)."
            )
        detector = cls(loaded, min(max_length, loaded.limit or max_length), batch_size)
        if detector.limit <= loaded.tokenizer.num_special_tokens_to_add():
            raise InputError(
                f"{owner}: max_length is {max_length}, which leaves no room for a word beside the "
                f"tokens that the tokenizer of {name!r} adds; give a larger one."
            )
        return detector

    def tokens(self, texts: Sequence[str]) -> list[list[Token]]:
        """Say of each token of some texts whether it was replaced.

        A text that is longer than the model reads is read in windows that overlap by half; a
        token's logit is that of the window in whose middle it is most.

        Returns:
            The tokens of each text, without those that the tokenizer adds.
        """
        if not texts:
            return []
        encoded = self.loaded.tokenizer(
            list(texts), return_offsets_mapping=True, return_special_tokens_mask=True, verbose=False
        )
        names = ("input_ids", "special_tokens_mask", "offset_mapping")
        rows = [_Row.read(*found) for found in zip(*map(encoded.get, names), strict=True)]
        logits = self._logits(rows)
        # Of these the model can say nothing: special tokens, that of unknown words among them.
        unknown = frozenset(self.loaded.tokenizer.all_special_ids)
        return [
            [
                Token(start, end, None if token in unknown else float(logit))
                for token, (start, end), logit in zip(row.ids, row.offsets, own, strict=True)
                if end > start
            ]
            for row, own in zip(rows, logits, strict=True)
        ]

    def _logits(self, rows: Sequence["_Row"]) -> list[NDArray[np.float64]]:
        """Give each token of each row its logit."""
        windows = [
            (number, first, last)
            for number, row in enumerate(rows)
            for first, last in row.windows(self.limit)
        ]
        given = [rows[number].window(first, last) for number, first, last in windows]
        logits = [np.zeros(len(row.ids)) for row in rows]
        depths = [np.full(len(row.ids), -1) for row in rows]
        for place, values in self._of_windows(given):
            number, first, last = windows[place]
            start = len(rows[number].before)
            inside = _depth(first, last, len(rows[number].ids))
            is_deeper = inside > depths[number][first:last]
            new = values[start : start + last - first][is_deeper]
            logits[number][first:last][is_deeper] = new
            depths[number][first:last][is_deeper] = inside[is_deeper]
        return logits

    def _of_windows(self, given: Sequence[list[int]]) -> list[tuple[int, NDArray[np.float64]]]:
        """Return the number of each window, and its tokens' logits with the padding behind."""
        read: list[tuple[int, NDArray[np.float64]]] = []

        def run(places: list[int]) -> list[NDArray[np.float64]]:
            output, _, _ = self.loaded.run([given[place] for place in places])
            return list(_of_tokens(output.logits).double().cpu().numpy())

        with self.loaded.scoring():
            for batch in batches_by_length(list(map(len, given)), self.batch_size, None):
                interrupts.obey()
                read += halved(run, batch.tolist(), self.loaded.refuse_no_memory)
        if not all(np.isfinite(values).all() for _, values in read):
            raise InputError(
                f"{self.loaded.owner}: the outputs of the model for the texts are not finite; its "
                "training may have diverged, so choose another one."
            )
        return read


@dataclass(frozen=True, slots=True)
class _Row:
    """The tokens of a text, and those that the tokenizer puts around it."""

    before: list[int]
    ids: list[int]
    offsets: list[tuple[int, int]]
    after: list[int]

    @classmethod
    def read(
        cls, ids: list[int], added: Sequence[int], offsets: Sequence[tuple[int, int]]
    ) -> "_Row":
        """Part what a tokenizer gave for a text."""
        own = [place for place, is_added in enumerate(added) if not is_added]
        first, last = (own[0], own[-1] + 1) if own else (len(ids), len(ids))
        return cls(ids[:first], ids[first:last], list(offsets[first:last]), ids[last:])

    def windows(self, limit: int) -> Iterator[tuple[int, int]]:
        """Yield the first and the last token, exclusive, of each window."""
        room = limit - len(self.before) - len(self.after)
        step = max(1, room // 2)
        for first in range(0, len(self.ids), step):
            yield first, min(first + room, len(self.ids))
            if first + room >= len(self.ids):
                return

    def window(self, first: int, last: int) -> list[int]:
        """Return what the model reads of a window."""
        return [*self.before, *self.ids[first:last], *self.after]


def _of_tokens(logits: "torch.Tensor") -> "torch.Tensor":
    """Return one logit for each token: of two labels the difference. Shape (B, T)."""
    if logits.dim() == 2:
        return logits
    return logits[..., 0] if logits.shape[-1] == 1 else logits[..., 1] - logits[..., 0]


def _depth(first: int, last: int, length: int) -> NDArray[np.int64]:
    """Say how far each token of a window is from its borders; the ends of a text are none."""
    places = np.arange(first, last)
    left = places - first if first else np.full(len(places), length)
    right = last - 1 - places if last < length else np.full(len(places), length)
    depth: NDArray[np.int64] = np.minimum(left, right)
    return depth
