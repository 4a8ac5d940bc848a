"""A second language beside English: a folder of rules and words, and a lexicon that names it."""

import csv
import hashlib
import math
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.lexicons import available_lexicons, load_lexicon, name_lexicons, shipped
from fair_datasets.reader import load as module
from fair_datasets.reader.english.questions import LANGUAGE, RELIABILITY
from fair_datasets.reader.load import ACCEPT, REJECT, STUDENT, UNSURE, Tags
from fair_datasets.reader.matching.annotate import annotate_batch
from fair_datasets.reader.matching.estimates import estimated
from fair_datasets.reader.matching.find import TermFinder, find_table
from fair_datasets.reader.matching.language import (
    LANGUAGES,
    NAMES,
    Decision,
    Language,
    Reliability,
    RowCurve,
    decisions_on,
    language,
    read_reliability,
    reliabilities,
)
from fair_datasets.reader.matching.table import table_files
from fair_datasets.reader.matching.token_batch import Candidates, Places, TokenBatch
from fair_datasets.reader.tags import (
    DETERMINER,
    FIRST_SENSE,
    GIVEN,
    NONE,
    OBJECT,
    PEOPLE,
    PLACE,
    TAGS,
    THING,
    TITLE,
    Tagged,
)

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
    monkeypatch.setitem(LANGUAGES, "de", "tests.reader.matching.german")
    _forget()
    yield AXIS
    _forget()


def _read(text: str, axis: str) -> list[tuple[str, str, str]]:
    return [(term.text, term.attribute, term.rule) for term in find_terms(text, axis)]


@pytest.mark.parametrize(("text", "found"), [
    ("Frau Schmidt lacht.", [("Frau", "frau", "titel.name")]),
    ("Die Frau lacht.", [("Frau", "frau", "terms.listed")]),
    ("sie sah sie", [("sie", "frau", "sie.subjekt"), ("sie", "frau", "sie.objekt")]),
    ("bei ihr", [("ihr", "frau", "ihr.objekt")]), ("ihr Hund", [("ihr", "frau", "ihr.besitz")]),
    ("Die Mutter lacht.", [("Mutter", "frau", "person.mensch")]),
    ("Die Mutter sitzt auf der Schraube.", [("Mutter", "", "person.schraube")]),
    ("er/sie", [("er", "mann", "terms.pronoun"), ("sie", "frau", "sie.objekt")]),
])  # fmt: skip
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
        "Herr Schmidt sah sie.", "Er lacht.", "Sie sah ihn.", "Sie geht mit ihm.",
        "Er sieht sein Kind.", "Die Mutter sitzt auf der Schraube.",
    ]  # fmt: skip


def test_english_is_read_as_before(german: str) -> None:
    """Also where words of both are read in turn, and one is listed in both ("die")."""
    texts = ["I saw her and Mr. Will Brown.", "They die, as her mother did.", "Die Mutter sah ihn."]
    before = [find_terms(text) for text in texts]
    assert [_read(text, german) for text in texts] == [
        [], [], [("Mutter", "frau", "person.mensch"), ("ihn", "mann", "terms.pronoun")],
    ]  # fmt: skip
    assert [find_terms(text) for text in texts] == before
    assert language("de") is not language("en")
    assert "die" in language_words("fair_datasets/reader/english") & language_words(GERMAN)


def language_words(folder: str | Path) -> set[str]:
    """Return the words that a language lists."""
    with (Path(__file__).parents[3] / folder / "words.tsv").open(encoding="utf-8") as file:
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
    table = replace(find_table("gender"), language=Language())
    text = "They host the king of spades. Will the host miss Lady Smith, her mother?"
    found = TermFinder(table, None, tells_unlisted=False).find(text)
    assert [term.text for term in found if not term.attribute] == []
    assert [(term.text, term.rule) for term in found] == [
        ("host", "language.unasked"), ("king", "language.unasked"), ("Will", "language.unasked"),
        ("host", "language.unasked"), ("miss", "language.unasked"), ("Lady", "language.unasked"),
        ("Smith", "language.unasked"), ("her", "terms.pronoun"), ("mother", "language.unasked"),
    ]  # fmt: skip


@pytest.mark.parametrize("axis", [*available_lexicons(), *name_lexicons()])
def test_what_ships_is_in_a_language_that_there_is(axis: str) -> None:
    """Its code is one of those that have a folder."""
    assert load_lexicon(axis).language in LANGUAGES
    if axis in available_lexicons():
        assert find_table(axis).language is language(load_lexicon(axis).language)


AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
COUNTS = st.lists(
    st.integers(0, 50).flatmap(lambda seen: st.tuples(st.integers(0, seen), st.just(seen))),
    max_size=5,
)


@given(COUNTS)
def test_an_estimate_is_a_probability(counts: list[tuple[int, int]]) -> None:
    """Never certain, whatever was seen."""
    assert 0 < estimated(counts) < 1


@given(COUNTS.filter(bool), st.data())
def test_one_more_that_was_right_makes_it_likelier(
    counts: list[tuple[int, int]], data: st.DataObject
) -> None:
    """And one more that was wrong makes it less likely, of whichever kind it is."""
    place = data.draw(st.integers(0, len(counts) - 1))
    right, seen = counts[place]
    more, less = list(counts), list(counts)
    more[place], less[place] = (right + 1, seen + 1), (right, seen + 1)
    assert estimated(less) < estimated(counts) < estimated(more)


def test_what_was_never_seen_is_as_its_kind() -> None:
    """A word as its rule, a rule as its table, a table as its axis, an axis as all."""
    known = Reliability(
        {
            Decision("gender", "terms.listed", "king", True): (5, 10),
            Decision("gender", "terms.listed", "aunt", True): (40, 40),
            Decision("gender", "names.unmarked", "", True): (10, 40),
            Decision("age", "ages.olds", "", True): (1, 10),
        },
        {},
    )

    def of(axis: str, rule: str, detail: str = "") -> float:
        return known.of(Decision(axis, rule, detail, True))

    assert of("gender", "terms.listed", "king") < of("gender", "terms.listed", "uncle")
    assert of("gender", "terms.listed", "uncle") < of("gender", "terms.listed", "aunt")
    assert of("gender", "terms.other") == pytest.approx(
        estimated([(56, 100), (55, 90), (45, 50), (0, 0), (0, 0)])
    )
    assert of("age", "terms.listed") < of("race", "terms.listed")
    assert of("race", "a.b") == of("height", "c.d", "e") == estimated([(56, 100)])
    assert known.of(Decision("race", "a.b", "", False)) == 0.5
    assert known.knows(Decision("gender", "terms.listed", "uncle", True))
    assert not known.knows(Decision("gender", "terms.listed", "uncle", False))


@given(st.floats(-40, 40), st.floats(-40, 40))
def test_a_model_is_the_surer_the_farther_its_log_odds_are_from_nought(
    one: float, other: float
) -> None:
    """Whichever side they are on; the shipped curves."""
    known = read_reliability(RELIABILITY)
    for rule in known.models:
        shares = [known.of_model(rule, odds) for odds in sorted((one, other), key=abs)]
        assert 0 < shares[0] <= shares[1] <= 1
        assert shares[0] == known.of_model(rule, -min(one, other, key=abs))


def test_the_same_kind_in_several_sources_is_added_up(tmp_path: Path) -> None:
    """As the table has a row for each."""
    path = tmp_path / "own.tsv"
    path.write_text(
        "axis\trule\tdetail\tverdict\tright\tseen\tsource\n"
        "age\ta.b\tman\tread\t1\t2\tone\nage\ta.b\tman\tread\t3\t3\tother\n"
        "age\ta.b\tman\tleft\t0\t1\tother\n"
    )
    path.with_suffix(".toml").write_text('[models]\n"a.b" = { intercept = 0, slope = 1 }\n')
    known = read_reliability(path)
    assert known.counts == {
        Decision("age", "a.b", "man", True): (4, 5),
        Decision("age", "a.b", "man", False): (0, 1),
    }
    assert known.of_model("a.b", 0.0) == 0.5


def _read_rows(text: str, language: Language = LANGUAGE) -> tuple[list[Decision], list[float]]:
    table = find_table("gender")
    mentions = annotate_batch(TokenBatch([text]), np.array([0]), table)
    asked = np.arange(len(mentions.firsts))
    return list(decisions_on(mentions, asked, language)), reliabilities(
        mentions, asked, language
    ).tolist()


def test_names_are_told_by_how_they_stand_and_words_by_themselves() -> None:
    """On whatever axis a name is read."""
    decisions, shares = _read_rows("Mary Gray met an Aunt of Anna, who left her king-size bed.")
    assert decisions[0] == Decision(NAMES, "names.unmarked", "with surname", True)
    assert decisions[1] == Decision("gender", "terms.listed", "aunt", True)
    assert decisions[2] == Decision(NAMES, "names.unmarked", "referred to", True)
    assert shares[0] > shares[2] > 0.5
    assert decisions[-1].detail == "king"
    assert not decisions[-1].is_read


