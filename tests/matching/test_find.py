"""Showing the terms of a text, and why a candidate is left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError, available_lexicons, find_terms
from fair_datasets.english.classifier.decide import decide_one
from fair_datasets.matching.reasons import Reason
from fair_datasets.matching.tokens import tokenize

WORDS = ["he", "Her", "king", "a king", "King James", "Mary", "will", "Will", "host", "@her",
         "`he`", "father-in-law", "Bachelor's degree", "ﬀ", "İ", "\n", "mother", "’s",
         "_him_"]  # fmt: skip


def _seen(text: str, axis: str = "gender", **options: object) -> list[tuple[str, str]]:
    found = find_terms(text, axis, **options)  # type: ignore[arg-type]
    return [(term.text, term.attribute or term.reason) for term in found]


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("see https://her.example", "her", Reason.PROTECTED_TEXT),
        ("the user_he field", "he", Reason.PART_OF_WORD),
        ("a bachelor's degree", "bachelor's degree", Reason.PHRASE),
        ("They host a party.", "host", Reason.VERB),
        ("the count of votes", "count", Reason.THING),
        ("Dr. Monk left.", "Monk", Reason.SURNAME),
        ("Will it rain?", "Will", Reason.NOT_A_NAME),
    ],
)
def test_the_reason_is_told(text: str, word: str, reason: Reason) -> None:
    """A candidate that is left alone is listed with the reason."""
    assert (word, reason.value) in _seen(text)


def test_words_that_describe_no_people_are_told() -> None:
    """On other axes a word is left alone where it is about things."""
    assert _seen("White walls for white neighbours.", "race") == [
        ("White", Reason.NOT_PEOPLE.value),
        ("white", "white"),
    ]


def test_protected_names_are_told() -> None:
    """A protected name is left alone wherever its words stand in the text."""
    found = _seen("Mary Smith met John. Mary left.", protect=["Mary Smith"])
    assert found == [
        ("Mary Smith", Reason.PROTECTED_NAME.value),
        ("John", "man"),
        ("Mary", Reason.PROTECTED_NAME.value),
    ]


@pytest.mark.parametrize(
    ("text", "word", "rule"),
    [
        ("Mr. Will Brown left.", "Will", "names.full_name"),
        ("They host a party.", "host", "verbs.before_verb"),
        ("The host left.", "host", "senses.tagged"),
        ("the king of spades", "king", "persons.game"),
        ("Oh man!", "man", "calls.interjection"),
        ("a Rocket Man song", "Man", "things.other_name"),
        ("the Old Man and the Sea", "Man", "things.other_name"),
        ("Dr. Monk left.", "Monk", "surnames.titled"),
        ("they miss it", "miss", "titles.none"),
        ("Lady Smith left.", "Lady", "titles.before_name"),
        ("He left.", "He", "terms.pronoun"),
        ("a bachelor's degree", "bachelor's degree", "terms.exception"),
        ("see https://her.example", "her", "text.protected"),
        ("my uncle left", "uncle", "terms.listed"),
        ("Dear sir, hello", "Dear sir", "terms.phrase"),
    ],
)
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
    assert first.rule == "names.opens"
    assert first.rule_reason.endswith("; another one in the text is surely a name")
    assert second.rule_reason == "a surname stands behind it"
    [alone] = find_terms("Will left.")
    assert alone.rule == "names.opens"
    assert alone.rule_reason == "it opens a sentence, where a capital says nothing"


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_offsets_address_the_text(text: str) -> None:
    """Each term stands in the text where it says, and has an attribute or a reason."""
    for term in find_terms(text):
        assert text[term.start : term.end] == term.text
        assert bool(term.attribute) != bool(term.reason)
        assert term.rule
        assert term.rule_reason


@pytest.mark.parametrize("text", [None, 3, b"he", ["he"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    """A sentence says what was given."""
    with pytest.raises(InputError, match="find_terms: the text must be a string, but it is a"):
        find_terms(text)  # type: ignore[arg-type]


PARTS = (
    "Sisters Old Boys International Women King Mary Will Black of Asian Muslim Gay French Priest"
)
MORE_PARTS = "40 year old aged The 's Her his Mr Lady Saint Academy Sue Mark"


@pytest.mark.parametrize("axis", available_lexicons())
@settings(deadline=None)
@given(
    parts=st.lists(st.sampled_from(f"{PARTS} {MORE_PARTS}".split()), max_size=4),
    end=st.sampled_from(["", " ", "-", "'", ", ", ". ", "/", " & ", "\n"]),
)
def test_a_text_may_end_anywhere(axis: str, parts: list[str], end: str) -> None:
    """Rules look behind a word only where there is something."""
    for text in (" ".join(parts) + end, end.join(parts)):
        for term in find_terms(text, axis, names=True):
            assert term.rule_reason
            assert text[term.start : term.end] == term.text


@pytest.mark.parametrize("name", ["Mary", "Prince", "Will"])
def test_a_single_name_can_be_protected(name: str) -> None:
    """A protected name may have one word only, wherever it stands."""
    for text in (name, f"{name} ran.", f"I saw {name}", f"I saw {name} there."):
        assert (name, Reason.PROTECTED_NAME.value) in _seen(text, protect=name)
