"""First names in context."""

import pytest

from fair_datasets.lexicons import Entry
from fair_datasets.matching.names import judge_name
from fair_datasets.matching.table import Term
from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "word", "flags", "verdict"),
    [
        ("John left", "john", "", "ACCEPT"),
        ("john left", "john", "", "REJECT"),
        ("JOHN LEFT", "john", "", "ACCEPT"),
        ("the ERIC database", "eric", "", "REJECT"),
        ("JoHn", "john", "", "REJECT"),
        ("Jean-Luc", "jean", "", "REJECT"),
        ("St. John", "john", "", "REJECT"),
        ("San Antonio", "antonio", "", "REJECT"),
        ("Thomas Street", "thomas", "", "REJECT"),
        ("Raymond, Maine", "raymond", "", "REJECT"),
        ("the prophet Moses", "moses", "", "REJECT"),
        ("Mr. James called", "james", "", "REJECT"),
        ("Mr. James Brown", "james", "", "ACCEPT"),
        ("Uncle John", "john", "", "ACCEPT"),
        ("Lady Russell", "russell", "", "REJECT"),
        ("met Priyanka Thomas", "thomas", "", "REJECT"),
        ("Mark it", "mark", "word", "REJECT"),
        ("Mark Smith", "mark", "word", "ACCEPT"),
        ("I saw Mark", "mark", "word", "ACCEPT"),
        ("Mark left", "mark", "word", "UNSURE"),
        ("MARK LEFT", "mark", "word", "UNSURE"),
        ("in Austin", "austin", "place", "REJECT"),
        ("I like Austin", "austin", "place", "UNSURE"),
        ("Austin Smith", "austin", "place", "ACCEPT"),
        ("uncle Mark", "mark", "word", "ACCEPT"),
        ("Uncle Mark", "mark", "word", "ACCEPT"),
        ("Trump Will Win The Election", "will", "word", "UNSURE"),
        ("Mark said so", "mark", "word", "ACCEPT"),
    ],
)
def test_names_are_judged_by_their_neighbours(
    text: str, word: str, flags: str, verdict: str
) -> None:
    """A name is accepted, left open or rejected by what stands around it."""
    tokens = tokenize(text)
    term = Term("man", Entry({}), frozenset(flags.split()), True, True)
    assert judge_name(tokens, tokens.lower.index(word), term, False).name == verdict


@pytest.mark.parametrize(
    ("text", "flags", "verdict"),
    [
        ("Emily Scott said", "", "REJECT"),
        ("Emily Scott Brown", "", "ACCEPT"),
        ("Emily Ann said", "", "ACCEPT"),
        ("Emily Madison Center", "place", "REJECT"),
        ("Emily Harrison Collection", "surname", "REJECT"),
    ],
)
def test_a_name_behind_a_name_is_a_surname(text: str, flags: str, verdict: str) -> None:
    """Behind a first name stands a surname, unless another one follows or it is a second name."""
    term = Term("man", Entry({}), frozenset(flags.split()), True, True)
    assert judge_name(tokenize(text), 1, term, True).name == verdict
