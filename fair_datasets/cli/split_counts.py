"""Telling what was rewritten."""

import sys
from collections.abc import Mapping

from fair_datasets.cards import SplitCounts
from fair_datasets.generation.model_technique import all_fell_back
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.lexical import LexicalTechnique
from fair_datasets.report import count_table
from fair_datasets.rewriting import Rewriter


def warn_of_unmatched(technique: Rewriter, counts: Mapping[str, SplitCounts]) -> None:
    """Tell of each axis that no text mentions, or that nothing was rewritten, or by no model.

    Args:
        technique: The technique.
        counts: Split name to its counts.
    """
    if not isinstance(technique, LexicalTechnique):
        if not any(split.rows_changed for split in counts.values()):
            print(
                f"fair-datasets: {type(technique).__name__} rewrote no text; check --text.",
                file=sys.stderr,
            )
        return
    for axis in technique.axes:
        names = load_lexicon(axis).attributes
        if not any(sum(map(split.mentions_before.__getitem__, names)) for split in counts.values()):
            print(
                f"fair-datasets: no text mentions anybody of the axis {axis!r}; check --text and "
                "--axis.",
                file=sys.stderr,
            )
    if sentence := all_fell_back(split.logged for split in counts.values()):
        print(f"fair-datasets: {sentence}", file=sys.stderr)


def print_counts(split: str, numbers: SplitCounts, *, is_left: bool = False) -> None:
    """Print what happened to one split.

    Args:
        split: The split's name.
        numbers: Its counts.
        is_left: Whether it went along as it is.
    """
    if is_left:
        print(f"\n{split}: {numbers.rows_out:,} rows, as they are")
        return
    print(
        f"\n{split}: {numbers.rows_in:,} rows in, {numbers.rows_out:,} rows out, "
        f"{numbers.rows_changed:,} rewritten\n"
    )
    if numbers.mentions_before:
        print(count_table(numbers.mentions_before, numbers.mentions_after))
    for column, values in numbers.logged.items():
        print(*(f"{column} {value}: {number:,}" for value, number in values.items()), sep="\n")
    for reason, number in numbers.left.items():
        print(f"left as a whole: {reason}: {number:,}")
