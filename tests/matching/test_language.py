"""A second language beside English: a folder of rules and words, and a lexicon that names it."""

import csv
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.lexicons import available_lexicons, load_lexicon, name_lexicons, shipped
from fair_datasets.matching.find import TermFinder, table_of
from fair_datasets.matching.language import LANGUAGES, Language, language
from fair_datasets.matching.table import table_files

GERMAN = Path(__file__).with_name("german")
AXIS = "geschlecht"


def _forget() -> None:
    """Look at the folder of lexicons anew."""
    for known in (shipped._shipped, shipped._description, name_lexicons):
        known.cache_clear()


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Have the small German lexicon ship beside the others; return its axis."""
    data = tmp_path / "data"
    shutil.copytree(shipped.DATA, data)
    shutil.copy(GERMAN / f"{AXIS}.tsv", data)
    digest = hashlib.sha256((GERMAN / f"{AXIS}.tsv").read_bytes()).hexdigest()
    description = (GERMAN / f"{AXIS}.toml").read_text("utf-8")
    (data / f"{AXIS}.toml").write_text(f'{description}[digests]\n"{AXIS}.tsv" = "{digest}"\n')
    monkeypatch.setattr(shipped, "DATA", data)
    monkeypatch.setitem(LANGUAGES, "de", "tests.matching.german")
    _forget()
    yield AXIS
    _forget()


def _read(text: str, axis: str) -> list[tuple[str, str, str]]:
    return [(term.text, term.attribute, term.rule) for term in find_terms(text, axis)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Frau Schmidt lacht.", [("Frau", "frau", "titel.name")]),
        ("Die Frau lacht.", [("Frau", "frau", "terms.listed")]),
        ("sie sah sie", [("sie", "frau", "sie.subjekt"), ("sie", "frau", "sie.objekt")]),
        ("bei ihr", [("ihr", "frau", "ihr.objekt")]),
        ("ihr Hund", [("ihr", "frau", "ihr.besitz")]),
        ("Die Mutter lacht.", [("Mutter", "frau", "person.mensch")]),
        ("Die Mutter sitzt auf der Schraube.", [("Mutter", "", "person.schraube")]),
        ("er/sie", [("er", "mann", "terms.pronoun"), ("sie", "frau", "sie.objekt")]),
    ],
)
def test_texts_are_read_by_the_rules_of_their_language(
    german: str, text: str, found: list[tuple[str, str, str]]
) -> None:
    """A title before a name, the cases of pronouns, and a word that its rule leaves alone."""
    assert _read(text, german) == found


def test_what_is_swapped_goes_by_them(german: str) -> None:
    """The case and the title choose the counterpart."""
    swap = CounterfactualSwap(columns="text", axis=german, mode="replace")
    texts = ["Frau Schmidt sah ihn.", "Sie lacht.", "Er sah sie.", "Er geht mit ihr.",
             "Sie sieht ihr Kind.", "Die Mutter sitzt auf der Schraube."]  # fmt: skip
    assert swap({"text": texts})["text"] == [
        "Herr Schmidt sah sie.",
        "Er lacht.",
        "Sie sah ihn.",
        "Sie geht mit ihm.",
        "Er sieht sein Kind.",
        "Die Mutter sitzt auf der Schraube.",
    ]


def test_english_is_read_as_before(german: str) -> None:
    """Also where words of both are read in turn, and one is listed in both ("die")."""
    texts = ["I saw her and Mr. Will Brown.", "They die, as her mother did.", "Die Mutter sah ihn."]
    before = [find_terms(text) for text in texts]
    assert [_read(text, german) for text in texts] == [
        [],
        [],
        [("Mutter", "frau", "person.mensch"), ("ihn", "mann", "terms.pronoun")],
    ]
    assert [find_terms(text) for text in texts] == before
    assert language("de") is not language("en")
    assert "die" in language_words("fair_datasets/english") & language_words(GERMAN)


def language_words(folder: str | Path) -> set[str]:
    """Return the words that a language lists."""
    with (Path(__file__).parents[2] / folder / "words.tsv").open(encoding="utf-8") as file:
        return {row["word"] for row in csv.DictReader(file, delimiter="\t")}


def test_lists_of_names_are_of_one_language(german: str, tmp_path: Path) -> None:
    """English names are not read in German texts, though their attributes be the same."""
    file = shipped.DATA / f"{AXIS}.tsv"
    file.write_text(file.read_text("utf-8").replace("mann\tfrau", "man\twoman", 1), "utf-8")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    (shipped.DATA / f"{AXIS}.toml").write_text(
        f'language = "de"\nattributes = ["man", "woman"]\ndigests = {{"{AXIS}.tsv" = "{digest}"}}\n'
    )
    _forget()
    assert list(table_files(german)) == [german]
    assert "first_names" in table_files("gender")


def test_where_nothing_is_asked_the_words_of_lexicons_are_read() -> None:
    """So that a language may begin with one table of rules."""
    table = replace(table_of("gender", owner="test"), language=Language())
    text = "They host the king of spades. Will the host miss Lady Smith, her mother?"
    found = TermFinder(table, None, tells_unlisted=False).find(text)
    assert [term.text for term in found if not term.attribute] == []
    assert [(term.text, term.rule) for term in found] == [
        ("host", "language.unasked"),
        ("king", "language.unasked"),
        ("Will", "language.unasked"),
        ("host", "language.unasked"),
        ("miss", "language.unasked"),
        ("Lady", "language.unasked"),
        ("Smith", "language.unasked"),
        ("her", "terms.pronoun"),
        ("mother", "language.unasked"),
    ]


@pytest.mark.parametrize("axis", [*available_lexicons(), *name_lexicons()])
def test_what_ships_is_in_a_language_that_there_is(axis: str) -> None:
    """Its code is one of those that have a folder."""
    assert load_lexicon(axis).language in LANGUAGES
    if axis in available_lexicons():
        assert table_of(axis, owner="test").language is language(load_lexicon(axis).language)
