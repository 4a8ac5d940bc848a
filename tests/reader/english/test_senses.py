"""Telling a term from the verb or the thing that is spelt like it."""

import pytest

from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.english.senses import EXCLAIMED, IN_NAME, VERB
from tests.reader.english.asking import rule_of


@pytest.mark.parametrize(("sentence", "verb"), [
    ("to [host] a show", True),
    ("they [host]", True),
    ("will [father] children", True),
    ("she [hosts] the show", True),
    ("[man] the barricades", True),
    ("the [host] said", False),
    ("the [hosts]", False),
    ("[Father] the baker", False),
    ("my [father]", False),
    ("talked to [mother] and left", False),
    ("she [fathered] it", True),
])  # fmt: skip
def test_verbs_are_told_by_their_neighbours(sentence: str, verb: bool) -> None:
    """A word is a verb behind a modal or a subject, or before an object."""
    assert rule_of(VERB, sentence).verdict is verb


@pytest.mark.parametrize(("sentence", "person"), [
    ("the [king] said", True),
    ("[King] James", True),
    ("the [king]'s daughter", True),
    ("Mary's [king]", True),
    ("as [king]", True),
    ("the [king]", True),
    ("[king]-sized", False),
    ("Oh. My. [God].", False),
    ("the [king] formally agreed", True),
    ("the Christian [God] is", False),
    ("the [King] of Spain", True),
    ("the [queen] of spades", False),
    ("the [queen] takes on d5", False),
    ("the platelet [count]", False),
    ("the [count] smiled", True),
    ("the duchess and the [count]", True),
    ("[Mummy] left", True),
    ("the [mummy] of a pharaoh", False),
    ("60,000 [Pa]", False),
    ("a [bachelor]'s from Leeds", False),
    ("a [sister] company", False),
    ("my [sister] left", True),
    ("each [daughter] cell", False),
    ("a [father] figure", False),
    ("my [brother] programs it", True),
    ("a male plug and a [female] one", False),
    ("a [boy] band", False),
    ("the [guy] ropes", False),
    ("that [guy]", True),
    ("a 5 [gal] bucket", False),
    ("see [chap]. 4", False),
    ("The [Lord] said", False),
    ("the young [lord]", True),
    ("[Earl] Hines played", False),
    ("the [Earl] of March", True),
    ("Oh [man]!", False),
    ("an Iron [Man] suit", False),
    ("a [man] said", True),
])  # fmt: skip
def test_persons_are_told_by_their_neighbours(sentence: str, person: bool) -> None:
    """A marked word is a person in a noun phrase of its own or as a title."""
    assert rule_of(LANGUAGE.person, sentence).verdict is person


@pytest.mark.parametrize(("sentence", "exclaimed"), [
    ("Oh, [boy].", True),
    ("oh [man] i forgot", True),
    ("[Man], that was close", True),
    ("[Boy], was it hot", True),
    ("Come on, [man].", True),
    ("no, [man], no", True),
    ("thanks [dude]", True),
    ("what is this, [girl]?", True),
    ("The [man], who left", False),
    ("[Man] bites dog", False),
    ("[Man], woman and child", False),
    ("[Boy], 12, found", False),
    ("They are fathers, [man], and sons", False),
    ("a woman, [man] or girl", False),
    ("I saw a [man]", False),
    ("[Brother], come here", False),
    ("a very simple person: [man], fighter", False),
])  # fmt: skip
def test_calls_are_told_from_mentions(sentence: str, exclaimed: bool) -> None:
    """A call stands alone between commas, or behind an interjection."""
    assert rule_of(EXCLAIMED, sentence).verdict is exclaimed


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("[Duke] William of Normandy", "noble"), ("[Duke] William of ill", "names_too"),
        ("[Duke] Robert II", "noble"), ("[Duke] Robert iii", "names_too"),
        ("[Duke] of Norfolk", "noble"), ("[Duke] Ellington of Spain", "names_too"),
        ("[Duke] Ellington", "names_too"), ("Charles [Earl] Spencer, left", "names_too"),
        ("the [Earl] Spencer left", "noble"), ("the 9th [Earl] Spencer", "noble"),
        ("[God] bless", "deity"), ("[Iron] Man", "other_name"), ("[Baron] Cohen", "none"),
        ("the [Son] rose", "his_son"), ("a [Son] rose", "none"),
    ],
)  # fmt: skip
def test_a_title_of_nobility_is_told_from_a_name(sentence: str, rule: str) -> None:
    """By what stands before it, and by the place behind it."""
    assert rule_of(IN_NAME, sentence).name == f"things.{rule}"
