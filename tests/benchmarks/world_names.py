"""How rows are rewritten that name people of many cultures, and people with listed names.

    python tests/benchmarks/world_names.py [--names COLUMN]

Each name stands in nine plain sentences, of which the swap should change the name with the
pronoun (consistent), or nothing (left); half-changed rows keep the name beside words that moved.
The names were written down by hand; the lists were built without them. Those of `seen` were looked
at while thresholds were chosen, those of `held_back` while the confidence was, and those of `fresh`
by nobody. A culture has a source where the lists that ship have
15 names of each gender.
"""

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.names.given_names import names_like

NAMES = Path(__file__).with_suffix(".tsv")
SENTENCES = (
    "{name} lost {his} keys.", "Yesterday {name} said that {he} was tired.",
    "I met {name} and gave {him} a book.", "{name}, {his} {brother} and I went to the market.",
    "This is {name}'s house; {he} built it {himself}.",
    "We asked {name} whether {he} had finished {his} work.",
    "Thank you, {name}! You have been a true {brother} to me.",
    "According to {name} Adams, {he} is not to blame.",
    "{name} is the new teacher. {He} likes {his} job.",
)  # fmt: skip
WORDS = ("he", "He", "him", "his", "himself", "brother")
OF_GENDER = {"man": WORDS, "woman": ("she", "She", "her", "her", "herself", "sister")}
OUTCOMES = ("consistent", "left", "half")
LISTED, EVERY = "American, listed", 60


def rows(name: str, gender: str) -> list[str]:
    """Return the sentences about somebody."""
    words = dict(zip(WORDS, OF_GENDER[gender], strict=True))
    return [sentence.format(name=name, **words) for sentence in SENTENCES]


def people(column: str) -> Iterator[tuple[str, str, str]]:
    """Give the culture, the gender and the name of everybody."""
    with NAMES.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield from ((row["culture"], row["gender"], name) for name in row[column].split())
    for entry in load_lexicon("first_names").entries[::EVERY]:
        for gender, forms in entry.forms.items():
            if not forms[0].flags:
                yield LISTED, gender, forms[0].text


def outcome(before: str, after: str, name: str) -> str:
    """Say what became of a row."""
    return "left" if before == after else "half" if name in after else "consistent"


def main() -> None:
    """Print a line for each culture."""
    parser = argparse.ArgumentParser(description=__doc__)
    columns = ("seen", "held_back", "fresh")
    parser.add_argument("--names", default="fresh", choices=columns, help="which are asked")
    # "John Adams" is a known person.
    swap = CounterfactualSwap(columns="text", mode="replace", protect=())
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for culture, gender, name in people(parser.parse_args().names):
        texts = rows(name, gender)
        found = Counter(
            outcome(before, after, name)
            for before, after in zip(texts, swap({"text": texts})["text"], strict=True)
        )
        counts[culture] += found
        if culture != LISTED:
            has_source = bool(names_like(without_accents(name), "man"))
            counts["all"] += found
            counts["names with a source" if has_source else "names without one"] += found
    for culture, found in counts.items():
        shares = (f"{name} {100 * found[name] / found.total():5.1f} %" for name in OUTCOMES)
        print(f"{culture:20} {found.total():5} rows  {'  '.join(shares)}")


if __name__ == "__main__":
    main()
