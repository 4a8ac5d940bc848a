"""The table of forms: a user's own forms and exceptions, and how phrases are compared."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.reader.matching.table import KnownPeople
from fair_datasets.reader.matching.token_batch import TokenBatch


def _swapped(folder: Path, rows: str, text: str, exceptions: str = "", header: str = "a\tb") -> str:
    """Swap a text with a user's own lexicon."""
    path = folder / "own.tsv"
    path.write_text(f"{header}\n{rows}\n", encoding="utf-8")
    if exceptions:
        beside = folder / "own.exceptions.tsv"
        beside.write_text(f"phrase\treason\n{exceptions}\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace")
    return str(swap({"text": [text]})["text"][0])


def test_an_exception_of_one_word_is_never_read(tmp_path: Path) -> None:
    """The word is left alone by itself, but a phrase with it is still read."""
    rows = "king\tqueen\nking of arms\tqueen of arms\nduke\tduchess"
    text = "The King, a king of arms and a duke."
    after = "The King, a queen of arms and a duchess."
    assert _swapped(tmp_path, rows, text, "king\tx") == after


def test_an_exception_of_one_word_holds_for_first_names(tmp_path: Path) -> None:
    """A first name can be left out as well."""
    text = "Peter saw the man and Paul."
    after = _swapped(tmp_path, "man\twoman", text, "Peter\tx", header="man\twoman")
    assert after.startswith("Peter saw the woman and ")
    assert not after.endswith("Paul.")


@pytest.mark.parametrize(("text", "after"), [
    ("O'Brien came.", "O'Malley came."), ("Then Mr O’Brien came.", "Then Mr O'Malley came."),
    ("'O'Brien' and O'BRIEN", "'O'Malley' and O'MALLEY"),
    ("o'brien, O Brien, O-Brien", "o'brien, O Brien, O-Brien"),
])  # fmt: skip
def test_a_form_with_an_apostrophe_is_found(text: str, after: str, tmp_path: Path) -> None:
    """What follows an apostrophe gives no phrase away, so the word before it does."""
    assert _swapped(tmp_path, "O'Brien\tO'Malley", text) == after


@pytest.mark.parametrize("text", ["a ladies' man", "a ladies’ man", "a ladies’\nman"])
def test_quotes_and_spaces_in_phrases_may_be_of_any_kind(text: str, tmp_path: Path) -> None:
    """A phrase is the same with curly quotes and across a line end."""
    rows, exceptions = "man\twoman\nmen\tladies", "ladies' man\tx"
    assert _swapped(tmp_path, rows, text, exceptions) == text
    assert _swapped(tmp_path, rows, "a ladies man", exceptions) == "a men woman"


PEOPLE = KnownPeople(
    ["Marie Curie", "Madonna", "J. K. Rowling", "Anne-Marie Li", "Sinéad O'Connor", "bell hooks",
     "Dr. Martin Luther King Jr.", "Lech Wałęsa", "Bo", "Bo Li Ma", "50 Cent"]
)  # fmt: skip


def _names(text: str) -> bool:
    return bool(len(PEOPLE.texts(TokenBatch(["Ada", text, ""]))))


NAMED = [
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
    ]  # fmt: skip


def test_names_are_found() -> None:
    """As they are written, possessive or in capitals, with other dots and spaces."""
    assert [text for text in NAMED if not _names(text)] == []


UNNAMED = [
        "marie curie", "Marie curie", "MARIE Curie", "Marie", "Curie", "Marie, Curie",
        "Marie. Curie",
        "Marie-Curie", "Rose-Marie Curie", "@Marie Curie", "Marie Curies", "MADONNA", "madonna",
        "Madonnas", "Anne Marie Li", "bell Hooks", "Bell Hooks", "http://a.b/Madonna",
        "J. Rowling", "Bob", "", "Marie Curie_x", "50 Cent_x", "Madonna.com", "Marie Curie\u00ads",
    ]  # fmt: skip


def test_what_is_no_name() -> None:
    """Other letter case, other signs between, longer words, identifiers, handles and addresses."""
    assert [text for text in UNNAMED if _names(text)] == []


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
    assert KnownPeople(names).texts(TokenBatch(texts)).tolist() == expected


def test_the_row_is_left_with_the_reason() -> None:
    """Its pronouns, titles and names are, in whichever of its texts the name stands."""
    table = find_table("gender", protect="known_people")
    rows = [["Confucius spoke to the poor.", "He told Mary."], ["Mary left.", None], ["Rain."]]
    (number, first), (other, second) = mentions_in_rows(rows, [table])
    assert (number, other) == (0, 1)
    assert first[1] is not None
    assert [left.reason for left in first[1].skipped] == [Reason.KNOWN_PERSON] * 2
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
