"""Counts classes of `words.tsv`: everyday words, and first names of girls and boys alike.

They tell what a capital letter means: "Good Will Hunting" is no Will whose surname is Hunting, as
hunting is an everyday word and a rare surname; in "Chris Paul" Paul is a surname. Counted in 36
public-domain novels (LitBank), in the texts that the classifier is trained on ("corpora", see
`classifier.grammar`), in the baby names of the US Social Security Administration and in the
surnames of the US census of 2010 (both public domain). Which part of speech a word mostly is was
counted in the English Web Treebank of Universal Dependencies. The other classes stay as they are.

    python -m hub_scripts.data.words --novels novels.jsonl.gz \
        --ssa ssa_totals.csv.gz \
        --surnames surnames_race_census2010.csv.gz --treebank ud_ewt_train.conllu.gz --data DIR \
        --words fair_datasets/reader/english/words.tsv
"""

import argparse
import csv
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fair_datasets.lexicons import lexicon_files, load_lexicon, name_lexicons
from fair_datasets.reader.english.classifier.grammar import read_texts
from fair_datasets.reader.matching.terms import terms_of

# How often a word has to occur in lower case, and how many times as often as with a capital.
MIN_COUNT, MIN_CORPUS_COUNT = 25, 15
MIN_RATIO = 4
# How many of the most frequent surnames count.
SURNAMES = 4000
# How many births a first name needs, and the largest share of one sex among them.
MIN_BIRTHS = 2000
MAX_SHARE = 0.9
# The share of one sex that leaves no doubt about a listed name.
SURE_SHARE = 0.985
# How often a word has to occur, and the share of one part of speech, for it to be mostly that.
MIN_TAGGED, MIN_TAGGED_SHARE = 2, 0.7

_PARTS = {
    "NOUN": "mostly_nouns",
    "VERB": "mostly_verbs",
    "ADJ": "mostly_adjectives",
    "ADV": "mostly_adverbs",
} | dict.fromkeys(("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"), "mostly_function_words")
_WORD = re.compile(r"(?<=\w )[A-Za-z]{2,}")
_COLUMNS = ("word", "classes", "source")
# The classes with where they were counted.
_SOURCES = {
    "common_words": ("LitBank",),
    "corpus_words": ("corpora",),
    "either_gender": ("US SSA",),
    "surname_words": ("LitBank", "US Census"),
    "unisex_names": ("US SSA",),
    **dict.fromkeys(_PARTS.values(), ("UD EWT",)),
}


def common_words(texts: Iterable[str], least: int = MIN_COUNT) -> frozenset[str]:
    """Find the words that are mostly written in lower case within a sentence.

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
        word for word, count in lower.items() if count >= max(least, MIN_RATIO * capitalised[word])
    )


def unisex_names(rows: Iterable[dict[str, str]]) -> frozenset[str]:
    """Find the first names that are given to girls and boys.

    Args:
        rows: Names with the counts `female` and `male`.

    Example:
        >>> rows = [{"name": "Kim", "female": "2000", "male": "900"}]
        >>> unisex_names(rows)
        frozenset({'kim'})
    """
    names = set()
    for row in rows:
        counts = int(row["female"]), int(row["male"])
        births = sum(counts)
        if len(row["name"]) > 2 and births >= MIN_BIRTHS and max(counts) < MAX_SHARE * births:
            names.add(row["name"].lower())
    return frozenset(names)


def listed_names() -> frozenset[str]:
    """Return the names of all shipped lists, in lower case."""
    lists = [load_lexicon(name) for name in name_lexicons()]
    return frozenset(text.lower() for names in lists for text, _ in terms_of(names, ""))


def names_of_either_gender() -> frozenset[str]:
    """Find the listed first names that some of the other gender bear, in lower case.

    Example:
        >>> "gail" in names_of_either_gender(), "mary" in names_of_either_gender()
        (True, False)
    """
    with lexicon_files("first_names")["first_names"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return frozenset(
        row[gender].partition("[")[0].lower()
        for row in rows
        for gender in ("man", "woman")
        if float(row[f"{gender}_specificity"]) < SURE_SHARE
    )


def parts_of_speech(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    r"""Find the words that are mostly of one part of speech, without the parts of contractions.

    Returns:
        Class to its words, in lower case: nouns, verbs, adjectives, adverbs, and function words of
        whichever kind.

    Example:
        >>> lines = ["1\tThe\t_\tDET", "2\tdog\t_\tNOUN"] * 2
        >>> {name: set(words) for name, words in parts_of_speech(lines).items() if words}
        {'mostly_nouns': {'dog'}, 'mostly_function_words': {'the'}}
    """
    counts = defaultdict[str, Counter[str]](Counter)
    joined = range(0)
    for cells in (line.split("\t") for line in lines):
        first, _, last = cells[0].partition("-")
        if last.isdigit():  # The line of "can't", before those of "ca" and "n't".
            joined = range(int(first), int(last) + 1)
        elif not first.isdigit():
            joined = range(0)
        elif int(first) not in joined and re.fullmatch("[a-z]{2,}", cells[1].lower()):
            counts[cells[1].lower()][_PARTS.get(cells[3], "")] += 1
    by_part: dict[str, set[str]] = {name: set() for name in _PARTS.values()}
    for word, parts in counts.items():
        name, count = parts.most_common(1)[0]
        if name and count >= max(MIN_TAGGED, MIN_TAGGED_SHARE * parts.total()):
            by_part[name].add(word)
    return {name: frozenset(words) for name, words in by_part.items()}


def _rows(path: Path) -> list[dict[str, str]]:
    """Read a gzipped table."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def with_classes(
    rows: Iterable[Mapping[str, str]], counted: Mapping[str, frozenset[str]]
) -> list[dict[str, str]]:
    """Put the words of the counted classes in the place of those that were in them.

    Returns:
        The table, in the order of the words; a word without any class is left out.

    Example:
        >>> rows = [{"word": "an", "classes": "common_words determiners", "source": "own"}]
        >>> with_classes(rows, {"common_words": frozenset({"old"})})
        [{'word': 'an', 'classes': 'determiners', 'source': 'own'}, {'word': 'old', 'classes':
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
    for name in ("novels", "ssa", "surnames", "treebank", "data", "words"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    with gzip.open(options.novels, "rt", encoding="utf-8") as file:
        words = common_words(json.loads(line)["text"] for line in file)
    corpora = common_words(
        (text.tokens.text for text in read_texts(options.data) if text.corpus != "bug_gold"),
        MIN_CORPUS_COUNT,
    )
    with gzip.open(options.treebank, "rt", encoding="utf-8") as file:
        tagged = parts_of_speech(file)
    surnames = {row["surname"].lower() for row in _rows(options.surnames)[:SURNAMES]}
    counted = {
        "common_words": words - surnames,
        "surname_words": words & surnames,
        "corpus_words": corpora - words - surnames - listed_names(),
        "unisex_names": unisex_names(_rows(options.ssa)),
        "either_gender": names_of_either_gender(),
        **tagged,
    }
    with options.words.open(encoding="utf-8", newline="") as file:
        rows = with_classes(csv.DictReader(file, delimiter="\t"), counted)
    with options.words.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, _COLUMNS, delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
