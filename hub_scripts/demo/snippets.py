"""What the page does as Python, to be copied and run."""

from typing import Any

from settings import Settings


def text_snippet(text: str, settings: Settings) -> str:
    """Write the lines that print the counterfactual of a text.

    Args:
        text: The text.
        settings: What is rewritten, and to what.

    Returns:
        The lines.
    """
    return f"""\
# pip install fair-datasets
from fair_datasets import CounterfactualSwap

swap = CounterfactualSwap(
    columns="text",
{_lines(settings.arguments())}    mode="replace",
)
text = {text!r}
print(swap({{"text": [text]}})["text"][0])"""


def csv_snippet(column: str, delimiter: str, settings: Settings) -> str:
    """Write the lines that augment a CSV file, and count the mentions before and after.

    Args:
        column: The text column.
        delimiter: What stands between two cells.
        settings: What is rewritten, and to what.

    Returns:
        The lines, for a file `texts.csv`.
    """
    separator = "" if delimiter == "," else f", sep={delimiter!r}"
    return f"""\
# pip install fair-datasets
from datasets import load_dataset
from fair_datasets import CounterfactualSwap

from fair_datasets.swap import count_mentions

rows = load_dataset("csv", data_files="texts.csv", split="train"{separator})
swap = CounterfactualSwap(
    columns={column!r},
{_lines(settings.arguments())}    provenance=True,
)
augmented = swap.apply(rows)
for dataset in (rows, augmented):
    print(count_mentions(dataset, {column!r}, {_listed(settings.counting())}))
augmented.to_parquet("augmented.parquet")"""


def _lines(arguments: dict[str, Any]) -> str:
    """Write arguments on lines of their own."""
    return "".join(f"    {name}={value!r},\n" for name, value in arguments.items())


def _listed(arguments: dict[str, Any]) -> str:
    """Write arguments in one line."""
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
