"""Names with accents, which the lists have without."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.matching.accents import looked_up
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Words

FORMS = ("NFC", "NFD")
PARTS = ["josé", "José", "zoë", "mary's", "Mary", "her", "his", "saw", "café", "é", "Müller",
         "Łukasz", "Žak", "şeyma", "fiancé", "el", "días", "."]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("text", "names", "swapped"),
    [
        ("José's wife saw Zoë.", ["José", "Zoë"], "Maria's husband saw Ricardo."),
        ("CHLOË LOST HER KEYS.", ["CHLOË"], "OWEN LOST HIS KEYS."),
        ("Renée called Søren García.", ["Renée", "Søren"], "Shaun called Kara García."),
        (
            "Café Élan and René are déjà vu, Déjà vu.",
            [],
            "Café Élan and René are déjà vu, Déjà vu.",
        ),
        ("He drank josé and Rosé.", [], "She drank josé and Rosé."),
        ("Hé left.", [], "Hé left."),
    ],
)
def test_names_with_accents_are_read(text: str, names: list[str], swapped: str, form: str) -> None:
    """However the accents are written; the other words stay, and the places of edits are theirs."""
    text = unicodedata.normalize(form, text)
    row = CounterfactualSwap(columns="text", mode="replace", provenance=True)({"text": [text]})
    assert row["text"] == [unicodedata.normalize(form, swapped)]
    edits = row["edits"][0]
    assert [text[edit["start"] : edit["end"]] for edit in edits] == [e["before"] for e in edits]
    read = [unicodedata.normalize("NFC", edit["before"]) for edit in edits]
    assert [name for name in names if name in read] == names


@pytest.mark.parametrize("form", FORMS)
def test_names_by_race_are_read_too(form: str) -> None:
    """By the same look-up, surnames as well."""
    text = unicodedata.normalize(form, "José García left.")
    swap = CounterfactualSwap(
        columns="text", axis="race", names=True, target="white", mode="replace"
    )
    assert swap({"text": [text]})["text"] == ["Thomas Olson left."]


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
    words = Words(["José josé Résumé resume"])
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


@pytest.mark.parametrize("form", FORMS)
def test_names_with_accents_are_read_in_texts_without_capitals(form: str) -> None:
    """As the lists have them; and not where another word has a capital."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    texts = [
        unicodedata.normalize(form, text)
        for text in ("josé lost his keys and zoë found them.", "Anna saw josé.", "déjà vu, he said")
    ]
    assert [unicodedata.normalize("NFC", text) for text in swap({"text": texts})["text"]] == [
        "maria lost her keys and ricardo found them.", "Joshua saw josé.", "déjà vu, she said",
    ]  # fmt: skip


def test_many_marks_are_no_name() -> None:
    """Putting them into order would take time that grows with their square."""
    word = "Jose" + "\u0301\u0316" * 100_000
    assert looked_up(word) == word.lower()
