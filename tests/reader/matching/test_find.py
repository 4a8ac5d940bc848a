"""Showing the terms of a text, and why a candidate is left alone."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.lexicons import available_lexicons
from fair_datasets.reader.english.classifier.decide import decide_one
from fair_datasets.reader.matching import find as module
from fair_datasets.reader.matching.find import count_terms, find_table, rules_of, unlisted_names
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.predicates import Rule
from fair_datasets.reader.matching.tokenizer import tokenize

WORDS = ["he", "Her", "king", "a king", "King James", "Mary", "will", "Will", "host", "@her",
         "`he`", "father-in-law", "Bachelor's degree", "ﬀ", "İ", "\n", "mother", "’s",
         "_him_"]  # fmt: skip


def _seen(text: str, axis: str = "gender", **options: object) -> list[tuple[str, str]]:
    found = find_terms(text, axis, **options)  # type: ignore[arg-type]
    return [(term.text, term.attribute or term.reason) for term in found]


@pytest.mark.parametrize(("text", "word", "rule"), [
    ("Mr. Will Brown left.", "Will", "names.full_name"),
    ("They host a party.", "host", "verbs.before_verb"),
    ("The host left.", "host", "senses.tagged"), ("the king of spades", "king", "persons.game"),
    ("Oh man!", "man", "calls.interjection"), ("a Rocket Man song", "Man", "things.other_name"),
    ("Dr. Monk left.", "Monk", "surnames.titled"), ("they miss it", "miss", "titles.none"),
    ("Lady Smith left.", "Lady", "titles.before_name"), ("He left.", "He", "terms.pronoun"),
    ("a bachelor's degree", "bachelor's degree", "terms.exception"),
    ("see https://her.example", "her", "text.protected"),
    ("my uncle left", "uncle", "terms.listed"), ("Dear sir, hello", "Dear sir", "terms.phrase"),
])  # fmt: skip
def test_the_rule_that_decided_is_told(text: str, word: str, rule: str) -> None:
    """Of a table that another one asks, it is the rule that decided there."""
    told = {term.text: (term.rule, term.rule_reason) for term in find_terms(text)}
    assert told[word][0] == rule
    assert told[word][1]


@pytest.mark.parametrize(
    ("text", "word", "question"), [("I saw her.", "her", "her"), ("his book fell", "his", "his")]
)
def test_the_log_odds_of_the_model_are_told(text: str, word: str, question: str) -> None:
    """They stand behind its name."""
    [term] = [term for term in find_terms(text) if term.text == word]
    place = tokenize(text).lower.index(word)
    odds = decide_one(question, tokenize(text), place)
    assert term.rule == f"model.{question} {odds:+.1f}"
    assert odds < -1


def test_the_model_is_told_of_the_last_word_of_a_pair() -> None:
    """By which it decides of both: "his or her name"."""
    his, her = find_terms("This is his or her name.")
    assert her.rule.startswith("model.her +")
    assert (
        his.rule == f"model.his {decide_one('his', tokenize('This is his or her name.'), 4):+.1f}"
    )


def test_an_unsure_name_is_read_by_another_one() -> None:
    """Which is told beside the rule."""
    first, second, _ = find_terms("Will left. I saw Will Smith.")
    assert first.rule == "names.unsure"
    assert first.rule_reason.endswith("; another one in the text is surely a name")
    assert second.rule_reason == "a surname follows it"
    [alone] = find_terms("Will left.")
    assert alone.rule == "names.unsure"
    assert alone.rule_reason == "it may be another word, or another kind of name"


SAID_PARTS = """
Sisters Old Boys International Women King Mary Will Black of Asian Muslim Gay French Priest
40 year old aged The 's Her his Mr Lady Saint Academy Sue Mark
"""
PARTS = SAID_PARTS.split()


@pytest.mark.parametrize("axis", available_lexicons())
@settings(deadline=None)
@given(
    parts=st.lists(st.sampled_from([*PARTS, *WORDS]) | st.text(), max_size=4),
    end=st.sampled_from(["", " ", "-", "'", ", ", ". ", "/", " & ", "\n"]),
)
def test_a_text_may_end_anywhere(axis: str, parts: list[str], end: str) -> None:
    """Rules look behind a word only where there is something."""
    for text in (" ".join(parts) + end, end.join(parts)):
        for term in find_terms(text, axis, names=True):
            assert term.rule
            assert term.rule_reason
            assert text[term.start : term.end] == term.text
            assert bool(term.attribute) != bool(term.reason)


@pytest.mark.parametrize("name", ["Mary", "Prince", "Will"])
def test_a_single_name_can_be_protected(name: str) -> None:
    """A protected name may have one word only, wherever it stands."""
    for text in (name, f"{name} ran.", f"I saw {name}", f"I saw {name} there."):
        assert (name, Reason.PROTECTED_NAME.value) in _seen(text, protect=name)


def leaves(rules: Sequence[Rule[Any]]) -> list[Rule[Any]]:
    """Return the rules that decide, also of the tables that others ask."""
    return [leaf for rule in rules for leaf in (leaves(rule.asks) if rule.asks else [rule])]


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_rule_is_known_by_its_name(axis: str) -> None:
    """One rule of a name is as good as another: they have one reason and one model."""
    rules = leaves([*rules_of(find_table(axis, names=True)).values()])
    assert all(rule.reason for rule in rules)
    told = {(rule.name, rule.reason) for rule in rules}
    assert len(told) == len({rule.name for rule in rules})
    assert {rule.name for rule in rules if rule.log_odds} == {"model.her", "model.his"}


def test_phrases_and_exceptions_say_where_they_are_listed() -> None:
    """In the lexicon, and in its exceptions."""
    [term] = find_terms("Dear Sir,")
    assert term[-2:] == ("terms.phrase", "the list has these words together")
    [term] = find_terms("a bachelor's degree")
    assert term[-2:] == ("terms.exception", "it is listed among the exceptions of the axis")


def test_a_pipeline_is_named(tmp_path: Any) -> None:
    """It is asked before our own rules."""
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "blank")
    her, miss = find_terms("I saw her, Miss", pipeline=str(tmp_path / "blank"))
    assert (miss.rule, miss.rule_reason) == ("pipeline", "the pipeline says so")
    assert her.rule.startswith("model.her -")


SAID = ["She", "he", "her", "brother", "sisters", "Mary", "John", "saw", "the", "rain", ".", "Mr"]
texts = st.lists(st.sampled_from(SAID), max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.lists(texts, max_size=6))
def test_it_counts_what_is_found(several: list[str]) -> None:
    """The counts of a text are those of the terms that are found in it."""
    attributes, counts = count_terms(several)
    assert counts.shape == (len(several), len(attributes))
    for text, row in zip(several, counts.tolist(), strict=True):
        found = [term.attribute for term in find_terms(text)]
        assert row == [found.count(attribute) for attribute in attributes]


def test_long_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many texts are read at a time does not matter."""
    several = ["He saw Mary.", "She left.", "", "It rained.", "His brothers."] * 3
    _, whole = count_terms(several)
    monkeypatch.setattr(module, "_BATCH", 2)
    _, parts = count_terms(several)
    assert np.array_equal(whole, parts)


