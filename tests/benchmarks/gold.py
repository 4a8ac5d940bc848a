"""Gold by reading: what words of the lexicons stand for in real texts, by two readings and a third.

    python tests/benchmarks/gold.py --draw DIR [--axis ...]  # draw what is to be read
    python tests/benchmarks/gold.py --merge DIR             # put readings together, write the gold
    python tests/benchmarks/gold.py                # how far the readings agree, and today's reader

Mentions are drawn by a seed from the sources of the shared data, half of them where the reader says
that the word names nobody, one of each text, and few of each word: another reader draws others.
`fair-datasets docs gold` is the guide that they are read by. No sentence is kept: a row has the
digest of its text and the offsets.
"""

import csv
import gzip
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sklearn.metrics import cohen_kappa_score

from fair_datasets import find_terms
from fair_datasets.cards.report import markdown_table
from fair_datasets.lexicons import load_lexicon
from tests.benchmarks.corpora import column, parser_of, texts_of

GOLD = Path(__file__).parents[2] / "fair_datasets" / "reader" / "gold.tsv"
COLUMNS = ("axis", "part", "source", "text", "start", "end", "label", "first", "second")
LABELS = ("person", "surname", "place", "title", "thing", "animal", "quoted", "unclear")
SIZES = {"gender": 640, "race": 320, "religion": 320, "nationality": 320, "orientation": 320,
         "age": 320, "disability": 320}  # fmt: skip
# Sources of the part that nothing is mended on.
TEST = {"ewt", "wnut17", "comments", "stsb", "gap"}
SEED = 20261125
_DRAWN = "drawn.json"
_MOST_TEXTS, _LONGEST = 12_000, 20_000
_BESIDE = 230
"""How many characters on either side are read."""
# Decided without a reading of senses.
_CLOSED = {"he", "she", "him", "her", "his", "hers", "himself", "herself", "mr", "mrs", "ms",
           "mr.", "mrs.", "ms."}  # fmt: skip


class Drawn(NamedTuple):
    """A word of an axis in a text.

    Attributes:
        axis: The axis.
        source: Where the text is from.
        text: The text.
        start: Where the word begins.
        end: Where it ends.
        is_read: Whether the reader takes it for a mention.
    """

    axis: str
    source: str
    text: str
    start: int
    end: int
    is_read: bool

    @property
    def word(self) -> str:
        """The word in lower case."""
        return self.text[self.start : self.end].lower()


def sources(data: Path) -> dict[str, Callable[[], Iterable[str]]]:
    """Return the name of each source to what gives its texts."""
    kinds, tagged, pairs = (data / name for name in ("classification", "tagged", "sentence_pairs"))
    return {
        "sexism_tweets": lambda: column(kinds / "twitter_sexism_train.csv.gz", "text"),
        "btc": lambda: texts_of(tagged / "person_names_tweets.jsonl.gz"),
        "wikipedia": lambda: texts_of(data / "text" / "wikipedia_sentences.jsonl.gz"),
        "novels": lambda: texts_of(data / "text" / "novels.jsonl.gz"),
        "bold": lambda: column(kinds / "bold_wikipedia_gender_race.csv.gz", "text"),
        "imdb": lambda: column(kinds / "imdb_counterfactual_train.tsv.gz", "Text"),
        "snli": lambda: _both(pairs / "snli_subset_train.tsv"),
        "wikigold": lambda: texts_of(tagged / "entities_wikigold.jsonl.gz"),
        "ewt": lambda: sentences(tagged / "ud_ewt_train.conllu.gz"),
        "wnut17": lambda: texts_of(tagged / "entities_wnut17.jsonl.gz"),
        "comments": lambda: column(kinds / "wikipedia_toxicity_nonfuzzed.csv.gz", "comment"),
        "stsb": lambda: _stsb(pairs),
        "gap": lambda: column(data / "coreference" / "gap_development.tsv", "Text"),
    }


def sentences(path: Path) -> list[str]:
    """Return the sentences of a treebank."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line[9:].rstrip("\n") for line in file if line.startswith("# text = ")]


def _both(path: Path) -> list[str]:
    """Return both texts of each pair."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row[f"sentence{side}"] for row in rows for side in (1, 2)]


