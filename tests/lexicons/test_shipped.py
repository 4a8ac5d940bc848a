"""Tests of the lexicons that ship with the package: their data, and the statements about them."""

import csv
import hashlib
import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets import InputError
from fair_datasets.lexicons import (
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
    save_people,
    shipped,
)
from fair_datasets.lexicons.lexicon import FLAGS
from fair_datasets.lexicons.shipped import names_of, people_files, read_people
from fair_datasets.system.portable import file_digests
from tests.lexicons.forms import NAME_FLAGS, forms, read_words, words

FIRST_NAMES = "first_names"
NAMES = ["gender", FIRST_NAMES]
GENDER = load_lexicon("gender")
PEOPLE = load_lexicon(FIRST_NAMES)
SINGULARS = [("men", "man"), ("ies", "y"), ("ies", "ie"), ("ves", "fe"), ("es", ""), ("s", "")]


def singulars(plural: str) -> set[str]:
    """Return what a plural may be the plural of, each of its words being the one that changes."""
    parts = plural.split()
    return {" ".join([*parts[:place], part.removesuffix(ending) + singular, *parts[place + 1 :]])
        for place, part in enumerate(parts)
        for ending, singular in SINGULARS if part.endswith(ending)}  # fmt: skip


def rewritten(term: str, source: str, target: str) -> set[str]:
    """Return what a read term of the gender lexicon is rewritten to."""
    return {
        entry.forms[target][0].text
        for entry, attribute, form in forms(GENDER)
        if attribute == source and form.is_read and form.text == term and entry.forms[target]
    }


@pytest.mark.parametrize("name", [*available_lexicons(), *name_lexicons()])
def test_the_description_says_what_is_needed(name: str) -> None:
    """Each lexicon states its attributes, language, licence, citation and sources."""
    description = tomllib.loads((shipped.DATA / f"{name}.toml").read_text("utf-8"))
    stated = {"name", "description", "language", "licence", "citation", "sources", "digests"}
    assert stated <= description.keys()
    assert all(description[key] for key in stated)
    assert description["name"] == name
    assert tuple(description["attributes"]) == load_lexicon(name).attributes
    assert all(source["title"] and source["licence"] for source in description["sources"])


@pytest.mark.parametrize("name", NAMES)
def test_the_description_agrees_with_the_files(name: str) -> None:
    """The counterparts and the SHA-256 of each file are those that are stated."""
    description = tomllib.loads((shipped.DATA / f"{name}.toml").read_text("utf-8"))
    lexicon = load_lexicon(name)
    assert lexicon.counterparts == {"man": "woman", "woman": "man"}
    assert description["digests"] == {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in lexicon_files(name).values()}  # fmt: skip


def test_every_data_file_belongs_to_a_lexicon() -> None:
    """No file lies among the data without being described, but for the builder's own list."""
    shipped_names = [*available_lexicons(), *name_lexicons()]
    described = {path for name in shipped_names for path in lexicon_files(name).values()}
    described |= {shipped.DATA / f"{name}.toml" for name in shipped_names}
    assert set(shipped.DATA.iterdir()) - described == {shipped.DATA / "ambiguous_names.tsv"}


def test_the_axes_are_listed() -> None:
    """Names are read on the axes that have their attributes, and are no axes of their own."""
    axes = ["age", "disability", "gender", "nationality", "orientation", "race", "religion"]
    assert available_lexicons() == axes
    assert name_lexicons() == ("first_names", "race_first_names", "race_surnames")


