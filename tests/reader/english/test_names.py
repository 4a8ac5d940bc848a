"""First names in context."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.lexicons import available_lexicons
from fair_datasets.reader.english.names import IS_BRAND, IS_FIRM, IS_IN_NAME, RULES, SURNAME
from fair_datasets.reader.matching.conditions import says
from fair_datasets.reader.matching.found import Reason
from tests.reader.english.asking import every_word, holds, rule_of

JUDGED = [
    ("[John] left", "", "ACCEPT"),
    ("[Bradley] Scott, LLC", "", "REJECT"),
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
    ("[China] said so", "place", "UNSURE"),
    ("[April] 5", "proper", "REJECT"),
]  # fmt: skip


def test_names_are_judged_by_their_neighbours() -> None:
    """A name is accepted, left open or rejected by what stands around it."""
    found = [(sentence, flags, rule_of(RULES, sentence, "man", *flags.split()).verdict.name)
             for sentence, flags, _ in JUDGED]  # fmt: skip
    assert found == JUDGED


@pytest.mark.parametrize(("sentence", "flags", "verdict"), [
    ("Emily [Scott] said", "", "REJECT"),
    ("Emily [Scott] Brown", "", "ACCEPT"),
    ("Emily [Ann] said", "", "ACCEPT"),
    ("Emily [Madison] Center", "place", "REJECT"),
    ("Emily [Harrison] Collection", "surname", "REJECT"),
    ("I met Buddy [Holly]", "", "REJECT"),
])  # fmt: skip
def test_a_name_behind_a_name_is_a_surname(sentence: str, flags: str, verdict: str) -> None:
    """Behind a first name stands a surname, unless another one follows or it is a second name."""
    told = ("man", "follows a name", *flags.split())
    assert rule_of(RULES, sentence, *told).verdict.name == verdict


@pytest.mark.parametrize(("sentence", "verdict"), [
    ("It honours Ed Bradley. [Bradley]'s legacy lives.", "REJECT"),
    ("When Bradley sang, [Bradley]'s friends left.", "ACCEPT"),
    ("Miss Bradley sang. [Bradley]'s friends left.", "ACCEPT"),
])  # fmt: skip
def test_a_name_that_was_a_surname_stays_one(sentence: str, verdict: str) -> None:
    """A name alone is a surname if it stood behind a first name shortly before."""
    assert rule_of(RULES, sentence, "man").verdict.name == verdict


@pytest.mark.parametrize(("sentence", "is_firm"), [
    ("[Bradley], LLC", True),
    ("[Bradley] Inc.", True),
    ("[Bradley] & Sons", True),
    ("[Bradley] and Sons", True),
    ("[Bradley] and sons", False),
    ("[Bradley] Scott, LLC", True),
    ("[Bradley] Scott & Associates", True),
    ("[Bradley] Scott and Sons", True),
    ("[Bradley] saw Scott & Sons", False),
    ("[Bradley]. Sons left", False),
])  # fmt: skip
def test_firms_are_told_by_partners_and_legal_forms(sentence: str, is_firm: bool) -> None:
    """They stand behind the name or behind the surname."""
    assert holds(IS_FIRM, sentence) is is_firm


@pytest.mark.parametrize(("sentence", "is_brand"), [
    ("[Wendy]'s burgers", True),
    ("[Wendy] s burgers", True),
    ("[Wendy]'s mother", False),
])  # fmt: skip
def test_brands_are_told_by_their_goods(sentence: str, is_brand: bool) -> None:
    """A good stands behind a possessive that may have lost its sign."""
    assert holds(IS_BRAND, sentence) is is_brand


@pytest.mark.parametrize(("sentence", "rule"), [
    ("Ed Bradley sang. [Bradley]'s legacy lives.", "names.was_surname"),
    ("[Bradley]'s legacy lives. Ed Bradley sang.", "names.was_surname"),
    ("Robert E. Bradley sang. [Bradley] left.", "names.was_surname"),
    ("Emily Ann left. [Ann] slept.", "names.unmarked"),
    ("Director Bradley sang. [Bradley] left.", "names.unmarked"),
    ("Ed Bradley sang. " + "It was late. " * 80 + "[Bradley] left.", "names.unmarked"),
])  # fmt: skip
def test_a_surname_is_known_by_another_mention(sentence: str, rule: str) -> None:
    """A word that stands behind a first name nearby is a surname where it stands alone."""
    assert rule_of(RULES, sentence, "man").name == rule


def _swapped(text: str, axis: str, target: str | None = None) -> str:
    swap = CounterfactualSwap(columns="text", axis=axis, target=target, mode="replace")
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize(("axis", "target", "text"), [
    ("religion", "hindu", "Umar Islam was tried."),
    ("religion", "hindu", "Then Umar Farouk Islam left."),
    ("religion", "hindu", "UMAR ISLAM"),
    ("religion", "hindu", "Court Says Umar Islam Is Guilty Of A Plot"),
    ("religion", "hindu", "Zainab Islam's house is old."),
    ("religion", "hindu", "Saidul Islam said so."),
    ("religion", "hindu", "a song by Kazi Nazrul Islam"),
    ("religion", "hindu", "Islam Karimov won."),
    ("religion", "hindu", "Emily Church writes."),
    ("religion", "hindu", "In 1990, Vikram Pandit was chosen."),
    ("religion", "hindu", "I met Jack Priest."),
    ("religion", "hindu", "Mary Christian said so."),
    ("nationality", "kenyan", "Claire Danes acted."),
    ("nationality", "kenyan", "Todd English and Dawn French cook."),
    ("nationality", "kenyan", "Neil Finn sang to Ruby Turk."),
    ("race", "asian", "Jack Black and Betty White laugh."),
    ("race", "asian", "Mr. White and Gordon Brown left."),
    ("age", "senior", "Lee Child and Mark Child write."),
    ("age", "child", "Neil Young and Loretta Young sing."),
])  # fmt: skip
def test_a_surname_stays(axis: str, target: str, text: str) -> None:
    """A term behind a first name is the surname, whatever the axis."""
    assert _swapped(text, axis, target) == text
    assert not any(term.attribute for term in find_terms(text, axis))


@pytest.mark.parametrize(("axis", "target", "text", "swapped"), [
    ("religion", "hindu", "Early Islam is old.", "Early Hinduism is old."),
    ("religion", "hindu", "They ban Islam. Ban Islam!", "They ban Hinduism. Ban Hinduism!"),
    ("religion", "hindu", "Radical Islam is new.", "Radical Hinduism is new."),
    ("religion", "hindu", "Does Islam say so?", "Does Hinduism say so?"),
    ("nationality", "kenyan", "The Danes left.", "The Kenyans left."),
])  # fmt: skip
def test_a_term_that_is_no_surname_is_rewritten(
    axis: str, target: str, text: str, swapped: str
) -> None:
    """A capital before a term alone makes no name of it."""
    assert _swapped(text, axis, target) == swapped


@pytest.mark.parametrize(("name", "rest"), [
    ("Debra", "Monk acted."),
    ("Adrian", "Monk and Tina Abbot"),
    ("Art", "Monk scored."),
    ("George", "Foreman fought."),
    ("Carole", "King sang."),
])  # fmt: skip
def test_the_surname_stays_where_the_first_name_is_swapped(name: str, rest: str) -> None:
    """A person of another gender has the same surname."""
    text = f"{name} {rest}"
    after = _swapped(text, "gender")
    first, surname = rest.split(" ")[0], after.split(" ")[1]
    assert (first, after != text) == (surname, True)


@pytest.mark.parametrize(("text", "title"), [
    ("So Anne Mrs. Lynde left.", "Mr."),
    ("We saw Eliza Countess of Gaverick.", "Earl of"),
    ("I miss Bridget Lady Gaverick.", "Lord"),
])  # fmt: skip
def test_a_title_behind_a_first_name_is_one(text: str, title: str) -> None:
    """A title goes on before another name, or with its place."""
    assert f" {title} " in _swapped(text, "gender")


def test_the_reason_is_told() -> None:
    """A surname is listed with the reason."""
    [found] = find_terms("Umar Islam left.", "religion")
    assert (found.text, found.reason) == ("Islam", Reason.SURNAME.value)


WORDS = st.sampled_from(["Mary", "Jack", "Islam", "St.", "Mr.", "of", "Lady", "-", ",", "\n", "İ"])


@settings(deadline=None)
@given(st.lists(WORDS).map(" ".join))
def test_any_word_is_judged(text: str) -> None:
    """The judgement never fails, at no edge of the text; no surname is its first word."""
    found = every_word(text)
    is_surname = found.holds(says(SURNAME))
    assert not is_surname[found.places == found.first].any()
    assert found.holds(IS_IN_NAME).shape == is_surname.shape


@pytest.mark.parametrize("axis", available_lexicons())
def test_a_word_in_a_headline_is_no_first_name(axis: str) -> None:
    """Where all words are capitalised, a capital makes no name of a word."""
    text = "We Saw Will Women Muslims Whites Danes Teenagers Lesbians Today In Town"
    reasons = {term.reason for term in find_terms(text, axis, names=False)}
    assert Reason.SURNAME.value not in reasons