def _stsb(folder: Path) -> list[str]:
    """Return the sentences of STS-B English."""
    found = []
    for split in ("train", "dev", "test"):
        with (folder / f"stsb_en_{split}.csv").open(encoding="utf-8", newline="") as file:
            found += [text for row in csv.reader(file) for text in row[:2]]
    return found


def shuffled(data: Path) -> dict[str, list[str]]:
    """Return texts of each source in an order that the seed draws."""
    found = {}
    for name, read in sources(data).items():
        texts = list(dict.fromkeys(text for text in read() if text and text.strip()))
        random.Random(f"{SEED} {name}").shuffle(texts)
        found[name] = [text for text in texts[:_MOST_TEXTS] if len(text) <= _LONGEST]
    return found


def candidates(axis: str, texts: Mapping[str, list[str]]) -> Iterator[Drawn]:
    """Give the words of an axis in texts; of axes with frequent words, in fewer texts."""
    lexicon = load_lexicon(axis)
    words = {form.text for entry in lexicon.entries for forms in entry.forms.values()
             for form in forms}  # fmt: skip
    frequent = axis in ("gender", "age")
    listed = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    pattern = re.compile("" if frequent else rf"\b(?:{listed})\b|\d", re.IGNORECASE)
    for source, several in texts.items():
        kept = [text for text in several if pattern.search(text)]
        for text in kept[: 2500 if frequent else 3001]:
            for term in find_terms(text, axis):
                if term.text.lower() not in _CLOSED:
                    yield Drawn(axis, source, text, term.start, term.end, bool(term.attribute))


