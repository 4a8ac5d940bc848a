"""Telling a term from the verb or the thing that is spelt like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.english.senses import (
    EXCLAIMED,
    HER,
    HIS,
    IN_NAME,
    IN_OTHER_NAME,
    IN_QUOTED_TITLE,
    IS_CALLED,
    IS_COMPARED,
    IS_NAMED,
    IS_ROYAL,
    TITLE,
    VERB,
)
from tests.reader.english.asking import every_word, holds, rule_of


@pytest.mark.parametrize(("sentence", "verb"), [
    ("to [host] a show", True),
    ("to [man] the booth", True),
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


PERSONS = [
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
]  # fmt: skip


def test_persons_are_told_by_their_neighbours() -> None:
    """A marked word is a person in a noun phrase of its own or as a title."""
    found = [(each, rule_of(LANGUAGE.person, each).verdict) for each, _ in PERSONS]
    assert found == PERSONS


@pytest.mark.parametrize(("sentence", "exclaimed"), [
    ("Oh, [boy].", True),
    ("oh [man] i forgot", True),
    ("[Man], that was close", True),
    ("[man] oh man", True),
    ("[Boy], was it hot", True),
    ("[Boy] was it hot", True),
    ("Come on, [man].", True),
    ("no, [man], no", True),
    ("thanks [dude]", True),
    ("what is this, [girl]?", True),
    ("love you [man]", True),
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
    """A call stands alone between commas, behind an interjection or before a question's verb."""
    assert rule_of(EXCLAIMED, sentence).verdict is exclaimed


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [("[Duke] William of Normandy", "noble"), ("[Duke] William of ill", "names_too"),
     ("[Duke] Robert II", "noble"), ("[Duke] Robert iii", "names_too"),
     ("[Duke] of Norfolk", "noble"), ("[Duke] Ellington of Spain", "names_too"),
     ("[Duke] Ellington", "names_too"), ("Charles [Earl] Spencer, left", "names_too"),
     ("the [Earl] Spencer left", "noble"), ("the 9th [Earl] Spencer", "noble"),
     ("[God] bless", "deity"), ("[Iron] Man", "other_name"), ("[Baron] Cohen", "none"),
     ("the [Son] rose", "his_son"), ("a [Son] rose", "none")],
)  # fmt: skip
def test_a_title_of_nobility_is_told_from_a_name(sentence: str, rule: str) -> None:
    """By what stands before it, and by the place behind it."""
    assert rule_of(IN_NAME, sentence).name == f"things.{rule}"


@pytest.mark.parametrize(
    ("sentence", "title"),
    [("[Miss] Smith", True), ("[Miss]. Smith", True), ("[miss] Smith", False),
     ("[Miss] smith", False),
     ("[Miss], Smith", False), ("[Miss]", False), ("[Miss] I", False),
     ("[Lady] of ill fame", False),
     ("[MISS] YOU", False), ("[MISS] SMITH", False), ("[MS]. SMITH", True), ("[MS] Society", False),
     ("[Miss] You", False), ("[King] Street", False),
     ("[Lady] de Vere", True), ("[Count] van der Berg", True), ("[Lady] de luxe", False)],
)  # fmt: skip
def test_titles_stand_before_a_capitalised_name(sentence: str, title: bool) -> None:
    """A title is capitalised and stands directly before a capitalised word."""
    assert rule_of(TITLE, sentence).verdict is title


@pytest.mark.parametrize(
    ("sentence", "goes"),
    [("[Queen] Nefertiti ruled", True), ("the [queen] Nefertiti", False),
     ("[King] Street", False), ("[Baron] Symons", False), ("The [Queen], Nefertiti", False)],
)  # fmt: skip
def test_royal_titles_go_with_first_names(sentence: str, goes: bool) -> None:
    """A royal title stands before a first name, a baron's before a surname."""
    assert holds(IS_ROYAL, sentence) is goes


