"""How far the words tell of a term that are not its neighbours."""

from collections.abc import Sequence

import pytest

from fair_datasets.reader.english.names import IS_REFERRED_TO
from fair_datasets.reader.english.noun_phrases import GIRL, MISTRESS
from fair_datasets.reader.english.predications import (
    DESCRIBES_PERSON,
    IS_MOOD,
    IS_UNTOLD,
    OTHER_SENSE,
)
from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.english.senses import IS_ABOUT_GENDER, OF_DEITY
from fair_datasets.reader.matching.predicates import Predicate, Rule
from tests.reader.english.asking import holds, rule_of

LONG = "rain fell on that roof of our barn all through this cold night . "
# What is asked, of which sentence, and how many words at its gap make the answer another.
CONDITIONS = [
    (OTHER_SENSE, LONG + "they are{} [straight]", 2), (IS_MOOD, LONG + "they are{} [straight]", 2),
    (IS_MOOD, LONG + "he was{} [gay]", 3), (IS_UNTOLD, "{} [gay]", 12), (IS_UNTOLD, "[gay]{}", 12),
    (IS_UNTOLD, "activist{} [gay]", 40), (IS_UNTOLD, "[gay]{} activist", 40),
    (DESCRIBES_PERSON, "pale{} . he was [white]", 4),
    (IS_ABOUT_GENDER, "feminism{} few [women] ran", 39),
    (IS_ABOUT_GENDER, "the [women]{} feminism", 40), (IS_ABOUT_GENDER, "few{} [women] ran", 3),
    (IS_ABOUT_GENDER, "five{} [women] ran", 3), (OF_DEITY, "god{} and [He] saw", 39),
    (OF_DEITY, "and [He]{} god", 40),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "sentence", "reach"), CONDITIONS)
def test_how_far_a_word_tells(condition: Predicate, sentence: str, reach: int) -> None:
    """From the next word on it tells nothing."""
    answers = [holds(condition, sentence.format(" indeed" * count)) for count in range(reach + 2)]
    assert answers == [answers[0]] * reach + [not answers[0]] * 2


def test_a_name_is_referred_to_within_eleven_words() -> None:
    """By a pronoun that does not stand directly behind it."""
    sentences = ["[John]" + " indeed" * count + " he" for count in range(13)]
    found = [holds(IS_REFERRED_TO, sentence, "man") for sentence in sentences]
    assert found == [False, *[True] * 10, False, False]


# The rules, a sentence, and how many words at its gap make another rule decide.
RULES = [
    (MISTRESS, "lover{} [mistress]", 10), (MISTRESS, "[mistress]{} lover", 10),
    (MISTRESS, "his{} [mistress]", 3), (MISTRESS, "his [mistress]{} maid", 10),
    (GIRL, "baby{} [girl]", 10), (GIRL, "[girl]{} baby", 10), (LANGUAGE.person, "e4{} [king]", 4),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "sentence", "reach"), RULES)
def test_how_far_a_word_decides(rules: Sequence[Rule[object]], sentence: str, reach: int) -> None:
    """From the next word on another rule does."""
    asked = [sentence.format(" indeed" * count) for count in range(reach + 1)]
    names = [rule_of(rules, each).name for each in asked]
    assert names[:-1] == [names[0]] * reach
    assert names[-1] != names[0]


@pytest.mark.parametrize("age", [1, 15])
def test_a_child_is_younger_than_sixteen(age: int) -> None:
    """By an age before it or behind."""
    for text in ("a {}-year-old [girl]", "a [girl] of {}", "a [girl] aged {}"):
        assert rule_of(GIRL, text.format(age)).verdict == "singular"
    assert rule_of(GIRL, "a [girl] of sixteen").verdict == "grown singular"
    for text in ("a 16-year-old [girl]", "a [girl] of 16", "a [girl] of 0", "a [girl] of 101"):
        assert rule_of(GIRL, text).verdict == "grown singular"


@pytest.mark.parametrize("square", ["a1", "a8", "h1", "h8"])
def test_a_king_beside_a_square_is_a_piece(square: str) -> None:
    """Of the eight files and ranks of a chessboard."""
    assert rule_of(LANGUAGE.person, f"{square} [king]").name == "persons.game"
    for other in ("a0", "a9", "i1"):
        assert rule_of(LANGUAGE.person, f"{other} [king]").name != "persons.game"
