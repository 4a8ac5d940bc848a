"""What conditions need of single words, beside what the conditions tell of all words."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.english.questions import LANGUAGE
from fair_datasets.matching.alone import HERE
from fair_datasets.matching.conditions import Candidates, Condition
from fair_datasets.matching.guards import ALWAYS, Guards
from fair_datasets.matching.places import Place
from fair_datasets.matching.words import Words

TABLES = (
    LANGUAGE.name, LANGUAGE.surname, LANGUAGE.title, LANGUAGE.verb, LANGUAGE.person,
    LANGUAGE.stage, LANGUAGE.used, *LANGUAGE.cases.values(),
)  # fmt: skip
RULES = [rule for table in TABLES for rule in table]
FACTS = ("word", "place", "proper", "surname", "man", "woman", "follows a name",
         "without capitals")  # fmt: skip
WORDS = re.findall(
    r"\S+",
    "a the my no and or of in to by with her his she he is are was lives said s Mr Mrs Dr Lady "
    "King queen earl duke count Will May Paris Mary JOHN Smith University Street Sons Inc Oh hey "
    "man girl boy sister bro chick guys father mothers god black old Irish gay people company one "
    "home tomorrow attention works never rings child children kids parents 12 2nd E x zzyzx Émile",
)
SIGNS = (" ", " ", " ", ", ", ". ", "'", "-", " & ", "! ", '"', " (", "\n")
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SIGNS)), min_size=1).map(
    lambda several: "".join(word + sign for word, sign in several)
)


def candidates(several: list[str], seed: int) -> Candidates:
    """Return all words of texts, some as phrases of two, with facts at random."""
    words = Words(several)
    places = np.flatnonzero(~words.is_end)
    draws = np.random.default_rng(seed)
    facts = {name: draws.random(len(places)) < 0.5 for name in FACTS}
    lasts = places + (~words.is_end[places + 1] & (draws.random(len(places)) < 0.2))
    return Candidates(words, places, facts, lasts)


@cache
def guarded() -> list[tuple[str, Condition, Guards]]:
    """Return the conditions of all rules and their opposites, with what settles them."""
    both = [(rule.name, each) for rule in RULES for each in (rule.condition, ~rule.condition)]
    return [(name, each, Guards([each.guard, ALWAYS])) for name, each in both]


@settings(max_examples=8)
@given(st.lists(texts, min_size=5, max_size=20), st.integers(0, 9))
def test_what_settles_a_rule_is_what_the_rule_tells(several: list[str], seed: int) -> None:
    """A rule holds where it surely does, and nowhere where it may not."""
    found = candidates(several, seed)
    for name, condition, guards in guarded():
        first, may = guards.settle(found)
        held = condition.test(found)
        assert held[first == 0].all(), name
        assert not held[(first == 1) & ~may[:, 0]].any(), name


@pytest.mark.parametrize(
    ("condition", "sure", "perhaps"),
    [
        (HERE.is_word("red"), ["Red"], []),
        (HERE.is_word("red") & (HERE + 1).sign(" "), ["Red"], []),
        (HERE.is_word("red", "kite") & ~HERE.is_capital, ["kite"], []),
        ((HERE + 1).where((HERE + 1).sign(" ")).is_word("kite"), ["Red"], []),
        (HERE.that(str.isalpha), [], ["Red", "kite"]),
        (HERE.that(str.isalpha) & HERE.is_first, [], ["Red"]),
    ],
)
def test_single_words_settle_what_looks_at_nothing_else(
    condition: Condition, sure: list[str], perhaps: list[str]
) -> None:
    """And leave the rest to the condition."""
    words = Words(["Red kite"])
    first, may = Guards([condition.guard, ALWAYS]).settle(Candidates(words, np.array([0, 1])))
    names = np.array(["Red", "kite"])
    assert names[first == 0].tolist() == sure
    assert names[may[:, 0]].tolist() == perhaps


def test_words_and_signs_that_are_new_are_asked_about() -> None:
    """A guard that was asked before knows them as well."""
    place: Place = HERE + 1
    guards = Guards([(place.is_word("qwertz") | place.sign("~~")).guard, ALWAYS])
    for text, told in (("a b", [1, 1]), ("a qwertz", [0, 1]), ("a~~b", [0, 1])):
        assert guards.settle(Candidates(Words([text]), np.array([0, 1])))[0].tolist() == told
