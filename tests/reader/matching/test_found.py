"""What is found, in columns and text by text."""

import numpy as np

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Found, merged
from fair_datasets.reader.matching.reading import read_words
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.words import Words

TEXTS = ["A Black woman met him.", "It rains.", "A white shirt, said Mary; a 40-year-old man."]


def _found(axis: str) -> Found:
    words = Words(TEXTS)
    return read_words(words, np.arange(len(TEXTS)), table_of(axis, owner="test"))


def test_what_is_found_is_told_text_by_text() -> None:
    """Each text that has a candidate comes once, in order, with its own words."""
    found = dict(_found("gender").by_text())
    assert list(found) == [0, 2]
    words = [
        [reading.tokens.lower[m.first] for m in reading.mentions] for reading in found.values()
    ]
    assert words == [["woman", "him"], ["mary", "man"]]


def test_a_word_is_a_mention_of_the_first_axis_that_reads_it() -> None:
    """Those of the others that overlap with it are dropped; what is left alone is kept."""
    words = Words(TEXTS)
    axes = ("gender", "race", "gender", "age")
    several = [read_words(words, np.arange(len(TEXTS)), table_of(a, owner="test")) for a in axes]
    both = merged(several)
    (first, second) = [reading for _, reading in both.by_text()]
    told = [(r.tokens.lower[m.first], m.term.axis) for r in (first, second) for m in r.mentions]
    assert told == [("black", "race"), ("woman", "gender"), ("him", "gender"), ("mary", "gender"),
                    ("40", "age"), ("man", "gender")]  # fmt: skip
    assert [second.tokens.lower[each.first] for each in second.left] == ["white"]


def test_kinds_are_numbered() -> None:
    """Each reading knows its axis and attribute by number."""
    (chunk,) = chunks([[text] for text in TEXTS], [table_of("gender", owner="test")])
    found = chunk.found.take(chunk.found.is_mention)
    terms = found.terms
    told = [terms.kinds[kind][1] for kind in terms.kind[found.readings].tolist()]
    assert told == ["woman", "man", "woman", "man"]
    assert chunk.row_of[found.texts].tolist() == [0, 0, 2, 2]
