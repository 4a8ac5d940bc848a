"""What rules, conditions and places answer about a word, and a sentence for each rule."""

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.reader.english.age_reading import STAGES
from fair_datasets.reader.english.ages import BARE, YEARS_OLD
from fair_datasets.reader.english.ages import RULES as AGES
from fair_datasets.reader.english.joined_verbs import verbs_of
from fair_datasets.reader.english.names import IS_BRAND, IS_FIRM, RULES, SURNAME
from fair_datasets.reader.english.neighbours import (
    FOLLOWER,
    HAS_DETERMINER,
    HERE,
    NEXT_IN_PHRASE,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
    everyday,
)
from fair_datasets.reader.english.noun_phrases import (
    GIRL,
    GIRLS,
    MALE,
    MISTRESS,
    MISTRESSES,
    ends_at_person,
    head_of_subject,
    opens_predicate,
)
from fair_datasets.reader.english.predications import DESCRIBES_PERSON, IS_MOOD, USED
from fair_datasets.reader.english.questions import LANGUAGE
from fair_datasets.reader.english.senses import (
    EXCLAIMED,
    HER,
    HIS,
    IN_NAME,
    IN_OTHER_NAME,
    IS_CALLED,
    IS_COMPARED,
    IS_NAMED,
    IS_ROYAL,
    TITLE,
    VERB,
)
from fair_datasets.reader.load import SENSE
from fair_datasets.reader.matching.predicates import ALWAYS, Rule, first_matching_rule
from fair_datasets.reader.matching.table import term_rules
from fair_datasets.reader.matching.token_refs import IS_ALONE, IS_CLEAR
from fair_datasets.reader.matching.tokenizer import tokenize
from tests.reader.english.asking import FACTS, candidate, every_word, holds, rule_of, word_at

TABLES: Mapping[str, Sequence[Rule[Any]]] = {
    "names": RULES, "surnames": SURNAME, "titles": TITLE, "verbs": VERB, "things": IN_NAME,
    "persons": LANGUAGE.person, "calls": EXCLAIMED, "her": HER, "his": HIS, "girl": GIRL,
    "girls": GIRLS, "mistress": MISTRESS, "mistresses": MISTRESSES, "male": MALE, "people": USED,
    "ages": YEARS_OLD, "stages": STAGES, "terms": term_rules(LANGUAGE),
}  # fmt: skip
WITHOUT_TAGS = [rule for rule in USED if rule.name != SENSE]
CONDITIONS = {
    "is a firm": IS_FIRM, "is a brand": IS_BRAND, "is royal": IS_ROYAL, "is named": IS_NAMED,
    "is in another name": IN_OTHER_NAME, "is called": IS_CALLED, "is compared": IS_COMPARED,
    "is a mood": IS_MOOD, "is said of a person": DESCRIBES_PERSON, "is an age": BARE,
    "has a determiner": HAS_DETERMINER, "is in capitals": HERE.is_upper,
    "is an everyday word": everyday(HERE), "ends at a person": ends_at_person(HERE),
    "opens a predicate behind": opens_predicate(HERE + 1),
    "is alone": IS_ALONE, "is clear": IS_CLEAR, "opens a sentence": OPENS_SENTENCE,
}  # fmt: skip
PLACES = {"word before": WORD_BEFORE, "word behind": WORD_BEHIND, "follower": FOLLOWER,
          "next in phrase": NEXT_IN_PHRASE,
          "head of the subject": head_of_subject(HERE)}  # fmt: skip

# The table, condition or place that is asked about the word in brackets, with the facts of the
# word; and the rule that decides, what it decides, whether the condition holds, or the word there.
with Path(__file__).with_name("answers.tsv").open(encoding="utf-8") as file:
    ANSWERS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _answer(row: Mapping[str, str]) -> str:
    asked, sentence = row["asked"], row["sentence"].replace("\\n", "\n")
    if asked in CONDITIONS:
        return str(holds(CONDITIONS[asked], sentence))
    if asked == "verbs of":
        tokens = tokenize(re.sub(r"[\[\]]", "", sentence))
        index = tokens.starts.index(sentence.index("["))
        return " ".join(tokens.words[place] for place in verbs_of(tokens, index))
    if asked in PLACES:
        return word_at(PLACES[asked], sentence)
    rule = rule_of(TABLES.get(asked, WITHOUT_TAGS), sentence, *_facts(row["facts"]))
    if "." in row["answer"]:
        return rule.name
    return str(getattr(rule.verdict, "name", rule.verdict))


def _facts(told: str) -> list[str]:
    return [fact.replace("_", " ") for fact in told.split()]


def test_each_sentence_has_its_answer() -> None:
    """No rule before the one that is named holds, and it does."""
    assert [{**row, "answer": _answer(row)} for row in ANSWERS] == ANSWERS


@pytest.mark.parametrize("table", TABLES)
def test_each_rule_has_a_sentence(table: str) -> None:
    """A rule that decides of no sentence here is dead, or is to be given one."""
    decided = {
        int(
            first_matching_rule(TABLES[table], candidate(row["sentence"], *_facts(row["facts"])))[0]
        )
        for row in ANSWERS
        if row["asked"] == table
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
        row["sentence"].replace("[", "").replace("]", "")
        for number, row in enumerate(ANSWERS)
        if row["asked"] == table or number % 9 == 0
    ]
    for facts in ((), FACTS):
        together = first_matching_rule(rules, every_word(*texts, facts=facts))
        alone = [first_matching_rule(rules, every_word(text, facts=facts)) for text in texts]
        assert together.tolist() == np.concatenate(alone).tolist()
