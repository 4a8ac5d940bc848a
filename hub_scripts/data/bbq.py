"""Writes the table of the published items of BBQ: which answer is whose, without a sentence.

It reads the items of https://github.com/nyu-mll/BBQ (CC BY 4.0), and the mapping that was published
beside them:

    python -m hub_scripts.data.bbq --items ITEMS --mapping additional_metadata.csv --out OUT
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fair_datasets.measures.bbq_items import ORDERS, BbqItem, load_bbq, quartet_items, read_items
from fair_datasets.system.checks import InputError
from hub_scripts.data.first_names import write_cells

_HEADER = ("category", "question_index", "quartets")
_LETTERS = [chr(ord("a") + place) for place in range(4 * len(ORDERS))]


def read_targets(path: Path) -> dict[tuple[str, int], int | None]:
    """Read the published mapping.

    Args:
        path: The file `additional_metadata.csv`.

    Returns:
        The index of the biased answer of each category and `example_id`, or None without one.

    Raises:
        InputError: The file cannot be read, or has two unlike targets for an item.
    """
    targets: dict[tuple[str, int], int | None] = {}
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                key = row["category"], int(row["example_id"])
                target = None if row["target_loc"] == "NA" else int(row["target_loc"])
                if targets.setdefault(key, target) != target:
                    raise InputError(f"{path} has two targets for item {key}.")
    except (OSError, KeyError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as the published mapping: {error}.") from error
    return targets


def letter_of(items: Sequence[BbqItem], targets: Sequence[int | None]) -> str:
    """Return the letter of four items with the same answers.

    Args:
        items: As they resolve themselves.
        targets: Their published targets.

    Raises:
        InputError: No letter stands for such items.

    Example:
        >>> letter_of(quartet_items("Age", 1, "C", "item"), [2, 2, 0, 0])
        'C'
    """
    category, question = items[0].category, items[0].question_index
    for letter in [*_LETTERS, *map(str.upper, _LETTERS)]:
        published = quartet_items(category, question, letter, "published")
        if [each.biased for each in published] == [*targets] and (
            quartet_items(category, question, letter, "item") == [*items]
        ):
            return letter
    raise InputError(f"{items} with the targets {targets} are no four items that belong together.")


def build(folder: Path, mapping: Path, out: Path) -> None:
    """Write the table.

    Args:
        folder: The files of items, `.jsonl`.
        mapping: The file `additional_metadata.csv`.
        out: The file to write; it is replaced as a whole.

    Raises:
        InputError: A file cannot be read, or is not as published.
    """
    rows: list[dict[str, Any]] = load_bbq(folder)
    rows.sort(key=lambda row: (row["category"], row["example_id"]))
    items, targets = read_items(rows, "item"), read_targets(mapping)
    published = [targets[row["category"], row["example_id"]] for row in rows]
    letters: dict[tuple[str, int], str] = {}
    last = None
    for start in range(0, len(items), 4):
        four = items[start : start + 4]
        key = four[0].category, four[0].question_index
        if key != last and key in letters:
            raise InputError(f"The items of {key} do not follow each other.")
        letters[key] = letters.get(key, "") + letter_of(four, published[start : start + 4])
        last = key
    cells = [(category, str(question), codes) for (category, question), codes in letters.items()]
    write_cells(out, [_HEADER, *cells])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="Write the table of the items of BBQ.")
    parser.add_argument("--items", type=Path, required=True, help="the folder of .jsonl files")
    parser.add_argument("--mapping", type=Path, required=True, help="additional_metadata.csv")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        build(options.items, options.mapping, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
