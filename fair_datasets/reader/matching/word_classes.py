"""The words of a language by their classes, as the folder of each language keeps them."""

import csv
from collections import defaultdict
from pathlib import Path


def read_classes(path: Path) -> dict[str, frozenset[str]]:
    """Read the words of a language.

    Args:
        path: Its `words.tsv`: a row for each word with its classes and its sources.
    """
    found: dict[str, set[str]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            for name in row["classes"].split(" "):
                found[name].add(row["word"])
    return {name: frozenset(listed) for name, listed in found.items()}
