"""What words of the lexicons stand for in texts of the catalogue, as they were read one by one.

`fair-datasets docs gold` is the guide that they were read by. Each was read once, where the
gold in `reader/gold.tsv`, which no training sees, was read twice.
"""

import csv
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import ANIMAL, LOCATION, PEOPLE, QUOTED, SENSES, THING, TITLE
from fair_datasets.reader.training.gold import FILES
from fair_datasets.reader.training.rows import SOURCES, Row, whole_texts

READINGS = Path(__file__).with_name("readings.tsv")
"""The readings: axis, source, digest of the text, where the word begins and ends, and the label."""
SENSE_OF = {
    "person": 1 << PEOPLE, "thing": 1 << THING, "title": 1 << TITLE, "surname": 1 << TITLE,
    "place": 1 << LOCATION, "animal": 1 << ANIMAL, "quoted": 1 << QUOTED,
}  # fmt: skip
"""What the guide calls a sense, to the tag, as a bit."""
_BESIDE = 40


def digest(text: str) -> str:
    """Return what stands for a text.

    Args:
        text: The text.

    Returns:
        The first 16 digits of its SHA-256.

    Example:
        >>> digest("Mary left.")
        'ecdb11b6f85383bd'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_rows(folder: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Read the words of lexicons of which it was read what they stand for.

    Args:
        folder: The folder of the shared data; readings of a text that is not there are left out.
        left_out: Sources to leave out.

    Yields:
        A row for each word, with the words around it.
    """
    readings: dict[str, dict[str, list[tuple[int, int, int]]]] = {}
    with READINGS.open(encoding="utf-8", newline="") as file:
        for entry in csv.DictReader(file, delimiter="\t"):
            if entry["source"] not in left_out:
                found = readings.setdefault(entry["source"], {}).setdefault(entry["text"], [])
                place = int(entry["start"]), int(entry["end"])
                found.append((*place, SENSE_OF[entry["label"]]))
    for source, known in readings.items():
        for text in dict.fromkeys(_texts(folder, source)):
            for start, end, sense in known.get(digest(text), ()):
                row = row_of(source, text, start, end, sense)
                if row.text:
                    yield row


def row_of(source: str, text: str, start: int, end: int, sense: int) -> Row:
    """Return a word whose sense is known, with the words around it.

    Args:
        source: Where the text is from.
        text: The text.
        start: Where the word begins, or several that stand together.
        end: Where it ends.
        sense: Its sense, as a bit.

    Returns:
        The row.

    Example:
        >>> row_of("news", "A black car.", 2, 7, 1 << THING).allowed == [0, 1 << THING, 0]
        True
    """
    tokens = tokenize(text)
    inside = [k for k, at in enumerate(tokens.starts) if start <= at < end]
    if not inside:
        return Row(source, "", [], [])
    first, last = max(0, inside[0] - _BESIDE), min(len(tokens.starts), inside[-1] + _BESIDE + 1)
    begin = tokens.starts[first] if first else 0
    stop = tokens.starts[last] if last < len(tokens.starts) else len(text)
    piece = tokenize(text[begin:stop])
    allowed = [sense if start <= begin + at < end else 0 for at in piece.starts]
    return Row(source, piece.text, allowed, [SENSES if each else 0 for each in allowed])


def _texts(folder: Path, source: str) -> Iterable[str]:
    """Read the texts of a source as a whole."""
    if source in SOURCES:
        return whole_texts(folder, source)
    with gzip.open(folder / "tagged" / FILES[source][0], "rt", encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]
