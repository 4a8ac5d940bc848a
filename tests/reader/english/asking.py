"""Asking rules and conditions about one word of a sentence, which stands in brackets."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from fair_datasets.reader.matching.predicates import Predicate, Rule, first_matching_rule
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.matching.vocabulary import vocabulary

Verdict = TypeVar("Verdict")

FACTS = (
    *("word", "place", "proper", "surname", "man", "woman", "follows a name"),
    *("pronoun", "capitalised", "title", "verb", "thing"),
    *("before unread name", "age tag", "without capitals"),
)


def candidate(sentence: str, *facts: str) -> Candidates:
    """Return the words in brackets as one candidate, of which some facts hold and no others."""
    before, rest = sentence.split("[")
    term, after = rest.split("]")
    # What is asked about is a word of some table, which the vocabulary knows.
    vocabulary().add(tokenize(term).lower)
    words = TokenBatch([before + term + after])
    first = int(np.flatnonzero(words.start == len(before))[0])
    last = int(np.flatnonzero(~words.is_end & (words.end == len(before + term)))[0])
    assert set(facts) <= set(FACTS)
    told = {name: np.array([name in facts]) for name in FACTS}
    return Candidates(words, np.array([first]), told, np.array([last]))


def every_word(*texts: str, facts: Sequence[str] = ()) -> Candidates:
    """Return all words of texts as candidates, of which some facts hold and no others."""
    words = TokenBatch(texts)
    places = np.flatnonzero(~words.is_end)
    told = {name: np.full(len(places), name in facts) for name in FACTS}
    return Candidates(words, places, told)


def rule_of(rules: Sequence[Rule[Verdict]], sentence: str, *facts: str) -> Rule[Verdict]:
    """Return the rule that decides of the words in brackets."""
    return rules[int(first_matching_rule(rules, candidate(sentence, *facts))[0])]


def holds(condition: Predicate, sentence: str, *facts: str) -> bool:
    """Whether a condition holds of the words in brackets."""
    return bool(candidate(sentence, *facts).holds(condition)[0])


def word_at(place: TokenRef, sentence: str) -> str:
    """Return the word at a place, as seen from the words in brackets; empty for none."""
    candidates = candidate(sentence)
    (at,) = candidates.at(place).tolist()
    return "" if candidates.words.is_end[at] else candidates.words.lower(at)
