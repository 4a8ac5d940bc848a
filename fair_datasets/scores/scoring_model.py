"""A model with its tokenizer: texts in, what the model says of their tokens out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.batching import padded
from fair_datasets.system.checks import InputError, positive_whole_number, warn
from fair_datasets.system.pretrained import positions_of

if TYPE_CHECKING:
    import torch


class TruncatedTextWarning(UserWarning):
    """Texts are longer than the model reads and were cut."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as token ids.

    Attributes:
        ids: The token ids of each text, those that the tokenizer adds among them.
        special: For each id, whether the tokenizer added it, as a start or an end.
        truncated: Which texts were cut. Shape (N,).
    """

    ids: list[list[int]]
    special: list[list[bool]]
    truncated: NDArray[np.bool_]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text. Shape (N,)."""
        return np.array([len(ids) for ids in self.ids], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """A model with its tokenizer, ready to score texts.

    Attributes:
        maximum: How many tokens to read at most, beside what model and tokenizer say.
    """

    model: Any
    tokenizer: Any
    owner: str
    maximum: int | None = None

    @property
    def limit(self) -> int | None:
        """How many tokens the model reads at most, None if it does not say."""
        # Tokenizers without a limit say so by a huge number.
        limits = [
            self.maximum,
            getattr(self.tokenizer, "model_max_length", None),
            positions_of(self.model),
        ]
        known = [limit for limit in limits if limit is not None and 0 < limit < 10**9]
        return min(known, default=None)

    @property
    def padding(self) -> int:
        """The id that fills shorter rows; the attention mask hides it."""
        for token_id in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id):
            if token_id is not None:
                return int(token_id)
        return 0

    def encode(
        self, texts: Sequence[str], *, max_tokens: int | None = None, room: int = 0
    ) -> Encoded:
        """Tokenize texts; those longer than the model reads are cut, with a warning.

        Args:
            max_tokens: Cut texts to so many tokens, without a warning; None: to what the model
                reads.
        """
        if not texts:
            return Encoded([], [], np.zeros(0, dtype=bool))
        allowed = [] if self.limit is None else [self.limit - room]
        if max_tokens is not None:
            allowed.append(
                positive_whole_number(max_tokens, owner=self.owner, parameter="max_tokens")
            )
        options = {"return_special_tokens_mask": True, "verbose": False}
        whole = self.tokenizer(list(texts), **options)
        lengths = np.array([len(ids) for ids in whole["input_ids"]])
        truncated = lengths > min(allowed) if allowed else np.zeros(len(texts), dtype=bool)
        if self.limit is not None:
            self._warn_of_cuts(lengths > self.limit - room, max_tokens)
        cut = whole
        if truncated.any():
            cut = self.tokenizer(list(texts), truncation=True, max_length=min(allowed), **options)
        special = [[bool(flag) for flag in flags] for flags in cut["special_tokens_mask"]]
        return Encoded([list(ids) for ids in cut["input_ids"]], special, truncated)

    def _warn_of_cuts(self, too_long: NDArray[np.bool_], max_tokens: int | None) -> None:
        """Warn of texts that the model cannot read whole, unless shorter ones were asked for."""
        if too_long.any() and (max_tokens is None or max_tokens > (self.limit or 0)):
            warn(
                f"{self.owner}: {int(too_long.sum())} of {too_long.size} texts are longer than the "
                f"{self.limit} tokens that the model reads and were cut; the first is row "
                f"{int(np.flatnonzero(too_long)[0])}.",
                TruncatedTextWarning,
            )

    @contextmanager
    def scoring(self) -> Iterator[None]:
        """Run the model without dropout and gradients, and leave it as it was."""
        import torch

        was_training = self.model.training
        self.model.eval()
        try:
            with torch.inference_mode():
                yield
        finally:
            self.model.train(was_training)

    def refuse_no_memory(self, row: int) -> NoReturn:
        """Raise, as the GPU has no memory for a text even alone."""
        raise InputError(
            f"{self.owner}: the GPU has no memory for a text, even alone; lower max_length, free "
            "some memory, or hide the GPU with CUDA_VISIBLE_DEVICES= to run on the CPU."
        )

    def run(self, rows: Sequence[Sequence[int]]) -> "tuple[Any, torch.Tensor, torch.Tensor]":
        """Run the model on rows of token ids.

        Returns:
            The model's output, the ids (B, T) and the attention mask (B, T), on its device.
        """
        ids, mask = (table.to(self.model.device) for table in padded(rows, self.padding))
        return self.model(input_ids=ids, attention_mask=mask), ids, mask
