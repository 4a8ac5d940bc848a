"""Tests of the axes beside gender, and of the names by race."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import load_lexicon, shipped
from fair_datasets.lexicons.lexicon import FINER_USES, USES
from tests.lexicons.forms import NAME_FLAGS, forms

AXES = ["race", "age", "religion", "orientation", "nationality"]
# Its words pair, and "hearing" is read before nouns for one person alone: "I like hearing people".
ALL_AXES = [*AXES, "disability"]
NAMES = ["race_first_names", "race_surnames"]


def replaced(text: str, axis: str, target: str, *, names: bool = False) -> str:
    """Rewrite a text to an attribute."""
    swap = CounterfactualSwap(columns="text", axis=axis, target=target, mode="replace", names=names)
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize("name", AXES + NAMES)
def test_no_attribute_has_a_counterpart(name: str) -> None:
    """None of these axes is a pair, and none of its attributes says nothing about the axis."""
    lexicon = load_lexicon(name)
    assert not lexicon.counterparts
    assert not lexicon.neutral


@pytest.mark.parametrize("axis", ALL_AXES)
def test_every_row_says_what_it_is(axis: str) -> None:
    """Every row has a kind and an inflection."""
    known = USES | FINER_USES | {"mass", "proper noun"}
    assert all(entry.kind and entry.inflection in known for entry in load_lexicon(axis).entries)


@pytest.mark.parametrize("axis", AXES)
def test_every_attribute_has_a_form_for_each_use(axis: str) -> None:
    """There is one adjective, one noun for one person and one for several, and each is complete."""
    entries = [entry for entry in load_lexicon(axis).entries if entry.kind == "person"]
    assert {entry.inflection for entry in entries} - FINER_USES == USES
    assert len({entry.inflection for entry in entries}) == len(entries)
    assert all(all(entry.forms.values()) for entry in entries)


@pytest.mark.parametrize("axis", AXES)
def test_every_attribute_is_read_as_an_adjective(axis: str) -> None:
    """What is written for an attribute as an adjective is read as well, where it is about people.

    A swap of an adjective can be swapped back, therefore.
    """
    entries = [each for each in load_lexicon(axis).entries if each.inflection == "adjective"]
    cells = [cell for entry in entries for cell in entry.forms.values() if cell]
    read = [form for cell in cells for form in cell if form.is_read]
    assert {cell[0].text for cell in cells} <= {form.text for form in read}
    assert all("person" in form.flags for form in read)


@pytest.mark.parametrize("axis", ALL_AXES)
def test_only_the_use_tells_rows_apart(axis: str) -> None:
    """A form that is read in several rows belongs to the same attribute, in another use."""
    seen: dict[str, list[tuple[str, str]]] = {}
    for entry, attribute, form in forms(load_lexicon(axis)):
        if form.is_read:
            seen.setdefault(form.text.lower(), []).append((attribute, entry.inflection))
    for text, uses in seen.items():
        assert len({attribute for attribute, _ in uses}) == 1, text
        assert len({inflection for _, inflection in uses}) == len(uses), text


@pytest.mark.parametrize("axis", ALL_AXES)
def test_forms_of_one_cell_differ(axis: str) -> None:
    """No form stands twice in a cell."""
    for entry in load_lexicon(axis).entries:
        for cell in entry.forms.values():
            assert len({form.text.lower() for form in cell}) == len(cell), entry.line


@pytest.mark.parametrize("axis", ALL_AXES)
def test_every_exception_has_a_reason(axis: str) -> None:
    """The reasons are classes, of which each has several phrases."""
    with (shipped.DATA / f"{axis}.exceptions.tsv").open(encoding="utf-8", newline="") as file:
        reasons = Counter(row["reason"] for row in csv.DictReader(file, delimiter="\t"))
    assert min(reasons.values()) > 1


def test_no_word_for_a_disability_is_written_that_people_do_not_prefer() -> None:
    """What HolisticBias marks as dispreferred is read at most, and slurs are neither."""
    cells = [[*entry.forms.values()] for entry in load_lexicon("disability").entries]
    both = [pair for one, other in cells for pair in ((one, other), (other, one))]
    written = {to[0].text for read, to in both if to and any(form.is_read for form in read)}
    listed = {form.text for form in load_lexicon("disability").forms()}
    others = "handicapped able-bodied paraplegic quadriplegic dyslexic aphasic neurotypical"
    assert not written & {*others.split(), "wheelchair-bound", "hearing-impaired", "with autism"}
    assert {"handicapped", "wheelchair-bound", "hearing-impaired", "with autism"} <= listed
    assert not listed & {
        "crippled",
        "retarded",
        "dumb",
        "mute",
        "barren",
        "slow",
        "lame",
        "cripple",
    }


def test_there_are_many_nationalities() -> None:
    """At least 40 nationalities are attributes, sorted."""
    attributes = load_lexicon("nationality").attributes
    assert len(attributes) >= 40
    assert list(attributes) == sorted(attributes)


def test_names_are_read_on_the_axis_of_race() -> None:
    """First names and surnames are swapped where names are asked for, each for one of its rank."""
    text = "Keisha Alston met Mr. Nguyen."
    assert replaced(text, "race", "hispanic") == text
    after = replaced(text, "race", "hispanic", names=True).split()
    women = {
        form.text
        for entry, attribute, form in forms(load_lexicon("race_first_names"))
        if attribute == "hispanic" and entry.kind == "woman"
    }
    assert after[0] in women
    assert [after[1], after[-1]] == ["Garcia", "Garcia."]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_read_in_one_row(name: str) -> None:
    """A name is read once, has a form in each group, and may be written in further rows."""
    lexicon = load_lexicon(name)
    assert lexicon.attributes == ("white", "black", "hispanic", "asian")
    read = [form.text for _, _, form in forms(lexicon) if form.is_read]
    assert len(read) == len(set(read))
    written = {form.text for _, _, form in forms(lexicon) if not form.is_read}
    assert written <= set(read)
    assert all(len(cell) == 1 for entry in lexicon.entries for cell in entry.forms.values())
    assert all(form.flags <= NAME_FLAGS | {"target"} for _, _, form in forms(lexicon))


def test_the_two_lists_of_names_differ_and_are_no_terms() -> None:
    """What is a first name is no surname, and neither is read as a term for people."""
    first, last, terms = (
        {form.text.lower() for _, _, form in forms(load_lexicon(name)) if form.is_read}
        for name in (*NAMES, "race")
    )
    assert not first & last
    assert not (first | last) & terms


def test_first_names_keep_the_gender() -> None:
    """What the pairs of first names call a woman's name stands among women's."""
    genders = {form.text: attribute for _, attribute, form in forms(load_lexicon("first_names"))}
    for entry, _, form in forms(load_lexicon("race_first_names")):
        assert entry.kind == genders.get(form.text, entry.kind), form.text


# Those of the 193 members of the United Nations; two are called Congolese, and two Dominican.
MEMBERS = Path(__file__).with_name("members.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "asked for"])
def test_the_people_of_every_member_of_the_united_nations_are_read(drawn: bool) -> None:
    """They become others; and the best known ones are drawn, or whoever is asked for."""
    assert len(MEMBERS) == 193
    texts = [f"The {name} doctor left." for name in MEMBERS]
    target = None if drawn else "kittitian"
    swap = CounterfactualSwap(columns="text", axis="nationality", target=target, mode="replace")
    for name, text, after in zip(MEMBERS, texts, swap({"text": texts})["text"], strict=True):
        assert (name in after) == (not drawn and name == "Kittitian"), text
    plan = swap.plan("nationality")
    assert len(plan) == (193 if drawn else 192)
    assert drawn != any("kittitian" in targets for targets in plan.values())
