"""Batches of token ids: similar lengths together, padded per batch."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.system.checks import positive_whole_number

if TYPE_CHECKING:
    import torch

Result = TypeVar("Result")

# Bounds the memory of a batch of long texts: logits take 4 bytes per token and vocabulary entry.
MAXIMUM_TOKENS = 4_096


def batches_by_length(
    lengths: ArrayLike, batch_size: int, description: str | None
) -> Iterator[NDArray[np.intp]]:
    """Yield the rows of each batch, longest first, with a progress bar.

    Similar lengths share a batch, so that there is little padding; the longest come first, so that
    a lack of memory shows at once. Batches of long texts have fewer rows.

    Args:
        lengths: The number of tokens of each row. Shape (N,).
        description: What the progress bar says; None for no bar.
    """
    from datasets.utils import tqdm

    batch_size = positive_whole_number(
        batch_size, owner="batches_by_length", parameter="batch_size"
    )
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    with tqdm(total=order.size, desc=description, disable=description is None) as progress:
        start = 0
        while start < order.size:
            longest = max(int(sizes[order[start]]), 1)
            rows = order[start : start + max(1, min(batch_size, MAXIMUM_TOKENS // longest))]
            yield rows
            start += rows.size
            progress.update(rows.size)


def halved(
    run: Callable[[list[int]], Sequence[Result]], rows: list[int], alone: Callable[[int], Result]
) -> Iterator[tuple[int, Result]]:
    """Run a batch; where a GPU has no memory for it, its halves.

    Args:
        alone: Says what becomes of a row for which there is no memory even alone.

    Example:
        >>> list(halved(lambda rows: [10 * row for row in rows], [1, 2], alone=lambda row: 0))
        [(1, 10), (2, 20)]
    """
    import torch

    try:
        found = run(rows)
    except torch.cuda.OutOfMemoryError:
        found = None
    if found is not None:
        yield from zip(rows, found, strict=True)
        return
    # Outside of the handler, which would keep the tensors of the failed batch alive.
    torch.cuda.empty_cache()
    if len(rows) == 1:
        yield rows[0], alone(rows[0])
        return
    middle = len(rows) // 2
    yield from halved(run, rows[:middle], alone)
    yield from halved(run, rows[middle:], alone)


def padded(rows: Sequence[Sequence[int]], padding: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """Write rows of token ids as one table, padded at the end.

    Returns:
        The ids and the attention mask, which is 1 for tokens and 0 for padding. Both (B, T).
    """
    import torch

    width = max(map(len, rows))
    ids = torch.full((len(rows), width), padding)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens, dtype=torch.long)
        mask[row, : len(tokens)] = 1
    return ids, mask
