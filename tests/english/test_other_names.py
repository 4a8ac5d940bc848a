"""Names of other things than people."""

import pytest

from fair_datasets.english.names import RULES
from fair_datasets.english.other_names import IN_OTHER_NAME
from tests.english.asking import holds, rule_of

# The rules by which a name is that of a place, a team or a work.
NAMES_OF_OTHERS = {
    *("names.other_name", "names.street", "names.longer_name", "names.team"),
    *("names.verse", "names.work", "names.region", "names.brand"),
}


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("We like Iron [Man] a lot", True),
        ("We saw the Scissor [Sisters] there", True),
        ("Sanford and [Son] closed", True),
        ("We saw [Men] in Black there", True),
        ("It was on [Duke] Road there", True),
        ("The [Boy] Who Cried Wolf is old", True),
        ("He was [Man] of the Year there", False),
        ("Young [Girls] sang there", False),
        ("the Sydney [Girls] High School there", False),
        ("the [Women]'s World Cup there", False),
        ("an Indian [Woman] there", False),
        ("the Queen [Mother] came there", False),
        ("Dr. [Prince] came there", False),
        ("THE IRON [MAN]", False),
        ("a [man] there", False),
    ],
)
def test_titles_and_companies_are_seen(sentence: str, other: bool) -> None:
    """A capitalised term beside another capitalised word is part of another name."""
    assert holds(IN_OTHER_NAME, sentence) is other


@pytest.mark.parametrize(
    ("sentence", "flags", "other"),
    [
        ("[Thomas] Street", "", True),
        ("[Thomas] Hill", "", False),
        ("[Thomas] Hawks left", "", False),
        ("[Houston] Hawks lost", "place", True),
        ("[Thomas], Maine", "", True),
        ("[Thomas], Mary", "", False),
        ("[Thomas] left", "", False),
    ],
)
def test_what_follows_a_name_tells_what_it_names(sentence: str, flags: str, other: bool) -> None:
    """Streets, towns and teams are told from surnames."""
    told = rule_of(RULES, sentence, "man", *flags.split()).name
    assert (told in NAMES_OF_OTHERS) is other


def test_a_surname_has_its_lane_by_its_preposition() -> None:
    """Diane Lane is a person, but on Hill Lane is a place."""
    assert rule_of(RULES, "on [Hill] Lane", "man").name == "names.street"
    assert rule_of(RULES, "with [Diane] Lane", "woman").name == "names.unmarked"
