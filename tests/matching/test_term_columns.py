"""The terms of an axis by the numbers of their words."""

import numpy as np

from fair_datasets.matching.find import table_of
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Words

TABLE = table_of("gender", owner="test")
COLUMNS = TABLE.columns


def numbers(*words: str) -> np.ndarray:
    """Return the numbers of words."""
    return np.array([vocabulary().number(word) for word in words], np.int32)


def test_each_word_has_its_readings() -> None:
    """The usual one, that before a name, and those of its cases."""
    for word, readings in TABLE.words.items():
        (number,) = numbers(word)
        assert COLUMNS.terms[COLUMNS.usual(numbers(word))[0]] is readings.usual
        title = COLUMNS.title(np.array([number]))[0]
        assert (COLUMNS.terms[title] if title >= 0 else None) is readings.title
        for case, term in readings.cases.items():
            assert COLUMNS.terms[COLUMNS.case(case, np.array([number]))[0]] is term


def test_other_words_have_none() -> None:
    """Also those that the vocabulary took up later."""
    later = vocabulary().add(["a-word-of-later"])
    for asked in (np.zeros(1, np.int32), later):
        assert COLUMNS.usual(asked).tolist() == [-1]
        assert COLUMNS.title(asked).tolist() == [-1]
        assert COLUMNS.case("object", asked).tolist() == [-1]
        assert COLUMNS.case("no such case", asked).tolist() == [-1]


def test_names_are_looked_at_where_they_are_capitalised() -> None:
    """Other words wherever they stand."""
    words = Words(["emily Emily he He drew it"])
    assert COLUMNS.places(words).tolist() == [1, 2, 3]


def test_facts_are_those_of_the_readings() -> None:
    """And what is told beside them."""
    terms = COLUMNS.usual(numbers("he", "mary", "will", "king")).astype(np.int64)
    facts = COLUMNS.facts_of(terms, {"follows a name": np.array([True, False, False, True])})
    assert facts["pronoun"].tolist() == [True, False, False, False]
    assert facts["name"].tolist() == facts["first name"].tolist() == [False, True, True, False]
    assert facts["woman"].tolist() == [False, True, False, False]
    assert facts["word"].tolist() == [False, False, True, False]
    assert facts["thing"].tolist() == [False, False, False, True]
    assert facts["follows a name"].tolist() == [True, False, False, True]
    assert len(facts) == len([*facts]) == len(COLUMNS.facts) + 1
