"""The rows of a perturber's training as token ids."""

from typing import TYPE_CHECKING, Any

from fair_datasets.generation.controls import Control
from fair_datasets.rewriter_training.encoding import Tokens, pairs_within

if TYPE_CHECKING:
    from datasets import Dataset


def encoded(
    rows: "Dataset", tokenizer: Any, control: Control, max_length: int
) -> tuple[list[int], list[Tokens]]:
    """Return the token ids of rows: what the model reads, and what it is to write.

    Args:
        rows: The rows, in the format of PANDA.
        tokenizer: The tokenizer.
        control: How the model is told what to do.
        max_length: How many tokens either may have.

    Returns:
        The numbers of the rows that are not longer, and for each of them `input_ids`,
        `attention_mask` and `labels`.
    """
    asked = zip(rows["selected_word"], rows["target_attribute"], rows["original"], strict=True)
    read = [control.written(word, target, [text]) for word, target, text in asked]
    return pairs_within(read, rows["perturbed"][:], tokenizer, max_length)
