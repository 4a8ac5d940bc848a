"""Rows that name somebody in full in a text about public life."""

import csv

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching import rows as matching_rows
from fair_datasets.swap import public_people
from fair_datasets.swap.rewriting import Rows


@pytest.mark.parametrize(
    ("text", "is_left"),
    [
        ("The journalist Mary Novak began a biography of her mother.", True),
        ("Mary Novak, a singer, lost her keys.", True),
        ("In this film Mary J. Novak plays a nurse and her sister.", True),
        ("GOVERNOR Mary Novak met her sister.", True),
        ("Edward VIII wrote to his brother.", True),
        ("Cole lost his keys after the release of the album.", True),
        ("Sebastian lost his keys after the release of the album.", False),
        ("Cole lost his keys.", False),
        ("Mary Novak lost her keys.", False),
        ("Mary lost her keys after the film.", False),
        ("The singer lost her keys.", False),
        ("Mary Novak was a good season for her.", False),
        ("Mary Novak read a book about music to her son.", False),
        ("Mary SINGER lost her keys.", False),
        ("Mary and John saw a film with their mother.", False),
        ("Edward V wrote to his brother.", False),
        ("Love, Mary XX. Tell her.", False),
        ("Mary I loved the film and her dog.", False),
        ("Thomas and his wife watched a movie.", False),
        ("Mary, Novak and the singer met her mother.", False),
    ],
)
def test_a_full_name_beside_words_of_public_life_leaves_the_row(text: str, is_left: bool) -> None:
    """One word that hardly occurs elsewhere is enough, or two that other texts have as well."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert (swap({"text": [text]})["text"][0] == text) == is_left
    for protect in ((), ("Lily Allen",)):
        others = CounterfactualSwap(columns="text", mode="replace", protect=protect)
        # What one protects is added to the known people; nobody is protected by ().
        assert (others({"text": [text]})["text"][0] == text) == (is_left and bool(protect))


def test_words_far_from_a_name_say_nothing_of_its_person() -> None:
    """A long text that mentions a film somewhere is not about public life as a whole."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    far = "Mary Novak lost her keys." + " It rained." * 30 + " We saw a film."
    near = "Mary Novak lost her keys." + " It rained." * 20 + " We saw a film."
    assert [new == old for old in (far, near) for new in swap({"text": [old]})["text"]] == [
        False,
        True,
    ]


def test_a_long_text_is_left_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is read in several parts."""
    parts_of = matching_rows.parts_of
    monkeypatch.setattr(matching_rows, "MAX_CHUNK_CHARS", 200)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: parts_of(text, 200))
    text = "She slept. " * 100 + "The singer Mary Novak lost her keys." + " He slept." * 100
    swap = CounterfactualSwap(columns="text", mode="replace")
    rows = {"text": ["He slept.", text, "She slept."]}
    assert swap(rows)["text"] == ["She slept.", text, "He slept."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mary Novak had a long career, and her best season in May.", "'Mary Novak' beside 'career'"
         " and 'season'"),
        ("The journalist and singer Mary Novak.", "'Mary Novak' beside 'singer'"),
        ("Edward VIII wrote to his brother.", "'Edward VIII'"),
    ],
)  # fmt: skip
def test_the_reason_names_the_person_and_the_words(text: str, words: str) -> None:
    """Whoever asks is told why, with the words of the row."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    skipped = [
        mention.explanation
        for row in swap.read(Rows([(text,)], [None]))
        for reading in row.readings
        if reading
        for mention in reading.skipped
    ]
    assert skipped[0] == f"the row names {words}, and would become false"


def test_the_words_are_listed_once_and_in_order() -> None:
    """In small letters, each with what it says by itself."""
    with public_people._WORDS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    words = [row["word"] for row in rows]
    assert words == sorted({*words})
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert {row["strength"] for row in rows} == {"alone", "together"}
