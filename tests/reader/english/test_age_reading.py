"""Ages of people in numbers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.english.age_reading import ends_of_other_ages, read_ages
from fair_datasets.reader.matching.found import Reason
from fair_datasets.reader.matching.language import Age
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.matching.words import Words

RANGES = {"child": (3, 17), "young": (18, 44), "middle-aged": (45, 64), "senior": (65, 90)}
AGES = (
    ("a [40-year-old] woman", "young"), ("a [40 year old] man left", "young"),
    ("the [40yo] man", "young"), ("a [40 y/o] guy", "young"), ("a [forty-year-old] baker", "young"),
    ("the [5-year-olds] sing", "child"), ("She is [40 years old].", "young"),
    ("He was [forty years of age].", "young"), ("a girl [aged seven]", "child"),
    ("children [aged 7].", "child"), ("At the [age of 12] she left.", "child"),
    ("At [age 12], he sang.", "child"), ("Mary, [age 34], left.", "young"),
    ("She turned [50].", "middle-aged"), ("My son turns [18] next week.", "young"),
    ("She is in her [sixties].", "senior"), ("a man in his late [30s]", "young"),
    ("in their early [twenties]", "young"), ("a boy in his [teens]", "child"),
    ("a [twenty-one-year-old] student", "young"), ("A [40-year-old] was arrested.", "young"),
    ("an [8-year-old] girl", "child"), ("He is [1 year old].", "child"),
    ("women in their early [forties]", "young"), ("women in their mid-[forties]", "middle-aged"),
    ("my aunt is in her [eighties]", "senior"), ("a [70-year-old] patient", "senior"),
    ("a smiling [64-year-old] grandmother", "middle-aged"),
    ("An [80 year old] lady spoke.", "senior"), ("He died [aged 90].", "senior"),
    ("Ann ([aged 17]) sings.", "child"), ("He retired at the [age of sixty-five].", "senior"),
    ("Before Anna was [twelve years old] she sang.", "child"),
    ("She's [twenty years old].", "young"), ("the [19-year-old] Mary", "young"),
    ("I am only [11 years old].", "child"), ("my [two-year-old] and I", "child"),
    ("She is about [fourteen years old].", "child"), ("He just turned [100].", "senior"),
    ("A [19-year-old] student complained", "young"),
    ("She is [34 years old] and lives alone.", "young"),
    ("She was [34 years old], single and broke.", "young"),
    ("My aunt is in her [sixties] and swims daily.", "senior"),
    ("in her mid to late [sixties]", "senior"), ("He became a father at [60].", "middle-aged"),
    ("She left home and married at [19].", "young"), ("He was widowed at [forty].", "young"),
    ("At [60], he runs.", "middle-aged"), ("The tenant, [38], said nothing.", "young"),
    ("Maria Lopez, [34], sings.", "young"), ("Maria Lopez ([34]) sings.", "young"),
    ("a man of [70]", "senior"), ("A man of [seventy] walks in.", "senior"),
    ("boys aged [7 to 12]", "child"), ("women aged [18-25]", "young"),
    ("women aged between [18 and 25]", "young"),
    ("people between the ages of [18 and 24]", "young"), ("children aged [5 to 9]", "child"),
    ("He dies [aged 90].", "senior"), ("He died on June 2, 1991 [aged 90].", "senior"),
)  # fmt: skip
NO_AGES = (
    "a five-year plan", "40 years ago", "a 12-year-old whisky", "a 12-year-old house",
    "a six-year-old show about cars", "wine aged 12 years in oak", "whisky aged 12", "the 1960s",
    "in the sixties", "she turned 50 pages", "in 1990", "aged 1990", "The house is 40 years old.",
    "The car is 10 years old.", "a 200-year-old man", "adults aged 16 to 70",
    "two hundred and forty years old", "5-9 year olds", "He is 3.5 years old.",
    "in her sixties hits", "at the age of 12 months", "The wheel turned 180 degrees.",
    "The Stone Age 10", "age 0", "ten years of hope", "five or six years old", "for 20 years",
    "in their house", "the year 40", "turned out fine", "She aged well.",
    "People under the age of 18", "an old man", "The car stopped at 60 Main Street.",
    "He started at 60 mph.", "He died at 60 Main Street.", "She became angry at 10.",
    "He left at 10 a.m.", "He won at 15 to 1.", "the price started at 60.",
    "The students (34) left.", "My boss, 3 clients, and I", "the family, 4, left",
    "Chapter 5, 12, 13", "a mother of 3", "a man of 12 children", "a man of fifty pounds",
    "a team of 12", "kids under 10", "a 3-month-old baby", "in their twenties and thirties",
    "boys aged 12 to 7", "boys aged 7 or 12",
)  # fmt: skip


def numeric_ages(text: str) -> list[Age]:
    """Return the ages in a text."""
    return read_ages(Words([text]))


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


_PIECES = st.sampled_from(
    [
        "a",
        "she",
        "is",
        "aged",
        "age",
        "of",
        "at",
        "turned",
        "in",
        "her",
        "40",
        "seven",
        "twenty",
        "one",
        "1990",
        "05",
        "120",
        "121",
        "3.5",
        "year",
        "years",
        "old",
        "olds",
        "-",
        "40-year-old",
        "yo",
        "y/o",
        "30s",
        "teens",
        "late",
        "man",
        "house",
        ",",
        ".",
        "to",
    ]
)


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


OTHER_AGES = (
    "A 90,000 year-old man was found.", "a 90,000-year-old woman", "a 1.800 year old man",
    "a 12 000-year-old girl", "a 3.5-year-old boy", "a 3,5 year old girl", "a 3½-year-old boy",
    "a 1/2-year-old girl", "a 3 1/2 year old boy", "a two-and-a-half-year-old boy",
    "a hundred-year-old woman", "a 90-95-year-old man", "a 12- to 14-year-old boy",
    "5 to 6 year old boys", "5 or 6 y/o girls", "5-6yo boys", "a 6.5 yo girl", "a 40.5yo woman",
    "a 40+ year old man", "a six-month-old girl", "a weeks-old boy", "a 12-year older man",
)  # fmt: skip


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
    words = Words([text])
    assert ends_of_other_ages(words, ~words.is_end) == []
    for end, noun in ends_of_other_ages(words, words.is_end):
        assert end <= noun < len(words) - 2


@given(st.lists(st.sampled_from([sentence for sentence, _ in AGES] + [*NO_AGES, *OTHER_AGES])))
def test_ages_are_read_alike_alone_and_among_others(sentences: list[str]) -> None:
    """Whatever texts are read at once."""
    texts = [sentence.replace("[", "").replace("]", "") for sentence in sentences]
    together = read_ages(Words(texts))
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
