"""Tests of the questions that a pipeline's annotations answer."""

import csv
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from fair_datasets import InputError
from fair_datasets.reader.matching.language import Language, language
from fair_datasets.reader.matching.pipeline import ask_first
from fair_datasets.reader.matching.predicates import Rule, first_matching_rule
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.tokenizer import tokenize
from tests.reader.english.asking import FACTS, every_word

VOCABULARY = spacy.blank("en").vocab
HER, HIS = ("determiner", "object"), ("determiner", "possessive")


def tables(asked: Language) -> dict[str, Sequence[Rule[Any]]]:
    """Return the rules that answer each question."""
    return {
        "her": asked.cases[HER], "his": asked.cases[HIS], "verb": asked.verb,
        "person": asked.person, "title": asked.title, "surname": asked.surname, "name": asked.name,
        "used": asked.used,
    }  # fmt: skip


def annotated(sentence: str) -> Doc:
    """Return a sentence of words, each with its tag, label and head, and its entity if any."""
    lines = [word.split("|") for word in sentence.split()]
    words, tags, labels, heads = zip(*[line[:4] for line in lines], strict=True)
    return Doc(
        VOCABULARY, words=words,
        spaces=[
            word != "-" and after not in (".", "'s", "-") for word, after in pairwise((*words, "."))
        ],
        tags=tags, deps=labels, heads=list(map(int, heads)),
        ents=[line[4] if len(line) > 4 else "O" for line in lines],
    )  # fmt: skip


def rule_of(question: str, sentence: str, word: str) -> Rule[Any]:
    """Return the rule that decides of a word of a sentence."""
    doc = annotated(sentence)
    place = tokenize(doc.text).lower.index(word)
    told = {"word", "man", *(["follows a name"] if place else [])}
    facts = {name: np.array([name in told]) for name in FACTS}
    rules = tables(ask_first(language(), lambda text: doc))[question]
    candidates = Candidates(TokenBatch([doc.text]), np.array([place]), facts)
    return rules[int(first_matching_rule(rules, candidates)[0])]


# The question, a sentence with the annotations of its words, the word, and the answer.
with Path(__file__).with_name("annotated.tsv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['question']}: {row['word']}" for row in ROWS])
def test_each_question_is_answered_by_the_annotations(row: dict[str, str]) -> None:
    """By the tags, the entities and the parse."""
    verdict = rule_of(row["question"], row["sentence"], row["word"]).verdict
    assert str(getattr(verdict, "name", verdict)) == row["answer"]


def test_the_pipeline_is_told_as_the_rule() -> None:
    """Where it has an answer; where it has none, a rule of ours decides."""
    sentence = "They|PRP|nsubj|1 man|VBP|ROOT|1 boats|NNS|dobj|1"
    assert rule_of("verb", sentence, "man").name == "pipeline"
    assert rule_of("person", "the|DT|det|1 king|NN|nsubj|2 said|VBD|ROOT|2", "king").name == (
        "senses.tagged"
    )


def test_a_word_is_found_in_the_tokens_of_a_pipeline() -> None:
    """The pipeline divides "mother-in-law" and "can't" in another way than we do."""
    text = "Anna's mother-in-law can't find her keys, and he's sad."
    doc = spacy.blank("en")(text)
    for token in doc:
        token.tag_ = "PRP$" if token.text == "her" else "XX"
    asked, candidates = ask_first(language(), lambda text: doc), every_word(text)
    place = tokenize(text).lower.index("her")
    her = asked.cases[HER]
    assert her[first_matching_rule(her, candidates)[place]] == her[0]
    assert not any(
        asked.verb[number].verdict for number in first_matching_rule(asked.verb, candidates)
    )


def test_each_text_is_annotated_once_and_only_where_it_is_asked() -> None:
    """All questions about the texts of a chunk share their annotations."""
    parsed = []

    def parse(text: str) -> Doc:
        parsed.append(text)
        return spacy.blank("en")(text)

    asked = ask_first(language(), parse)
    words = TokenBatch(["They host it.", "Nothing is asked here.", "She hosts us and I host you."])
    places = np.flatnonzero([words.lower(place).startswith("host") for place in range(len(words))])
    candidates = Candidates(words, places)
    first_matching_rule(asked.verb, candidates)
    first_matching_rule(asked.person, candidates)
    assert parsed == [words.texts[0], words.texts[2]]


def test_a_tokenizer_that_shortens_the_text_is_refused() -> None:
    """Offsets in another text than ours would be answers about other words."""
    asked = ask_first(language(), lambda text: Doc(VOCABULARY, words=["her"], spaces=[False]))
    with pytest.raises(InputError, match="use a pipeline whose tokenizer keeps the text as it is"):
        first_matching_rule(asked.verb, every_word("her own book"))
