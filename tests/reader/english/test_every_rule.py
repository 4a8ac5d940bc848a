"""Each rule of each table has a sentence that this very rule decides."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from fair_datasets.reader.english.age_reading import STAGES
from fair_datasets.reader.english.ages import RULES as AGES
from fair_datasets.reader.english.ages import YEARS_OLD
from fair_datasets.reader.english.names import RULES, SURNAME
from fair_datasets.reader.english.noun_phrases import GIRL, GIRLS, MALE, MISTRESS, MISTRESSES
from fair_datasets.reader.english.predicates import USED
from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.english.senses import EXCLAIMED, HER, HIS, IN_NAME, TITLE, VERB
from fair_datasets.reader.matching.conditions import ALWAYS, Rule, deciding
from fair_datasets.reader.matching.table import term_rules
from tests.reader.english.asking import FACTS, candidate, every_word, rule_of

TABLES: Mapping[str, Sequence[Rule[Any]]] = {
    "names": RULES, "surnames": SURNAME, "titles": TITLE, "verbs": VERB, "things": IN_NAME,
    "persons": LANGUAGE.person, "calls": EXCLAIMED, "her": HER, "his": HIS, "girl": GIRL,
    "girls": GIRLS, "mistress": MISTRESS, "mistresses": MISTRESSES, "male": MALE, "people": USED,
    "ages": YEARS_OLD, "stages": STAGES, "terms": term_rules(LANGUAGE),
}  # fmt: skip

# The table, the rule that decides, the sentence, and the facts of the word in brackets.
SENTENCES: Sequence[tuple[str, str, str, str]] = (
    ("persons", "senses.tagged", "The [king] ruled for twenty years", ""),
    ("persons", "senses.other", "the platelet [count]", ""),
    ("persons", "persons.name", "[Queen]'s songs", ""),
    ("persons", "persons.hyphenated", "a [king]-sized bed", ""),
    ("stages", "stages.name", "He sang Her [Girl] there", ""),
    ("stages", "stages.hyphen", "a work-[girl] came", ""),
    ("stages", "stages.hyphen", "a 23-year - [old] singer", ""),
    ("stages", "stages.degree", "He is too [young]", ""),
    ("stages", "stages.compared", "any [younger] man", ""),
    ("stages", "stages.compared", "He is [old] for his age", ""),
    ("stages", "stages.animal", "a [girl] rat", ""),
    ("stages", "stages.for_them", "the [kids] show", ""),
    ("stages", "stages.for_them", "a [girls] night", ""),
    ("stages", "stages.for_them", "a [children] 's novel", ""),
    ("stages", "stages.no_child", "a [girl] sang", ""),
    ("stages", "kin.owner", "her two [children] left", ""),
    ("stages", "stages.relative", "their [young] son", ""),
    ("stages", "stages.relative", "an [infant] prince", ""),
    ("stages", "kin.family", "one of the Johnson [children] came", ""),
    ("stages", "kin.which", "the eldest [child] left", ""),
    ("stages", "kin.number", "one of two [children]", ""),
    ("stages", "kin.having", "They raised two [kids]", ""),
    ("stages", "kin.with", "married with two [kids]", ""),
    ("stages", "kin.joined", "a husband and three [kids]", ""),
    ("stages", "kin.women", "women and [children] left", ""),
    ("stages", "kin.everyone", "every man, woman, and [child]", ""),
    ("stages", "kin.joined_behind", "[children] and their parents", ""),
    ("stages", "kin.their_parents", "the [child]'s mother", ""),
    ("stages", "kin.none", "a [child] sang", ""),
    ("names", "names.without_capitals", "[mary] left", "without_capitals"),
    ("names", "names.small", "[john] left", "man"),
    ("names", "names.written_otherwise", "[Jean]-Luc left", "man"),
    ("names", "names.other_name", "[Thomas] Street is long", "man"),
    ("names", "names.longer_name", "[Simon] Fraser University", "man"),
    ("names", "names.verse", "[John] 3:16", "man"),
    ("names", "names.brand", "[Wendy]'s burgers", "woman"),
    ("names", "names.firm", "[Bradley], LLC, sold it", "man"),
    ("names", "names.was_surname", "Ed Bradley sang. [Bradley]'s legacy lives.", "man"),
    ("names", "names.relation", "my uncle [Mark] left", "man word"),
    ("names", "names.venerated", "the prophet [Moses] spoke", "man"),
    ("names", "names.article", "a [Tony] for the score", "man"),
    ("names", "names.title_of_man", "Sir [John] left", "man"),
    ("names", "names.title_of_other", "Sir [Mary] left", "woman"),
    ("names", "names.title_of_woman", "Dame [Mary] left", "woman"),
    ("names", "names.title_of_another", "Dame [Russell] left", "man"),
    ("names", "names.full_name", "Mr. [James] Brown left", "man"),
    ("names", "names.titled_surname", "Mr. [James] called", "man"),
    ("names", "names.place", "San [Antonio] is warm", "man"),
    ("names", "names.double_name", "Emily [Scott] Brown left", "man follows_a_name"),
    ("names", "names.second_name", "Emily [Ann] said so", "woman follows_a_name"),
    ("names", "names.behind_name", "Emily [Scott] said so", "man follows_a_name"),
    ("names", "names.behind_capital", "Bayard [Rustin] spoke", "man"),
    ("names", "names.unmarked", "[John] left", "man"),
    ("names", "names.date", "It was [April] 5.", "woman proper"),
    ("names", "names.with_surname", "[Mark] Smith left", "man word"),
    ("names", "names.acts", "[Mark] said so", "man word"),
    ("names", "names.referred_to", "[Hope] is late, but she called", "woman word"),
    ("names", "names.inside", "I saw [Mark]", "man word"),
    ("names", "names.verb", "[Mark] it", "man word"),
    ("names", "names.unsure", "[Mark] left", "man word"),
    ("surnames", "surnames.titled", "Mr. [Prince] left", ""),
    ("surnames", "surnames.full_name", "Debra [Monk] acted", ""),
    ("surnames", "surnames.none", "The [Monk] left", ""),
    ("titles", "titles.ordinal", "the fifth [Lord] died", ""),
    ("titles", "titles.before_name", "[Miss] Smith left", ""),
    ("titles", "titles.none", "[Miss], Smith", ""),
    ("verbs", "verbs.form", "she [fathered] it", ""),
    ("verbs", "verbs.to_noun", "talked to [mother] and left", ""),
    ("verbs", "verbs.before_verb", "they will [host] it", ""),
    ("verbs", "verbs.third_person", "she [hosts] the show", ""),
    ("verbs", "verbs.with_object", "[man] the barricades", ""),
    ("verbs", "verbs.noun", "my young [host] left", ""),
    ("things", "things.deity", "the [Lord] said so", ""),
    ("things", "things.titled", "[Lord] Smith left", ""),
    ("things", "things.his_son", "his [Son] left", ""),
    ("things", "things.names_too", "[Earl] Hines played", ""),
    ("things", "things.noble", "the [Earl] of March", ""),
    ("things", "things.other_name", "an Iron [Man] suit", ""),
    ("things", "things.none", "The [Woman] left", ""),
    ("persons", "persons.abbreviation", "a 5 [gal] bucket", ""),
    ("persons", "persons.by_default", "a [man] said so", ""),
    ("persons", "persons.call", "Oh [man]!", ""),
    ("persons", "persons.in_name", "an Iron [Man] suit", ""),
    ("persons", "persons.thing", "a [sister] company", ""),
    ("persons", "persons.game", "the [queen] of spades", ""),
    ("persons", "persons.address", "you [guys] left", ""),
    ("his", "his.subject", "[His] leaves early", ""),
    ("terms", "terms.deity", "God knows what [He] does", "pronoun"),
    ("girl", "grown.child", "a [girl] of 5", ""), ("girl", "grown.open", "a [girl] left", ""),
    ("girls", "grown.child", "the little [girls] left", ""),
    ("girls", "grown.open", "the [girls] left", ""),
    ("mistress", "mistress.love", "his wife and his [mistress]", ""),
    ("mistress", "mistress.whose", "his [mistress] left", ""),
    ("mistress", "mistress.other", "her [mistress] sent her", ""),
    ("mistresses", "mistress.love", "the [mistresses] and the wives", ""),
    ("mistresses", "mistress.whose", "his [mistresses] left", ""),
    ("mistresses", "mistress.other", "the [mistresses] and their maids", ""),
    ("male", "male.noun", "a 49-year-old [male], who fell", ""),
    ("male", "male.adjective", "a [male] nurse", ""),
    ("calls", "calls.opening", "[Man], that was close", ""),
    ("calls", "calls.interjection", "Oh, [boy].", ""),
    ("calls", "calls.behind_comma", "Come on, [man].", ""),
    ("calls", "calls.inverted", "[Boy] was it hot", ""),
    ("calls", "calls.inverted", "We came, and [boy], was it hot", ""),
    ("calls", "calls.greeting", "love you [man]", ""), ("calls", "calls.none", "I saw a [man]", ""),
    ("her", "her.time", "Call on [her] tomorrow", ""), ("her", "her.in_list", "she/[her]", ""),
    ("her", "model.her", "This is [her] book.", ""), ("her", "model.her", "I saw [her].", ""),
    ("his", "his.in_list", "he/him/[his]", ""), ("his", "his.or_mine", "is it [his] or mine", ""),
    ("his", "his.clause", "It was [his] that broke", ""), ("his", "his.ends", "it is [his].", ""),
    ("his", "model.his", "a friend of [his] told me", ""), ("his", "model.his", "[his] book", ""),
    ("people", "people.other_word", "[white]-collar workers", ""),
    ("people", "people.name", "Mr. [White] left", ""),
    ("people", "people.plural", "the [whites] left", ""),
    ("people", "people.before_noun", "their [white] neighbours left", ""),
    ("people", "people.origin", "a woman of [Asian] descent", ""),
    ("people", "people.said", "he is [black].", ""),
    ("people", "people.group", "care for the [elderly]", ""),
    ("people", "people.singular", "She met an [Asian].", ""),
    ("people", "senses.tagged", "an [Irish] comic book writer left", ""),
    ("people", "people.other", "it was [black]", ""),
    ("ages", "ages.no_count", "this [year] was good", ""),
    ("ages", "ages.of_age", "He was forty [years] of age.", ""),
    ("ages", "ages.not_old", "40 [years] ago", ""),
    ("ages", "ages.olds", "the 5-[year]-olds sing", ""),
    ("ages", "ages.old_person", "a 40-[year]-old woman", ""),
    ("ages", "ages.goes_on", "a 12-[year]-old whisky", ""),
    ("ages", "ages.year_old", "A 40-[year]-old was arrested.", ""),
    ("ages", "ages.years_old", "She is 40 [years] old.", ""),
    ("ages", "ages.of_thing", "The house is 40 [years] old.", ""),
    ("terms", "terms.in_name", "[Islam] Karimov won", "surname"),
    ("terms", "terms.age_tag", "the [F16] flew", "age_tag"),
    ("terms", "terms.hyphenated", "a [he]-man", "pronoun"),
    ("terms", "terms.pronoun", "[he] left", "pronoun"),
    ("terms", "terms.small", "my [moor] is wet", "capitalised"),
    ("terms", "terms.surname", "Debra [Monk] acted", ""),
    ("terms", "terms.with_name", "[Queen] Nefertiti ruled", "before_unread_name"),
    ("terms", "terms.no_title", "they [miss] it", "title"),
    ("terms", "terms.verb", "she [hosts] the show", "verb"),
    ("terms", "terms.thing", "the platelet [count]", "thing"),
    ("terms", "terms.person", "a [king] said so", "thing"),
    ("terms", "terms.no_verb", "the [host] said", "verb"),
    ("terms", "terms.title", "[Miss] Smith left", "title"),
    ("terms", "terms.listed", "the [woman] left", ""),
)  # fmt: skip


def _facts(told: str) -> list[str]:
    return [fact.replace("_", " ") for fact in told.split()]


def test_a_rule_decides_of_its_sentence() -> None:
    """No rule before it holds, and it does."""
    decided = [(rule_of(TABLES[table], sentence, *_facts(told)).name, sentence)
               for table, _, sentence, told in SENTENCES]  # fmt: skip
    assert decided == [(name, sentence) for _, name, sentence, _ in SENTENCES]


@pytest.mark.parametrize("table", TABLES)
def test_each_rule_has_a_sentence(table: str) -> None:
    """A rule that decides of no sentence here is dead, or is to be given one."""
    decided = {
        int(deciding(TABLES[table], candidate(sentence, *_facts(told)))[0])
        for of, _, sentence, told in SENTENCES
        if of == table
    }
    names = [rule.name for number, rule in enumerate(TABLES[table]) if number not in decided]
    assert names == []


@pytest.mark.parametrize("rules", [*TABLES.values(), AGES], ids=[*TABLES, "all ages"])
def test_each_rule_has_one_reason_or_asks_a_table_that_has(rules: Sequence[Rule[Any]]) -> None:
    """Rules of one name differ in their verdicts alone; a reason is a part of a sentence."""
    assert all(bool(rule.reason) != bool(rule.asks) for rule in rules)
    assert len({(rule.name, rule.reason) for rule in rules}) == len({rule.name for rule in rules})
    assert not [rule.reason for rule in rules if rule.reason.endswith(".") or len(rule.reason) > 72]


@pytest.mark.parametrize("table", TABLES)
def test_the_last_rule_of_a_table_holds_always(table: str) -> None:
    """So that one decides of every word."""
    assert TABLES[table][-1].condition is ALWAYS


@pytest.mark.parametrize("table", TABLES)
def test_a_word_is_decided_alike_alone_and_among_others(table: str) -> None:
    """Whatever else is asked at once."""
    rules = TABLES[table]
    texts = [
        sentence.replace("[", "").replace("]", "")
        for number, (own, _, sentence, _) in enumerate(SENTENCES)
        if own == table or number % 4 == 0
    ]
    for facts in ((), FACTS):
        together = deciding(rules, every_word(*texts, facts=facts))
        alone = [deciding(rules, every_word(text, facts=facts)) for text in texts]
        assert together.tolist() == np.concatenate(alone).tolist()