def test_what_the_model_decides_is_as_sure_as_its_log_odds() -> None:
    """Not as all its decisions together."""
    _, (sure,) = _read_rows("I met her.")
    _, (unsure,) = _read_rows("Much of her treating and advising was there.")
    assert sure > 0.99 > unsure > 0.5


def test_a_language_without_figures_says_nothing() -> None:
    """Every decision counts as right."""
    assert _read_rows("He met Anna.", LANGUAGE._replace(reliability=None))[1] == [1.0, 1.0]


def test_a_row_is_judged_by_a_logistic_curve() -> None:
    """Of log odds and of capitals; an axis that nobody read has the mean of the others."""
    axes = {"gender": 2.0, "age": 0.0}
    curve = RowCurve(product=0.5, people=0.25, capitals=-1.0, names=-2.0, axes=axes)
    known = Reliability({}, {}, rows=curve)
    # The odds are exp(2 + 0.5 log 9 + 0.25 log 3 - log 3); no tag is trusted further than .99.
    odds = math.exp(2) * 9**0.5 * 3**0.25 / 3
    assert known.of_row("gender", 0.9, 0.75, 2) == pytest.approx(odds / (1 + odds))
    assert known.of_row("gender", 0.9, 0.75, 2, 1) == pytest.approx(odds / (odds + 4))
    assert known.of_row("gender", 0.9, 1.0, 2) == known.of_row("gender", 0.9, 0.99, 2)
    other = math.e * 9**0.5 * 99**0.25 / 3
    for people in (0.0, 0.75, 1.0):
        share = known.of_row("wealth", 0.9, people, 2)
        assert share == pytest.approx(other / (1 + other))
    assert Reliability({}, {}).of_row("gender", 0.9, 0.75, 2) == 0.9
    assert 0 < known.of_row("age", 0.0, 0.0, 99) < known.of_row("gender", 1.0, 1.0, 0) < 1


@pytest.mark.parametrize("axis", AXES)
def test_things_and_names_make_a_row_less_sure(axis: str) -> None:
    """On each axis of the shipped figures, of which each has its own."""
    of_row = read_reliability(RELIABILITY).of_row
    assert of_row(axis, 0.9, 0.5, 3) < of_row(axis, 0.9, 0.9, 3) < of_row(axis, 0.99, 0.9, 3)
    assert of_row(axis, 0.9, 0.9, 4) < of_row(axis, 0.9, 0.9, 3)
    mean = sum(of_row(each, 0.9, 0.9, 3) for each in AXES) / len(AXES)
    assert of_row(axis, 0.9, 0.9, 3) != pytest.approx(mean, abs=1e-4)


class Told:
    """A reader that says of each word what it was told, and notes what it was asked."""

    def __init__(self, given: float, **words: int) -> None:
        """Note what to say: the probability of a given name, and the tags of some words."""
        self.given, self.words, self.asked = given, words, list[str]()

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Say it."""
        shares = np.zeros((len(places), len(TAGS)))
        shares[:, GIVEN], shares[:, NONE], shares[:, PEOPLE] = self.given, 1 - self.given, 1.0
        for row, place in enumerate(places.tolist()):
            self.asked.append(words.lower(place))
            if (tag := self.words.get(words.lower(place))) is not None:
                group = slice(FIRST_SENSE, None) if tag >= FIRST_SENSE else slice(FIRST_SENSE)
                shares[row, group] = (np.arange(len(TAGS)) == tag)[group]
        return Tagged(places, shares[:, :FIRST_SENSE].argmax(axis=1).astype(np.int8), shares)

    def moved(self, question: str, found: Candidates) -> NDArray[np.float64]:
        """Have been taught no case."""
        return np.zeros(len(found.places))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Return what makes a reader that is asked by its name."""

    def named(told: Told, name: str = "classifier") -> str:
        monkeypatch.setattr(module, "load_reader", lambda name: told)
        path = tmp_path / name
        path.mkdir() if not path.suffix else path.write_bytes(b"weights")
        return str(path)

    return named


