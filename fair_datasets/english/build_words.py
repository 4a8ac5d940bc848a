"""Counts three classes of `words.tsv`: everyday words, and first names of girls and boys alike.

They tell what a capital letter means: "Good Will Hunting" is no Will whose surname is Hunting, as
hunting is an everyday word and a rare surname; in "Chris Paul" Paul is a surname. Counted in 36
public-domain novels (LitBank), in the baby names of the US Social Security Administration and in
the surnames of the US census of 2010 (both public domain). The other classes stay as they are.

    python -m fair_datasets.english.build_words --novels novels.jsonl.gz --ssa ssa_totals.csv.gz \
        --surnames surnames_race_census2010.csv.gz --words fair_datasets/english/words.tsv
"""

import argparse
import csv
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
_COLUMNS = ("word", "classes", "source")
# The classes with where they were counted.
_SOURCES = {
    "common_words": ("LitBank",),
    "surname_words": ("LitBank", "US Census"),
    "unisex_names": ("US SSA",),
}


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


def with_classes(
    rows: Iterable[Mapping[str, str]], counted: Mapping[str, frozenset[str]]
) -> list[dict[str, str]]:
    """Put the words of the counted classes in the place of those that were in them.

    Args:
        rows: The table of words.
        counted: Class to its words.

    Returns:
        The table, in the order of the words; a word without any class is left out.

    Example:
        >>> rows = [{"word": "an", "classes": "articles common_words", "source": "own"}]
        >>> with_classes(rows, {"common_words": frozenset({"old"})})
        [{'word': 'an', 'classes': 'articles', 'source': 'own'}, {'word': 'old', 'classes':
        'common_words', 'source': 'LitBank'}]
    """
    classes, sources = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for row in rows:
        classes[row["word"]] = set(row["classes"].split(" ")) - counted.keys()
        sources[row["word"]] = set(row["source"].split(", "))
    for name, words in counted.items():
        for word in words:
            classes[word].add(name)
            sources[word].update(_SOURCES[name])
    return [
        {
            "word": word,
            "classes": " ".join(sorted(classes[word])),
            "source": ", ".join(sorted(sources[word], key=str.lower)),
        }
        for word in sorted(classes)
        if classes[word]
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="Count the classes of words that are counted.")
    for name in ("novels", "ssa", "surnames", "words"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    with gzip.open(options.novels, "rt", encoding="utf-8") as file:
        words = common_words(json.loads(line)["text"] for line in file)
    surnames = {row["surname"].lower() for row in _rows(options.surnames)[:SURNAMES]}
    counted = {
        "common_words": words - surnames,
        "surname_words": words & surnames,
        "unisex_names": unisex_names(_rows(options.ssa)),
    }
    with options.words.open(encoding="utf-8", newline="") as file:
        rows = with_classes(csv.DictReader(file, delimiter="\t"), counted)
    with options.words.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, _COLUMNS, delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
