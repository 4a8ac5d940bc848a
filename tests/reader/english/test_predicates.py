"""Whether a demographic word is said of a person."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import IN_HEADLINE, is_person_noun
from fair_datasets.reader.english.predicates import IS_MOOD, IS_SAID_OF_PERSON, USED
from fair_datasets.reader.load import SENSE
from fair_datasets.reader.matching.conditions import deciding, in_columns
from fair_datasets.reader.matching.words import Candidates, Words
from tests.reader.english.asking import every_word, holds, rule_of


@pytest.mark.parametrize("text", [
    "she was Latina",
    "Is your dentist Hindu",
    "Isn't Mary Jewish",
    "They called her Irish",
    "it is hard to be gay",
    "she looks more white",
    "his sons say they are black",
    "came out as gay",
    "he is young and gay",
])  # fmt: skip
def test_the_last_word_is_said_of_a_person(text: str) -> None:
    """By a verb, a question or a naming verb."""
    assert every_word(text).holds(IS_SAID_OF_PERSON)[-1]


@pytest.mark.parametrize("text", [
    "it was black",
    "Is your car old",
    "Is Mary's wine white",
    "They called it gay",
    "his sons say the cars look fast and they are black",
    "dressed as black",
    "he trembled; he was white",
])  # fmt: skip
def test_the_last_word_is_said_of_a_thing(text: str) -> None:
    """Or that is in doubt."""
    assert not every_word(text).holds(IS_SAID_OF_PERSON)[-1]


@pytest.mark.parametrize("verb", ["she was", "Is Mary"])
@pytest.mark.parametrize("between", range(5, 9))
def test_a_verb_is_looked_for_seven_words_back(verb: str, between: int) -> None:
    """It is no further away in what people write."""
    found = every_word(f"{verb} {'young ' * between}gay").holds(IS_SAID_OF_PERSON)[-1]
    assert found == (between < 7)


@pytest.mark.parametrize(("sentence", "is_mood"), [
    ("he is truly [gay]", False),
    ("a [gay] and proud girl", False),
    ("[gay] about it", True),
    ("she is too [gay] for that quiet house of theirs beside the old mill and the river", True),
    ("she is [gay] and lives in that quiet house of theirs beside the old mill here", False),
])  # fmt: skip
def test_a_mood_is_told_by_its_neighbours(sentence: str, is_mood: bool) -> None:
    """By a degree, and by other moods."""
    assert holds(IS_MOOD, sentence) == is_mood


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and nothing is said of whom nothing stands before."""
    found = every_word(text)
    assert not found.holds(IS_SAID_OF_PERSON)[found.places == found.first].any()


