"""What is found, in columns and text by text."""

import numpy as np

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Decisions, merged
from fair_datasets.reader.matching.reading import read_words
from fair_datasets.reader.matching.words import Words

TEXTS = ["A Black woman met him.", "It rains.", "A white shirt, said Mary; a 40-year-old man."]


def test_a_word_is_a_mention_of_the_first_axis_that_reads_it() -> None:
    """Those of the others that overlap with it are dropped; what is left alone is kept."""
    words = Words(TEXTS)
    axes = ("gender", "race", "gender", "age")
    several = [read_words(words, np.arange(len(TEXTS)), table_of(a)) for a in axes]
    both = merged(several)
    (first, second) = [reading for _, reading in both.by_text()]
    told = [(r.tokens.lower[m.first], m.term.axis) for r in (first, second) for m in r.mentions]
    assert told == [("black", "race"), ("woman", "gender"), ("him", "gender"), ("mary", "gender"),
                    ("40", "age"), ("man", "gender")]  # fmt: skip
    assert [second.tokens.lower[each.first] for each in second.left] == ["white"]


TABLE = table_of("gender")


def decisions(text: str) -> Decisions:
    """Return the candidates of a text."""
    words = Words([text])
    return Decisions(words, TABLE.columns.places(words), TABLE.columns)


def test_facts_are_those_of_the_readings() -> None:
    """And what is told beside them."""
    follows = {"follows a name": np.array([True, False, False, True])}
    facts = decisions("he Mary Will king").candidates(np.arange(4), follows).facts
    assert facts["pronoun"].tolist() == [True, False, False, False]
    assert facts["name"].tolist() == facts["first name"].tolist() == [False, True, True, False]
    assert facts["woman"].tolist() == [False, True, False, False]
    assert facts["word"].tolist() == [False, False, True, False]
    assert facts["thing"].tolist() == [False, False, False, True]
    assert facts["follows a name"].tolist() == [True, False, False, True]