@pytest.mark.parametrize(
    ("said", "given", "verdict"),
    [(ACCEPT, 0.2, ACCEPT), (ACCEPT, 0.19, REJECT), (UNSURE, 0.7, ACCEPT),
     (UNSURE, 0.69, UNSURE), (UNSURE, 0.0, UNSURE), (REJECT, 0.9, ACCEPT), (REJECT, 0.89, REJECT)],
)  # fmt: skip
def test_a_reader_overrules_where_it_is_sure(said: int, given: float, verdict: int) -> None:
    """How sure it has to be depends on what the rules say."""
    tags = Tags(lambda: Told(given), 0.2, 0.7, 0.9)
    found = tags.verdicts(TokenBatch(["Mary"]), np.array([0]), np.array([said], np.int8))
    assert found.tolist() == [verdict]


def test_what_may_not_change_is_not_asked() -> None:
    """What the rules reject, where they have the last word; and words in small letters."""
    told = Told(1.0)
    verdicts = np.array([REJECT, ACCEPT, ACCEPT], np.int8)
    found = Tags(lambda: told, overrules=math.inf).verdicts(
        TokenBatch(["Mary saw paul and Tom"]), np.array([0, 2, 4]), verdicts
    )
    assert found.tolist() == verdicts.tolist()
    assert told.asked == ["tom"]


def test_its_tags_decide_names_and_pronouns(reader: Callable[..., str]) -> None:
    """Of a reader that is asked for, whatever the rules would say, and that is what is told."""
    told = Told(0.0, emily=PLACE, will=GIVEN, her=OBJECT)
    name = reader(told)
    found = find_terms("Emily is large. Will her brother say so, and will mary?", reader=name)
    said = {term.text: (term.attribute, term.rule, term.rule_reason) for term in found}
    assert said["Emily"] == ("", "names.tagged", "its tag: place 1.00, none .00")
    assert said["Will"][0] == "man"
    assert said["her"] == ("woman", "pronouns.tagged_other", "its tag: object 1.00, none .00")
    assert "mary" not in told.asked
    swap = CounterfactualSwap("text", mode="replace", reader=name)
    assert swap({"text": ["They told her brother."]})["text"] == ["They told him sister."]
    told.words["her"] = DETERMINER
    assert swap({"text": ["They told her brother."]})["text"] == ["They told his sister."]


def test_a_student_decides_as_the_one_that_ships(reader: Callable[..., str]) -> None:
    """Of first names beside the rules, which have the last word where they reject; of no case."""
    told = Told(1.0, emily=PLACE, her=OBJECT)
    name = reader(told, f"mine{STUDENT}")
    found = {
        term.text: term for term in find_terms("Mr. James saw Emily and her dog.", reader=name)
    }
    assert not found["James"].attribute
    assert found["Emily"].rule == "names.tagged"
    assert set(told.asked) == {"emily", "mr"}
    swap = CounterfactualSwap("text", mode="replace", reader=name)
    assert swap({"text": ["They told her brother."]})["text"] == ["They told his sister."]


def test_the_shipped_reader_is_part_of_the_configuration() -> None:
    """Other weights may read otherwise; a pipeline is asked in place of it."""
    assert "reader/student.safetensors" in CounterfactualSwap("text").config()["digests"]


@pytest.mark.parametrize(
    ("tag", "text", "axis", "attribute"),
    [(PEOPLE, "The king left.", "gender", "man"), (THING, "The king left.", "gender", ""),
     (TITLE, "The Woman left.", "gender", ""), (TITLE, "The woman left.", "gender", "woman"),
     (THING, "The woman left.", "gender", "woman"),
     (TITLE, "The women's cup", "gender", "woman"), (TITLE, "Mrs. Smith left.", "gender", ""),
     (TITLE, "An Irish man", "nationality", ""), (PEOPLE, "Irish it is", "nationality", ""),
     (TITLE, "A Muslim man", "religion", ""), (PEOPLE, "Muslim it is", "religion", ""),
     (TITLE, "an old man", "age", "senior"), (TITLE, "he left", "gender", "man"),
     (TITLE, "The Bible says", "religion", "christian")],
)  # fmt: skip
def test_senses_decide_what_names_people(
    reader: Callable[..., str], tag: int, text: str, axis: str, attribute: str
) -> None:
    """Of nouns that often name a thing, and of others with a capital; else the rules do."""
    words = ("king", "woman", "women", "mrs", "irish", "muslim", "old", "man", "he", "bible")
    known = dict.fromkeys(words, tag) | {"man": PEOPLE}
    found = find_terms(text, axis, reader=reader(Told(0.0, **known)))
    assert found[0].attribute == attribute
