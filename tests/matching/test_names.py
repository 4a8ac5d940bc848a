"""First names in context."""

import pytest
from fair_datasets.matching.names import judge_name

from fair_datasets.lexicons import Entry
from fair_datasets.matching.terms import Term
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
        ("J. P. Morgan left", "morgan", "", "REJECT"),
        ("J. Edgar Hoover", "edgar", "", "ACCEPT"),
        ("Christian G. Fritz left", "fritz", "", "REJECT"),
        ("CHAPTER V. Anne left", "anne", "", "ACCEPT"),
        ("Kelly Clark left", "clark", "", "REJECT"),
        ("Bayard Rustin spoke", "rustin", "", "REJECT"),
        ("Yesterday John left", "john", "", "ACCEPT"),
        ("Wow John left", "john", "", "ACCEPT"),
        ("Bill de Blasio left", "bill", "word", "ACCEPT"),
        ("Good Will Hunting won", "will", "word", "UNSURE"),
        ("by the Grace of God", "grace", "word", "REJECT"),
        ("a Tony for the score", "tony", "", "REJECT"),
        ("the Mark Taylor I know", "mark", "word", "ACCEPT"),
        ("The Virginia Mavericks lost", "virginia", "place", "REJECT"),
        ("Virginia Tech won", "virginia", "place", "REJECT"),
        ("from Virginia Woolf", "virginia", "place", "ACCEPT"),
        ("in Victoria, British Columbia", "victoria", "place", "REJECT"),
        ("to Austin, TX", "austin", "place", "REJECT"),
        ("my sister Charlotte left", "charlotte", "place", "ACCEPT"),
        ("we met Charlotte there", "charlotte", "place", "ACCEPT"),
        ("Hurricane Sophia came", "sophia", "", "REJECT"),
        ("Simon Fraser University", "simon", "", "REJECT"),
        ("the Nancy Drew series", "nancy", "", "REJECT"),
        ("James and the Giant Peach", "james", "", "REJECT"),
        ("John 3:16", "john", "", "REJECT"),
        ("the Book of Daniel", "daniel", "", "REJECT"),
        ("ate at Wendy's.", "wendy", "", "REJECT"),
        ("Wendy's burgers", "wendy", "", "REJECT"),
        ("Wendy's mother", "wendy", "", "ACCEPT"),
        ("Ben & Jerry's is full", "ben", "", "REJECT"),
        ("Ben & Jerry's is full", "jerry", "", "REJECT"),
        ("Laura & Bridget's day", "bridget", "", "ACCEPT"),
        ("the Younger–James Gang", "james", "", "REJECT"),
        ("Richard-", "richard", "", "ACCEPT"),
        ("Mark is late", "mark", "word", "ACCEPT"),
        ("Mark, come here", "mark", "word", "ACCEPT"),
        ("Hope is gone", "hope", "word", "UNSURE"),
        ("Hope is late, but he said so", "hope", "word", "ACCEPT"),
        ("Faith in people", "faith", "word", "UNSURE"),
        ("Bob up and down", "bob", "", "REJECT"),
        ("April 5", "april", "proper", "REJECT"),
        ("a male German Shepherd", "german", "proper", "REJECT"),
        ("Clinton said", "clinton", "surname", "UNSURE"),
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


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("It honours Ed Bradley. Bradley's legacy lives.", "REJECT"),
        ("When Bradley sang, Bradley's friends left.", "ACCEPT"),
        ("Miss Bradley sang. Bradley's friends left.", "ACCEPT"),
    ],
)
def test_a_name_that_was_a_surname_stays_one(text: str, verdict: str) -> None:
    """A name alone is a surname if it stood behind a first name shortly before."""
    tokens = tokenize(text)
    term = Term("man", Entry({}), frozenset(), True, True)
    last = len(tokens.lower) - 1 - tokens.lower[::-1].index("bradley")
    assert judge_name(tokens, last, term, False).name == verdict