def draw(axis: str, texts: Mapping[str, list[str]]) -> list[Drawn]:
    """Draw mentions: a quarter each of the test sources and the others, read and left alone."""
    found = list(candidates(axis, texts))
    generator = random.Random(f"{SEED} {axis}")
    generator.shuffle(found)
    cells: dict[tuple[bool, bool], dict[str, list[Drawn]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        cells[each.source in TEST, each.is_read][each.source].append(each)
    drawn: list[Drawn] = []
    counts, seen = Counter[tuple[bool, str]](), set[str]()
    for (is_test, _), by_source in sorted(cells.items(), reverse=True):
        got: list[Drawn] = []
        # Where words are few, more of each are taken.
        for most in (SIZES[axis] // 50, SIZES[axis] // 25, 4 * (SIZES[axis] // 25)):
            rest = {source: iter(several) for source, several in by_source.items()}
            while rest and len(got) < SIZES[axis] // 4:
                for source, several in list(rest.items()):
                    free = (each for each in several if each.text not in seen
                            and counts[is_test, each.word] < most)  # fmt: skip
                    each = next(free, None)
                    if each is None:
                        del rest[source]
                    elif len(got) < SIZES[axis] // 4:
                        got.append(each)
                        seen.add(each.text)
                        counts[is_test, each.word] += 1
        drawn += got
    generator.shuffle(drawn)
    return drawn


def marked(each: Drawn) -> str:
    """Write what is read: the word in brackets, with what stands on either side."""
    begin, stop = max(0, each.start - _BESIDE), min(len(each.text), each.end + _BESIDE)
    word = each.text[each.start : each.end]
    found = f"{each.text[begin : each.start]}[[{word}]]{each.text[each.end : stop]}"
    return " ".join(found.split())


def digest(text: str) -> str:
    """Return what stands for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_gold() -> list[dict[str, str]]:
    """Read the gold."""
    with GOLD.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write_items(folder: Path, drawn: Mapping[str, list[Drawn]]) -> None:
    """Write what is to be read, ids and texts of each axis in two orders, and what was drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _DRAWN).write_text(json.dumps(drawn), encoding="utf-8")
    for axis, several in drawn.items():
        lines = [f"{axis}-{k:03d}\t{marked(each)}\n" for k, each in enumerate(several)]
        (folder / f"items_{axis}.txt").write_text("".join(lines), encoding="utf-8")
        random.Random(axis).shuffle(lines)
        (folder / f"items_{axis}_b.txt").write_text("".join(lines), encoding="utf-8")


def labels_of(folder: Path, reading: str) -> dict[str, str]:
    """Return id to label of a reading: the files `A_*.tsv`, `B_*.tsv` or `C_*.tsv`."""
    found = {}
    for path in sorted(folder.glob(f"{reading}_*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, label = line.split("\t")
            if label not in LABELS:
                raise SystemExit(f"{path}: {name} has the label {label!r}, which there is not.")
            found[name] = label
    return found


def merge(folder: Path) -> None:
    """Write the gold of the drawn axes: what two readings agree on, else what the third says."""
    first, second, third = (labels_of(folder, reading) for reading in "ABC")
    drawn = json.loads((folder / _DRAWN).read_text(encoding="utf-8"))
    others = [row for row in read_gold() if row["axis"] not in drawn]
    with GOLD.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(row.values() for row in others)
        for axis, several in drawn.items():
            for number, each in enumerate(Drawn(*one) for one in several):
                name = f"{axis}-{number:03d}"
                one, other = first[name], second[name]
                label = one if one == other else third[name]
                part = "test" if each.source in TEST else "train"
                writer.writerow([axis, part, each.source, digest(each.text), each.start, each.end,
                                 label, one, other])  # fmt: skip


def agreement(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return how far the two readings agree on each axis, and what the words stand for."""
    lines = []
    for axis in SIZES:
        own = [row for row in rows if row["axis"] == axis]
        pairs = [(row["first"], row["second"]) for row in own]
        is_person = [[label == "person" for label in pair] for pair in pairs]
        counts = Counter(row["label"] for row in own if row["part"] == "test")
        lines.append({
            "axis": axis, "mentions": len(own), "test": sum(counts.values()),
            "kappa": f"{cohen_kappa_score(*zip(*pairs, strict=True)):.3f}",
            "kappa, person": f"{cohen_kappa_score(*zip(*is_person, strict=True)):.3f}",
            "unclear %": f"{100 * sum(row['label'] == 'unclear' for row in own) / len(own):.1f}",
            **{f"test {label}": counts[label] for label in LABELS},
        })  # fmt: skip
    return lines


def senses(rows: list[dict[str, str]], texts: Mapping[str, str], part: str) -> list[dict[str, Any]]:
    """Return how well today's reader tells persons from all else, on each axis."""
    lines = []
    for axis in SIZES:
        counts = Counter[tuple[bool, bool]]()
        for row in rows:
            if (row["axis"], row["part"]) != (axis, part) or row["label"] == "unclear":
                continue
            found = find_terms(texts[row["text"]], axis)
            place = int(row["start"]), int(row["end"])
            is_read = any((each.start, each.end) == place and each.attribute for each in found)
            counts[row["label"] == "person", is_read] += 1
        right, missed, wrong = counts[True, True], counts[True, False], counts[False, True]
        precision, recall = right / (right + wrong), right / (right + missed)
        lines.append({
            "axis": axis, "persons read": right, "persons left": missed, "others read": wrong,
            "others left": counts[False, False], "precision": f"{precision:.3f}",
            "recall": f"{recall:.3f}",
            "F1": f"{2 * precision * recall / (precision + recall):.3f}",
        })  # fmt: skip
    return lines


def main() -> None:
    """Draw, merge, or print the tables."""
    parser = parser_of("Gold by reading.")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="where items to read are written")
    parser.add_argument("--axis", choices=SIZES, help="the axis to draw (all)")
    parser.add_argument("--merge", type=Path, metavar="DIR", help="where the readings are")
    parser.add_argument("--part", default="train", choices=("train", "test"))
    options = parser.parse_args()
    if options.draw:
        texts = shuffled(options.data)
        axes = [options.axis] if options.axis else SIZES
        write_items(options.draw, {axis: draw(axis, texts) for axis in axes})
    if options.merge:
        merge(options.merge)
    if options.draw or options.merge:
        return
    rows = read_gold()
    print(markdown_table(agreement(rows)))
    known = {digest(text): text for read in sources(options.data).values() for text in read()}
    print(f"\nToday's reader, {options.part}:\n")
    print(markdown_table(senses(rows, known, options.part)))


if __name__ == "__main__":
    main()
