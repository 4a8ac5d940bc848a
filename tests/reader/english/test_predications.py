"""Whether a demographic word is said of a person."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import IN_HEADLINE, is_person_noun
from fair_datasets.reader.english.predications import DESCRIBES_PERSON, USED
from fair_datasets.reader.matching.predicates import first_matching_rule, in_columns
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from tests.reader.english.asking import every_word, rule_of


@pytest.mark.parametrize("verb", ["she was", "Is Mary"])
@pytest.mark.parametrize("between", range(5, 9))
def test_a_verb_is_looked_for_seven_words_back(verb: str, between: int) -> None:
    """It is no further away in what people write."""
    found = every_word(f"{verb} {'young ' * between}gay").holds(DESCRIBES_PERSON)[-1]
    assert found == (between < 7)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and nothing is said of whom nothing stands before."""
    candidates = every_word(text)
    assert not candidates.holds(DESCRIBES_PERSON)[candidates.places == candidates.first].any()


# What may stand between "of" and an origin, and behind it.
ORIGINS = (
    ("a man of{} [African] descent", " mixed", 4),
    ("a man of [African]{} descent", " Asian", 3),
)


@pytest.mark.parametrize(("sentence", "word", "most"), ORIGINS)
def test_an_origin_is_said_near_its_word(sentence: str, word: str, most: int) -> None:
    """Farther away it is another's."""
    found = [rule_of(USED, sentence.format(count * word)).verdict for count in range(most + 2)]
    assert found == ["adjective"] * (most + 1) + [""]


USED_WORDS = """
the a white old young Asian elderly British gay and or man people wine was is he it who in of Black
's , . - / & Mr Mary years bus driver whites as being
"""
_WORDS = st.sampled_from(USED_WORDS.split())


def _uses(found: Candidates) -> list[str]:
    """Return how words are used."""
    return [str(use) for use in in_columns(USED).verdicts[first_matching_rule(USED, found)]]


@given(st.text() | st.lists(_WORDS, max_size=30).map(" ".join))
def test_any_text_has_a_use(text: str) -> None:
    """No text raises, whichever words and phrases are asked for."""
    candidates = every_word(text)
    _uses(candidates)
    pairs = candidates.places[:-1]
    _uses(Candidates(candidates.words, pairs, {}, pairs + 1))


@given(st.lists(st.lists(_WORDS, max_size=30).map(" ".join)))
def test_a_word_is_used_alike_alone_and_among_others(texts: list[str]) -> None:
    """Whatever texts are read at once."""
    alone = [use for text in texts for use in _uses(every_word(text))]
    assert _uses(every_word(*texts)) == alone


# Of "gay", a text of some length has to tell that it is no mood.
_ALIKE = _WORDS.filter(lambda word: word != "gay")


@given(
    st.lists(_ALIKE, min_size=1, max_size=12).map(" ".join), st.text(alphabet="ab ", max_size=40)
)
def test_what_is_far_away_has_no_influence(near: str, far: str) -> None:
    """Nothing behind the sentence matters."""
    candidates, longer = every_word(near + "."), TokenBatch([f"{near}. {far}"])
    # A headline is told by the words on both sides, whatever stands between.
    assume(not candidates.holds(IN_HEADLINE).any())
    assert _uses(candidates) == _uses(Candidates(longer, candidates.places))


PERSONS = """people folks neighbours voters couple families community students saleswoman firemen
wives secretaries mathematicians pianist gynaecologists schoolteacher goalkeepers grandchildren
audience police spokespersons heroes actresses"""
THINGS = """wine bridge market printer computer hand star german talisman specimen list wrist
typewriter bestseller climate supremacist glass dress news s es"""


def test_nouns_for_persons_are_told_from_those_for_things() -> None:
    """In both numbers, by rule; a word that more often names a thing is none."""
    assert [word for word in PERSONS.split() if not is_person_noun(word)] == []
    assert [word for word in THINGS.split() if is_person_noun(word)] == []


def test_the_nouns_are_many_and_none_is_denied() -> None:
    """The reviewed list is long, and in lower case."""
    nouns = words("person_nouns")
    assert len(nouns) >= 1200
    assert all(noun == noun.lower() for noun in nouns)
    assert not nouns & words("no_persons")
