"""First names in context."""

import pytest

from fair_datasets.english.names import RULES
from tests.english.asking import rule_of


@pytest.mark.parametrize(
    ("sentence", "flags", "verdict"),
    [
        ("[John] left", "", "ACCEPT"),
        ("[Bradley] Scott, PLLC", "", "REJECT"),
        ("[Bradley] Scott and Sons", "", "REJECT"),
        ("[Bradley] and his sons", "", "ACCEPT"),
        ("[Glenwood] Springs, CO", "", "REJECT"),
        ("[Boston] Marathon", "place", "REJECT"),
        ("[Will] Smith stayed", "word", "ACCEPT"),
        ("St. Paul and [Alexandria]", "place", "UNSURE"),
        ("I believe in [Emma]", "", "ACCEPT"),
        ("in [Emma]'s house", "", "ACCEPT"),
        ("Thank You [Cody]", "", "ACCEPT"),
        ("Good Afternoon [Cody]", "", "ACCEPT"),
        ("President [George] W Bush", "", "ACCEPT"),
        ("[Mark] E Haedicke left", "word", "ACCEPT"),
        ("[Alberta] Transmission is late", "place", "UNSURE"),
        ("Kathy and [Stewart] left", "surname", "UNSURE"),
        ("[Austin] and Nick Clegg", "place", "UNSURE"),
        ("I WILL NEVER [MARK] IT", "word", "UNSURE"),
        ("[Vic] police say so", "", "UNSURE"),
        ("we ate at [Wendy] s", "", "REJECT"),
        ("[john] left", "", "REJECT"),
        ("[JOHN] LEFT", "", "ACCEPT"),
        ("the [ERIC] database", "", "REJECT"),
        ("[JoHn]", "", "REJECT"),
        ("[Jean]-Luc", "", "REJECT"),
        ("St. [John]", "", "REJECT"),
        ("San [Antonio]", "", "REJECT"),
        ("[Thomas] Street", "", "REJECT"),
        ("the prophet [Moses]", "", "REJECT"),
        ("Mr. [James] called", "", "REJECT"),
        ("Mr. [James] Brown", "", "ACCEPT"),
        ("Uncle [John]", "", "ACCEPT"),
        ("Lady [Russell]", "", "REJECT"),
        ("met Priyanka [Thomas]", "", "REJECT"),
        ("[Mark] it", "word", "REJECT"),
        ("[Mark] Smith", "word", "ACCEPT"),
        ("I saw [Mark]", "word", "ACCEPT"),
        ("[Mark] left", "word", "UNSURE"),
        ("[MARK] LEFT", "word", "UNSURE"),
        ("I like [Austin]", "place", "UNSURE"),
        ("[Austin] Smith", "place", "ACCEPT"),
        ("uncle [Mark]", "word", "ACCEPT"),
        ("Uncle [Mark]", "word", "ACCEPT"),
        ("J. [Edgar] Hoover", "", "ACCEPT"),
        ("CHAPTER V. [Anne] left", "", "ACCEPT"),
        ("Kelly [Clark] left", "", "REJECT"),
        ("Bayard [Rustin] spoke", "", "REJECT"),
        ("Yesterday [John] left", "", "ACCEPT"),
        ("Wow [John] left", "", "ACCEPT"),
        ("[Bill] de Blasio left", "word", "ACCEPT"),
        ("by the [Grace] of God", "word", "REJECT"),
        ("a [Tony] for the score", "", "REJECT"),
        ("the [Mark] Taylor I know", "word", "ACCEPT"),
        ("The [Virginia] Mavericks lost", "place", "REJECT"),
        ("[Virginia] Tech won", "place", "REJECT"),
        ("from [Virginia] Woolf", "place", "ACCEPT"),
        ("my sister [Charlotte] left", "place", "ACCEPT"),
        ("my buddy [Charlotte] left", "place", "ACCEPT"),
        ("Hurricane [Sophia] came", "", "REJECT"),
        ("[Simon] Fraser University", "", "REJECT"),
        ("the [Nancy] Drew series", "", "REJECT"),
        ("[John] 3:16", "", "REJECT"),
        ("the Book of [Daniel]", "", "REJECT"),
        ("ate at [Wendy]'s.", "", "REJECT"),
        ("[Wendy]'s burgers", "", "REJECT"),
        ("[Wendy]'s mother", "", "ACCEPT"),
        ("[Ben] & Jerry's is full", "", "REJECT"),
        ("Ben & [Jerry]'s is full", "", "REJECT"),
        ("Laura & [Bridget]'s day", "", "ACCEPT"),
        ("the Younger–[James] Gang", "", "REJECT"),
        ("[Richard]-", "", "ACCEPT"),
        ("[Hope] is gone", "word", "UNSURE"),
        ("[Hope] is late, but he said so", "word", "SURE"),
        ("[April] 5", "proper", "REJECT"),
    ],
)
def test_names_are_judged_by_their_neighbours(sentence: str, flags: str, verdict: str) -> None:
    """A name is accepted, left open or rejected by what stands around it."""
    assert rule_of(RULES, sentence, "man", *flags.split()).verdict.name == verdict


@pytest.mark.parametrize(
    ("sentence", "flags", "verdict"),
    [
        ("Emily [Scott] said", "", "REJECT"),
        ("Emily [Scott] Brown", "", "ACCEPT"),
        ("Emily [Ann] said", "", "ACCEPT"),
        ("Emily [Madison] Center", "place", "REJECT"),
        ("Emily [Harrison] Collection", "surname", "REJECT"),
        ("I met Buddy [Holly]", "", "REJECT"),
    ],
)
def test_a_name_behind_a_name_is_a_surname(sentence: str, flags: str, verdict: str) -> None:
    """Behind a first name stands a surname, unless another one follows or it is a second name."""
    told = ("man", "follows a name", *flags.split())
    assert rule_of(RULES, sentence, *told).verdict.name == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("It honours Ed Bradley. [Bradley]'s legacy lives.", "REJECT"),
        ("When Bradley sang, [Bradley]'s friends left.", "ACCEPT"),
        ("Miss Bradley sang. [Bradley]'s friends left.", "ACCEPT"),
    ],
)
def test_a_name_that_was_a_surname_stays_one(sentence: str, verdict: str) -> None:
    """A name alone is a surname if it stood behind a first name shortly before."""
    assert rule_of(RULES, sentence, "man").verdict.name == verdict
