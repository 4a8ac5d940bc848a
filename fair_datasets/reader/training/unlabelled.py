"""Texts that nobody has tagged: those of the catalogue, in pieces of about a sentence."""

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from fair_datasets.reader.training.rows import share

SOURCES = {
    "novels": ("text/novels.jsonl.gz", ("text",)),
    "wikipedia": ("text/wikipedia_sentences.jsonl.gz", ("text",)),
    "bold": ("classification/bold_wikipedia_gender_race.csv.gz", ("text",)),
    "sexism": ("classification/twitter_sexism_train.csv.gz", ("text",)),
    "reviews": ("classification/imdb_counterfactual_train.tsv.gz", ("Text",)),
    "comments": ("classification/wikipedia_toxicity_nonfuzzed.csv.gz", ("comment",)),
    "gap": ("coreference/gap_development.tsv", ("Text",)),
    "snli": ("sentence_pairs/snli_subset_train.tsv", ("sentence1", "sentence2")),
}
"""Source of texts to its file and the columns with the texts."""
LEAST, MOST = 3, 60
"""How many words a piece has at least and at most, as spaces divide them."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’]*\s+(?=[\"'“‘A-Z])|<br />|\n+")


def unlabelled_texts(folder: Path, source: str, most: int) -> Iterator[str]:
    """Read texts of a source, each once.

    Args:
        folder: The folder of the shared data; a source that is not there has no texts.
        source: One of `SOURCES`.
        most: How many at most; which they are is drawn by the texts themselves.

    Yields:
        The texts, in the order of the file.
    """
    found = dict.fromkeys(
        piece
        for text in whole_texts(folder, source)
        for piece in pieces(text)
        if LEAST <= len(piece.split()) <= MOST
    )
    if len(found) > most:
        least = sorted(map(share, found))[most]
        yield from (text for text in found if share(text) < least)
    else:
        yield from found


def pieces(text: str) -> Iterator[str]:
    """Divide a text at the ends of sentences, but keep short sentences together.

    Args:
        text: Any text.

    Yields:
        Its pieces.

    Example:
        >>> for piece in pieces("He came. She saw. " + "They had to go on and on. " * 3):
        ...     print(piece)
        He came. She saw. They had to go on and on.
        They had to go on and on. They had to go on and on.
    """
    held: list[str] = []
    for sentence in _SENTENCE.split(text):
        if held and len(" ".join([*held, sentence]).split()) > MOST // 4:
            yield " ".join(held)
            held = []
        held += [sentence.strip()] if sentence.strip() else []
    if held:
        yield " ".join(held)


def whole_texts(folder: Path, source: str) -> Iterator[str]:
    """Read the texts of a file."""
    name, columns = SOURCES[source]
    path = folder / name
    if not path.exists():
        return
    opener: Callable[..., IO[str]] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        if ".jsonl" in path.suffixes:
            yield from (json.loads(line)[column] for line in file for column in columns)
            return
        delimiter = "\t" if ".tsv" in path.suffixes else ","
        for entry in csv.DictReader(file, delimiter=delimiter):
            yield from (entry[column] for column in columns if entry[column])
