"""Conditions on words and the words around them."""

import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.matching import predicates as module
from fair_datasets.reader.matching.predicates import Predicate
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef, asked_at


@pytest.fixture(scope="module", autouse=True, params=[-1, 1 << 60], ids=["compiled", "columns"])
def _often(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ask expressions from the first time on, or never."""
    before, module.OFTEN = module.OFTEN, request.param
    yield
    module.OFTEN = before


WORDS = {"colours": frozenset({"red", "blue"}), "sizes": frozenset({"big"})}


def listed(name: str) -> frozenset[str]:
    """Return the words of a class of a small language."""
    return WORDS[name]


SPOT = TokenRef(lambda found: found.places, lists=listed)


def every(*texts: str) -> Candidates:
    """Return all words of texts."""
    words = TokenBatch(texts)
    return Candidates(words, np.flatnonzero(~words.is_end))


def held(condition: Predicate, text: str) -> str:
    """Return the words of a text of which a condition holds."""
    candidates = every(text)
    return " ".join(
        candidates.words.lower(at) for at in candidates.places[candidates.holds(condition)]
    )


WRITTEN = [
    (SPOT.among("colours"), "red"), (SPOT.among("colours", "sizes"), "red big"),
    (SPOT.is_word("red", "kite"), "red kite"), (SPOT.is_word("nosuchword"), ""),
    (SPOT.that(lambda word: "i" in word), "big kite"), (SPOT.sign(", "), "big"),
    (SPOT.sign("", ", "), "a big"), (SPOT.sign_that(lambda sign: "." in sign), "up"),
    (SPOT.ends_with("d", "te"), "red kite"), (SPOT.longer(2), "red big kite"),
    (SPOT.is_capital, "a kite up"), (SPOT.is_upper, "up"), (SPOT.is_capitals, "a up"),
    (SPOT.is_lower, "red big"), (SPOT.is_title, "a kite"), (SPOT.is_digits, "12"),
    (SPOT.is_letter, "a"), (SPOT.is_first, "a"), (SPOT.is_there, "a red big kite up 12"),
    ((SPOT + 1).is_there, "a red big kite up"), ((SPOT + 1).is_word("red"), "a"),
    ((SPOT - 1).is_word("red"), "big"), ((SPOT - 1).is_first, "red"),
    ((SPOT - 1).is_first_or_nowhere, "a red"), ((SPOT + 2 - 1).is_word("red"), "a"),
    ((SPOT + 9 - 8).is_word("red"), "a"),
    (
        SPOT.where(SPOT.is_letter, SPOT + 1).is_word("kite"), "big",
    ),
    (SPOT.where(~SPOT.is_letter).is_there, "red big kite up 12"),
    (SPOT.is_letter | SPOT.is_digits, "a 12"), (~SPOT.is_letter & SPOT.is_capitals, "up"),
    (
        module.choose(SPOT.is_capital, SPOT.is_letter, SPOT.is_digits), "a 12",
    ),
    (asked_at(SPOT + 1, (SPOT + 1).is_word("kite")), "red"),
    (module.ALWAYS, "a red big kite up 12"), (module.NEVER, ""),
]  # fmt: skip


def test_a_condition_reads_as_it_is_written() -> None:
    """At the word, before it and behind it."""
    text = "A red, big Kite. UP 12"
    assert [held(condition, text) for condition, _ in WRITTEN] == [told for _, told in WRITTEN]


def test_what_is_costly_is_asked_where_nothing_else_decides() -> None:
    """In whatever order it is written."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.extend(found.places.tolist())
        return np.ones(len(found.places), np.bool_)

    costly = Predicate(test, is_costly=True)
    for condition, places in (
        (costly & SPOT.is_word("red"), [1]), (SPOT.is_word("red") & costly, [1]),
        (costly | ~SPOT.is_word("red"), [1]), (SPOT.is_word("nothing") & costly, []),
        (module.choose(SPOT.is_word("kite"), costly, module.ALWAYS), [2]),
    ):  # fmt: skip
        asked.clear()
        every("big red kite").holds(condition)
        assert asked == places


def test_what_was_asked_is_not_asked_again() -> None:
    """Neither for the same candidates nor for a part of them."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.append(len(found.places))
        return found.places > 0

    condition, candidates = Predicate(test), every("big red kite")
    part = candidates.part(np.array([1, 2])).part(np.array([1]))
    candidates.holds(condition)
    candidates.holds(~condition & module.ALWAYS)
    assert part.holds(condition).tolist() == [True]
    assert asked == [3]


BASIC = (
    SPOT.is_capital, SPOT.is_word("red"), (SPOT + 1).among("colours"), (SPOT - 1).is_there,
    SPOT.sign(" "), (SPOT + 1).sign_that(str.isspace), SPOT.that(str.isalpha), SPOT.longer(3),
)  # fmt: skip
JOINS: tuple[Callable[[Predicate, Predicate], Predicate], ...] = (
    lambda one, other: one & other,
    lambda one, other: one | other,
    lambda one, other: module.choose(one, other, ~one),
    lambda one, other: asked_at(SPOT + 1, one) & ~other,
)
CONDITIONS = st.recursive(
    st.sampled_from(BASIC),
    lambda inner: (
        st.builds(lambda join, a, b: join(a, b), st.sampled_from(JOINS), inner, inner)
        | inner.map(lambda condition: ~condition)
        | inner.map(lambda condition: condition.costly)
    ),
    max_leaves=8,
)
TEXTS = st.lists(st.sampled_from(["red", "Big", "kite", ",", ".", "KITE", "Ł"])).map(" ".join)


@settings(deadline=None)
@given(CONDITIONS, st.lists(TEXTS))
def test_a_condition_holds_alike_alone_and_among_others(
    condition: Predicate, texts: list[str]
) -> None:
    """However it is put together, and whatever else is asked at once."""
    together = every(*texts)
    alone = [
        bool(Candidates(one.words, one.places[[row]]).holds(condition)[0])
        for one in map(every, texts)
        for row in range(len(one.places))
    ]
    assert together.holds(condition).tolist() == alone


@settings(deadline=None)
@given(CONDITIONS, CONDITIONS, TEXTS)
def test_joined_conditions_are_those_of_logic(one: Predicate, other: Predicate, text: str) -> None:
    """Whether some are costly or not."""
    candidates = every(text)
    first, second = candidates.holds(one), candidates.holds(other)
    assert (candidates.holds(one & other) == (first & second)).all()
    assert (candidates.holds(one | other) == (first | second)).all()
    assert (candidates.holds(~one) == ~first).all()
    assert (
        candidates.holds(module.choose(one, other, ~other)) == np.where(first, second, ~second)
    ).all()


TABLES = (
    LANGUAGE.name, LANGUAGE.surname, LANGUAGE.title, LANGUAGE.verb, LANGUAGE.person,
    LANGUAGE.ages.stage, LANGUAGE.used, *LANGUAGE.cases.values(),
)  # fmt: skip
RULES = [rule for table in TABLES for rule in table]
FACTS = ("word", "place", "proper", "surname", "man", "woman", "follows a name",
         "without capitals")  # fmt: skip
VARIED = re.findall(
    r"\S+",
    "a the my no and or of in to by with her his she he is are was lives said s Mr Mrs Dr Lady "
    "King queen earl duke count Will May Paris Mary JOHN Smith University Street Sons Inc Oh hey "
    "man girl boy sister bro chick guys father mothers god black old Irish gay people company one "
    "home tomorrow attention works never rings child children kids parents 12 2nd E x zzyzx Émile",
)
SIGNS = (" ", " ", " ", ", ", ". ", "'", "-", " & ", "! ", '"', " (", "\n")
texts = st.lists(st.tuples(st.sampled_from(VARIED), st.sampled_from(SIGNS)), min_size=1).map(
    lambda several: "".join(word + sign for word, sign in several)
)


def candidates(several: list[str], seed: int) -> Candidates:
    """Return all words of texts, some as phrases of two, with facts at random."""
    words = TokenBatch(several)
    places = np.flatnonzero(~words.is_end)
    draws = np.random.default_rng(seed)
    facts = {name: draws.random(len(places)) < 0.5 for name in FACTS}
    lasts = places + (~words.is_end[places + 1] & (draws.random(len(places)) < 0.2))
    return Candidates(words, places, facts, lasts)


@settings(max_examples=8)
@given(st.lists(texts, min_size=5, max_size=20), st.integers(0, 9))
def test_a_rule_tells_of_one_what_it_tells_of_many(several: list[str], seed: int) -> None:
    """By an expression as by columns."""
    found = candidates(several, seed)
    rows = range(len(found.places))
    for rule in RULES:
        if rule.condition.asked is not None:
            held = rule.condition.test(found).tolist()
            assert module.holding(found, rows, rule.condition) == held, rule.name


ASKED = (SPOT.is_capital, SPOT.longer(3), SPOT.sign(" "), (SPOT + 1).is_there, SPOT.is_digits)


def test_the_first_rule_that_holds_decides() -> None:
    """The last one holds always."""
    rules = (
        module.Rule("capital", "a", SPOT.is_capital),
        module.Rule("long", "b", SPOT.longer(3)),
        module.Rule("other", "c", module.ALWAYS),
    )
    assert module.first_matching_rule(rules, every("John left her", "Mary")).tolist() == [
        0,
        1,
        2,
        0,
    ]
    assert module.first_matching_rule(rules, every()).tolist() == []


def test_a_costly_rule_is_asked_where_no_other_decides() -> None:
    """What the rules before it decide costs nothing more."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.extend(found.places.tolist())
        return found.places > 1

    rules = (
        module.Rule("capital", "a", SPOT.is_capital),
        module.Rule("costly", "b", Predicate(test, is_costly=True)),
        module.Rule("other", "c", module.ALWAYS),
    )
    assert module.first_matching_rule(rules, every("John left her Mary")).tolist() == [0, 2, 1, 0]
    assert asked == [1, 2]
    asked.clear()
    yes = [module.Rule(rule.name, True, rule.condition) for rule in rules]
    every("John left her").holds(SPOT.is_word("her") & module.says(yes))
    assert asked == [2]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(ASKED).flatmap(lambda c: st.sampled_from([c, ~c, c.costly]))),
    st.lists(st.lists(st.sampled_from(["he", "John", "left", "12", ","])).map(" ".join)),
)
def test_each_candidate_is_decided_as_by_itself(
    conditions: list[Predicate], texts: list[str]
) -> None:
    """Whatever else is asked at once."""
    rules = [module.Rule(str(k), k, each) for k, each in enumerate([*conditions, module.ALWAYS])]
    candidates = every(*texts)
    alone = [
        int(
            module.first_matching_rule(
                rules, Candidates(candidates.words, candidates.places[[row]])
            )[0]
        )
        for row in range(len(candidates.places))
    ]
    assert module.first_matching_rule(rules, candidates).tolist() == alone