def test_an_edited_shipped_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit within the installed package would go unnoticed, so it is refused."""
    shutil.copytree(shipped.DATA, tmp_path / "data")
    monkeypatch.setattr(shipped, "DATA", tmp_path / "data")
    assert load_lexicon("gender").entries == GENDER.entries
    edited = tmp_path / "data" / "gender.tsv"
    edited.write_text(edited.read_text("utf-8") + "\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_lexicon("gender")
    assert str(caught.value).startswith(f"{edited} does not have the SHA-256 that gender.toml ")


def test_a_path_is_a_users_own_lexicon() -> None:
    """A shipped file that is named by its path is read like any file of a user."""
    lexicon = load_lexicon(str(shipped.DATA / "gender.tsv"))
    assert lexicon.entries == GENDER.entries
    assert lexicon.counterparts == {}


@pytest.mark.parametrize("name", name_lexicons())
def test_names_are_those_of_the_lexicon(name: str) -> None:
    """Those that are read without it."""
    assert names_of(name) == {form.text.lower() for form in load_lexicon(name).forms()}


def test_the_gender_lexicon_is_large_enough() -> None:
    """There are at least 450 rows with three attributes, of which one is neutral."""
    assert len(GENDER.entries) >= 450
    assert GENDER.attributes == ("man", "woman", "non-binary")
    assert GENDER.neutral == "non-binary"


@pytest.mark.parametrize("name", NAMES)
def test_every_flag_is_known(name: str) -> None:
    """Terms and names carry the flags that are meant for them."""
    used = {flag for _, _, form in forms(load_lexicon(name)) for flag in form.flags}
    assert used == (NAME_FLAGS if name == FIRST_NAMES else FLAGS.keys() - NAME_FLAGS - {"person"})


def test_kinds_and_inflections_are_known() -> None:
    """Every row says what it is, in one of a few words."""
    assert all(entry.kind for entry in GENDER.entries)
    cases = {"subject", "object", "determiner", "possessive", "reflexive"}
    others = {"singular", "plural", "mass", "adjective", "noun", "adverb", "verb"}
    others |= {"grown singular", "grown plural", "serving singular", "serving plural"}
    for entry in GENDER.entries:
        assert entry.inflection in (cases if entry.kind == "pronoun" else others), entry.line


def test_terms_are_in_lower_case() -> None:
    """A term with a capital is read only where it is capitalised, and says so."""
    for _, _, form in forms(GENDER):
        is_read = "target" not in form.flags
        assert (is_read and form.text != form.text.lower()) == ("capital" in form.flags)


def test_every_row_can_be_swapped() -> None:
    """Every row has a form for a man and one for a woman, of which one at least is read."""
    for entry in GENDER.entries:
        pair = (entry.forms["man"], entry.forms["woman"])
        assert all(pair), entry.line
        assert any(form.is_read for cell in pair for form in cell), entry.line


def test_no_form_is_read_twice() -> None:
    """A term has one counterpart; the cases of a pronoun and titles are told apart in context."""
    counts = Counter(
        (form.text, "title" in form.flags)
        for entry, _, form in forms(GENDER)
        if form.is_read and entry.kind != "pronoun"
    )
    twice = {text for (text, _), count in counts.items() if count > 1}
    pairs = {"boy", "girl", "boys", "girls", "male", "female"}
    assert twice == pairs | {"mistress", "mistresses"}
    pronouns = Counter(
        form.text for entry, _, form in forms(GENDER) if form.is_read and entry.kind == "pronoun"
    )
    assert {text for text, count in pronouns.items() if count > 1} == {"his", "her"}
    assert not pronouns.keys() & {text for text, _ in counts}


PAIRS = """
he/she him/her himself/herself man/woman men/women boy/girl boys/girls father/mother dad/mom
fathers/mothers son/daughter sons/daughters brother/sister uncle/aunt nephews/nieces husband/wife
grandfather/grandmother husbands/wives boyfriend/girlfriend widower/widow actor/actress king/queen
waiters/waitresses businessman/businesswoman policemen/policewomen princes/princesses monk/nun
male/female masculine/feminine gentlemen/ladies
"""


def test_well_known_pairs_are_swapped() -> None:
    """Well-known pairs become each other, a singular a singular and a plural a plural."""
    for man, woman in (pair.split("/") for pair in PAIRS.split()):
        assert woman in rewritten(man, "man", "woman")
        assert man in rewritten(woman, "woman", "man")


def test_plurals_have_a_singular() -> None:
    """A regular plural that is read has its singular in the lexicon, but for a few."""
    known = {form.text for entry, _, form in forms(GENDER) if entry.inflection != "plural"}
    lacking = {
        entry.forms["man"][0].text
        for entry in GENDER.entries
        if entry.inflection == "plural"
        and not any(
            singulars(form.text) & known
            for attribute in ("man", "woman")
            for form in entry.forms[attribute]
        )
    }
    irregular = {"messieurs", "messrs", "menfolk", "gentlemen friends", "brethren", "alumni"}
    assert lacking <= irregular | {"mens"}


def test_singulars_and_plurals_do_not_mix() -> None:
    """The forms of one row agree in number: men never becomes woman."""
    for entry in GENDER.entries:
        for cell in (entry.forms["man"], entry.forms["woman"]):
            ends_in_men = [form.text for form in cell if form.text.endswith("men")]
            ends_in_man = [form.text for form in cell if form.text.endswith("man")]
            assert not (ends_in_men and entry.inflection == "singular"), entry.line
            assert not (ends_in_man and entry.inflection == "plural"), entry.line


@pytest.mark.parametrize("axis", available_lexicons())
def test_exceptions_differ(axis: str) -> None:
    """No phrase is listed twice, whatever its capitals, or is a term."""
    lexicon = load_lexicon(axis)
    terms = read_words(lexicon)
    counts = Counter(phrase.lower() for phrase in lexicon.exceptions)
    assert len(counts) >= 60
    assert not [phrase for phrase, count in counts.items() if count > 1]
    known = ["Girl Guides"] if axis == "gender" else []
    assert [phrase for phrase in lexicon.exceptions if words(phrase) in terms] == known


def test_first_names_are_paired_one_to_one() -> None:
    """There are at least 2,000 pairs, and no name is in two of them."""
    names = [form.text for _, _, form in forms(PEOPLE)]
    assert len(PEOPLE.entries) >= 2000
    assert len(names) == 2 * len(PEOPLE.entries)
    assert len({name.lower() for name in names}) == len(names)
    assert all(name[0].isupper() for name in names)


def test_first_names_are_no_gendered_terms() -> None:
    """A name that is read as a term would have two counterparts."""
    assert not read_words(PEOPLE) & read_words(GENDER)


def test_the_list_of_ambiguous_names_is_sorted_and_has_known_readings() -> None:
    """Every name occurs once, in order, with known readings or the mark of a name that is none."""
    lines = (shipped.DATA / "ambiguous_names.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    names = [name for name, _ in rows[1:]]
    assert rows[0] == ["name", "reading"]
    assert names == sorted(set(names))
    allowed = {"word", "proper", "place", "surname"}
    readings = {reading for _, reading in rows[1:]} - {"never"}
    assert all(set(reading.split(",")) <= allowed for reading in readings)


def test_ambiguous_names_are_marked() -> None:
    """Each name is marked as the hand-checked list says, and those never read are not there."""
    with (shipped.DATA / "ambiguous_names.tsv").open(encoding="utf-8", newline="") as file:
        listed = {row["name"]: set(row["reading"].split(","))
            for row in csv.DictReader(file, delimiter="\t")}  # fmt: skip
    marked = {form.text: set(form.flags) for _, _, form in forms(PEOPLE)}
    never = {name for name, readings in listed.items() if readings == {"never"}}
    assert {name: flags for name, flags in marked.items() if flags} == {
        name: readings for name, readings in listed.items() if name in marked
    }
    assert not never & marked.keys()


def _read(*protect: str) -> tuple[str, ...]:
    return read_people(protect, dict(file_digests(people_files(protect))))


def test_the_list_that_ships() -> None:
    """Each name once with its source: people of Pantheon and of BOLD, and some by hand."""
    with people_files(["known_people"])["known_people"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["name"] for row in rows]
    assert tuple(names) == _read("known_people")
    assert names == sorted(set(names))
    assert len(names) > 15_000
    assert {row["source"] for row in rows} == {"BOLD", "Pantheon", "Pantheon, surname", "own"}
    assert {"Marie Curie", "Toni Morrison", "Madonna", "Obama", "Putin"} <= set(names)
    assert not {"Mary", "Job", "Pink", "Smith", "Danes", "Hertz"} & set(names)


def test_names_are_saved_and_read(tmp_path: Path) -> None:
    """Each once, in order and without the spaces around them; other columns are for people."""
    path = save_people(["Ada Lovelace", " Bo Li ", "Ada Lovelace", "Łódka Ő"], tmp_path / "a.tsv")
    assert path == tmp_path / "a.tsv"
    assert _read(str(path)) == ("Ada Lovelace", "Bo Li", "Łódka Ő")
    path.write_text("since\tname\r\n1815\tAda Lovelace\r\n\r\n1990\tBo Li\r\n", "utf-8")
    assert _read(str(path), "Lily Allen") == ("Ada Lovelace", "Bo Li")


def test_names_of_a_dataset_are_saved(tmp_path: Path) -> None:
    """Of a column of it, such as one of the Hub."""
    rows = Dataset.from_dict({"name": ["Ada Lovelace"], "title": ["Ada King"]})
    assert _read(str(save_people(rows, tmp_path / "a.tsv"))) == ("Ada Lovelace",)
    assert _read(str(save_people(rows, tmp_path / "a.tsv", column="title"))) == ("Ada King",)
    assert _read(str(save_people(rows.to_iterable_dataset(), tmp_path / "a.tsv"))) == (
        "Ada Lovelace",
    )
