"""How well the first names of people are told from other capitalised words, in tagged texts.

Asked are the capitalised words of prose that are spelt like a shipped first name. One is a first
name where it lies in the span of a person and is not the last of several words; the last word is
one where nothing but titles stand before it that go with first names ("Prince William"), and none
where a title stands before it that goes with surnames ("Dr. Joseph"); behind a comma ("Townsend,
George") it is one. A span of one word says
nothing of whether that is a first name or a surname: with words that the list marks as surnames
("Cameron dismisses it") it is left out of the first table, and taken for a first name in the
second, as the spans alone would have it.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.load import Tags
from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.language import language
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import TokenBatch

SHIPPED = language().tags
FILES = {"tweets": "person_names_tweets.jsonl.gz", "EWT dev": "person_names_ewt_dev.jsonl.gz"}
FIRST, SURNAME, ALONE = "a first name", "a surname", "a name alone, often a surname"
_KINDS = {"LOC": "a place", "ORG": "an organisation", "": "no name"}
_WORD = re.compile(r"\w+")
_OF_FIRST_NAMES = (
    "before_first_name", "before_name_of_man", "before_name_of_woman", "royal_titles",
)  # fmt: skip


class Row(NamedTuple):
    """A tagged text: its spans are begin, end and kind."""

    number: int
    text: str
    spans: list[tuple[int, int, str]]


class Asked(NamedTuple):
    """A word that was asked about: what it is, how it was read and by which rule."""

    row: Row
    start: int
    end: int
    kind: str
    is_read: bool
    rule: str


def rows_of(path: Path) -> list[Row]:
    """Read tagged texts; those of odd numbers are held back."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Row(number, row["text"], [tuple(span) for span in row["spans"]])
        for number, row in enumerate(rows)
    ]


def table_of_names(tags: Tags | None) -> TermTable:
    """Return what reads names: the rules with a reader, or by themselves."""
    table = find_table("gender", names=True)
    return replace(table, language=table.language._replace(tags=tags))


def asked(rows: Sequence[Row], tags: Tags | None = SHIPPED) -> Iterator[Asked]:
    """Read the texts, and yield the words that are spelt like first names.

    Args:
        rows: The texts.
        tags: The reader that decides with the rules; None for the rules alone.

    Yields:
        The words.
    """
    table = table_of_names(tags)
    several = TokenBatch([row.text for row in rows])
    mentions = annotate_batch(several, np.arange(len(rows)), table)
    is_name = table.columns.facts["first name"]
    is_surname = table.columns.facts["surname"]
    for place, last, reading, reason, rule in zip(
        mentions.firsts,
        mentions.lasts,
        mentions.readings,
        mentions.reasons,
        mentions.rules,
        strict=True,
    ):
        if place != last or not is_name[reading] or not several.is_capital(place):
            continue
        if rule.startswith("text.") or rule == "":
            continue
        row = rows[several.owner[place]]
        offset = several.offset[several.owner[place]]
        start, end = int(several.start[place] - offset), int(several.end[place] - offset)
        kind = kind_of(row, start, end, bool(is_surname[reading]))
        yield Asked(row, start, end, kind, reason is None, rule)


def kind_of(row: Row, start: int, end: int, may_be_surname: bool) -> str:
    """Return what a word is by the spans of its text."""
    span = next((span for span in row.spans if span[0] <= start and end <= span[1]), None)
    if span is None or span[2] != "PER":
        return _KINDS.get(span[2] if span else "", "another name")
    before = _WORD.findall(row.text[span[0] : start].lower())
    behind = [word for word in _WORD.findall(row.text[end : span[1]].lower()) if word != "s"]
    outside = _WORD.findall(row.text[max(0, span[0] - 20) : span[0]].lower())
    if behind:
        return FIRST
    if (before or outside)[-1:] and (before or outside)[-1] in words("before_surname"):
        return SURNAME
    titles = frozenset().union(*map(words, _OF_FIRST_NAMES))
    if not set(before) <= titles and not row.text[:start].endswith(", "):
        return SURNAME
    return ALONE if may_be_surname and not before else FIRST


def name_rows(found: Sequence[Asked], firsts: tuple[str, ...]) -> list[str]:
    """Return how many words were asked about, the F1, the precision and the recall."""
    hits = sum(each.is_read and each.kind in firsts for each in found)
    read = sum(each.is_read for each in found)
    names = sum(each.kind in firsts for each in found)
    shares = (2 * hits / max(1, read + names), hits / max(1, read), hits / max(1, names))
    return [str(len(found)), str(names), *(f"{share:.3f}" for share in shares)]
