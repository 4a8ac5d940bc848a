"""Letters as bytes, and how many of a kind words have."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.letters import Signs, counted, in_bytes, looked_up, match_case
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.vocabulary import vocabulary

LETTERS = st.characters(categories=["Lu", "Ll", "Nd"])


@given(st.lists(st.text(alphabet=LETTERS, min_size=1), min_size=1))
def test_letters_are_counted_as_python_tells_them(words: list[str]) -> None:
    """In words of any length."""
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = ends - [len(word) for word in words]
    content, _ = in_bytes(" ".join(words))
    upper, lower, digits = counted(content, starts, ends).tolist()
    assert upper == [sum(map(str.isupper, word)) for word in words]
    assert lower == [sum(map(str.islower, word)) for word in words]
    assert digits == [sum(c.isdigit() and c < "\u0100" for c in word) for word in words]


@given(st.text())
def test_each_character_is_a_byte(text: str) -> None:
    """Characters of Latin-1 are themselves, but for the three that stand for others."""
    content, beyond = in_bytes(text)
    assert len(content) == len(text)
    assert beyond.tolist() == [k for k, c in enumerate(text) if c > "\u00ff"]
    for byte, character in zip(content, text, strict=True):
        if character <= "\u00ff" and not "\x80" <= character <= "\x82":
            assert byte == ord(character)
        else:
            assert byte in (0x80, 0x81, 0x82, 0x83)


FORMS = ("NFC", "NFD")
PARTS = ["josé", "José", "zoë", "mary's", "Mary", "her", "his", "saw", "café", "é", "Müller",
         "Łukasz", "Žak", "şeyma", "fiancé", "el", "días", "."]  # fmt: skip


def test_a_listed_form_is_looked_up_as_it_is_written(tmp_path: Path) -> None:
    """René and Rene are two words where a lexicon has both; nobody gets the other's name."""
    path = tmp_path / "cities.tsv"
    path.write_text("north\tsouth\nJosé\tParis\nJose\tRome\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace")
    assert swap({"text": ["José, Jose and Zoë."]})["text"] == ["Paris, Rome and Zoë."]


def test_a_name_of_a_user_and_one_of_the_lists_are_told_apart(tmp_path: Path) -> None:
    """Who keeps a name that is listed with its accent counts as well."""
    path = tmp_path / "own.tsv"
    path.write_text("here\tthere\nJosé\tParis\n", encoding="utf-8")
    swap = CounterfactualSwap(
        columns="text", axis=("gender", str(path)), joint=True, target=("man", "here"),
        mode="replace",
    )  # fmt: skip
    assert swap({"text": ["Maria met José."]})["text"] == ["Walter met José."]


def test_only_capitalised_names_have_the_number_of_others() -> None:
    """And only names: the letters of another word may be a word as well."""
    words = TokenBatch(["José josé Résumé resume"])
    known = vocabulary()
    assert known.word(int(words.number[0])) == "jose" == words.looked_up(0)
    assert words.lower(0) == "josé" == words.looked_up(1)
    assert words.looked_up(2) == "résumé"


@pytest.mark.parametrize("axis", ["gender", "race"])
@given(st.lists(st.sampled_from(PARTS), max_size=6).map(" ".join))
def test_it_is_read_the_same_however_accents_are_written(axis: str, text: str) -> None:
    """With capitals and without, beside other words too."""
    composed, decomposed = (
        [
            (unicodedata.normalize("NFC", term.text), *term[3:])
            for term in find_terms(unicodedata.normalize(form, text), axis, names=True)
        ]
        for form in FORMS
    )
    assert composed == decomposed


def test_many_marks_are_no_name() -> None:
    """Putting them into order would take time that grows with their square."""
    word = "Jose" + "\u0301\u0316" * 100_000
    assert looked_up(word) == word.lower()


@pytest.mark.parametrize(("before", "after", "written"), [
    ("his", "her", "her"), ("His", "her", "Her"), ("HIS", "her", "HER"), ("hIS", "her", "her"),
    ("GrandMa", "grandpa", "grandpa"), ("Mother-in-law", "father-in-law", "Father-in-law"),
    ("best man", "maid of honor", "maid of honor"),
    ("Best man", "maid of honor", "Maid of honor"),
    ("Best Man", "maid of honor", "Maid of Honor"),
    ("BEST MAN", "maid of honor", "MAID OF HONOR"), ("Maid of Honor", "best man", "Best Man"),
    ("John", "Mary", "Mary"), ("JOHN", "Mary", "MARY"), ("Ma'am", "sir", "Sir"),
    ("FIANCÉE", "fiancé", "FIANCÉ"),
])  # fmt: skip
def test_case_is_kept(before: str, after: str, written: str) -> None:
    """Lower, Title and UPPER are kept; any other mixture gives the lexicon's spelling."""
    assert match_case(before, after) == written


@given(st.lists(st.text()))
def test_a_sign_has_one_number(texts: list[str]) -> None:
    """The number gives the sign back, and equal signs have equal numbers."""
    signs = Signs()
    numbers = [signs.number(text) for text in texts]
    assert [signs.text(number) for number in numbers] == texts
    assert len(set(numbers)) == len(set(texts))


def test_a_kind_is_told_of_signs_that_came_later() -> None:
    """An answer is kept, and grows with the signs."""
    signs = Signs()
    assert signs.those(str.isspace).tolist() == [False, True]
    number = signs.number("\n")
    other = signs.number("--")
    assert signs.those(str.isspace)[[number, other]].tolist() == [True, False]


def test_control_characters_are_signs_of_their_own() -> None:
    """One of them ends a line, whichever was read first."""
    words = TokenBatch(["a\x80b", "a\x85b", "a\x83b", "a \x9fb", "a \x85b", "Ł\x85Ł"])
    signs = [words.signs.text(words.sign[place]) for place in (words.first[:-1] + 1).tolist()]
    assert signs == ["\x80", "\x85", "\x83", " \x9f", " \x85", "\x85"]


def test_a_long_sign_that_comes_first_is_not_taken_for_none() -> None:
    """Whatever sign is met first, words with nothing between have none."""
    signs, text = Signs(), "--- he"
    written = np.frombuffer(text.encode(), np.uint8)
    begins, ends = np.array([0, 6]), np.array([4, 6])
    assert list(map(signs.text, signs.numbers(text, written, begins, ends, []))) == ["--- ", ""]


def test_every_short_sign_has_a_place_of_its_own() -> None:
    """Of no, one or two bytes, from the lowest to the highest."""
    wanted = ["", "\x00", "\xff", "\x00\x00", "\x00\xff", "\xff\x00", "\xff\xff", "\x83", "a\x83"]
    text, ends = "".join(wanted), np.cumsum(list(map(len, wanted)))
    written = np.frombuffer(text.encode("latin-1"), np.uint8)
    signs = Signs()
    numbers = signs.numbers(text, written, ends - list(map(len, wanted)), ends, [])
    assert list(map(signs.text, numbers)) == wanted