ADJECTIVES = (
    "their [white] neighbours left", "the [elderly] bus driver", "[white] working-class voters",
    "[Black] and Latino students", "[young], gay men", "young, [gay] men",
    "a [white] middle-aged farmer", "a white [middle-aged] farmer", "an [Asian]-American actor",
    "an [African American] woman", "she was [Latina]", "he is [black].", "my boss is [gay]",
    "She's [Muslim].", "being [gay] is fine", "as a proud, openly [gay] man",
    "he turned out to be [straight].", "those who are [Asian]", "many identify as [bisexual]",
    "he came out as [gay] in 1999", "she looks [Asian].", "a [young] American in Paris",
    "a [white] bus driver", "an [elderly] taxi driver", "a [black] police officer",
    "an [Asian] rugby player", "a [Muslim] factory worker", "the man in the car was [white]",
    "a woman of [Asian] descent", "Is he [gay]?", "Mary is [black].", "Michelle Obama was [black].",
    "a [white] male, aged 20", "I'm not [gay].", "We are [old].", "[Old] Mr. Smith left",
    "they aren't [Muslim]", "two [Asian] and three white students", "[young] and old people alike",
    "a [gay] couple next door", "some [elderly] people sat down",
    "she met a [Muslim] lawyer yesterday", "an [Iranian] film director",
    "those [Hindu] families moved here", "my [Jewish] grandmother cooks",
    "a very [old] man sat there", "a tall, [black], bearded stranger",
    "a [Nigerian]-American novelist", "our [Mexican] neighbours' garden", "He isn't [white].",
    "I am [old] now.", "Everyone there was [Christian].", "my sister's boss is [straight]",
    "she never felt [American].", "He became [Catholic].", "a father of [Korean] descent",
    "an actress of mixed [African] and European ancestry", "'[white] dude in a hat'",
    "the bus was full of [young] voters", "a [bisexual] singer-songwriter",
    "his [Chinese] mother-in-law", "a [trans] woman spoke", "[Elderly] residents complained",
    "a newly [straight] roommate", "There is no proof that to me he was [Jewish]",
    "the choice of [African] Americans surprised us", "a former [Italian] prime minister",
    "a [young] child dressed in a shirt", "the [young] couple emerged into the light",
    "An elderly [Asian] couple pose with a baby.", "a [young] student complained.",
    "an [old] couple kissing", "a [Muslim] student lives in Leeds", "Is your dentist [Hindu]?",
    "Was the new teacher [Black] or white?", "Why is your son so [old]?",
    "Both of them looked [elderly].", "Most of the nurses are [Filipino].",
    "My parents are doctors and they are [white].", "They called him [gay].",
    "It is hard to be [Muslim] here.", "the [British] Prime Minister left",
    "an [American] film and television actor", "an [American] film, stage and voice actor",
    "a [gay] serial killer", "an [American] landscape painter", "a [young] aspiring singer",
    "a [British] model and retired actor", "a [Jewish] 'intellectual' spoke", "Are you [gay]?",
    "a [Christian] woman", "A [Greek] militant group claims it.",
)  # fmt: skip
SINGULARS = (
    "She met an [Asian].", "he married a [Latina]", "one [Muslim] spoke", "this [American] said so",
    "a young [American] in Paris", "every [American] knows that",
    "As an [African American], she agreed", "the [Latino] said nothing", "She's a [Canadian].",
    "another [Sikh], a doctor", "an [adult] and her son", "a heroic [Muslim].",
    "What [Christian] would do that?", "to convert a [Muslim], but fail",
)  # fmt: skip
PLURALS = (
    "the [whites] left", "two [Nigerians]", "many [Asians] live here", "the [elderly] are",
    "the [young] and the old", "the [British]", "care for the [elderly]", "the [French] love it",
    "whites and [blacks]", "the [Chinese] were invited", "These [Germans] sing", "most [Hispanics]",
    "help the very [old]", "We like [Italians].", "[Blacks] and whites marched",
    "the [Irish] drink it", "The [elderly] need better buses.", "The [Irish] drink tea.",
    "the poor and the [elderly]", "The [young] drive fast cars.", "The [elderly] complained.",
)  # fmt: skip
# What may stand between "of" and an origin, and behind it.
ORIGINS = (
    ("a man of{} [African] descent", " mixed", 4),
    ("a man of [African]{} descent", " Asian", 3),
)
NOT_ABOUT_PEOPLE = (
    "a glass of [white] wine", "the [black] market", "an [old] bridge", "some [Asian] food",
    "the [Indian] Ocean", "a [white] van driver", "the walls are [white]", "it was [black]",
    "The house is [old].", "a [straight] line", "go [straight] home", "go [straight] away",
    "he looked so [white]", "she was very [black]",
    "a [gay] bar", "an [Italian] restaurant", "[French] fries", "at [Young] & Co",
    "Mr. [White] left", "Jack [Black] is funny", "I like Barry [White].", "Neil [Young] sings",
    "the [White] House", "the [Black] Sea", "[Christian] Dior", "[White] walked in",
    "a [black] belt", "[white]-collar workers", "a [black]-clad man", "a [white]-haired lady",
    "a [gay]-friendly church", "non-[white] residents", "an [old]-fashioned man",
    "a 40-year-[old] man", "the wife's car was [white]", "he was [white] with rage",
    "he is ten years [old]", "my [old] friend", "the [old] and the new", "her [French] teacher",
    "the [whites] of his eyes", "she wore [white] and people stared",
    "an [Asian] and European tour", "the [American] and British governments",
    "[Black] Lives Matter", "they are [white]", "the egg [whites] were stiff",
    "his [English] is good", "an [English] teacher", "a [German] shepherd", "[old] school friends",
    "the [young] company", "a [straight] road", "her hair was [black]", "the tower is very [old]",
    "a pair of [black] and white photographs", "the [white] family home", "[Indian] summer",
    "a [French] film", "a [Latin] class", "how [old] is she", "She turned [white] with fear.",
    "it has been [white] ever since", "dressed in [black]", "he wore [white].",
    "the [gay] pride parade", "an anti-[gay] bill", "Dr. [Black] arrived", "Ann [Young], a baker",
    "lessons in [French] and German from her aunt", "a [German] hostage crisis",
    "an [old] socialist party", "the [old] commuter trains",
    "The [Irish] drink industry employs many.", "the [British] love story was sweet",
    "The [old] drive was long.", "The [old] painted wall fell.", "the [old] rose-trees",
    "The [Islamic] covering is forced.", "Is the bar [gay]?",
    "Is the man's house [old]?", "They call it [gay].",
    "The teachers bought cars and they are [white].",
    "a man, tall, [straight] and strong",
    "improving their [German], and more", "about [Russian] soul, and very romantic",
    "killed in [Afghan] 'insider attack'", "attack an [Islamic] militant base",
    "an [American] English textbook",
    "We fed the bays and the [blacks].", "The [whites] showed around his eyes.",
    "He looked [white].", "How [white] he was!", "[Black] Michael left.", "her [white] kid glove",
)  # fmt: skip


