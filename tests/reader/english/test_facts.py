"""Bodily and legal facts, and the sentences that tell them."""

import pytest

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.facts import facts, find_facts, find_ties, speaking_against, ties
from fair_datasets.reader.matching.token_batch import TokenBatch


def _told(text: str) -> set[tuple[str, str]]:
    """Return of whom facts are told, with the sentence."""
    words = TokenBatch([text])
    return {
        (fact.attribute, text[words.start[fact.begin] : words.end[fact.stop - 1]])
        for fact in find_facts(words, load_lexicon("gender").attributes)
    }


def test_each_fact_is_listed_once() -> None:
    """With an attribute, others that it is not told of, a kind and a source."""
    assert len({fact.words for fact in facts()}) == len(facts())
    attributes = load_lexicon("gender").attributes
    for fact in facts():
        assert fact.attribute in attributes
        assert set(fact.never.split(" ")) <= set(attributes) - {fact.attribute}
        assert fact.kind
        assert fact.source
        assert "*" not in (fact.words[0], fact.words[-1])


@pytest.mark.parametrize("between", ["", "very", "not so very"])
def test_each_fact_is_found(between: str) -> None:
    """As it is listed, with up to three words where it has a star."""
    for fact in facts():
        text = " ".join(fact.words.replace("*", between).split())
        assert (fact.attribute, text) in _told(text)
        assert (fact.attribute, text) in _told(f"It rained. {text}. She left.")


@pytest.mark.parametrize(
    ("text", "found"),
    [("His beard is long. He left.", {("man", "His beard is long")}),
     ("Beards are long.", {("man", "Beards are long")}),
     ("THE BEARD IS LONG", {("man", "THE BEARD IS LONG")}), ("We met James Beard.", set()),
     ("Meet Mr. A. Smith and his beard.", {("man", "Meet Mr. A. Smith and his beard")}),
     ("the first of all people. Woman to woman", set()),
     ("the first a b c woman to fly", {("woman", "the first a b c woman to fly")}),
     ("the first a b c d woman to fly", set()), ("the pga tour", set()), ("the Pga Tour", set()),
     ("the PGA tour", set()), ("the PGA Tour", {("man", "the PGA Tour")}), ("", set()),
     ("the first", set())],
)  # fmt: skip
def test_what_tells_a_fact(text: str, found: set[tuple[str, str]]) -> None:
    """Words as they are listed, with their capitals, within one sentence."""
    assert _told(text) == found


def test_other_axes_have_none() -> None:
    """The list is about women and men."""
    words = TokenBatch(["She gave birth."])
    assert not list(find_facts(words, load_lexicon("age").attributes))


def _tied(text: str, axis: str) -> list[tuple[str, set[str], set[str]]]:
    words = TokenBatch([text])
    found = find_ties(words, axis, ~words.is_end)
    return [(each.words, {*each.groups}, {*each.never}) for each in found]


def test_ties_are_of_attributes_that_there_are() -> None:
    """Each row names an axis that ships and one of its attributes, and no row stands twice."""
    assert len({tie[:4] for tie in ties()}) == len(ties())
    for tie in ties():
        assert tie.attribute in load_lexicon(tie.axis).attributes
        assert tie.where in ("from", "to")
        assert len(tie.words.split(" ")) in (1, 2)


@pytest.mark.parametrize(("axis", "text", "found"), [
    ("religion", "the Old testament", [("Old testament", {"christian", "jewish"}, set())]),
    ("religion", "an old will and a testament", []),
    ("religion", "the chapel", [("chapel", {"christian"}, {"atheist"})]),
    ("nationality", "a flight to Turkey", [("Turkey", {"turkish"}, set())]),
    ("nationality", "a turkey on the table", []),
    ("nationality", "the US and us", [("US", {"american"}, set())]),
    ("nationality", "tell us", []),
])  # fmt: skip
def test_words_are_found_as_they_are_listed(
    axis: str, text: str, found: list[tuple[str, set[str], set[str]]]
) -> None:
    """With the word before them, with their capitals, and with all that they are tied to."""
    assert _tied(text, axis) == found


def test_words_that_speak_against_somebody_are_counted() -> None:
    """Most of them against children and atheists, none against groups of race."""
    assert speaking_against("age")["child"] > speaking_against("age")["senior"] > 0
    assert speaking_against("religion").keys() == {"atheist", "buddhist", "christian"}
    assert "asian" not in speaking_against("race")
