"""The training, validation and test rows of a generator, which have no pair of texts in common."""

from typing import TYPE_CHECKING

from fair_datasets.rewriter_training.generator.config import GeneratorConfig
from fair_datasets.rewriter_training.parallel import COUNTERFACTUAL, ParallelConfig
from fair_datasets.rewriter_training.rows import TEXT
from fair_datasets.selection.splits import pair_split
from fair_datasets.swap.counterfactual import CounterfactualSwap

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_GROUP = "group"


def apart(config: GeneratorConfig, rows: "Dataset") -> "DatasetDict":
    """Split rows so that a text and what the swap makes of it are never in two splits.

    Args:
        config: The settings.
        rows: The rows, with the column `text`.

    Returns:
        The training, validation and test rows.
    """
    texts = rows[TEXT][:]
    group = [min(pair) for pair in zip(texts, _swapped(config.parallel, rows), strict=True)]
    splits = pair_split(
        rows.add_column(_GROUP, group), config.sizes, seed=config.seed, family_column=_GROUP
    )
    return splits.remove_columns(_GROUP)


def without_swaps(config: GeneratorConfig, splits: "DatasetDict") -> "DatasetDict":
    """Leave out of what is measured on the texts that the swap makes of training texts.

    Where the words of the swap are found in the training rows, the rows were split before.

    Args:
        config: The settings, with the words.
        splits: The training, validation and test rows.

    Returns:
        The same, with as many or fewer validation and test rows.
    """
    made = set(_swapped(config.parallel, splits["train"]))
    of_training = made | set(splits["train"][TEXT])
    found = type(splits)(splits)
    for name in ("validation", "test"):
        rows = splits[name]
        pairs = zip(rows[TEXT], _swapped(config.parallel, rows), strict=True)
        kept = [place for place, pair in enumerate(pairs) if not of_training & {*pair}]
        found[name] = rows.select(kept)
    return found


def _swapped(config: ParallelConfig, rows: "Dataset") -> list[str]:
    """Return what the swap makes of the texts of rows."""
    swap = CounterfactualSwap(columns=TEXT, mode="pair", **config.reading)
    found: list[str] = swap.apply(rows)[COUNTERFACTUAL][:]
    return found
