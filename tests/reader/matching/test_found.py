"""What is found, in columns and text by text."""

import numpy as np

from fair_datasets.reader.matching.conditions import ALWAYS, Rule, in_columns
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Decisions, Found, Reason, merged
from fair_datasets.reader.matching.places import HERE
from fair_datasets.reader.matching.reading import read_words
from fair_datasets.reader.matching.rows import chunks
from fair_datasets.reader.matching.vocabulary import vocabulary
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


TABLE = table_of("gender", owner="test")
RULES: tuple[Rule[Reason | None], ...] = (
    Rule("large", Reason.THING, HERE.is_capital),
    Rule("small", None, ALWAYS),
)


def decisions(text: str) -> Decisions:
    """Return the candidates of a text."""
    words = Words([text])
    return Decisions(words, TABLE.columns.places(words), TABLE.columns)


def test_some_candidates_are_decided() -> None:
    """The others stay open."""
    decided = decisions("He saw her King")
    decided.read(np.array([0, 1]), ["large", "small"])
    assert decided.rules.tolist() == ["large", "small", ""]
    assert decided.is_open.tolist() == [False, False, True]
    decided.leave(np.array([2]), Reason.VERB, "own")
    decided.read(np.array([0]), "again")
    assert decided.rules.tolist() == ["again", "small", "own"]
    assert not decided.is_open.any()


def test_candidates_can_be_forgotten() -> None:
    """With all that is decided of them."""
    decided = decisions("He saw her King")
    decided.leave(np.array([2]), Reason.VERB, "own")
    decided.keep(np.array([True, False, True]))
    assert decided.words.lower(decided.places[1]) == "king"
    assert (decided.rules[1], decided.reasons[1]) == ("own", Reason.VERB)
    assert len(decided.terms) == len(decided.lasts) == len(decided.is_open) == 2


def test_a_table_has_names_and_verdicts() -> None:
    """In the order of its rules."""
    assert in_columns(RULES).names.tolist() == ["large", "small"]
    assert in_columns(RULES).verdicts.tolist() == [Reason.THING, None]
    assert in_columns([Rule("one", (1, 2), ALWAYS)]).verdicts.tolist() == [(1, 2)]


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
    follows = {"follows a name": np.array([True, False, False, True])}
    facts = decisions("he Mary Will king").candidates(np.arange(4), follows).facts
    assert facts["pronoun"].tolist() == [True, False, False, False]
    assert facts["name"].tolist() == facts["first name"].tolist() == [False, True, True, False]
    assert facts["woman"].tolist() == [False, True, False, False]
    assert facts["word"].tolist() == [False, False, True, False]
    assert facts["thing"].tolist() == [False, False, False, True]
    assert facts["follows a name"].tolist() == [True, False, False, True]
