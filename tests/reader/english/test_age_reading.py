"""Ages of people in numbers."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.english.age_reading import ends_of_other_ages, read_ages
from fair_datasets.reader.matching.language import Age
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize

RANGES = {"child": (3, 17), "young": (18, 44), "middle-aged": (45, 64), "senior": (65, 90)}
# Sentences with an age in brackets, and the attribute that it tells; sentences with none; and those
# of somebody of another age, who is left alone.
with Path(__file__).with_name("ages.tsv").open(encoding="utf-8") as file:
    ROWS = [(row["sentence"], row["attribute"]) for row in csv.DictReader(file, delimiter="\t")]
AGES = [row for row in ROWS if row[1] not in ("none", "another")]
NO_AGES = [sentence for sentence, attribute in ROWS if attribute == "none"]
OTHER_AGES = [sentence for sentence, attribute in ROWS if attribute == "another"]


def numeric_ages(text: str) -> list[Age]:
    """Return the ages in a text."""
    return read_ages(TokenBatch([text]))


@pytest.mark.parametrize(("sentence", "attribute"), AGES)
def test_ages_of_people_are_read(sentence: str, attribute: str) -> None:
    """The words in brackets are the mention, and there is no other."""
    text = sentence.replace("[", "").replace("]", "")
    tokens = tokenize(text)
    [mention] = numeric_ages(text)
    start, end = tokens.starts[mention.first], tokens.end(mention.last)
    assert f"{text[:start]}[{text[start:end]}]{text[end:]}" == sentence
    assert mention.attribute == attribute
    assert mention.forms[attribute] == text[start:end]
    assert mention.rule.startswith("ages.")


def test_ages_of_things_and_other_numbers_are_left_alone() -> None:
    """So are durations, ranges, eras and what exceeds a life."""
    assert [sentence for sentence in NO_AGES if numeric_ages(sentence)] == []


@pytest.mark.parametrize(("text", "target", "written"), [
    ("a 40-year-old woman", "senior", "86-year-old"),
    ("a 40-year-old woman", "adult", "adult"),
    ("the 5-year-olds", "adult", "adults"),
    ("A Forty-year-old man", "child", "Fifteen-year-old"),
    ("FORTY-year-old man", "child", "FIFTEEN-year-old"),
    ("she is twenty one years old", "middle-aged", "forty-seven years old"),
    ("He is 1 year old.", "young", "22 years old"),
    ("a girl aged seven", "senior", "aged seventy-five"),
    ("in her late 30s", "child", "teens"),
    ("in her late 30s", "senior", "80s"),
    ("in her sixties", "middle-aged", "fifties"),
    ("boys aged 7 to 12", "senior", "75 to 83"),
    ("women aged twenty to thirty", "senior", "sixty-seven to seventy-seven"),
])  # fmt: skip
def test_the_rest_of_the_sentence_stays_right(text: str, target: str, written: str) -> None:
    """Digits stay digits, words stay words, and one year becomes years."""
    [mention] = numeric_ages(text)
    assert mention.forms[target] == written


def test_adult_is_written_for_a_noun_or_adjective_only() -> None:
    """With a number, a child's age becomes a young adult's; every other one is an adult's."""
    [mention] = numeric_ages("She is 40 years old.")
    assert "adult" not in mention.forms
    for text, written in (
        ("She is 7 years old.", "25 years old"),
        ("children aged 7 to 12", "25 to 28"),
        ("in her teens", "twenties"),
    ):
        [mention] = numeric_ages(text)
        assert mention.forms["adult"] == mention.forms["young"] == written


def _written(age: int, target: str) -> int:
    """Return the age that is written instead of one."""
    [mention] = numeric_ages(f"She is {age} years old.")
    found = re.match(r"\d+", mention.forms[target])
    assert found is not None
    return int(found[0])


