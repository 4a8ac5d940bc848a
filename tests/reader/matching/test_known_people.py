"""Known people in texts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import find_terms
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reason
from fair_datasets.reader.matching.known_people import KnownPeople
from fair_datasets.reader.matching.rows import found_in_rows
from fair_datasets.reader.matching.words import Words

PEOPLE = KnownPeople(
    [
        "Marie Curie", "Madonna", "J. K. Rowling", "Anne-Marie Li", "Sinéad O'Connor", "bell hooks",
        "Dr. Martin Luther King Jr.", "Lech Wałęsa", "Bo", "Bo Li Ma", "50 Cent",
    ]
)  # fmt: skip


def _names(text: str) -> bool:
    return bool(len(PEOPLE.texts(Words(["Ada", text, ""]))))


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie left.", "by Marie  Curie", "Marie\nCurie", "Marie Curie's lab",
        "(Marie Curie)",
        "MARIE CURIE LEFT", "“Marie Curie”", "Madonna", "the Madonna", "J. K. Rowling",
        "J.K. Rowling",
        "J K Rowling", "J.K. ROWLING'S",
        "Anne-Marie Li", "Sinéad O'Connor", "Sinéad O’Connor",
        "bell hooks wrote",
        "Dr. Martin Luther King Jr.", "Lech Wałęsa", "LECH WAŁĘSA", "Bo",
        "Bo Li", "50 Cent", "Curie and Marie, not Marie Curie", "Marie Curie-Li",
        "user_x and Marie Curie",
    ],
)  # fmt: skip
def test_names_are_found(text: str) -> None:
    """As they are written, possessive or in capitals, with other dots and spaces."""
    assert _names(text)


@pytest.mark.parametrize(
    "text",
    [
        "marie curie", "Marie curie", "MARIE Curie", "Marie", "Curie", "Marie, Curie",
        "Marie. Curie",
        "Marie-Curie", "Rose-Marie Curie", "@Marie Curie", "Marie Curies", "MADONNA", "madonna",
        "Madonnas", "Anne Marie Li", "bell Hooks", "Bell Hooks", "http://a.b/Madonna",
        "J. Rowling", "Bob", "", "Marie Curie_x", "50 Cent_x", "Madonna.com", "Marie Curie\u00ads",
    ],
)  # fmt: skip
def test_what_is_no_name(text: str) -> None:
    """Other letter case, other signs between, longer words, identifiers, handles and addresses."""
    assert not _names(text)


_WORDS = st.sampled_from(["Ada", "Bo", "Cy", "ada", "ran", "Ada-Bo"])
_NAMES = st.lists(st.lists(_WORDS, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


@given(names=_NAMES, texts=st.lists(st.lists(_WORDS, max_size=6).map(" ".join), max_size=3))
def test_names_are_found_as_a_pattern_finds_them(names: list[str], texts: list[str]) -> None:
    """Whichever words they share, and whatever stands beside them."""
    is_upper = "|".join(re.escape(name.upper()) for name in names if re.search("[ -]", name))
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?!\w)")
    upper = re.compile(rf"(?<![\w-])(?:{is_upper})(?!\w)") if is_upper else None
    expected = [
        number
        for number, text in enumerate(texts)
        if pattern.search(text) or (upper and upper.search(text))
    ]
    assert KnownPeople(names).texts(Words(texts)).tolist() == expected


def test_the_row_is_left_with_the_reason() -> None:
    """Its pronouns, titles and names are, in whichever of its texts the name stands."""
    table = table_of("gender", protect="known_people", owner="test")
    rows = [["Confucius spoke to the poor.", "He told Mary."], ["Mary left.", None], ["Rain."]]
    (number, first), (other, second) = found_in_rows(rows, [table])
    assert (number, other) == (0, 1)
    assert first[1] is not None
    assert [left.reason for left in first[1].left] == [Reason.KNOWN_PERSON] * 2
    assert not first[1].mentions
    assert second[0] is not None
    assert len(second[0].mentions) == 1


def test_the_reason_is_told() -> None:
    """With the name of the rule; a name that is given by itself leaves its own words alone."""
    found = find_terms("Marie Curie saw her aunt.", protect=("known_people", "Lily Allen"))
    assert [(term.text, term.rule) for term in found] == [
        ("Marie", "rows.known_person"), ("her", "rows.known_person"), ("aunt", "rows.known_person"),
    ]  # fmt: skip
    assert {term.reason for term in found} == {Reason.KNOWN_PERSON.value}
    assert [term.attribute for term in find_terms("Lily Allen saw her.", protect="Lily Allen")] == [
        "", "woman",
    ]  # fmt: skip
