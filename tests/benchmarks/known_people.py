"""How many rows that the swap would change are left as they name known people, by kind of text.

The sentences of BOLD are left out, from whose pages some of the names are. The last columns say of
each source of names how many of these rows name somebody of it alone.

    python tests/benchmarks/known_people.py
"""

import csv
from collections import defaultdict

from corpora import corpora, parser_of

from fair_datasets import CounterfactualSwap
from fair_datasets.cards.report import markdown_table
from fair_datasets.lexicons.shipped import KNOWN_PEOPLE, people_files
from fair_datasets.reader.matching.table import KnownPeople
from fair_datasets.reader.matching.token_batch import TokenBatch


def by_source() -> dict[str, KnownPeople]:
    """Return the people of each source of the list, and those of all."""
    names: dict[str, list[str]] = defaultdict(list)
    with people_files([KNOWN_PEOPLE])[KNOWN_PEOPLE].open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            names[row["source"]].append(row["name"])
    return {source: KnownPeople(own) for source, own in names.items()}


def main() -> None:
    """Print the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=int, default=4000, help="texts of each kind")
    options = parser.parse_args()
    sources = by_source()
    off, on = (
        CounterfactualSwap(columns="text", mode="replace", protect=protect)
        for protect in ((), KNOWN_PEOPLE)
    )
    table = []
    for kind, texts in corpora(options.data, options.size).items():
        if kind == "BOLD":
            continue
        written = zip(texts, off({"text": texts})["text"], on({"text": texts})["text"], strict=True)
        changed = [(text, new == text) for text, old, new in written if old != text]
        left = [text for text, is_left in changed if is_left]
        share = 100 * len(left) / max(1, len(changed))
        line = {"texts": kind, "changed": len(changed), "left": len(left), "%": f"{share:.1f}"}
        named = {
            source: {*people.texts(TokenBatch(left)).tolist()} for source, people in sources.items()
        }
        for source, rows in named.items():
            others = set().union(*(own for name, own in named.items() if name != source))
            line[f"only {source}"] = len(rows - others)
        table.append(line)
    print(markdown_table(table))


if __name__ == "__main__":
    main()