@given(st.integers(1, 119), st.sampled_from(sorted(RANGES)))
def test_written_ages_lie_in_the_range_of_the_target(age: int, target: str) -> None:
    """An age that has the target already stays."""
    [mention] = numeric_ages(f"She is {age} years old.")
    lowest, highest = RANGES[target]
    if mention.attribute == target:
        assert _written(age, target) == age
    else:
        assert lowest <= _written(age, target) <= highest


@given(st.integers(1, 119), st.integers(1, 119), st.sampled_from(sorted(RANGES)))
def test_the_order_of_two_ages_of_a_group_is_kept(one: int, other: int, target: str) -> None:
    """The higher of two ages is never written as the lower."""
    ages = sorted((one, other))
    attributes = {numeric_ages(f"She is {age} years old.")[0].attribute for age in ages}
    if len(attributes) == 1:
        assert _written(ages[0], target) <= _written(ages[1], target)


WORDS_OF_AGES = """
a she is aged age of at turned in her 40 seven twenty one 1990 05 120 121 3.5 year years old olds -
40-year-old yo y/o 30s teens late man house , . to
"""
_PIECES = st.sampled_from(WORDS_OF_AGES.split())


@given(st.text() | st.lists(_PIECES, max_size=25).map(" ".join))
def test_mentions_address_the_text_in_order_without_overlap(text: str) -> None:
    """No text raises."""
    tokens = tokenize(text)
    end = -1
    for mention in numeric_ages(text):
        assert end < mention.first <= mention.last < len(tokens.lower)
        assert mention.attribute in RANGES
        assert set(RANGES) <= set(mention.forms)
        end = mention.last


@pytest.mark.parametrize("target", ["child", "young", "middle-aged", "senior", "adult"])
def test_who_is_of_another_age_is_left_alone(target: str) -> None:
    """No number is lost, and none stands beside a stage of life that it does not fit."""
    swap = CounterfactualSwap(columns="text", axis="age", target=target, mode="replace")
    assert [swap({"text": [each]})["text"][0] for each in OTHER_AGES] == [*OTHER_AGES]
    found = [term for each in OTHER_AGES for term in find_terms(each, "age")]
    assert [term for term in found if term.attribute] == []


def test_the_reason_is_told() -> None:
    """Who is left alone for such an age is listed."""
    [found] = find_terms("a six-month-old girl", "age")[-1:]
    assert (found.text, found.reason) == ("girl", Reason.OTHER_AGE.value)


WORDS = ["3", "5", "old", "year", "years", "month", "-", ",", ".", "/", "yo", "y", "o", "man"]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_person_is_judged(text: str) -> None:
    """The judgement never fails, and no age that is read is another one."""
    words = TokenBatch([text])
    assert ends_of_other_ages(words, ~words.is_end) == []
    for end, noun in ends_of_other_ages(words, words.is_end):
        assert end <= noun < len(words) - 2


@given(st.lists(st.sampled_from([sentence for sentence, _ in ROWS])))
def test_ages_are_read_alike_alone_and_among_others(sentences: list[str]) -> None:
    """Whatever texts are read at once."""
    texts = [sentence.replace("[", "").replace("]", "") for sentence in sentences]
    together = read_ages(TokenBatch(texts))
    alone = [age for number, text in enumerate(texts) for age in _moved(text, number)]
    assert together == alone


def _moved(text: str, number: int) -> list[Age]:
    return [age._replace(text=number) for age in numeric_ages(text)]


@pytest.mark.parametrize(("text", "rule"), [
    ("in her sixties", "ages.decade"),
    ("the 40yo man", "ages.short"),
    ("my brother, 25, left", "ages.bare"),
    ("children aged 7 to 12", "ages.number_behind"),
    ("a 40-year-old woman", "ages.old_person"),
])  # fmt: skip
def test_an_age_names_the_rule_that_read_it(text: str, rule: str) -> None:
    """By it one finds where to mend what is read wrong."""
    assert [age.rule for age in numeric_ages(text)] == [rule]