USES = {
    "adjective": ADJECTIVES, "singular": SINGULARS, "plural": PLURALS, "": NOT_ABOUT_PEOPLE
}  # fmt: skip


def test_how_a_word_is_used() -> None:
    """Before a person or said of one, for one or a group; things, names and idioms are left."""
    expected = {sentence: use for use, several in USES.items() for sentence in several}
    rules = [rule for rule in USED if rule.name != SENSE]
    assert {sentence: rule_of(rules, sentence).verdict for sentence in expected} == expected


@pytest.mark.parametrize(("sentence", "word", "most"), ORIGINS)
def test_an_origin_is_said_near_its_word(sentence: str, word: str, most: int) -> None:
    """Farther away it is another's."""
    found = [rule_of(USED, sentence.format(count * word)).verdict for count in range(most + 2)]
    assert found == ["adjective"] * (most + 1) + [""]


_WORDS = st.sampled_from(
    [
        "the",
        "a",
        "white",
        "old",
        "young",
        "Asian",
        "elderly",
        "British",
        "gay",
        "and",
        "or",
        "man",
        "people",
        "wine",
        "was",
        "is",
        "he",
        "it",
        "who",
        "in",
        "of",
        "Black",
        "'s",
        ",",
        ".",
        "-",
        "/",
        "&",
        "Mr",
        "Mary",
        "years",
        "bus",
        "driver",
        "whites",
        "as",
        "being",
    ]
)


def _uses(found: Candidates) -> list[str]:
    """Return how words are used."""
    return [str(use) for use in in_columns(USED).verdicts[deciding(USED, found)]]


@given(st.text() | st.lists(_WORDS, max_size=30).map(" ".join))
def test_any_text_has_a_use(text: str) -> None:
    """No text raises, whichever words and phrases are asked for."""
    found = every_word(text)
    _uses(found)
    pairs = found.places[:-1]
    _uses(Candidates(found.words, pairs, {}, pairs + 1))


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
    found, longer = every_word(near + "."), Words([f"{near}. {far}"])
    # A headline is told by the words on both sides, whatever stands between.
    assume(not found.holds(IN_HEADLINE).any())
    assert _uses(found) == _uses(Candidates(longer, found.places))


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