def test_columns_axes_and_names() -> None:
    """A column is read as it is; names count on request; other axes have other attributes."""
    rows = Dataset.from_dict({"text": ["Mary sang.", "An old man."]})
    assert count_terms(rows["text"])[1].tolist() == [[0, 1, 0], [1, 0, 0]]
    assert count_terms(rows["text"], names=False)[1].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert count_terms(rows["text"], protect="Mary")[1].sum() == 1
    attributes, counts = count_terms(rows["text"], "age")
    assert "senior" in attributes
    assert counts[1, attributes.index("senior")] == 1


def test_no_texts() -> None:
    """Without texts the table has no rows, and its columns all the same."""
    attributes, counts = count_terms([])
    assert counts.shape == (0, len(attributes))
    assert counts.dtype == np.int64


def reasons(text: str, **options: object) -> dict[str, str]:
    """Return the words that were found along race, with what is said of them."""
    found = find_terms(text, "race", **options)  # type: ignore[arg-type]
    return {term.text: term.attribute or term.reason for term in found}


@pytest.mark.parametrize(("text", "name", "reason"), [
    ("Emily went home.", "Emily", Reason.NO_GROUP),
    ("I saw Jamal there.", "Jamal", Reason.NO_GROUP),
    ("Mr. Smith left.", "Smith", Reason.NO_GROUP),
    ("Jordan Peele wrote it.", "Jordan", Reason.LEFT_OUT),
    ("Jamal Washington won.", "Washington", Reason.LEFT_OUT),
    ("Aiden is late.", "Aiden", Reason.TOO_RARE),
    ("Naïve as he was, Mr. Pérez left. Chloé came.", "Chloé", Reason.NO_GROUP),
])  # fmt: skip
@pytest.mark.parametrize("names", [True, None])
def test_a_common_name_that_is_not_listed_has_a_reason(
    text: str, name: str, reason: Reason, names: bool | None
) -> None:
    """It is told whether names are swapped or not, and no reason is given for what is swapped."""
    assert reasons(text, names=names)[name] == reason.value
    swap = CounterfactualSwap(columns="text", axis="race", names=True, mode="replace")
    assert name in swap({"text": [text]})["text"][0]


def test_a_listed_name_says_how_it_is_read() -> None:
    """Without names=True the names of the axis are left alone; with it they are read."""
    text = "José met Ms. Nguyen."
    why = Reason.NAMES_NOT_ASKED.value
    assert reasons(text) == {"José": why, "Nguyen": why}
    assert reasons(text, names=True) == {"José": "hispanic", "Nguyen": "asian"}


def test_nothing_is_said_of_names_that_are_switched_off() -> None:
    """names=False is an answer; and gender, whose names are paired, has no such reasons."""
    text = "Emily and Juan met Jordan."
    assert reasons(text, names=False) == {}
    found = find_terms(text, "gender", names=True)
    assert [term.text for term in found] == ["Emily", "Juan"]
    assert find_terms("Emily left.", "religion", names=True) == []


@pytest.mark.parametrize(
    "text",
    ["the Washington Post", "See emily", "Will it rain?", "Jordan is a country.", "a brown dog",
     "see https://emily.example", "St. James", "the Jackson file"],
)  # fmt: skip
def test_what_is_no_name_here_is_not_told(text: str) -> None:
    """The same caution is taken as for the names that are swapped."""
    assert list(unlisted_names(text)) == []


def test_a_word_is_told_once() -> None:
    """What a table reads or leaves alone already keeps its reason, and offsets are apart."""
    found = find_terms("Ms. White met James James and Thomas James.", "race", names=True)
    spans = [(term.start, term.end) for term in found]
    assert len(set(spans)) == len(spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert found[0].reason == Reason.NOT_PEOPLE.value


def test_a_protected_name_keeps_its_reason() -> None:
    """Protection is told in place of a list."""
    found = reasons("Emily Garcia left.", names=True, protect=["Emily Garcia"])
    assert found == {"Emily Garcia": Reason.PROTECTED_NAME.value}
