"""What a new model is taught first: to write a text of which some tokens are masked.

A model with random weights that is trained on few pairs learns to copy, and little else; one that
fills gaps knows which words go together.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fair_datasets.rewriter_training.encoding import Tokens


class Denoising(Sequence[Tokens]):
    """Texts with gaps, each several times with other gaps, which follow from the seed alone."""

    def __init__(
        self, texts: Sequence[Sequence[int]], *, copies: int, mask: int, share: float = 0.3,
        seed: int = 0,
    ) -> None:  # fmt: skip
        """Take the texts.

        Args:
            texts: Their token ids, between a sign for the beginning and one for the end.
            copies: How often each is seen.
            mask: The token that stands for a gap of one token.
            share: The share of the tokens that are masked.
            seed: The seed of the draws.
        """
        self._texts = texts
        self._copies = copies
        self._mask = mask
        self._share = share
        self._seed = seed

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._texts) * self._copies

    def __getitem__(self, place: Any) -> Any:
        """Return a row."""
        copy, number = divmod(place, len(self._texts))
        ids = np.asarray(self._texts[number])
        draws = np.random.default_rng([self._seed, copy, number])
        gaps = draws.random(len(ids)) < self._share
        gaps[[0, -1]] = False
        read = np.where(gaps, self._mask, ids).tolist()
        return {"input_ids": read, "attention_mask": [1] * len(read), "labels": ids.tolist()}

    def __iter__(self) -> Iterator[Tokens]:
        """Yield the rows."""
        return (self[place] for place in range(len(self)))