@pytest.mark.parametrize("text", [
    'He saw "Girl with a Pearl Earring" twice.',
    "He read “The Old Man and the Sea”.",
    'He sang "Son of a Preacher Man".',
    'He likes "She\'s the Man" best.',
    "He read ``The Old Man and the Sea''.",
    "He read ''The Old Man and the Sea''.",
    "He read «The Old Man and the Sea».",
    "He read „The Old Man and the Sea“.",
    "He read 'The Old Man and the Sea' twice.",
    'He sang "She Bangs" there.',
    "He sang 'Mr Romantica' there.",
])  # fmt: skip
def test_a_title_stays(text: str) -> None:
    """The words of a title are left alone, those around it are not."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [text.replace("He ", "She ")]
    assert sum("title of a work" in term.reason for term in find_terms(text)) >= 1


@pytest.mark.parametrize("text", [
    '"The girl with the earring," he said.',
    '"Dear Miss Emma" she wrote.',
    '"Yes, the King," he said.',
    "'I said that John Brown was here,' said Mary.",
    '"GIRL OF THE YEAR" he read.',
    '"for the Queen" he said.',
    '"Girl" with a "Pearl Earring"',
])  # fmt: skip
def test_speech_and_names_are_no_title(text: str) -> None:
    """What has no small word between several capitals, or a comma, is no title."""
    assert not every_word(text).holds(IN_QUOTED_TITLE).any()


@given(st.lists(st.sampled_from(['"', "“", "”", "Girl", "of", "the", " ", "X", ",", "\n"])))
def test_any_text_is_judged(parts: list[str]) -> None:
    """The judgement never fails, wherever quotes stand, and a small word is never in a title."""
    found = every_word("".join(parts))
    held = found.holds(IN_QUOTED_TITLE)
    assert not (held & ~found.words.is_capital(found.places)).any()


@pytest.mark.parametrize(("sentence", "other"), [
    ("We like Iron [Man] a lot", True),
    ("We saw the Scissor [Sisters] there", True),
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
])  # fmt: skip
def test_titles_and_companies_are_seen(sentence: str, other: bool) -> None:
    """A capitalised term beside another capitalised word is part of another name."""
    assert holds(IN_OTHER_NAME, sentence) is other


@pytest.mark.parametrize("opening", ["Her", "Big of"])
def test_a_title_has_eleven_words_at_most(opening: str) -> None:
    """What is longer in quotes is speech."""
    for count in (2, 11, 12):
        words = opening.split()
        title = [*words, *["Big"] * max(1, count - len(words))]
        found = every_word(f'He read "{" ".join(title)}" now').holds(IN_QUOTED_TITLE)
        is_large = [word[0].isupper() for word in title]
        assert found.tolist()[2:-1] == (is_large if count < 12 else [False] * len(title))
        assert not found[[0, 1, -1]].any()


@pytest.mark.parametrize(
    ("sentence", "named"),
    [("at [Trinity] Church, he said", True), ("the [Rabbi] Hillel taught", True),
     ("a [Rabbi], Hillel taught", False), ("the [RABBI] Hillel taught", False),
     ("the [Rabbi] taught", False)],
)  # fmt: skip
def test_a_name_follows_directly(sentence: str, named: bool) -> None:
    """With a capital, and behind a space."""
    assert holds(IS_NAMED, sentence) is named


@pytest.mark.parametrize(
    ("sentence", "is_called"),
    [("Come, [Mother]! Now", True), ("Come, [Mother]? Now", True), ("[Mother], come", True),
     ("Yes, [Mother], I do", True), ("I saw [Mother] there", True), ("So, [mother]", True),
     ("told [father] so", True), ("as [father] so", False),
     ("her [Mother]! Now", False), ("[Mother] came", False), ("[Mother]; come", False),
     ("mother and [father], come", False), ("he and [Mother]! So", False),
     ("[Prince] of Spain ran", True), ("[prince] of Spain ran", False),
     ("[Prince] of it ran", False), ("[Queen] of Spain ran", False)],
)  # fmt: skip
def test_a_relative_is_called(sentence: str, is_called: bool) -> None:
    """As by a name, or hailed, or by a rank of some place."""
    assert holds(IS_CALLED, sentence) == is_called


@pytest.mark.parametrize(
    ("sentence", "is_compared"),
    [("than [women]", True), ("more than [women]", True), ("than those [women]", True),
     ("more than these most [women]", False), ("more [women]", False)],
)  # fmt: skip
def test_a_group_is_compared(sentence: str, is_compared: bool) -> None:
    """With one that is told at most two words before."""
    assert holds(IS_COMPARED, sentence) == is_compared


@pytest.mark.parametrize(("sentence", "determiner"), [
    ("[her] book", True),
    ("[her] “book”", True),
    ("[her] very own", True),
    ("[her] or his book", True),
    ("[her]/his book", True),
    ("[her]-story", True),
    ("saw [her]", False),
    ("saw [her].", False),
    ("saw [her], then", False),
    ("told [her] the truth", False),
    ("told [her] that", False),
    ("with [her] and me", False),
    ("[her]\n", False),
    ("found [her] dead", False),
])  # fmt: skip
def test_her_before_a_noun_is_a_determiner(sentence: str, determiner: bool) -> None:
    """Her is a determiner before a noun phrase and an object before anything else."""
    assert rule_of(HER, sentence).verdict == ("determiner" if determiner else "object")


@pytest.mark.parametrize(("sentence", "possessive"), [
    ("[his] book", False),
    ("[his] own", False),
    ("[his] or her book", False),
    ("[his]/her book", False),
    ("[his]", True),
    ("it is [his].", True),
    ("[his] is better", True),
    ("a friend of [his], too", True),
    ("My dog barks and [his] sleeps", True),
    ("[his] comes tomorrow", True),
    ("[his] never rings", True),
    ("[his] made me laugh", True),
    ("[his] are on the table", True),
    ("[his] leaves early", True),
    ("[his] works are famous", False),
    ("[his] would-be wife", False),
])  # fmt: skip
def test_his_without_a_noun_is_possessive(sentence: str, possessive: bool) -> None:
    """His is a determiner before a noun phrase and a possessive pronoun elsewhere."""
    assert rule_of(HIS, sentence).verdict == ("possessive" if possessive else "determiner")
