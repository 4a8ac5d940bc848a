"""Builds `vocabulary.toml`: everyday words, and first names given to girls and boys alike.

The lists tell what a capital letter means: "Good Will Hunting" is no Will whose surname is Hunting,
as hunting is an everyday word and a rare surname; in "Chris Paul" Paul is a surname. Counted in 36
public-domain novels (LitBank), in the baby names of the US Social Security Administration and in
the surnames of the US census of 2010 (both public domain).

    python -m fair_datasets.matching.build_vocabulary --novels novels.jsonl.gz \
        --ssa ssa_totals.csv.gz --surnames surnames_race_census2010.csv.gz \
        --out fair_datasets/matching/vocabulary.toml
"""

import argparse
import csv
import gzip
import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

# How often a word has to occur in lower case, and how many times as often as with a capital.
MIN_COUNT = 25
MIN_RATIO = 4
# How many of the most frequent surnames count.
SURNAMES = 4000
# How many births a first name needs, and the largest share of one sex among them.
MIN_BIRTHS = 2000
MAX_SHARE = 0.9

_WORD = re.compile(r"(?<=\w )[A-Za-z]{2,}")
_HEADER = """\
# Built by fair_datasets.matching.build_vocabulary. Figures from LitBank (novels;
# https://github.com/dbamman/litbank), the US Social Security Administration and the US Census
# Bureau (public domain).
"""


def common_words(texts: Iterable[str]) -> frozenset[str]:
    """Find the words that are mostly written in lower case within a sentence.

    Args:
        texts: English prose.

    Returns:
        The frequent ones.

    Example:
        >>> sorted(common_words(["the old rose in Rome"] * 30))
        ['in', 'old', 'rose']
    """
    lower: Counter[str] = Counter()
    capitalised: Counter[str] = Counter()
    for text in texts:
        for word in _WORD.findall(text):
            if word.islower():
                lower[word] += 1
            elif word[1:].islower():
                capitalised[word.lower()] += 1
    return frozenset(
        word
        for word, count in lower.items()
        if count >= max(MIN_COUNT, MIN_RATIO * capitalised[word])
    )


def unisex_names(rows: Iterable[dict[str, str]]) -> frozenset[str]:
    """Find the first names that are given to girls and boys.

    Args:
        rows: Names with the counts `female` and `male`.

    Returns:
        The frequent ones, in lower case.

    Example:
        >>> rows = [{"name": "Kim", "female": "2000", "male": "900"}]
        >>> unisex_names(rows)
        frozenset({'kim'})
    """
    found = set()
    for row in rows:
        counts = int(row["female"]), int(row["male"])
        births = sum(counts)
        if len(row["name"]) > 2 and births >= MIN_BIRTHS and max(counts) < MAX_SHARE * births:
            found.add(row["name"].lower())
    return frozenset(found)


def _rows(path: Path) -> list[dict[str, str]]:
    """Read a gzipped table."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _list(name: str, comment: str, words: Iterable[str]) -> str:
    """Write one list."""
    lines = textwrap.fill(" ".join(sorted(words)), 100)
    return f'\n# {comment}\n{name} = """\n{lines}\n"""\n'


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="Build the vocabulary of the neighbouring words.")
    for name in ("novels", "ssa", "surnames", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    with gzip.open(options.novels, "rt", encoding="utf-8") as file:
        words = common_words(json.loads(line)["text"] for line in file)
    surnames = {row["surname"].lower() for row in _rows(options.surnames)[:SURNAMES]}
    names = unisex_names(_rows(options.ssa))
    options.out.write_text(
        _HEADER
        + _list("common_words", "Everyday words that are no frequent surnames.", words - surnames)
        + _list("surname_words", "Everyday words that are frequent surnames.", words & surnames)
        + _list("unisex_names", "First names given to girls and to boys.", names),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
