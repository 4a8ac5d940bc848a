"""Reading the texts that the classifier is trained and judged on."""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from fair_datasets.reader.matching.tokens import Tokens, tokenize


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a corpus.

    Attributes:
        corpus: The corpus.
        tokens: The text.
        is_held_out: Whether it is kept for the evaluation.
    """

    corpus: str
    tokens: Tokens
    is_held_out: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a treebank, as far as its words are divided as ours are.

    Attributes:
        tokens: The sentence.
        tags: The Penn Treebank tag of each such word.
        relations: The dependency relation of each.
        lemmas: The lemma of each, and that of the s of "he's".
    """

    tokens: Tokens
    tags: dict[int, str]
    relations: dict[int, str]
    lemmas: dict[int, str]


def read_texts(data: Path) -> Iterator[Text]:
    """Read the texts, each once, in the order of the files.

    Whole books, persons and parts are held out, so that no held-out text is like a trained one.

    Args:
        data: The folder of the shared data; a corpus that is not there is left out.

    Yields:
        The texts.
    """
    seen: set[str] = set()
    for corpus, text, is_held_out in _rows(data):
        if text not in seen:
            seen.add(text)
            yield Text(corpus, tokenize(text), is_held_out)


def read_treebank(path: Path) -> Iterator[Sentence]:
    """Read the sentences of a treebank.

    Args:
        path: A file in the CoNLL-U format, gzipped or not; none is read if it is not there.

    Yields:
        The sentences.
    """
    if not path.exists():
        return
    with _open(path) as file:
        blocks = file.read().split("\n\n")
    mark = "# text = "
    for block in blocks:
        lines = block.split("\n")
        text = next((line.removeprefix(mark) for line in lines if line.startswith(mark)), None)
        if text is not None:
            yield _sentence(text, [line.split("\t") for line in lines if line[:1].isdigit()])


def _sentence(text: str, rows: Iterable[list[str]]) -> Sentence:
    """Find the treebank's words among ours, by their places in the text."""
    sentence = Sentence(tokenize(text), {}, {}, {})
    indices = {start: index for index, start in enumerate(sentence.tokens.starts)}
    cursor = 0
    for number, form, lemma, _, tag, _, _, relation, *_ in rows:
        start = text.find(form, cursor)
        if not number.isdigit() or start < 0:  # A range of words, or an empty node.
            continue
        cursor = start + len(form)
        if form.lower() in ("'s", "’s") and start + 1 in indices:
            sentence.lemmas[indices[start + 1]] = lemma
        elif start in indices and sentence.tokens.words[indices[start]] == form:
            index = indices[start]
            sentence.tags[index] = tag
            sentence.relations[index] = relation
            sentence.lemmas[index] = lemma
    return sentence


def _rows(data: Path) -> Iterator[tuple[str, str, bool]]:
    """Read corpus, text and whether it is held out."""
    for line in _lines(data / "text/novels.jsonl.gz"):
        row = json.loads(line)
        yield "novels", row["text"], _share(row["book"]) < 0.1
    for entry in _table(data / "classification/bold_wikipedia_gender_race.csv.gz", ","):
        yield "bold", entry["text"], _share(entry["person"]) < 0.2
    for entry in _table(data / "classification/wikipedia_toxicity_nonfuzzed.csv.gz", ","):
        yield "comments", entry["comment"], False
    for part in ("train", "dev", "test"):
        for entry in _table(data / f"classification/imdb_counterfactual_{part}.tsv.gz", "\t"):
            yield "imdb", entry["Text"], part != "train"
    for entry in _table(data / "classification/bug_gold.csv", ","):
        yield "bug_gold", entry["text"], True
    for entry in _table(data / "sentence_pairs/snli_subset_train.tsv", "\t"):
        yield "snli", entry["sentence1"], False
        yield "snli", entry["sentence2"], False
    for cells in csv.reader(_lines(data / "sentence_pairs/stsb_en_train.csv")):
        yield "stsb", cells[0], False
        yield "stsb", cells[1], False


def _table(path: Path, delimiter: str) -> Iterator[dict[str, str]]:
    """Read the rows of a table with a header."""
    yield from csv.DictReader(_lines(path), delimiter=delimiter)


def _lines(path: Path) -> Iterator[str]:
    """Read the lines of a file, none if it is not there."""
    if path.exists():
        with _open(path) as file:
            yield from file


def _open(path: Path) -> IO[str]:
    """Open a text, gzipped or not."""
    opener: Callable[..., IO[str]] = gzip.open if path.suffix == ".gz" else open
    return opener(path, "rt", encoding="utf-8", newline="")


def _share(key: str) -> float:
    """Return a number from 0 to 1 that depends on a key alone."""
    return zlib.crc32(key.encode("utf-8")) / 2**32
