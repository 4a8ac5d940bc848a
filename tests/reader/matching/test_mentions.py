"""What is found, in columns and text by text."""

import numpy as np

from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import CandidateTable, merge_tables
from fair_datasets.reader.matching.token_batch import TokenBatch

TEXTS = ["A Black woman met him.", "It rains.", "A white shirt, said Mary; a 40-year-old man."]


def test_a_word_is_a_mention_of_the_first_axis_that_reads_it() -> None:
    """Those of the others that overlap with it are dropped; what is left alone is kept."""
    words = TokenBatch(TEXTS)
    axes = ("gender", "race", "gender", "age")
    several = [annotate_batch(words, np.arange(len(TEXTS)), find_table(a)) for a in axes]
    both = merge_tables(several)
    (first, second) = [annotation for _, annotation in both.by_text()]
    told = [(r.tokens.lower[m.first], m.term.axis) for r in (first, second) for m in r.mentions]
    assert told == [("black", "race"), ("woman", "gender"), ("him", "gender"), ("mary", "gender"),
                    ("40", "age"), ("man", "gender")]  # fmt: skip
    assert [second.tokens.lower[each.first] for each in second.skipped] == ["white"]


TABLE = find_table("gender")


def decisions(text: str) -> CandidateTable:
    """Return the candidates of a text."""
    words = TokenBatch([text])
    return CandidateTable(words, TABLE.columns.places(words), TABLE.columns)


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
