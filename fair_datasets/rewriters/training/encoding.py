"""The rows of a training as token ids, and the order in which they are seen."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tokens = dict[str, list[int]]


def pairs_within(
    read: Sequence[str], written: Sequence[str], tokenizer: Any, max_length: int
) -> tuple[list[int], list[Tokens]]:
    """Return the token ids of rows: what the model reads, and what it is to write.

    Args:
        max_length: How many tokens either may have.

    Returns:
        The numbers of the rows that are not longer, and for each of them `input_ids`,
        `attention_mask` and `labels`.
    """
    if not read:
        return [], []
    sources, targets = tokenizer(list(read)), tokenizer(list(written))["input_ids"]
    numbers = [
        number
        for number, (source, target) in enumerate(zip(sources["input_ids"], targets, strict=True))
        if max(len(source), len(target)) <= max_length
    ]
    return numbers, [
        {
            "input_ids": sources["input_ids"][number],
            "attention_mask": sources["attention_mask"][number],
            "labels": targets[number],
        }
        for number in numbers
    ]


def decoded(ids: Sequence[Sequence[int]] | NDArray[np.int64], tokenizer: Any) -> list[str]:
    """Return the texts that a model wrote.

    Args:
        ids: The token ids of each row; those below 0 are padding.
    """
    left_out = {tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id}
    kept = [[int(one) for one in row if one >= 0 and int(one) not in left_out] for row in ids]
    texts = tokenizer.batch_decode(kept, clean_up_tokenization_spaces=False)
    return [text.strip() for text in texts]


class KeyedOrder:
    """The order of the rows in each epoch, drawn anew.

    It follows from the seed and the number of the epoch alone, so that training goes on after an
    interrupt as if there had been none. Rows of similar lengths are not put together: in sentences
    of one form a batch would hold one form, from which a small model learns worse.
    """

    def __init__(self, size: int, seed: int) -> None:
        """Begin with the first epoch."""
        self._size = size
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._size

    def set_epoch(self, epoch: int) -> None:
        """Begin an epoch."""
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers of the rows."""
        draws = np.random.default_rng([self._seed, self._epoch])
        yield from draws.permutation(self._size).tolist()
